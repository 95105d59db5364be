//! The displayed text of an HTML document.
//!
//! The tokenizer of the HTML standard (html5gum) finds tags, comments and character references; this file decides which
//! tags separate words. No tree is built, so misnested tags, frequent in real pages, need no repair; what is not
//! displayed is known by the tags that are open.

mod hidden;

pub use hidden::{OpenElements, structure_element};

use hidden::contains;
use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

/// Tags that style text within a line, so that `<b>w</b>ord` stays one word. Sorted.
const INLINE: [&str; 33] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr",
];

/// The text of `html` without tags, comments and what is not displayed (scripts, styles, lists to choose from, elements
/// with `hidden` or `display: none`); character references are decoded, and every tag that is not inline becomes a line
/// break.
///
/// ```
/// # use lookalike_core::text::strip_html;
/// let text = strip_html("<p>Salt &amp; <b>p</b>epper</p><script>x = 1</script><p>More");
/// assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["Salt", "&", "pepper", "More"]);
/// ```
pub fn strip_html(html: &str) -> String {
    let mut emitter = DefaultEmitter::default();
    // Without a tree, this setting distinguishes the content of <script>, <style> and <textarea> from markup.
    emitter.naively_switch_states(true);
    let mut text = String::with_capacity(html.len());
    let mut elements = OpenElements::default();
    // Reading from a string cannot fail: the error type has no values.
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::String(characters) if !elements.is_hidden() => text.push_str(&String::from_utf8_lossy(&characters)),
            Token::StartTag(tag) if elements.begin(&tag) => separate(&mut text, &tag.name),
            Token::EndTag(tag) if elements.end(&tag.name) => separate(&mut text, &tag.name),
            _ => {}
        }
    }
    text
}

/// Returns whether an element styles text within a line.
pub fn is_inline(name: &[u8]) -> bool {
    contains(&INLINE, name)
}

/// Ends the line at a tag that is not inline.
fn separate(text: &mut String, tag: &[u8]) {
    if !is_inline(tag) && !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(html: &str) -> Vec<String> {
        strip_html(html).split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn tag_list_is_sorted() {
        assert!(INLINE.is_sorted());
    }

    #[test]
    fn block_tags_separate_words_and_inline_tags_do_not() {
        assert_eq!(words("<ul><li>one<li>two</ul>th<i>re</i>e<br>four"), ["one", "two", "three", "four"]);
        assert_eq!(
            words("Donau<wbr>dampf<wbr/>schiff<wbr hidden>fahrt <nobr>no</nobr>brk"),
            ["Donaudampfschifffahrt", "nobrk"]
        );
    }

    #[test]
    fn scripts_styles_and_comments_are_dropped() {
        assert_eq!(
            words("a<script>if (1 < 2) { '<p>no</p>' }</script>b<style>p > q {}</style><!-- no -->c"),
            ["a", "b", "c"]
        );
        assert_eq!(words("x<svg><text>no</text></svg>y"), ["x", "y"]);
    }

    #[test]
    fn character_references_are_decoded() {
        assert_eq!(words("caf&eacute; &lt;tag&gt; &#x1F600;"), ["café", "<tag>", "😀"]);
    }

    #[test]
    fn broken_markup_keeps_the_text() {
        assert_eq!(words("<div><p>open <b>bold</div> a < b"), ["open", "bold", "a", "<", "b"]);
        assert_eq!(words(""), Vec::<String>::new());
        assert_eq!(words("<"), ["<"]);
    }
}
