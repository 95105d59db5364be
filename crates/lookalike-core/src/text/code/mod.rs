//! Tokens of source code: how they are cut, and what may count of each.

mod cut;
mod filter;

pub(super) use cut::{code_boundary_beyond, cut_code};
pub(super) use filter::CodeFilter;
