//! Documents near to queries, in a corpus that is read, a snapshot, or an index.

use crate::corpus::{Corpus, Records, ShortTextsOf, find_short_texts, may_be_short};
use crate::ground::details::{IndexParameter, WholeTextConflict};
use crate::ground::{Contradiction, Error, OutputKind, Progress, Result};
use crate::job::{Check, Data, Job};
use crate::jobs::counts::{CorpusCounts, SearchCounts};
use crate::jobs::report::{Found, QueryState, Report};
use crate::jobs::running::{Command, Purpose, Running};
use crate::jobs::stored_nouns::StoredNouns;
use crate::pipeline;
use crate::run::Session;
use crate::search::{
    FoundAnswer, Queries, ask_for_stored, ask_index, compare_all, look_into_texts, measure_recall, stored_fields,
    temporary_index, told_fields,
};
use crate::write::AnswerOutput;
use lookalike_core::comparison::{Features, Measure, Method, reaching_by_interval};
use lookalike_core::details::KeysOfAll;
use lookalike_core::documents::ElementSets;
use lookalike_core::kernel::Kernel;
use lookalike_core::rule::Rule;
use lookalike_core::sets::{Containment, Side};
use lookalike_core::similarity::{Figure, Limit, Threshold};
use lookalike_core::{DocId, Resources};
use lookalike_index::{Index, MANIFEST, Place, Settings, View};
use lookalike_io::{AnswerFields, AnswerRow, Discovered, InMemory, Inputs, Source, StoredFields};
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// A search: queries, and where their neighbours are looked for.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// The queries are its inputs; features, measure and method are those of the search, its rows the answers.
    pub job: Job,
    /// Inputs of any kind; none if the documents are in memory.
    pub corpus: Vec<PathBuf>,
    /// An index that is open, in place of the corpus.
    pub index: Option<Index>,
    /// Documents of the corpus that are asked about, by their ids; they are no answers to themselves.
    pub ids: Vec<String>,
    /// How many answers a query has at most; `None` for all.
    pub limit: Option<NonZeroUsize>,
    /// Whether the recall of a method that is not complete is measured. A sample of the queries is compared with every
    /// document, which may take longer than the search itself.
    pub recall: RecallMeasurement,
    /// From which similarity on documents are answers.
    pub from: From,
    /// Which nouns of the job were given.
    pub given: Given,
}

/// Which nouns of a search were given: an index is asked by its own where none was, and answers by no other. One that
/// is not the default was given in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given {
    /// What a document becomes.
    pub features: bool,
    /// What "alike" means, beside the threshold.
    pub measure: bool,
    /// How candidates are found.
    pub method: bool,
}

/// From which similarity on documents are answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum From {
    /// The threshold of the measure.
    Threshold,
    /// The lowest that can be asked for: of an index the one that it was made for, else anything in common.
    #[default]
    Lowest,
}

/// Whether the recall of a search is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecallMeasurement {
    /// It is expected, and not measured.
    #[default]
    Omitted,
    /// It is measured on a sample of the queries, if they are many enough.
    Sampled,
}

/// Queries from which on a corpus is indexed, if a threshold is given.
const MIN_INDEXED: usize = 64;

/// Finds the documents that are near to each query, the most similar first.
///
/// Queries in memory that have fewer tokens than a shingle, all of them, could only be equal to documents by a measure
/// that counts common shingles. If none was asked for, they are looked for as a whole: answers are the documents that
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
        return Err(lookalike_core::Error::AllSetsNeeded { method: KeysOfAll::Fingerprint }.into());
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
    match index {
        Some(index) => search_index(search, &index, (data, has_inputs, look_up), resources, progress),
        None => search_corpus(search, (data, has_inputs, look_up), resources, progress),
    }
}

/// How queries are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LookUp {
    /// By their shingles.
    Shingles,
    /// As a whole inside texts: each is shorter than a shingle.
    Whole,
}

/// Whether the queries are texts in memory of fewer tokens than a shingle has, whose measure is left to the search.
fn is_short(search: &Search, index: Option<&Index>, data: &Data) -> bool {
    let Search { job, from, given, .. } = search;
    let settings = index.map(|index| index.settings());
    let is_default = match settings {
        // The measure of the job is that of the index. One without texts cannot be looked into.
        Some(settings) => settings.texts && settings.measure.kind() == Measure::default().kind(),
        None => job.measure == Measure::default() && !given.measure,
    };
    let is_default = is_default && *from == From::Lowest;
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

/// Containment of a whole query.
fn whole_query(measure: Measure) -> Measure {
    let (threshold, contained, empty) = (Threshold::ONE, Side::InReference, measure.empty());
    Measure::Containment(Containment { threshold, contained, empty })
}

/// The index that is searched by its keys; `None` if documents are read, those of several indexes among them.
fn index_among(corpus: &[PathBuf]) -> Option<&Path> {
    match corpus {
        [one] if one.join(MANIFEST).is_file() => Some(one),
        _ => None,
    }
}

fn command_of(stages: usize) -> Command {
    const WRITES: &[OutputKind] = &[OutputKind::Rows, OutputKind::Summary, OutputKind::DocumentFrequencies];
    Command { name: "search", writes: WRITES, stages }
}

/// What a document that is an answer is called.
struct Named {
    id: String,
    /// Its row, if it stands in one.
    row: Option<u64>,
    /// What an index stores of it, if that stores fields.
    fields: Option<StoredFields<'static>>,
}

impl Named {
    /// A document that was read.
    fn read(id: String, row: Option<u64>) -> Self {
        Self { id, row, fields: None }
    }

    /// A document of an index.
    fn stored(view: &View, place: Place, fields: AnswerFields) -> Self {
        let fields = stored_fields(view, place, fields);
        Self { id: view.id(place).to_owned(), row: None, fields }
    }
}

/// Whose texts of one shingle are counted: they may have fewer tokens, and the search does not look for such inside
/// longer ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shortness {
    /// Those of this side of a containment.
    Counted(Side),
    Harmless,
}

impl Shortness {
    fn of(job: &Job, measure: Measure) -> Self {
        match measure.contained().filter(|_| may_be_short(&job.inputs, &job.features)) {
            Some(containment) => Self::Counted(containment.contained),
            None => Self::Harmless,
        }
    }

    /// Whether queries are counted.
    fn is_of_queries(self) -> bool {
        matches!(self, Self::Counted(Side::Either | Side::InReference))
    }

    /// Whether documents are counted.
    fn is_of_documents(self) -> bool {
        matches!(self, Self::Counted(Side::Either | Side::OfReference))
    }
}

/// Rows of answers, and what is counted of them.
struct Answering {
    output: AnswerOutput,
    counts: SearchCounts,
    measure: Measure,
    /// The name of the first query that was read.
    first: Option<String>,
    /// By query with an answer; of queries that arrive, by their numbers in their batches.
    answered: HashSet<DocId>,
    figure: Figure,
    /// Whether rows tell the fields that an index stores.
    fields: AnswerFields,
    shortness: Shortness,
}

impl Answering {
    fn new(
        output: AnswerOutput,
        counts: SearchCounts,
        (job, measure): (&Job, Measure),
        figure: Figure,
        fields: AnswerFields,
    ) -> Self {
        let shortness = Shortness::of(job, measure);
        Self { output, counts, measure, first: None, answered: HashSet::new(), figure, fields, shortness }
    }

    /// Adds the answers to a query, which has a row or none, as its answers have.
    fn add<T>(
        &mut self,
        (query, query_row): (&str, Option<u64>),
        answers: &[FoundAnswer<T>],
        named: impl Fn(&T) -> Named,
    ) -> Result<()> {
        self.counts.answered += u64::from(!answers.is_empty());
        self.counts.answers += answers.len() as u64;
        for (rank, answer) in (1..).zip(answers) {
            let Named { id, row, fields } = named(&answer.document);
            let told = answer.row(query, rank, &id, self.measure);
            self.output.add(AnswerRow { fields, rows: [query_row, row], ..told })?;
        }
        Ok(())
    }

    /// Adds the answers to a query that was read.
    fn add_read<T>(
        &mut self,
        query: DocId,
        answers: &[FoundAnswer<T>],
        (corpus, records): (&Corpus, &Records),
        named: impl Fn(&T) -> Named,
    ) -> Result<()> {
        if !answers.is_empty() {
            self.answered.insert(query);
        }
        // One that is asked about by its id stands in no row of the queries.
        let row = records.row(query).filter(|_| !records.is_reference(query));
        self.add((corpus.listing.ids.get(query), row), answers, named)
    }

    /// Measures the recall once, if it is not promised to be complete.
    fn measure_recall(&mut self, queries: &Queries<'_>, index: (&Index, &View), session: &Session<'_>) -> Result<()> {
        if self.counts.expected_recall < 1.0 && self.counts.measured_recall.is_none() {
            self.counts.measured_recall = measure_recall(queries, index, session)?;
        }
        Ok(())
    }

    /// Counts queries.
    fn count(&mut self, queries: &Queries<'_>) {
        let sizes = queries.documents.iter().map(|&document| queries.corpus.sets.size(document));
        self.counts.queries += queries.documents.len() as u64;
        self.counts.without_elements += sizes.clone().filter(|&size| size == 0).count() as u64;
        if self.shortness.is_of_queries() {
            self.counts.of_one_shingle += sizes.filter(|&size| size == 1).count() as u64;
        }
        if let (None, Some(&first)) = (&self.first, queries.documents.first()) {
            self.first = Some(queries.corpus.listing.ids.get(first).to_owned());
        }
    }

    /// Counts documents by their numbers of elements, where short ones are not looked for.
    fn count_documents(&mut self, sizes: impl Iterator<Item = usize>) {
        if self.shortness.is_of_documents() {
            self.counts.not_looked_up = sizes.filter(|&size| size == 1).count() as u64;
        }
    }

    /// Checks that some query has elements.
    fn check_elements(&self) -> Result<()> {
        let SearchCounts { queries: count, without_elements, .. } = self.counts;
        match self.first.clone().filter(|_| without_elements == count) {
            Some(id) => Err(Error::NoElements { id, count }),
            None => Ok(()),
        }
    }
}

fn search_corpus(
    search: &Search,
    (data, has_inputs, look_up): (&Data, bool, LookUp),
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let mut job = Job { rule: Rule::Against, ..search.job.clone() };
    job.inputs.against.clone_from(&search.corpus);
    job.check_counts()?;
    let command = command_of(2 + usize::from(job.measure.weighted().is_some()));
    let running = Running::begin_with(command, (&job, data), resources, progress)?.reading_for(Purpose::Questions);
    running.job.check_comparison()?;
    let (job, session) = (&running.job, &running.session);
    let sources = running.with_references(if has_inputs { running.discover()? } else { Discovered::nothing() })?;
    // Snapshots and indexes, beside others or as queries, hold no texts that could be looked into.
    let are_texts = !sources.references.sources.iter().chain(&sources.inputs.sources).any(Source::is_stored);
    let look_up = if are_texts { look_up } else { LookUp::Shingles };
    let measure = measure_of_corpus(search.from, job.measure, look_up);
    let (rows, figure) = (running.rows_or_report(), measure.figure());
    let output = AnswerOutput::create(rows, &job.outputs, figure, AnswerFields::Absent, &session.staging())?;
    let (mut corpus, records) = running.read(&sources)?;
    let contained = measure.contained().filter(|_| are_texts).map(|containment| containment.contained);
    if let Some(contained) = contained {
        let (inputs, features) = (&job.inputs, &job.features);
        find_short_texts(&mut corpus, &records, ShortTextsOf { inputs, features, contained }, session)?;
    }
    let first = || search.corpus.first().cloned().unwrap_or_else(|| PathBuf::from("the corpus"));
    let references = corpus.listing.references;
    if references == 0 {
        return Err(Error::EmptyCorpus { path: first() });
    }
    let mut documents = ids_of(&corpus, &search.ids, &first)?;
    documents.extend(corpus.documents().skip(references));
    // Answers are judged by the measure that was asked for, and found if their interval reaches it.
    let reaching = reaching_by_interval(measure, pipeline::components_of(&corpus));
    let queries = Queries { corpus: &corpus, documents: &documents, measure: reaching, limit: search.limit };
    let counts = SearchCounts { documents: references as u64, expected_recall: 1.0, ..SearchCounts::default() };
    let mut answering = Answering::new(output, counts, (job, measure), figure, AnswerFields::Absent);
    if contained.is_some() {
        answering.shortness = Shortness::Harmless;
    }
    answering.count(&queries);
    answering.count_documents(DocId::all(references).map(|document| corpus.sets.size(document)));
    answering.check_elements()?;
    answering.counts.looked_up = if look_up == LookUp::Whole { answering.counts.queries } else { 0 };
    let read = (&corpus, &*records);
    let is_indexed = search.from == From::Threshold
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
        let (index, view) = (writer.index(), writer.index().view());
        if search.recall == RecallMeasurement::Sampled {
            answering.measure_recall(&queries, (&index, &view), session)?;
        }
        ask_index(&queries, (&index, &view), session, |query, answers| {
            answering.add_read(query, &answers, read, |&place| {
                let row = view.ordinal(place).and_then(|ordinal| records.row(DocId(ordinal)));
                Named::read(view.id(place).to_owned(), row)
            })
        })?;
    } else {
        compare_all(&queries, references, session, |query, answers| {
            let name = |document: DocId| corpus.listing.ids.get(document).to_owned();
            let named = |&document: &DocId| Named::read(name(document), records.row(document));
            answering.add_read(query, &answers, read, named)
        })?;
    }
    finish(running, answering, (CorpusCounts::of(&corpus, &records), &records), data)
}

/// The measure by which a corpus that was read is asked, for whole queries or by its shingles.
fn measure_of_corpus(from: From, measure: Measure, look_up: LookUp) -> Measure {
    match from {
        From::Lowest if look_up == LookUp::Whole => whole_query(measure),
        From::Lowest => measure.lowest(),
        From::Threshold => measure,
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

fn finish(
    running: Running<'_>,
    answering: Answering,
    (corpus, records): (CorpusCounts, &Records),
    data: &Data,
) -> Result<Report> {
    let Answering { mut output, mut counts, measure, answered, figure, fields, .. } = answering;
    counts.short = if measure.contained().is_none() { corpus.short } else { 0 };
    output.show(running.session.stages.progress)?;
    let (file, listed) = output.finish()?;
    let state = |document: Option<DocId>| match document {
        None => QueryState::LeftOut,
        Some(document) if answered.contains(&document) => QueryState::Answered,
        Some(_) => QueryState::Unanswered,
    };
    let documents = data.inputs.as_ref().map(|inputs| records.documents_of_rows(inputs.rows()));
    let rows = documents.map(|documents| documents.into_iter().map(state).collect());
    let found = Found::Search { counts, listed, rows, figure, fields };
    running.finish(file.into_iter().collect(), found, corpus)
}

fn search_index(
    search: &Search,
    index: &Index,
    (data, has_inputs, look_up): (&Data, bool, LookUp),
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let (job, asked) = job_for_index(search, index)?;
    index.check_measure(asked)?;
    let measure = if look_up == LookUp::Whole { whole_query(asked) } else { asked };
    let running = Running::begin_with(command_of(2), (&job, data), resources, progress)?.reading_for(Purpose::Index);
    running.job.check_comparison()?;
    index.settings().check_features(&running.job.features)?;
    let (job, session, view) = (&running.job, &running.session, index.view());
    let fields = told_fields(index.settings());
    let figure = index.settings().storage.figure(measure);
    let rows = running.rows_or_report();
    let output = AnswerOutput::create(rows, &job.outputs, figure, fields, &session.staging())?;
    if view.is_empty() {
        return Err(Error::EmptyCorpus { path: index.path().to_owned() });
    }
    let inputs = if has_inputs { running.discover_batches()? } else { Discovered::nothing() };
    let expected_recall = index.settings().expected_recall()?;
    let documents = view.len() as u64;
    let counts = SearchCounts { documents, in_index: true, expected_recall, ..SearchCounts::default() };
    let mut answering = Answering::new(output, counts, (job, measure), figure, fields);
    answering.count_documents(view.places().map(|place| view.size(place)));
    ask_for_ids(search, (index, &view), &mut answering)?;
    let read = running.read_batches(&running.with_references(inputs)?, |corpus, records| {
        let documents: Vec<DocId> = corpus.documents().collect();
        let queries = Queries { corpus, documents: &documents, measure, limit: search.limit };
        answering.count(&queries);
        if look_up == LookUp::Whole {
            look_into_texts(&queries, (index, &view), session, |query, answers| {
                answering.add_read(query, &answers, (corpus, records), |&place| Named::stored(&view, place, fields))
            })?;
            answering.counts.looked_up += documents.len() as u64;
            answering.counts.expected_recall = 1.0;
        } else {
            if search.recall == RecallMeasurement::Sampled {
                answering.measure_recall(&queries, (index, &view), session)?;
            }
            ask_index(&queries, (index, &view), session, |query, answers| {
                answering.add_read(query, &answers, (corpus, records), |&place| Named::stored(&view, place, fields))
            })?;
        }
        answering.output.show(session.stages.progress)
    })?;
    answering.check_elements()?;
    finish(running, answering, (read.0, &read.1), data)
}

/// Answers for the documents of the index that are asked about.
fn ask_for_ids(search: &Search, (index, view): (&Index, &View), answering: &mut Answering) -> Result<()> {
    let mut searcher = index.searcher();
    for id in &search.ids {
        let not_there = || Error::NotInCorpus { path: index.path().to_owned(), id: id.clone() };
        let place = view.find(id).ok_or_else(not_there)?;
        answering.counts.queries += 1;
        answering.first.get_or_insert_with(|| id.clone());
        if view.size(place) == 0 {
            answering.counts.without_elements += 1;
            continue;
        }
        let asked = (answering.measure, search.limit);
        let answers = ask_for_stored((&mut searcher, view), place, asked)?;
        let fields = answering.fields;
        answering.add((id, None), &answers, |&place: &Place| Named::stored(view, place, fields))?;
    }
    Ok(())
}

/// The job that reads the queries, by what the index was made for where the search says nothing else, and the measure
/// by which it is asked.
fn job_for_index(search: &Search, index: &Index) -> Result<(Job, Measure)> {
    let (Search { job, from, given, .. }, settings) = (search, index.settings());
    let is_given = (job.features != Features::default() || given.features, job.method != Method::default());
    if (is_given.1 || given.method) && job.method != settings.method {
        return Err(Error::OfIndex { parameter: IndexParameter::Method, path: index.path().to_owned() });
    }
    if job.idf.is_some() {
        return Err(Error::OfIndex { parameter: IndexParameter::Frequencies, path: index.path().to_owned() });
    }
    let features = if is_given.0 { &job.features } else { &settings.features };
    let (kind, default) = (job.measure.kind(), Measure::default().kind());
    let is_of_kind = kind == settings.measure.kind();
    let measure = match (from, job.measure.limit(), settings.measure.limit()) {
        (From::Lowest, ..) if kind == default && !given.measure => settings.measure,
        (From::Threshold, Limit::Similarity(threshold), _) if kind == default && !given.measure => {
            settings.measure.with_threshold(threshold).unwrap_or(job.measure)
        }
        // Which document must contain the other is said by the search.
        (From::Lowest, _, Limit::Similarity(threshold)) if is_of_kind => {
            job.measure.with_threshold(threshold).unwrap_or(settings.measure)
        }
        // Those of images have a limit of their own if none was given.
        (From::Lowest, Limit::Distance(_) | Limit::Within(_), _) if is_of_kind => settings.measure,
        _ => job.measure,
    };
    let inputs = StoredNouns::of_index(index)?.inputs(job.inputs.clone())?;
    let inputs = Inputs { components: index.dimensions()?, ..inputs };
    let (features, outputs) = (features.clone(), job.outputs.sparing(index.path()));
    let reading = Job { inputs, features, measure: settings.measure, rule: Rule::Pairs, outputs, ..job.clone() };
    Ok((Job { method: Method::Exact, ..reading }, measure))
}
