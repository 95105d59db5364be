//! End-to-end tests of the `lookalike` command: each runs the binary in a folder of its own.
//!
//! One test binary with a module a topic, because linking eight of them would take longer than running all. What the issue
//! calls the contract is asserted field by field (the structs in [`common`] refuse unknown fields); words for people are
//! snapshots. After a wanted change of words: `INSTA_UPDATE=always cargo test -p lookalike-cli --test cli`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a test that fails")]

mod bad_arguments;
mod bad_outputs;
mod bad_records;
mod broken;
mod checksum;
mod columns;
mod common;
mod compare;
mod conversion;
mod dedup_against;
mod dedup_answers;
mod dedup_choices;
mod dedup_records;
mod example;
mod formats;
mod help;
mod interrupts;
mod items;
mod memory;
mod packed;
mod pairs_clusters;
mod plan;
mod recluster;
#[cfg(feature = "remote")]
mod remote;
mod resume;
mod snapshot;
#[cfg(feature = "remote")]
mod store;
mod texts;
