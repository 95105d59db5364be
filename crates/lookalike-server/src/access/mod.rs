//! Access to the server: who may send requests, and how clients share it.
//!
//! ```text
//! tokens      tokens and their rights
//! origins     the hosts and origins that requests may name
//! client      the client of a request: a token or an address
//! fair_queue  a queue that serves clients in turn
//! ```

mod client;
mod fair_queue;
mod origins;
mod tokens;

pub(crate) use client::{Client, Peer, client_of};
pub(crate) use fair_queue::FairQueue;
pub(crate) use origins::Origins;
pub(crate) use tokens::TokenNumber;
pub use tokens::{AccessRights, AccessTokens, TokenError};
