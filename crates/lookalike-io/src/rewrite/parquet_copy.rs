//! Copying of rows from a Parquet file to a Parquet file.
//!
//! Values are copied from column to column as stored, with the levels that encode lists and nulls. A copy through Arrow
//! would be less code, but Arrow lacks some types of Parquet: 96-bit timestamps, for example, would change their type.

use super::conversion::{Annotations, Rewrite, SelectedRecord, TextEdit};
use super::parquet_annotations::{annotate_arrow_schema, annotated_schema, write_annotations};
use crate::base::details::{DataForm, Remedy};
use crate::base::{Error, Result};
use crate::columns::{FieldColumns, RepairedFile, guarded, metadata_of, open, unreadable, unwritable};
use crate::formats::RecordFormat;
use crate::outputs::AtomicFile;
use crate::rows::BASIS_KEY;
use crate::sources::{FieldNames, Source};
use parquet::arrow::parquet_to_arrow_schema;
use parquet::basic::LogicalType;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType as ParquetType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{ReaderProperties, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::RowGroupReader;
use parquet::file::serialized_reader::SerializedRowGroupReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, TypePtr};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Desired uncompressed size of a batch: the rows of a column that are copied at a time.
const BATCH_BYTES: u64 = 1 << 20;
const MAX_BATCH_ROWS: u64 = 1 << 14;

/// Copies the selected rows of one or more files of one schema ([`have_one_parquet_schema`]), with their annotations if
/// the job has them. Schema, compression of each column, metadata (of the first file) and row groups are preserved,
/// except for row groups without selected rows and for the basis. `go_on` is called with the number of input bytes
/// processed since the last call; `false` stops.
///
/// # Errors
/// [`Error::NotInFormat`] if a row cannot be read, [`Error::Io`], [`Error::Stopped`].
pub(super) fn copy_parquet<'w, I: Iterator<Item = SelectedRecord<'w>>>(
    job: Rewrite<'_>,
    file: AtomicFile,
    records: impl Fn(usize) -> I,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<AtomicFile> {
    let Rewrite { sources, annotations, edit, fields, .. } = job;
    let path = file.path().to_owned();
    let failed = |error| unwritable(&path, error);
    let [first, ..] = sources else { return Ok(file) };
    let first = ParquetInput::open(&first.file)?;
    check_types(&first.metadata, &path)?;
    let (schema, properties) = description(&first.metadata, job).map_err(failed)?;
    let mut writer = SerializedFileWriter::new(file, schema, properties).map_err(failed)?;
    for (index, source) in sources.iter().enumerate() {
        let reader = ParquetInput::open(&source.file)?;
        let input = source.file.as_ref();
        let output = path.clone();
        let text =
            edit.map(|edit| Ok::<_, Error>((text_column(&reader.metadata, fields, input)?, edit))).transpose()?;
        let copy = FileCopy { input, output, annotations, text, reader: &reader, go_on: &mut *go_on };
        copy.file(records(index).peekable(), &mut writer)?;
    }
    writer.into_inner().map_err(failed)
}

/// Returns whether the Parquet files have the same columns, in type and name, as the format has them.
///
/// # Errors
/// [`Error::NotInFormat`] if a footer cannot be read, [`Error::Io`].
pub(super) fn have_one_parquet_schema(sources: &[&Source]) -> Result<bool> {
    let [first, others @ ..] = sources else { return Ok(true) };
    if others.is_empty() {
        return Ok(true);
    }
    let fields = |source: &Source| {
        let metadata = ParquetInput::open(&source.file)?.metadata;
        Ok(metadata.file_metadata().schema_descr().root_schema().get_fields().to_vec())
    };
    let expected = fields(first)?;
    for source in others {
        if fields(source)? != expected {
            return Ok(false);
        }
    }
    Ok(true)
}

/// An open file.
struct ParquetInput {
    metadata: ParquetMetaData,
    file: Arc<RepairedFile>,
}

impl ParquetInput {
    fn open(path: &Path) -> Result<Self> {
        let file = open(path, RecordFormat::Parquet)?;
        let opened = guarded(|| {
            let metadata = metadata_of(&file)?;
            let marks = RepairedFile::marks(&file, &metadata);
            Ok::<_, ParquetError>(Self { metadata, file: Arc::new(RepairedFile::new(file, &marks)) })
        });
        opened.map_err(|message| unreadable(path, RecordFormat::Parquet, message))
    }

    fn group(&self, number: usize) -> std::result::Result<impl RowGroupReader + '_, ParquetError> {
        let properties = ReaderProperties::builder().build();
        let group = self.metadata.row_group(number);
        let pages = self.metadata.page_index_for_row_group(number);
        SerializedRowGroupReader::new(Arc::clone(&self.file), group, pages, Arc::new(properties))
    }
}

/// Checks that all types can be written: those that a later version of the format has can be read only.
fn check_types(metadata: &ParquetMetaData, path: &Path) -> Result<()> {
    let columns = metadata.file_metadata().schema_descr().columns();
    let is_unknown = |column: &&ColumnDescPtr| matches!(column.logical_type_ref(), Some(LogicalType::_Unknown { .. }));
    let Some(unknown) = columns.iter().find(is_unknown) else { return Ok(()) };
    Err(Error::CannotHold {
        path: path.to_owned(),
        column: unknown.path().string(),
        found: "of a logical type that is not known here".to_owned(),
        form: DataForm::Records(RecordFormat::Parquet),
        remedy: Remedy::AsBytes(&[RecordFormat::Arrow, RecordFormat::JsonLines, RecordFormat::Csv]),
    })
}

/// Schema and properties of the output.
fn description(
    metadata: &ParquetMetaData,
    job: Rewrite<'_>,
) -> std::result::Result<(TypePtr, WriterPropertiesPtr), ParquetError> {
    let file = metadata.file_metadata();
    let mut schema = file.schema_descr().root_schema_ptr();
    let mut pairs = with_basis(file.key_value_metadata(), job.basis);
    if let Some(kind) = job.annotations.kind() {
        if let Some(pairs) = &mut pairs {
            annotate_arrow_schema(metadata, pairs, kind)?;
        }
        schema = annotated_schema(&schema, kind)?;
    }
    let mut properties = WriterProperties::builder().set_key_value_metadata(pairs);
    for column in metadata.row_groups().first().into_iter().flat_map(|group| group.columns()) {
        let path = column.column_path().clone();
        let has_dictionary = column.dictionary_page_offset().is_some();
        properties = properties
            .set_column_compression(path.clone(), column.compression())
            .set_column_dictionary_enabled(path, has_dictionary);
    }
    Ok((schema, Arc::new(properties.build())))
}

/// The metadata of a file whose rows were chosen anew.
fn with_basis(pairs: Option<&Vec<KeyValue>>, basis: Option<&str>) -> Option<Vec<KeyValue>> {
    let own = basis.map(|basis| KeyValue::new(BASIS_KEY.to_owned(), basis.to_owned()));
    let others = pairs.map(|pairs| pairs.iter().filter(|pair| pair.key != BASIS_KEY).cloned().collect::<Vec<_>>());
    match (others, own) {
        (None, None) => None,
        (others, own) => Some(others.into_iter().flatten().chain(own).collect()),
    }
}

/// The selected rows of a row group.
struct KeptRows<'w> {
    records: Vec<SelectedRecord<'w>>,
    /// Choice by row, up to the last selected one: the rows after it are not read and may be corrupt.
    rows: Vec<bool>,
}

impl<'w> KeptRows<'w> {
    fn of_group(records: &mut Peekable<impl Iterator<Item = SelectedRecord<'w>>>, before: u64, rows: u64) -> Self {
        let mut kept = Self { records: Vec::new(), rows: Vec::new() };
        while let Some(record) = records.next_if(|record| record.number <= before + rows) {
            kept.rows.resize((record.number - before) as usize, false);
            if let Some(row) = kept.rows.last_mut() {
                *row = true;
            }
            kept.records.push(record);
        }
        kept
    }
}

/// A column of a row group that is copied.
#[derive(Clone, Copy)]
struct CopiedColumn<'k> {
    number: usize,
    kept: &'k KeptRows<'k>,
    /// Number of rows that are copied at a time.
    batch_rows: usize,
}

struct FileCopy<'c> {
    input: &'c Path,
    output: PathBuf,
    annotations: Annotations,
    /// The column of texts, and what becomes of them.
    text: Option<(usize, TextEdit<'c>)>,
    reader: &'c ParquetInput,
    go_on: &'c mut dyn FnMut(u64) -> bool,
}

impl FileCopy<'_> {
    fn file<'w>(
        mut self,
        mut records: Peekable<impl Iterator<Item = SelectedRecord<'w>>>,
        writer: &mut SerializedFileWriter<AtomicFile>,
    ) -> Result<()> {
        let mut before = 0;
        for (group, metadata) in self.reader.metadata.row_groups().iter().enumerate() {
            let rows = metadata.num_rows().max(0) as u64;
            let kept = KeptRows::of_group(&mut records, before, rows);
            self.group(group, &kept, writer)?;
            before += rows;
        }
        match records.next() {
            Some(_) => Err(Error::Changed { path: self.input.to_owned() }),
            None => Ok(()),
        }
    }

    fn unreadable(&self, message: String) -> Error {
        unreadable(self.input, RecordFormat::Parquet, message)
    }

    fn advance(&mut self, bytes: i64) -> Result<()> {
        if (self.go_on)(bytes.max(0) as u64) { Ok(()) } else { Err(Error::Stopped) }
    }

    fn group(
        &mut self,
        number: usize,
        kept: &KeptRows<'_>,
        writer: &mut SerializedFileWriter<AtomicFile>,
    ) -> Result<()> {
        if kept.records.is_empty() {
            let bytes = self.reader.metadata.row_group(number).compressed_size();
            return self.advance(bytes);
        }
        let output = self.output.clone();
        let failed = |error| unwritable(&output, error);
        let mut group_writer = writer.next_row_group().map_err(failed)?;
        let reader = self.reader;
        let group = guarded(|| reader.group(number)).map_err(|message| self.unreadable(message))?;
        for column in 0..group.num_columns() {
            let Some(mut to) = group_writer.next_column().map_err(failed)? else { break };
            let from = guarded(|| group.get_column_reader(column)).map_err(|message| self.unreadable(message))?;
            let copied = CopiedColumn { number: column, kept, batch_rows: batch_rows(&group, column) };
            self.column(copied, from, to.untyped())?;
            to.close().map_err(failed)?;
            self.advance(group.metadata().column(column).compressed_size())?;
        }
        if let Some(kind) = self.annotations.kind() {
            write_annotations(&mut group_writer, &kept.records, kind).map_err(failed)?;
        }
        group_writer.close().map(drop).map_err(failed)
    }

    fn column(&mut self, column: CopiedColumn<'_>, from: ColumnReader, to: &mut ColumnWriter<'_>) -> Result<()> {
        use {ColumnReader as From, ColumnWriter as To};
        match (from, to) {
            (From::ByteArrayColumnReader(from), To::ByteArrayColumnWriter(to))
                if let Some((_, edit)) = self.text.filter(|&(text, _)| text == column.number) =>
            {
                let mut records = column.kept.records.iter();
                self.values_changed(column, from, to, |values, max_definition| {
                    change_texts(values, max_definition, &mut records, edit);
                })
            }
            (From::BoolColumnReader(from), To::BoolColumnWriter(to)) => self.values(column, from, to),
            (From::Int32ColumnReader(from), To::Int32ColumnWriter(to)) => self.values(column, from, to),
            (From::Int64ColumnReader(from), To::Int64ColumnWriter(to)) => self.values(column, from, to),
            (From::Int96ColumnReader(from), To::Int96ColumnWriter(to)) => self.values(column, from, to),
            (From::FloatColumnReader(from), To::FloatColumnWriter(to)) => self.values(column, from, to),
            (From::DoubleColumnReader(from), To::DoubleColumnWriter(to)) => self.values(column, from, to),
            (From::ByteArrayColumnReader(from), To::ByteArrayColumnWriter(to)) => self.values(column, from, to),
            (From::FixedLenByteArrayColumnReader(from), To::FixedLenByteArrayColumnWriter(to)) => {
                self.values(column, from, to)
            }
            _ => Err(self.unreadable("a column has two types".to_owned())),
        }
    }

    fn values<T: ParquetType>(
        &mut self,
        column: CopiedColumn<'_>,
        from: ColumnReaderImpl<T>,
        to: &mut ColumnWriterImpl<'_, T>,
    ) -> Result<()> {
        self.values_changed(column, from, to, |_, _| ())
    }

    /// Copies values; `change` may change those that are kept, given the definition level of a value.
    fn values_changed<T: ParquetType>(
        &mut self,
        column: CopiedColumn<'_>,
        mut from: ColumnReaderImpl<T>,
        to: &mut ColumnWriterImpl<'_, T>,
        mut change: impl FnMut(&mut LevelledValues<T>, i16),
    ) -> Result<()> {
        let keep = &column.kept.rows[..];
        let descriptor = to.get_descriptor().clone();
        let max_definition = descriptor.max_def_level();
        let max_repetition = descriptor.max_rep_level();
        let mut read = LevelledValues::<T>::default();
        let mut kept = LevelledValues::<T>::default();
        let mut done = 0;
        while done < keep.len() {
            read.clear();
            let rows = column.batch_rows.min(keep.len() - done);
            let step = guarded(|| {
                from.read_records(rows, Some(&mut read.definition), Some(&mut read.repetition), &mut read.values)
            });
            let (records, _, levels) = step.map_err(|message| self.unreadable(message))?;
            if records == 0 {
                return Err(self.unreadable(format!("column {} ends too early", descriptor.path().string())));
            }
            kept.clear();
            kept.append_kept(&read, levels, &keep[done..done + records], max_definition).ok_or_else(|| {
                self.unreadable(format!("the levels of column {} make no sense", descriptor.path().string()))
            })?;
            change(&mut kept, max_definition);
            let definition = (max_definition > 0).then_some(&kept.definition[..]);
            let repetition = (max_repetition > 0).then_some(&kept.repetition[..]);
            to.write_batch(&kept.values, definition, repetition).map_err(|error| unwritable(&self.output, error))?;
            done += records;
            self.advance(0)?;
        }
        Ok(())
    }
}

/// Values of a column with their levels. A record begins at repetition level 0; a value is present at the maximum
/// definition level.
struct LevelledValues<T: ParquetType> {
    values: Vec<T::T>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl<T: ParquetType> Default for LevelledValues<T> {
    fn default() -> Self {
        Self { values: Vec::new(), definition: Vec::new(), repetition: Vec::new() }
    }
}

impl<T: ParquetType> LevelledValues<T> {
    fn clear(&mut self) {
        self.values.clear();
        self.definition.clear();
        self.repetition.clear();
    }

    /// Appends the values and levels of the records that `keep` selects; `None` if records or values are fewer than
    /// levels.
    fn append_kept(&mut self, read: &Self, levels: usize, keep: &[bool], max_definition: i16) -> Option<()> {
        let mut values = read.values.iter();
        let mut records = keep.iter();
        let mut is_kept = false;
        for level in 0..levels {
            let repetition = read.repetition.get(level).copied();
            if repetition.unwrap_or(0) == 0 {
                is_kept = *records.next()?;
            }
            let definition = read.definition.get(level).copied();
            let value =
                if definition.unwrap_or(max_definition) == max_definition { Some(values.next()?) } else { None };
            if is_kept {
                self.repetition.extend(repetition);
                self.definition.extend(definition);
                self.values.extend(value.cloned());
            }
        }
        Some(())
    }
}

/// Changes the texts of the next records, which have one each or none.
fn change_texts<'w>(
    texts: &mut LevelledValues<ByteArrayType>,
    max_definition: i16,
    records: &mut impl Iterator<Item = &'w SelectedRecord<'w>>,
    edit: TextEdit<'_>,
) {
    let LevelledValues { values, definition, .. } = texts;
    // Values without levels are all present.
    let count = if max_definition > 0 { definition.len() } else { values.len() };
    let is_present = |at: usize| definition.get(at).is_none_or(|&level| level == max_definition);
    let mut values = values.iter_mut();
    for (is_present, record) in (0..count).map(is_present).zip(records) {
        let Some(value) = is_present.then(|| values.next()).flatten() else { continue };
        let text = std::str::from_utf8(value.data()).ok();
        if let Some(changed) = text.and_then(|text| (edit.0)(record.document, text)) {
            *value = ByteArray::from(changed.into_bytes());
        }
    }
}

/// The number of the column of texts.
fn text_column(metadata: &ParquetMetaData, names: &FieldNames, path: &Path) -> Result<usize> {
    let file = metadata.file_metadata();
    let names = FieldNames { reserved: None, ..names.clone() };
    let schema = parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata());
    let schema = schema.map_err(|error| unreadable(path, RecordFormat::Parquet, error.to_string()))?;
    let text = FieldColumns::find(&schema, &names, path)?.text;
    let columns = file.schema_descr().columns();
    let place = columns.iter().position(|column| column.path().parts() == text);
    place.ok_or_else(|| Error::Changed { path: path.to_owned() })
}

/// Number of rows with about [`BATCH_BYTES`], estimated from the metadata.
fn batch_rows(group: &dyn RowGroupReader, column: usize) -> usize {
    let metadata = group.metadata();
    let bytes = metadata.column(column).uncompressed_size().max(1) as u64;
    let rows = (metadata.num_rows().max(0) as u64).saturating_mul(BATCH_BYTES) / bytes;
    rows.clamp(1, MAX_BATCH_ROWS) as usize
}
