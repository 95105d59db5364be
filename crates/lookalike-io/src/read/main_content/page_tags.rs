//! What the tags of a page mean for its article.

/// What becomes of a tag.
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

/// Elements of the simple page. Sorted.
const ELEMENTS: [&str; 43] = [
    "a",
    "address",
    "article",
    "aside",
    "blockquote",
    "button",
    "caption",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];
/// Sorted.
const STYLING: [&str; 33] = [
    "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr",
];

/// Attributes by which Readability judges an element. Sorted.
const ATTRIBUTES: [&str; 9] =
    ["aria-hidden", "aria-modal", "class", "hidden", "href", "id", "itemprop", "role", "style"];

impl Tag {
    /// The tag with this name, in lower case.
    pub(super) fn of(name: &[u8]) -> Self {
        let Ok(name) = std::str::from_utf8(name) else { return Self::Separator };
        if let Ok(at) = ELEMENTS.binary_search(&name) {
            return Self::Element(ELEMENTS[at]);
        }
        match name {
            "br" => Self::Void("br"),
            "hr" => Self::Void("hr"),
            "title" => Self::Title,
            _ if STYLING.binary_search(&name).is_ok() => Self::Styling,
            _ => Self::Separator,
        }
    }
}

/// Whether an attribute is one by which elements are judged.
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

/// Whether an element ends an open paragraph.
pub(super) fn ends_paragraph(name: &str) -> bool {
    !matches!(name, "a" | "button" | "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" | "caption")
}

/// Whether end tags of other elements do not reach out of this one.
pub(super) fn is_boundary(name: &str) -> bool {
    matches!(name, "td" | "th" | "caption" | "table" | "button")
}

/// Whether an element is a part of a table, or one.
pub(super) fn is_of_table(name: &str) -> bool {
    matches!(name, "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" | "caption")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(ELEMENTS.is_sorted() && STYLING.is_sorted() && ATTRIBUTES.is_sorted());
    }
}
