//! Questions: which documents are near to this one? By a job over files, or by a program that goes on running and keeps
//! an index open, such as a server.
//!
//! ```text
//! question        parameters: queries, of what, how many answers       Query, Queries, Search, IndexQuestion
//! answer          what is found                                           FoundAnswer -> AnswerRow
//! compare_all     a query is compared with every document of a corpus that was read: complete, for few queries;
//!                 vectors in blocks, for many queries, too
//! open_index      queries to an index; of many queries to a corpus, to one in temporary files
//! look            short queries, looked for as a whole in the texts that an index stores
//! recall          what an index finds whose method may miss some, on a sample of the queries
//! answering       queries of a job and their answers, by any of these ways
//! search          the job: files, a snapshot or an index are searched
//! contents        texts, items and vectors of programs                    RawContent -> Query, IndexDocument
//! asker           questions of one thread to an open index                RawContent or id -> AnswerRow...
//! text_sources    sources of a text among the stored texts                text -> TextSources
//! survey          an index as a whole: pairs by similarity, the largest clusters
//! ```
//!
//! A job and an [`Asker`] put a query to an index by the same function; for the asker nothing is set up for a question,
//! which takes less time than that. A test compares their answers.

mod answer;
mod answering;
mod asker;
mod compare_all;
mod contents;
mod look;
mod open_index;
mod question;
mod recall;
mod search;
mod survey;
mod text_sources;

pub use crate::report::{TextSource, TextSources};
pub use answer::answers_batch;
pub use asker::{Asker, ConnectedFamily, FamilyMember};
pub use contents::{DocumentMaker, NewDocument, RawContent};
pub use question::{AnswersFrom, ExplicitParameters, IndexQuestion, RecallMeasurement, Search};
pub use search::search;
pub use survey::{Survey, survey};
pub use text_sources::PassageQuestion;

#[cfg(test)]
mod tests;
