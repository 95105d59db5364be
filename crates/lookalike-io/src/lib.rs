//! Reads the records that lookalike compares, and writes its answers.
//!
//! An inner crate of `lookalike`, which re-exports what its users need. What is public here is what `lookalike` itself
//! calls; any release may change it.
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
//! The rooms stand in this order; each imports earlier ones only:
//!
//! ```text
//! ground     errors, positions in files, documents, compression
//! formats    layouts of files, detected from names and contents
//! rows       the rows of our own files: their fields, each named once
//! remote     object stores and https: inputs are copied from them, outputs uploaded to them
//! sources    noun: the inputs as the user names them           -> Source
//! outputs    files and folders that appear whole or not at all -> Sealed
//! columns    Parquet and Arrow, in batches
//! read       sources cut into blocks of documents              -> Block, Document
//! write      rows, and records copied as bytes
//! rewrite    records converted to another format
//! ```

mod columns;
mod formats;
mod ground;
mod outputs;
mod read;
mod remote;
mod rewrite;
mod rows;
mod sources;
mod write;

pub use columns::{panic_becomes_error, table_of_rows};
pub use formats::{Dialect, JsonFiles, Layout, Quotes, RecordFormat, RowFormat, Texts, ids_of_array, names_one_value};
pub use ground::{
    Access, BadRecord, Compression, Document, DocumentContent, Error, Extracted, GitignoreFiles, Manifest, NamesFound,
    NearestNames, NotAVector, Number, PassedOver, Place, Position, Problem, Result, Score, Selection, Span, Staging,
    create_own_file, details, escaped, open_own_file, shown, without_mark,
};
pub use outputs::{
    AtomicFile, OutputFolder, Sealed, StagingFolder, copy_file, copy_left_out, publish_all, remove_leftovers,
};
pub use read::{
    Block, Blocks, ItemColumn, Noted, TableRemarks, basis_inside, check_usable, has_records, header, header_names,
    is_page, kept_records, read_basis, read_pairs, thumbnail_of, with_article,
};
pub use remote::{CopiedObject, local_path, url_covers};
pub use rewrite::{Annotations, Rewrite, TextEdit, Wanted, check_join, rewrite};
pub use rows::{
    Annotation, AnnotationKind, AnswerFields, AnswerRow, BASIS_KEY, Cell, ClusterRow, Column, ColumnKind, CopyKind,
    CopyRow, CutRow, Figures, FingerprintRow, NumberedRow, PairRow, PassageRow, RemovalRow, Row, RowSources, SourceRow,
    StoredFields, Value, Verified, all_columns, numbered, serialize_row, side_file,
};
pub use sources::{
    Arrived, Arriving, Carried, Digits, Discovered, Discovery, FieldNames, FileState, Fingerprints, GivenVectors,
    ImageFeatures, InMemory, Inputs, ItemCounts, ItemSeparator, MAX_COPIES, MAX_REPEATS, MainContent, MemoryTable,
    MemoryTexts, Notation, Occurrence, OnError, OwnFields, RecordRole, RepeatedIds, SharedFiles, Source, SourceKind,
    Stdin, TextEncoding, TextList, UnreadFile, check_output_names, converted_name, could_fit, discover, discover_with,
    expand_patterns, hold_images, is_image, is_qualified, is_read_once, items_of_list, push_object, qualified_id,
    read_range, vector_of_json, vector_of_numbers,
};
pub use write::{
    EncodedRows, RecordEditor, RecordReader, RowEncoder, RowWriter, SignatureShape, SignatureWriter, append_cells,
    append_field, edit_text_file, to_json,
};
