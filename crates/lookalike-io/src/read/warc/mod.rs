//! WARC and WET files: records with a header and a body whose length the header tells (ISO 28500).
//!
//! ```text
//! WARC/1.0 CRLF  name: value CRLF ...  CRLF  body of Content-Length bytes  CRLF CRLF
//! ```
//!
//! The thread that reads finds the records; documents are extracted by the threads that take the blocks. A record that
//! contradicts its header is reported by its number, and reading resumes at the next line that begins a record. The
//! search starts after the broken header, not after the body that it promises: a wrong length must not swallow the
//! records that follow.

mod document;
mod file;
mod http;
mod kept_records;
mod record;

pub(super) use document::WarcRecords;
pub(super) use file::WarcFile;
pub use kept_records::kept_records;

#[cfg(test)]
mod tests;
