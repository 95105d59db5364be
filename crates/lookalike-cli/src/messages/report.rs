//! What is said of a finished job: at most ten lines, and tables on request.

use super::words::{FAINT, STRONG, Voice, note, styled};
use bytesize::ByteSize;
use lookalike::jobs::{
    CorpusCounts, CutCounts, DedupCounts, IndexCounts, PassageCounts, RepeatedId, RepeatedIdCounts, Report,
    SearchCounts, SearchReport, SourceCounts,
};
use lookalike::{
    Features, Job, Measure, Method, MethodUsed, RecordFormat, ShingleOptions, ShingleSize, counted, shown, thousands,
};
use std::path::PathBuf;

/// A report that was not asked for in detail fits a screen beside the command that caused it.
const MAX_LINES: usize = 10;
/// Families that such a report lists.
const MAX_FAMILIES: usize = 3;
/// Sources that a detailed report lists; all of them in a report of everything.
const MAX_SOURCES: usize = 20;

/// What was kept and removed, with a remark behind the numbers, and how it was found.
pub(crate) fn say_dedup(report: &Report, counts: &DedupCounts, remark: &str, (job, voice): (&Job, Voice)) {
    let numbers = format!(
        "{}: {} kept, {} removed",
        counted(counts.documents, "document"),
        thousands(counts.kept),
        thousands(counts.removed())
    );
    let [identical, equal, near] = [counts.removed_identical, counts.removed_equal, counts.removed_near].map(thousands);
    let reasons = format!("({identical} identical, {equal} equal, {near} near)");
    let mut lines = vec![format!("{} {reasons}{remark}", styled(STRONG, numbers))];
    lines.extend(aside(report, counts.empty));
    lines.extend(search_lines(report));
    let notes = [
        no_documents(report).or_else(|| empty_sources(report, &counts.sources)),
        repeated_ids(report),
        suspicious_sources(&counts.sources),
        suspicious_families(counts),
        no_pages(report, job),
        short_texts(report, job),
        unused_bands(report, job),
    ];
    let notes: Vec<_> = notes.into_iter().flatten().collect();
    if voice >= Voice::Verbose {
        lines.extend(source_table(&counts.sources, voice));
        lines.extend(family_table(counts, job, usize::MAX));
        lines.extend(explanation(report));
    } else {
        lines.extend(worst_source(&counts.sources));
        let left = MAX_LINES.saturating_sub(lines.len() + notes.len() + 1);
        lines.extend(family_table(counts, job, left.min(MAX_FAMILIES)));
    }
    say_all(lines.into_iter().chain(notes), voice);
}

/// What was put into an index, in a line.
pub(crate) fn added_to_index(counts: &IndexCounts) -> String {
    let IndexCounts { added, replaced, near, documents, bytes } = *counts;
    let (added, bytes) = (counted(added, "document"), ByteSize(bytes).display().iec());
    let replaced = match replaced {
        0 => String::new(),
        count => format!(", {} of them in place of another with the same id", thousands(count)),
    };
    let near = if near > 0 { format!(", {} not: another is near", thousands(near)) } else { String::new() };
    format!("{added} added{replaced}{near}; the index has {}, {bytes}", thousands(documents))
}

/// The numbers of a search that removes nothing, in a line, and how they were found.
pub(crate) fn say_listed(report: &Report, numbers: impl AsRef<str>, (job, voice): (&Job, Voice)) {
    let mut lines = vec![styled(STRONG, numbers.as_ref())];
    lines.extend(aside(report, report.corpus.empty));
    lines.extend(search_lines(report));
    if voice >= Voice::Verbose {
        lines.extend(explanation(report));
    }
    let of_input = [no_documents(report), repeated_ids(report), no_pages(report, job), short_texts(report, job)];
    let notes = of_input.into_iter().chain([unused_bands(report, job), estimates(job)]);
    say_all(lines.into_iter().chain(notes.flatten()), voice);
}

/// What a search has found.
pub(crate) fn say_answers(report: &Report, numbers: impl AsRef<str>, counts: &SearchCounts, voice: Voice) {
    let mut lines = vec![styled(STRONG, numbers.as_ref())];
    let unanswered = counts.queries - counts.answered - counts.without_elements;
    let asides =
        [(unanswered, "without an answer"), (counts.without_elements, "without tokens, to which nothing is near")];
    let asides = asides.into_iter().filter(|(count, _)| *count > 0);
    lines.extend(asides.map(|(count, what)| format!("{} {what}", counted(count, "query"))));
    let bad_records = report.corpus.bad_records;
    lines.extend((bad_records > 0).then(|| format!("{} left out", counted(bad_records, "bad record"))));
    if counts.expected_recall < 1.0 {
        lines.push(format!("method: not exact, expected recall {:.3} at the threshold", counts.expected_recall));
        lines.extend(counts.measured_recall.map(|recall| recall.to_string()));
    }
    if voice >= Voice::Verbose {
        lines.extend(stage_lines(report));
    }
    let notes = [repeated_ids(report), short_queries(counts)];
    say_all(lines.into_iter().chain(notes.into_iter().flatten()), voice);
}

/// That queries may be too short to be found inside others.
fn short_queries(counts: &SearchCounts) -> Option<String> {
    (counts.of_one_shingle > 0).then(|| {
        note(format_args!(
            "{} {} one shingle: a text of fewer tokens is compared as a whole, and not looked for inside longer ones; \
             a smaller --shingle finds it",
            counted(counts.of_one_shingle, "query"),
            if counts.of_one_shingle == 1 { "has" } else { "have" },
        ))
    })
}

/// What a search for sources has found.
pub(crate) fn say_sources(
    report: &Report,
    numbers: impl AsRef<str>,
    (counts, max_documents): (&PassageCounts, u32),
    voice: Voice,
) {
    let mut lines = vec![styled(STRONG, numbers.as_ref())];
    lines.extend((counts.common_tokens > 0).then(|| {
        let more = counted(max_documents.into(), "document");
        let tokens = counted(counts.common_tokens, "token");
        format!("left out: {tokens} in passages of more than {more} (--common), or in what is ignored")
    }));
    lines.extend(
        (report.corpus.documents == 1 && report.corpus.references == 0)
            .then(|| note("a document without others has no sources: name those that it may have (--against REF)")),
    );
    lines.extend(
        (counts.short > 0).then(|| {
            format!("{} shorter than --min-match, and so without passages", counted(counts.short, "document"))
        }),
    );
    say_with_records(report, lines, voice);
}

/// What was cut, with a remark behind the numbers.
pub(crate) fn say_cut(report: &Report, counts: &CutCounts, (remark, shingle): (&str, ShingleSize), voice: Voice) {
    let CutCounts { documents, cut, removed, passages, tokens, cut_tokens } = *counts;
    let share = 100.0 * cut_tokens as f64 / tokens.max(1) as f64;
    let numbers = format!("{}: {} cut, {} removed", counted(documents, "document"), thousands(cut), thousands(removed));
    let gone = format!(
        "{} with {} of {} ({share:.1} %)",
        counted(passages, "passage"),
        thousands(cut_tokens),
        counted(tokens, "token")
    );
    let mut lines = vec![format!("{}{remark}", styled(STRONG, numbers)), gone];
    if passages > 0 {
        lines.push(styled(
            FAINT,
            format!("runs of {shingle} that come together only by a cut stay: a second run may find some"),
        ));
    }
    say_with_records(report, lines, voice);
}

/// The lines of a job over passages, with what is said of its records and stages.
fn say_with_records(report: &Report, mut lines: Vec<String>, voice: Voice) {
    let bad_records = report.corpus.bad_records;
    lines.extend((bad_records > 0).then(|| format!("{} left out", counted(bad_records, "bad record"))));
    if voice >= Voice::Verbose {
        lines.extend(stage_lines(report));
    }
    say_all(lines.into_iter().chain(no_documents(report)).chain(repeated_ids(report)), voice);
}

/// The numbers of a job without a search, in a line.
pub(crate) fn say_numbers(report: &Report, numbers: impl AsRef<str>, voice: Voice) {
    let mut lines = vec![styled(STRONG, numbers.as_ref())];
    lines.extend(aside(report, report.corpus.empty));
    if voice >= Voice::Verbose {
        lines.extend(stage_lines(report));
    }
    say_all(lines.into_iter().chain(no_documents(report)).chain(repeated_ids(report)), voice);
}

fn say_all(lines: impl IntoIterator<Item = String>, voice: Voice) {
    lines.into_iter().for_each(|line| voice.say(line));
}

/// What is counted beside the answer; `None` if there is nothing.
fn aside(report: &Report, empty: u64) -> Option<String> {
    let all = [
        (empty, ["document", "without tokens"]),
        (report.corpus.bad_records, ["bad record", "left out"]),
        (report.corpus.whole_pages, ["page", "without an article compared as a whole"]),
        (report.corpus.passed_over.hidden, ["hidden file", "not read"]),
        (report.corpus.passed_over.links, ["symbolic link", "not followed"]),
    ];
    let said = all.into_iter().filter(|(count, _)| *count > 0);
    let said: Vec<_> = said.map(|(count, [noun, what])| format!("{} {what}", counted(count, noun))).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// How candidates were found, and with which recall.
fn search_lines(report: &Report) -> Vec<String> {
    let Some(search) = report.found.search() else { return Vec::new() };
    let refused = search.refused.map(|count| format!("; check of texts: {} refused", counted(count, "answer")));
    let method = format!("method: {}{}", search.method, refused.unwrap_or_default());
    std::iter::once(method).chain(search.recall.map(|recall| recall.to_string())).collect()
}

/// The source that loses the most, if there are several.
fn worst_source(sources: &[SourceCounts]) -> Option<String> {
    let SourceCounts { source, documents, removed, .. } = sources.iter().rev().max_by_key(|source| source.removed)?;
    if sources.len() == 1 || *removed == 0 {
        return None;
    }
    let (count, removed, documents) = (thousands(sources.len() as u64), thousands(*removed), thousands(*documents));
    Some(format!("{count} sources: {} loses the most, {removed} of {documents} (-v: all)", shown(source)))
}

fn source_table(sources: &[SourceCounts], voice: Voice) -> Vec<String> {
    let most = if voice == Voice::Everything { sources.len() } else { MAX_SOURCES };
    let mut lines = vec![styled(FAINT, format_args!("{:>12} {:>12} {:>12}  source", "documents", "kept", "removed"))];
    lines.extend(sources.iter().take(most).map(|source| {
        let [documents, kept, removed] = [source.documents, source.kept, source.removed].map(thousands);
        format!("{documents:>12} {kept:>12} {removed:>12}  {}", shown(&source.source))
    }));
    if sources.len() > most {
        lines.push(format!("... and {} (-vv: all)", counted((sources.len() - most) as u64, "more source")));
    }
    lines
}

/// The `most` largest families, below a line that counts all families.
fn family_table(counts: &DedupCounts, job: &Job, most: usize) -> Vec<String> {
    let DedupCounts { families, largest_families, documents, .. } = counts;
    if *families == 0 {
        return Vec::new();
    }
    let (noun, heads) = match (job.inputs.against.is_empty(), *families) {
        (true, 1) => ("family of near-duplicates", "by kept document"),
        (true, _) => ("families of near-duplicates", "by kept document"),
        (false, 1) => ("reference with near-duplicates", "by reference"),
        (false, _) => ("references with near-duplicates", "by reference"),
    };
    let listed = largest_families.len().min(most);
    let which = if (listed as u64) < *families { ", the largest" } else { "" };
    let heading = format!("{} {noun}{which}, {heads}:", thousands(*families));
    let rows = largest_families[..listed].iter().map(|family| {
        let share = 100.0 * family.documents as f64 / *documents as f64;
        format!("{:>12} {share:>8.2} %  {}", thousands(family.documents), shown(&family.kept))
    });
    std::iter::once(styled(FAINT, heading)).chain(rows).collect()
}

/// That the inputs are empty; an index may be made of none, and saved pairs need none.
fn no_documents(report: &Report) -> Option<String> {
    let CorpusCounts { documents, bad_records, .. } = report.corpus;
    let may_be_without = ["index create", "recluster"].contains(&report.command);
    let is_empty = documents == 0 && bad_records == 0 && !may_be_without;
    is_empty.then(|| note("the inputs are empty: they hold no document"))
}

/// That some of the inputs are empty.
fn empty_sources(report: &Report, sources: &[SourceCounts]) -> Option<String> {
    let mut empty = sources.iter().filter(|source| source.documents == 0);
    let first = empty.next().filter(|_| report.corpus.bad_records == 0)?;
    Some(match empty.count() as u64 {
        0 => note(format_args!("{} is empty: it holds no document", shown(&first.source))),
        others => note(format_args!("{} and {} are empty", shown(&first.source), counted(others, "other source"))),
    })
}

/// That ids occur again, and what becomes of them.
fn repeated_ids(report: &Report) -> Option<String> {
    let RepeatedIdCounts { count, first } = &report.corpus.repeated_ids;
    let RepeatedId { id, first, again, qualified } = first.as_ref()?;
    let ids =
        if *count == 1 { "1 id occurs again".to_owned() } else { format!("{} ids occur again", thousands(*count)) };
    Some(note(format_args!(
        "{ids}; the first, {} of {first}, is called {} at {again} (--unique-ids refuses this)",
        shown(id),
        shown(qualified),
    )))
}

fn suspicious_sources(sources: &[SourceCounts]) -> Option<String> {
    let mut suspicious = sources.iter().filter(|source| source.loses_most());
    let first = shown(&suspicious.next()?.source).to_string();
    Some(match suspicious.count() {
        0 => note(format_args!("{first} loses more than half of its documents")),
        others => note(format_args!(
            "{first} and {} lose more than half of their documents",
            counted(others as u64, "other source")
        )),
    })
}

fn suspicious_families(counts: &DedupCounts) -> Option<String> {
    let suspicious = counts.suspicious_families().count() as u64;
    let (noun, verb) = if suspicious == 1 { ("family", "makes") } else { ("families", "make") };
    (suspicious > 0).then(|| note(format_args!("{suspicious} {noun} {verb} up more than 1 % of the input each")))
}

/// That shingles of five words see little of short texts, where most are short and nothing else was asked for.
fn short_texts(report: &Report, job: &Job) -> Option<String> {
    let shingle = match &job.features {
        Features::Set { shingle, .. } | Features::Spelled { shingle, .. } => shingle,
        Features::Bits { .. } | Features::Vector | Features::Signature | Features::WholeText => return None,
    };
    let with_tokens = report.corpus.documents.saturating_sub(report.corpus.empty);
    // The features of the job follow from its inputs where these are no texts.
    let are_texts = !job.inputs.features(&job.features).are_of_items() && job.inputs.points().is_none();
    let is_default = are_texts && shingle.size == ShingleOptions::default().size;
    let threshold = if matches!(job.measure, Measure::Overlap(_)) { "" } else { " -t 0.6" };
    (is_default && report.corpus.small * 2 > with_tokens).then(|| {
        note(format_args!(
            "{} of {} {} fewer than 15 words: {} misses most edits of them; try --shingle char:3{threshold}",
            thousands(report.corpus.small),
            counted(with_tokens, "document"),
            if report.corpus.small == 1 { "has" } else { "have" },
            shingle.size
        ))
    })
}

/// That articles were asked for, and nothing was a page.
fn no_pages(report: &Report, job: &Job) -> Option<String> {
    let is_snapshot = |path: &PathBuf| RecordFormat::of_name(path) == Some(RecordFormat::Snapshot);
    let are_read = !job.inputs.inputs.iter().all(is_snapshot);
    let is_asked = job.features.text().main_content && report.corpus.documents > 0 && are_read;
    (is_asked && report.corpus.pages == 0)
        .then(|| note("no document is an HTML page; --main-content takes texts of records for pages with --strip-html"))
}

/// That bands were given and the search was exact.
fn unused_bands(report: &Report, job: &Job) -> Option<String> {
    let is_given = matches!(&job.method, Method::Auto(minhash) if minhash.banding.is_some());
    let is_exact = report.found.search()?.method.is_complete();
    let remedy = match job.measure {
        Measure::Jaccard(_) => "--method minhash takes them",
        Measure::Hamming(_) => "--method bit-sampling takes them",
        Measure::VectorCosine(_) => "--method hyperplanes takes them",
        Measure::Euclidean(_) => "--method p-stable takes them",
        Measure::Signature(_) => "all that agree are found without",
        Measure::Containment(_) | Measure::Overlap(_) | Measure::Cosine(_) => "they go with --measure jaccard",
    };
    (is_given && is_exact).then(|| note(format_args!("the search was exact, without --bands and --rows; {remedy}")))
}

/// That what was found are estimates.
fn estimates(job: &Job) -> Option<String> {
    job.measure
        .is_estimate()
        .then(|| note("similarities are estimated by signatures: no text was compared (--texts FILE)"))
}

/// What the search met, and how long each stage took.
fn explanation(report: &Report) -> Vec<String> {
    let CorpusCounts { documents, references, tokens, .. } = report.corpus;
    let compared = if references == 0 { String::new() } else { format!(" and {}", counted(references, "reference")) };
    let mut lines =
        vec![format!("read: {}{compared} with {}", counted(documents, "document"), counted(tokens, "token"))];
    lines.extend(report.found.search().into_iter().flat_map(search_details));
    lines.extend(stage_lines(report));
    lines
}

fn search_details(search: &SearchReport) -> Vec<String> {
    let method = match search.method {
        MethodUsed::Exact { postings } | MethodUsed::Tables { postings: Some(postings), .. } => Some(format!(
            "predicted: blocking keys of all documents meet {}, before the filters",
            counted(postings, "time")
        )),
        MethodUsed::MinHash { exact_postings: Some(postings), .. } => {
            Some(format!("exact was turned down: its blocking keys would meet {}", counted(postings, "time")))
        }
        MethodUsed::AllPairs => {
            Some("predicted: blocking keys would meet more than twice for each pair of documents".to_owned())
        }
        MethodUsed::MinHash { .. }
        | MethodUsed::SimHash { .. }
        | MethodUsed::BitSampling { .. }
        | MethodUsed::Fingerprint(_)
        | MethodUsed::AllVectors
        | MethodUsed::Projections(_)
        | MethodUsed::Tables { postings: None, .. } => None,
    };
    let pairs = || counted(search.candidates, "pair");
    let compared = match search.method {
        MethodUsed::AllPairs => format!("compared: {}, most of them by sketches only", pairs()),
        MethodUsed::AllVectors => format!("compared: {}, most of them by products of lower precision only", pairs()),
        _ => format!("verified: {}", counted(search.candidates, "candidate")),
    };
    method.into_iter().chain([compared]).collect()
}

fn stage_lines(report: &Report) -> impl Iterator<Item = String> {
    report.stages.iter().map(|stage| {
        let peak = stage.peak_bytes.map_or(0, |bytes| bytes / 1_000_000);
        format!("{:<16} {:>8.3} s, memory at most {peak} MB", stage.stage, stage.seconds)
    })
}
