//! The answers of a search as rows.

use crate::ground::{Progress, Result};
use crate::job::Outputs;
use lookalike_core::similarity::Figure;
use lookalike_io::{
    RowWriter,
    ground::Staging,
    outputs::Sealed,
    rows::{AnswerFields, AnswerRow},
};
use std::path::Path;

/// Where the rows of answers go.
pub(crate) enum AnswerOutput {
    /// A file, in its staging file until it is published.
    File(RowWriter),
    /// The report of the job.
    Report {
        /// All so far.
        rows: Vec<AnswerRow<'static>>,
        /// How many of them were shown.
        shown: usize,
    },
}

impl AnswerOutput {
    /// Begins the file of rows, or the list in the report if there is no path.
    pub(crate) fn create(
        path: Option<&Path>,
        outputs: &Outputs,
        figure: Figure,
        fields: AnswerFields,
        staging: &Staging,
    ) -> Result<Self> {
        Ok(match path {
            Some(path) => {
                let header = AnswerRow::header(figure, fields);
                Self::File(RowWriter::create_with(path, outputs.row_format, &header, staging)?)
            }
            None => Self::Report { rows: Vec::new(), shown: 0 },
        })
    }

    pub(crate) fn add(&mut self, row: AnswerRow<'_>) -> Result<()> {
        match self {
            Self::File(writer) => writer.write(&row)?,
            Self::Report { rows, .. } => rows.push(row.into_owned()),
        }
        Ok(())
    }

    /// Shows the rows so far to who reads them while they are written, or waits for them at a terminal.
    pub(crate) fn show(&mut self, progress: &dyn Progress) -> Result<()> {
        match self {
            Self::File(writer) => writer.show()?,
            Self::Report { rows, shown } => {
                progress.answered(&rows[*shown..]);
                *shown = rows.len();
            }
        }
        Ok(())
    }

    /// The file, to be published, or the rows for the report.
    pub(crate) fn finish(self) -> Result<(Option<Sealed>, Vec<AnswerRow<'static>>)> {
        Ok(match self {
            Self::File(writer) => (Some(writer.seal()?), Vec::new()),
            Self::Report { rows, .. } => (None, rows),
        })
    }
}
