//! Inputs and outputs behind URLs.

mod store;
mod urls;
