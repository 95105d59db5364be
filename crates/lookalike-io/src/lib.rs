//! Reads the records that lookalike compares, and writes its answers.
//!
//! ```text
//! input paths, URLs --discover--> Source --Blocks--> Block --for_each_document--> Document | BadRecord
//!
//! spans of kept records --RecordReader--> bytes as they came --AtomicFile, OutputFolder--> whole files or none
//! numbers of kept rows --rewrite--> the same columns, or another format
//! rows of pairs, clusters, removals --RowWriter--> JSON Lines, CSV, TSV, Parquet, Arrow
//! ```
//!
//! Texts are not kept: a document is read, handed on and forgotten; what stays is its place in its file, from which the
//! record is copied when it is written again.

mod annotate;
mod atomic;
mod blocks;
mod columns;
mod compression;
mod document;
mod error;
mod format;
mod html_page;
mod items;
mod pair_rows;
mod record;
mod record_reader;
mod remote;
mod rewrite;
mod rows;
mod source;

pub use annotate::{Annotation, Wanted, added_columns, append_cells, append_field};
pub use atomic::{Aside, AtomicFile, OutputFolder, Sealed, publish_all};
pub use blocks::{Block, Blocks, header, kept_records};
pub use compression::Compression;
pub use document::{Document, Span};
pub use error::{BadRecord, Error, Place, Problem, Result, shown};
pub use format::{RecordFormat, RowFormat, SKETCH_MAGIC};
pub use items::ItemSeparator;
pub use pair_rows::{SavedRow, read_pairs};
pub use record::{FieldNames, Score};
pub use record_reader::RecordReader;
pub use remote::{CopiedObject, url_covers};
pub use rewrite::{Rewrite, rewrite};
pub use rows::{RowField, RowKind, RowWriter, to_json};
pub use source::{
    Discovered, Discovery, Source, SourceKind, Texts, check_output_names, converted_name, discover, discover_with,
    expand_patterns,
};
