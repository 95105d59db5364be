//! Questions and their answers, over the segments of one moment.
//!
//! ```text
//! Question --keys, by each order--> postings of each segment --size and position filter--> candidates
//!     candidates --sets read, exact check--> answers, the best k of them
//! ```
//!
//! As soon as k answers are known, only what is at least as similar as the last of them is looked for.

mod searcher;
#[expect(clippy::module_inception, reason = "the type of this module has a file of its own")]
mod view;

pub use searcher::{Question, Searcher};
pub use view::{Answer, DocAddress, Finding, View};
