//! Begin and end of all jobs: outputs checked, sources found, the summary, publishing.

mod requested_fields;
mod signature_files;

use super::basis::basis_of;
use super::summary::Summary;
use crate::base::details::MemoryConflict;
use crate::base::{Contradiction, Error, OutputKind, Progress, Result, Stage, peak_bytes};
use crate::corpus::{
    Corpus, Listing, PreparedData, Records, ShortTextsOf, TextCheck, check_gitignore, check_settings_used,
    check_sources_for_windows, find_short_texts, read_arriving, read_frequencies, read_ids, read_signatures,
    winnow_texts, write_frequencies,
};
use crate::job::{Check, Data, Job, Outputs, SideFiles};
use crate::pages::{SearchPage, sealed_page};
use crate::pipeline;
use crate::report::{CorpusCounts, Found, Report, SearchReport, UnmatchedStopWords};
use crate::run::Session;
use crate::write::check_outputs;
use lookalike_core::Resources;
use lookalike_core::comparison::{Features, Method};
use lookalike_core::evidence::ShortTokens;
use lookalike_core::sets::ShingleSize;
use lookalike_io::{
    AtomicFile, Inputs, RowWriter, Source,
    formats::{RowFormat, ids_of_array},
    outputs::{Sealed, publish_all},
    rows::Column,
    sources::{Discovered, InMemory, Stdin},
};
use requested_fields::{Needed, check_id_field, check_score_field, check_storable, check_stored_fields};
use serde_json::Value;
pub(super) use signature_files::check_signatures;
use std::cell::Cell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of inputs in memory, in messages and in ids of rows that have none.
pub(crate) const INPUTS_IN_MEMORY: &str = "data";

/// A job on its way.
pub(crate) struct Running<'a> {
    pub(crate) job: Job,
    data: Data,
    pub(crate) session: Session<'a>,
    pub(crate) command: &'static str,
    summary: Option<AtomicFile>,
    /// Files that say what the rows depend on.
    side_files: Vec<AtomicFile>,
    /// The file for document frequencies, until they are counted.
    idf_file: Cell<Option<AtomicFile>>,
    /// The document frequencies, once they are written.
    sealed_idf: Cell<Option<Sealed>>,
    purpose: Purpose,
}

/// Purpose for which documents are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Comparison with each other, and with references.
    #[default]
    Join,
    /// The inputs ask about the references: terms are weighed by those, and short texts compared as they are, because
    /// an index knows no other texts.
    Questions,
    /// An index weighs them.
    Index,
    /// An index is made of them, and weighs them.
    NewIndex,
    /// Comparison with references, after which some of them are put into an index.
    JoinAndIndex,
}

/// Parameters of all jobs of a command.
pub(crate) struct JobCommand {
    pub(crate) name: &'static str,
    /// The kinds of outputs that it knows.
    pub(crate) writes: &'static [OutputKind],
    /// Its stages in their order.
    pub(crate) stages: Vec<&'static str>,
}

/// The stages of a job that compares documents, from reading to its answers.
pub(crate) fn stages_of(job: &Job) -> Vec<&'static str> {
    // MinHash takes given signatures, whether `auto` was asked for or not.
    let method = match (&job.signatures, job.method) {
        (Some(_), Method::Auto(minhash)) => Method::MinHash(minhash),
        (_, method) => method,
    };
    let checks = if job.check == Check::Texts { &[Stage::CHECKING_TEXTS][..] } else { &[] };
    let mut stages = pipeline::stages(&job.rule, job.measure, method, checks);
    if job.signatures.is_some() {
        stages.insert(1, Stage::READING_SIGNATURES);
    }
    stages
}

/// The sources of a job.
pub(crate) struct JobSources {
    pub(crate) references: Discovered,
    pub(crate) inputs: Discovered,
}

impl JobSources {
    /// Sources, references first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Source> {
        self.references.sources.iter().chain(&self.inputs.sources)
    }

    /// Passes over those documents of indexes among the references that have one of these ids.
    pub(crate) fn replace_references(&mut self, ids: HashSet<String>) {
        let ids = Arc::new(ids);
        let sources = std::mem::take(&mut self.references.sources).into_iter();
        self.references.sources = sources.map(|source| source.without_documents(&ids)).collect();
    }
}

impl<'a> Running<'a> {
    /// Checks that the parameters fit each other, that the job has only outputs of the kinds that the command writes,
    /// and that none lands on an input; begins the summary, if there is to be one.
    pub(crate) fn begin(
        command: JobCommand,
        job: &Job,
        resources: &Resources,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        Self::begin_with(command, (job, &Data::default()), resources, progress)
    }

    /// Begins a job over documents in memory.
    pub(crate) fn begin_with(
        command: JobCommand,
        (job, data): (&Job, &Data),
        resources: &Resources,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let JobCommand { name: command, writes, mut stages } = command;
        let job = job.completed(data)?;
        if (data.inputs.is_some() || data.references.is_some()) && resources.work_folder.is_some() {
            return Err(Contradiction::NotInMemory { found: MemoryConflict::WorkFolder }.into());
        }
        if let Some((output, _)) = job.outputs.given().find(|(output, _)| !writes.contains(output)) {
            return Err(Contradiction::UnknownOutput { command, output }.into());
        }
        let idf_input: Vec<_> = job.idf.iter().cloned().collect();
        let signatures = job.signatures.as_ref().map_or(&[][..], |signatures| &signatures.inputs);
        let inputs = [&job.inputs.inputs[..], &job.inputs.against, signatures, &idf_input].concat();
        let work_folder = resources.work_folder.iter().map(|folder| (OutputKind::Checkpoints, folder));
        let side_files = side_files(&job.outputs)?;
        let beside = side_files.iter().map(|path| (OutputKind::Basis, path));
        // An array has its ids in a file of its own.
        let array_ids: Vec<PathBuf> = job.outputs.rows.iter().filter_map(|path| ids_of_array(path)).collect();
        let beside = beside.chain(array_ids.iter().map(|path| (OutputKind::Rows, path)));
        let outputs = job.outputs.given().chain(beside).chain(work_folder);
        check_outputs(&inputs, &job.inputs.selection()?, &job.outputs.spared, outputs)?;
        job.outputs.check_existing()?;
        let session = Session::new(resources, progress)?;
        stages.extend(job.outputs.report.iter().map(|_| Stage::READING_FOR_REPORT));
        session.stages.expect(stages);
        if job.outputs.given().any(|(_, path)| AtomicFile::is_stream(path)) {
            session.stages.write_to_streams();
        }
        let begin = |path: &Path| AtomicFile::create_with(path, &session.staging());
        Ok(Self {
            summary: job.outputs.summary.as_deref().map(begin).transpose()?,
            idf_file: Cell::new(job.outputs.idf.as_deref().map(begin).transpose()?),
            side_files: side_files.iter().map(|path| begin(path)).collect::<lookalike_io::Result<_>>()?,
            job,
            data: data.clone(),
            session,
            command,
            sealed_idf: Cell::new(None),
            purpose: Purpose::default(),
        })
    }

    /// Sets the purpose for which documents are read.
    pub(crate) fn reading_for(self, purpose: Purpose) -> Self {
        Self { purpose, ..self }
    }

    /// Finds the inputs.
    pub(crate) fn discover(&self) -> Result<Discovered> {
        match &self.data.inputs {
            Some(documents) => Ok(self.in_memory(INPUTS_IN_MEMORY, documents)),
            None => self.session.discover(&self.job.inputs.inputs, &self.job.inputs),
        }
    }

    /// Finds inputs that are worked on batch by batch ([`Self::read_batches`]): standard input is read as it arrives,
    /// unless all of it must be there before the first answer.
    pub(crate) fn discover_batches(&self) -> Result<Discovered> {
        let Job { inputs, check, idf, .. } = &self.job;
        let needs_all = inputs.group_by.is_some() || *check == Check::Texts || idf.is_some();
        match self.data.inputs {
            None if !needs_all => self.session.discover_with(&inputs.inputs, inputs, Stdin::AsItArrives),
            _ => self.discover(),
        }
    }

    /// Finds the references beside the inputs.
    ///
    /// # Errors
    /// [`Contradiction::InputIsReference`], unless the inputs ask for the nearest references: a document would be
    /// removed or paired because of itself.
    pub(crate) fn with_references(&self, inputs: Discovered) -> Result<JobSources> {
        let sources = self.with_any_references(inputs)?;
        let shared = sources.inputs.first_shared(&sources.references).filter(|_| self.purpose != Purpose::Questions);
        match shared {
            Some(path) => Err(Contradiction::InputIsReference { path }.into()),
            None => Ok(sources),
        }
    }

    /// Finds the references beside inputs that may be references, too.
    pub(crate) fn with_any_references(&self, inputs: Discovered) -> Result<JobSources> {
        let own_fields = self.job.inputs.own_fields_of_references();
        let references = match (&self.data.references, &self.job.inputs.against[..]) {
            (Some(documents), _) => self.in_memory("references", documents).with_own_fields(own_fields),
            (None, []) => Discovered::nothing(),
            (None, _) => self.session.discover_references(&self.job.inputs)?,
        };
        let features = &self.job.features;
        let of_job = &self.job.inputs;
        check_gitignore(references.may_have_gitignore || inputs.may_have_gitignore, of_job)?;
        check_settings_used(&references.sources, &inputs.sources, of_job, features)?;
        Ok(JobSources { references, inputs })
    }

    fn in_memory(&self, name: &str, documents: &InMemory) -> Discovered {
        Source::in_memory(name, documents.clone(), &self.job.inputs.fields()).into()
    }

    /// Reads the ids of documents, references first.
    pub(crate) fn read_ids(&self, references: &Discovered, inputs: &Discovered) -> Result<(Listing, Records)> {
        let (listing, records) = read_ids(references, inputs, &self.job.inputs, &self.session)?;
        check_id_field(&records, &self.job.inputs, listing.len() as u64)?;
        check_score_field(&listing, &records, &self.job.inputs)?;
        Ok((listing, records))
    }

    /// Reads the signatures by which candidates are found.
    fn add_signatures(&self, corpus: &mut Corpus, signatures: &Inputs) -> Result<()> {
        let found = self.session.discover(&signatures.inputs, signatures)?;
        check_signatures(found.sources.iter(), &self.job)?;
        corpus.prepared =
            PreparedData::Signatures(Arc::new(read_signatures(corpus, &found, signatures, &self.session)?));
        Ok(())
    }

    /// Reads the sources, and lets answers be checked on their texts if the job asks for that.
    pub(crate) fn read(&self, sources: &JobSources) -> Result<(Corpus, Arc<Records>)> {
        if self.job.check == Check::Texts {
            TextCheck::check_sources(sources.all())?;
        }
        let window = self.job.method.window();
        if window.is_some() {
            check_sources_for_windows(sources.all())?;
        }
        check_signatures(sources.all(), &self.job)?;
        check_storable(&sources.inputs.sources, &self.job)?;
        self.check_disk(sources)?;
        let Job { inputs, features, .. } = &self.job;
        let (mut corpus, records) =
            crate::corpus::read(&sources.references, &sources.inputs, inputs, features, &self.session)?;
        corpus.recount_empty(features);
        check_id_field(&records, inputs, corpus.len() as u64)?;
        check_score_field(&corpus.listing, &records, inputs)?;
        if let Some(carried) = &corpus.carried {
            let needed = if self.purpose == Purpose::NewIndex { Needed::Each } else { Needed::Any };
            check_stored_fields(needed, carried, &records, inputs)?;
        }
        if let Some(containment) = self.job.measure.contained()
            && matches!(self.purpose, Purpose::Join | Purpose::JoinAndIndex)
        {
            let short = ShortTextsOf { inputs, features, contained: containment.contained };
            find_short_texts(&mut corpus, &records, short, &self.session)?;
        }
        if let Some(signatures) = &self.job.signatures {
            self.add_signatures(&mut corpus, signatures)?;
        }
        if let Some(window) = window {
            winnow_texts(&mut corpus, &records, (inputs, features), window, &self.session)?;
        }
        let idf = self.job.idf.as_deref().map(|path| read_frequencies(path, features)).transpose()?;
        let first = match self.purpose {
            Purpose::Join | Purpose::JoinAndIndex => Some(corpus.len()),
            Purpose::Questions => Some(corpus.listing.references),
            Purpose::Index | Purpose::NewIndex => None,
        };
        // Weights take the place of the counts, which an index stores.
        let counts = (self.purpose == Purpose::JoinAndIndex).then(|| corpus.sets.all_weights().cloned());
        let weigh = |first| corpus.weigh_by_first(first, self.job.measure, idf.as_ref(), &self.session);
        let counted = first.map(weigh).transpose()?.flatten();
        if let PreparedData::Terms(weighed) = &mut corpus.prepared {
            weighed.counts = counts.map(Option::unwrap_or_default);
        }
        if let Some((file, counted)) = self.idf_file.take().zip(counted) {
            let sealed = write_frequencies(&counted, features, file)?;
            self.sealed_idf.set(Some(sealed));
        }
        let records = Arc::new(records);
        if self.job.check == Check::Texts {
            let short = corpus.prepared.short().map_or(ShortTokens::Apart, |_| ShortTokens::LookedUp);
            corpus.texts = Some(Arc::new(TextCheck::new(Arc::clone(&records), inputs, features, short)));
        }
        Ok((corpus, records))
    }

    /// Reads the sources, and calls `visit` with the documents and their records: with those of an input that arrives
    /// each time that some have come, else once with all. Returns the records of all.
    pub(crate) fn read_batches(
        &self,
        sources: &JobSources,
        mut visit: impl FnMut(&Corpus, &Records) -> Result<()>,
    ) -> Result<(CorpusCounts, Arc<Records>)> {
        let Some(arriving) = sources.inputs.sources.first().and_then(Source::arrives) else {
            let (corpus, records) = self.read(sources)?;
            visit(&corpus, &records)?;
            return Ok((CorpusCounts::new(&corpus, &records), records));
        };
        let Job { inputs, features, .. } = &self.job;
        let mut small = 0;
        self.session.stages.take_turns();
        let visit = |corpus: Corpus, records| {
            small += corpus.smaller_than(CorpusCounts::FEW_ELEMENTS);
            visit(&corpus, &records)
        };
        let (corpus, records) = read_arriving((&sources.inputs, arriving), (inputs, features), &self.session, visit)?;
        check_id_field(&records, inputs, corpus.len() as u64)?;
        let counts = CorpusCounts { small, ..CorpusCounts::of_read(&corpus, &records) };
        Ok((counts, Arc::new(records)))
    }

    /// Checks that the disk has room for what the search will not hold in memory.
    pub(crate) fn check_disk(&self, sources: &JobSources) -> Result<()> {
        let text_bytes = sources.all().map(Source::estimated_text_bytes).sum();
        let work_folder = self.session.resources().work_folder.as_deref();
        self.session.spill.check_disk(text_bytes, self.job.measure, work_folder)
    }

    /// The path of an output that the job cannot do without.
    pub(crate) fn wanted(&self, output: OutputKind) -> Result<&Path> {
        let found = self.job.outputs.given().find(|&(kind, _)| kind == output);
        found
            .map(|(_, path)| path.as_path())
            .ok_or(Contradiction::MissingOutput { command: self.command, output }.into())
    }

    /// The file of the rows that the job is there for; `None` if they go to the report.
    pub(crate) fn rows(&self) -> Result<Option<&Path>> {
        let Outputs { rows, top, .. } = &self.job.outputs;
        if rows.is_none() && top.is_some() { Ok(None) } else { self.wanted(OutputKind::Rows).map(Some) }
    }

    /// The file of the page, begun, if there is to be one.
    pub(crate) fn report_file(&self) -> Result<Option<AtomicFile>> {
        let path = self.job.outputs.report.as_deref();
        Ok(path.map(|path| AtomicFile::create_with(path, &self.session.staging())).transpose()?)
    }

    /// The file of rows, if there is one.
    pub(crate) fn rows_or_report(&self) -> Option<&Path> {
        self.job.outputs.rows.as_deref()
    }

    /// The writer of the rows that the job is there for.
    pub(super) fn row_writer(&self, header: &[Column]) -> Result<RowWriter> {
        let rows = self.wanted(OutputKind::Rows)?;
        Ok(RowWriter::create_with(rows, self.job.outputs.row_format, header, &self.session.staging())?)
    }

    /// The basis of answers, as JSON.
    pub(super) fn basis(&self, search: Option<&SearchReport>) -> Result<String> {
        basis_of(self.command, &self.job, search)
    }

    /// Writes the page of a search, if there is to be one.
    pub(super) fn search_page(
        &self,
        corpus: &Corpus,
        records: &Records,
        search: &SearchReport,
        page: impl FnOnce(SearchPage<'_>) -> Result<String>,
    ) -> Result<Option<Sealed>> {
        let Some(file) = self.report_file()? else { return Ok(None) };
        let Self { job, session, .. } = self;
        let basis = &self.basis(Some(search))?;
        sealed_page(file, &page(SearchPage { job, listing: &corpus.listing, records, search, basis, session })?)
            .map(Some)
    }

    /// The size of a shingle, if the documents are texts.
    fn shingle_of_texts(&self) -> Option<ShingleSize> {
        let Job { inputs, features, .. } = &self.job;
        let is_text = inputs.points().is_none() && !inputs.features(features).are_of_items();
        (is_text && matches!(features, Features::Set { .. } | Features::Spelled { .. }))
            .then(|| features.shingle().size)
    }

    /// Writes the summary and the files beside rows, and gives all outputs their names.
    pub(crate) fn finish(mut self, mut written: Vec<Sealed>, found: Found, corpus: CorpusCounts) -> Result<Report> {
        written.extend(self.sealed_idf.take());
        let basis = self.basis(found.search())?;
        for mut file in std::mem::take(&mut self.side_files) {
            file.write(basis.as_bytes())?;
            file.write(b"\n")?;
            written.push(file.seal()?);
        }
        let stages = self.session.stages.times();
        // The system counts late, so it may tell less now than before.
        let peak_bytes = stages.iter().map(|stage| stage.peak_bytes).chain([peak_bytes()]).max().flatten();
        let report = Report {
            command: self.command,
            corpus,
            shingle: self.shingle_of_texts(),
            unmatched_stop_words: UnmatchedStopWords::of_options(self.job.features.text()),
            found,
            stages,
            peak_bytes,
            threads: self.session.threads(),
            memory_bytes: self.session.spill.whole_budget().bytes(),
            summary: Value::Null,
        };
        let summary = Summary::new(&self.job, self.session.resources(), &report)?;
        if let Some(file) = self.summary {
            written.push(summary.write(file)?);
        }
        let summary = serde_json::to_value(&summary)?;
        self.session.stages.progress.publishing();
        publish_all(written)?;
        Ok(Report { summary, ..report })
    }
}

/// The files that will say beside rows what they depend on.
///
/// # Errors
/// [`Contradiction::NoSideFile`] if they are asked for and there are no rows in files; [`Error::StaleBasis`] if they
/// are not, and one is there: it would speak of rows that are replaced.
fn side_files(outputs: &Outputs) -> Result<Vec<PathBuf>> {
    let all = outputs.side_files();
    match outputs.side_files {
        SideFiles::Written if all.is_empty() => Err(Contradiction::NoSideFile.into()),
        SideFiles::Written => Ok(all.into_iter().map(|(_, path)| path).collect()),
        SideFiles::Omitted => match all.into_iter().find(|(rows, path)| path.exists() && !has_metadata(rows)) {
            Some((rows, path)) => Err(Error::StaleBasis { path, rows: rows.clone() }),
            None => Ok(Vec::new()),
        },
    }
}

/// Returns whether rows say themselves what they depend on, which is asked first.
fn has_metadata(rows: &Path) -> bool {
    RowFormat::from_path(rows).is_ok_and(|format| matches!(format, RowFormat::Parquet | RowFormat::Arrow))
}
