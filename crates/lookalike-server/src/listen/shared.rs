//! A TCP stream of which is known that its peer sends no more, while nothing is read from it.
//!
//! A peer that has closed its side may wait for the answer (HTTP allows it), or may be gone: both look alike. So the
//! answer is made for some time longer, and then given up.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::sleep;

/// Time between two looks at a stream with bytes that nobody reads.
const LOOK: Duration = Duration::from_millis(250);

/// A TCP stream that others may look at.
#[derive(Debug)]
pub(super) struct SharedStream(Arc<TcpStream>);

/// A look at a stream.
#[derive(Debug)]
pub(super) struct Look(Arc<TcpStream>);

impl SharedStream {
    pub(super) fn new(stream: TcpStream) -> (Self, Look) {
        let stream = Arc::new(stream);
        (Self(Arc::clone(&stream)), Look(stream))
    }
}

impl Look {
    /// Waits until the peer sends no more, or the stream is broken.
    pub(super) async fn closed(&self) {
        loop {
            match self.0.ready(Interest::READABLE).await {
                Ok(state) if !state.is_read_closed() => sleep(LOOK).await,
                _ => return,
            }
        }
    }
}

impl AsyncRead for SharedStream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(context))?;
            match self.0.try_read(buffer.initialize_unfilled()) {
                Ok(bytes) => {
                    buffer.advance(bytes);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for SharedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            match self.0.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            match self.0.try_write_vectored(slices) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(socket2::SockRef::from(&*self.0).shutdown(std::net::Shutdown::Write))
    }
}
