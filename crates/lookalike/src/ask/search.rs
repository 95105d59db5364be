//! Documents near to queries, in a corpus that is read, a snapshot, or an index.

use super::answering::{AnswerCollector, QueryTarget, Shortness};
use super::open_index::{Naming, OpenIndex, answer_fields};
use super::question::{AnswerLimits, AnswersFrom, Queries, Search};
use crate::base::details::{IndexParameter, WholeTextConflict};
use crate::base::{Contradiction, Error, OutputKind, Progress, Result, Stage};
use crate::corpus::{Corpus, ShortTextsOf, find_short_texts, may_be_short};
use crate::job::{Check, Data, Job};
use crate::jobs::{INPUTS_IN_MEMORY, JobCommand, Purpose, Running, StoredParameters};
use crate::pipeline;
use crate::report::{CorpusCounts, Report, SearchCounts};
use crate::write::temporary_index;
use lookalike_core::comparison::{Features, Measure, Method, reaching_by_interval};
use lookalike_core::documents::ElementSets;
use lookalike_core::kernel::Kernel;
use lookalike_core::rule::Rule;
use lookalike_core::sets::{Containment, Side};
use lookalike_core::similarity::{Limit, Threshold};
use lookalike_core::{DocId, Resources};
use lookalike_index::{Index, MANIFEST, Settings};
use lookalike_io::{
    BadRecord, Inputs, Place, Position, Source,
    rows::AnswerFields,
    sources::{Discovered, InMemory},
};
use std::path::{Path, PathBuf};

/// Queries from which on a corpus is indexed, if a threshold is given.
const MIN_INDEXED: usize = 64;

/// Finds the documents that are near to each query, the most similar first.
///
/// Queries in memory that have fewer tokens than a shingle, all of them, could only be equal to documents by a measure
/// that counts common shingles. If none was requested, they are looked for as a whole: answers are the documents that
/// contain them, as far as their texts are there.
///
/// # Errors
/// As [`crate::jobs::run()`]; [`Error::NoQueries`], [`Error::NoElements`], [`Error::EmptyCorpus`],
/// [`Error::NotInCorpus`]; if an index was made for other features or another measure.
pub fn search(search: &Search, data: &Data, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let has_inputs = !search.job.inputs.inputs.is_empty() || data.inputs.is_some();
    if !has_inputs && search.ids.is_empty() {
        return Err(Error::NoQueries);
    }
    if search.job.features == Features::WholeText {
        return Err(Contradiction::NotForWholeTexts { found: WholeTextConflict::Search }.into());
    }
    if let Method::Fingerprint(_) = search.job.method {
        return Err(lookalike_core::Error::AllSetsNeeded { method: "fingerprint" }.into());
    }
    let index = match (&search.index, index_among(&search.corpus)) {
        (Some(index), _) => Some(index.clone()),
        (None, Some(path)) => Some(Index::open(path)?),
        (None, None) => None,
    };
    if let Some(index) = index.as_ref().filter(|index| index.torn_bytes() > 0) {
        progress.interrupted_write(index.path(), index.torn_bytes());
    }
    let look_up = if is_short(search, index.as_ref(), data) { LookUp::Whole } else { LookUp::Shingles };
    let asking = SearchQueries { search, data, has_inputs, look_up };
    match index {
        Some(index) => search_index(asking, &index, resources, progress),
        None => search_corpus(asking, resources, progress),
    }
    .map_err(|error| with_query(error, data))
}

/// An error that names the query, if it tells of one in memory that has no other name.
fn with_query(error: Error, data: &Data) -> Error {
    let (Error::BadRecord { record }, Some(InMemory::Texts(texts))) = (&error, &data.inputs) else { return error };
    let BadRecord { place: Place { path, position: Position::Row(row) }, problem } = record else { return error };
    if texts.have_ids() || **path != *Path::new(INPUTS_IN_MEMORY) {
        return error;
    }
    let query = texts.iter().nth(*row as usize).flatten().map(str::to_owned);
    query.map(|query| Error::WrongQuery { query, problem: problem.clone() }).unwrap_or(error)
}

/// Ways to look for queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LookUp {
    /// Shingles of the query.
    Shingles,
    /// Whole query inside texts: each query is shorter than a shingle.
    Whole,
}

/// Returns whether the queries are texts in memory of fewer tokens than a shingle has, whose measure is left to the
/// search.
fn is_short(search: &Search, index: Option<&Index>, data: &Data) -> bool {
    let Search { job, from, explicit, .. } = search;
    let settings = index.map(|index| index.settings());
    let is_default = match settings {
        Some(settings) => settings.texts && finds_containers(job.measure, settings.measure),
        None => job.measure == Measure::default() && !explicit.measure,
    };
    let is_default = is_default && *from == AnswersFrom::Lowest;
    let is_plain = search.ids.is_empty() && job.check == Check::Hashes && job.signatures.is_none();
    let Some(InMemory::Texts(texts)) = data.inputs.as_ref().filter(|_| is_default && is_plain) else { return false };
    let features = settings.map_or(&job.features, |settings| &settings.features);
    if !matches!(features, Features::Set { .. }) || !may_be_short(&job.inputs, features) {
        return false;
    }
    let mut extractor = features.extractor(Kernel::detect());
    let mut are_short = |text: &str| {
        let counted = extractor.push(text, &mut ElementSets::new());
        counted.is_ok_and(|counts| extractor.is_short(counts.tokens))
    };
    let mut texts = texts.iter().peekable();
    texts.peek().is_some() && texts.all(|text| text.is_some_and(&mut are_short))
}

/// Returns whether a search of an index made for `stored` may ask for the documents that contain a query.
fn finds_containers(requested: Measure, stored: Measure) -> bool {
    let is_inside_query = |containment: Containment| containment.contained == Side::OfReference;
    let is_of_kind = stored.kind() == Measure::default().kind() || stored.contained().is_some();
    is_of_kind && !requested.contained().is_some_and(is_inside_query)
}

/// Containment of a whole query.
fn whole_query(measure: Measure) -> Measure {
    let threshold = Threshold::ONE;
    let contained = Side::InReference;
    let empty = measure.empty();
    Measure::Containment(Containment { threshold, contained, empty })
}

/// The index that is searched by its keys; `None` if documents are read, those of several indexes among them.
fn index_among(corpus: &[PathBuf]) -> Option<&Path> {
    match corpus {
        [one] if one.join(MANIFEST).is_file() => Some(one),
        _ => None,
    }
}

fn command_of(stages: Vec<&'static str>) -> JobCommand {
    const WRITES: &[OutputKind] = &[OutputKind::Rows, OutputKind::Summary, OutputKind::DocumentFrequencies];
    JobCommand { name: "search", writes: WRITES, stages }
}

/// The queries of a search.
#[derive(Clone, Copy)]
struct SearchQueries<'a> {
    search: &'a Search,
    data: &'a Data,
    /// True if there are queries beside those that are named by their ids.
    has_inputs: bool,
    look_up: LookUp,
}

fn search_corpus(asking: SearchQueries<'_>, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let SearchQueries { search, data, has_inputs, look_up } = asking;
    let mut job = Job { rule: Rule::Against, ..search.job.clone() };
    job.inputs.against.clone_from(&search.corpus);
    job.check_counts()?;
    let mut stages = vec![Stage::READING];
    stages.extend(job.measure.weighted().map(|_| Stage::WEIGHING));
    stages.push(Stage::SEARCHING);
    let command = command_of(stages);
    let running = Running::begin_with(command, (&job, data), resources, progress)?.reading_for(Purpose::Questions);
    running.job.check_comparison()?;
    let job = &running.job;
    let session = &running.session;
    let sources = running.with_references(if has_inputs { running.discover()? } else { Discovered::nothing() })?;
    // Snapshots and indexes, beside others or as queries, hold no texts that could be looked into.
    let are_texts = !sources.references.sources.iter().chain(&sources.inputs.sources).any(Source::is_stored);
    let look_up = if are_texts { look_up } else { LookUp::Shingles };
    let measure = measure_of_corpus(search.from, job.measure, look_up);
    let mut answering = AnswerCollector::begin(&running, search, measure, measure.figure(), AnswerFields::Absent)?;
    let (mut corpus, records) = running.read(&sources)?;
    let contained = measure.contained().filter(|_| are_texts).map(|containment| containment.contained);
    if let Some(contained) = contained {
        let inputs = &job.inputs;
        let features = &job.features;
        find_short_texts(&mut corpus, &records, ShortTextsOf { inputs, features, contained }, session)?;
        answering.shortness = Shortness::Harmless;
    }
    let first = || search.corpus.first().cloned().unwrap_or_else(|| PathBuf::from("the corpus"));
    let references = corpus.listing.references;
    if references == 0 {
        return Err(Error::EmptyCorpus { path: first() });
    }
    let mut documents = ids_of(&corpus, &search.ids, &first)?;
    documents.extend(corpus.documents().skip(references));
    // Answers are judged by the measure that was requested, and found if their interval reaches it.
    let reaching = reaching_by_interval(measure, pipeline::components_of(&corpus));
    let wanted = AnswerLimits { measure: reaching, limit: search.limit };
    let queries = Queries { corpus: &corpus, records: &records, documents: &documents, wanted };
    answering.counts = SearchCounts { documents: references as u64, expected_recall: 1.0, ..SearchCounts::default() };
    answering.count(&queries);
    answering.count_documents(DocId::all(references).map(|document| corpus.sets.size(document)));
    answering.check_elements()?;
    answering.counts.looked_up = if look_up == LookUp::Whole { answering.counts.queries } else { 0 };
    let is_indexed = search.from == AnswersFrom::Threshold
        && documents.len() >= MIN_INDEXED
        && search.ids.is_empty()
        && measure.weighted().is_none()
        && !measure.is_of_vectors()
        && !queries.have_short_texts();
    if is_indexed {
        let settings = Settings::new(job.features.clone(), reaching, job.method);
        answering.counts.expected_recall = settings.expected_recall()?;
        session.stages.next_is_part();
        let (writer, _folder) = temporary_index(&corpus, references, settings, session)?;
        let index = writer.index();
        let view = index.view();
        let index = OpenIndex { index: &index, view: &view, naming: Naming::Read(&records) };
        answering.answer(&QueryTarget::Index(index), &queries, session)?;
    } else {
        answering.answer(&QueryTarget::Documents(references), &queries, session)?;
    }
    answering.finish(running, CorpusCounts::new(&corpus, &records), &records, data)
}

/// The measure by which a corpus that was read is queried, for whole queries or by its shingles.
fn measure_of_corpus(from: AnswersFrom, measure: Measure, look_up: LookUp) -> Measure {
    match from {
        AnswersFrom::Lowest if look_up == LookUp::Whole => whole_query(measure),
        AnswersFrom::Lowest => measure.lowest(),
        AnswersFrom::Threshold => measure,
    }
}

/// The documents of the corpus with these ids.
fn ids_of(corpus: &Corpus, ids: &[String], first: &dyn Fn() -> PathBuf) -> Result<Vec<DocId>> {
    let find = |id: &String| {
        let mut references = DocId::all(corpus.listing.references);
        let found = references.find(|&document| corpus.listing.ids.get(document) == id);
        found.ok_or_else(|| Error::NotInCorpus { path: first(), id: id.clone() })
    };
    ids.iter().map(find).collect()
}

fn search_index(
    asking: SearchQueries<'_>,
    index: &Index,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let SearchQueries { search, data, has_inputs, look_up } = asking;
    let (job, requested) = job_for_index(search, index)?;
    index.check_measure(requested)?;
    let measure = if look_up == LookUp::Whole { whole_query(requested) } else { requested };
    let asking = if look_up == LookUp::Whole { Stage::LOOKING_INTO_TEXTS } else { Stage::SEARCHING };
    let command = command_of(vec![Stage::READING, asking]);
    let running = Running::begin_with(command, (&job, data), resources, progress)?.reading_for(Purpose::Index);
    running.job.check_comparison()?;
    index.settings().check_features(&running.job.features)?;
    let session = &running.session;
    let view = index.view();
    let figure = index.settings().storage.figure(measure);
    let mut answering = AnswerCollector::begin(&running, search, measure, figure, answer_fields(index.settings()))?;
    if view.is_empty() {
        return Err(Error::EmptyCorpus { path: index.path().to_owned() });
    }
    let inputs = if has_inputs { running.discover_batches()? } else { Discovered::nothing() };
    let expected_recall = index.settings().expected_recall()?;
    let documents = view.len() as u64;
    answering.counts = SearchCounts { documents, in_index: true, expected_recall, ..SearchCounts::default() };
    answering.count_documents(view.places().map(|place| view.size(place)));
    let open = OpenIndex::stored(index, &view);
    let target = if look_up == LookUp::Whole { QueryTarget::Texts(open) } else { QueryTarget::Index(open) };
    let wanted = AnswerLimits { measure, limit: search.limit };
    ask_for_ids(&search.ids, &open, wanted, &mut answering)?;
    let (corpus, records) = running.read_batches(&running.with_references(inputs)?, |corpus, records| {
        let documents: Vec<DocId> = corpus.documents().collect();
        let queries = Queries { corpus, records, documents: &documents, wanted };
        answering.count(&queries);
        answering.answer(&target, &queries, session)?;
        if look_up == LookUp::Whole {
            answering.counts.looked_up += documents.len() as u64;
            answering.counts.expected_recall = 1.0;
        }
        answering.output.show(session.stages.progress)
    })?;
    answering.check_elements()?;
    answering.finish(running, corpus, &records, data)
}

/// Answers for the documents of the index that are queried by their ids.
fn ask_for_ids(
    ids: &[String],
    open: &OpenIndex<'_>,
    wanted: AnswerLimits,
    answering: &mut AnswerCollector,
) -> Result<()> {
    let OpenIndex { index, view, .. } = *open;
    let mut searcher = index.searcher();
    for id in ids {
        let not_there = || Error::NotInCorpus { path: index.path().to_owned(), id: id.clone() };
        let place = view.find(id).ok_or_else(not_there)?;
        answering.counts.queries += 1;
        answering.first.get_or_insert_with(|| id.clone());
        if view.size(place) == 0 {
            answering.counts.without_elements += 1;
            continue;
        }
        answering.add(id, None, open.ask_stored(&mut searcher, place, wanted)?)?;
    }
    Ok(())
}

/// The job that reads the queries, by what the index was made for where the search says nothing else, and the measure
/// by which it is queried.
fn job_for_index(search: &Search, index: &Index) -> Result<(Job, Measure)> {
    let Search { job, from, explicit, .. } = search;
    let settings = index.settings();
    let has_method = job.method != Method::default() || explicit.method;
    if has_method && job.method != settings.method {
        return Err(Error::OfIndex { parameter: IndexParameter::Method, path: index.path().to_owned() });
    }
    if job.idf.is_some() {
        return Err(Error::OfIndex { parameter: IndexParameter::Frequencies, path: index.path().to_owned() });
    }
    let has_features = job.features != Features::default() || explicit.features;
    let features = if has_features { &job.features } else { &settings.features };
    let has_measure = job.measure.kind() != Measure::default().kind() || explicit.measure;
    let is_of_kind = job.measure.kind() == settings.measure.kind();
    let measure = match (from, job.measure.limit(), settings.measure.limit()) {
        (AnswersFrom::Lowest, ..) if !has_measure => settings.measure,
        (AnswersFrom::Threshold, Limit::Similarity(threshold), _) if !has_measure => {
            settings.measure.with_threshold(threshold).unwrap_or(job.measure)
        }
        // Which document must contain the other is said by the search.
        (AnswersFrom::Lowest, _, Limit::Similarity(threshold)) if is_of_kind => {
            job.measure.with_threshold(threshold).unwrap_or(settings.measure)
        }
        // Those of images have a limit of their own if none was given.
        (AnswersFrom::Lowest, Limit::Distance(_) | Limit::Within(_), _) if is_of_kind => settings.measure,
        _ => job.measure,
    };
    let inputs = StoredParameters::of_index(index)?.inputs(job.inputs.clone())?;
    let inputs = Inputs { components: index.dimensions()?, ..inputs };
    let features = features.clone();
    let outputs = job.outputs.sparing(index.path());
    let reading = Job { inputs, features, measure: settings.measure, rule: Rule::Pairs, outputs, ..job.clone() };
    Ok((Job { method: Method::Exact, ..reading }, measure))
}
