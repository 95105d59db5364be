//! Who may ask: tokens, the hosts and origins that requests name, and clients, whose shares are limited.

mod client;
mod origins;
mod tokens;

pub(crate) use client::{Client, Peer, client_of};
pub(crate) use origins::{Origins, Refused};
pub(crate) use tokens::TokenNumber;
pub use tokens::{Access, TokenError, Tokens};
