//! Decoding of HTML pages and text files.
//!
//! The encoding of a page may be declared in four ways, which the HTML standard orders; names and tables of the
//! encodings are those of browsers (encoding_rs). Plain text is UTF-8, or UTF-16 with a byte order mark, as Windows
//! programs write it: detection of other encodings would fail at times and corrupt words unnoticed.

use crate::base::{Compression, DocumentContent, Problem};
use crate::read::main_content::article_of;
use crate::sources::{MainContent, TextEncoding};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use lookalike_core::documents::Content;
use lookalike_core::text::strip_html;
use memchr::memmem;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// A page must declare its encoding within this number of bytes.
const HEAD_BYTES: usize = 1024;

/// Returns whether the extension of a name, that of a compression removed, is one of HTML pages.
pub(crate) fn is_page_name(name: &Path) -> bool {
    let extension = name.extension().and_then(OsStr::to_str);
    extension.is_some_and(|found| ["html", "htm", "xhtml"].iter().any(|known| found.eq_ignore_ascii_case(known)))
}

/// Returns whether a file, compressed or not, is an HTML page by its name.
pub fn is_page(path: &Path) -> bool {
    is_page_name(&Compression::of_name(path).1)
}

/// The readable text of a page, with its article if that is what is compared. `charset` is the encoding named outside
/// it, as in an HTTP header.
pub(crate) fn readable_text(page: &[u8], charset: Option<&str>, main_content: MainContent) -> DocumentContent<'static> {
    let page = decode(page, charset, || declared_charset(page));
    let readable = Cow::Owned(strip_html(&page));
    match main_content {
        MainContent::Whole => DocumentContent::All(Content::Text(readable)),
        MainContent::OfPages | MainContent::OfTexts => match article_of(&page) {
            Some(article) => DocumentContent::Article { page: readable, article: strip_html(&article) },
            None => DocumentContent::WholePage(readable),
        },
    }
}

/// Decodes a plain text whose encoding may be named outside it.
pub(crate) fn decode_sent<'a>(text: &'a [u8], charset: Option<&str>) -> Cow<'a, str> {
    decode(text, charset, || None)
}

/// Decodes by byte order mark, name from outside or name inside; else as UTF-8 if valid, else as windows-1252, which
/// never fails.
fn decode<'a>(bytes: &'a [u8], outside: Option<&str>, inside: impl Fn() -> Option<&'static Encoding>) -> Cow<'a, str> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0;
    }
    if let Some(encoding) = outside.and_then(|name| usable(name.as_bytes())).or_else(inside) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// The encoding with this name, unless it is the replacement encoding, which decodes nothing.
fn usable(name: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(name).filter(|&encoding| encoding != REPLACEMENT)
}

/// The encoding declared at the beginning of a page, in a `meta` tag or in the XML declaration.
fn declared_charset(page: &[u8]) -> Option<&'static Encoding> {
    let head = page[..page.len().min(HEAD_BYTES)].to_ascii_lowercase();
    let xml = head.strip_prefix(b"<?xml").and_then(|rest| value_of(tag(rest), b"encoding"));
    let found = xml.or_else(|| {
        let mut rest = &head[..];
        while let Some(at) = memmem::find(rest, b"<") {
            rest = &rest[at..];
            if rest.starts_with(b"<!--") {
                rest = &rest[memmem::find(rest, b"-->")?..];
            } else if let Some(attributes) = rest.strip_prefix(b"<meta") {
                // Alone, or in the content of an http-equiv.
                if let Some(value) = value_of(tag(attributes), b"charset") {
                    return Some(value);
                }
            }
            rest = &rest[1..];
        }
        None
    })?;
    // A page whose tags are ASCII is in neither of these two (HTML standard, prescan algorithm).
    match usable(found)? {
        encoding if encoding == UTF_16LE || encoding == UTF_16BE => Some(UTF_8),
        encoding if encoding == X_USER_DEFINED => Some(WINDOWS_1252),
        encoding => Some(encoding),
    }
}

/// The bytes up to the end of the current tag.
fn tag(rest: &[u8]) -> &[u8] {
    &rest[..memmem::find(rest, b">").unwrap_or(rest.len())]
}

/// The value after `name =`, with or without quotes.
fn value_of<'a>(tag: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    memmem::find_iter(tag, name).find_map(|at| {
        let value = tag[at + name.len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value);
        let ends = |byte: &u8| matches!(byte, b'"' | b'\'' | b';' | b'/') || byte.is_ascii_whitespace();
        Some(&value[..value.iter().position(ends).unwrap_or(value.len())])
    })
}

/// Decodes a text file: by its byte order mark, else as `encoding`, else as UTF-8.
pub(crate) fn decode_text(bytes: &[u8], encoding: Option<TextEncoding>) -> Result<Cow<'_, str>, Problem> {
    match (Encoding::for_bom(bytes), encoding) {
        (None, Some(encoding)) => encoding.decode(bytes),
        (Some((marked, length)), _) if marked != UTF_8 => {
            let text = marked.decode_without_bom_handling_and_without_replacement(&bytes[length..]);
            text.ok_or(Problem::NotUtf16)
        }
        (mark, _) => Problem::check_utf8(&bytes[mark.map_or(0, |(_, length)| length)..]).map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(page: &[u8], charset: Option<&str>) -> String {
        readable_text(page, charset, MainContent::Whole).stored().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn encodings_are_found_in_their_order() {
        let cases: [(&[u8], Option<&str>, &str); 11] = [
            (b"<p>caf\xC3\xA9", None, "caf\u{e9}"),
            (b"<p>caf\xE9 \x93x\x94", None, "caf\u{e9} \u{201c}x\u{201d}"),
            (b"<meta charset=\"iso-8859-2\"><p>\xB1", None, "\u{105}"),
            (b"<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=koi8-r'><p>\xC1", None, "\u{430}"),
            (b"<!-- <meta charset=koi8-r> --><meta charset = utf-8 /><p>\xC3\xA9", None, "\u{e9}"),
            (b"<?xml version='1.0' encoding='iso-8859-5'?><p>\xD0", None, "\u{430}"),
            (b"<meta charset=koi8-r><p>\xB1", Some("iso-8859-2"), "\u{105}"),
            (b"\xEF\xBB\xBF<meta charset=koi8-r><p>\xC3\xA9", Some("koi8-r"), "\u{e9}"),
            (b"\xFF\xFE<\0p\0>\0\xE9\0", None, "\u{e9}"),
            (b"<meta charset=utf-16><p>\xC3\xA9", None, "\u{e9}"),
            (b"<meta charset=no-such-thing><p>\xE9", Some("nor-this"), "\u{e9}"),
        ];
        for (page, charset, expected) in cases {
            assert_eq!(words(page, charset), expected, "{}", String::from_utf8_lossy(page));
        }
        let late = [b" ".repeat(HEAD_BYTES), b"<meta charset=koi8-r>\xC3\xA9".to_vec()].concat();
        assert_eq!(words(&late, None), "\u{e9}", "browsers do not look that far either");
    }

    #[test]
    fn declarations_that_are_cut_or_odd_do_no_harm() {
        for page in
            ["<meta charset", "<meta charset=", "<meta charset='", "<!--", "<", "<meta", "", "<?xml", "<meta charset=>"]
        {
            assert_eq!(declared_charset(page.as_bytes()), None, "{page}");
        }
    }

    #[test]
    fn texts_are_utf8_or_marked_utf16() {
        assert_eq!(decode_text(b"\xEF\xBB\xBFx", None).unwrap(), "x");
        assert_eq!(decode_text(b"\xFF\xFEx\0\xE9\0", None).unwrap(), "x\u{e9}");
        assert_eq!(decode_text(b"\xFE\xFF\0x", None).unwrap(), "x");
        assert_eq!(decode_text(b"\xFF\xFEx\0\0\xD8", None), Err(Problem::NotUtf16));
        assert_eq!(decode_text(b"caf\xE9", None), Err(Problem::NotUtf8 { at: 4 }));
    }
}
