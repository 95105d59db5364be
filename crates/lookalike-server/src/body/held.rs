//! Answers that are counted from when they are written until they are taken.
//!
//! An answer is written by the thread that found it, which counts its bytes as they come: were it handed over as values
//! first, those of all connections could wait for being written at the same time.

use super::capacity_for;
use crate::memory::{MemoryShare, SMALL};
use crate::problem::{HttpProblem, Result};
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use serde::Serialize;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

/// An answer with its share of the memory.
#[derive(Debug)]
pub(crate) struct Written {
    kind: &'static str,
    bytes: Vec<u8>,
    share: MemoryShare,
}

impl Written {
    /// An answer of a content type, without bytes so far.
    pub(crate) fn new(kind: &'static str, share: MemoryShare) -> Self {
        Self { kind, bytes: Vec::new(), share }
    }

    /// A value as JSON.
    ///
    /// # Errors
    /// If there is no memory left for it.
    pub(crate) fn json(value: &impl Serialize, share: MemoryShare) -> Result<Self> {
        let mut written = Self::new("application/json", share);
        written.push_json(value)?;
        Ok(written)
    }

    /// Bytes that are there already, for which the share has to have room.
    ///
    /// # Errors
    /// If there is no memory left for them.
    pub(crate) fn whole(kind: &'static str, bytes: Vec<u8>, mut share: MemoryShare) -> Result<Self> {
        let fits = bytes.capacity() <= SMALL || share.grow_to(bytes.capacity());
        if fits { Ok(Self { kind, bytes, share }) } else { Err(HttpProblem::full()) }
    }

    /// Writes a value as JSON behind what there is.
    ///
    /// # Errors
    /// If there is no memory left for it.
    pub(crate) fn push_json(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer(self, value)
            .map_err(|error| if error.is_io() { HttpProblem::full() } else { HttpProblem::fault(&error) })
    }

    /// Writes bytes behind what there is.
    ///
    /// # Errors
    /// If there is no memory left for them.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<()> {
        let needed = self.bytes.len() + bytes.len();
        let before = self.bytes.capacity();
        if needed > before {
            let capacity = capacity_for(needed, before);
            if capacity > SMALL && !self.share.grow_to(capacity) {
                return Err(HttpProblem::full());
            }
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Number of its bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl IntoResponse for Written {
    fn into_response(mut self) -> Response {
        self.bytes.shrink_to_fit();
        let bytes = self.bytes.capacity();
        self.share.shrink_to(if bytes > SMALL { bytes } else { 0 });
        let counted = CountedBytes { bytes: self.bytes, _share: self.share };
        let mut response = Response::new(Body::new(HeldBody(Bytes::from_owner(counted))));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        response
    }
}

/// The bytes of an answer with their share of the memory.
struct CountedBytes {
    bytes: Vec<u8>,
    _share: MemoryShare,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes that are handed to a connection at a time.
const SLICE: usize = 64 << 10;

/// The body of an answer. Its share comes back with the last of its bytes: a connection drops a body when it has got
/// all of it, and may hold what it got for as long as nobody takes it.
#[derive(Debug)]
struct HeldBody(Bytes);

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Frames>> {
        let length = self.0.len().min(SLICE);
        let slice = (length > 0).then(|| self.0.split_to(length));
        Poll::Ready(slice.map(|slice| Ok(Frame::data(slice))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

type Frames = std::result::Result<Frame<Bytes>, Infallible>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Client;
    use crate::config::ServerLimits;
    use crate::memory::Memory;
    use http_body_util::BodyExt;

    fn written(bytes: usize) -> (std::sync::Arc<Memory>, Result<Written>) {
        let memory = Memory::new(&ServerLimits { body_bytes: 1, memory_bytes: 8 << 20, ..ServerLimits::default() });
        let body = Written::json(&"x".repeat(bytes), memory.share(Client::Unknown(None)));
        (memory, body)
    }

    #[tokio::test]
    async fn an_answer_is_counted_until_nobody_takes_it() {
        let (memory, body) = written(1 << 20);
        let response = body.unwrap().into_response();
        assert!(memory.used_bytes() > 1 << 20 && memory.used_bytes() < 1 << 21, "{}", memory.used_bytes());
        // A connection has got all of it, and nobody takes it.
        let mut body = response.into_body();
        let mut taken = Vec::new();
        while let Some(frame) = body.frame().await {
            taken.push(frame.unwrap().into_data().unwrap());
        }
        drop(body);
        assert_eq!(taken.iter().map(Bytes::len).sum::<usize>(), (1 << 20) + 2);
        assert!(memory.used_bytes() > 1 << 20);
        drop(taken);
        assert_eq!(memory.used_bytes(), 0);
    }

    #[test]
    fn an_answer_for_which_there_is_no_memory_is_refused_while_it_is_written() {
        let (memory, body) = written(6 << 20);
        assert_eq!(body.unwrap_err(), HttpProblem::full());
        assert_eq!(memory.used_bytes(), 0);
    }

    #[test]
    fn a_small_answer_is_not_counted() {
        let (memory, body) = written(1 << 10);
        let response = body.unwrap().into_response();
        assert_eq!(memory.used_bytes(), 0);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
    }
}
