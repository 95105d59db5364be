//! Outputs of a job.

use crate::base::{Error, OutputKind, Result};
use crate::decide::PairLimit;
use lookalike_io::{
    formats::RowFormat,
    remote::local_path,
    rows::{RowSources, side_file},
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Presence of the tokens of the texts in a snapshot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SnapshotTokens {
    /// Ids and element sets only.
    #[default]
    Omitted,
    /// The tokens with their places, too.
    Saved,
}

/// Outputs of a job; `None` for what is not wanted. `-` is standard output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The records: a file for a single input file, and for several if the name has an extension of records or is `-`;
    /// else a folder.
    pub records: Option<PathBuf>,
    /// Format of the records; `None` for the one that the extension of a single file names, else the one that they
    /// have.
    pub format: Option<RowFormat>,
    /// Records that are written.
    pub mode: RecordMode,
    /// One row for each removed record.
    pub removed: Option<PathBuf>,
    /// Pairs, clusters or exact copies, a row each.
    pub rows: Option<PathBuf>,
    /// Maximum number of pairs or clusters that are listed: the most similar pairs, or the largest clusters, these
    /// first. `None` for all, in input order. Without a file of rows they are in the report of the job.
    pub top: Option<NonZeroUsize>,
    /// Maximum number of pairs; more of them end the job before they are written. `None` for any number.
    pub max_pairs: Option<u64>,
    /// Format of these rows; `None` for the one that the extension of the file names, and JSON Lines without one.
    pub row_format: Option<RowFormat>,
    /// Layout of clusters; `None` for the one that the extension of the file names.
    pub clusters: Option<ClusterLayout>,
    /// Names of the files of documents in rows of pairs, clusters and removals.
    pub row_sources: RowSources,
    /// The document frequencies that were counted.
    pub idf: Option<PathBuf>,
    /// Side files of rows that say what the rows depend on.
    pub side_files: SideFiles,
    /// A snapshot of the documents.
    pub snapshot: Option<PathBuf>,
    /// Presence of the tokens of the texts in the snapshot, in which passages are looked for.
    pub snapshot_tokens: SnapshotTokens,
    /// Counts, parameters and times of the job as JSON.
    pub summary: Option<PathBuf>,
    /// A drawing of the [`Histogram`](crate::jobs::Histogram) in the report of the job, which the caller makes: only
    /// with it there is one.
    pub histogram: Option<PathBuf>,
    /// A page to read in a browser: figures, the histogram, and a sample of what was found with its texts.
    pub report: Option<PathBuf>,
    /// Treatment of files of the inputs that are in no document.
    pub left_out: LeftOut,
    /// Treatment of files that exist already.
    pub existing: ExistingFiles,
    /// Files that no output may replace beside the inputs: those that parameters were made of, such as a list of stop
    /// words; and folders in which none may lie, as that of an index.
    pub spared: Vec<PathBuf>,
}

impl Outputs {
    /// Files and folders that will be written, each after its kind.
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

    /// Maximum number of pairs.
    pub(crate) fn pair_limit(&self) -> PairLimit {
        PairLimit { max_pairs: self.max_pairs }
    }

    /// Copy of which none may land on a file, or in a folder, that is read beside the inputs.
    pub(crate) fn sparing(&self, path: &Path) -> Self {
        let mut outputs = self.clone();
        outputs.spared.push(path.to_owned());
        outputs
    }

    /// Copy with URLs of local files as paths.
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

    /// Files of rows, each with the path of the one that may stand beside it and say what they depend on.
    pub(crate) fn side_files(&self) -> Vec<(&PathBuf, PathBuf)> {
        let rows = self.rows.iter().chain(&self.removed).filter(|rows| rows.as_path() != Path::new("-"));
        rows.map(|rows| (rows, side_file(rows))).collect()
    }
}

/// Records that are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecordMode {
    /// The records that stay; lines byte for byte.
    #[default]
    Kept,
    /// Every record, with an object, or columns, that say what becomes of it.
    Annotated,
}

/// Treatment of files of the inputs that are in no document, as pictures of a format that is not read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LeftOut {
    /// Copied as they are beside the records, if these go to a folder.
    #[default]
    Copied,
    /// Copied into this folder, which does not exist yet.
    CopiedTo(PathBuf),
    /// Left out of every output.
    Dropped,
}

/// Side files of rows that say what the rows depend on. Parquet and Arrow files say it themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SideFiles {
    /// No side file.
    #[default]
    Omitted,
    /// `rows.csv.about.json` beside `rows.csv`.
    Written,
}

/// Treatment of files that stand where outputs are to be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExistingFiles {
    /// Replaced, once the new ones are complete.
    #[default]
    Replaced,
    /// The job ends before any work.
    Refused,
}

/// Layouts of clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterLayout {
    /// A row for each member.
    Rows,
    /// One JSON array of clusters, each with its members.
    Json,
}
