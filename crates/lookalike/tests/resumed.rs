//! Reading of any kind of input is resumed by the next run from what it leaves in a work folder.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use lookalike::{
    Data, Features, Inputs, Job, Outputs, Progress, Resources, Rule, Silent, jobs,
    progress::{Stage, StageNumber},
};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Notes whether anything was read in the reading stage.
#[derive(Default)]
struct Reads {
    stage: Mutex<&'static str>,
    has_read: AtomicBool,
}

impl Progress for Reads {
    fn begin(&self, stage: Stage, _number: StageNumber) {
        *self.stage.lock().unwrap() = stage.name;
    }

    fn advance(&self, _amount: u64) {
        if *self.stage.lock().unwrap() == "reading" {
            self.has_read.store(true, Ordering::Relaxed);
        }
    }
}

/// Compares the documents of a file, and tells whether it was read for that.
fn is_read(input: &Path, work: &Path) -> bool {
    let job = Job {
        inputs: Inputs { inputs: vec![input.to_owned()], ..Inputs::default() },
        features: Features::default(),
        rule: Rule::Pairs,
        outputs: Outputs { rows: Some(work.with_extension("rows.jsonl")), ..Outputs::default() },
        ..Job::default()
    };
    let (reads, resources) =
        (Reads::default(), Resources { work_folder: Some(work.to_owned()), ..Resources::default() });
    jobs::run(&job, &resources, &reads).unwrap();
    reads.has_read.into_inner()
}

/// The records of a file in other formats, and as a snapshot.
fn converted(lines: &Path) -> Vec<PathBuf> {
    let of = |outputs| Job {
        inputs: Inputs { inputs: vec![lines.to_owned()], ..Inputs::default() },
        rule: Rule::Keepers { keep: lookalike::Order::First },
        outputs,
        ..Job::default()
    };
    let records = ["x.parquet", "x.arrow", "x.csv", "x.tsv", "x.jsonl.zst"].map(|name| lines.with_file_name(name));
    for path in &records {
        let outputs = Outputs { records: Some(path.clone()), ..Outputs::default() };
        jobs::run(&of(outputs), &Resources::default(), &Silent).unwrap();
    }
    let snapshot = lines.with_file_name("x.snapshot");
    let outputs = Outputs { snapshot: Some(snapshot.clone()), ..Outputs::default() };
    jobs::snapshot(&of(outputs), &Data::default(), &Resources::default(), &Silent).unwrap();
    records.into_iter().chain([snapshot]).collect()
}

#[test]
fn a_reading_of_any_format_is_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let work = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = |number: usize| (number..number + 9).map(|word| format!("w{word} ")).collect::<String>();
    let records: Vec<_> = (0..30).map(|number| serde_json::json!({ "id": number, "text": text(number) })).collect();
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    fs::write(at("lines.jsonl"), lines).unwrap();
    fs::write(at("array.json"), serde_json::to_vec(&records).unwrap()).unwrap();
    // Line ends of all kinds, an empty line, and a field with two lines.
    fs::write(at("ends.csv"), "id,text\r\n1,a b c\r2,d e f\n\n3,\"g\nh\"\r\n4,i\n").unwrap();
    let page = |number: usize| {
        let body = format!("<p>{}</p>", text(number));
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{number}>\r\n\
             WARC-Target-URI: http://a/{number}\r\nContent-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    fs::write(at("crawl.warc"), (0..5).map(page).collect::<String>()).unwrap();
    fs::create_dir(at("texts")).unwrap();
    for name in ["a.txt", "b.txt"] {
        fs::write(at("texts").join(name), text(3)).unwrap();
    }
    let others = ["lines.jsonl", "array.json", "ends.csv", "crawl.warc", "texts"].map(at);
    for input in converted(&at("lines.jsonl")).into_iter().chain(others) {
        let work = work.path().join(input.file_name().unwrap());
        assert!(is_read(&input, &work), "{}", input.display());
        assert!(!is_read(&input, &work), "{}", input.display());
    }
}
