//! Tokens of source code: how they are cut, and what may count of each.
//!
//! Code is cut from pieces that end behind white space or a sign that belongs to no operator. Its tokens are neither
//! normalized nor lower-cased unless that is asked for, since a compiler tells such names and literals apart. Renaming
//! and masks change single tokens behind the cut, so both leave places and neighbours as they are.

mod cut;
mod filter;

pub(super) use cut::{code_boundary_beyond, cut_code};
pub(super) use filter::CodeFilter;
