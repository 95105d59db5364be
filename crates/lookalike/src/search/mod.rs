//! Questions: which documents are near to this one?
//!
//! ```text
//! compare_all     a query is compared with every document of a corpus that was read: complete, for few queries
//! compare_vectors the same for vectors, in blocks: for many queries, too
//! stored_corpus   a corpus as the documents of an index
//! ask             queries to an index, by all threads; for many queries a corpus becomes one, in temporary files
//! look            short queries, looked for as a whole in the texts that an index stores
//! recall          what an index finds whose method may miss some, on a sample of the queries
//! ```
//!
//! Both ways give the same answers in the same order: the most similar first, of equally similar ones the first.

mod answer;
mod ask;
mod compare_all;
mod compare_vectors;
mod look;
mod neighbour;
mod recall;
mod stored_corpus;

pub(crate) use answer::{FoundAnswer, Queries, stored_fields, told_fields};
pub(crate) use ask::{ask_for_stored, ask_index, with_reasons};
pub(crate) use compare_all::compare_all;
pub(crate) use look::look_into_texts;
pub(crate) use recall::measure_recall;
pub use stored_corpus::Replacing;
pub(crate) use stored_corpus::{Known, StoredCorpus, give_resources, temporary_index, written};
