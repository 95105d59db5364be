//! The commands beside the search: `checksum`, `compare`, `plan`.

mod checksum;
mod compare;
mod fingerprint;
mod ids;
mod plan;
