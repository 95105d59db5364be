//! Records that stay, and a row for each removed one.

use super::basis::without_paths;
use super::running::{JobCommand, Purpose, Running, stages_of};
use crate::base::{Contradiction, Error, OutputKind, Progress, Result, Stage};
use crate::corpus::{Corpus, Listing, Records, read_ids_unsaved};
use crate::job::Job;
use crate::pipeline::{self, Dedup};
use crate::report::{CorpusCounts, DedupCounts, Found, IndexCounts, Report, SearchReport};
use crate::run::Session;
use crate::write::{
    Outcome, RecordOutput, Replacing, RowNames, StoredCorpus, check_annotations, give_resources, write_records,
    write_removed, written,
};
use lookalike_core::rule::{Decision, Rule};
use lookalike_core::{DocId, Resources};
use lookalike_index::{Documents, IndexWriter, Prepared};
use lookalike_io::rows::{Column, RemovalRow};
use lookalike_io::{RowWriter, Source, outputs::Sealed, sources::Discovered};
use std::path::Path;

/// Decides which documents stay, by the rule of the job, and writes what its outputs ask for. With `adding`, documents
/// that stay are put into an index at the moment in which the outputs appear.
///
/// # Errors
/// If an input cannot be read, an output or the index cannot be written, or the parameters do not fit each other; then
/// no output appears.
pub(super) fn dedup(
    job: &Job,
    mut adding: Option<Adding>,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let writes = &[
        OutputKind::Records,
        OutputKind::LeftOut,
        OutputKind::Removed,
        OutputKind::Summary,
        OutputKind::DocumentFrequencies,
        OutputKind::Report,
    ];
    let mut stages = stages_of(job);
    if adding.is_some() {
        stages.insert(0, Stage::READING_IDS);
        stages.push(Stage::ADDING);
    }
    stages.push(Stage::WRITING);
    let command = JobCommand { name: "dedup", writes, stages };
    let running = Running::begin(command, job, resources, progress)?;
    let purpose = if adding.is_some() { Purpose::JoinAndIndex } else { Purpose::Join };
    let running = running.reading_for(purpose);
    running.job.check_comparison()?;
    running.job.check_removal()?;
    let job = &running.job;
    let records = job.outputs.records.as_deref();
    let provenance = job.records_provenance()?;
    let was_published = records.map_or(Ok(false), |path| running.session.has_published(path, &provenance))?;
    let found = running.discover()?;
    let mut outputs = RemovalOutputs::create(&found, records.filter(|_| !was_published), job, &running.session)?;
    let mut sources = running.with_references(found)?;
    if adding.is_some() {
        // What comes in the place of a document is not compared with it.
        sources.replace_references(read_ids_unsaved(&sources.inputs, &job.inputs, &running.session)?);
    }
    let (corpus, records) = running.read(&sources)?;
    let session = &running.session;
    if let Some(adding) = &adding {
        adding.check_new(&corpus, session)?;
    }
    let found = decide(job, &corpus, session)?;
    let decisions = &found.decisions;
    outputs.describe(&running.basis(Some(&report_of_removals(&found, &corpus)))?)?;
    let write = || outputs.write(&running, &corpus.listing, &records, decisions);
    let mut written = session.stage(writing(&records), write)?;
    let reported = report_removals(&running, &corpus, &records, &found)?;
    written.extend(reported.page);
    let added = adding.as_mut().map(|adding| adding.prepare(&corpus, decisions, session)).transpose()?;
    let (prepared, added) = added.unzip();
    let found = Found::Dedup { counts: reported.counts, search: reported.search, was_published, added };
    let report = running.finish(written, found, CorpusCounts::new(&corpus, &records))?;
    // Outputs first: a job that ends between the two gives the same outputs when it is run again, because what it adds
    // is compared with no former self.
    prepared.map_or(Ok(()), |prepared: Prepared<'_>| Ok::<_, Error>(prepared.commit()?))?;
    Ok(report)
}

/// Decides which documents stay by the rule of a job that removes some.
pub(super) fn decide(job: &Job, corpus: &Corpus, session: &Session<'_>) -> Result<Dedup> {
    let Job { measure, method, .. } = *job;
    match &job.rule {
        Rule::Keepers { keep } => pipeline::dedup(corpus, measure, method, keep, session),
        Rule::Connected { keep } => pipeline::dedup_connected(corpus, measure, method, keep, session),
        Rule::Against => pipeline::dedup_against(corpus, measure, method, session),
        Rule::Beside { keep } => pipeline::dedup_beside(corpus, measure, method, keep, session),
        rule @ (Rule::Pairs | Rule::Clusters) => {
            Err(Contradiction::UnknownRule { command: "dedup", rule: rule.clone() }.into())
        }
    }
}

/// Counts of removals, how they were found, and their page if there is to be one.
pub(super) struct ReportedRemovals {
    pub(super) counts: DedupCounts,
    pub(super) search: SearchReport,
    pub(super) page: Option<Sealed>,
}

fn report_of_removals(found: &Dedup, corpus: &Corpus) -> SearchReport {
    SearchReport::new(found.method, found.recall, found.candidates, corpus)
}

pub(super) fn report_removals(
    running: &Running<'_>,
    corpus: &Corpus,
    records: &Records,
    found: &Dedup,
) -> Result<ReportedRemovals> {
    let decisions = &found.decisions;
    let search = report_of_removals(found, corpus);
    let counts = DedupCounts::new(&corpus.listing, corpus.empty, records, decisions);
    let page = running.search_page(corpus, records, &search, |page| page.of_removals(decisions, &counts))?;
    Ok(ReportedRemovals { counts, search, page })
}

/// The index that documents are added to.
#[derive(Debug)]
pub(super) struct Adding {
    pub(super) writer: IndexWriter,
    /// The second since 1970 from which on they are gone.
    pub(super) expires: Option<u64>,
    pub(super) replacing: Replacing,
}

impl Adding {
    /// Checks that no input takes the place of a document of the index, if that is refused: before anything is written,
    /// and whether it stays or not.
    ///
    /// # Errors
    /// [`crate::details::Contradiction::IdsInIndex`].
    fn check_new(&self, corpus: &Corpus, session: &Session<'_>) -> Result<()> {
        if self.replacing == Replacing::Allowed {
            return Ok(());
        }
        let inputs = corpus.documents().skip(corpus.listing.references).collect();
        let view = self.writer.index().view();
        let (new, _) = StoredCorpus::new(corpus, inputs, session).without_known(&view)?;
        new.check_new(&view)
    }

    /// Writes the documents that stay beside the index.
    fn prepare(
        &mut self,
        corpus: &Corpus,
        decisions: &[Decision],
        session: &Session<'_>,
    ) -> Result<(Prepared<'_>, IndexCounts)> {
        let Self { writer, expires, .. } = self;
        give_resources(writer, session);
        let view = writer.index().view();
        let inputs = corpus.documents().skip(corpus.listing.references);
        let stays: Vec<DocId> = inputs.filter(|document| decisions[document.index()].is_kept()).collect();
        let near = (corpus.listing.inputs() - stays.len()) as u64;
        let (stored, known) = StoredCorpus::new(corpus, stays, session).expiring(*expires).without_known(&view)?;
        session.stage(Stage::over_documents(Stage::ADDING, stored.len()), || {
            let prepared = written(writer.prepare(&stored), session)?;
            let documents = prepared.documents();
            let bytes = prepared.bytes();
            let added = stored.len() as u64 - known.renewed;
            let replaced = prepared.replaced() - known.renewed;
            let known = known.documents;
            Ok((prepared, IndexCounts { added, replaced, near, known, documents, bytes }))
        })
    }
}

/// The stage in which records are read once more and written.
pub(super) fn writing(records: &Records) -> Stage {
    Stage::over_bytes(Stage::WRITING, records.inputs().iter().map(Source::bytes).sum())
}

/// The outputs of a job that removes documents, in their staging files until they are published.
pub(in crate::jobs) struct RemovalOutputs {
    pub(super) records: Option<RecordOutput>,
    pub(super) removed: Option<RowWriter>,
}

impl RemovalOutputs {
    /// Begins the outputs; `records` is where the records go.
    pub(super) fn create(found: &Discovered, records: Option<&Path>, job: &Job, session: &Session<'_>) -> Result<Self> {
        if job.outputs.records.is_none() {
            check_annotations(found, job, job.outputs.format)?;
        }
        let header = RemovalRow::header(job.measure.figure(), job.outputs.row_sources);
        Self::begin(found, records, &header, job, session)
    }

    /// Begins outputs whose rows have this header.
    pub(super) fn begin(
        found: &Discovered,
        records: Option<&Path>,
        header: &[Column],
        job: &Job,
        session: &Session<'_>,
    ) -> Result<Self> {
        let staging = session.staging();
        let records = records.map(|path| RecordOutput::create(found, path, job, &staging)).transpose()?;
        let removed = job.outputs.removed.as_deref();
        let removed = removed.map(|path| RowWriter::create_with(path, None, header, &staging));
        Ok(Self { records, removed: removed.transpose()? })
    }

    /// Lets records and rows say what they depend on, where their format has a place for it.
    pub(super) fn describe(&mut self, basis: &str) -> Result<()> {
        if let Some(records) = &mut self.records {
            records.describe(without_paths(basis)?);
        }
        if let Some(removed) = &mut self.removed {
            removed.describe(basis);
        }
        Ok(())
    }

    /// Writes the outputs.
    pub(super) fn write(
        self,
        running: &Running<'_>,
        listing: &Listing,
        records: &Records,
        decisions: &[Decision],
    ) -> Result<Vec<Sealed>> {
        let Running { job, session, .. } = running;
        let mut written = Vec::new();
        if let Some(removed) = self.removed {
            let names = RowNames::new(listing, records, job.outputs.row_sources);
            written.push(write_removed(removed, &names, decisions, job.measure, session)?);
        }
        if let Some(output) = self.records {
            let outcome = Outcome::of_decisions(decisions, job.measure.figure());
            written.extend(write_records((listing, records), &outcome, output, job, session)?);
        }
        Ok(written)
    }
}
