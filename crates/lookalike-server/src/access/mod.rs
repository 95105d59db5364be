//! Who may ask: tokens, and the hosts and origins that requests name.

mod origins;
mod tokens;

pub(crate) use origins::{Origins, Refused};
pub use tokens::{Access, TokenError, Tokens};
