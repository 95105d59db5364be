//! Answers of `search` and `index`: the nearest documents of a corpus, which may change.

mod arriving;
mod from_index;
mod index;
mod index_files;
mod index_stored;
mod search;
