//! The commands, one file or folder each: its arguments, the job that they build, what is shown of its report.

pub(crate) mod asking;
pub(crate) mod checksum;
pub(crate) mod compare;
pub(crate) mod dedup;
pub(crate) mod drawing;
pub(crate) mod list;
pub(crate) mod pages;
pub(crate) mod passages;
pub(crate) mod plan;
pub(crate) mod recluster;
pub(crate) mod sketches;
pub(crate) mod snapshot;
