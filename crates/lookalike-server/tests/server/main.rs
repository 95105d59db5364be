//! The server, asked as clients ask it: its routes without a socket, and its sockets as they are.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a test that fails")]

mod figures;
mod interface;
mod listening;
mod setup;
