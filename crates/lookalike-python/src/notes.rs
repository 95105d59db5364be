//! Warnings of a finished job, in the words of Python.

use lookalike::jobs::{Found, Report, UnmatchedStopWords};
use lookalike::{
    Job,
    doors::{counted, shown, thousands},
    texts::ShingleOptions,
};

/// Warnings of a job that reads texts.
pub(crate) fn of_texts(report: &Report, job: &Job) -> impl Iterator<Item = String> {
    short_texts(report, job).into_iter().chain(unmatched_stop_words(report))
}

/// Note that stop words equal no token; `None` if each equals one.
pub(crate) fn unmatched_stop_words(report: &Report) -> Option<String> {
    let UnmatchedStopWords { count, all, first } = report.unmatched_stop_words.as_ref()?;
    let all = counted(*all, "stop word");
    let verb = if *count == 1 { "matches" } else { "match" };
    Some(format!(
        "{} of {all} {verb} nothing, as `{}`: a stop word is one token, a word, or a character of a script without \
         spaces",
        thousands(*count),
        shown(first),
    ))
}

/// Note that texts are too short for the shingles of the job, or for its passages; `None` where they are not.
fn short_texts(report: &Report, job: &Job) -> Option<String> {
    match &report.found {
        Found::Sources { counts, .. } => {
            let short = match (counts.short, counts.short_references) {
                (0, 0) => return None,
                (0, count) => counted(count, "reference"),
                (count, _) => counted(count, "document"),
            };
            Some(format!("{short} shorter than `min_match`, and so without passages"))
        }
        Found::Search { counts, .. } if counts.of_one_shingle > 0 => {
            let queries = counted(counts.of_one_shingle, "query");
            let verb = if counts.of_one_shingle == 1 { "has" } else { "have" };
            Some(format!(
                "{queries} {verb} one shingle: a text of fewer tokens is compared as a whole, and not looked for \
                 inside longer ones; a search of the documents themselves finds it"
            ))
        }
        Found::Search { counts, .. } if counts.not_looked_up > 0 => Some(not_looked_for(counts.not_looked_up)),
        // A containment looks for short documents inside queries.
        Found::Search { .. } if job.measure.contained().is_some() => None,
        Found::Search { .. } => {
            let all = format!("{} of the corpus", counted(report.corpus.references, "document"));
            fewer_than_a_shingle(report, report.corpus.short_references, &all)
        }
        _ => short_documents(report, job),
    }
}

/// Note that shingles see little of short texts: of five words, where most have fewer than fifteen; of any size, where
/// some have fewer tokens.
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
    if job.measure.contained().is_some() {
        return None;
    }
    if corpus.short > 0 {
        fewer_than_a_shingle(report, corpus.short, &counted(corpus.documents, "document"))
    } else {
        fewer_than_a_shingle(report, corpus.short_references, &counted(corpus.references, "reference"))
    }
}

/// Note that `short` of `all` have fewer tokens than a shingle; `None` if there are no such ones.
fn fewer_than_a_shingle(report: &Report, short: u64, all: &str) -> Option<String> {
    let shingle = report.shingle.filter(|_| short > 0)?;
    let verb = if short == 1 { "has" } else { "have" };
    Some(format!(
        "{} of {all} {verb} fewer tokens than shingle=\"{shingle}\", and can only be equal to others; a smaller \
         `shingle` compares parts of them",
        thousands(short),
    ))
}

/// Note that documents of a snapshot or an index are not looked for inside others.
fn not_looked_for(count: u64) -> String {
    let documents = counted(count, "document");
    let verb = if count == 1 { "has" } else { "have" };
    format!(
        "{documents} {verb} one shingle: the sets of a snapshot or an index do not tell whether one with fewer tokens \
         stands inside others; name the documents that it was made of"
    )
}
