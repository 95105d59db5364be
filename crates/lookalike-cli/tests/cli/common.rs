//! A folder for each test, the binary in it, and the promised rows.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
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

/// Output and exit code of a command.
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

    /// Creates a sandbox with one file.
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

    /// Lists the files below the folder, hidden ones too, and empty folders with a slash; sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect_names(self.folder.path(), "", &mut names);
        names.sort();
        names
    }

    /// Names of files that begin with `prefix`, sorted.
    pub(crate) fn names_in(&self, prefix: &str) -> Vec<String> {
        self.names().into_iter().filter(|name| name.starts_with(prefix)).collect()
    }

    /// Contents of all files that may be read, by name; empty for folders, devices and files of work folders, which a
    /// job may use before it is refused.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let content = |name: String| {
            let path = self.path(&name);
            let is_kept = path.is_file() && !path.with_file_name("lookalike.manifest").exists();
            (name, if is_kept { fs::read(path).unwrap_or_default() } else { Vec::new() })
        };
        self.names().into_iter().map(content).collect()
    }

    /// JSON in a file.
    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
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

    /// Runs a command under a limit of the shell, as `-f 100`; the arguments may redirect.
    pub(crate) fn run_limited(&self, limit: &str, arguments: &str) -> Run {
        let script = format!("ulimit {limit} && exec {} {arguments}", env!("CARGO_BIN_EXE_lookalike"));
        Run::from(Command::new("sh").args(["-c", &script]).current_dir(self.path("")).output().unwrap())
    }

    /// Runs a command with this standard input.
    pub(crate) fn run_with_input(&self, arguments: &str, input: impl AsRef<[u8]>) -> Run {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        // The command may end before it has read all.
        let writing = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writing.join().unwrap();
        Run::from(output)
    }

    /// Runs a command, and kills it after a while; returns whether it had ended before.
    pub(crate) fn kill_after(&self, arguments: &str, pause: Duration) -> bool {
        let mut command = self.command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(pause);
        let is_done = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        child.wait().unwrap();
        is_done
    }

    /// Runs a command that must succeed.
    pub(crate) fn succeed(&self, arguments: &str) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(0), "{arguments}: {}", run.stderr);
        run
    }

    /// Runs a command that must succeed with an answer on stdout that fits `expected` ([`fits`]).
    pub(crate) fn answers(&self, arguments: &str, expected: &str) {
        let answer = self.succeed(arguments).stdout;
        assert!(fits(expected, &answer), "{arguments}: expected {expected}, found {answer}");
    }

    /// Runs a command that must succeed and write this content to a file.
    pub(crate) fn writes(&self, arguments: &str, name: &str, expected: &str) {
        self.succeed(arguments);
        assert_eq!(self.read(name), expected, "{name} of {arguments}");
    }

    /// Runs a command that must succeed with words on stderr that fit `expected` ([`fits`]).
    pub(crate) fn says(&self, arguments: &str, expected: &str) -> Run {
        let run = self.succeed(arguments);
        assert!(fits(expected, &run.stderr), "{arguments}: expected {expected}, found {}", run.stderr);
        run
    }

    /// Runs a command that must be refused: exit status 2, no answer, no file new or changed. Returns the words on
    /// stderr.
    pub(crate) fn refuse(&self, arguments: &str) -> String {
        let before = self.contents();
        let run = self.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{arguments}");
        let after = self.contents();
        assert!(before.keys().eq(after.keys()), "{arguments}: something was left behind: {:?}", after.keys());
        let changed = after.iter().find(|(name, content)| before[*name] != **content);
        assert!(changed.is_none(), "{arguments}: {} was changed", changed.unwrap().0);
        let is_ours = !run.stderr.contains("panicked") && !run.stderr.contains("os error");
        assert!(is_ours, "{arguments}: {}", run.stderr);
        run.stderr
    }

    /// Runs a command that must be refused ([`Self::refuse`]) in one line of our own words; returns it.
    pub(crate) fn refuse_in_a_line(&self, arguments: &str) -> String {
        let words = self.refuse(arguments);
        assert_eq!(words.lines().count(), 1, "{arguments}: {words}");
        words.strip_prefix("lookalike: ").unwrap().trim_end().to_owned()
    }

    /// Runs a command that must be refused in a line that fits `expected` ([`fits`]).
    pub(crate) fn refused(&self, arguments: &str, expected: &str) {
        let words = self.refuse_in_a_line(arguments);
        assert!(fits(expected, &words), "{arguments}: expected {expected}, found {words}");
    }

    /// Runs `dedup` on `in.jsonl` with more arguments; returns the ids of the records that stay.
    pub(crate) fn kept(&self, arguments: &str) -> Vec<String> {
        let run = self.succeed(&format!("dedup in.jsonl -o - {arguments}"));
        rows::<Value>(&run.stdout).iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
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

/// Sends what Ctrl-C sends.
pub(crate) fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// The bytes in gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A zip archive of files.
pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Returns whether words are `expected`, in which `...` stands for any words, also none.
pub(crate) fn fits(expected: &str, words: &str) -> bool {
    let Some((begin, rest)) = expected.split_once("...") else { return words == expected };
    let Some(mut words) = words.strip_prefix(begin) else { return false };
    let mut parts: Vec<&str> = rest.split("...").collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, behind)) = words.split_once(part) else { return false };
        words = behind;
    }
    words.ends_with(end)
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

/// Asserts that JSON has the fields that `promised_fields.txt` lists under a name, of these types, and no others.
pub(crate) fn assert_promised(name: &str, value: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/promised_fields.txt");
    let text = fs::read_to_string(path).unwrap();
    let promised = text.lines().skip_while(|line| *line != format!("[{name}]")).skip(1);
    let promised: Vec<&str> = promised.take_while(|line| !line.is_empty()).collect();
    let mut found = Vec::new();
    list_fields(value, "", &mut found);
    assert_eq!(found, promised, "{name}: {value}");
}

/// Lists the fields of JSON with their types: of objects by their names, of an array those of its first element.
fn list_fields(value: &Value, path: &str, all: &mut Vec<String>) {
    let type_name = match value {
        Value::Object(object) => {
            let prefix = if path.is_empty() { String::new() } else { format!("{path}.") };
            return object.iter().for_each(|(name, value)| list_fields(value, &format!("{prefix}{name}"), all));
        }
        Value::Array(array) => match array.first() {
            Some(first) => return list_fields(first, &format!("{path}[]"), all),
            None => "[]",
        },
        // Not every system tells the peak of a process.
        _ if path.ends_with("peak_bytes") => "number or null",
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
    };
    all.push(format!("{path}: {type_name}"));
}
