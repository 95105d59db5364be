//! From a record of a WARC file to a document: which records are documents, and what has to be undone until there is text.
//!
//! Crawlers differ in what they store: the bytes that came over the wire, or the page after its codings were undone, with the
//! headers still naming them. So a coding is undone if it is named and is really there.

use super::RawRecord;
use crate::blocks::{Context, Visited};
use crate::document::Document;
use crate::error::Problem;
use crate::html_page::{decode_sent, readable_text};
use crate::record::{DEFAULT_ID, Score};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use httparse::{EMPTY_HEADER, ParserConfig, Response, Status};
use memchr::memchr;
use std::borrow::Cow;
use std::io::Read;

/// More headers than any server sends.
const MOST_HEADERS: usize = 1024;

/// What a document is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Media {
    Page,
    Plain,
}

/// A media type with its parameters.
struct ContentType<'a> {
    media: Media,
    charset: Option<&'a str>,
}

impl<'a> ContentType<'a> {
    /// `None` for what is no text.
    fn of(value: &'a str) -> Option<Self> {
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

    fn text(&self, bytes: &[u8]) -> String {
        match self.media {
            Media::Page => readable_text(bytes, self.charset),
            Media::Plain => decode_sent(bytes, self.charset).into_owned(),
        }
    }
}

/// The document of a record; `None` if it holds none.
pub(super) fn document<'a>(record: &'a RawRecord, context: &Context<'_>) -> Option<Visited<'a>> {
    if let Some(problem) = &record.problem {
        return Some(Err(record.reject(context, problem.clone())));
    }
    let text = text_of(record, context.limit).transpose()?;
    let text = match text.and_then(|text| context.text(Cow::Owned(text))) {
        Ok(text) => text,
        Err(problem) => return Some(Err(record.reject(context, problem))),
    };
    let (header, place) = (record.header(), context.place(record.number));
    let id = if context.names.id == DEFAULT_ID { header.target() } else { header.get(&context.names.id) };
    let score = context.names.score.as_deref().and_then(|name| header.get(name));
    Some(Ok(Document {
        key: id.unwrap_or_else(|| Cow::Owned(place.to_string())),
        text,
        score: score.map(|score| Score::of_text(&score)),
        place,
        number: record.number,
        span: record.span,
    }))
}

fn text_of(record: &RawRecord, limit: u64) -> Result<Option<String>, Problem> {
    let header = record.header();
    let (kind, content_type) = (header.get("WARC-Type"), header.get("Content-Type"));
    match kind.unwrap_or_default().to_ascii_lowercase().as_str() {
        "response" if is_http(content_type.as_deref()) => http_text(record, limit),
        "resource" | "conversion" => {
            let Some(content_type) = ContentType::of(content_type.as_deref().unwrap_or_default()) else {
                return Ok(None);
            };
            if record.is_whole { Ok(Some(content_type.text(record.body()))) } else { Err(Problem::TooLarge { limit }) }
        }
        _ => Ok(None),
    }
}

/// Whether a response is one of HTTP: answers of the name service, for example, are stored too.
fn is_http(content_type: Option<&str>) -> bool {
    let media = content_type.and_then(|value| value.split(';').next()).unwrap_or("application/http");
    media.trim().eq_ignore_ascii_case("application/http")
}

/// The text of a response, if it is a success and holds text.
fn http_text(record: &RawRecord, limit: u64) -> Result<Option<String>, Problem> {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut response = Response::new(&mut headers);
    let mut config = ParserConfig::default();
    config.allow_spaces_after_header_name_in_responses(true);
    config.allow_obsolete_multiline_headers_in_responses(true);
    config.ignore_invalid_headers_in_responses(true);
    let stored = in_version_1(record.body());
    let length = match config.parse_response(&mut response, &stored) {
        Ok(Status::Complete(length)) => length,
        Ok(Status::Partial) => return Err(Problem::NotHttp { message: "the headers have no end".to_owned() }),
        Err(error) => return Err(Problem::NotHttp { message: error.to_string() }),
    };
    let header = |name: &str| {
        let found = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| String::from_utf8_lossy(header.value)).unwrap_or_default()
    };
    // A server may leave it to us to guess; the crawler has guessed then.
    let guessed = record.header().get("WARC-Identified-Payload-Type").unwrap_or_default();
    let content_type = Some(header("Content-Type")).filter(|sent| !sent.is_empty()).unwrap_or(guessed);
    let is_success = matches!(response.code, Some(200..300));
    let Some(content_type) = ContentType::of(&content_type).filter(|_| is_success) else { return Ok(None) };
    if !record.is_whole {
        return Err(Problem::TooLarge { limit });
    }
    let mut body = Cow::Borrowed(&stored[length..]);
    for named in [header("Transfer-Encoding"), header("Content-Encoding")] {
        for coding in named.rsplit(',') {
            body = undo(body, coding.trim(), limit)?;
        }
    }
    Ok(Some(content_type.text(&body)))
}

/// A response as version 1.1 writes it: of later versions, which are no text on the wire, some crawlers store the same lines
/// under the later number.
fn in_version_1(response: &[u8]) -> Cow<'_, [u8]> {
    let is_later = response.starts_with(b"HTTP/2") || response.starts_with(b"HTTP/3");
    match memchr(b' ', response).filter(|_| is_later) {
        Some(space) => Cow::Owned([b"HTTP/1.1", &response[space..]].concat()),
        None => Cow::Borrowed(response),
    }
}

/// Undoes a coding, if it is there.
fn undo<'a>(body: Cow<'a, [u8]>, coding: &str, limit: u64) -> Result<Cow<'a, [u8]>, Problem> {
    let undone = match coding.to_ascii_lowercase().as_str() {
        "" | "identity" => None,
        "chunked" => chunk_size(&body).map(|_| join_chunks(&body)),
        "gzip" | "x-gzip" if body.starts_with(&[0x1F, 0x8B]) => Some(unpack(MultiGzDecoder::new(&*body), limit)?),
        "zstd" if body.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) => {
            Some(zstd::Decoder::new(&*body).ok().map_or(Ok(None), |decoder| unpack(decoder, limit))?)
        }
        "deflate" if is_zlib(&body) => Some(unpack(ZlibDecoder::new(&*body), limit)?),
        // Some servers leave the wrapping of zlib away, and then nothing marks the coding but that it is no text.
        "deflate" if simdutf8::basic::from_utf8(&body).is_err() => Some(unpack(DeflateDecoder::new(&*body), limit)?),
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

/// All that a decoder gives, or nothing if it fails.
fn unpack(decoder: impl Read, limit: u64) -> Result<Option<Vec<u8>>, Problem> {
    let mut bytes = Vec::new();
    let read = decoder.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    if bytes.len() as u64 > limit {
        return Err(Problem::TooLarge { limit });
    }
    Ok(read.is_ok().then_some(bytes))
}

/// RFC 1950: the two bytes are a multiple of 31.
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [method, flags, ..] if method & 0x0F == 8 && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0)
}

/// Size of the chunk that begins here and length of the line that says it.
fn chunk_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = memchr(b'\n', &bytes[..bytes.len().min(1024)])?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let digits = line.split(';').next()?.trim();
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let size = usize::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((size, end + 1))
}

/// The content of all chunks, or nothing if they do not end as they must.
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
