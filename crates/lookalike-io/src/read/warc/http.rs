//! Text of stored HTTP responses, and of what else has a media type.
//!
//! Crawlers differ in what they store: the bytes of the transfer, or the body after its codings were undone, under
//! unchanged headers. So a coding is undone if the headers name it and the bytes have it.

use super::record::RawRecord;
use crate::base::{DocumentContent, Problem};
use crate::read::context::{Context, read_limited};
use crate::read::texts::{decode_sent, readable_text};
use crate::sources::MainContent;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use httparse::{EMPTY_HEADER, ParserConfig, Response, Status};
use lookalike_core::documents::Content;
use memchr::memchr;
use std::borrow::Cow;
use std::io::Read;

/// Maximum number of headers, above what servers send.
const MAX_HEADERS: usize = 1024;

/// Returns whether a response record holds HTTP: DNS responses, for example, are stored too.
pub(super) fn is_http(content_type: Option<&str>) -> bool {
    let media = content_type.and_then(|value| value.split(';').next()).unwrap_or("application/http");
    media.trim().eq_ignore_ascii_case("application/http")
}

/// The content of a response; `None` unless it is a success with text.
pub(super) fn http_content(
    record: &RawRecord,
    context: &Context<'_>,
) -> Result<Option<DocumentContent<'static>>, Problem> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut response = Response::new(&mut headers);
    let stored = in_version_1(record.body());
    let length = match parser().parse_response(&mut response, &stored) {
        Ok(Status::Complete(length)) => length,
        Ok(Status::Partial) => return Err(Problem::NotHttp { message: "the headers have no end".to_owned() }),
        Err(error) => return Err(Problem::NotHttp { message: error.to_string() }),
    };
    let header = |name: &str| {
        let found = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| String::from_utf8_lossy(header.value)).unwrap_or_default()
    };
    // For a response without a media type, crawlers record the one they detected.
    let guessed = record.header().get("WARC-Identified-Payload-Type").unwrap_or_default();
    let content_type = Some(header("Content-Type")).filter(|sent| !sent.is_empty()).unwrap_or(guessed);
    let is_success = matches!(response.code, Some(200..300));
    let Some(content_type) = ContentType::parse(&content_type).filter(|_| is_success) else { return Ok(None) };
    record.complete_body()?;
    let mut body = Cow::Borrowed(&stored[length..]);
    for named in [header("Transfer-Encoding"), header("Content-Encoding")] {
        for coding in named.rsplit(',') {
            body = undo(body, coding.trim(), context.limit)?;
        }
    }
    Ok(Some(content_type.content(&body, context.names.main_content)))
}

/// A lenient parser: stored responses have malformed headers that browsers accept.
fn parser() -> ParserConfig {
    let mut config = ParserConfig::default();
    config.allow_spaces_after_header_name_in_responses(true);
    config.allow_obsolete_multiline_headers_in_responses(true);
    config.ignore_invalid_headers_in_responses(true);
    config
}

/// The response with the version 1.1: some crawlers store responses of later versions, whose headers are binary on the
/// wire, as lines of text with the later number.
fn in_version_1(response: &[u8]) -> Cow<'_, [u8]> {
    let is_later = response.starts_with(b"HTTP/2") || response.starts_with(b"HTTP/3");
    match memchr(b' ', response).filter(|_| is_later) {
        Some(space) => Cow::Owned([b"HTTP/1.1", &response[space..]].concat()),
        None => Cow::Borrowed(response),
    }
}

/// Undoes a coding if the body has it.
fn undo<'a>(body: Cow<'a, [u8]>, coding: &str, limit: Option<u64>) -> Result<Cow<'a, [u8]>, Problem> {
    let undone = match coding.to_ascii_lowercase().as_str() {
        "" | "identity" => None,
        "chunked" => chunk_size(&body).map(|_| join_chunks(&body)),
        "gzip" | "x-gzip" if body.starts_with(&[0x1F, 0x8B]) => Some(decompress(MultiGzDecoder::new(&*body), limit)?),
        "zstd" if body.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) => {
            Some(zstd::Decoder::new(&*body).ok().map_or(Ok(None), |decoder| decompress(decoder, limit))?)
        }
        "deflate" if is_zlib(&body) => Some(decompress(ZlibDecoder::new(&*body), limit)?),
        // Some servers omit the zlib header; such a body is recognized by not being UTF-8.
        "deflate" if simdutf8::basic::from_utf8(&body).is_err() => {
            Some(decompress(DeflateDecoder::new(&*body), limit)?)
        }
        "gzip" | "x-gzip" | "zstd" | "deflate" => None,
        _ if simdutf8::basic::from_utf8(&body).is_ok() => None,
        _ => Some(None),
    };
    match undone {
        None => Ok(body),
        Some(Some(bytes)) => Ok(Cow::Owned(bytes)),
        Some(None) => Err(Problem::NotHttp { message: format!("its coding `{coding}` cannot be undone") }),
    }
}

/// The output of a decoder; `None` if it fails.
fn decompress(decoder: impl Read, limit: Option<u64>) -> Result<Option<Vec<u8>>, Problem> {
    read_limited(decoder, limit).ok().transpose()
}

/// Returns whether a body begins with a zlib header (RFC 1950): its two bytes are a multiple of 31.
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [method, flags, ..] if method & 0x0F == 8 && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0)
}

/// Size of the chunk at the beginning of `bytes`, and length of the line that tells it.
fn chunk_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = memchr(b'\n', &bytes[..bytes.len().min(1024)])?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let digits = line.split(';').next()?.trim();
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let size = usize::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((size, end + 1))
}

/// The content of all chunks; `None` if they are malformed.
fn join_chunks(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut joined = Vec::with_capacity(rest.len());
    loop {
        let (size, line) = chunk_size(rest)?;
        rest = &rest[line..];
        if size == 0 {
            return Some(joined);
        }
        joined.extend_from_slice(rest.get(..size)?);
        rest = &rest[size..];
        rest = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n"))?;
    }
}

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
    pub(super) fn parse(value: &'a str) -> Option<Self> {
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
