//! Who may ask: tokens, the hosts and origins that requests name, and clients, whose shares are limited.

mod client;
mod fair_queue;
mod origins;
mod tokens;

pub(crate) use client::{Client, Peer, client_of};
pub(crate) use fair_queue::FairQueue;
pub(crate) use origins::Origins;
pub(crate) use tokens::TokenNumber;
pub use tokens::{AccessRights, AccessTokens, TokenError};
