//! What is said of a finished job.

use crate::words::{counted, say, thousands};
use lookalike::jobs::{DedupCounts, Report, SearchReport, SourceCounts};
use lookalike::{MethodUsed, shown};

/// Sources that are listed one by one.
const MAX_SOURCES: usize = 20;

/// How much is said of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The method, and its recall.
    Method,
    /// Also what it met and how long each stage took.
    Explanation,
}

/// How candidates were found, and on request what that met and how long it took.
pub(crate) fn say_search(report: &Report, detail: Detail) {
    let Some(search) = report.found.search() else { return };
    say(format_args!("method: {}", search.method));
    if let Some(recall) = search.recall {
        say(recall);
    }
    if let Some(refused) = search.refused {
        say(format_args!("check of texts: {} refused", counted(refused, "answer")));
    }
    if detail == Detail::Explanation {
        say_explanation(report, search);
    }
}

fn say_explanation(report: &Report, search: &SearchReport) {
    say(format_args!("explain: {} with {}", counted(report.documents, "document"), counted(report.tokens, "token")));
    match search.method {
        MethodUsed::Exact { postings } => say(format_args!(
            "explain: predicted: blocking keys of all documents meet {postings} times, before the filters"
        )),
        MethodUsed::MinHash { exact_postings: Some(postings), .. } => {
            say(format_args!("explain: exact was turned down: its blocking keys would meet {postings} times"));
        }
        MethodUsed::MinHash { .. } => {}
    }
    say(format_args!("explain: then: {} verified", counted(search.candidates, "candidate")));
    for stage in &report.stages {
        let peak = stage.peak_bytes.map_or(0, |bytes| bytes / 1_000_000);
        say(format_args!("explain: {:<10} {:>8.3} s  peak {peak} MB", stage.stage, stage.seconds));
    }
}

/// What was kept and removed, by source and by family, with a remark behind the numbers.
pub(crate) fn say_dedup(report: &Report, counts: &DedupCounts, remark: &str) {
    say(format_args!(
        "{}: {} kept, {} removed ({} exact, {} near){remark}",
        counted(counts.documents, "document"),
        thousands(counts.kept),
        thousands(counts.removed()),
        thousands(counts.removed_exact),
        thousands(counts.removed_near),
    ));
    for (count, what) in [
        (counts.empty, ["document", "without tokens"]),
        (counts.bad_records, ["bad record", "left out"]),
        (report.passed_over.hidden, ["hidden file", "not read"]),
        (report.passed_over.links, ["symbolic link", "not followed"]),
    ] {
        if count > 0 {
            say(format_args!("{} {}", counted(count, what[0]), what[1]));
        }
    }
    say_sources(&counts.sources);
    say_families(counts);
}

fn say_sources(sources: &[SourceCounts]) {
    say(format_args!("\n{:>12} {:>12} {:>12}  source", "documents", "kept", "removed"));
    for source in sources.iter().take(MAX_SOURCES) {
        let [documents, kept, removed] = [source.documents, source.kept, source.removed].map(thousands);
        say(format_args!("{documents:>12} {kept:>12} {removed:>12}  {}", source.source));
    }
    if sources.len() > MAX_SOURCES {
        say(format_args!("... and {} more: see --summary", sources.len() - MAX_SOURCES));
    }
    for source in sources.iter().filter(|source| source.loses_most()).take(MAX_SOURCES) {
        say(format_args!("note: {} loses more than half of its documents", source.source));
    }
}

fn say_families(counts: &DedupCounts) {
    if counts.largest_families.is_empty() {
        return;
    }
    say(format_args!("\n{:>12} {:>12}  largest families, by kept document", "documents", "of input"));
    for family in &counts.largest_families {
        let share = 100.0 * family.documents as f64 / counts.documents as f64;
        say(format_args!("{:>12} {share:>10.2} %  {}", thousands(family.documents), shown(&family.kept)));
    }
    let suspicious = counts.suspicious_families().count() as u64;
    if suspicious > 0 {
        let verb = if suspicious == 1 { "makes" } else { "make" };
        let noun = if suspicious == 1 { "family" } else { "families" };
        say(format_args!("note: {suspicious} {noun} {verb} up more than 1 % of the input each"));
    }
    say("");
}
