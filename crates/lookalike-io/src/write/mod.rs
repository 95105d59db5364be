//! Writing of rows and signatures to new files, and copying of records as bytes, with added fields or not.

mod append;
mod cell;
mod edit;
mod record_reader;
mod row_encoder;
mod row_writer;
mod signature_writer;

pub use append::{append_cells, append_field, to_json};
pub use edit::{RecordEditor, edit_text_file};
pub use record_reader::RecordReader;
pub use row_encoder::{EncodedRows, RowEncoder};
pub use row_writer::RowWriter;
pub use signature_writer::{SignatureShape, SignatureWriter};
