//! Help, and arguments that are refused.

mod bad_arguments;
mod help;
