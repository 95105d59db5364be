//! A record of a WARC file, and its header.

use crate::base::{Problem, Span};
use memchr::memchr;
use std::borrow::Cow;

/// A record as stored in the file.
#[derive(Debug)]
pub(super) struct RawRecord {
    /// Number in the file, from 1.
    pub(super) number: u64,
    pub(super) span: Span,
    /// Header and body; of a body above the limit only the beginning.
    pub(super) bytes: Vec<u8>,
    pub(super) header_length: usize,
    /// The problem of a body above the limit: a bad record only if it would hold a document.
    pub(super) excess: Option<Problem>,
    /// Reason why nothing of the record can be used.
    pub(super) problem: Option<Problem>,
}

impl RawRecord {
    pub(super) fn header(&self) -> WarcHeader<'_> {
        WarcHeader(&self.bytes[..self.header_length])
    }

    pub(super) fn body(&self) -> &[u8] {
        &self.bytes[self.header_length..]
    }

    /// The complete body, or its [`Self::excess`].
    pub(super) fn complete_body(&self) -> Result<&[u8], Problem> {
        self.excess.clone().map_or_else(|| Ok(self.body()), Err)
    }

    /// Returns whether it may hold a document.
    pub(super) fn may_hold_document(&self) -> bool {
        let kind = self.header().get("WARC-Type");
        let may_hold_document = |kind: &str| {
            ["response", "resource", "conversion"].iter().any(|candidate| kind.eq_ignore_ascii_case(candidate))
        };
        self.problem.is_some() || kind.is_some_and(|kind| may_hold_document(&kind))
    }
}

/// The lines of a header.
#[derive(Debug, Clone, Copy)]
pub(super) struct WarcHeader<'a>(pub(super) &'a [u8]);

impl<'a> WarcHeader<'a> {
    /// The value of the first line with a name, whose case is ignored.
    pub(super) fn get(self, name: &str) -> Option<Cow<'a, str>> {
        self.0.split(|&byte| byte == b'\n').find_map(|line| {
            let colon = memchr(b':', line)?;
            let is_named = line[..colon].trim_ascii().eq_ignore_ascii_case(name.as_bytes());
            is_named.then(|| String::from_utf8_lossy(line[colon + 1..].trim_ascii()))
        })
    }

    /// The target URI; early writers put it in angle brackets.
    pub(super) fn target(self) -> Option<Cow<'a, str>> {
        let target = self.get("WARC-Target-URI")?;
        let bare = target.strip_prefix('<').and_then(|target| target.strip_suffix('>')).map(str::to_owned);
        Some(bare.map_or(target, Cow::Owned)).filter(|target| !target.is_empty())
    }
}
