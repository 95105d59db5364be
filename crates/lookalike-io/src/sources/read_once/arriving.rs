//! Standard input as a stream: what has arrived is read before the rest is there.
//!
//! A thread reads ahead into a buffer of bounded size. So whoever works on some lines finds all that have come since,
//! as one batch: a file that is piped is worked on in large batches, and a line that comes alone is one. To ask the
//! system what a pipe holds (`poll`) was turned down: a pipe holds 64 KiB, which are small batches, and not every
//! system can be asked.

use crate::base::details::Action;
use crate::base::{Error, Result};
use memchr::memrchr;
use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes that are taken from the input at a time.
const CHUNK_BYTES: usize = 1 << 18;
/// Bytes beyond which nothing is read ahead.
const MAX_AHEAD_BYTES: usize = 1 << 22;
/// First bytes that can be read again, for messages about the fields of records.
const HEAD_BYTES: usize = 1 << 16;
/// Bytes that tell a compression.
const MAGIC_BYTES: usize = 10;
/// Time between two checks that the job goes on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// An input that is read as it arrives; clones are the same input.
#[derive(Debug, Clone)]
pub struct Arriving(Arc<ArrivalBuffer>);

/// Kind of the bytes that have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrived {
    /// Complete lines, or a part of a very long one, and more may follow.
    Lines,
    /// The last bytes, or none: the input has ended.
    End,
}

#[derive(Debug, Default)]
struct ArrivalBuffer {
    state: Mutex<ArrivalState>,
    /// Signal that more has arrived, or the input has ended.
    more: Condvar,
    /// Signal that some bytes were taken.
    less: Condvar,
}

#[derive(Debug, Default)]
struct ArrivalState {
    bytes: VecDeque<u8>,
    /// Bytes up to the last line end among them; 0 if there is none.
    complete_bytes: usize,
    /// The first bytes of all, as far as they were taken.
    head: Vec<u8>,
    has_ended: bool,
    error: Option<io::Error>,
    is_open: bool,
}

impl ArrivalState {
    fn has_lines(&self) -> bool {
        self.complete_bytes > 0 || self.bytes.len() >= MAX_AHEAD_BYTES
    }

    fn append(&mut self, chunk: &[u8]) {
        if let Some(last) = memrchr(b'\n', chunk) {
            self.complete_bytes = self.bytes.len() + last + 1;
        }
        self.bytes.extend(chunk);
    }

    fn end(&mut self, error: Option<io::Error>) {
        self.has_ended = true;
        self.error = error;
    }

    /// The first bytes, once they tell the format; `None` as long as more are needed.
    fn first(&mut self) -> Option<Vec<u8>> {
        let bytes = self.bytes.make_contiguous();
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        let is_known = !text.is_empty() && (bytes.len() >= MAGIC_BYTES || self.complete_bytes > 0);
        let is_enough = is_known || self.has_ended || self.bytes.len() >= MAX_AHEAD_BYTES;
        is_enough.then(|| self.bytes.iter().copied().take(HEAD_BYTES).collect())
    }

    fn take(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty()
            && let Some(error) = self.error.take()
        {
            return Err(error);
        }
        let taken = self.bytes.read(buffer)?;
        self.complete_bytes = self.complete_bytes.saturating_sub(taken);
        let missing = HEAD_BYTES.saturating_sub(self.head.len());
        self.head.extend_from_slice(&buffer[..taken.min(missing)]);
        Ok(taken)
    }
}

impl Arriving {
    /// Begins to read an input ahead.
    ///
    /// # Errors
    /// [`Error::Io`] if the system has no thread to spare.
    pub(in crate::sources) fn begin(input: impl Read + Send + 'static) -> Result<Self> {
        let shared = Arc::new(ArrivalBuffer::default());
        let reader = Arc::clone(&shared);
        let begun = thread::Builder::new().name("stdin".to_owned()).spawn(move || reader.read_ahead(input));
        begun.map_err(|source| Error::io(Action::Read, Path::new("standard input"), source))?;
        Ok(Self(shared))
    }

    /// The first bytes, as many as tell the format of records. They are still to be read.
    pub(in crate::sources) fn first(&self, goes_on: &dyn Fn() -> bool) -> Result<Vec<u8>> {
        self.wait_until(goes_on, ArrivalState::first)
    }

    /// Waits for complete lines or the end.
    ///
    /// # Errors
    /// [`Error::Cancelled`] as soon as `goes_on` says so.
    pub fn wait(&self, goes_on: &dyn Fn() -> bool) -> Result<Arrived> {
        self.wait_until(goes_on, |state| match state {
            ArrivalState { has_ended: true, .. } => Some(Arrived::End),
            state => state.has_lines().then_some(Arrived::Lines),
        })
    }

    /// Returns whether complete lines are there that were not taken yet.
    pub fn has_lines(&self) -> bool {
        self.0.lock().has_lines()
    }

    /// Number of bytes that are there; waits for the first, or for the end, at which there are none.
    pub(crate) fn wait_for_bytes(&self) -> usize {
        let state = self.0.wait_for_bytes();
        state.bytes.len().max(usize::from(state.error.is_some()))
    }

    /// The bytes from the first on; when they were opened before, those of the beginning that were taken since.
    pub(crate) fn open(&self) -> ArrivingReader {
        let mut state = self.0.lock();
        if std::mem::replace(&mut state.is_open, true) {
            ArrivingReader::Head(Cursor::new(state.head.clone()))
        } else {
            ArrivingReader::Whole(self.clone())
        }
    }

    fn wait_until<T>(
        &self,
        goes_on: &dyn Fn() -> bool,
        is_there: impl Fn(&mut ArrivalState) -> Option<T>,
    ) -> Result<T> {
        let mut state = self.0.lock();
        loop {
            if let Some(found) = is_there(&mut state) {
                return Ok(found);
            }
            if !goes_on() {
                return Err(Error::Cancelled);
            }
            let waited = self.0.more.wait_timeout(state, BETWEEN_LOOKS);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// The bytes of an input that arrives.
#[derive(Debug)]
pub(crate) enum ArrivingReader {
    /// The bytes from the first on, which are taken.
    Whole(Arriving),
    /// The first bytes once more.
    Head(Cursor<Vec<u8>>),
}

impl ArrivingReader {
    /// The input, if there is more of it to come.
    pub(crate) fn arriving(&self) -> Option<&Arriving> {
        match self {
            Self::Whole(arriving) => Some(arriving),
            Self::Head(_) => None,
        }
    }
}

impl Read for ArrivingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Whole(arriving) => arriving.0.take(buffer),
            Self::Head(head) => head.read(buffer),
        }
    }
}

impl ArrivalBuffer {
    fn lock(&self) -> MutexGuard<'_, ArrivalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_bytes(&self) -> MutexGuard<'_, ArrivalState> {
        let is_waited_for = |state: &mut ArrivalState| state.bytes.is_empty() && !state.has_ended;
        self.more.wait_while(self.lock(), is_waited_for).unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.wait_for_bytes().take(buffer);
        self.less.notify_one();
        taken
    }

    /// Reads to the end, as long as anybody may take what is read.
    fn read_ahead(self: Arc<Self>, mut input: impl Read) {
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let read = match input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read,
            };
            let mut state = self.lock();
            match read {
                Ok(0) => state.end(None),
                Ok(read) => state.append(&chunk[..read]),
                Err(error) => state.end(Some(error)),
            }
            self.more.notify_all();
            if state.has_ended || Arc::strong_count(&self) == 1 {
                return;
            }
            let is_full = |state: &mut ArrivalState| state.bytes.len() >= MAX_AHEAD_BYTES;
            drop(self.less.wait_while(state, is_full).unwrap_or_else(PoisonError::into_inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    /// An input whose chunks come from a channel.
    struct Chunks(Receiver<&'static [u8]>);

    impl Read for Chunks {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let chunk = self.0.recv().unwrap_or_default();
            buffer[..chunk.len()].copy_from_slice(chunk);
            Ok(chunk.len())
        }
    }

    #[test]
    fn lines_are_there_as_soon_as_they_are_complete() {
        let (sender, receiver) = channel();
        let arriving = Arriving::begin(Chunks(receiver)).unwrap();
        let mut opened = arriving.open();
        sender.send(b"one\ntw").unwrap();
        assert_eq!(arriving.wait(&|| true).unwrap(), Arrived::Lines);
        let mut taken = vec![0; arriving.wait_for_bytes()];
        opened.read_exact(&mut taken).unwrap();
        assert_eq!((&taken[..], arriving.has_lines()), (&b"one\ntw"[..], false));
        assert!(matches!(arriving.wait(&|| false), Err(Error::Cancelled)));
        sender.send(b"o\nthree").unwrap();
        assert_eq!(arriving.wait(&|| true).unwrap(), Arrived::Lines);
        drop(sender);
        let mut rest = String::new();
        opened.read_to_string(&mut rest).unwrap();
        assert_eq!((&*rest, arriving.wait(&|| true).unwrap()), ("o\nthree", Arrived::End));
        let mut again = String::new();
        arriving.open().read_to_string(&mut again).unwrap();
        assert_eq!(again, "one\ntwo\nthree");
    }

    #[test]
    fn no_more_is_read_ahead_than_has_room_and_a_long_line_is_given_in_parts() {
        let long = vec![b'x'; 3 * MAX_AHEAD_BYTES];
        let arriving = Arriving::begin(Cursor::new(long.clone())).unwrap();
        assert_eq!(arriving.wait(&|| true).unwrap(), Arrived::Lines);
        assert!(arriving.wait_for_bytes() < MAX_AHEAD_BYTES + CHUNK_BYTES);
        let mut found = Vec::new();
        arriving.open().read_to_end(&mut found).unwrap();
        assert!(found == long);
    }

    #[test]
    fn blank_lines_do_not_tell_a_format() {
        let (sender, receiver) = channel();
        let arriving = Arriving::begin(Chunks(receiver)).unwrap();
        sender.send(b"\n\n  ").unwrap();
        assert!(matches!(arriving.first(&|| false), Err(Error::Cancelled)));
        sender.send(b"{\"text\"").unwrap();
        assert_eq!(arriving.first(&|| true).unwrap(), b"\n\n  {\"text\"");
    }
}
