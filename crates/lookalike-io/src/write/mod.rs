//! Writing of rows and signatures to new files, and copying of records as bytes, with added fields or not.
//!
//! ```text
//! row_writer        rows in any format
//! row_encoder       rows as bytes or columns, apart from the file
//! signature_writer  signatures as rows of lists or an array of NumPy
//! record_reader     the bytes of records, by their spans
//! append            fields added to records
//! edit              the text of a record changed
//! cell              fields of tables of text
//! ```

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
