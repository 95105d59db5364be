//! Arrow batches of wanted rows, annotated and written in the format of the output.

mod annotator;
mod write_batches;

pub(super) use write_batches::write_batches;
