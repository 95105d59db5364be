//! Annotations as columns of a Parquet file.

use crate::outputs::AtomicFile;
use crate::rewrite::wanted::Wanted;
use crate::rows::{Annotation, PairFigure, RowKind};
use arrow_schema::Schema;
use lookalike_core::measure::Figure;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, encode_arrow_schema, parquet_to_arrow_schema};
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType as ParquetType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

/// The result of a step of the writer.
type Written<T> = std::result::Result<T, ParquetError>;

/// The schema with the added columns at its end.
pub(super) fn annotated_schema(schema: &Type, figure: Figure) -> Written<TypePtr> {
    let mut fields = schema.get_fields().to_vec();
    for (name, field) in Annotation::columns(figure).iter().zip(Annotation::header(figure)) {
        let (physical, logical) = parquet_type(field.kind);
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        fields.push(Arc::new(column.with_logical_type(logical).build()?));
    }
    Ok(Arc::new(Type::group_type_builder(schema.name()).with_fields(fields).build()?))
}

fn parquet_type(kind: RowKind) -> (PhysicalType, Option<LogicalType>) {
    match kind {
        RowKind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        RowKind::Count => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
        RowKind::Count32 => (PhysicalType::INT32, Some(LogicalType::integer(32, false))),
        RowKind::Number => (PhysicalType::DOUBLE, None),
        RowKind::Flag => (PhysicalType::BOOLEAN, None),
        RowKind::Bytes(_) => (PhysicalType::BYTE_ARRAY, None),
    }
}

/// Adds the columns to the Arrow schema in the metadata. Writers based on Arrow store it, and readers expect it to have
/// as many columns as the file.
pub(super) fn annotate_arrow_schema(metadata: &ParquetMetaData, pairs: &mut [KeyValue], figure: Figure) -> Written<()> {
    let file = metadata.file_metadata();
    let Some(stored) = pairs.iter_mut().find(|pair| pair.key == ARROW_SCHEMA_META_KEY) else { return Ok(()) };
    let schema = parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata())?;
    let added = Annotation::column_fields(figure).map(Arc::new);
    let fields: Vec<_> = schema.fields().iter().cloned().chain(added).collect();
    stored.value = Some(encode_arrow_schema(&Schema::new_with_metadata(fields, schema.metadata().clone())));
    Ok(())
}

/// Writes the columns for the records of a row group.
pub(super) fn write_annotations(
    group: &mut SerializedRowGroupWriter<'_, AtomicFile>,
    records: &[Wanted<'_>],
    figure: Figure,
) -> Written<()> {
    let annotations: Vec<_> = records.iter().filter_map(|record| record.annotation).collect();
    let levels: Vec<i16> = records.iter().map(|record| i16::from(record.annotation.is_some())).collect();
    let duplicates: Vec<bool> = annotations.iter().map(|annotation| annotation.duplicate).collect();
    write_column::<BoolType>(group, &duplicates, &levels)?;
    let kept: Vec<ByteArray> = annotations.iter().map(|annotation| annotation.kept.into()).collect();
    write_column::<ByteArrayType>(group, &kept, &levels)?;
    let figures = annotations.iter().filter_map(|annotation| annotation.figure);
    let has_figure = |record: &Wanted<'_>| record.annotation.is_some_and(|annotation| annotation.figure.is_some());
    let figure_levels: Vec<i16> = records.iter().map(|record| i16::from(has_figure(record))).collect();
    match figure {
        Figure::Similarity | Figure::Containment => {
            let similarities: Vec<f64> = figures.filter_map(PairFigure::as_similarity).collect();
            write_column::<DoubleType>(group, &similarities, &figure_levels)?;
        }
        Figure::Common | Figure::Distance { .. } => {
            let counts: Vec<i64> = figures.filter_map(PairFigure::as_count).map(u64::cast_signed).collect();
            write_column::<Int64Type>(group, &counts, &figure_levels)?;
        }
    }
    // Unsigned integers are stored as signed ones with the same bits.
    let sizes: Vec<i32> = annotations.iter().map(|annotation| annotation.cluster_size.cast_signed()).collect();
    write_column::<Int32Type>(group, &sizes, &levels)
}

fn write_column<T: ParquetType>(
    group: &mut SerializedRowGroupWriter<'_, AtomicFile>,
    values: &[T::T],
    levels: &[i16],
) -> Written<()> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(values, Some(levels), None)?;
    column.close()
}
