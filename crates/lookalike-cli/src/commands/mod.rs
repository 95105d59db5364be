//! The commands, one file or folder each: its arguments, the job that they build, the messages about its report.
//!
//! ```text
//! dedup        documents without near-duplicates
//! list         pairs and clusters
//! search       documents near to a query
//! index        documents in an index: create, add, remove, list
//! recluster    another threshold or rule, from saved pairs
//! sources      which documents have passages of others
//! cut          texts without what occurred before
//! compare/     two documents side by side
//! checksum     exact copies
//! fingerprint  the SimHash of each document
//! signatures   the MinHash signature of each document
//! snapshot     ids and element sets in a file
//! plan/        bands and permutations before a job
//! serve        an index over HTTP
//! no_server    serve in a build without the server
//! pages        completions and manual pages
//! drawing      drawings as outputs
//! ```

pub(crate) mod checksum;
pub(crate) mod compare;
pub(crate) mod cut;
pub(crate) mod dedup;
mod drawing;
pub(crate) mod fingerprint;
pub(crate) mod index;
pub(crate) mod list;
pub(crate) mod pages;
pub(crate) mod plan;
pub(crate) mod recluster;
pub(crate) mod search;
#[cfg_attr(not(feature = "server"), path = "no_server.rs")]
pub(crate) mod serve;
pub(crate) mod signatures;
pub(crate) mod snapshot;
pub(crate) mod sources;
