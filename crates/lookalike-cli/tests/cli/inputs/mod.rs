//! Inputs: formats, compression, sets of items, snapshots, what is done to texts, and what cannot be read.

mod archives;
mod arrays;
mod bad_records;
mod broken;
mod columns;
mod every_format;
pub(crate) mod formats;
mod groups;
mod item_counts;
mod items;
mod main_content;
mod packed;
mod random_trees;
mod snapshot;
mod tables;
mod texts;
mod trees;
