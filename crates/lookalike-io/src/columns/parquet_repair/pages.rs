//! The pages of a file, with the mark of compression that their header should have.
//!
//! Arrow for C++ before 3.0 compressed the pages of version 2 and marked them as not compressed. It called itself
//! `parquet-cpp`, later versions `parquet-cpp-arrow`, and readers based on it look at that name (ARROW-10353,
//! ARROW-17100).

use super::thrift::{FALSE, STRUCT, Walker};
use bytes::{Bytes, BytesMut};
use parquet::basic::Compression;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

/// Name of the writers with the wrong mark.
const WRITERS: &str = "parquet-cpp version ";
/// Enough for the header of a page with its statistics.
const MAX_HEADER_BYTES: u64 = 1 << 16;
/// Fields of the header of a page (`PageHeader`, `DataPageHeaderV2`).
const COMPRESSED_SIZE: i64 = 3;
const VERSION_2: i64 = 8;
const IS_COMPRESSED: i64 = 7;

/// A file whose pages are marked as what they are.
#[derive(Debug)]
pub(crate) struct RepairedFile {
    file: File,
    /// Positions of the wrong marks, ascending.
    marks: Arc<[u64]>,
}

impl RepairedFile {
    /// The positions of the wrong marks in a file.
    pub(crate) fn marks(file: &File, metadata: &ParquetMetaData) -> Arc<[u64]> {
        if !metadata.file_metadata().created_by().is_some_and(|writer| writer.starts_with(WRITERS)) {
            return Arc::default();
        }
        let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
        let compressed = columns.filter(|column| column.compression() != Compression::UNCOMPRESSED);
        let mut marks: Vec<u64> = compressed.flat_map(|column| marks_of(file, column)).collect();
        marks.sort_unstable();
        marks.into()
    }

    /// A file with the marks that were found in it.
    pub(crate) fn new(file: File, marks: &Arc<[u64]>) -> Self {
        Self { file, marks: Arc::clone(marks) }
    }
}

/// The positions of the wrong marks in the pages of a column, up to the first page that cannot be read.
fn marks_of(file: &File, column: &ColumnChunkMetaData) -> Vec<u64> {
    let mut marks = Vec::new();
    let begin = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
    let mut at = begin.max(0) as u64;
    let end = at.saturating_add(column.compressed_size().max(0) as u64).min(file.len());
    while at < end {
        let bytes = file.get_bytes(at, MAX_HEADER_BYTES.min(end - at) as usize).ok();
        let Some(header) = bytes.and_then(|bytes| PageHeader::read(&bytes)) else { break };
        marks.extend(header.mark.map(|mark| at + mark as u64));
        at = at.saturating_add(header.bytes as u64).saturating_add(header.page_bytes);
    }
    marks
}

/// Header of a page.
struct PageHeader {
    /// Length of the header.
    bytes: usize,
    /// Length of the page behind it.
    page_bytes: u64,
    /// Position of the mark that the page is not compressed.
    mark: Option<usize>,
}

impl PageHeader {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut walker = Walker::new(bytes);
        let mut page_bytes = None;
        let mut mark = None;
        walker.each_field(&mut |walker, field| {
            match (field.id, field.kind) {
                (COMPRESSED_SIZE, _) => page_bytes = u64::try_from(walker.integer()?).ok(),
                (VERSION_2, STRUCT) => walker.each_field(&mut |_, part| {
                    if (part.id, part.kind) == (IS_COMPRESSED, FALSE) {
                        mark = Some(part.at);
                    }
                    Some(())
                })?,
                _ => {}
            }
            Some(())
        })?;
        Some(Self { bytes: walker.at, page_bytes: page_bytes?, mark })
    }
}

/// Corrects the marks among bytes that begin at `begin` in the file: the lower half of a mark is 2 for false, 1 for
/// true.
fn correct(bytes: &mut [u8], begin: u64, marks: &[u64]) {
    let first = marks.partition_point(|mark| *mark < begin);
    for mark in &marks[first..] {
        let Some(byte) = bytes.get_mut((mark - begin) as usize) else { return };
        *byte = *byte & 0xF0 | 1;
    }
}

impl Length for RepairedFile {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for RepairedFile {
    type T = RepairedRead;

    fn get_read(&self, start: u64) -> Result<RepairedRead> {
        Ok(RepairedRead { inner: self.file.get_read(start)?, at: start, marks: Arc::clone(&self.marks) })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let bytes = self.file.get_bytes(start, length)?;
        if self.marks.is_empty() {
            return Ok(bytes);
        }
        let mut bytes = BytesMut::from(bytes);
        correct(&mut bytes, start, &self.marks);
        Ok(bytes.freeze())
    }
}

/// The bytes of a file from a position on.
#[derive(Debug)]
pub(crate) struct RepairedRead {
    inner: BufReader<File>,
    at: u64,
    marks: Arc<[u64]>,
}

impl Read for RepairedRead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        correct(&mut buffer[..read], self.at, &self.marks);
        self.at += read as u64;
        Ok(read)
    }
}
