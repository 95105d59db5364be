//! Outputs: which bytes come out and where, other formats, and what cannot be written.

mod bad_outputs;
mod conversion;
mod dedup_records;
#[cfg(unix)]
mod descriptors;
mod items;
mod joined;
mod json_arrays;
mod report;
