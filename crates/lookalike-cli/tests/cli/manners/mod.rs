//! Help, reports, and arguments that are refused.

mod bad_arguments;
mod help;
mod pages;
mod report;
