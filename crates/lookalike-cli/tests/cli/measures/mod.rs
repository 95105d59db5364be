//! Measures and methods against their definitions, and the documents that each of them compares.

mod cosine;
mod fingerprint_method;
mod given_signatures;
mod hamming;
mod images;
mod sets;
mod signatures;
mod vectors;
