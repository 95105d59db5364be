//! A stored index that stays open: asked and changed text by text, by a program that goes on running, such as a server.
//!
//! ```text
//! maker      a text or items as an index stores them         GivenContent -> index::Document
//! asker      questions of one thread                         GivenContent or id -> AnswerRow...
//! family     documents that near-duplicates connect          id -> Family
//! passages   sources of a text among the stored texts        text -> TextSources
//! page       the same as a part of a page                    TextSources -> HTML
//! table      answers as columns of Arrow                     AnswerRow... -> RecordBatch
//! survey     the index as a whole: pairs by similarity, the largest clusters
//! ```
//!
//! The jobs answer the same questions of files and tables; here nothing is set up for a question, which takes less time
//! than that. A test holds both to the same answers.

mod asker;
mod family;
mod maker;
mod page;
mod passages;
mod survey;
mod table;

pub use asker::{Asker, LiveQuestion};
pub use family::{Family, FamilyMember};
pub use maker::{DocumentMaker, GivenContent, NewDocument};
pub use page::attributed_html;
pub use passages::{PassageQuestion, TextSource, TextSources};
pub use survey::{Survey, survey};
pub use table::answers_batch;

#[cfg(test)]
mod tests;
