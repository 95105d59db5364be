//! Annotations as columns of a Parquet file.

use super::conversion::SelectedRecord;
use crate::outputs::AtomicFile;
use crate::rows::{AnnotationKind, ColumnKind, Row, Value};
use arrow_schema::Schema;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, encode_arrow_schema, parquet_to_arrow_schema};
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArrayType, DataType as ParquetType, DoubleType, Int32Type, Int64Type};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

/// The schema with the added columns at its end.
pub(super) fn annotated_schema(schema: &Type, kind: AnnotationKind) -> ParquetResult<TypePtr> {
    let mut fields = schema.get_fields().to_vec();
    for (name, column) in kind.columns().iter().zip(kind.header()) {
        let (physical, logical) = parquet_type(column.kind);
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        fields.push(Arc::new(column.with_logical_type(logical).build()?));
    }
    Ok(Arc::new(Type::group_type_builder(schema.name()).with_fields(fields).build()?))
}

fn parquet_type(kind: ColumnKind) -> (PhysicalType, Option<LogicalType>) {
    match kind {
        ColumnKind::Id { .. } | ColumnKind::Text | ColumnKind::Json => {
            (PhysicalType::BYTE_ARRAY, Some(LogicalType::String))
        }
        ColumnKind::Count => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
        ColumnKind::Count32 => (PhysicalType::INT32, Some(LogicalType::integer(32, false))),
        ColumnKind::Share | ColumnKind::Number => (PhysicalType::DOUBLE, None),
        ColumnKind::Flag => (PhysicalType::BOOLEAN, None),
        ColumnKind::Bytes(_) => (PhysicalType::BYTE_ARRAY, None),
    }
}

/// Adds the columns to the Arrow schema in the metadata. Writers based on Arrow store it, and readers expect it to have
/// as many columns as the file.
pub(super) fn annotate_arrow_schema(
    metadata: &ParquetMetaData,
    pairs: &mut [KeyValue],
    kind: AnnotationKind,
) -> ParquetResult<()> {
    let file = metadata.file_metadata();
    let Some(stored) = pairs.iter_mut().find(|pair| pair.key == ARROW_SCHEMA_META_KEY) else { return Ok(()) };
    let schema = parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata())?;
    let added = kind.column_fields().into_iter().map(Arc::new);
    let fields: Vec<_> = schema.fields().iter().cloned().chain(added).collect();
    stored.value = Some(encode_arrow_schema(&Schema::new_with_metadata(fields, schema.metadata().clone())));
    Ok(())
}

/// Writes the columns for the records of a row group.
pub(super) fn write_annotations(
    group: &mut SerializedRowGroupWriter<'_, AtomicFile>,
    records: &[SelectedRecord<'_>],
    kind: AnnotationKind,
) -> ParquetResult<()> {
    let rows: Vec<Vec<_>> =
        records.iter().map(|record| record.annotation.iter().flat_map(Row::cells).collect()).collect();
    for (place, column) in kind.header().into_iter().enumerate() {
        let cells: Vec<&Value<'_>> =
            rows.iter().map(|row| row.get(place).map_or(&Value::Null, |(_, value)| value)).collect();
        // Unsigned integers are stored as signed ones with the same bits.
        match column.kind {
            ColumnKind::Flag => write_cells::<BoolType>(group, &cells, Value::as_flag),
            ColumnKind::Id { .. } | ColumnKind::Text | ColumnKind::Json | ColumnKind::Bytes(_) => {
                write_cells::<ByteArrayType>(group, &cells, |cell| cell.as_text().map(Into::into))
            }
            ColumnKind::Share | ColumnKind::Number => write_cells::<DoubleType>(group, &cells, Value::as_number),
            ColumnKind::Count => write_cells::<Int64Type>(group, &cells, |cell| cell.as_count().map(u64::cast_signed)),
            ColumnKind::Count32 => {
                write_cells::<Int32Type>(group, &cells, |cell| Some((cell.as_count()? as u32).cast_signed()))
            }
        }?;
    }
    Ok(())
}

/// Writes the column of cells of one type.
fn write_cells<'v, T: ParquetType>(
    group: &mut SerializedRowGroupWriter<'_, AtomicFile>,
    cells: &[&Value<'v>],
    value: impl Fn(&Value<'v>) -> Option<T::T>,
) -> ParquetResult<()> {
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(**cell != Value::Null)).collect();
    let values: Vec<T::T> = cells.iter().filter_map(|cell| value(cell)).collect();
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}
