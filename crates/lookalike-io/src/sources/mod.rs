//! Inputs: how the user names them, and the sources that are found there.
//!
//! ```text
//! inputs       Inputs: what is read, and how
//! field_names  names of the fields that are read
//! given/       documents that are not texts: items, fingerprints, vectors, images
//! encoding     encoding of texts and tables
//! notation     notation of the documents of an index or a snapshot
//! carried      fields and texts that an index stores with a document
//! discover/    the search for sources that inputs name
//! patterns/    patterns of file names
//! archive/     archives, unpacked to a temporary folder
//! read_once/   standard input and pipes
//! source/      Source: documents that are counted and written together
//! names/       labels of sources; ids that occur again
//! file_state   state and checksum of an input file
//! ```
//!
//! Records are read twice, once to be compared and once to be written. So standard input and pipes are copied to a
//! temporary folder first (`read_once/`), archives are unpacked there (`archive.rs`), and what stands behind a URL is
//! fetched by ranges or copied (`remote/`); from there on all are files. Documents in memory are a source without files
//! (`source/memory.rs`); standard input is one as well for a job that writes no records, and reads it as it arrives.

mod archive;
mod carried;
mod discover;
mod encoding;
mod field_names;
mod file_state;
mod given;
mod inputs;
mod names;
mod notation;
mod patterns;
mod read_once;
mod source;

pub(crate) use carried::json_string;
pub use carried::{Carried, push_object};
pub use discover::shared_files::SharedFiles;
pub use discover::{Discovered, Discovery, Stdin, UnreadFile, discover, discover_with, is_read_once};
pub use encoding::TextEncoding;
pub(crate) use encoding::{decode_part, encode_text, utf16_mark};
pub(crate) use field_names::DEFAULT_ID;
pub(crate) use field_names::OwnFields;
pub use field_names::{FieldNames, MainContent, RecordRole};
pub use file_state::{FileState, read_range};
pub use given::{
    Digits, Fingerprints, GivenVectors, ImageFeatures, ItemCounts, ItemSeparator, MAX_COPIES, MAX_REPEATS, hold_images,
    items_of_list, vector_of_json, vector_of_numbers,
};
pub(crate) use given::{hex_of_bytes, push_counted, with_count};
pub use inputs::{Inputs, OnError, RepeatedIds};
pub use names::{IdOccurrence, check_output_names, converted_name, is_qualified, qualified_id};
pub use notation::Notation;
pub use patterns::{could_fit, expand_patterns};
pub(crate) use read_once::ArrivingReader;
pub use read_once::{Arrived, Arriving};
pub use source::{InMemory, MemoryTable, MemoryTexts, Source, SourceKind, TextList};
