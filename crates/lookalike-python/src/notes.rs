//! What a finished job warns of, in the words of Python.

use lookalike::jobs::{Found, Report};
use lookalike::{Features, Job, ShingleOptions, counted, thousands};

/// That texts are too short for the shingles of the job, or for its passages; `None` where they are not.
pub(crate) fn short_texts(report: &Report, job: &Job) -> Option<String> {
    match &report.found {
        Found::Sources { counts, .. } => (counts.short > 0).then(|| {
            let documents = counted(counts.short, "document");
            format!("{documents} shorter than `min_match`, and so without passages")
        }),
        Found::Search { counts, .. } => (counts.of_one_shingle > 0).then(|| {
            let queries = counted(counts.of_one_shingle, "query");
            let verb = if counts.of_one_shingle == 1 { "has" } else { "have" };
            format!(
                "{queries} {verb} one shingle: a text of fewer tokens is compared as a whole, and not looked for \
                 inside longer ones; a smaller `shingle` finds it"
            )
        }),
        _ => short_documents(report, job),
    }
}

/// That shingles of five words see little of short texts, where most are short and nothing else was asked for.
fn short_documents(report: &Report, job: &Job) -> Option<String> {
    let (Features::Set { shingle, .. } | Features::Spelled { shingle, .. }) = &job.features else { return None };
    // The features of the job follow from its inputs where these are no texts.
    let are_texts = !job.inputs.features(&job.features).are_of_items() && job.inputs.points().is_none();
    let is_default = are_texts && shingle.size == ShingleOptions::default().size;
    let (small, with_tokens) = (report.corpus.small, report.corpus.documents.saturating_sub(report.corpus.empty));
    (is_default && small * 2 > with_tokens).then(|| {
        let documents = counted(with_tokens, "document");
        let verb = if small == 1 { "has" } else { "have" };
        format!(
            "{} of {documents} {verb} fewer than 15 words: shingle=\"{}\" misses most edits of them; \
             shingle=\"char:3\" sees more",
            thousands(small),
            shingle.size,
        )
    })
}
