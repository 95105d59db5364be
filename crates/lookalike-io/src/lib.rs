//! Reads the records that lookalike compares, and writes its answers.
//!
//! An inner crate of `lookalike`, which re-exports what its users need. What is public here is what `lookalike` itself
//! calls, by its module, and at the root the types of this picture; any release may change it.
//!
//! ```text
//! Inputs --discover--> Source --Blocks--> Block --for_each_document--> Document | BadRecord
//!
//! spans of kept records --RecordReader--> their bytes --AtomicFile, OutputFolder--> whole files or none
//! numbers of kept records --rewrite--> files of columns, or another format
//! PairRow, ClusterRow, RemovalRow, CopyRow --RowWriter--> JSON Lines, CSV, TSV, Parquet, Arrow
//!                                    --RowEncoder, on any thread--> EncodedRows --RowWriter--> the same
//! ```
//!
//! Texts are not kept: a document is read, handed on and dropped. Its [`Span`] stays, from which the record is copied
//! when it is written.
//!
//! The modules stand in this order; each imports earlier ones only:
//!
//! ```text
//! base       errors, positions in files, documents, compression
//! formats    layouts of files, detected from names and contents
//! rows       the rows of our own files: their fields, each named once
//! remote     object stores and https: inputs are copied from them, outputs uploaded to them
//! sources    parameter: the inputs as the user names them      -> Source
//! outputs    files and folders that appear whole or not at all -> Sealed
//! columns    Parquet and Arrow, in batches
//! read       sources cut into blocks of documents              -> Block, Document
//! write      rows, and records copied as bytes
//! rewrite    records converted to another format
//! ```

pub mod base;
pub mod columns;
pub mod formats;
pub mod outputs;
pub mod read;
pub mod remote;
pub mod rewrite;
pub mod rows;
pub mod sources;
#[cfg(test)]
mod testing;
pub mod write;

pub use base::{BadRecord, Document, DocumentContent, Error, Place, Position, Problem, Result, Span};
pub use outputs::AtomicFile;
pub use read::{Block, Blocks};
pub use sources::{Inputs, Source};
pub use write::RowWriter;
