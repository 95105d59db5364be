//! Some rows of a Parquet file, as a Parquet file.
//!
//! Values go from column to column as they are stored, with the levels that say where lists and nulls are. Going through Arrow
//! would be less code, but Arrow does not have all types of Parquet: 96-bit timestamps, for example, would come back as others.

use super::{ANNOTATION_COLUMNS, guarded, open, unreadable, unwritable};
use crate::annotate::Wanted;
use crate::atomic::AtomicFile;
use crate::error::{Error, Result};
use crate::format::RecordFormat;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, encode_arrow_schema, parquet_to_arrow_schema};
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType as ParquetType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use std::fs::File;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Uncompressed bytes of a column that are copied at a time.
const CHUNK_BYTES: u64 = 1 << 20;
const MOST_CHUNK_ROWS: u64 = 1 << 14;

/// Copies the wanted rows of `input`, with their annotations if `is_annotated`. Schema, compression of each column, metadata
/// and row groups stay; a row group that loses all its rows goes. `go_on` is told how many bytes of the input are done, and
/// says whether to go on.
///
/// # Errors
/// [`Error::NotInFormat`] if a row cannot be read, [`Error::Io`], [`Error::Stopped`].
pub(crate) fn copy_parquet<'w>(
    input: &Path,
    out: AtomicFile,
    is_annotated: bool,
    records: impl Iterator<Item = Wanted<'w>>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<AtomicFile> {
    let file = open(input)?;
    let reader = guarded(|| SerializedFileReader::new(file));
    let reader = reader.map_err(|message| unreadable(input, RecordFormat::Parquet, message))?;
    let output = out.path().to_owned();
    let failed = |error| unwritable(&output, error);
    let (schema, properties) = description(reader.metadata(), is_annotated).map_err(failed)?;
    let mut writer = SerializedFileWriter::new(out, schema, properties).map_err(failed)?;
    let mut copy = Copy { input, output: output.clone(), reader: &reader, go_on };
    let mut records = records.peekable();
    let mut before = 0;
    for group in 0..reader.num_row_groups() {
        let rows = reader.metadata().row_group(group).num_rows().max(0) as u64;
        let kept = Kept::of_group(&mut records, before, rows);
        copy.group(group, &kept, is_annotated, &mut writer)?;
        before += rows;
    }
    if records.next().is_some() {
        return Err(Error::Changed { path: input.to_owned() });
    }
    writer.into_inner().map_err(failed)
}

/// Schema and properties of the output.
fn description(
    metadata: &ParquetMetaData,
    is_annotated: bool,
) -> std::result::Result<(TypePtr, WriterPropertiesPtr), ParquetError> {
    let file = metadata.file_metadata();
    let mut schema = file.schema_descr().root_schema_ptr();
    let mut pairs = file.key_value_metadata().cloned();
    if is_annotated {
        if let Some(pairs) = &mut pairs {
            annotate_arrow_schema(metadata, pairs)?;
        }
        schema = annotated(&schema)?;
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

/// The schema with the columns of annotations at its end.
fn annotated(schema: &Type) -> std::result::Result<TypePtr, ParquetError> {
    let [duplicate, kept, similarity, cluster_size] = ANNOTATION_COLUMNS;
    let column = |name, physical, logical| {
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        builder.with_logical_type(logical).build().map(Arc::new)
    };
    let mut fields = schema.get_fields().to_vec();
    fields.push(column(duplicate, PhysicalType::BOOLEAN, None)?);
    fields.push(column(kept, PhysicalType::BYTE_ARRAY, Some(LogicalType::String))?);
    fields.push(column(similarity, PhysicalType::DOUBLE, None)?);
    fields.push(column(cluster_size, PhysicalType::INT32, Some(LogicalType::integer(32, false)))?);
    Ok(Arc::new(Type::group_type_builder(schema.name()).with_fields(fields).build()?))
}

/// Writers from the world of Arrow leave their schema in the metadata, and readers expect it to have as many columns as the file.
fn annotate_arrow_schema(metadata: &ParquetMetaData, pairs: &mut [KeyValue]) -> std::result::Result<(), ParquetError> {
    let file = metadata.file_metadata();
    let Some(stored) = pairs.iter_mut().find(|pair| pair.key == ARROW_SCHEMA_META_KEY) else { return Ok(()) };
    let schema = parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata())?;
    let added = ANNOTATION_COLUMNS.into_iter().zip(ANNOTATION_TYPES);
    let added = added.map(|(name, data_type)| Arc::new(Field::new(name, data_type, true)));
    let fields: Vec<_> = schema.fields().iter().cloned().chain(added).collect();
    stored.value = Some(encode_arrow_schema(&Schema::new_with_metadata(fields, schema.metadata().clone())));
    Ok(())
}

/// Types of [`ANNOTATION_COLUMNS`].
pub(crate) const ANNOTATION_TYPES: [DataType; 4] =
    [DataType::Boolean, DataType::Utf8, DataType::Float64, DataType::UInt32];

/// What is wanted of a row group.
struct Kept<'w> {
    records: Vec<Wanted<'w>>,
    /// By row, up to the last one that is wanted: what follows need not be readable.
    rows: Vec<bool>,
}

impl<'w> Kept<'w> {
    fn of_group(records: &mut Peekable<impl Iterator<Item = Wanted<'w>>>, before: u64, rows: u64) -> Self {
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

struct Copy<'c> {
    input: &'c Path,
    output: PathBuf,
    reader: &'c SerializedFileReader<File>,
    go_on: &'c mut dyn FnMut(u64) -> bool,
}

impl Copy<'_> {
    fn unreadable(&self, message: String) -> Error {
        unreadable(self.input, RecordFormat::Parquet, message)
    }

    fn advance(&mut self, bytes: i64) -> Result<()> {
        if (self.go_on)(bytes.max(0) as u64) { Ok(()) } else { Err(Error::Stopped) }
    }

    fn group(
        &mut self,
        number: usize,
        kept: &Kept<'_>,
        is_annotated: bool,
        writer: &mut SerializedFileWriter<AtomicFile>,
    ) -> Result<()> {
        if kept.records.is_empty() {
            let bytes = self.reader.metadata().row_group(number).compressed_size();
            return self.advance(bytes);
        }
        let output = self.output.clone();
        let failed = |error| unwritable(&output, error);
        let mut group_writer = writer.next_row_group().map_err(failed)?;
        let reader = self.reader;
        let group = guarded(|| reader.get_row_group(number)).map_err(|message| self.unreadable(message))?;
        for column in 0..group.num_columns() {
            let Some(mut to) = group_writer.next_column().map_err(failed)? else { break };
            let from = guarded(|| group.get_column_reader(column)).map_err(|message| self.unreadable(message))?;
            let rows = chunk_rows(group.as_ref(), column);
            self.column(from, to.untyped(), &kept.rows, rows)?;
            to.close().map_err(failed)?;
            self.advance(group.metadata().column(column).compressed_size())?;
        }
        if is_annotated {
            write_annotations(&mut group_writer, &kept.records).map_err(failed)?;
        }
        group_writer.close().map(drop).map_err(failed)
    }

    fn column(&mut self, from: ColumnReader, to: &mut ColumnWriter<'_>, keep: &[bool], rows: usize) -> Result<()> {
        use {ColumnReader as From, ColumnWriter as To};
        match (from, to) {
            (From::BoolColumnReader(from), To::BoolColumnWriter(to)) => self.values(from, to, keep, rows),
            (From::Int32ColumnReader(from), To::Int32ColumnWriter(to)) => self.values(from, to, keep, rows),
            (From::Int64ColumnReader(from), To::Int64ColumnWriter(to)) => self.values(from, to, keep, rows),
            (From::Int96ColumnReader(from), To::Int96ColumnWriter(to)) => self.values(from, to, keep, rows),
            (From::FloatColumnReader(from), To::FloatColumnWriter(to)) => self.values(from, to, keep, rows),
            (From::DoubleColumnReader(from), To::DoubleColumnWriter(to)) => self.values(from, to, keep, rows),
            (From::ByteArrayColumnReader(from), To::ByteArrayColumnWriter(to)) => self.values(from, to, keep, rows),
            (From::FixedLenByteArrayColumnReader(from), To::FixedLenByteArrayColumnWriter(to)) => {
                self.values(from, to, keep, rows)
            }
            _ => Err(self.unreadable("a column has two types".to_owned())),
        }
    }

    fn values<T: ParquetType>(
        &mut self,
        mut from: ColumnReaderImpl<T>,
        to: &mut ColumnWriterImpl<'_, T>,
        keep: &[bool],
        rows: usize,
    ) -> Result<()> {
        let descriptor = to.get_descriptor().clone();
        let (most_definition, most_repetition) = (descriptor.max_def_level(), descriptor.max_rep_level());
        let mut read = Values::<T>::default();
        let mut kept = Values::<T>::default();
        let mut done = 0;
        while done < keep.len() {
            read.clear();
            let wanted = rows.min(keep.len() - done);
            let step = guarded(|| {
                from.read_records(wanted, Some(&mut read.definition), Some(&mut read.repetition), &mut read.values)
            });
            let (records, _, levels) = step.map_err(|message| self.unreadable(message))?;
            if records == 0 {
                return Err(self.unreadable(format!("column {} ends too early", descriptor.path().string())));
            }
            kept.clear();
            kept.append_kept(&read, levels, &keep[done..done + records], most_definition).ok_or_else(|| {
                self.unreadable(format!("the levels of column {} make no sense", descriptor.path().string()))
            })?;
            let definition = (most_definition > 0).then_some(&kept.definition[..]);
            let repetition = (most_repetition > 0).then_some(&kept.repetition[..]);
            to.write_batch(&kept.values, definition, repetition).map_err(|error| unwritable(&self.output, error))?;
            done += records;
            self.advance(0)?;
        }
        Ok(())
    }
}

/// Values of a column and their levels. A record begins where the repetition level is 0; a value is there where the
/// definition level is the highest one.
struct Values<T: ParquetType> {
    values: Vec<T::T>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl<T: ParquetType> Default for Values<T> {
    fn default() -> Self {
        Self { values: Vec::new(), definition: Vec::new(), repetition: Vec::new() }
    }
}

impl<T: ParquetType> Values<T> {
    fn clear(&mut self) {
        self.values.clear();
        self.definition.clear();
        self.repetition.clear();
    }

    /// Appends what belongs to those records that `keep` names; `None` if there are fewer records or values than levels say.
    fn append_kept(&mut self, read: &Self, levels: usize, keep: &[bool], most_definition: i16) -> Option<()> {
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
                if definition.unwrap_or(most_definition) == most_definition { Some(values.next()?) } else { None };
            if is_kept {
                self.repetition.extend(repetition);
                self.definition.extend(definition);
                self.values.extend(value.cloned());
            }
        }
        Some(())
    }
}

/// Rows that make about [`CHUNK_BYTES`], as the metadata tell.
fn chunk_rows(group: &dyn RowGroupReader, column: usize) -> usize {
    let metadata = group.metadata();
    let bytes = metadata.column(column).uncompressed_size().max(1) as u64;
    let rows = (metadata.num_rows().max(0) as u64).saturating_mul(CHUNK_BYTES) / bytes;
    rows.clamp(1, MOST_CHUNK_ROWS) as usize
}

fn write_annotations(
    group: &mut SerializedRowGroupWriter<'_, AtomicFile>,
    records: &[Wanted<'_>],
) -> std::result::Result<(), ParquetError> {
    let annotations: Vec<_> = records.iter().filter_map(|record| record.annotation).collect();
    let levels: Vec<i16> = records.iter().map(|record| i16::from(record.annotation.is_some())).collect();
    let duplicates: Vec<bool> = annotations.iter().map(|annotation| annotation.duplicate).collect();
    write_column::<BoolType>(group, &duplicates, &levels)?;
    let kept: Vec<ByteArray> = annotations.iter().map(|annotation| annotation.kept.into()).collect();
    write_column::<ByteArrayType>(group, &kept, &levels)?;
    let similarities: Vec<f64> = annotations.iter().map(|annotation| annotation.similarity).collect();
    write_column::<DoubleType>(group, &similarities, &levels)?;
    // Unsigned numbers are stored as the signed ones with the same bits.
    let sizes: Vec<i32> = annotations.iter().map(|annotation| annotation.cluster_size.cast_signed()).collect();
    write_column::<Int32Type>(group, &sizes, &levels)
}

fn write_column<T: ParquetType>(
    group: &mut SerializedRowGroupWriter<'_, AtomicFile>,
    values: &[T::T],
    levels: &[i16],
) -> std::result::Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(values, Some(levels), None)?;
    column.close()
}
