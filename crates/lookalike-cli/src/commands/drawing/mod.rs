//! Drawings and their numbers as files.

pub(crate) mod histogram;
pub(crate) mod new_file;
