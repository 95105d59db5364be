//! Hashes in order: sorted with repetitions (`sorter.rs`), or made a set ([`SetMaker`]).

mod set_maker;
mod sorter;

pub(crate) use set_maker::SetMaker;
pub(crate) use sorter::drop_repetitions;
