//! Streams of connections.
//!
//! A [`PacedStream`] is cut when it stands still: nothing comes for a time, or next to nothing of what is sent is
//! taken. A peer that takes a byte a second would hold an answer for hours.
//!
//! Of a [`SharedStream`] is known that its peer sends no more, while nothing is read from it. A peer that has closed
//! its side may wait for the answer (HTTP allows it), or may be gone: both look alike. So the answer is made for some
//! time longer, and then given up.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// Bytes that must be taken in the time.
const MIN_TAKEN: usize = 64 << 10;

/// A connection that is cut when it stands still.
#[derive(Debug)]
pub(super) struct PacedStream<S> {
    stream: S,
    /// Time for something to come, from the last that came or was sent on.
    read_time: Duration,
    /// Time for something to be taken.
    send_time: Duration,
    /// The end of waiting for what comes.
    read_by: Pin<Box<Sleep>>,
    /// The end of waiting until what is sent is taken.
    taken_by: Pin<Box<Sleep>>,
    /// Bytes that were taken since it was waited for; `None` if it is not.
    taken: Option<usize>,
}

impl<S> PacedStream<S> {
    pub(super) fn new(stream: S, read_time: Duration, send_time: Duration) -> Self {
        let read_by = Box::pin(sleep(read_time));
        let taken_by = Box::pin(sleep(send_time));
        Self { stream, read_time, send_time, read_by, taken_by, taken: None }
    }

    /// Handles the result of an attempt to send: waiting has an end unless enough was taken.
    fn sent(&mut self, context: &mut Context<'_>, sent: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match sent {
            Poll::Ready(Ok(bytes)) => {
                self.read_by.as_mut().reset(Instant::now() + self.read_time);
                if let Some(taken) = &mut self.taken {
                    *taken += bytes;
                    if *taken >= MIN_TAKEN {
                        self.taken = None;
                    }
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(error) => Poll::Ready(error),
            Poll::Pending => {
                self.wait(context)?;
                Poll::Pending
            }
        }
    }

    fn wait(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.taken.is_none() {
            self.taken = Some(0);
            self.taken_by.as_mut().reset(Instant::now() + self.send_time);
        }
        match self.taken_by.as_mut().poll(context) {
            Poll::Ready(()) => Err(io::ErrorKind::TimedOut.into()),
            Poll::Pending => Ok(()),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        match Pin::new(&mut this.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                this.read_by.as_mut().reset(Instant::now() + this.read_time);
                Poll::Ready(read)
            }
            Poll::Pending => {
                ready!(this.read_by.as_mut().poll(context));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(context, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.sent(context, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(context) {
            Poll::Ready(flushed) => {
                // All of it was taken.
                self.taken = None;
                Poll::Ready(flushed)
            }
            Poll::Pending => {
                self.wait(context)?;
                Poll::Pending
            }
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    const TIME: Duration = Duration::from_secs(3);

    #[tokio::test]
    async fn who_sends_nothing_is_cut() {
        let (ours, mut theirs) = duplex(64);
        let mut ours = PacedStream::new(ours, TIME, TIME);
        let mut read = [0; 8];
        theirs.write_all(b"four").await.unwrap();
        assert_eq!(ours.read(&mut read).await.unwrap(), 4);
        let start = Instant::now();
        assert_eq!(ours.read(&mut read).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(start.elapsed() >= TIME);
    }

    /// Sends half a mebibyte to a peer that takes so many bytes six times in the time.
    async fn send_to_one_who_takes(bytes: usize) -> io::Result<()> {
        let (ours, mut theirs) = duplex(64 << 10);
        let mut ours = PacedStream::new(ours, TIME, TIME);
        let taking = tokio::spawn(async move {
            let mut buffer = vec![0; bytes];
            while theirs.read_exact(&mut buffer).await.is_ok() {
                sleep(TIME / 6).await;
            }
        });
        let sent = ours.write_all(&vec![7; 512 << 10]).await;
        // What was sent before a cut would be taken for hours.
        taking.abort();
        sent
    }

    #[tokio::test]
    async fn who_takes_next_to_nothing_is_cut() {
        assert!(send_to_one_who_takes(1).await.is_err());
    }

    #[tokio::test]
    async fn who_takes_enough_is_not_cut() {
        send_to_one_who_takes(64 << 10).await.unwrap();
    }
}
