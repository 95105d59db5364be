//! Answers as pages to read in a browser, and histograms as drawings: from answers and the texts of their documents,
//! which are read once more, to HTML and SVG. A page is one file that loads nothing and has no script, so it opens from
//! a mail attachment, prints, and is read by keyboard and screen reader. The same answer is the same bytes.
//!
//! ```text
//! shown          texts, ids, shares and places, made fit for a page
//! svg            what drawings have in common
//! histogram      the numbers of a histogram, also as JSON
//! drawing        a histogram as SVG
//! side_by_side   two texts in rows, with what only one of them has      -> SideRow
//! answers_page   the template of all searches: figures, tables, pairs   AnswersPage -> HTML
//! texts          texts of documents, read once more
//! searches       the pages of `dedup`, `pairs` and `clusters`
//! attributed     the template of documents with their sources           Attributed -> HTML
//! sources        the pages of `sources` and `cut`; the sources of one text for a server
//! comparison     the page of `compare`
//! ```
//!
//! Templates are those of askama, which escapes whatever they show; only the drawing of a histogram comes as markup.

mod answers_page;
mod attributed;
mod comparison;
mod drawing;
mod histogram;
mod searches;
mod shown;
mod side_by_side;
mod sources;
mod svg;
mod texts;

pub(crate) use answers_page::SearchPage;
pub use comparison::{comparison_page, write_comparison};
pub use drawing::draw_histogram;
pub(crate) use histogram::name_and_banding;
pub use histogram::{HistogramFacts, HistogramJson};
pub(crate) use shown::shown_id;
pub use sources::attributed_html;
pub(crate) use sources::{AttributedAs, CutSample, SourcesOf, SourcesSample};
pub use svg::{Area, BLUE, DrawingResult, ORANGE, VERMILION, curve, square, stroke, to_svg};
pub(crate) use texts::RequestedTexts;

use crate::base::Result;
use lookalike_io::{AtomicFile, outputs::Sealed};

/// The style sheet of all pages.
pub const STYLE: &str = include_str!("../../templates/page.css");

/// The version that pages say they were made by.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A page in its staging file, to be published with the other outputs.
pub(crate) fn sealed_page(mut file: AtomicFile, page: &str) -> Result<Sealed> {
    file.write(page.as_bytes())?;
    Ok(file.seal()?)
}
