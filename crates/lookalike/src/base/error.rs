//! Errors that end a job.

use super::details::{IndexParameter, JobSide, StoredScores};
use super::{Contradiction, MemoryLimit, SignatureError, UnusedSetting, WorkFolderError};
use lookalike_core::comparison::{Measure, MeasureKind};
use lookalike_core::similarity::Limit;
use lookalike_core::stored::{Damage, Difference};
use lookalike_core::{ContentKind, counted, printed_path, thousands};
use lookalike_io::{Problem, base::shown, formats::RecordFormat};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that ends the job; no output has appeared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Parameters that cannot be used.
    #[error(transparent)]
    Parameters(#[from] lookalike_core::Error),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] lookalike_io::Error),
    /// An index cannot be opened, changed or asked.
    #[error(transparent)]
    Index(#[from] lookalike_index::Error),
    /// Signatures cannot be made, or cannot be compared.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// Parts of the job that do not go together.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// A work folder that the job cannot go on in.
    #[error(transparent)]
    WorkFolder(#[from] WorkFolderError),
    /// A drawing that cannot be made.
    #[error("cannot draw {name}: {reason}")]
    NotDrawn {
        /// The drawing.
        name: String,
        /// Message of the library for drawings.
        reason: String,
    },
    /// A page that cannot be made.
    #[error("cannot make the page: {reason}")]
    NoPage {
        /// Message of the library for templates.
        reason: String,
    },
    /// Neither documents to ask about were given, nor ids of the corpus.
    #[error("nothing is asked: no query was given")]
    NoQueries,
    /// No query has elements.
    #[error("{}", no_elements(id, *count))]
    NoElements {
        /// The id of the first query.
        id: String,
        /// Number of queries.
        count: u64,
    },
    /// There are no documents to be searched.
    #[error("{} has no documents to be searched", printed_path(path))]
    EmptyCorpus {
        /// The first input.
        path: PathBuf,
    },
    /// Passages are looked for in what holds sets of shingles.
    #[error("{} holds no texts, in which passages stand", printed_path(path))]
    PassagesWithoutTexts {
        /// The snapshot or index.
        path: PathBuf,
    },
    /// Passages are looked for in an index.
    #[error("{} is an index, in which no passages are looked for", path.display())]
    PassagesInIndex {
        /// The index.
        path: PathBuf,
    },
    /// An index is queried with a parameter that only a job has.
    #[error("{} is asked by its own {parameter}, and by no other", printed_path(path))]
    OfIndex {
        /// The parameter.
        parameter: IndexParameter,
        /// The index.
        path: PathBuf,
    },
    /// A text where items are stored, or the other way round.
    #[error("the index is one of {expected}, and {} was given", found.one())]
    OtherContent {
        /// The kind of its documents.
        expected: ContentKind,
        /// The value that was given.
        found: ContentKind,
    },
    /// A vector that cannot be compared.
    #[error("{problem}")]
    WrongVector {
        /// The fault.
        problem: lookalike_io::base::NotAVector,
    },
    /// An item with the character that ends items.
    #[error("an item has the character U+0000, which no item may have")]
    ItemEnd,
    /// An item of a list that cannot be compared.
    #[error("{problem}")]
    WrongItem {
        /// The fault.
        problem: lookalike_io::Problem,
    },
    /// An index of documents that are written in a way which this program does not know.
    #[error("the documents of the index are written in a way that this version of lookalike does not know")]
    UnknownNotation,
    /// No document of the corpus has this id.
    #[error("no document of {} has the id `{}`", printed_path(path), shown(id))]
    NotInCorpus {
        /// The first input.
        path: PathBuf,
        /// The id.
        id: String,
    },
    /// A record cannot be used and errors were to stop the job.
    #[error("{record}")]
    BadRecord {
        /// The record, and its fault.
        record: lookalike_io::BadRecord,
    },
    /// A query in memory that cannot be compared.
    #[error("query `{}`: {}", shown(query), wrong_query(problem))]
    WrongQuery {
        /// The query.
        query: String,
        /// Why.
        problem: Problem,
    },
    /// No record has the field that is to choose the copy to keep.
    #[error("no record has a field `{field}` to choose the kept copy by")]
    NoScores {
        /// Name of the field.
        field: String,
    },
    /// No record has the field that is to choose the copy to keep, and records have others.
    #[error("no record has a field `{}` to choose the kept copy by; those of the first are {found}", shown(field))]
    NoScoreField {
        /// Name of the field.
        field: String,
        /// The fields of the first record.
        found: lookalike_io::base::NamesFound,
    },
    /// A field is asked for, and files of JSON were read as texts, which have none.
    #[error("no record has a field `{}`, and {} was read as one text", shown(field), path.display())]
    FieldOfTexts {
        /// Name of the field.
        field: String,
        /// The first of these files.
        path: PathBuf,
    },
    /// The field that is to choose the copy to keep mixes numbers and strings that spell none.
    #[error(
        "field `{field}` is a number in some records and in others a string that is none (first at document `{}`): \
         they cannot be ordered",
        shown(id)
    )]
    MixedScores {
        /// Name of the field.
        field: String,
        /// Id of the first record with such a string.
        id: String,
    },
    /// A stored source has vectors or signatures of another number of components.
    #[error("the documents of {} have {found} components, those before them {expected}", printed_path(path))]
    OtherDimensions {
        /// The snapshot or index.
        path: PathBuf,
        /// Number of components of its vectors.
        found: usize,
        /// Number of components of the first vector.
        expected: usize,
    },
    /// Answers are to be checked on texts, and an input has none.
    #[error("{} holds no texts, on which answers are to be checked", printed_path(path))]
    TextsNeeded {
        /// The snapshot or index.
        path: PathBuf,
    },
    /// Texts are to be winnowed, and an input has none.
    #[error(
        "{} holds sets of shingles, and winnow:W selects by their order in the texts; name the documents that it was \
         made of, or select with mod:P",
        printed_path(path)
    )]
    WinnowedWithoutTexts {
        /// The snapshot or index.
        path: PathBuf,
    },
    /// Neither a language with stop words nor a readable file.
    #[error("`{found}` is neither a file nor a language with a list of stop words; known are {}", known.join(", "))]
    StopWords {
        /// The value that was given.
        found: String,
        /// Codes of all languages.
        known: Vec<String>,
    },
    /// Neither a programming language whose keywords are known nor a readable file.
    #[error("`{found}` is neither a file nor a programming language with a list of keywords; known are {known}")]
    Keywords {
        /// The value that was given.
        found: String,
        /// Names of all languages.
        known: &'static str,
    },
    /// A file says of other rows what they depend on, and would stay beside the new ones.
    #[error("{} says what the rows in {} depend on, and they will be others", printed_path(path), printed_path(rows))]
    StaleBasis {
        /// The file.
        path: PathBuf,
        /// The rows beside it.
        rows: PathBuf,
    },
    /// Records without fields cannot carry annotations.
    #[error("{} holds {}, which cannot be annotated", printed_path(path), describe_content(*format))]
    CannotAnnotate {
        /// The file or folder.
        path: PathBuf,
        /// Format of its records; `None` for text files.
        format: Option<RecordFormat>,
    },
    /// Texts of pages stand between tags.
    #[error("the texts of {} stand between tags, where they cannot be cut", printed_path(path))]
    CannotCut {
        /// The page, or the file of pages.
        path: PathBuf,
    },
    /// Annotations and cuts are UTF-8, and no part of a table in another encoding.
    #[error("{} is in another encoding than UTF-8, in which rows cannot be annotated or cut", printed_path(path))]
    EncodedTable {
        /// The table.
        path: PathBuf,
    },
    /// The document that was asked for is not in its file.
    #[error("no document `{}` in {}{nearest}", shown(id), printed_path(path))]
    NoSuchDocument {
        /// The file.
        path: PathBuf,
        /// The id.
        id: String,
        /// Ids that may have been meant.
        nearest: lookalike_io::base::NearestNames,
    },
    /// A document was asked for by an id, and no record of its file has the field of ids.
    #[error(
        "no document `{}` in {}: its records have no field `{}`, and are called by their lines; their fields are \
         {found}",
        shown(id),
        printed_path(path),
        shown(field)
    )]
    NoIds {
        /// The file.
        path: PathBuf,
        /// The id.
        id: String,
        /// The field in which ids were looked for.
        field: String,
        /// The fields of the first record.
        found: Box<lookalike_io::base::NamesFound>,
    },
    /// The document that was asked for is not among the usable ones of its file.
    #[error(
        "no document `{}` among those of {} that can be used; {count} cannot, the first: {record}",
        shown(id),
        printed_path(path)
    )]
    NoneButUnusable {
        /// The file.
        path: PathBuf,
        /// The id.
        id: String,
        /// Number of its records that cannot be used.
        count: u64,
        /// The first of them.
        record: Box<lookalike_io::BadRecord>,
    },
    /// Something is said of inputs, of which none is of the kind that it is about.
    #[error("{setting}")]
    UnusedSetting {
        /// The statement.
        setting: UnusedSetting,
    },
    /// An encoding is named for files that have one of their own.
    #[error("{} is {}, which is never in {}", printed_path(path), format.name(), encoding.name())]
    NoEncoding {
        /// The first of the files.
        path: PathBuf,
        /// Its format.
        format: lookalike_io::formats::RecordFormat,
        /// The encoding.
        encoding: lookalike_io::sources::TextEncoding,
    },
    /// A text of fewer tokens than a shingle, of which a snapshot or an index cannot tell where it stands.
    #[error(
        "`{}` has {} only, and the sets of {2} do not tell where a text shorter than a shingle of {shingle} \
         stands",
        shown(id), lookalike_core::counted(*tokens as u64, "token"), printed_path(path)
    )]
    ShortTextNotStored {
        /// Id of the short document.
        id: String,
        /// Number of its tokens.
        tokens: usize,
        /// Number of tokens of a shingle.
        shingle: usize,
        /// The snapshot or index.
        path: PathBuf,
    },
    /// A file stands where an output is to be written, which may not be replaced.
    #[error("{} exists already", printed_path(path))]
    OutputThere {
        /// The file.
        path: PathBuf,
    },
    /// No record has an id in the field that was asked for.
    #[error("no record has an id in the field `{}`; the fields of the first are {found}", shown(field))]
    NoIdField {
        /// The field.
        field: String,
        /// The fields of the first record.
        found: lookalike_io::base::NamesFound,
    },
    /// No record has a field that an index stores.
    #[error("no record has the field `{}`, which the index stores; those of the first are {found}", shown(field))]
    NoStoredField {
        /// The field.
        field: String,
        /// The fields of the first record.
        found: lookalike_io::base::NamesFound,
    },
    /// An input lacks what an index stores.
    #[error(
        "{} holds documents without {}, which the index stores",
        printed_path(path), what_is_stored(field.as_deref())
    )]
    NothingToStore {
        /// The snapshot or index.
        path: PathBuf,
        /// The field; `None` for texts.
        field: Option<String>,
    },
    /// Bad records are to be skipped, and there are no others.
    #[error("no record of {side} can be read: {count} cannot, the first: {record}")]
    NothingReadable {
        /// The inputs or the references.
        side: JobSide,
        /// Number of bad records.
        count: u64,
        /// The first of them.
        record: Box<lookalike_io::BadRecord>,
    },
    /// Saved pairs name a document that is not there.
    #[error("{} names `{}`, which is none of the documents", printed_path(path), shown(id))]
    UnknownId {
        /// The file of pairs.
        path: PathBuf,
        /// The id.
        id: String,
    },
    /// A file of many documents was named where one was wanted.
    #[error("{}", id_needed(path))]
    IdNeeded {
        /// The file.
        path: PathBuf,
    },
    /// The records of several inputs have different formats, or none, and cannot be copied into one file as they are.
    #[error("the inputs are text files, or have different formats, and cannot go to {} as they are", stream_name(path))]
    NotOneFormat {
        /// The output.
        path: PathBuf,
    },
    /// Tables that are to become one file have different columns.
    #[error(
        "{} and {} cannot become one file: their columns are {} and {}",
        printed_path(first),
        printed_path(path),
        names(expected),
        names(found)
    )]
    HeadersDiffer {
        /// The first table.
        first: PathBuf,
        /// One that differs from it.
        path: PathBuf,
        /// The columns of the first.
        expected: Vec<String>,
        /// The columns of the other.
        found: Vec<String>,
    },
    /// A document was named in a way that means nothing.
    #[error("`{found}` is neither a file nor FILE:ID")]
    NotADocument {
        /// The value that was given.
        found: String,
    },
    /// The one document that was asked for cannot be used.
    #[error("{record}")]
    Unusable {
        /// The record, and its fault.
        record: lookalike_io::BadRecord,
    },
    /// Saved pairs lack those below the threshold that they were found with.
    #[error("{} holds the pairs {pairs}: what else is {limit} is not known", printed_path(path))]
    BelowThreshold {
        /// The file of pairs.
        path: PathBuf,
        /// The limit that is asked for.
        limit: Limit,
        /// The limit of the pairs.
        pairs: Limit,
    },
    /// Saved pairs are only some of those that were found.
    #[error("{} holds the {top} most similar pairs at most: the others are not known", printed_path(path))]
    NotAllPairs {
        /// The file of pairs.
        path: PathBuf,
        /// The number that was asked for.
        top: NonZeroUsize,
    },
    /// The weights of a document exceed what a dot product holds.
    #[error(
        "document `{}` has terms too often: a weight is below 2^32, and the sum of the squares of all below 2^64",
        shown(id)
    )]
    WeightsTooLarge {
        /// Its id.
        id: String,
    },
    /// Saved pairs were found by another measure.
    #[error("{} holds pairs by {pairs}, not by {measure}", printed_path(path))]
    OtherMeasure {
        /// The file of pairs.
        path: PathBuf,
        /// The measure that is asked for.
        measure: MeasureKind,
        /// The measure of the pairs.
        pairs: MeasureKind,
    },
    /// A saved pair has the figure of another measure.
    #[error(
        "{} holds pairs by {}, not by {}",
        printed_path(path),
        pairs.map_or_else(|| "a similarity".to_owned(), |pairs| pairs.to_string()),
        measure.name()
    )]
    OtherFigure {
        /// The file of pairs.
        path: PathBuf,
        /// The measure that is asked for.
        measure: Measure,
        /// The measure of the pair; `None` if its figure is one of several.
        pairs: Option<MeasureKind>,
    },
    /// A snapshot or checkpoint that is damaged, or of another version.
    #[error("{} cannot be read: {damage}", printed_path(path))]
    NotReadable {
        /// The file.
        path: PathBuf,
        /// The fault.
        damage: Damage,
    },
    /// A stored file that is damaged, before it is known which.
    #[error(transparent)]
    Stored {
        /// The fault.
        #[from]
        damage: Damage,
    },
    /// A value that cannot be expressed in JSON.
    #[error("cannot express a value as JSON")]
    Json(#[from] serde_json::Error),
    /// A snapshot or an index whose elements were made in another way.
    #[error(
        "{} does not fit this job: {} was {} and is {}",
        printed_path(path), difference.name, shown(&difference.stored), shown(&difference.present)
    )]
    MadeOtherwise {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: Difference,
    },
    /// A snapshot or an index has no values of the field by which documents are to be ordered.
    #[error("{} does not fit this job: score field was {stored} and is {}", printed_path(path), shown(field))]
    OtherScoreField {
        /// The file.
        path: PathBuf,
        /// The values that it has.
        stored: StoredScores,
        /// The field.
        field: String,
    },
    /// An index stores signatures, and sets are needed.
    #[error("{} stores signatures only: its documents can be searched for, not verified or copied", printed_path(path))]
    SignaturesOnly {
        /// The index.
        path: PathBuf,
    },
    /// Records are to be written that a snapshot or an index does not have.
    #[error("{} holds no records to write, only what is compared of them", printed_path(path))]
    NoRecords {
        /// The file.
        path: PathBuf,
    },
    /// The disk has no room for what does not fit into memory.
    #[error(
        "{} has {} MB left, and about {} MB of temporary data are to be expected",
        printed_path(path), available_bytes / 1_000_000, needed_bytes / 1_000_000
    )]
    TooLittleDisk {
        /// The folder.
        path: PathBuf,
        /// Needed space, predicted from the size of the inputs.
        needed_bytes: u64,
        /// Free space.
        available_bytes: u64,
    },
    /// The process may not have the memory that any job needs.
    #[error(
        "too little memory: {limit}, of which a job can use {} MiB; it needs {}",
        usable_bytes >> 20, needed_bytes >> 20
    )]
    TooLittleMemory {
        /// The limit on the process.
        limit: MemoryLimit,
        /// Memory that a job can use under it.
        usable_bytes: u64,
        /// Memory that a job needs, at least.
        needed_bytes: u64,
    },
    /// A compressed file that is unpacked in more memory than the job may use.
    #[error(
        "{} was packed with a window of {} MiB, and the job may use {} MiB",
        printed_path(path), window_bytes >> 20, budget_bytes >> 20
    )]
    WindowTooLarge {
        /// The file.
        path: PathBuf,
        /// Size of the window.
        window_bytes: u64,
        /// Memory that the job may use.
        budget_bytes: u64,
    },
    /// More pairs than there may be.
    #[error("{}", too_many_pairs(*known, *max_pairs))]
    TooManyPairs {
        /// Number of pairs, at least; `None` if it is only known to exceed the maximum.
        known: Option<u64>,
        /// The maximum number.
        max_pairs: u64,
    },
    /// The user interrupted the job.
    #[error(
        "interrupted; no output was written{}",
        if *is_resumable { "; the same command goes on from here" } else { "" }
    )]
    Interrupted {
        /// `true` if what was done is kept in a work folder.
        is_resumable: bool,
    },
}

/// An output as messages show it.
fn stream_name(path: &Path) -> String {
    if path == Path::new("-") { "standard output".to_owned() } else { printed_path(path).to_string() }
}

/// Content that an input lacks: a field, or texts.
fn what_is_stored(field: Option<&str>) -> String {
    field.map_or_else(|| "texts".to_owned(), |field| format!("the field `{}`", shown(field)))
}

///  What is wrong with a query, which stands in no field.
fn wrong_query(problem: &Problem) -> String {
    match problem {
        Problem::NotAVector { problem, .. } => problem.to_string(),
        Problem::NotBits { problem, .. } => problem.to_string(),
        Problem::OtherDimensions { found, expected, .. } => {
            format!("{}, the documents have {expected}", counted(*found as u64, "component"))
        }
        problem => problem.to_string(),
    }
}

fn no_elements(id: &str, count: u64) -> String {
    match count {
        1 => format!("query `{}` has nothing to compare: no tokens", shown(id)),
        _ => format!("none of {count} queries has anything to compare: the first without tokens is `{}`", shown(id)),
    }
}

/// The message that there are too many pairs, for [`Error::TooManyPairs`].
fn too_many_pairs(known: Option<u64>, max_pairs: u64) -> String {
    match known {
        Some(known) => {
            format!("the answer has at least {}; {} are allowed", counted(known, "pair"), thousands(max_pairs))
        }
        None => format!("the answer has more than {}", counted(max_pairs, "pair")),
    }
}

/// Names of columns as messages show them.
fn names(columns: &[String]) -> String {
    columns.iter().map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(", ")
}

/// Content of a source, for [`Error::CannotAnnotate`].
fn describe_content(format: Option<RecordFormat>) -> String {
    match format {
        None => "text files".to_owned(),
        Some(RecordFormat::ItemLines) => RecordFormat::ItemLines.name().to_owned(),
        Some(format) => format!("{} records", format.name()),
    }
}

impl Error {
    /// Returns whether a reader of our output went away: no failure of ours.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io(error) if error.is_broken_pipe())
    }
}

fn id_needed(path: &Path) -> String {
    match printed_path(path) {
        _ if path == Path::new("-") => "standard input holds many documents; name one by its id".to_owned(),
        path => format!("{path} holds many documents; name one as {path}:ID"),
    }
}
