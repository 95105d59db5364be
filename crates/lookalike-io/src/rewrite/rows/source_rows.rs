//! The selected rows of any source, behind one interface, and those of several sources one after the other.

use super::column_rows::ColumnRows;
use super::delimited_rows::DelimitedRows;
use super::document_rows::DocumentRows;
use super::joined_items::{joined_rows, joined_schema};
use super::json_rows::JsonRows;
use super::json_types::Types;
use crate::base::{Error, Result};
use crate::formats::RecordFormat;
use crate::rewrite::conversion::{Rewrite, SelectedRecord, SelectedRows};
use crate::rewrite::schemas::SchemaOf;
use crate::sources::{Source, SourceKind};
use arrow_schema::SchemaRef;
use std::iter::Peekable;

/// The selected rows of a source.
pub(crate) enum OpenRows<'r> {
    Columns(Box<ColumnRows<'r>>),
    Json(Box<JsonRows<'r>>),
    Delimited(Box<DelimitedRows<'r>>),
    Documents(Box<DocumentRows<'r>>),
}

/// The sources of a conversion, opened one after the other.
pub(crate) struct SourceRows<'r> {
    job: Rewrite<'r>,
    /// The types of all records of JSON Lines together; `None` if there are none.
    json: Option<SchemaRef>,
}

impl<'r> SourceRows<'r> {
    /// The rows of all sources; records of JSON Lines are read once for their types.
    pub(crate) fn read_types<'w, I: Iterator<Item = SelectedRecord<'w>> + Clone>(
        job: Rewrite<'r>,
        records: &impl Fn(usize) -> I,
    ) -> Result<Self> {
        let mut types = None;
        for (index, source) in job.sources.iter().enumerate() {
            if let SourceKind::Records {
                format: RecordFormat::JsonLines | RecordFormat::JsonArray, compression, ..
            } = source.kind
            {
                let types = types.get_or_insert_with(Types::default);
                let read = JsonRows::read_types(types, &source.file, compression, records(index));
                read.map_err(|error| error.of_path(&source.path))?;
            }
        }
        let json = types.map(|types| types.into_schema(job.fields));
        Ok(Self { job, json })
    }

    /// Sources with the schemas of their rows.
    pub(crate) fn schemas(&self) -> Result<Vec<SchemaOf<'r>>> {
        let schema = |source: &&'r Source| {
            let known = schema_of_source(self.job, source)?;
            Ok(known.or_else(|| Some((source.path.as_ref(), joined_schema(self.job, self.json.clone()?)))))
        };
        self.job.sources.iter().filter_map(|source| schema(source).transpose()).collect()
    }

    pub(crate) fn job(&self) -> Rewrite<'r> {
        self.job
    }

    /// Rows of the source with this index as they are written.
    pub(crate) fn written<'w>(&self, index: usize, rows: SelectedRows<'w>) -> Result<SelectedRows<'w>> {
        joined_rows(self.job, self.job.sources[index], rows)
    }

    /// Opens the source with this index, of which the rows up to number `last` are selected.
    pub(crate) fn open(&self, index: usize, last: u64) -> Result<OpenRows<'r>> {
        let Rewrite { sources, fields, limit, format: to, .. } = self.job;
        let source = sources[index];
        let documents = || DocumentRows::open(source, fields, limit, to);
        let SourceKind::Records { format, compression, .. } = source.kind else {
            return Ok(OpenRows::Documents(Box::new(documents())));
        };
        Ok(match (format, &self.json) {
            (RecordFormat::Parquet | RecordFormat::Arrow | RecordFormat::Npy, _) => {
                OpenRows::Columns(Box::new(ColumnRows::open(&source.file, format, fields, to, last)?))
            }
            (RecordFormat::JsonLines | RecordFormat::JsonArray, Some(schema)) => {
                OpenRows::Json(Box::new(JsonRows::open(&source.file, compression, schema.clone())?))
            }
            (RecordFormat::Csv | RecordFormat::SemicolonCsv | RecordFormat::PipeCsv | RecordFormat::Tsv, _) => {
                OpenRows::Delimited(Box::new(DelimitedRows::open(source, fields)?))
            }
            (RecordFormat::ItemLines | RecordFormat::Warc | RecordFormat::JsonLines | RecordFormat::JsonArray, _) => {
                OpenRows::Documents(Box::new(documents()))
            }
            (RecordFormat::Snapshot, _) => return Err(Error::NoTexts { path: source.path.to_path_buf() }),
        })
    }
}

/// The schema of the rows of a source; `None` for JSON Lines, whose types are known when the records were read.
pub(crate) fn schema_of_source<'r>(job: Rewrite<'r>, source: &'r Source) -> Result<Option<SchemaOf<'r>>> {
    let is_json = |format| matches!(format, RecordFormat::JsonLines | RecordFormat::JsonArray);
    if matches!(source.kind, SourceKind::Records { format, .. } if is_json(format)) {
        return Ok(None);
    }
    let job = Rewrite { sources: &[source], ..job };
    let schema = SourceRows { job, json: None }.open(0, 0)?.schema();
    Ok(Some((source.path.as_ref(), joined_schema(job, schema))))
}

impl OpenRows<'_> {
    pub(crate) fn schema(&self) -> SchemaRef {
        match self {
            Self::Columns(rows) => rows.schema().clone(),
            Self::Json(rows) => rows.schema.clone(),
            Self::Delimited(rows) => rows.schema.clone(),
            Self::Documents(rows) => rows.schema.clone(),
        }
    }

    /// The next batch; `None` if no selected records are left.
    pub(crate) fn next<'w>(
        &mut self,
        records: &mut Peekable<impl Iterator<Item = SelectedRecord<'w>>>,
    ) -> Result<Option<SelectedRows<'w>>> {
        if records.peek().is_none() {
            return Ok(None);
        }
        match self {
            Self::Columns(rows) => rows.next(records).map(Some),
            Self::Json(rows) => rows.next(records).map(Some),
            Self::Delimited(rows) => rows.next(records).map(Some),
            Self::Documents(rows) => rows.next(records).map(Some),
        }
    }

    /// Bytes of the source read so far.
    pub(crate) fn read_bytes(&self) -> u64 {
        match self {
            Self::Columns(rows) => rows.read_bytes(),
            Self::Json(rows) => rows.records.read_bytes,
            Self::Delimited(rows) => rows.records.read_bytes,
            Self::Documents(rows) => rows.read_bytes,
        }
    }
}
