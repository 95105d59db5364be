//! Jobs whose answers stay in memory: for programs that hold the documents, or want to look at the answers themselves.
//!
//! It runs the jobs of files on a source without files (`Running` puts it in the place of what it would discover), so
//! reading, references, ids, checks on texts and short texts are the same. Work folders are refused: nobody could tell
//! in a later run whether the memory holds the same. Beside references, pairs are those of a reference and an input;
//! they are not written to files, whose rows name documents by ids that both sides may share.

use super::dedup::{ReportedRemovals, decide, report_removals};
use super::list::{report_clusters, report_pairs};
use super::running::{JobCommand, Running, stages_of};
use crate::base::{OutputKind, Progress, Result, Stage};
use crate::corpus::{Corpus, Listing, Records};
use crate::decide::Refused;
use crate::job::{Data, Job};
use crate::pipeline::{self, PairRequest};
use crate::report::{CorpusCounts, Found, Report};
use crate::write::{FoundPair, FoundPairs, PairCounter};
use lookalike_core::rule::{Cluster, Decision, Rule};
use lookalike_core::{DocId, Resources};
use lookalike_io::{Source, outputs::Sealed, sources::InMemory};
use std::sync::Arc;

/// Answers of a job, and their documents.
#[derive(Debug, Clone)]
pub struct Answered {
    /// Report of the job.
    pub report: Report,
    /// Answers by the rule of the job.
    pub answers: Answers,
    documents: Listing,
    records: Records,
    /// Rows of the inputs in memory.
    rows: Option<usize>,
}

/// State of a row in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowState {
    /// Its document stays.
    Kept,
    /// Its document goes.
    Removed,
    /// The row is no document: a bad record, which the job was to leave out.
    LeftOut,
}

/// The answers of a job, by its rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Answers {
    /// Decision on each document, references included.
    Decisions(Vec<Decision>),
    /// Pairs of near-duplicates, sorted by the first document and then by the second; beside references, those of a
    /// reference and another document.
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

    /// State of each row of the inputs in memory. `None` if the inputs were files, or if nothing is removed by the
    /// rule.
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
    let command = JobCommand { name, writes, stages };
    let running = Running::begin_with(command, (job, data), resources, progress)?;
    running.job.check_comparison()?;
    running.job.check_removal()?;
    let (mut corpus, records) = running.read(&running.with_references(running.discover()?)?)?;
    let (found, answers, written) = answer_by_rule(&running, &corpus, &records)?;
    let report = running.finish(written, found, CorpusCounts::new(&corpus, &records))?;
    let documents = std::mem::take(&mut corpus.listing);
    // The corpus may hold the records, too.
    drop(corpus);
    let mut records = Arc::unwrap_or_clone(records);
    records.sources.iter_mut().for_each(Source::release);
    let rows = data.inputs.as_ref().map(InMemory::rows);
    Ok(Answered { report, answers, documents, records, rows })
}

/// Answers of a corpus, how they are reported, and the files that were written.
fn answer_by_rule(running: &Running<'_>, corpus: &Corpus, records: &Records) -> Result<(Found, Answers, Vec<Sealed>)> {
    let Running { job, session, .. } = running;
    match job.rule {
        Rule::Pairs => answer_pairs(running, corpus, records),
        Rule::Clusters => {
            let clusters = pipeline::clusters(corpus, job.measure, job.method, session)?;
            let (found, page) = report_clusters(running, corpus, records, &clusters, Vec::new())?;
            Ok((found, Answers::Clusters(clusters.clusters), Vec::from_iter(page)))
        }
        Rule::Keepers { .. } | Rule::Connected { .. } | Rule::Against | Rule::Beside { .. } => {
            let decided = decide(job, corpus, session)?;
            let ReportedRemovals { counts, search, page } = report_removals(running, corpus, records, &decided)?;
            let found = Found::Dedup { counts, search, was_published: false, added: None };
            Ok((found, Answers::Decisions(decided.decisions), Vec::from_iter(page)))
        }
    }
}

fn answer_pairs(running: &Running<'_>, corpus: &Corpus, records: &Records) -> Result<(Found, Answers, Vec<Sealed>)> {
    let Running { job: Job { outputs, measure, method, .. }, session, .. } = running;
    let refused = if outputs.report.is_some() { Refused::Sampled } else { Refused::Forgotten };
    let request = PairRequest { refused, limit: outputs.pair_limit() };
    let mut found = pipeline::wanted_pairs(corpus, *measure, *method, request, session)?;
    let mut counter = PairCounter::new(outputs, measure.figure());
    let mut pairs = Vec::new();
    session.stage(Stage::over_documents(Stage::LISTING, corpus.len()), || {
        FoundPairs::new(&found, corpus, *measure, session)?.for_each(session, |pair| {
            counter.add(pair);
            pairs.push(pair);
            Ok(())
        })
    })?;
    let listed = counter.listed(None, Vec::new());
    let (found, written) = report_pairs(running, corpus, records, &mut found, listed)?;
    Ok((found, Answers::Pairs(pairs), written))
}

#[cfg(test)]
mod tests;
