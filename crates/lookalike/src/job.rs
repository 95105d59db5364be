//! A job: what is read, the four nouns that decide about the answer, and where the answers go.

use lookalike_core::features::Features;
use lookalike_core::measure::Measure;
use lookalike_core::method::Method;
use lookalike_core::rule::Rule;
use lookalike_io::{Inputs, RowFormat};
use std::path::PathBuf;

/// A job. With the same job, the answers are the same bytes, whatever [`lookalike_core::Resources`] it is run with.
///
/// ```
/// use lookalike::{Job, Inputs, Measure, Outputs};
///
/// let job = Job {
///     inputs: Inputs { inputs: vec!["news.jsonl".into()], ..Inputs::default() },
///     measure: Measure::jaccard("0.9".parse()?),
///     outputs: Outputs { records: Some("clean.jsonl".into()), ..Outputs::default() },
///     ..Job::default()
/// };
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Job {
    /// What is read, and what the records look like.
    pub inputs: Inputs,
    /// What a document becomes.
    pub features: Features,
    /// What "alike" means, and from when on.
    pub measure: Measure,
    /// How candidates are found.
    pub method: Method,
    /// What follows from pairs.
    pub rule: Rule,
    /// Where the answers go.
    pub outputs: Outputs,
}

/// Where the answers of a job go; `None` for what is not wanted. `-` is standard output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The records: a file for a single input file, else a folder.
    pub records: Option<PathBuf>,
    /// Format of the records; `None` for the one that the extension of a single file names, else the one that they
    /// have.
    pub format: Option<RowFormat>,
    /// Which records are written.
    pub mode: RecordMode,
    /// One row for each removed record.
    pub removed: Option<PathBuf>,
    /// Pairs, clusters or exact copies, a row each.
    pub rows: Option<PathBuf>,
    /// Layout of clusters; `None` for the one that the extension of the file names.
    pub clusters: Option<ClusterLayout>,
    /// A snapshot of the documents.
    pub snapshot: Option<PathBuf>,
    /// Counts, nouns and times of the job as JSON.
    pub summary: Option<PathBuf>,
}

impl Outputs {
    /// All files and folders that will be written.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let Self { records, format: _, mode: _, removed, rows, clusters: _, snapshot, summary } = self;
        [records, rows, snapshot, removed, summary].into_iter().flatten()
    }
}

/// What is written of the records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecordMode {
    /// The records that stay; lines byte for byte.
    #[default]
    Kept,
    /// All records, each with an object, or columns, that say what becomes of it.
    Annotated,
}

/// How clusters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterLayout {
    /// A row for each member.
    Rows,
    /// One JSON array of clusters, each with its members.
    Json,
}
