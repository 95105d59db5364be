//! End-to-end tests of the `lookalike` command: each runs the binary in a folder of its own.
//!
//! One test binary with a folder a topic, because linking eight of them would take longer than running all. Fields
//! of JSON that users rely on stand in `promised_fields.txt`, refused commands in tables ([`refusals`]), and what holds
//! for all measures, methods and jobs in one [`suite`]. Words for people are snapshots; after a wanted change of words:
//! `INSTA_UPDATE=always cargo test -p lookalike-cli --test cli`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a test that fails")]

mod common;
mod decisions;
#[cfg(unix)]
mod docs;
mod inputs;
mod manners;
mod measures;
mod outputs;
mod passages;
mod questions;
mod refusals;
#[cfg(feature = "remote")]
mod remote;
mod running;
mod suite;
mod tools;
