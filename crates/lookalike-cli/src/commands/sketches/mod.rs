//! The commands that write what stands for each document elsewhere.

pub(crate) mod fingerprint;
pub(crate) mod signatures;
