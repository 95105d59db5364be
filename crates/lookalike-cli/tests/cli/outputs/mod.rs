//! Outputs: which bytes come out and where, other formats, and what cannot be written.

mod bad_outputs;
mod conversion;
mod dedup_records;
mod items;
mod joined;
