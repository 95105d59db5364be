//! Passages as rows.

use crate::ground::Result;
use crate::job::Outputs;
use crate::passages::{Attribution, SharedPassage, SharedSource};
use lookalike_core::DocId;
use lookalike_io::{
    RowWriter,
    ground::Staging,
    outputs::Sealed,
    rows::{PassageRow, SourceRow},
};
use std::path::Path;

/// Where the rows of passages go.
pub(crate) enum PassageOutput {
    /// A file, in its staging file until it is published.
    File(RowWriter),
    /// The report of the job.
    Report(Vec<SourceRow<'static>>),
}

impl PassageOutput {
    /// Begins the file of rows, or the list in the report if there is no path.
    pub(crate) fn create(path: Option<&Path>, outputs: &Outputs, staging: &Staging) -> Result<Self> {
        Ok(match path {
            Some(path) => Self::File(RowWriter::create_with(path, outputs.row_format, &SourceRow::header(), staging)?),
            None => Self::Report(Vec::new()),
        })
    }

    /// Adds all passages of a document, source by source; or a row that says that it has none.
    pub(crate) fn add<'n>(&mut self, found: &Attribution, name_of: impl Fn(DocId) -> &'n str) -> Result<()> {
        if found.sources.is_empty() {
            return self.write(SourceRow::unsourced(name_of(found.document)));
        }
        for (rank, source) in (1..).zip(&found.sources) {
            for row in passage_rows(found, rank, source, &name_of) {
                self.write(SourceRow::Passage(row))?;
            }
        }
        Ok(())
    }

    fn write(&mut self, row: SourceRow<'_>) -> Result<()> {
        match self {
            Self::File(writer) => writer.write(&row)?,
            Self::Report(rows) => rows.push(row.into_owned()),
        }
        Ok(())
    }

    /// The file, to be published, or the rows for the report.
    pub(crate) fn finish(self) -> Result<(Option<Sealed>, Vec<SourceRow<'static>>)> {
        Ok(match self {
            Self::File(writer) => (Some(writer.seal()?), Vec::new()),
            Self::Report(rows) => (None, rows),
        })
    }
}

/// The rows of the passages that a document has in a source of a rank.
pub(crate) fn passage_rows<'n>(
    found: &Attribution,
    rank: u64,
    source: &SharedSource,
    name_of: impl Fn(DocId) -> &'n str,
) -> impl Iterator<Item = PassageRow<'n>> {
    let share = |tokens: usize| tokens as f64 / found.tokens.max(1) as f64;
    let of_source = PassageRow {
        id: name_of(found.document).into(),
        share_in_all: share(found.covered),
        rank,
        source: name_of(source.source).into(),
        share: share(source.covered),
        ..PassageRow::default()
    };
    source.passages.iter().map(move |&SharedPassage { tokens, here, there }| PassageRow {
        tokens: tokens as u64,
        start: here.start,
        end: here.end,
        line: here.line,
        end_line: here.end_line,
        source_start: there.start,
        source_end: there.end,
        source_line: there.line,
        source_end_line: there.end_line,
        ..of_source.clone()
    })
}
