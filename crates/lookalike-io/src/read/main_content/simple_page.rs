//! A page made simple: its text and those tags that tell where the article is, well nested.
//!
//! ```text
//! page        <div><li>one<li>two<p style=...>x<script>...</div></b>
//! simple page <div><li>one</li><li>two<p style=...>x</p></li></div>
//! ```
//!
//! Each end tag of the simple page ends the element that was begun last. Neither comments nor texts that are cut in
//! other ways than tags are left, so a parser of HTML finds no deeper nesting than is written here, whatever the page
//! was: the time of what follows is bounded.

use super::page_tags::{Tag, ended_by, ends_paragraph, is_boundary, is_judged_by, is_of_table};
use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};
use lookalike_core::text::OpenElements;

/// Elements that are nested in the simple page, but for paragraphs; of deeper ones the content is left. Pages of
/// people reach some forty.
const MAX_DEPTH: usize = 64;
/// Bytes of an attribute that are looked at.
const MAX_ATTRIBUTE_BYTES: usize = 256;

/// The simple page of a page.
pub(super) fn simple_page(page: &str) -> String {
    let mut emitter = DefaultEmitter::default();
    // Without a tree, this setting distinguishes the content of <script>, <style> and <textarea> from markup.
    emitter.naively_switch_states(true);
    let mut simple = SimplePage { html: String::with_capacity(page.len()), open: Vec::new() };
    let mut elements = OpenElements::default();
    let mut is_in_title = false;
    // Reading from a string cannot fail: the error type has no values.
    for Ok(token) in Tokenizer::new_with_emitter(page, emitter) {
        match token {
            Token::String(text) if !elements.is_hidden() && !is_in_title => {
                simple.text(&String::from_utf8_lossy(&text));
            }
            Token::StartTag(tag) => {
                let was_hidden = elements.is_hidden();
                elements.begin(&tag);
                is_in_title |= Tag::from_name(&tag.name) == Tag::Title;
                if !elements.is_hidden() {
                    simple.begin(&tag);
                } else if !was_hidden {
                    simple.hide(&tag.name);
                }
            }
            Token::EndTag(tag) => {
                let is_of_hidden = elements.hidden_by() == Some(&*tag.name);
                elements.end(&tag.name);
                is_in_title &= Tag::from_name(&tag.name) != Tag::Title;
                if !elements.is_hidden() && !is_of_hidden {
                    simple.end(&tag.name);
                }
            }
            _ => {}
        }
    }
    simple.end_from(0);
    simple.html
}

/// A simple page that is written.
struct SimplePage {
    html: String,
    /// The elements that are begun and not ended.
    open: Vec<&'static str>,
}

impl SimplePage {
    fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '&' => self.html.push_str("&amp;"),
                // No parser keeps it.
                '\0' => {}
                other => self.html.push(other),
            }
        }
    }

    fn begin(&mut self, tag: &StartTag<()>) {
        let name = match Tag::from_name(&tag.name) {
            Tag::Element(name) => name,
            Tag::Void(name) => return self.html.extend(["<", name, ">"]),
            Tag::Separator | Tag::Title => return self.html.push(' '),
            Tag::Styling => return,
        };
        if ends_paragraph(name) {
            self.end_open(&["p"], is_boundary);
        }
        if let Some((ended, until)) = ended_by(name) {
            self.end_open(ended, |open| until.contains(&open));
        }
        // A paragraph is kept in any depth, for it holds no other elements of this kind.
        if self.open.len() >= MAX_DEPTH + usize::from(name == "p") {
            return self.html.push('\n');
        }
        self.open.push(name);
        self.html.extend(["<", name]);
        let judged = tag.attributes.iter().filter(|(name, _)| is_judged_by(name));
        for (name, value) in judged {
            let value = String::from_utf8_lossy(&value[..value.len().min(MAX_ATTRIBUTE_BYTES)]);
            self.html.extend([" ", &String::from_utf8_lossy(name), "=\""]);
            self.text(&value.replace('"', " "));
            self.html.push('"');
        }
        self.html.push('>');
    }

    /// Begins a hidden element, which separates words unless it stands within a line.
    fn hide(&mut self, name: &[u8]) {
        if Tag::from_name(name) != Tag::Styling {
            self.html.push(' ');
        }
    }

    fn end(&mut self, name: &[u8]) {
        match Tag::from_name(name) {
            Tag::Element(name) => {
                let before = self.open.len();
                self.end_open(&[name], |open| if is_of_table(name) { open == "table" } else { is_boundary(open) });
                if self.open.len() == before {
                    self.html.push('\n');
                }
            }
            Tag::Styling => {}
            Tag::Void(_) | Tag::Separator | Tag::Title => self.html.push(' '),
        }
    }

    /// Ends the last open element of those with these names, and all in it, unless one that is `until` is found before.
    fn end_open(&mut self, names: &[&str], until: impl Fn(&str) -> bool) {
        let found = self.open.iter().rposition(|open| names.contains(open) || until(open));
        if let Some(at) = found.filter(|&at| names.contains(&self.open[at])) {
            self.end_from(at);
        }
    }

    /// Ends the elements from the one at this depth on.
    fn end_from(&mut self, depth: usize) {
        for name in self.open.drain(depth..).rev() {
            self.html.extend(["</", name, ">"]);
        }
    }
}
