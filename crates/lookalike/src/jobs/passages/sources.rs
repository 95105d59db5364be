//! The sources of documents: which others have passages of them.

use super::{check_features, check_references, check_texts};
use crate::base::{OutputKind, Progress, Result, Stage};
use crate::corpus::{Listing, Records};
use crate::job::{Data, Job};
use crate::jobs::running::{JobCommand, Running};
use crate::pages::{AttributedAs, RequestedTexts, SourcesOf, SourcesSample, sealed_page, shown_id};
use crate::passages::{Attributing, CommonPlace, attribute};
use crate::report::{CommonPassage, CorpusCounts, Found, PassageCounts, Report};
use crate::run::Session;
use crate::write::{RowDestination, add_passages};
use lookalike_core::comparison::Features;
use lookalike_core::rule::Rule;
use lookalike_core::sets::{ShingleOptions, ShingleSize};
use lookalike_core::text::TokenUnit;
use lookalike_core::{Resources, counted};
use lookalike_io::{outputs::Sealed, rows::SourceRow, sources::Discovered};
use std::cmp::Reverse;
use std::path::PathBuf;

/// Passages that too many documents have and that are named.
const NAMED: usize = 3;
/// Characters of each.
const CHARACTERS: usize = 60;

/// A search for passages.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceSearch {
    /// The documents are its inputs, the sources its references, or without any the other inputs. An input that is also
    /// a reference is a source of the others, and never of itself. Shingles of its
    /// features are the shortest passages; measure and method are not looked at.
    pub job: Job,
    /// Tokens between two passages that are shown as one, and not counted.
    pub gap: usize,
    /// Maximum number of documents that have a passage.
    pub max_documents: u32,
    /// Documents with what is no passage: templates, quotations.
    pub ignore: Vec<PathBuf>,
}

impl SourceSearch {
    /// The shortest passage, if nothing else is said: five words, which people who rewrite a text leave standing. Those
    /// who look for what is verbatim take twelve. Both are measured in `bench/results/passages.md`.
    pub const MIN_MATCH: ShingleSize = ShingleSize { unit: TokenUnit::Word, tokens: 5 };
    /// Tokens between two passages that are shown as one, if nothing else is said.
    pub const GAP: usize = 3;
    /// Documents in which a passage may stand, if nothing else is said.
    pub const MAX_DOCUMENTS: u32 = 10;
}

impl Default for SourceSearch {
    fn default() -> Self {
        let shingle = ShingleOptions { size: Self::MIN_MATCH, ..ShingleOptions::default() };
        let job = Job { features: Features::shingles(shingle), ..Job::default() };
        Self { job, gap: Self::GAP, max_documents: Self::MAX_DOCUMENTS, ignore: Vec::new() }
    }
}

/// Finds the sources of each input, and the passages that they share.
///
/// # Errors
/// As [`crate::jobs::run()`]; if an input has no texts.
pub fn sources(search: &SourceSearch, data: &Data, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let rule =
        if search.job.inputs.against.is_empty() && data.references.is_none() { Rule::Pairs } else { Rule::Against };
    let job = Job { rule, ..search.job.clone() };
    check_features(&job)?;
    let writes = &[OutputKind::Rows, OutputKind::Summary, OutputKind::Report];
    let mut stages = vec![Stage::READING, Stage::READING_PASSAGES];
    stages.extend((!search.ignore.is_empty()).then_some(Stage::READING_IGNORED));
    stages.push(Stage::LOOKING_FOR_PASSAGES);
    let command = JobCommand { name: "sources", writes, stages };
    let running = Running::begin_with(command, (&job, data), resources, progress)?;
    let job = &running.job;
    let session = &running.session;
    let rows = running.rows_or_report();
    let mut output = RowDestination::create(rows, &job.outputs, &SourceRow::header(), &session.staging())?;
    let ignored = session.discover(&search.ignore, &job.inputs)?;
    let mut found = running.with_any_references(running.discover()?)?;
    let shared = found.inputs.take_shared(&mut found.references);
    check_references(&found.references.sources, &job.features)?;
    check_texts(found.inputs.sources.iter().chain(&ignored.sources))?;
    let (listing, records) = running.read_ids(&found.references, &found.inputs)?;
    let has_ignored = !ignored.sources.is_empty();
    let ignored = has_ignored.then(|| running.read_ids(&Discovered::nothing(), &ignored)).transpose()?;
    let attributing = Attributing {
        listing: &listing,
        records: &records,
        inputs: &job.inputs,
        features: &job.features,
        shared: &shared,
        ignored: ignored.as_ref().map(|(listing, records)| (listing, records)),
        max_documents: search.max_documents,
        gap: search.gap,
    };
    let mut counts = PassageCounts::default();
    let mut sample = job.outputs.report.as_ref().map(|_| SourcesSample::default());
    let attributed = attribute(&attributing, session, |found| {
        counts.add(&found, job.features.shingle().size.tokens);
        add_passages(&mut output, &found, |document| listing.ids.get(document))?;
        if let Some(sample) = &mut sample {
            sample.offer(found);
        }
        Ok(())
    })?;
    counts.short_references = attributed.short_references;
    let common = common_passages(&attributed.common, job, &listing, &records, session)?;
    let (file, listed) = output.finish()?;
    let mut written: Vec<Sealed> = file.into_iter().collect();
    if let Some((file, sample)) = running.report_file()?.zip(sample) {
        let of = SourcesOf {
            job,
            listing: &listing,
            records: &records,
            shown_as: AttributedAs::Sources,
            about: about(search, &counts, &common),
            basis: &running.basis(None)?,
        };
        written.push(sealed_page(file, &sample.page(&of, session)?)?);
    }
    let found = Found::Sources { counts, common, listed };
    running.finish(written, found, CorpusCounts::of_listed(&listing, &records))
}

/// The longest of these passages, each once, with their beginnings, which are read once more.
fn common_passages(
    found: &[CommonPlace],
    job: &Job,
    listing: &Listing,
    records: &Records,
    session: &Session<'_>,
) -> Result<Vec<CommonPassage>> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let mut longest = found.to_vec();
    longest.sort_by_key(|place| Reverse(place.tokens));
    let mut wanted = RequestedTexts::default();
    longest.iter().for_each(|place| wanted.add_part(place.document, place.here.bytes()));
    session.stages.next_is_part();
    let texts = wanted.read(job, records, 0, session)?;
    let mut named: Vec<CommonPassage> = Vec::new();
    for place in longest {
        let passage = CommonPassage {
            tokens: place.tokens as u64,
            documents: place.documents.into(),
            id: shown_id(listing.ids.get(place.document)),
            line: place.here.line,
            end_line: place.here.end_line,
            text: beginning(&texts.part(place.document, place.here.bytes())),
        };
        // Several groups of inputs may have found it.
        let is_known = |known: &CommonPassage| (known.tokens, &known.text) == (passage.tokens, &passage.text);
        if named.len() < NAMED && !named.iter().any(is_known) {
            named.push(passage);
        }
    }
    Ok(named)
}

/// The first words of a passage, on one line.
fn beginning(passage: &str) -> String {
    let line = passage.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(CHARACTERS) {
        None => line,
        Some((end, _)) => format!("{} ...", line[..end].trim_end()),
    }
}

/// The question, and what was left out, in sentences.
fn about(search: &SourceSearch, counts: &PassageCounts, common: &[CommonPassage]) -> Vec<String> {
    let size = search.job.features.shingle().size;
    let more = counted(search.max_documents.into(), "document");
    let mut sentences = vec![format!(
        "A passage is a run of at least {} tokens ({size}) that stands in both documents; none is missed. Shares count \
         each token once.",
        size.tokens
    )];
    if counts.common_tokens > 0 {
        sentences.push(format!(
            "Left out: {} in passages of more than {more}, or in what is ignored.",
            counted(counts.common_tokens, "token")
        ));
    }
    sentences.extend(common.iter().map(|passage| {
        let tokens = counted(passage.tokens, "token");
        let documents = counted(passage.documents, "document");
        format!("{tokens} in {documents}, as in {}, line {}: {}", passage.id, passage.line, passage.text)
    }));
    sentences
}
