//! Measures and methods against their definitions, and the documents that each of them compares.

mod cosine;
mod fingerprint_method;
mod given_signatures;
mod hamming;
pub(crate) mod images;
mod sets;
mod signatures;
mod vectors;
