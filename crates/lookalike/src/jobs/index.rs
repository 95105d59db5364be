//! Documents put into a stored index.

use super::dedup::{Adding, dedup};
use super::running::{JobCommand, Purpose, Running};
use super::stored_parameters::{StoredParameters, notation_for};
use crate::base::details::{OfTexts, WholeTextConflict};
use crate::base::{Contradiction, Error, OutputKind, Progress, Result, Stage};
use crate::corpus::{Corpus, Records, stored_notation};
use crate::job::{Data, Job};
use crate::report::{CorpusCounts, Found, IndexCounts, Report};
use crate::write::{AnswerOutput, Known, Replacing, StoredCorpus, give_resources, written};
use lookalike_core::Resources;
use lookalike_core::comparison::{Features, Measure, Method};
use lookalike_core::hash::HashSecret;
use lookalike_core::rule::Rule;
use lookalike_core::similarity::{Overlap, Weights};
use lookalike_core::terms::DocumentFrequencies;
use lookalike_index::{
    Documents, Durability, Index, IndexWriter, Inserted, Insertion, Prepared, Settings, Storage, check_free,
    sync_folder,
};
use lookalike_io::base::details::Action;
use lookalike_io::{
    Inputs,
    outputs::StagingFolder,
    rows::{AnswerFields, AnswerRow, Figures, Verified},
    sources::{Carried, Discovered},
};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A change of an index.
#[derive(Debug, Clone, Default)]
pub struct IndexChange {
    /// The documents are its inputs; of an index that is made, features, measure with the lowest threshold, method, and
    /// what of the inputs is stored.
    pub job: Job,
    /// The folder of the index.
    pub index: PathBuf,
    /// Events that acknowledged documents survive.
    pub durability: Durability,
    /// Seconds after which the documents are gone; `None` for never.
    pub time_to_live: Option<u64>,
    /// Choice of the documents that are added.
    pub additions: AdditionPolicy,
    /// `true` if documents may take the place of others with the same ids.
    pub replacing: Replacing,
    /// Stored form of sets, of an index that is made. For signatures the method is MinHash.
    pub storage: Storage,
    /// Key of the hashes of shingles, of an index that is made.
    pub keying: Keying,
}

/// Key of the hashes of the shingles of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keying {
    /// The key of batch jobs, which everybody knows: other files fit the index.
    #[default]
    Public,
    /// A secret of the index: nobody can search for texts that collide with those of others.
    Secret,
}

impl Keying {
    /// The features of an index that is made.
    fn features(self, features: &Features) -> Features {
        match self {
            Self::Public => features.clone(),
            Self::Secret => {
                // A pseudorandom function under 128 random bits of the system.
                let random = RandomState::new();
                let words = [0u8, 1, 2, 3].map(|number| random.hash_one(number));
                features.with_hash_secret(HashSecret::new(words))
            }
        }
    }
}

/// Choice of documents that are added to an index.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum AdditionPolicy {
    /// Every document, in place of one with the same id.
    #[default]
    All,
    /// Documents to which none of the index, or of those before them, is near; by the measure of the index, or by this
    /// one with a higher threshold. Rows say which is near.
    UnlessNear(Option<Measure>),
}

/// Documents that are compared with the index at once.
const GROUP: usize = 1 << 9;

/// Makes an index of the inputs, which may be none. It appears as a whole or not at all.
///
/// # Errors
/// As [`crate::jobs::run()`]; if the folder is there and not empty.
pub fn create_index(
    change: &IndexChange,
    data: &Data,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let IndexChange { job, index: path, .. } = change;
    if job.features == Features::WholeText {
        return Err(Contradiction::NotForWholeTexts { found: WholeTextConflict::Index }.into());
    }
    check_free(path)?;
    // The folder in which we stand cannot be replaced, empty or not.
    let Some(name) = path.file_name() else {
        return Err(lookalike_index::Error::IsThere { path: path.clone() }.into());
    };
    // Whatever must contain the other is found by what is stored.
    let method = method_for(change.storage, job.method);
    let features = change.keying.features(&job.features);
    let measure = job.measure.of_either_side();
    let carried = Carried { names: true, ..job.inputs.carried.clone() };
    let inputs_of_job = Inputs { carried, ..job.inputs.clone() };
    let job = Job { inputs: inputs_of_job, rule: Rule::Pairs, features, measure, method, ..job.clone() };
    job.check_counts()?;
    let notation = stored_notation(&notation_for(&job.inputs)?)?;
    settings_for(change.storage, &job).check()?;
    let command = JobCommand {
        name: "index create",
        writes: &[OutputKind::Summary],
        stages: vec![Stage::READING, Stage::WRITING],
    };
    let running = Running::begin_with(command, (&job, data), resources, progress)?.reading_for(Purpose::NewIndex);
    running.job.check_comparison()?;
    running.job.check_no_signatures(OfTexts::Index)?;
    let sources = running.with_references(inputs(&running, data)?)?;
    let (corpus, records) = running.read(&sources)?;
    let job = &running.job;
    let session = &running.session;
    let frequencies = frequencies_for(&running, &corpus)?;
    let settings = Settings { notation, ..settings_for(change.storage, job) };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let staging = StagingFolder::for_index(parent)?;
    let made = staging.path().join(name);
    let counts = session.stage(Stage::over_documents(Stage::WRITING, corpus.len()), || {
        let mut writer = IndexWriter::create_with(&made, settings, frequencies.as_ref(), change.durability)?;
        give_resources(&mut writer, session);
        let stored = StoredCorpus::of_first(&corpus, corpus.len(), session).expiring(expires(change));
        let (stored, known) = stored.without_known(&writer.index().view())?;
        if !stored.is_empty() {
            written(writer.load(&stored), session)?;
        }
        Result::Ok(PutCounts { documents: stored.len() as u64, known, ..PutCounts::default() }.counts(&writer))
    })?;
    // A folder that is there is empty.
    let _ = fs::remove_dir(path);
    fs::rename(&made, path).map_err(|source| lookalike_io::Error::io(Action::Write, path, source))?;
    sync_folder(parent)?;
    let found = Found::Index { counts, listed: Vec::new() };
    running.finish(Vec::new(), found, CorpusCounts::new(&corpus, &records))
}

/// Adds the inputs to an index: all that are to be added, or none. Inputs of [`AdditionPolicy::UnlessNear`] are there
/// after the outputs have their names.
///
/// # Errors
/// As [`crate::jobs::run()`]; if the index is written to by another process, damaged, or of other features.
pub fn add_to_index(
    change: &IndexChange,
    data: &Data,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    add_to_open_index(&mut IndexWriter::open(&change.index, change.durability)?, change, data, resources, progress)
}

/// Adds the inputs to an index that is open; the path in `change` and its durability are not looked at.
///
/// # Errors
/// As [`add_to_index`].
pub fn add_to_open_index(
    writer: &mut IndexWriter,
    change: &IndexChange,
    data: &Data,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let settings = writer.index().settings().clone();
    let mut job = job_of(&change.job, &writer.index())?;
    job.inputs.components = writer.index().dimensions()?;
    let writes = &[OutputKind::Rows, OutputKind::Summary];
    let command = JobCommand { name: "index add", writes, stages: vec![Stage::READING, Stage::WRITING] };
    let running = Running::begin_with(command, (&job, data), resources, progress)?.reading_for(Purpose::Index);
    running.job.check_comparison()?;
    settings.check_features(&running.job.features)?;
    let job = &running.job;
    let session = &running.session;
    let rows = running.rows_or_report();
    let figure = settings.storage.figure(settings.measure);
    let mut output = AnswerOutput::create(rows, &job.outputs, figure, AnswerFields::Absent, &session.staging())?;
    let sources = running.with_references(inputs(&running, data)?)?;
    let (corpus, records) = running.read(&sources)?;
    give_resources(writer, session);
    let view = writer.index().view();
    let stored = StoredCorpus::of_first(&corpus, corpus.len(), session).expiring(expires(change));
    let (stored, known) = stored.without_known(&view)?;
    if change.replacing == Replacing::Refused {
        stored.check_new(&view)?;
    }
    let put = PutCounts { before: view.len() as u64, documents: stored.len() as u64, known, near: 0 };
    drop(view);
    let stage = Stage::over_documents(Stage::WRITING, stored.len());
    let (counts, prepared) = session.stage(stage, || match change.additions {
        AdditionPolicy::All => {
            written(writer.add(&stored), session)?;
            Result::Ok((put.counts(writer), None))
        }
        AdditionPolicy::UnlessNear(measure) => {
            let measure = measure.unwrap_or(settings.measure);
            let insertion = writer.insertion(measure)?;
            let (near, prepared) = add_unless_near(&stored, &records, insertion, measure, &mut output)?;
            Ok((PutCounts { near, ..put }.counts_of(prepared.documents(), prepared.bytes()), Some(prepared)))
        }
    })?;
    let (file, listed) = output.finish()?;
    let found = Found::Index { counts, listed };
    let report = running.finish(file.into_iter().collect(), found, CorpusCounts::new(&corpus, &records))?;
    // Outputs first: of a job that ends between the two nothing is in the index, and run again it gives the same.
    prepared.map_or(Ok(()), |prepared: Prepared<'_>| Ok::<_, Error>(prepared.commit()?))?;
    Ok(report)
}

/// Decides by the rule `beside` which of the inputs stay beside the documents of an index and beside each other, in the
/// order of the rule of the job, writes these as the job says, and adds them to the index, all at the moment in which
/// the outputs appear. The measure is that of the job. A document is not compared with one of the same id, which it
/// replaces, so running the job again gives the same.
///
/// # Errors
/// As [`crate::jobs::run()`]; if the index is written to by another process, damaged, or of other features.
pub fn dedup_into_index(change: &IndexChange, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let writer = IndexWriter::open(&change.index, change.durability)?;
    let inputs = StoredParameters::of_index(&writer.index())?.inputs(change.job.inputs.clone())?;
    let inputs = Inputs { against: vec![change.index.clone()], ..inputs };
    let keep = change.job.rule.order().cloned().unwrap_or_default();
    let rule = Rule::Beside { keep };
    let job = Job { inputs: carrying(inputs, writer.index().settings()), rule, ..change.job.clone() };
    job.check_counts()?;
    let adding = Adding { writer, expires: expires(change), replacing: change.replacing };
    dedup(&job, Some(adding), resources, progress)
}

fn inputs(running: &Running<'_>, data: &Data) -> Result<Discovered> {
    let has_inputs = !running.job.inputs.inputs.is_empty() || data.inputs.is_some();
    if has_inputs { running.discover() } else { Ok(Discovered::nothing()) }
}

/// Settings of the index that a job makes.
fn settings_for(storage: Storage, job: &Job) -> Settings {
    let Carried { fields, texts, names: _ } = job.inputs.carried.clone();
    Settings { texts, fields, storage, ..Settings::new(job.features.clone(), job.measure, job.method) }
}

/// The method of an index that stores this: bands for signatures, unless another method was asked for.
fn method_for(storage: Storage, method: Method) -> Method {
    match (storage, method) {
        (Storage::Signatures, Method::Auto(minhash)) => Method::MinHash(minhash),
        (Storage::Signatures | Storage::Sets, method) => method,
    }
}

/// The job that reads documents for an index.
fn job_of(job: &Job, index: &Index) -> Result<Job> {
    let settings = index.settings();
    let features = if job.features == Features::default() { settings.features.clone() } else { job.features.clone() };
    let inputs = StoredParameters::of_index(index)?.inputs(carrying(job.inputs.clone(), settings))?;
    let measure = settings.measure;
    let outputs = job.outputs.sparing(index.path());
    Ok(Job { inputs, features, measure, method: settings.method, rule: Rule::Pairs, outputs, ..job.clone() })
}

/// The inputs, with what the index stores of them, and the names of records without an id.
fn carrying(inputs: Inputs, settings: &Settings) -> Inputs {
    let Settings { texts, fields, .. } = settings;
    Inputs { carried: Carried { fields: fields.clone(), texts: *texts, names: true }, ..inputs }
}

/// The document frequencies by which an index weighs terms, if it does: those that are given, else those of its first
/// documents.
fn frequencies_for(running: &Running<'_>, corpus: &Corpus) -> Result<Option<DocumentFrequencies>> {
    let Running { job, session, .. } = running;
    match job.measure.weighted() {
        Some(cosine) if cosine.weights == Weights::TfIdf => match &job.idf {
            Some(path) => crate::corpus::read_frequencies(path, &job.features).map(Some),
            None => corpus.document_frequencies(session).map(Some),
        },
        _ => Ok(None),
    }
}

fn expires(change: &IndexChange) -> Option<u64> {
    change.time_to_live.map(expiry_after)
}

/// The second since 1970 from which on a document is gone that comes now and stays for some seconds.
pub fn expiry_after(seconds: u64) -> u64 {
    expiry_at(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default(), seconds)
}

fn expiry_at(now: Duration, seconds: u64) -> u64 {
    // An end is a whole second: rounded up, or a document would go before its time.
    let now = now.as_secs() + u64::from(now.subsec_nanos() > 0);
    now.saturating_add(seconds)
}

/// Numbers of documents that were put into an index.
#[derive(Debug, Clone, Copy, Default)]
struct PutCounts {
    /// Documents that the index had before.
    before: u64,
    /// Documents that were put, those among them that others are near to.
    documents: u64,
    near: u64,
    known: Known,
}

impl PutCounts {
    fn counts(self, writer: &IndexWriter) -> IndexCounts {
        let info = writer.index().info();
        self.counts_of(info.documents, info.bytes)
    }

    /// The counts of an index that then has so many documents and bytes.
    fn counts_of(self, after: u64, bytes: u64) -> IndexCounts {
        let Self { before, documents, near, known } = self;
        let put = documents - near;
        // What is put again takes the place of itself.
        let replaced = (before + put).saturating_sub(after + known.renewed);
        let added = put.saturating_sub(known.renewed);
        IndexCounts { added, replaced, near, known: known.documents, documents: after, bytes }
    }
}

/// Prepares to add the documents to which none is near, and writes a row for each of the others; returns the number of
/// these.
fn add_unless_near<'w>(
    stored: &StoredCorpus<'_>,
    records: &Records,
    mut insertion: Insertion<'w>,
    measure: Measure,
    output: &mut AnswerOutput,
) -> Result<(u64, Prepared<'w>)> {
    let session = stored.session();
    let mut near = 0;
    for begin in (0..stored.len()).step_by(GROUP) {
        session.stages.check()?;
        session.stages.progress.advance(GROUP.min(stored.len() - begin) as u64);
        let range = begin..stored.len().min(begin + GROUP);
        let documents = range.clone().map(|document| stored.document(document));
        let documents = documents.collect::<lookalike_index::Result<Vec<_>>>()?;
        let (next, decided) = insertion.insert(documents)?;
        insertion = next;
        for (document, inserted) in range.zip(decided) {
            if let Inserted::Near { id, answer, reason } = inserted {
                near += 1;
                let (document, query) = stored.record(document);
                let containments = answer.found.overlap().map(Overlap::containments);
                let interval = answer.found.interval();
                let verified = Verified { similarity: answer.similarity, containments, interval };
                let row = AnswerRow::new(query, 1, &id, Figures::new(measure.figure(), verified), reason);
                output.add(AnswerRow { rows: [records.row(document), None], ..row })?;
            }
        }
    }
    Ok((near, insertion.prepare()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_to_live_never_ends_early() {
        for (now_ms, seconds, expiry) in [(10_000, 1, 11), (10_001, 1, 12), (10_999, 1, 12), (0, u64::MAX, u64::MAX)] {
            assert_eq!(expiry_at(Duration::from_millis(now_ms), seconds), expiry, "{now_ms} ms");
        }
    }
}
