//! What all jobs begin and end with: outputs checked, sources found, the summary, publishing.

use super::basis::basis_of;
use super::report::{Found, Report};
use super::summary::Summary;
use crate::corpus::{Corpus, Listing, Records, RepeatedIdCounts, TextCheck};
use crate::ground::{Error, OutputKind, Progress, Result, peak_bytes};
use crate::job::{Check, Job, SideFiles};
use crate::pipeline;
use crate::run::Session;
use crate::write::check_outputs;
use lookalike_core::Resources;
use lookalike_io::{AtomicFile, Discovered, Inputs, PassedOver, Sealed, Source, publish_all, side_file};
use std::path::Path;
use std::sync::Arc;

/// A job on its way.
pub(super) struct Running<'a> {
    pub(super) job: Job,
    pub(super) session: Session<'a>,
    pub(super) command: &'static str,
    summary: Option<AtomicFile>,
    /// Files that say what the rows depend on.
    side_files: Vec<AtomicFile>,
}

/// What is the same for all jobs of a command.
pub(super) struct Command {
    pub(super) name: &'static str,
    /// The kinds of outputs that it knows.
    pub(super) writes: &'static [OutputKind],
    /// Number of its stages.
    pub(super) stages: usize,
}

/// The sources of a job.
pub(super) struct Sources {
    pub(super) references: Discovered,
    pub(super) inputs: Discovered,
}

impl<'a> Running<'a> {
    /// Checks that the nouns fit each other, that the job has only outputs of the kinds that the command writes, and
    /// that none lands on an input; begins the summary, if there is to be one.
    pub(super) fn begin(
        command: Command,
        job: &Job,
        resources: &Resources,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let Command { name: command, writes, stages } = command;
        let job = job.completed()?;
        if let Some((output, _)) = job.outputs.given().find(|(output, _)| !writes.contains(output)) {
            return Err(Error::UnknownOutput { command, output });
        }
        let inputs = [&job.inputs.inputs[..], &job.inputs.against].concat();
        let work_folder = resources.work_folder.iter().map(|folder| (OutputKind::Checkpoints, folder));
        check_outputs(&inputs, &job.outputs.spared, job.outputs.given().chain(work_folder))?;
        let session = Session::new(resources, progress)?;
        session.stages.expect(stages);
        let begin = |path: &Path| AtomicFile::create_with(path, &session.staging());
        let summary = job.outputs.summary.as_deref().map(begin).transpose()?;
        let side_files = match job.outputs.side_files {
            SideFiles::Omitted => Vec::new(),
            SideFiles::Written => {
                let rows = job.outputs.rows.iter().chain(&job.outputs.removed).filter(|path| *path != Path::new("-"));
                rows.map(|path| begin(&side_file(path))).collect::<lookalike_io::Result<_>>()?
            }
        };
        Ok(Self { job, session, command, summary, side_files })
    }

    /// Finds the inputs.
    pub(super) fn discover(&self) -> Result<Discovered> {
        self.session.discover(&self.job.inputs.inputs, &self.job.inputs)
    }

    /// Finds the references beside the inputs.
    pub(super) fn with_references(&self, inputs: Discovered) -> Result<Sources> {
        let references = match &self.job.inputs.against[..] {
            [] => Discovered::nothing(),
            against => self.session.discover(against, &self.job.inputs)?,
        };
        Ok(Sources { references, inputs })
    }

    /// Reads the sources, and lets answers be checked on their texts if the job asks for that.
    pub(super) fn read(&self, sources: &Sources) -> Result<(Corpus, Arc<Records>)> {
        if self.job.check == Check::Texts {
            TextCheck::check_sources(sources.references.sources.iter().chain(&sources.inputs.sources))?;
        }
        self.check_disk(sources)?;
        let Job { inputs, features, .. } = &self.job;
        let (mut corpus, records) =
            pipeline::read(&sources.references, &sources.inputs, inputs, features, &self.session)?;
        corpus.weigh(self.job.measure, None, &self.session)?;
        let records = Arc::new(records);
        if self.job.check == Check::Texts {
            corpus.texts = Some(Arc::new(TextCheck::new(Arc::clone(&records), inputs, features)));
        }
        Ok((corpus, records))
    }

    /// Checks that the disk has room for what the search will not hold in memory.
    pub(super) fn check_disk(&self, sources: &Sources) -> Result<()> {
        let all = sources.references.sources.iter().chain(&sources.inputs.sources);
        let text_bytes = all.map(Source::estimated_text_bytes).sum();
        let work_folder = self.session.resources().work_folder.as_deref();
        self.session.spill.check_disk(text_bytes, self.job.measure, work_folder)
    }

    /// The path of an output that the job cannot do without.
    pub(super) fn wanted(&self, output: OutputKind) -> Result<&Path> {
        let found = self.job.outputs.given().find(|&(kind, _)| kind == output);
        found.map(|(_, path)| path.as_path()).ok_or(Error::MissingOutput { command: self.command, output })
    }

    /// Writes the summary and the files beside rows, and gives all outputs their names.
    pub(super) fn finish(mut self, mut written: Vec<Sealed>, found: Found, corpus: CorpusCounts) -> Result<Report> {
        let basis = basis_of(self.command, &self.job, found.search().map(|search| (search.method, search.recall)))?;
        for mut file in std::mem::take(&mut self.side_files) {
            file.write(basis.as_bytes())?;
            file.write(b"\n")?;
            written.push(file.seal()?);
        }
        let CorpusCounts {
            documents,
            tokens,
            empty,
            small,
            bad_records,
            repeated_ids,
            without_id,
            has_ids,
            passed_over,
        } = corpus;
        let (command, stages, peak_bytes) = (self.command, self.session.stage_times(), peak_bytes());
        let (threads, memory_bytes) = (self.session.threads(), self.session.spill.whole_budget().bytes());
        let asked_for = &self.job.inputs.id_field;
        let is_unknown = documents > 0 && !has_ids && *asked_for != Inputs::default().id_field;
        let report = Report {
            command,
            documents,
            tokens,
            empty,
            small,
            bad_records,
            repeated_ids,
            without_id,
            unknown_id_field: is_unknown.then(|| asked_for.clone()),
            passed_over,
            found,
            stages,
            peak_bytes,
            threads,
            memory_bytes,
        };
        if let Some(file) = self.summary {
            written.push(Summary::new(&self.job, self.session.resources(), &report)?.write(file)?);
        }
        publish_all(written)?;
        Ok(report)
    }
}

/// What a report says of the documents that were read.
#[derive(Debug, Clone, Default)]
pub(super) struct CorpusCounts {
    pub(super) documents: u64,
    pub(super) tokens: u64,
    pub(super) empty: u64,
    pub(super) small: u64,
    pub(super) bad_records: u64,
    pub(super) repeated_ids: RepeatedIdCounts,
    pub(super) without_id: u64,
    /// Whether any record has an id of its own.
    pub(super) has_ids: bool,
    pub(super) passed_over: PassedOver,
}

impl CorpusCounts {
    /// Of documents that were read for a search.
    pub(super) fn of(corpus: &Corpus, records: &Records) -> Self {
        let small = corpus.smaller_than(Report::FEW_ELEMENTS);
        Self { tokens: corpus.tokens, empty: corpus.empty, small, ..Self::of_listed(&corpus.listing, records) }
    }

    /// Of documents of which no more was read than their names.
    pub(super) fn of_listed(listing: &Listing, records: &Records) -> Self {
        let Records { bad_records, without_id, passed_over, .. } = *records;
        let (has_ids, repeated_ids) = (without_id < listing.len() as u64, records.repeated_ids.clone());
        let documents = listing.inputs() as u64;
        Self { documents, bad_records, repeated_ids, without_id, has_ids, passed_over, ..Self::default() }
    }
}
