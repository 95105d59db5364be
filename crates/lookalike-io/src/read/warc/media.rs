//! Media types that hold text.

use crate::ground::DocumentContent;
use crate::read::texts::{decode_sent, readable_text};
use crate::sources::MainContent;
use lookalike_core::documents::Content;

/// The kind of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Media {
    Page,
    Plain,
}

/// A media type of text, with its encoding.
pub(super) struct ContentType<'a> {
    media: Media,
    charset: Option<&'a str>,
}

impl<'a> ContentType<'a> {
    /// Parses the value of a header; `None` for other media than text.
    pub(super) fn of(value: &'a str) -> Option<Self> {
        let mut parts = value.split(';').map(str::trim);
        let media = match parts.next()?.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => Media::Page,
            "text/plain" => Media::Plain,
            _ => return None,
        };
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
        });
        Some(Self { media, charset })
    }

    /// Decodes a body.
    pub(super) fn content(&self, bytes: &[u8], main_content: MainContent) -> DocumentContent<'static> {
        match self.media {
            Media::Page => readable_text(bytes, self.charset, main_content),
            Media::Plain => DocumentContent::All(Content::Text(decode_sent(bytes, self.charset).into_owned().into())),
        }
    }
}
