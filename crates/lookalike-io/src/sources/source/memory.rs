//! Documents in the memory of a program: a source without files.
//!
//! Texts are not copied. A table is record batches of Arrow, whose arrays share their buffers with the program that
//! has passed them; a list is any type with a method that returns the text of a given number. Rows are counted from 0,
//! as programs count them. Documents without ids are called by the numbers of their rows, and a row whose id is missing
//! by the name of the source and its number, `data:7`.
//!
//! The number alone could be the id of another row. A row number is also what qualifies an id that occurs again.

use crate::sources::field_names::FieldNames;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use std::fmt::Debug;
use std::sync::Arc;

/// Texts by number.
pub trait TextList: Debug + Send + Sync {
    /// Number of texts.
    fn len(&self) -> usize;

    /// The text with this number; `None` for a row without a text, which is a bad record, and behind the last one.
    fn get(&self, number: usize) -> Option<&str>;

    /// Returns whether there are no texts.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: AsRef<str> + Debug + Send + Sync> TextList for Vec<T> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn get(&self, number: usize) -> Option<&str> {
        self.as_slice().get(number).map(AsRef::as_ref)
    }
}

/// Documents in the memory of a program.
#[derive(Debug, Clone)]
pub enum InMemory {
    /// Columns, found by the names of the fields.
    Table(MemoryTable),
    /// Texts one after the other.
    Texts(MemoryTexts),
}

/// Columns of documents in memory.
#[derive(Debug, Clone)]
pub struct MemoryTable {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl MemoryTable {
    /// A table of these batches, one after the other.
    ///
    /// # Errors
    /// [`ArrowError::SchemaError`] for a batch of other columns than those of the schema.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, ArrowError> {
        match batches.iter().find(|batch| !has_types_of(&schema, &batch.schema())) {
            None => Ok(Self { schema, batches }),
            Some(other) => {
                let expected = names_of(&schema);
                let found = names_of(&other.schema());
                Err(ArrowError::SchemaError(format!("a batch has the columns {found}, the table {expected}")))
            }
        }
    }

    /// Names and types of the columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The rows.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }
}

/// Metadata and nullability may differ: nothing here relies on them.
fn has_types_of(schema: &Schema, other: &Schema) -> bool {
    let columns = |schema: &Schema| -> Vec<_> {
        schema.fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
    };
    columns(schema) == columns(other)
}

fn names_of(schema: &Schema) -> String {
    let names: Vec<String> =
        schema.fields().iter().map(|field| format!("{}: {}", field.name(), field.data_type())).collect();
    names.join(", ")
}

/// Texts in memory, one after the other, with their ids or without.
#[derive(Debug, Clone)]
pub struct MemoryTexts {
    texts: Arc<dyn TextList>,
    ids: Option<Arc<dyn TextList>>,
}

impl MemoryTexts {
    /// Texts that are called by their numbers.
    pub fn new(texts: Arc<dyn TextList>) -> Self {
        Self { texts, ids: None }
    }

    /// Texts with a list of ids, which has none for texts whose ids are missing; `None` for other numbers of texts and
    /// ids.
    pub fn with_ids(texts: Arc<dyn TextList>, ids: Arc<dyn TextList>) -> Option<Self> {
        (texts.len() == ids.len()).then_some(Self { texts, ids: Some(ids) })
    }

    /// The texts in order; `None` for a row without one.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.texts.len()).map(|row| self.text(row))
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn text(&self, row: usize) -> Option<&str> {
        self.texts.get(row)
    }

    /// Returns whether texts have ids; of one row it may be missing even then.
    pub fn have_ids(&self) -> bool {
        self.ids.is_some()
    }

    /// The id of a row, if it has one of its own.
    pub(crate) fn id(&self, row: usize) -> Option<&str> {
        self.ids.as_ref()?.get(row)
    }
}

impl InMemory {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Table(table) => table.batches.iter().map(RecordBatch::num_rows).sum(),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// Size of the texts in bytes, as far as it is known without looking at each: 0 for a table without texts.
    pub(crate) fn text_bytes(&self, names: &FieldNames) -> u64 {
        match self {
            Self::Table(table) => {
                let first = names.text.split('.').next().unwrap_or_default();
                let columns = [names.text.as_str(), first];
                let column = |batch: &RecordBatch| columns.iter().find_map(|name| batch.column_by_name(name).cloned());
                table.batches.iter().filter_map(column).map(|column| array_bytes(&column)).sum()
            }
            Self::Texts(texts) => {
                (0..texts.len()).filter_map(|row| texts.text(row)).map(|text| text.len() as u64).sum()
            }
        }
    }
}

/// Size of the rows of an array; of views and dictionaries with all that they could point to.
fn array_bytes(array: &ArrayRef) -> u64 {
    array.to_data().get_slice_memory_size().map_or(0, |bytes| bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::StringArray;

    fn batch(name: &str) -> RecordBatch {
        RecordBatch::try_from_iter([(name, Arc::new(StringArray::from(vec!["a", "bc"])) as ArrayRef)]).unwrap()
    }

    #[test]
    fn batches_of_other_columns_are_refused() {
        let text = batch("text");
        let other = batch("other");
        assert!(MemoryTable::new(text.schema(), vec![text.clone(), text.clone()]).is_ok());
        let error = MemoryTable::new(text.schema(), vec![text, other]).unwrap_err().to_string();
        assert!(error.contains("other: Utf8") && error.contains("text: Utf8"), "{error}");
    }

    #[test]
    fn rows_and_bytes_are_counted() {
        let names = FieldNames::default();
        let text = batch("text");
        let table = MemoryTable::new(text.schema(), vec![text.clone(), text.slice(1, 1)]).unwrap();
        let table = InMemory::Table(table);
        assert_eq!(table.rows(), 3);
        assert!(table.text_bytes(&names) >= 5);
        let texts: Arc<dyn TextList> = Arc::new(vec!["a", "bc"]);
        assert!(MemoryTexts::with_ids(texts.clone(), Arc::new(vec!["1"])).is_none());
        let texts = InMemory::Texts(MemoryTexts::new(texts));
        assert_eq!((texts.rows(), texts.text_bytes(&names)), (2, 3));
    }
}
