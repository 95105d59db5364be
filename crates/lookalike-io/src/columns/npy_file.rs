//! Arrays of NumPy (`.npy`), of which each row is a vector: two columns, `id` and `vector`, or `signature` if the
//! numbers are whole ones.
//!
//! The ids stand in a file of lines beside it, `vectors.npy.ids` beside `vectors.npy`; without one, rows are known by
//! their numbers. The crate npyz reads the header; the numbers behind it are those of the machine, for only arrays in
//! C order of little-endian numbers are taken.

use super::decoding::{Decoded, guarded, open};
use crate::base::details::Action;
use crate::base::{Error, Result, without_mark};
use crate::formats::{RecordFormat, ids_beside};
use arrow_array::{
    ArrayRef, FixedSizeListArray, Float16Array, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray,
    UInt32Array, UInt64Array,
};
use arrow_buffer::Buffer;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use npyz::{DType, NpyHeader, Order, TypeChar};
use std::fs::File;
use std::io::{BufRead, BufReader, Lines, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the column with the vectors, and with those of whole numbers.
const VECTOR: &str = "vector";
const SIGNATURE: &str = "signature";
/// Name of the column with the ids.
const ID: &str = "id";
/// Bytes of a batch.
const BATCH_BYTES: usize = 1 << 20;

/// An open array.
#[derive(Debug)]
pub(super) struct NpyFile {
    numbers: BufReader<File>,
    ids: Option<Lines<BufReader<File>>>,
    ids_path: PathBuf,
    pub(super) schema: SchemaRef,
    item: FieldRef,
    dimensions: usize,
    rows: usize,
    /// Rows that were read.
    taken: usize,
}

/// The header of a new array of unsigned 32-bit integers, little endian, in C order; the numbers follow it.
///
/// # Errors
/// Those of the crate, none of which is known.
pub(crate) fn npy_header(shape: &[u64]) -> std::io::Result<Vec<u8>> {
    use npyz::WriterBuilder;
    let mut header = Vec::new();
    let data_type = DType::new_scalar("<u4".parse().map_err(std::io::Error::other)?);
    // The array is never finished there: its numbers are written to a file of ours.
    npyz::WriteOptions::<u32>::new().dtype(data_type).shape(shape).writer(&mut header).begin_nd()?;
    Ok(header)
}

impl NpyFile {
    /// Opens an array and the ids beside it.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::NotInFormat`] for another array than one of numbers with a row for each document, for
    /// another size than its header says, and for another number of ids.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let wrong = |message: String| super::unreadable(path, RecordFormat::Npy, message);
        let mut numbers = BufReader::new(open(path, RecordFormat::Npy)?);
        let header = guarded(|| NpyHeader::from_reader(&mut numbers)).map_err(wrong)?;
        let data_type = type_of(&header.dtype()).map_err(wrong)?;
        let &[rows, dimensions] = header.shape() else {
            let found = header.shape().len();
            return Err(wrong(format!("an array of {found} dimensions; expected 2: a row for each vector")));
        };
        if header.order() == Order::Fortran && rows > 1 && dimensions > 1 {
            return Err(wrong("the array is in Fortran order; numpy.ascontiguousarray makes C order of it".to_owned()));
        }
        let io = |source| Error::io(Action::Read, path, source);
        let begin = numbers.stream_position().map_err(io)?;
        let length = numbers.get_ref().metadata().map_err(io)?.len();
        let width = data_type.primitive_width().unwrap_or_default() as u64;
        let bytes = rows.checked_mul(dimensions).and_then(|count| count.checked_mul(width));
        let dimensions_fit = i32::try_from(dimensions).is_ok() && dimensions > 0;
        if bytes.and_then(|bytes| begin.checked_add(bytes)) != Some(length) || !dimensions_fit {
            return Err(wrong(format!("{length} bytes are not those of {rows} rows of {dimensions} numbers")));
        }
        let ids_path = ids_beside(path);
        let ids = match File::open(&ids_path) {
            Ok(file) => Some(BufReader::new(file)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(source) => return Err(Error::io(Action::Open, &ids_path, source)),
        };
        let item = FieldRef::new(Field::new_list_field(data_type, true));
        let vector = DataType::FixedSizeList(FieldRef::clone(&item), dimensions as i32);
        let id = ids.as_ref().map(|_| Field::new(ID, DataType::Utf8, false));
        let name = if item.data_type().is_integer() { SIGNATURE } else { VECTOR };
        let fields: Vec<Field> = id.into_iter().chain([Field::new(name, vector, false)]).collect();
        let ids = ids.map(BufRead::lines);
        let rows = rows as usize;
        let dimensions = dimensions as usize;
        Ok(Self { numbers, ids, ids_path, schema: Arc::new(Schema::new(fields)), item, dimensions, rows, taken: 0 })
    }

    /// The share of the rows that was read.
    pub(super) fn share_done(&self) -> f64 {
        if self.rows == 0 { 1.0 } else { self.taken as f64 / self.rows as f64 }
    }

    /// The next rows; `Ok(None)` at the end.
    pub(super) fn next(&mut self) -> Decoded<Option<RecordBatch>> {
        let width = self.item.data_type().primitive_width().unwrap_or(1);
        let of_batch = (BATCH_BYTES / (width * self.dimensions)).clamp(1, self.rows.max(1));
        let rows = of_batch.min(self.rows - self.taken);
        if rows == 0 {
            return self.check_end().map(|()| None);
        }
        let mut bytes = vec![0; rows * self.dimensions * width];
        self.numbers.read_exact(&mut bytes).map_err(|error| error.to_string())?;
        let vectors = self.vectors(Buffer::from_vec(bytes)).map_err(|error| error.to_string())?;
        let ids = self.next_ids(rows)?;
        self.taken += rows;
        let columns = ids.into_iter().chain([vectors]).collect();
        RecordBatch::try_new(SchemaRef::clone(&self.schema), columns).map(Some).map_err(|error| error.to_string())
    }

    fn vectors(&self, bytes: Buffer) -> std::result::Result<ArrayRef, ArrowError> {
        let numbers: ArrayRef = match self.item.data_type() {
            DataType::Float16 => Arc::new(Float16Array::new(bytes.into(), None)),
            DataType::Float32 => Arc::new(Float32Array::new(bytes.into(), None)),
            DataType::UInt32 => Arc::new(UInt32Array::new(bytes.into(), None)),
            DataType::UInt64 => Arc::new(UInt64Array::new(bytes.into(), None)),
            DataType::Int64 => Arc::new(Int64Array::new(bytes.into(), None)),
            _ => Arc::new(Float64Array::new(bytes.into(), None)),
        };
        let dimensions = self.dimensions as i32;
        Ok(Arc::new(FixedSizeListArray::try_new(FieldRef::clone(&self.item), dimensions, numbers, None)?))
    }

    fn next_ids(&mut self, rows: usize) -> Decoded<Option<ArrayRef>> {
        let Some(lines) = &mut self.ids else { return Ok(None) };
        let ids = lines.take(rows).map(|line| line.map(|line| without_mark(&line).to_owned()));
        let ids: Vec<String> =
            ids.collect::<std::io::Result<_>>().map_err(|error| self.wrong_ids(&error.to_string()))?;
        if ids.len() < rows {
            let found = self.taken + ids.len();
            return Err(self.wrong_ids(&format!("{found} lines for {} rows", self.rows)));
        }
        Ok(Some(Arc::new(StringArray::from(ids))))
    }

    /// Checks that there are no more ids than rows.
    fn check_end(&mut self) -> Decoded<()> {
        match self.ids.as_mut().and_then(Iterator::next) {
            None => Ok(()),
            Some(_) => Err(self.wrong_ids(&format!("more lines than the {} rows", self.rows))),
        }
    }

    fn wrong_ids(&self, message: &str) -> String {
        format!("the ids in {}: {message}", self.ids_path.display())
    }
}

/// The type of the numbers.
fn type_of(data_type: &DType) -> Decoded<DataType> {
    let DType::Plain(found) = data_type else {
        return Err("an array of records; expected an array of numbers".to_owned());
    };
    let is_big = found.endianness() == npyz::Endianness::Big;
    match (found.type_char(), found.size_field()) {
        (TypeChar::Float, 2 | 4 | 8) if is_big => {
            Err(format!("numbers of type {found} have the other byte order; array.astype('<f4') has this one"))
        }
        (TypeChar::Uint, 4 | 8) | (TypeChar::Int, 8) if is_big => {
            Err(format!("numbers of type {found} have the other byte order; array.astype('<u4') has this one"))
        }
        (TypeChar::Uint, 4) => Ok(DataType::UInt32),
        (TypeChar::Uint, 8) => Ok(DataType::UInt64),
        (TypeChar::Int, 8) => Ok(DataType::Int64),
        (TypeChar::Float, 2) => Ok(DataType::Float16),
        (TypeChar::Float, 4) => Ok(DataType::Float32),
        (TypeChar::Float, 8) => Ok(DataType::Float64),
        _ => Err(format!(
            "numbers of type {found}; expected floats of 16, 32 or 64 bits, as array.astype('<f4') has them, or \
            those of signatures, as array.astype('<u4') has them"
        )),
    }
}
