//! Answers of `dedup`, `pairs`, `clusters` and `recluster`: what is found, what stays, what the rows say.

mod alike;
mod check_texts;
mod dedup_against;
mod dedup_answers;
mod dedup_choices;
mod example;
mod histogram;
mod identical;
mod pairs_clusters;
mod recluster;
