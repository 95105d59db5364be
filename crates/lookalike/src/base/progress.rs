//! Progress of a job, reported by callbacks; drawing is up to the caller.

use super::MemoryLimit;
use lookalike_core::{counted, printed_path, thousands};
use lookalike_io::{BadRecord, Place, base::shown, rows::AnswerRow};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// Unit of the amounts of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of input or output.
    Bytes,
    /// Documents.
    Documents,
}

/// A stage of a job: its name and its amount of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// The work, as a word like "reading".
    pub name: &'static str,
    /// Amount of work in this stage.
    pub total: u64,
    /// Unit of `total`.
    pub unit: Unit,
}

impl Stage {
    pub(crate) const READING: &'static str = "reading";
    pub(crate) const READING_IDS: &'static str = "reading ids";
    pub(crate) const READING_SIGNATURES: &'static str = "reading signatures";
    pub(crate) const READING_PAIRS: &'static str = "reading pairs";
    pub(crate) const READING_PASSAGES: &'static str = "reading passages";
    pub(crate) const READING_IGNORED: &'static str = "reading what is ignored";
    pub(crate) const READING_FOR_REPORT: &'static str = "reading for the report";
    pub(crate) const WINNOWING: &'static str = "winnowing";
    pub(crate) const WEIGHING: &'static str = "weighing";
    pub(crate) const GROUPING: &'static str = "grouping";
    pub(crate) const SKETCHING: &'static str = "sketching";
    pub(crate) const COMPARING: &'static str = "comparing";
    pub(crate) const CONNECTING: &'static str = "connecting";
    pub(crate) const MEASURING_RECALL: &'static str = "measuring recall";
    pub(crate) const CHECKING_TEXTS: &'static str = "checking texts";
    pub(crate) const SEARCHING: &'static str = "searching";
    pub(crate) const LOOKING_FOR_PASSAGES: &'static str = "looking for passages";
    pub(crate) const FINDING_REPEATS: &'static str = "finding repeats";
    pub(crate) const LOCATING: &'static str = "locating";
    pub(crate) const ADDING: &'static str = "adding";
    pub(crate) const LISTING: &'static str = "listing";
    pub(crate) const LOOKING_INTO_TEXTS: &'static str = "looking into texts";
    pub(crate) const LOOKING_UP_SHORT_TEXTS: &'static str = "looking up short texts";
    pub(crate) const INDEXING: &'static str = "indexing";
    pub(crate) const DRAWING_FOR_REPORT: &'static str = "drawing for the report";
    /// The stage in which outputs are written.
    pub(crate) const WRITING: &'static str = "writing";

    /// A stage whose work is counted in documents.
    pub(crate) fn over_documents(name: &'static str, documents: usize) -> Self {
        Self { name, total: documents as u64, unit: Unit::Documents }
    }

    /// A stage whose work is counted in bytes.
    pub(crate) fn over_bytes(name: &'static str, total: u64) -> Self {
        Self { name, total, unit: Unit::Bytes }
    }
}

/// Number of a stage that begins: as 2 of 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageNumber {
    /// Its number, from 1; a stage that begins anew for other documents has it again, and one that only the documents
    /// call for has that of the stage before it.
    pub number: usize,
    /// Number of stages of the job, the same from the first to the last.
    pub stages: usize,
}

/// The duration of a finished stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageTime {
    /// Name of the stage.
    pub stage: &'static str,
    /// Wall time.
    pub seconds: f64,
    /// Maximum resident size of the process up to the end of the stage, in bytes, where the system tells.
    pub peak_bytes: Option<u64>,
}

/// The strings of a field that order documents as texts: `10` stands before `9`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "ordered as text: {} of `{}`, neither all numbers nor all dates or times of ISO 8601, as `{}`",
    counted(*documents, "value"), shown(field), shown(example)
)]
pub struct TextOrder {
    /// Name of the field.
    pub field: String,
    /// Number of documents that have it.
    pub documents: u64,
    /// The first value that is neither a number nor a date or time of ISO 8601; of values that are all one of these,
    /// the first that is another than the first of all.
    pub example: String,
}

/// The files of the inputs that are in no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutReport {
    /// Number of files.
    pub files: u64,
    /// The first of them, by their paths below an output folder.
    pub first: Vec<PathBuf>,
    /// Their fate.
    pub fate: LeftOutFate,
}

/// Fate of files that are in no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftOutFate {
    /// Copied beside the records.
    Copied,
    /// Copied into this folder.
    CopiedTo(PathBuf),
    /// Dropped: the files are in no output.
    Dropped,
}

impl LeftOutReport {
    /// Files that are named at most.
    pub(crate) const MAX_NAMED: usize = 5;
}

impl fmt::Display for LeftOutReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, first, fate } = self;
        write!(formatter, "{} without a document, ", counted(*files, "file"))?;
        match fate {
            LeftOutFate::Copied => formatter.write_str("copied beside the records: ")?,
            LeftOutFate::CopiedTo(folder) => write!(formatter, "copied to {}: ", printed_path(folder))?,
            LeftOutFate::Dropped => formatter.write_str("in no output: ")?,
        }
        let names: Vec<String> = first.iter().map(|name| shown(&printed_path(name)).to_string()).collect();
        formatter.write_str(&names.join(", "))?;
        match files.saturating_sub(first.len() as u64) {
            0 => Ok(()),
            more => write!(formatter, " and {} more", thousands(more)),
        }
    }
}

/// Told about the course of a job, from any thread.
pub trait Progress: Sync {
    /// A stage begins.
    fn begin(&self, _stage: Stage, _number: StageNumber) {}

    /// The current stage has more work than it was announced with.
    fn extend(&self, _amount: u64) {}

    /// An amount of work of the current stage is done.
    fn advance(&self, _amount: u64) {}

    /// An earlier run of the job has finished `done` of its `stages` stages; if none, it has read a part of the inputs.
    fn resumed(&self, _done: usize, _stages: usize) {}

    /// A record was left out.
    fn bad_record(&self, _record: &BadRecord) {}

    /// A page has no article, and is compared as a whole.
    fn whole_page(&self, _place: &Place) {}

    /// A column of bytes is taken as text, if its values are UTF-8. Said of the first file only.
    fn bytes_as_text(&self, _path: &Path, _column: &str) {}

    /// Files are named by several inputs, or twice; each is read once. `first` is one of them.
    fn read_once(&self, _first: &Path, _files: u64) {}

    /// The log of the index at this path ends with so many bytes of an interrupted write, which was never acknowledged.
    fn interrupted_write(&self, _index: &Path, _bytes: u64) {}

    /// Files of the inputs are in no document.
    fn left_out(&self, _files: &LeftOutReport) {}

    /// The strings of a field order documents as texts, because they are neither all numbers nor all dates or times.
    fn ordered_as_text(&self, _order: &TextOrder) {}

    /// An answer about two documents, given by their ids, was refused: their texts are not as alike as their hashes.
    fn refused_by_texts(&self, _a: &str, _b: &str) {}

    /// The job was given more memory than the process may have, and gets `budget_bytes`.
    fn less_memory(&self, _limit: MemoryLimit, _budget_bytes: u64) {}

    /// The answer has `pairs` pairs, which are many, or at least so many: said before they are written.
    fn many_pairs(&self, _pairs: u64, _are_all: bool) {}

    /// More answers to queries, of those that the report will list: known before the job is done, if queries arrive.
    fn answered(&self, _rows: &[AnswerRow<'_>]) {}

    /// Called before a terminal gets rows, and before outputs get their names: nothing more is shown of progress.
    fn publishing(&self) {}

    /// Returns whether the job should end at the next opportunity.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Says nothing and never cancels.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {}
