//! The commands, one file or folder each: its arguments, the job that they build, the messages about its report.

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
