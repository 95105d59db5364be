//! The report of a finished job: at most ten lines, and tables on request.

use super::words::{FAINT, STRONG, Voice, note, styled};
use bytesize::ByteSize;
use lookalike::details::MethodKind;
use lookalike::jobs::{
    CommonPassage, CorpusCounts, CutCounts, DedupCounts, Found, IndexCounts, RepeatedId, RepeatedIdCounts, Report,
    SearchCounts, SearchReport, SourceCounts, UnmatchedStopWords,
};
use lookalike::{
    Features, Job, Measure, Method, Rule,
    doors::{counted, shown, thousands},
    inputs::{Noted, RecordFormat},
    measures::Figure,
    methods::MethodUsed,
    texts::{ShingleOptions, ShingleSize, TokenKind, TokenUnit},
};
use std::path::PathBuf;

/// A report that was not asked for in detail fits a screen beside the command that caused it.
const MAX_LINES: usize = 10;
/// Families that such a report lists.
const MAX_FAMILIES: usize = 3;
/// Sources that a detailed report lists; all of them in a report of everything.
const MAX_SOURCES: usize = 20;

/// Says how many documents were kept and removed, with a remark behind the numbers, and how they were found.
pub(crate) fn say_dedup(report: &Report, counts: &DedupCounts, remark: &str, job: &Job, voice: Voice) {
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
        repeated_headers(report),
        spanning_rows(report),
        unmatched_stop_words(report),
        suspicious_sources(&counts.sources),
        suspicious_families(counts),
        no_pages(report, job),
        mostly_equal(counts, job),
        short_texts(report, job),
        not_looked_up(report),
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

/// The changes of an index, in a line.
pub(crate) fn added_to_index(counts: &IndexCounts) -> String {
    let IndexCounts { added, replaced, near, known, documents, bytes } = *counts;
    let added = counted(added, "document");
    let bytes = ByteSize(bytes).display().iec();
    let replaced = match replaced {
        0 => String::new(),
        count => format!(", {} of them in place of another with the same id", thousands(count)),
    };
    let near = if near > 0 { format!(", {} not: another is near", thousands(near)) } else { String::new() };
    let known = match known {
        0 => String::new(),
        count => format!(", {} not: the same content without an id is there", thousands(count)),
    };
    format!("{added} added{replaced}{near}{known}; the index has {}, {bytes}", thousands(documents))
}

/// Says the numbers of a search that removes nothing, and how they were found.
pub(crate) fn say_listed(report: &Report, numbers: impl AsRef<str>, job: &Job, voice: Voice) {
    let mut lines = vec![styled(STRONG, numbers.as_ref())];
    lines.extend(aside(report, report.corpus.empty));
    lines.extend(search_lines(report));
    if voice >= Voice::Verbose {
        lines.extend(explanation(report));
    }
    let of_texts = [no_pages(report, job), short_texts(report, job), not_looked_up(report)];
    let notes = of_texts.into_iter().chain([unused_bands(report, job), estimates(job)]);
    let of_input = no_documents(report).into_iter().chain(of_records(report));
    say_all(lines.into_iter().chain(of_input).chain(notes.flatten()), voice);
}

/// Says the numbers of answers to queries.
pub(crate) fn say_answers(
    report: &Report,
    numbers: impl AsRef<str>,
    counts: &SearchCounts,
    measure: Measure,
    voice: Voice,
) {
    let mut lines = vec![styled(STRONG, numbers.as_ref())];
    let unanswered = counts.queries - counts.answered - counts.without_elements;
    let asides =
        [(unanswered, "without an answer"), (counts.without_elements, "without tokens, to which nothing is near")];
    let asides = asides.into_iter().filter(|(count, _)| *count > 0);
    lines.extend(asides.map(|(count, what)| format!("{} {what}", counted(count, "query"))));
    lines.extend(aside(report, 0));
    if counts.expected_recall < 1.0 {
        let measured = counts.measured_recall.map(|recall| recall.to_string());
        let remark = if measured.is_some() { "" } else { ", not measured" };
        let expected = counts.expected_recall;
        lines.push(format!("method: not exact, expected recall {expected:.3} at the threshold{remark}"));
        lines.extend(measured);
    }
    if voice >= Voice::Verbose {
        lines.extend(stage_lines(report));
    }
    let short = [short_queries(report, counts), short_documents(report, counts)];
    let mut short: Vec<String> = short.into_iter().flatten().collect();
    // A containment looks for short documents inside queries.
    if short.is_empty() && measure.contained().is_none() {
        short.extend(short_corpus(report));
    }
    say_all(lines.into_iter().chain(of_records(report)).chain(short), voice);
}

/// Note that short documents of a snapshot or an index are not looked for inside queries.
fn short_documents(report: &Report, counts: &SearchCounts) -> Option<String> {
    let shingle = report.shingle.filter(|_| counts.not_looked_up > 0)?;
    Some(not_looked_for(shingle, counts.not_looked_up, counts.documents))
}

/// Note that some of the documents of a snapshot or an index are not looked for inside others.
fn not_looked_for(shingle: ShingleSize, count: u64, documents: u64) -> String {
    let all = counted(documents, "document");
    let verb = if count == 1 { "has" } else { "have" };
    note(format_args!(
        "{} of {all} {verb} one shingle of {shingle}: the sets of a snapshot or an index do not tell whether a \
         text of fewer tokens stands inside others; name the documents that it was made of",
        thousands(count),
    ))
}

/// Note that queries were too short to be found by their shingles, and their fate.
fn short_queries(report: &Report, counts: &SearchCounts) -> Option<String> {
    let shingle = report.shingle?;
    let less = format_args!("fewer tokens than {shingle}").to_string();
    let have = |count: u64| format!("{} {}", counted(count, "query"), if count == 1 { "has" } else { "have" });
    let by_text = "--text looks for it in an index with --store-texts, or in the documents themselves";
    let by_words =
        "--measure containment --containment in-reference --shingle word:1 looks for their words in longer texts";
    let remedy = if counts.in_index { by_text } else { by_words };
    Some(match (counts.looked_up, counts.short, counts.of_one_shingle) {
        (0, 0, 0) => return None,
        (0, 0, count) => note(format_args!(
            "{} one shingle: a text of fewer tokens is compared as a whole, and not looked for inside longer ones; \
             {by_text}",
            have(count)
        )),
        (0, count, _) => note(format_args!("{} {less}, and can only be equal to a document; {remedy}", have(count))),
        (count, ..) => note(format_args!("{} {less}: answers are the documents that contain it whole", have(count))),
    })
}

/// Note that documents of the corpus have fewer tokens than a shingle.
fn short_corpus(report: &Report) -> Option<String> {
    let CorpusCounts { references, short_references, .. } = report.corpus;
    fewer_than_a_shingle(report, short_references, &format!("{} of the corpus", counted(references, "document")))
}

/// Says the numbers of a search for sources.
pub(crate) fn say_sources(report: &Report, numbers: impl AsRef<str>, max_documents: u32, voice: Voice) {
    let Found::Sources { counts, common, .. } = &report.found else { return };
    let mut lines = vec![styled(STRONG, numbers.as_ref())];
    lines.extend((counts.common_tokens > 0).then(|| {
        let more = counted(max_documents.into(), "document");
        let tokens = counted(counts.common_tokens, "token");
        format!("left out: {tokens} in passages of more than {more} (--common), or in what is ignored")
    }));
    lines.extend(common.iter().map(common_passage));
    lines.extend(
        (report.corpus.documents == 1 && report.corpus.references == 0)
            .then(|| note("a document without others has no sources: name those that it may have (--against REF)")),
    );
    let short = match (counts.short, counts.short_references) {
        (0, 0) => None,
        (0, count) => Some(counted(count, "reference")),
        (count, _) => Some(counted(count, "document")),
    };
    let without_passages =
        |short: String| format!("{short} shorter than --min-match, and so without passages (a smaller one finds some)");
    lines.extend(short.map(without_passages));
    say_without_search(report, lines, 0, None, voice);
}

/// A passage that too many documents have, with the place of one of them.
fn common_passage(passage: &CommonPassage) -> String {
    let CommonPassage { tokens, documents, id, line, text, .. } = passage;
    let tokens = counted(*tokens, "token");
    let documents = counted(*documents, "document");
    format!("  {tokens} in {documents}, as in {}, line {line}: {}", shown(id), shown(text))
}

/// Says what was cut, with a remark behind the numbers.
pub(crate) fn say_cut(report: &Report, counts: &CutCounts, remark: &str, shingle: ShingleSize, voice: Voice) {
    let CutCounts { documents, cut, removed, passages, tokens, cut_tokens, spared_tokens } = *counts;
    let share = 100.0 * cut_tokens as f64 / tokens.max(1) as f64;
    let numbers = format!("{}: {} cut, {} removed", counted(documents, "document"), thousands(cut), thousands(removed));
    let gone = format!(
        "{} with {} of {} ({share:.1} %)",
        counted(passages, "passage"),
        thousands(cut_tokens),
        counted(tokens, "token")
    );
    let mut lines = vec![format!("{}{remark}", styled(STRONG, numbers)), gone];
    if spared_tokens > 0 {
        let spared = counted(spared_tokens, "repeated token");
        let verb = if spared_tokens == 1 { "stays" } else { "stay" };
        lines.push(styled(FAINT, format!("{spared} {verb}, too short to be cut, as headings are (--min-cut)")));
    }
    if passages > 0 {
        lines.push(styled(
            FAINT,
            format!("runs of {shingle} that come together only by a cut stay: a second run may find some"),
        ));
    }
    say_without_search(report, lines, 0, None, voice);
}

/// Says the numbers of a job without a search.
pub(crate) fn say_numbers(report: &Report, numbers: impl AsRef<str>, voice: Voice) {
    let short = matches!(report.found, Found::Index { .. } | Found::Snapshot).then(|| shorter_than_a_shingle(report));
    say_without_search(report, vec![styled(STRONG, numbers.as_ref())], report.corpus.empty, short.flatten(), voice);
}

/// Says the lines of a job without a search, with notes about its records and stages, and one more.
fn say_without_search(report: &Report, mut lines: Vec<String>, empty: u64, more: Option<String>, voice: Voice) {
    lines.extend(aside(report, empty));
    if voice >= Voice::Verbose {
        lines.extend(stage_lines(report));
    }
    say_all(lines.into_iter().chain(no_documents(report)).chain(of_records(report)).chain(more), voice);
}

fn say_all(lines: impl IntoIterator<Item = String>, voice: Voice) {
    lines.into_iter().for_each(|line| voice.say(line));
}

/// Counts beside the answer; `None` if all are zero.
fn aside(report: &Report, empty: u64) -> Option<String> {
    let all = [
        (empty, ["document", "without tokens"]),
        (report.corpus.bad_records, ["bad record", "left out"]),
        (report.corpus.whole_pages, ["page", "without an article compared as a whole"]),
        (report.corpus.skipped_counts.hidden, ["hidden file", "not read"]),
        (report.corpus.skipped_counts.links, ["symbolic link", "not followed"]),
        (report.corpus.skipped_counts.special, ["pipe or device", "not read"]),
        (report.corpus.skipped_counts.excluded, ["entry", "left out by --exclude"]),
        (report.corpus.skipped_counts.ignored, ["entry", "left out by .gitignore files"]),
    ];
    let remarks = all.into_iter().filter(|(count, _)| *count > 0);
    let remarks: Vec<_> = remarks.map(|(count, [noun, what])| format!("{} {what}", counted(count, noun))).collect();
    (!remarks.is_empty()).then(|| remarks.join(", "))
}

/// The method and the recall.
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
    let count = thousands(sources.len() as u64);
    let removed = thousands(*removed);
    let documents = thousands(*documents);
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
    let [one, several, heads] = match &job.rule {
        Rule::Against => ["reference with near-duplicates", "references with near-duplicates", "by reference"],
        // New documents are kept ones, too, and are not among those that go.
        Rule::Beside { .. } => [
            "family of near-duplicates",
            "families of near-duplicates",
            "removed documents by reference or kept document",
        ],
        Rule::Keepers { .. } | Rule::Connected { .. } | Rule::Pairs | Rule::Clusters => {
            ["family of near-duplicates", "families of near-duplicates", "by kept document"]
        }
    };
    let noun = if *families == 1 { one } else { several };
    let listed = largest_families.len().min(most);
    let which = if (listed as u64) < *families { ", the largest" } else { "" };
    let heading = format!("{} {noun}{which}, {heads}:", thousands(*families));
    let rows = largest_families[..listed].iter().map(|family| {
        let share = 100.0 * family.documents as f64 / *documents as f64;
        format!("{:>12} {share:>8.2} %  {}", thousands(family.documents), shown(&family.kept))
    });
    std::iter::once(styled(FAINT, heading)).chain(rows).collect()
}

/// Note that the inputs are empty; an index may be made of none, and saved pairs need none.
fn no_documents(report: &Report) -> Option<String> {
    let CorpusCounts { documents, bad_records, .. } = report.corpus;
    let may_be_without = ["index create", "recluster"].contains(&report.command);
    let is_empty = documents == 0 && bad_records == 0 && !may_be_without;
    is_empty.then(|| note("the inputs are empty: they hold no document"))
}

/// Note that some of the inputs are empty.
fn empty_sources(report: &Report, sources: &[SourceCounts]) -> Option<String> {
    let mut empty = sources.iter().filter(|source| source.documents == 0);
    let first = empty.next().filter(|_| report.corpus.bad_records == 0)?;
    Some(match empty.count() as u64 {
        0 => note(format_args!("{} is empty: it holds no document", shown(&first.source))),
        others => note(format_args!("{} and {} are empty", shown(&first.source), counted(others, "other source"))),
    })
}

/// Notes about the records of any job.
fn of_records(report: &Report) -> impl Iterator<Item = String> {
    let notes = [repeated_ids(report), repeated_headers(report), spanning_rows(report), unmatched_stop_words(report)];
    notes.into_iter().flatten()
}

/// Note that stop words equal no token.
fn unmatched_stop_words(report: &Report) -> Option<String> {
    let UnmatchedStopWords { count, all, first } = report.unmatched_stop_words.as_ref()?;
    let all = counted(*all, "stop word");
    let verb = if *count == 1 { "matches" } else { "match" };
    Some(note(format_args!(
        "{} of {all} {verb} nothing, as `{}`: a stop word is one token, a word, or a character of a script without \
         spaces",
        thousands(*count),
        shown(first),
    )))
}

/// Note that headers occur again in the middle of tables.
fn repeated_headers(report: &Report) -> Option<String> {
    let Noted { count, first } = &report.corpus.tables.repeated_headers;
    let rows = counted(*count, "row");
    let verb = if *count == 1 { "repeats" } else { "repeat" };
    let first = shown(first.as_deref()?);
    Some(note(format_args!("{rows} {verb} the header of the table, the first at {first}: no record")))
}

/// Note that rows of tables have line ends in them, as they have where a quote is missing.
fn spanning_rows(report: &Report) -> Option<String> {
    let Noted { count, first } = &report.corpus.tables.spanning_rows;
    let rows = counted(*count, "row");
    let verb = if *count == 1 { "spans" } else { "span" };
    let first = shown(first.as_deref()?);
    Some(note(format_args!("{rows} of tables {verb} several lines, the first from {first} on: quotes hold line ends")))
}

/// Note that ids occur again, with their new names.
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

/// Note that most removed documents have the words of the kept one, and not its text: only signs may tell them apart.
fn mostly_equal(counts: &DedupCounts, job: &Job) -> Option<String> {
    let (tokens, unit) = match job.inputs.features(&job.features) {
        Features::Set { text, shingle } | Features::Spelled { text, shingle } => (text.tokens, shingle.size.unit),
        Features::Bits { .. } | Features::Vector | Features::Signature | Features::WholeText => return None,
    };
    let has_words = matches!(unit, TokenUnit::Word | TokenUnit::TextUnit(_)) && tokens == TokenKind::Words;
    let are_of_words = has_words && job.inputs.points().is_none();
    (are_of_words && counts.removed_equal * 2 > counts.removed()).then(|| {
        note(format_args!(
            "{} of {} are equal: the same words, but other signs, spacing or case; if signs count \
             (12 + 7, 12 - 7; C++, C#), --tokens code keeps them",
            thousands(counts.removed_equal),
            counted(counts.removed(), "removal"),
        ))
    })
}

/// Note that shingles see little of short texts: nothing of those that are shorter than one.
fn short_texts(report: &Report, job: &Job) -> Option<String> {
    let shingle = report.shingle?;
    let corpus = &report.corpus;
    let with_tokens = corpus.documents.saturating_sub(corpus.empty);
    let is_default = shingle == ShingleOptions::default().size;
    let have = |count: u64| if count == 1 { "has" } else { "have" };
    // A containment looks for short texts inside longer ones.
    let finds_short = job.measure.contained().is_some();
    if is_default && corpus.small * 2 > with_tokens {
        let small = thousands(corpus.small);
        let all = counted(with_tokens, "document");
        let verb = have(corpus.small);
        let shorter = match corpus.short {
            0 => String::new(),
            _ if finds_short => String::new(),
            count => format!(", and {} with fewer than {} can only be equal", thousands(count), shingle.tokens),
        };
        let advice = advice_for_short(job.measure);
        return Some(note(format_args!(
            "{small} of {all} {verb} fewer than 15 words: {shingle} misses most edits of them{shorter}; {advice}"
        )));
    }
    if finds_short { None } else { shorter_than_a_shingle(report) }
}

/// Note that short documents of snapshots and indexes are not looked for inside others of such, by containment.
fn not_looked_up(report: &Report) -> Option<String> {
    let CorpusCounts { documents, references, not_looked_up, .. } = report.corpus;
    let shingle = report.shingle.filter(|_| not_looked_up > 0)?;
    Some(not_looked_for(shingle, not_looked_up, documents + references))
}

/// Flags that find short texts that are nearly equal: in a list of products 0.8 removes doubles with a precision of
/// 0.94 and a recall of 0.92; 0.6 removes thousands of others.
fn advice_for_short(measure: Measure) -> String {
    match measure.figure() {
        Figure::Common => "try --shingle char:3".to_owned(),
        _ => "try --shingle char:3 -t 0.8, and look at pairs whose numbers differ (sizes, models)".to_owned(),
    }
}

/// Note that some documents have fewer tokens than a shingle, and what to do about them.
fn shorter_than_a_shingle(report: &Report) -> Option<String> {
    let CorpusCounts { documents, references, short, short_references, .. } = report.corpus;
    if short > 0 {
        fewer_than_a_shingle(report, short, &counted(documents, "document"))
    } else {
        fewer_than_a_shingle(report, short_references, &counted(references, "reference"))
    }
}

/// Note that `short` of `all` have fewer tokens than a shingle; `None` if there are no such ones.
fn fewer_than_a_shingle(report: &Report, short: u64, all: &str) -> Option<String> {
    let shingle = report.shingle.filter(|_| short > 0)?;
    let count = thousands(short);
    let verb = if short == 1 { "has" } else { "have" };
    Some(note(format_args!(
        "{count} of {all} {verb} fewer tokens than {shingle}, and can only be equal to others; a smaller --shingle \
         compares parts of them"
    )))
}

/// Note that articles were asked for, and nothing was a page.
fn no_pages(report: &Report, job: &Job) -> Option<String> {
    let is_snapshot = |path: &PathBuf| RecordFormat::of_name(path) == Some(RecordFormat::Snapshot);
    let are_read = !job.inputs.inputs.iter().all(is_snapshot);
    let is_asked = job.features.text().main_content && report.corpus.documents > 0 && are_read;
    (is_asked && report.corpus.pages == 0)
        .then(|| note("no document is an HTML page; --main-content takes texts of records for pages with --strip-html"))
}

/// Note that bands were given and the search was exact.
fn unused_bands(report: &Report, job: &Job) -> Option<String> {
    let is_given = matches!(&job.method, Method::Auto(minhash) if minhash.banding.is_some());
    let is_exact = report.found.search()?.method.is_complete();
    let is_banded = |method: &&MethodKind| !matches!(method, MethodKind::Exact | MethodKind::SimHash);
    let remedy = match job.measure.methods().iter().find(is_banded) {
        Some(method) => format!("--method {method} takes them"),
        None if job.measure.is_estimate() => "all that agree are found without".to_owned(),
        None => "they go with --measure jaccard".to_owned(),
    };
    (is_given && is_exact).then(|| note(format_args!("the search was exact, without --bands and --rows; {remedy}")))
}

/// Note that what was found are estimates.
fn estimates(job: &Job) -> Option<String> {
    job.measure
        .is_estimate()
        .then(|| note("similarities are estimated by signatures: no text was compared (--texts FILE)"))
}

/// Counts of the search, and the time of each stage.
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
    let compared = match (search.candidates, search.method) {
        (None, _) => "verified: candidates that are not connected yet".to_owned(),
        (Some(pairs), MethodUsed::AllPairs) => {
            format!("compared: {}, most of them by sketches only", counted(pairs, "pair"))
        }
        (Some(pairs), MethodUsed::AllVectors) => {
            format!("compared: {}, most of them by products of lower precision only", counted(pairs, "pair"))
        }
        (Some(candidates), _) => format!("verified: {}", counted(candidates, "candidate")),
    };
    method.into_iter().chain([compared]).collect()
}

fn stage_lines(report: &Report) -> impl Iterator<Item = String> {
    report.stages.iter().map(|stage| {
        let peak = stage.peak_bytes.map_or(0, |bytes| bytes / 1_000_000);
        format!("{:<16} {:>8.3} s, memory at most {peak} MB", stage.stage, stage.seconds)
    })
}
