//! Bodies of requests: JSON, lines of JSON, Arrow. What does not fit is refused with its place, never with its content.
//!
//! ```text
//! json     an object, or one on each line        table    a stream of Arrow IPC
//! fields   the fields of a document, which may be any values of JSON
//! held     an answer, counted until it was taken
//! ```

mod fields;
mod held;
mod json;
mod received;
mod table;

pub(crate) use fields::Fields;
pub(crate) use held::Written;
pub(crate) use json::{BodyLines, Json, parse_for};
use received::capacity_for;
pub(crate) use received::{ARROW, Body, BodyKind, LINES, unsupported_type};
pub(crate) use table::{is_reading_a_stream, read_stream, text_at, write_stream};
