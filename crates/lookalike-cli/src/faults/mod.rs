//! Panics and signals of the whole process: they become errors, or are said in a line.

mod panics;
mod signals;

pub(crate) use panics::keep_decoders_quiet;
pub(crate) use signals::become_errors;
