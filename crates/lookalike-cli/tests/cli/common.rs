//! A folder for each test, the binary in it, and the promised rows.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Numbers that are the same in every run (xorshift64: Marsaglia 2003).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// A new folder in which commands run; it goes with the value.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// With one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let sandbox = Self::new();
        sandbox.write(name, content);
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file; folders on the way are made.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// All files below the folder, hidden ones too, and empty folders with a slash; sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect_names(self.folder.path(), "", &mut names);
        names.sort();
        names
    }

    /// The command with arguments, separated by spaces.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike"));
        command.args(arguments.split_whitespace()).current_dir(self.folder.path()).env("COLUMNS", "100");
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Run {
        Run::from(self.command(arguments).output().unwrap())
    }

    /// Runs a command that must succeed.
    pub(crate) fn succeed(&self, arguments: &str) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(0), "{arguments}: {}", run.stderr);
        run
    }

    /// Runs a command that must be refused: exit status 2, no answer, no new file. Returns the words on stderr.
    pub(crate) fn refuse(&self, arguments: &str) -> String {
        let before = self.names();
        let run = self.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{arguments}");
        assert_eq!(self.names(), before, "{arguments}: something was left behind");
        run.stderr
    }

    /// As [`Self::refuse`], with one line of our own words; returns it.
    pub(crate) fn refuse_in_a_line(&self, arguments: &str) -> String {
        let words = self.refuse(arguments);
        assert_eq!(words.lines().count(), 1, "{arguments}: {words}");
        words.strip_prefix("lookalike: ").unwrap().trim_end().to_owned()
    }

    /// Runs `dedup` on `in.jsonl` with more arguments; returns the ids of the records that stay.
    pub(crate) fn kept(&self, arguments: &str) -> Vec<String> {
        let run = self.succeed(&format!("dedup in.jsonl -o - {arguments}"));
        rows::<serde_json::Value>(&run.stdout).iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
    }
}

fn collect_names(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            let before = names.len();
            collect_names(&entry.path(), &format!("{name}/"), names);
            if names.len() == before {
                names.push(name + "/");
            }
        } else {
            names.push(name);
        }
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// The rows of JSON Lines.
pub(crate) fn rows<T: DeserializeOwned>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// A line with a record.
pub(crate) fn record(id: &str, text: &str) -> String {
    serde_json::json!({ "id": id, "text": text }).to_string() + "\n"
}

/// A text of numbered words: ranges that overlap give similar texts. Of n words n - 4 shingles come by default.
pub(crate) fn words(numbers: std::ops::Range<usize>) -> String {
    numbers.map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ")
}

/// The records `a`, `b`, `c` of a chain: a and b are similar (28/32), b and c too, a and c are not (24/32).
///
/// Similarities in tests have finite binary fractions, which any parser reads exactly.
pub(crate) fn chain() -> String {
    [("a", 0..32), ("b", 0..36), ("c", 4..36)].map(|(id, numbers)| record(id, &words(numbers))).concat()
}

/// A row of `dedup --removed`.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Removed {
    pub(crate) id: String,
    pub(crate) kept: String,
    pub(crate) similarity: f64,
    pub(crate) reason: String,
}

/// A row of `pairs`.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) similarity: f64,
    pub(crate) reason: String,
}

/// Everything that `--summary` says, with the counts of the command.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Summary<R> {
    pub(crate) command: String,
    pub(crate) version: String,
    pub(crate) parameters: Parameters,
    pub(crate) method: Method,
    pub(crate) measured_recall: Option<MeasuredRecall>,
    pub(crate) tokens: u64,
    pub(crate) short_documents: u64,
    pub(crate) documents_without_id: u64,
    pub(crate) candidates: Option<u64>,
    pub(crate) refused_by_texts: Option<u64>,
    pub(crate) repeated_ids: serde_json::Value,
    pub(crate) result: R,
    pub(crate) peak_bytes: Option<u64>,
    pub(crate) stages: Vec<StageTime>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeasuredRecall {
    pub(crate) sampled_documents: u64,
    pub(crate) true_pairs: u64,
    pub(crate) found_pairs: u64,
    pub(crate) interval: (f64, f64),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameters {
    pub(crate) inputs: Vec<String>,
    pub(crate) against: Vec<String>,
    pub(crate) input_format: Option<String>,
    pub(crate) text_field: String,
    pub(crate) id_field: String,
    pub(crate) score_field: Option<String>,
    pub(crate) reserved_field: Option<String>,
    pub(crate) items: Option<serde_json::Value>,
    pub(crate) repeated_ids: String,
    pub(crate) on_error: String,
    pub(crate) max_document_bytes: u64,
    pub(crate) features: String,
    pub(crate) shingle: String,
    pub(crate) bag: bool,
    pub(crate) stride: usize,
    pub(crate) lowercase: bool,
    pub(crate) nfkc: bool,
    pub(crate) strip_html: bool,
    pub(crate) stop_words: Vec<String>,
    pub(crate) stem: Option<String>,
    pub(crate) hash_bits: u32,
    pub(crate) measure: String,
    pub(crate) threshold: f64,
    pub(crate) empty: String,
    pub(crate) method: String,
    pub(crate) recall: f64,
    pub(crate) permutations: usize,
    pub(crate) bands: Option<usize>,
    pub(crate) rows: Option<usize>,
    pub(crate) seed: u64,
    pub(crate) rule: String,
    pub(crate) check: String,
    pub(crate) keep: Option<String>,
    pub(crate) threads: usize,
    pub(crate) memory_bytes: u64,
    pub(crate) temporary_folder: String,
    pub(crate) work_folder: Option<String>,
    pub(crate) kernel: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Method {
    pub(crate) name: String,
    pub(crate) bands: Option<usize>,
    pub(crate) rows: Option<usize>,
    pub(crate) expected_recall: f64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StageTime {
    pub(crate) stage: String,
    pub(crate) seconds: f64,
    pub(crate) peak_bytes: Option<u64>,
}
