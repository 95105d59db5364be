//! The end of an element whose content is left out of the simple page.
//!
//! A drawing may stand in a drawing and a template in a template: their tags are counted, and the outermost element
//! ends with its own end tag. The other hidden elements hold text alone, and end at the first end tag of their name.
//! Tags of HTML end a drawing, too, unless they stand in an element of the drawing that may hold HTML (HTML standard,
//! the rules for parsing tokens in foreign content): so a drawing without an end tag does not hide the rest of its
//! page.

use html5gum::Token;

/// Elements of a drawing that may hold HTML.
const HOLDING_HTML: [&[u8]; 2] = [b"desc", b"foreignobject"];
/// Start tags that end a drawing. Sorted.
const ENDING_DRAWINGS: [&[u8]; 44] = [
    b"b",
    b"big",
    b"blockquote",
    b"body",
    b"br",
    b"center",
    b"code",
    b"dd",
    b"div",
    b"dl",
    b"dt",
    b"em",
    b"embed",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"hr",
    b"i",
    b"img",
    b"li",
    b"listing",
    b"menu",
    b"meta",
    b"nobr",
    b"ol",
    b"p",
    b"pre",
    b"ruby",
    b"s",
    b"small",
    b"span",
    b"strike",
    b"strong",
    b"sub",
    b"sup",
    b"table",
    b"tt",
    b"u",
    b"ul",
    b"var",
];

/// A hidden element that is begun and not ended.
pub(super) struct HiddenElement {
    name: Vec<u8>,
    /// Open elements of this name, itself among them.
    depth: usize,
    /// Open elements of a drawing that may hold HTML.
    holding_html: usize,
}

/// Where a token stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the hidden element; its end tag is a part of it.
    Inside,
    /// Behind it.
    Behind,
}

impl HiddenElement {
    /// The element that a start tag of this name begins.
    pub(super) fn new(name: &[u8]) -> Self {
        Self { name: name.to_vec(), depth: 1, holding_html: 0 }
    }

    /// Where the next token of the page stands.
    pub(super) fn place_of(&mut self, token: &Token<()>) -> Place {
        if self.depth == 0 {
            return Place::Behind;
        }
        match token {
            Token::StartTag(tag) if self.is_drawing() && self.holding_html == 0 && ends_drawing(&tag.name) => {
                return Place::Behind;
            }
            Token::StartTag(tag) if !tag.self_closing => self.begin(&tag.name),
            Token::EndTag(tag) => self.end(&tag.name),
            _ => {}
        }
        Place::Inside
    }

    fn is_drawing(&self) -> bool {
        self.name == b"svg"
    }

    fn begin(&mut self, name: &[u8]) {
        if self.name == name && (self.is_drawing() || name == b"template") {
            self.depth += 1;
        } else if self.name == name && name == b"select" {
            // One selection does not stand in another: the second start tag ends the first.
            self.depth = 0;
        } else if HOLDING_HTML.contains(&name) {
            self.holding_html += 1;
        }
    }

    fn end(&mut self, name: &[u8]) {
        if self.name == name {
            self.depth -= 1;
        } else if HOLDING_HTML.contains(&name) {
            self.holding_html = self.holding_html.saturating_sub(1);
        }
    }
}

fn ends_drawing(name: &[u8]) -> bool {
    ENDING_DRAWINGS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(ENDING_DRAWINGS.is_sorted());
    }
}
