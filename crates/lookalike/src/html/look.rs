//! What all pages share with their style sheet.

/// What pages say that they were made by.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Number of colours that marks have in turn: `p0`, `p1`, ...
pub(crate) const COLORS: usize = 8;

/// The style sheet of all pages.
pub const STYLE: &str = include_str!("../../templates/page.css");
