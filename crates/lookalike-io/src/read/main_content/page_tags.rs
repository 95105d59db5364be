//! Meaning of the tags of a page for its article.

use lookalike_core::text::{is_inline, structure_element};

/// Treatment of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// An element of the simple page, under this name.
    Element(&'static str),
    /// An element without content and end.
    Void(&'static str),
    /// The title of the page, which stands above it.
    Title,
    /// Left out, without a gap in the text: it styles a part of a line.
    Styling,
    /// Left out; what is before it and behind it are different words.
    Separator,
}

/// Attributes by which Readability judges an element. Sorted.
const ATTRIBUTES: [&str; 9] =
    ["aria-hidden", "aria-modal", "class", "hidden", "href", "id", "itemprop", "role", "style"];

impl Tag {
    /// The tag with this name, in lower case.
    pub(super) fn from_name(name: &[u8]) -> Self {
        match name {
            b"br" => Self::Void("br"),
            b"hr" => Self::Void("hr"),
            b"title" => Self::Title,
            b"body" | b"dialog" | b"form" | b"html" => Self::Separator,
            b"label" => Self::Styling,
            _ => match structure_element(name) {
                Some(name) => Self::Element(name),
                None if is_inline(name) => Self::Styling,
                None => Self::Separator,
            },
        }
    }
}

/// Returns whether an attribute is one by which elements are judged.
pub(super) fn is_judged_by(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| ATTRIBUTES.binary_search(&name).is_ok())
}

/// The open elements that a start tag ends, and those beyond which it does not look for them (HTML standard, optional
/// tags).
pub(super) fn ended_by(name: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    const CELLS: [&str; 4] = ["td", "th", "caption", "table"];
    Some(match name {
        "li" => (&["li"], &["ul", "ol", "menu", "td", "th", "caption", "table", "button"]),
        "dt" | "dd" => (&["dt", "dd"], &["dl", "td", "th", "caption", "table", "button"]),
        "td" | "th" => (&["td", "th", "caption"], &["tr", "table"]),
        "tr" => (&["tr", "caption"], &["tbody", "thead", "tfoot", "table"]),
        "tbody" | "thead" | "tfoot" => (&["tbody", "thead", "tfoot", "tr", "caption"], &["table"]),
        // One in another takes the text of both.
        "a" => (&["a"], &CELLS),
        "button" => (&["button"], &CELLS),
        "caption" => (&["caption"], &["table"]),
        _ => return None,
    })
}

/// Returns whether an element ends an open paragraph.
pub(super) fn ends_paragraph(name: &str) -> bool {
    !matches!(name, "a" | "button" | "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" | "caption")
}

/// Returns whether end tags of other elements do not reach out of this one.
pub(super) fn is_boundary(name: &str) -> bool {
    matches!(name, "td" | "th" | "caption" | "table" | "button")
}

/// Returns whether an element is a part of a table, or one.
pub(super) fn is_of_table(name: &str) -> bool {
    matches!(name, "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" | "caption")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(ATTRIBUTES.is_sorted());
    }
}
