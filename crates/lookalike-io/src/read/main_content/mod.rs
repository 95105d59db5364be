//! The article of an HTML page, without navigation, advertisements and what else surrounds it.
//!
//! Readability, the algorithm behind the reader view of browsers, finds it (crate legible). That takes the square of
//! the nesting and of the attributes of a tag, and pages may nest a million tags; so it is given a simpler page, well
//! nested to a limited depth, which [`simple_page()`] makes in linear time.
//!
//! Readability returns a part of any page, also of one that only holds links. Pages with a common menu would be
//! duplicates if such parts were compared. So a part is an article only if the page passes the quick check of
//! Readability for paragraphs of running text, and the part has the minimum number of characters of Readability. A page
//! without an article is compared as a whole, and counted.
//!
//! The quick check does not count paragraphs in list items: those are teasers of other articles as a rule, which all
//! pages of a site have in common. So a page is compared as a whole if all its running text stands in a list, as the
//! posts of some forums do. In an article that has other paragraphs, list items are kept.

mod page_tags;
mod simple_page;

use crate::base::DocumentContent;
use legible::{Document, Options};
use lookalike_core::documents::Content;
use lookalike_core::text::{TextOptions, strip_html};
use simple_page::simple_page;

/// Characters that an article has at least; with fewer, Readability itself goes on looking.
const MIN_CHARACTERS: usize = 500;

/// A content with what is compared of it: of a text that is a page, where texts are pages with articles, its article.
pub fn compared_content<'a>(content: Content<'a>, options: &TextOptions) -> DocumentContent<'a> {
    if options.main_content && options.strip_html { with_article(content) } else { content.into() }
}

/// A text that is a page, with its article as HTML; another content as it is.
pub(crate) fn with_article(content: Content<'_>) -> DocumentContent<'_> {
    match content {
        Content::Text(page) => match article_of(&page) {
            Some(article) => DocumentContent::Article { page, article },
            None => DocumentContent::WholePage(page),
        },
        other => DocumentContent::All(other),
    }
}

/// The article of a page, as HTML; `None` if the page has none.
pub(super) fn article_of(page: &str) -> Option<String> {
    let page = simple_page(page);
    // legible numbers nodes by 32 bits, and panics beyond; none is of fewer than a byte.
    if u32::try_from(page.len()).is_err() {
        return None;
    }
    let document = Document::new(&page);
    if !document.is_probably_readerable(None) {
        return None;
    }
    let options = Options::new().char_threshold(MIN_CHARACTERS).disable_json_ld(true);
    let content = document.parse(None, Some(options)).ok()?.content;
    let text = strip_html(&content);
    (text.split_whitespace().map(|word| word.chars().count()).sum::<usize>() >= MIN_CHARACTERS).then_some(content)
}

#[cfg(test)]
mod tests;
