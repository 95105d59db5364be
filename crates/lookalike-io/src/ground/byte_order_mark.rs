//! The byte order mark. Files that were put together have it in the middle, too, at the beginning of a line.

/// The mark in UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line of a list, without the byte order marks that it begins with.
///
/// ```
/// assert_eq!(lookalike_io::without_mark("\u{feff}word"), "word");
/// ```
pub fn without_mark(line: &str) -> &str {
    line.trim_start_matches('\u{feff}')
}
