//! Answers as pages to read in a browser: each is one file that loads nothing and has no script, so it opens from a
//! mail attachment, prints, and is read by keyboard and screen reader. The same answer is the same bytes.
//!
//! ```text
//! look         colours, and who made a page
//! visible      a text without what would control a page
//! words        shares and places as they are told
//! pieces       a text cut where its marks change                -> Piece
//! rows         two texts side by side                           -> Row
//! attributed   a text with the passages of its sources marked   -> AttributedText
//! comparison_page, answers_page, sources_page                   a page each, from plain facts
//! ```
//!
//! Templates are those of askama, which escapes whatever they show. What a page shows is decided by the jobs; only the
//! drawing of a histogram comes as markup.

mod answers_page;
mod attributed;
mod comparison_page;
mod look;
mod pieces;
mod rows;
mod sources_page;
mod visible;
mod words;

pub use answers_page::{AnswersPage, PairList, ShownPair, Table, TableRow};
pub use attributed::{AttributedPiece, AttributedText, MarkedPlace, SourceMark};
pub use comparison_page::comparison_page;
pub use look::STYLE;
pub(crate) use look::{COLORS, VERSION};
pub use pieces::{Mark, Piece};
pub use rows::{Row, RowLimits, rows};
pub use sources_page::{AttributedDocument, ListedDocument, ShownPassage, ShownSource, SourcesPage};
pub(crate) use visible::shown_part;
pub(crate) use words::{passage_about, percent};
