//! Every flag of every command is used or refused: a user who says something for nothing has made a mistake.
//!
//! The flags are those of the program itself, so a new one without a row here fails. A flag is used if the command does
//! something else with it than without; where nothing of that shows, as of threads, the row says so.

use crate::common::{Run, Sandbox, record};
use std::collections::BTreeMap;
use std::fs;

/// Effect of a flag on an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Another answer, or none.
    Always,
    /// Another answer where similarities are listed.
    InSimilarities,
    /// Perhaps none: the flag is about a case that need not come, or about resources.
    Nowhere,
}

use Shows::{Always, InSimilarities, Nowhere};

/// A flag, what is typed for it, and how it shows.
const FLAGS: &[(&str, &str, Shows)] = &[
    // What is read.
    ("input-format", "--input-format tsv", Always),
    ("text-field", "--text-field body", InSimilarities),
    ("id-field", "--id-field name", InSimilarities),
    ("encoding", "--encoding latin1", InSimilarities),
    ("quote", "--quote none", Always),
    ("items", "--items", InSimilarities),
    ("item-counts", "--items --item-counts", InSimilarities),
    ("bits", "--bits bits --measure hamming --distance 3", Always),
    ("width", "--bits bits --width 32", Always),
    ("digits", "--bits bits --digits decimal", Always),
    ("vector", "--vector vector", Always),
    ("signature", "--signature vector", Always),
    ("features", "--features image-hash", Always),
    ("exclude", "--exclude none.txt", Nowhere),
    ("gitignore", "--gitignore", Nowhere),
    ("unique-ids", "--unique-ids", Nowhere),
    ("on-error", "--on-error skip", Nowhere),
    ("max-document", "--max-document 5", Always),
    ("group-by", "--group-by name", Always),
    ("count-field", "--group-by name --count-field n", Always),
    ("against", "--against other.jsonl", Always),
    ("against-text-field", "--against other.jsonl --against-text-field body", Always),
    ("against-id-field", "--against other.jsonl --against-id-field name", Always),
    ("texts", "--texts other.jsonl", Always),
    ("signature-id", "--signature-id name", Always),
    ("in", "--in other.jsonl", Nowhere),
    ("text", "--text words", Always),
    ("id", "--id 1", Always),
    ("documents", "--documents other.jsonl", Always),
    ("ignore", "--ignore text/a.txt", Always),
    // What a document becomes.
    ("shingle", "--shingle word:2", InSimilarities),
    ("identical", "--identical", Always),
    ("bag", "--bag", InSimilarities),
    ("stride", "--stride 2", InSimilarities),
    ("hash-bits", "--hash-bits 32", Nowhere),
    ("tokens", "--tokens code", InSimilarities),
    ("rename-blind", "--tokens code --rename-blind --keywords java", InSimilarities),
    ("keywords", "--tokens code --rename-blind --keywords java", InSimilarities),
    ("lowercase", "--lowercase false", InSimilarities),
    ("nfkc", "--nfkc false", InSimilarities),
    ("strip-html", "--strip-html", InSimilarities),
    ("main-content", "--main-content", InSimilarities),
    ("stop-words", "--stop-words en", InSimilarities),
    ("stem", "--stem en", InSimilarities),
    ("mask", "--mask numbers", InSimilarities),
    ("strip-marks", "--strip-marks", InSimilarities),
    // What is alike, and how it is found.
    ("threshold", "--threshold 0.99", Nowhere),
    ("measure", "--measure containment", InSimilarities),
    ("min-common", "--measure overlap --min-common 2", InSimilarities),
    ("weights", "--measure cosine --weights binary", InSimilarities),
    ("distance", "--distance 2", Always),
    ("containment", "--containment in-reference", Always),
    ("empty", "--empty duplicate", Nowhere),
    ("method", "--method minhash", Nowhere),
    ("select", "--select mod:4", Always),
    ("permutations", "--permutations 64", Nowhere),
    ("bands", "--bands 8 --rows 4", Nowhere),
    ("rows", "--bands 8 --rows 4", Nowhere),
    ("fingerprint-bits", "--fingerprint-bits 128", Always),
    ("recall", "--recall 0.9", Nowhere),
    ("measure-recall", "--measure-recall", Nowhere),
    ("seed", "--seed 7", Nowhere),
    ("idf", "--idf none.idf", Always),
    ("save-idf", "--save-idf new.idf", Always),
    ("check-texts", "--check-texts", Always),
    ("min-match", "--min-match 4", Nowhere),
    ("gap", "--gap 0", Nowhere),
    ("common", "--common 2", Nowhere),
    ("side-by-side", "--side-by-side", Always),
    ("scheme", "--scheme affine32", Always),
    ("counts", "--counts", Always),
    ("passages", "--passages", Always),
    ("score-field", "--score-field n", Nowhere),
    // What is kept, written and told.
    ("keep", "--keep last", Nowhere),
    ("cluster", "--cluster connected", Nowhere),
    ("add", "--add", Always),
    ("no-clobber", "--no-clobber", Nowhere),
    ("output", "--output new.csv", Always),
    ("format", "--format tsv", Always),
    ("removed", "--removed new.csv", Always),
    ("records", "--records new.jsonl", Always),
    ("annotate", "--annotate", Always),
    ("dry-run", "--dry-run", Always),
    ("with-source", "--with-source", Nowhere),
    ("report", "--report new.html", Always),
    ("histogram", "--histogram new.svg", Always),
    ("top", "--top 1", Nowhere),
    ("max-pairs", "--max-pairs 0", Always),
    ("about", "--about", Always),
    ("fail-if-found", "--fail-if-found", Nowhere),
    ("separator", "--separator x", Nowhere),
    ("min-left", "--min-left 90", Nowhere),
    ("min-cut", "--min-cut 90", Nowhere),
    ("min-between", "--min-between 3", Nowhere),
    ("left-out", "--left-out drop", Nowhere),
    ("algorithm", "--algorithm sha256", Nowhere),
    // An index.
    ("store", "--store name", Nowhere),
    ("store-texts", "--store-texts", Always),
    ("signatures", "--signatures --method minhash", Always),
    ("keyed", "--keyed", Nowhere),
    ("durability", "--durability process", Nowhere),
    ("ttl", "--ttl 30d", Nowhere),
    ("unless-near", "--unless-near", Always),
    ("no-replace", "--no-replace", Nowhere),
    ("json", "--json", Always),
    // A plan.
    ("low", "--low 0.1 --low-rate 0.1", Always),
    ("low-rate", "--low 0.1 --low-rate 0.1", Always),
    ("vectors", "--vectors", Always),
    ("error", "--error 0.2", Always),
    ("confidence", "--confidence 0.5", Always),
    ("plot", "--plot new.svg", Always),
    // What is used, and how much is said.
    ("threads", "--threads 1", Nowhere),
    ("memory", "--memory 64MiB", Nowhere),
    ("temp-dir", "--temp-dir .", Nowhere),
    ("work-dir", "--work-dir work", Nowhere),
    ("progress", "--progress never", Nowhere),
    ("summary", "--summary new.json", Always),
    ("quiet", "--quiet", Nowhere),
    ("verbose", "--verbose", Nowhere),
    ("color", "--color never", Nowhere),
    ("help", "--help", Always),
    ("version", "--version", Always),
];

/// Flags of `serve`, which runs until it is stopped: `running/serve.rs` has them.
const OF_SERVE: &[&str] = &[
    "listen",
    "tokens",
    "require-token",
    "host",
    "origin",
    "tls-cert",
    "tls-key",
    "threads",
    "queue",
    "max-body",
    "max-time",
    "connections",
    "durability",
    "log",
];

/// Flags of documents that are no texts.
const OF_POINTS: &[&str] = &["bits", "width", "digits", "vector", "signature", "features"];

/// Arguments that run a command over IN.
const COMMANDS: &[(&str, &str)] = &[
    ("dedup", "dedup IN -t 0.1 -o - --removed removed.jsonl"),
    ("pairs", "pairs IN -t 0.1"),
    ("clusters", "clusters IN -t 0.1"),
    ("search", "search IN --in IN -t 0.1"),
    ("index create", "index create new.idx IN -t 0.1"),
    ("index add", "index add old.idx IN"),
    ("index remove", "index remove old.idx 1"),
    ("index get", "index get old.idx 1"),
    ("index compact", "index compact old.idx"),
    ("index verify", "index verify old.idx"),
    ("index info", "index info old.idx"),
    ("index backup", "index backup old.idx new.idx"),
    ("sources", "sources IN --min-match 3"),
    ("cut", "cut IN -o - --shingle 3"),
    ("recluster", "recluster pairs.jsonl --documents IN"),
    ("snapshot", "snapshot IN -o new.snapshot"),
    ("fingerprint", "fingerprint IN"),
    ("signatures", "signatures IN"),
    ("compare", "compare 1 2 --in IN"),
    ("plan", "plan"),
    ("checksum", "checksum IN"),
    ("completions", "completions bash"),
    ("man", "man"),
];

/// Commands whose answers tell how similar documents are.
const TELL_SIMILARITIES: &[&str] = &["dedup", "pairs", "search", "sources", "compare", "signatures"];

/// Two texts between which each flag of texts makes a difference of its own: between any two of these differences stand
/// as many words as a shingle has.
fn texts() -> [String; 2] {
    let differences = [
        ["The Old bridge,", "the old bridge,"],
        ["<b>the end</b>", "the end"],
        ["2024", "2025"],
        ["running", "runs"],
        ["\u{ff11}\u{ff12} nights", "12 nights"],
        ["\u{643}\u{650}\u{62a}\u{627}\u{628}", "\u{643}\u{62a}\u{627}\u{628}"],
        ["one two three four five six one two three four five six", "one two three four five six"],
    ];
    let between = " stands quite near some other place here ";
    [0, 1].map(|side| differences.map(|both| both[side]).join(between))
}

/// Text beside the article of a page.
const MENU: &str = "<a href=/>home</a> <a href=/news>news</a> <a href=/sports>sports</a> <a href=/about>about us</a>";

/// The texts as inputs of all kinds.
const KINDS: &[&str] =
    &["in.jsonl", "in.csv", "in.tsv", "text/a.txt text/b.txt", "text", "pages", "json", "in.parquet", "in.snapshot"];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let object = |id: usize, text: &str| {
        serde_json::json!({ "id": id.to_string(), "text": text, "body": &text[..40], "name": format!("n{id}"), "n": id,
            "bits": format!("{id:016x}"), "vector": [id, 1] })
    };
    let texts = texts();
    let objects: Vec<_> = (1..).zip(&texts).map(|(id, text)| object(id, text)).collect();
    let lines: String = objects.iter().map(|object| object.to_string() + "\n").collect();
    sandbox.write("in.jsonl", &lines);
    sandbox.write("other.jsonl", record("9", "quite other words stand here, and no more of them"));
    sandbox.write("pairs.jsonl", "{\"a\":\"1\",\"b\":\"2\",\"similarity\":0.9}\n");
    for (name, separator) in [("in.csv", ','), ("in.tsv", '\t')] {
        let row = |(id, text): (usize, &String)| {
            let fields = [id.to_string(), format!("\"{text}{separator}\""), text[..10].to_owned(), format!("n{id}")];
            fields.join(&separator.to_string()) + &format!("{separator}{id}\n")
        };
        let header = ["id", "text", "body", "name", "n"].join(&separator.to_string());
        sandbox.write(name, header + "\n" + &(1..).zip(&texts).map(row).collect::<String>());
    }
    for ((name, text), object) in ["a", "b"].into_iter().zip(&texts).zip(&objects) {
        sandbox.write(&format!("text/{name}.txt"), text);
        sandbox.write(
            &format!("pages/{name}.html"),
            format!("<html><body><nav>{MENU}</nav><article><p>{text}</p><p>{text}</p></article></body></html>"),
        );
        sandbox.write(&format!("json/{name}.json"), object.to_string());
    }
    sandbox.succeed("dedup in.jsonl -o in.parquet -q");
    sandbox.succeed("snapshot in.jsonl -o in.snapshot -q");
    sandbox
}

/// Outcome of a command, and the files that it wrote.
fn result_of(sandbox: &Sandbox, arguments: &str) -> (Run, BTreeMap<String, Vec<u8>>) {
    if arguments.contains("old.idx") {
        sandbox.succeed("index create old.idx in.jsonl -t 0.1 -q");
    }
    let before = sandbox.names();
    let run = sandbox.run(arguments);
    let made: Vec<String> = sandbox.names().into_iter().filter(|name| !before.contains(name)).collect();
    let files = made.iter().filter(|name| !name.ends_with('/'));
    let files = files.map(|name| (name.clone(), fs::read(sandbox.path(name)).unwrap())).collect();
    for name in made.iter().map(|name| name.split('/').next().unwrap()).chain(["old.idx"]) {
        let path = sandbox.path(name);
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    (run, files)
}

/// The fault of a command that neither does something else with a flag nor refuses it.
fn fault(
    sandbox: &Sandbox,
    (command, base): (&str, &str),
    (flag, typed, shows): (&str, &str, Shows),
) -> Option<String> {
    let plain = result_of(sandbox, base);
    let with_flag = result_of(sandbox, &format!("{base} {typed}"));
    let (run, files) = &with_flag;
    assert!(matches!(run.code, Some(0..=2)), "{base} {typed}: {run:?}");
    if run.code == Some(2) {
        assert!(!run.stderr.contains("panicked") && files.is_empty(), "{base} {typed}: {run:?}");
        return None;
    }
    // Saved pairs say what is near; documents are read for their names and lengths.
    let shows = if command == "recluster" && OF_POINTS.contains(&flag) { Nowhere } else { shows };
    let must_show = shows == Always || shows == InSimilarities && TELL_SIMILARITIES.contains(&command);
    let differs =
        (&plain.0.code, &plain.0.stdout, &plain.0.stderr, &plain.1) != (&run.code, &run.stdout, &run.stderr, files);
    (must_show && !differs).then(|| format!("--{flag}: {base} {typed}"))
}

/// Commands with the long names of their flags.
fn flags_of(command: &clap::Command, name: &str, all: &mut Vec<(String, Vec<String>)>) {
    let name = |inner: &clap::Command| format!("{name} {}", inner.get_name()).trim().to_owned();
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        if inner.has_subcommands() {
            flags_of(inner, &name(inner), all);
        } else {
            let flags = inner.get_arguments().filter_map(|argument| argument.get_long().map(str::to_owned));
            all.push((name(inner), flags.collect()));
        }
    }
}

/// Commands of the program with the long names of their flags.
pub(crate) fn all_flags() -> Vec<(String, Vec<String>)> {
    let mut program = lookalike_cli::program();
    program.build();
    let mut all = Vec::new();
    flags_of(&program, "", &mut all);
    all
}

#[test]
fn each_flag_of_each_command_is_used_or_refused() {
    let sandbox = sandbox();
    let mut faults = Vec::new();
    for (command, flags) in all_flags() {
        if command == "serve" {
            let known = |flag: &String| {
                OF_SERVE.contains(&flag.as_str()) || ["quiet", "verbose", "color", "help"].contains(&flag.as_str())
            };
            assert!(flags.iter().all(known), "a flag of serve has no row: {flags:?}");
            continue;
        }
        let (name, base) = COMMANDS.iter().find(|(name, _)| *name == command).unwrap_or_else(|| panic!("{command}"));
        for flag in flags {
            let row = FLAGS.iter().find(|(name, ..)| *name == flag);
            let row = row.unwrap_or_else(|| panic!("--{flag} of {command} has no row"));
            // Tables alone have quotes and encodings.
            let input = if ["quote", "encoding"].contains(&&*flag) { "in.csv" } else { "in.jsonl" };
            faults.extend(fault(&sandbox, (name, &base.replace("IN", input)), *row));
        }
    }
    assert!(faults.is_empty(), "flags that do nothing:\n{}", faults.join("\n"));
}

#[test]
fn each_flag_of_inputs_and_texts_is_used_or_refused_for_each_kind_of_input() {
    let sandbox = sandbox();
    let mut faults = Vec::new();
    for (name, base) in COMMANDS.iter().filter(|(name, _)| ["pairs", "sources"].contains(name)) {
        let (_, flags) = all_flags().into_iter().find(|(command, _)| command == name).unwrap();
        for row in FLAGS.iter().take_while(|(flag, ..)| *flag != "threshold") {
            let has_flag = flags.iter().any(|flag| flag == row.0);
            for kind in KINDS.iter().filter(|_| has_flag) {
                let row = match (row.0, *kind) {
                    // What is so already can be said, too.
                    ("input-format", "in.tsv") => (row.0, "--input-format text", row.2),
                    // Of what is stored, no record is too long.
                    ("max-document", "in.snapshot") => (row.0, row.1, Nowhere),
                    _ => *row,
                };
                faults.extend(fault(&sandbox, (name, &base.replace("IN", kind)), row));
            }
        }
    }
    assert!(faults.is_empty(), "flags that do nothing:\n{}", faults.join("\n"));
}

#[test]
fn what_nothing_obeys_is_refused_in_a_line() {
    let sandbox = sandbox();
    sandbox.refuse_all("manners/what_nothing_obeys_is_refused_in_a_line");
}
