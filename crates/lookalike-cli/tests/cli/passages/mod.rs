//! Answers of `sources` and `cut`: passages that stand in two places.

mod cut;
mod sources;
