//! Signatures as rows of lists, in JSON Lines, Parquet or Arrow, or as an array of NumPy with the ids beside it.
//!
//! ```text
//! id          string
//! signature   list of K unsigned 32-bit integers
//! band_keys   list of strings of 16 hexadecimal digits, one for each band, if bands are requested; none for a
//!             document without elements, which shares no band
//! ```

use crate::base::details::Action;
use crate::base::{Error, Result, Staging};
use crate::columns::{BatchFormat, BatchWriter, npy_header};
use crate::formats::{RecordFormat, RowFormat, ids_beside};
use crate::outputs::{AtomicFile, Sealed};
use crate::rows::BASIS_KEY;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, FixedSizeListArray, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Components of a batch.
const BATCH_COMPONENTS: usize = 1 << 18;

/// Number and length of signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureShape {
    /// Number of documents.
    pub documents: usize,
    /// Components of each.
    pub components: usize,
    /// True if band keys are written.
    pub has_band_keys: bool,
}

/// Writes signatures to files that appear when they are complete.
#[derive(Debug)]
pub struct SignatureWriter(SignatureOutput);

#[derive(Debug)]
enum SignatureOutput {
    Rows(Box<SignatureRows>),
    Array { numbers: Box<AtomicFile>, ids: Box<AtomicFile> },
}

impl SignatureWriter {
    /// Returns whether the name of an output is that of an array of NumPy, which has no place for band keys.
    pub fn is_array(path: &Path, format: Option<RowFormat>) -> bool {
        format.is_none() && RecordFormat::of_name(path) == Some(RecordFormat::Npy)
    }

    /// Creates the file at `path` (`-` is standard output), in a format or in that of its extension.
    ///
    /// # Errors
    /// [`Error::NoLists`] for a table of text; else as [`super::RowWriter::create`].
    pub fn create(path: &Path, format: Option<RowFormat>, shape: SignatureShape, staging: &Staging) -> Result<Self> {
        if Self::is_array(path, format) {
            let mut numbers = AtomicFile::create_with(path, staging)?;
            let header = npy_header(&[shape.documents as u64, shape.components as u64]);
            numbers.write(&header.map_err(|source| Error::io(Action::Write, path, source))?)?;
            let ids = Box::new(AtomicFile::create_with(&ids_beside(path), staging)?);
            return Ok(Self(SignatureOutput::Array { numbers: Box::new(numbers), ids }));
        }
        let format = RowFormat::chosen_or_named(format, path)?;
        if format.is_text() {
            return Err(Error::NoLists { path: path.to_owned() });
        }
        let file = AtomicFile::create_with(path, staging)?;
        Ok(Self(SignatureOutput::Rows(Box::new(SignatureRows::create(file, &format.into(), shape)?))))
    }

    /// Writes the signature of the next document, and its band keys if there are such.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::NoLine`] for an id of several lines, beside an array.
    pub fn write(&mut self, id: &str, signature: &[u32], band_keys: &[u64]) -> Result<()> {
        match &mut self.0 {
            SignatureOutput::Rows(rows) => rows.write(id, signature, band_keys),
            SignatureOutput::Array { numbers, ids } => {
                if id.contains(['\n', '\r']) {
                    return Err(Error::NoLine { path: ids.path().to_owned(), id: id.to_owned() });
                }
                signature.iter().try_for_each(|component| numbers.write(&component.to_le_bytes()))?;
                ids.write(id.as_bytes())?;
                ids.write(b"\n")
            }
        }
    }

    /// Says how they were made: Parquet and Arrow files carry it in their metadata, under [`BASIS_KEY`].
    pub fn describe(&mut self, basis: &str) {
        if let SignatureOutput::Rows(rows) = &mut self.0 {
            rows.writer.describe(BASIS_KEY, basis);
        }
    }

    /// Completes the files, which appear when they are published.
    ///
    /// # Errors
    /// As [`AtomicFile::seal`].
    pub fn seal(self) -> Result<Vec<Sealed>> {
        match self.0 {
            SignatureOutput::Rows(rows) => Ok(vec![rows.seal()?]),
            SignatureOutput::Array { numbers, ids } => Ok(vec![numbers.seal()?, ids.seal()?]),
        }
    }
}

/// Rows that are not written yet.
#[derive(Debug)]
struct SignatureRows {
    path: PathBuf,
    writer: BatchWriter,
    schema: SchemaRef,
    shape: SignatureShape,
    ids: Vec<String>,
    components: Vec<u32>,
    band_keys: ListBuilder<StringBuilder>,
}

impl SignatureRows {
    fn create(file: AtomicFile, format: &BatchFormat, shape: SignatureShape) -> Result<Self> {
        let signature = DataType::FixedSizeList(item(DataType::UInt32), shape.components as i32);
        let keys = Field::new("band_keys", DataType::List(item(DataType::Utf8)), false);
        let fields = [Field::new("id", DataType::Utf8, false), Field::new("signature", signature, false)];
        let fields: Vec<Field> = fields.into_iter().chain(shape.has_band_keys.then_some(keys)).collect();
        let schema = Arc::new(Schema::new(fields));
        let path = file.path().to_owned();
        let writer = BatchWriter::create(file, format, &schema)?;
        let band_keys = ListBuilder::new(StringBuilder::new()).with_field(item(DataType::Utf8));
        Ok(Self { path, writer, schema, shape, ids: Vec::new(), components: Vec::new(), band_keys })
    }

    fn write(&mut self, id: &str, signature: &[u32], band_keys: &[u64]) -> Result<()> {
        self.ids.push(id.to_owned());
        self.components.extend_from_slice(signature);
        if self.shape.has_band_keys {
            self.band_keys.append_value(band_keys.iter().map(|key| Some(format!("{key:016x}"))));
        }
        if self.components.len() >= BATCH_COMPONENTS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        if self.ids.is_empty() {
            return Ok(());
        }
        let wrong = |error: ArrowError| Error::io(Action::Write, &self.path, io::Error::other(error));
        let components: ArrayRef = Arc::new(UInt32Array::from(std::mem::take(&mut self.components)));
        let ids: ArrayRef = Arc::new(StringArray::from(std::mem::take(&mut self.ids)));
        let size = self.shape.components as i32;
        let signatures = FixedSizeListArray::try_new(item(DataType::UInt32), size, components, None).map_err(wrong)?;
        let mut columns = vec![ids, Arc::new(signatures) as ArrayRef];
        if self.shape.has_band_keys {
            columns.push(Arc::new(self.band_keys.finish()));
        }
        let batch = RecordBatch::try_new(SchemaRef::clone(&self.schema), columns).map_err(wrong)?;
        self.writer.write(&batch)
    }

    fn seal(mut self) -> Result<Sealed> {
        self.flush()?;
        self.writer.seal()
    }
}

/// The items of lists, of which none is null.
fn item(data_type: DataType) -> FieldRef {
    Arc::new(Field::new_list_field(data_type, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outputs::publish_all;
    use std::fs;

    fn write(name: &str, has_band_keys: bool, id: &str) -> Result<(tempfile::TempDir, PathBuf)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let shape = SignatureShape { documents: 2, components: 2, has_band_keys };
        let mut writer = SignatureWriter::create(&path, None, shape, &Staging::default())?;
        let keys: &[u64] = if has_band_keys { &[255] } else { &[] };
        writer.write(id, &[7, u32::MAX], keys)?;
        writer.write("b", &[1, 2], keys)?;
        publish_all(writer.seal()?)?;
        Ok((folder, path))
    }

    #[test]
    fn lines_hold_lists() {
        let (_folder, path) = write("s.jsonl", false, "a\nb").unwrap();
        let expected = "{\"id\":\"a\\nb\",\"signature\":[7,4294967295]}\n{\"id\":\"b\",\"signature\":[1,2]}\n";
        assert_eq!(fs::read_to_string(path).unwrap(), expected);
        let (_folder, path) = write("s.jsonl", true, "a").unwrap();
        let lines = fs::read_to_string(path).unwrap();
        assert!(
            lines.starts_with(r#"{"id":"a","signature":[7,4294967295],"band_keys":["00000000000000ff"]}"#),
            "{lines}"
        );
    }

    #[test]
    fn an_array_has_its_ids_beside_it() {
        let (_folder, path) = write("s.npy", false, "a").unwrap();
        let file = fs::read(&path).unwrap();
        let array = npyz::NpyFile::new(&file[..]).unwrap();
        assert_eq!((array.shape(), array.dtype().descr()), (&[2, 2][..], "'<u4'".to_owned()));
        assert_eq!(array.into_vec::<u32>().unwrap(), [7, u32::MAX, 1, 2]);
        assert_eq!(fs::read_to_string(ids_beside(&path)).unwrap(), "a\nb\n");
        assert!(matches!(write("s.npy", false, "a\nb"), Err(Error::NoLine { .. })));
    }

    #[test]
    fn tables_of_text_have_no_lists() {
        assert!(matches!(write("s.csv", false, "a"), Err(Error::NoLists { .. })));
    }
}
