//! What a finished job warns of, in the words of Python.

use lookalike::jobs::{Found, Report};
use lookalike::{Job, ShingleOptions, counted, thousands};

/// That texts are too short for the shingles of the job, or for its passages; `None` where they are not.
pub(crate) fn short_texts(report: &Report, job: &Job) -> Option<String> {
    match &report.found {
        Found::Sources { counts, .. } => (counts.short > 0).then(|| {
            let documents = counted(counts.short, "document");
            format!("{documents} shorter than `min_match`, and so without passages")
        }),
        Found::Search { counts, .. } if counts.of_one_shingle == 0 => {
            (counts.not_looked_up > 0).then(|| not_looked_for(counts.not_looked_up))
        }
        Found::Search { counts, .. } => {
            let queries = counted(counts.of_one_shingle, "query");
            let verb = if counts.of_one_shingle == 1 { "has" } else { "have" };
            Some(format!(
                "{queries} {verb} one shingle: a text of fewer tokens is compared as a whole, and not looked for \
                 inside longer ones; a smaller `shingle` finds it"
            ))
        }
        _ => short_documents(report, job),
    }
}

/// That shingles see little of short texts: of five words, where most have fewer than fifteen; of any size, where some
/// have fewer tokens.
fn short_documents(report: &Report, job: &Job) -> Option<String> {
    let shingle = report.shingle?;
    let corpus = &report.corpus;
    if corpus.not_looked_up > 0 {
        return Some(not_looked_for(corpus.not_looked_up));
    }
    let have = |count: u64| if count == 1 { "has" } else { "have" };
    let with_tokens = corpus.documents.saturating_sub(corpus.empty);
    if shingle == ShingleOptions::default().size && corpus.small * 2 > with_tokens {
        return Some(format!(
            "{} of {} {} fewer than 15 words: shingle=\"{shingle}\" misses most edits of them; shingle=\"char:3\" with \
             threshold=0.8 sees more (look at pairs whose numbers differ)",
            thousands(corpus.small),
            counted(with_tokens, "document"),
            have(corpus.small),
        ));
    }
    // A containment looks for short texts inside longer ones.
    let is_compared_whole = corpus.short > 0 && job.measure.contained().is_none();
    is_compared_whole.then(|| {
        format!(
            "{} of {} {} fewer tokens than shingle=\"{shingle}\", and can only be equal to others; a smaller `shingle` \
             compares parts of them",
            thousands(corpus.short),
            counted(corpus.documents, "document"),
            have(corpus.short),
        )
    })
}

/// That documents of a snapshot or an index are not looked for inside others.
fn not_looked_for(count: u64) -> String {
    let (documents, verb) = (counted(count, "document"), if count == 1 { "has" } else { "have" });
    format!(
        "{documents} {verb} one shingle: a snapshot or an index keeps no texts, so one with fewer tokens is not looked \
         for inside others; name the documents that it was made of"
    )
}
