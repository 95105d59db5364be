//! A process that changes an index is killed at random moments: every change that it has acknowledged is there, and the
//! next one as a whole or not at all.
//!
//! `LOOKALIKE_KILLS=100 cargo test --release -p lookalike-index --test kills` kills more often.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use lookalike_core::comparison::{Features, Measure, Method};
use lookalike_core::hash::{SplitMix64, mix64};
use lookalike_index::{Change, Durability, Index, IndexDocument, IndexWriter, Settings, verify};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Default number of kills.
const KILLS: u64 = 25;
/// Documents that come or go at once: so many that segments are written and merged during the test.
const GROUP: u64 = 900;
/// Ids that documents have.
const IDS: u64 = 6000;
/// Changes of a run that nobody kills.
const MAX_CHANGES: u64 = 400;

/// The variables that make a process of this test the one that is killed.
const PATH: &str = "LOOKALIKE_WRITTEN_INDEX";
const FIRST: &str = "LOOKALIKE_FIRST_CHANGE";

/// Documents that come and go by a change, by id.
fn change(number: u64) -> Vec<(u64, bool)> {
    let mut random = SplitMix64::new(number);
    (0..GROUP).map(|_| (random.next_below(IDS), random.next_below(3) > 0)).collect()
}

fn document(id: u64, change: u64) -> IndexDocument {
    let mut elements: Vec<u64> = (0..4).map(|place| mix64(id * 1000 + place + change)).collect();
    elements.sort_unstable();
    IndexDocument { characters: change, ..IndexDocument::of_set(format!("n{id}"), elements) }
}

/// Changes the index, and tells each change that was acknowledged, until it is killed.
fn write(path: &Path, first: u64) {
    let mut writer = IndexWriter::open(path, Durability::Process).unwrap();
    for number in first..first + MAX_CHANGES {
        let of = |(id, comes)| if comes { Change::Put(document(id, number)) } else { Change::Delete(format!("n{id}")) };
        writer.commit(change(number).into_iter().map(of).collect()).unwrap();
        println!("acknowledged {number}");
    }
}

/// The ids that are there, each with the change by which it came.
fn found(path: &Path) -> BTreeSet<(String, u64)> {
    let view = Index::open(path).unwrap().view();
    view.places().map(|place| (view.id(place).to_owned(), view.facts(place).characters)).collect()
}

/// Documents that are expected.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model(std::collections::BTreeMap<u64, u64>);

impl Model {
    fn apply(&mut self, number: u64) {
        for (id, comes) in change(number) {
            if comes {
                self.0.insert(id, number)
            } else {
                self.0.remove(&id)
            };
        }
    }

    fn ids(&self) -> BTreeSet<(String, u64)> {
        self.0.iter().map(|(id, &number)| (format!("n{id}"), number)).collect()
    }
}

/// Starts a process that changes the index from change `first` on, kills it after some milliseconds, and tells the last
/// change that it has acknowledged.
fn kill_after(milliseconds: u64, path: &Path, first: u64) -> Option<u64> {
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "acknowledged_changes_survive_kills", "--nocapture", "--quiet"])
        .env(PATH, path)
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap());
    let mut first_line = String::new();
    // The clock starts when something was acknowledged, for the most part.
    if !milliseconds.is_multiple_of(3) {
        lines.read_line(&mut first_line).unwrap();
    }
    std::thread::sleep(Duration::from_millis(milliseconds));
    process.kill().unwrap();
    let mut last = None;
    for line in std::iter::once(Ok(first_line)).chain(lines.lines()) {
        // Others of these lines are those of the test.
        let line = line.unwrap_or_default();
        last = line.trim().split_once("acknowledged ").and_then(|(_, number)| number.parse().ok()).or(last);
    }
    process.wait().unwrap();
    last
}

#[test]
fn acknowledged_changes_survive_kills() {
    if let Some(path) = std::env::var_os(PATH) {
        return write(path.as_ref(), std::env::var(FIRST).unwrap().parse().unwrap());
    }
    let kills = std::env::var("LOOKALIKE_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let settings = Settings::new(Features::default(), Measure::default(), Method::Exact);
    drop(IndexWriter::create(&path, settings, Durability::Process).unwrap());
    let mut random = SplitMix64::new(5);
    let mut model = Model::default();
    let mut next = 0;
    let mut interrupted = 0;
    // On a busy machine some are killed before they have changed anything.
    for kill in 0.. {
        if kill >= kills && next > kills / 2 {
            break;
        }
        let last = kill_after(random.next_below(120), &path, next);
        (next..last.map_or(next, |last| last + 1)).for_each(|number| model.apply(number));
        next = last.map_or(next, |last| last + 1);
        let there = found(&path);
        let mut with_next = model.clone();
        with_next.apply(next);
        assert!(there == model.ids() || there == with_next.ids(), "kill {kill}, after change {next}");
        if there == with_next.ids() {
            (model, next, interrupted) = (with_next, next + 1, interrupted + 1);
        }
        // Opened to be changed, its log loses what is no whole change.
        drop(IndexWriter::open(&path, Durability::Process).unwrap());
        assert_eq!(verify(&path).unwrap(), [], "kill {kill}");
        assert_eq!(found(&path), model.ids(), "kill {kill}");
    }
    println!("{kills} kills, {next} changes, {interrupted} of them whole and not yet acknowledged");
}
