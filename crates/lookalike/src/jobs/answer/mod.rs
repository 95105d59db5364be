//! Jobs whose answers stay in memory: for programs that hold the documents, or want to look at the answers themselves.
//!
//! It runs the jobs of files on a source without files (`Running` puts it in the place of what it would discover), so
//! reading, references, ids, checks on texts and short texts are the same. Work folders are refused: nobody could tell
//! in a later run whether the memory holds the same. Beside references, pairs are those of a reference and an input;
//! they are not written to files, whose rows name documents by ids that both sides may share.

use super::basis::basis_of;
use super::running::{Command, Running, stages_of};
use crate::corpus::{Corpus, Listing, Records};
use crate::decide::Refused;
use crate::ground::{OutputKind, Progress, Result, Stage};
use crate::job::{Data, Job};
use crate::pages::{Listed, Removals, sealed_page};
use crate::pipeline::{self, Dedup, WantedPairs};
use crate::report::{ClusterCounts, CorpusCounts, DedupCounts, PairCounts};
use crate::report::{Found, Report, SearchReport};
use crate::write::{FoundPair, FoundPairs, PairSample, SampledPair};
use lookalike_core::rule::{Cluster, Decision, Rule};
use lookalike_core::{DocId, Resources};
use lookalike_io::{Source, outputs::Sealed, sources::InMemory};
use std::sync::Arc;

/// What a job found, and the documents that it speaks of.
#[derive(Debug, Clone)]
pub struct Answered {
    /// What the job did, in numbers.
    pub report: Report,
    /// What the rule of the job asks for.
    pub answers: Answers,
    documents: Listing,
    records: Records,
    /// Rows of the inputs in memory.
    rows: Option<usize>,
}

/// What becomes of a row in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowState {
    /// Its document stays.
    Kept,
    /// Its document goes.
    Removed,
    /// It is no document: a bad record, which the job was to leave out.
    LeftOut,
}

/// The answers of a job, by its rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Answers {
    /// What becomes of each document, references included.
    Decisions(Vec<Decision>),
    /// All pairs of near-duplicates, sorted by the first document and then by the second; beside references, those of
    /// a reference and another document.
    Pairs(Vec<FoundPair>),
    /// Connected components of them, ordered by their first document.
    Clusters(Vec<Cluster>),
}

impl Answered {
    /// The documents; references come first.
    pub fn documents(&self) -> &Listing {
        &self.documents
    }

    /// The number of the record of a document in its source: of a row in memory from 0, of a line in a file from 1, of
    /// a text file in its folder from 0; `None` for a document of a snapshot or an index.
    pub fn row(&self, document: DocId) -> Option<u64> {
        self.records.row(document)
    }

    /// By row of the inputs in memory: what becomes of it. `None` if the inputs were files, or if nothing is removed by
    /// the rule.
    pub fn rows(&self) -> Option<Vec<RowState>> {
        let (Some(rows), Answers::Decisions(decisions)) = (self.rows, &self.answers) else { return None };
        let state = |document: Option<DocId>| match document.map(|document| &decisions[document.index()]) {
            None => RowState::LeftOut,
            Some(decision) if decision.is_kept() => RowState::Kept,
            Some(_) => RowState::Removed,
        };
        Some(self.records.documents_of_rows(rows).into_iter().map(state).collect())
    }
}

/// Runs a job as its rule says over documents in memory, or in the files that it names, and returns the answers. Texts
/// in memory are read where they lie, by all threads. Of the outputs a summary, document frequencies and a page are
/// written, and no other.
///
/// ```
/// use lookalike::jobs::{RowState, self};
/// use lookalike::{Data, InMemory, Job, Resources, Silent, inputs::MemoryTexts};
/// use std::sync::Arc;
///
/// let texts = vec!["the harbour stays closed until Friday", "The harbour stays closed until Friday!", "nobody knows"];
/// let data = Data { inputs: Some(InMemory::Texts(MemoryTexts::new(Arc::new(texts)))), ..Data::default() };
/// let answered = jobs::answer(&Job::default(), &data, &Resources::default(), &Silent)?;
/// assert_eq!(answered.rows(), Some(vec![RowState::Kept, RowState::Removed, RowState::Kept]));
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Errors
/// As [`super::run()`]. A null among texts is a bad record; a column that is missing or has another type is an error.
pub fn answer(job: &Job, data: &Data, resources: &Resources, progress: &dyn Progress) -> Result<Answered> {
    job.check_counts()?;
    let name = match job.rule {
        Rule::Pairs => "pairs",
        Rule::Clusters => "clusters",
        Rule::Keepers { .. } | Rule::Connected { .. } | Rule::Against | Rule::Beside { .. } => "dedup",
    };
    let mut stages = stages_of(job);
    stages.extend((job.rule == Rule::Pairs).then_some(Stage::LISTING));
    let writes = &[OutputKind::Summary, OutputKind::DocumentFrequencies, OutputKind::Report];
    let command = Command { name, writes, stages };
    let running = Running::begin_with(command, (job, data), resources, progress)?;
    running.job.check_comparison()?;
    running.job.check_removal()?;
    let sources = running.with_references(running.discover()?)?;
    let (mut corpus, records) = running.read(&sources)?;
    let Searched { found, answers, page } = search(&running, &corpus, &records)?;
    let counts = CorpusCounts::of(&corpus, &records);
    let report = running.finish(page.into_iter().collect(), found, counts)?;
    let documents = std::mem::take(&mut corpus.listing);
    // The corpus may hold the records, too.
    drop(corpus);
    let mut records = Arc::unwrap_or_clone(records);
    records.sources.iter_mut().for_each(Source::release);
    let rows = data.inputs.as_ref().map(InMemory::rows);
    Ok(Answered { report, answers, documents, records, rows })
}

/// What a search gives.
struct Searched {
    found: Found,
    answers: Answers,
    /// If there is to be one.
    page: Option<Sealed>,
}

/// Searches by the rule of the job.
fn search(running: &Running<'_>, corpus: &Corpus, records: &Records) -> Result<Searched> {
    let Running { job, session, .. } = running;
    let Job { measure, method, .. } = *job;
    let found = match &job.rule {
        Rule::Keepers { keep } => pipeline::dedup(corpus, measure, method, keep, session),
        Rule::Connected { keep } => pipeline::dedup_connected(corpus, measure, method, keep, session),
        Rule::Against => pipeline::dedup_against(corpus, measure, method, session),
        Rule::Beside { keep } => pipeline::dedup_beside(corpus, measure, method, keep, session),
        Rule::Pairs => return pairs(running, corpus, records),
        Rule::Clusters => return clusters(running, corpus, records),
    }?;
    let Dedup { decisions, method, recall, candidates } = found;
    let search = SearchReport { method, recall, candidates, refused: corpus.refused_by_texts() };
    let counts = DedupCounts::new(&corpus.listing, corpus.empty, records, &decisions);
    let page = running.report_file()?.map(|file| {
        let listing = &corpus.listing;
        let decisions = &decisions[..];
        let counts = &counts;
        let search = &search;
        let basis = &basis_of(running.command, job, Some((method, recall)))?;
        let removals = Removals { job, listing, records, decisions, counts, search, basis };
        sealed_page(file, &removals.page(session)?)
    });
    let page = page.transpose()?;
    let found = Found::Dedup { counts, search, was_published: false, added: None };
    Ok(Searched { found, answers: Answers::Decisions(decisions), page })
}

fn pairs(running: &Running<'_>, corpus: &Corpus, records: &Records) -> Result<Searched> {
    let Running { job, session, .. } = running;
    let refused = if job.outputs.report.is_some() { Refused::Sampled } else { Refused::Forgotten };
    let wanted = WantedPairs { refused, limit: job.outputs.pair_limit() };
    let mut found = pipeline::wanted_pairs(corpus, job.measure, job.method, wanted, session)?;
    let mut pairs = Vec::new();
    session.stage(Stage::over_documents(Stage::LISTING, corpus.len()), || {
        FoundPairs::new(&found, corpus, job.measure, session)?.for_each(session, |pair| {
            pairs.push(pair);
            Ok(())
        })
    })?;
    let candidates = Some(found.joined.candidates);
    let refused = corpus.refused_by_texts();
    let search = SearchReport { method: found.method, recall: found.recall, candidates, refused };
    let documents = corpus.listing.inputs() as u64;
    let empty = corpus.empty;
    let bad_records = records.bad_records;
    let counts = PairCounts { documents, empty, bad_records, pairs: pairs.len() as u64 };
    let page = running.report_file()?.map(|file| {
        let mut sample = PairSample::new(job.measure.figure());
        pairs.iter().for_each(|&pair| sample.offer(SampledPair::from(pair)));
        let basis = &basis_of(running.command, job, Some((found.method, found.recall)))?;
        let about = Listed { job, listing: &corpus.listing, records, search: &search, basis };
        sealed_page(file, &about.page_of_pairs(&counts, sample, found.joined.refused.take().as_ref(), session)?)
    });
    let page = page.transpose()?;
    let found = Found::Pairs { counts, search, histogram: None, listed: Vec::new() };
    Ok(Searched { found, answers: Answers::Pairs(pairs), page })
}

fn clusters(running: &Running<'_>, corpus: &Corpus, records: &Records) -> Result<Searched> {
    let Running { job, session, .. } = running;
    let found = pipeline::clusters(corpus, job.measure, job.method, session)?;
    let refused = corpus.refused_by_texts();
    let search = SearchReport { method: found.method, recall: found.recall, candidates: None, refused };
    let counts = ClusterCounts::new(corpus, records, &found.clusters);
    let page = running.report_file()?.map(|file| {
        let basis = &basis_of(running.command, job, Some((found.method, found.recall)))?;
        let about = Listed { job, listing: &corpus.listing, records, search: &search, basis };
        sealed_page(file, &about.page_of_clusters(&counts, &found.clusters, session)?)
    });
    let page = page.transpose()?;
    let answers = Answers::Clusters(found.clusters);
    Ok(Searched { found: Found::Clusters { counts, search, listed: Vec::new() }, answers, page })
}

#[cfg(test)]
mod tests;
