//! Help, reports, and arguments that are refused.

mod astray;
mod bad_arguments;
pub(crate) mod every_flag;
mod fingerprint_flags;
mod help;
mod nouns;
mod pages;
mod report;
#[cfg(unix)]
mod terminal;
