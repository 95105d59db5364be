//! Answers of `dedup`, `pairs`, `clusters`, `recluster`, `search` and `index`: what is found, what stays, what the rows
//! say.

mod arriving;
mod check_texts;
mod cosine;
mod cut;
mod dedup_against;
mod dedup_answers;
mod dedup_choices;
mod example;
mod fingerprint_method;
mod given_signatures;
mod hamming;
mod histogram;
mod identical;
mod images;
mod index;
mod index_stored;
mod measures;
mod pairs_clusters;
mod recluster;
mod search;
mod signatures;
mod sources;
mod vectors;
