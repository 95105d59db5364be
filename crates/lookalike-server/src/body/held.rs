//! Answers that are counted for as long as they are not taken.

use crate::memory::Share;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// An answer with its share of the memory, which comes back when the answer was taken, or nobody takes it.
#[derive(Debug)]
pub(crate) struct HeldBody {
    body: axum::body::Body,
    _share: Share,
}

impl HeldBody {
    pub(crate) fn new(body: axum::body::Body, share: Share) -> Self {
        Self { body, _share: share }
    }
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
