//! Where the answers of a job go.

use crate::decide::PairLimit;
use crate::ground::{Error, OutputKind, Result};
use lookalike_io::{
    formats::RowFormat,
    remote::local_path,
    rows::{RowSources, side_file},
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Whether a snapshot has the tokens of the texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SnapshotTokens {
    /// Ids and element sets only.
    #[default]
    Omitted,
    /// The tokens with their places, too.
    Saved,
}

/// Where the answers of a job go; `None` for what is not wanted. `-` is standard output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The records: a file for a single input file, and for several if the name has an extension of records or is `-`;
    /// else a folder.
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
    /// How many pairs or clusters are listed at most: the most similar pairs, or the largest clusters, these first.
    /// `None` for all, in input order. Without a file of rows they are in the report of the job.
    pub top: Option<NonZeroUsize>,
    /// How many pairs there may be; more of them end the job before they are written. `None` for any number.
    pub max_pairs: Option<u64>,
    /// Format of these rows; `None` for the one that the extension of the file names, and JSON Lines without one.
    pub row_format: Option<RowFormat>,
    /// Layout of clusters; `None` for the one that the extension of the file names.
    pub clusters: Option<ClusterLayout>,
    /// Whether rows of pairs, clusters and removals name the files of their documents.
    pub row_sources: RowSources,
    /// The document frequencies that were counted.
    pub idf: Option<PathBuf>,
    /// Whether files of rows get one beside them that says what they depend on.
    pub side_files: SideFiles,
    /// A snapshot of the documents.
    pub snapshot: Option<PathBuf>,
    /// Whether the snapshot has the tokens of the texts, in which passages are looked for.
    pub snapshot_tokens: SnapshotTokens,
    /// Counts, nouns and times of the job as JSON.
    pub summary: Option<PathBuf>,
    /// A drawing of the [`Histogram`](crate::jobs::Histogram) in the report of the job, which the caller makes: only
    /// with it there is one.
    pub histogram: Option<PathBuf>,
    /// A page to read in a browser: figures, the histogram, and a sample of what was found with its texts.
    pub report: Option<PathBuf>,
    /// What becomes of files of the inputs that are in no document.
    pub left_out: LeftOut,
    /// What becomes of files that are there already.
    pub existing: ExistingFiles,
    /// Files that no output may replace beside the inputs: those that nouns were made of, such as a list of stop words;
    /// and folders in which none may lie, as that of an index.
    pub spared: Vec<PathBuf>,
}

impl Outputs {
    /// All files and folders that will be written, each after its kind.
    pub(crate) fn given(&self) -> impl Iterator<Item = (OutputKind, &PathBuf)> {
        let Self {
            records,
            removed,
            rows,
            snapshot,
            summary,
            histogram,
            report,
            idf,
            side_files: _,
            snapshot_tokens: _,
            top: _,
            max_pairs: _,
            format: _,
            row_format: _,
            row_sources: _,
            mode: _,
            clusters: _,
            left_out,
            existing: _,
            spared: _,
        } = self;
        let left_out = match left_out {
            LeftOut::CopiedTo(path) => Some(path),
            LeftOut::Copied | LeftOut::Dropped => None,
        };
        let all = [
            (OutputKind::Records, records),
            (OutputKind::Rows, rows),
            (OutputKind::Snapshot, snapshot),
            (OutputKind::Removed, removed),
            (OutputKind::Summary, summary),
            (OutputKind::Histogram, histogram),
            (OutputKind::Report, report),
            (OutputKind::DocumentFrequencies, idf),
        ];
        let given = all.into_iter().filter_map(|(kind, path)| Some((kind, path.as_ref()?)));
        given.chain(left_out.map(|path| (OutputKind::LeftOut, path)))
    }

    /// How many pairs there may be.
    pub(crate) fn pair_limit(&self) -> PairLimit {
        PairLimit { max_pairs: self.max_pairs }
    }

    /// The same outputs, none of which may land on a file, or in a folder, that is read beside the inputs.
    pub(crate) fn sparing(&self, path: &Path) -> Self {
        let mut outputs = self.clone();
        outputs.spared.push(path.to_owned());
        outputs
    }

    /// The same outputs, those at URLs of local files by their paths.
    ///
    /// # Errors
    /// [`Error::Io`] for a URL of another scheme or machine.
    pub(crate) fn with_local_paths(mut self) -> Result<Self> {
        let Self { records, removed, rows, snapshot, summary, histogram, report, idf, .. } = &mut self;
        for path in [records, removed, rows, snapshot, summary, histogram, report, idf].into_iter().flatten() {
            *path = local_path(path)?;
        }
        Ok(self)
    }

    /// Checks that no file is replaced, where none may be. Devices and pipes are written to, and URLs are not looked
    /// at.
    ///
    /// # Errors
    /// [`Error::OutputThere`].
    pub(crate) fn check_existing(&self) -> Result<()> {
        if self.existing == ExistingFiles::Replaced {
            return Ok(());
        }
        match self.given().find(|(_, path)| path.is_file()) {
            Some((_, path)) => Err(Error::OutputThere { path: path.clone() }),
            None => Ok(()),
        }
    }

    /// Each file of rows, with the path of the one that may stand beside it and say what they depend on.
    pub(crate) fn side_files(&self) -> Vec<(&PathBuf, PathBuf)> {
        let rows = self.rows.iter().chain(&self.removed).filter(|rows| rows.as_path() != Path::new("-"));
        rows.map(|rows| (rows, side_file(rows))).collect()
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

/// What becomes of files of the inputs that are in no document, as pictures of a format that is not read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LeftOut {
    /// They are copied as they are beside the records, if these go to a folder.
    #[default]
    Copied,
    /// They are copied into this folder, which is not there yet.
    CopiedTo(PathBuf),
    /// They are in no output.
    Dropped,
}

/// Whether files of rows get one beside them that says what they depend on. Parquet and Arrow files say it themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SideFiles {
    /// None is written.
    #[default]
    Omitted,
    /// `rows.csv.about.json` beside `rows.csv`.
    Written,
}

/// What becomes of files that stand where outputs are to be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExistingFiles {
    /// They are replaced, once the new ones are complete.
    #[default]
    Replaced,
    /// The job ends before any work.
    Refused,
}

/// How clusters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterLayout {
    /// A row for each member.
    Rows,
    /// One JSON array of clusters, each with its members.
    Json,
}
