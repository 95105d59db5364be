//! Compressed files: detected by their first bytes for reading, chosen by the extension for writing.
//!
//! gzip files of several members and zstd files of several frames are read to their end, as the tools of these formats
//! do.
//!
//! An extension like `.gz` is taken off before the format is looked for. The place of a record is its place in the
//! unpacked bytes; when kept records are copied, a compressed file is unpacked once more and read forward. A file that
//! is cut or damaged gives what stands before the damage, and one bad record behind it.

use super::kinds::{Compression, HEAD_BYTES, SKIPPABLE};
use crate::base::details::Action;
use crate::base::error::{Error, Result};
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use liblzma::read::XzDecoder;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const BUFFER_BYTES: usize = 1 << 18;

/// Binary logarithm of the largest window of a zstd file: that of `zstd --long=31`, and less where addresses are short.
const MAX_WINDOW_LOG: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

impl Compression {
    /// The compression that the first bytes of a file indicate.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read; [`Error::NotCompressed`] if its extension names another compression.
    pub fn of_file(path: &Path) -> Result<Self> {
        let mut file = File::open(path).map_err(|source| Error::io(Action::Open, path, source))?;
        let head = head_of(&mut file).map_err(|source| Error::io(Action::Read, path, source))?;
        let found = Self::of_magic(&head);
        match Self::of_name(path).0 {
            Self::None => Ok(found),
            expected if expected == found => Ok(found),
            expected => Err(Error::NotCompressed { path: path.to_owned(), expected }),
        }
    }

    /// Bytes of unpacked content that must be in memory while a file is read, as far as its header tells: large for
    /// files of `zstd --long`, and 0 where it says nothing.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read.
    pub(crate) fn window_bytes(self, path: &Path) -> Result<u64> {
        if self != Self::Zstd {
            return Ok(0);
        }
        let mut file = File::open(path).map_err(|source| Error::io(Action::Open, path, source))?;
        let head = head_of(&mut file).map_err(|source| Error::io(Action::Read, path, source))?;
        Ok(zstd_window_bytes(&head).unwrap_or(0))
    }

    /// Opens a file for its decompressed bytes.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be opened.
    pub fn open(self, path: &Path) -> Result<Decompressor> {
        let file = File::open(path).map_err(|source| Error::io(Action::Open, path, source))?;
        let read_bytes = Arc::new(AtomicU64::new(0));
        let counted = CountingReader { file, read_bytes: Arc::clone(&read_bytes) };
        let buffered = |counted| BufReader::with_capacity(BUFFER_BYTES, counted);
        let reader: Box<dyn Read + Send> = match self {
            Self::None => Box::new(counted),
            Self::Gzip => Box::new(MultiGzDecoder::new(buffered(counted))),
            Self::Zstd => {
                let io = |source| Error::io(Action::Read, path, source);
                let mut decoder = zstd::Decoder::with_buffer(buffered(counted)).map_err(io)?;
                // A job asks before whether memory allows it (`window_bytes`); the decoder takes 27 at most otherwise.
                decoder.window_log_max(MAX_WINDOW_LOG).map_err(io)?;
                Box::new(decoder)
            }
            Self::Bzip2 => Box::new(MultiBzDecoder::new(buffered(counted))),
            Self::Xz => Box::new(XzDecoder::new_multi_decoder(buffered(counted))),
        };
        Ok(Decompressor { reader, read_bytes })
    }
}

/// The window of the frame that begins so (RFC 8878, section 3.1.1.1); `None` if it tells none.
///
/// ```text
/// magic (4) | descriptor: size of content size (2 bits), single segment (1), ... | window (1), unless single segment
/// ```
fn zstd_window_bytes(head: &[u8]) -> Option<u64> {
    let (descriptor, rest) = head.get(4..)?.split_first()?;
    if descriptor & 0x20 != 0 {
        // A single segment is no longer than its content; only four bytes of a size, without the number of a
        // dictionary before them, tell of a large one.
        let size = rest.first_chunk::<4>().filter(|_| descriptor & 0xC3 == 0x80)?;
        return Some(u32::from_le_bytes(*size).into());
    }
    let window = rest.first()?;
    let base = 1u64 << (10 + (window >> 3));
    Some(base + base / 8 * u64::from(window & 7))
}

/// The first bytes of a file; behind skippable frames, if a frame of zstd follows them.
fn head_of(file: &mut File) -> io::Result<Vec<u8>> {
    let first = next_head(file)?;
    let mut head = first.clone();
    let mut position = 0;
    while let [0x50..=0x5F, magic @ .., s0, s1, s2, s3] = head.first_chunk::<8>().unwrap_or(&[0; 8])
        && *magic == SKIPPABLE
    {
        position += 8 + u64::from(u32::from_le_bytes([*s0, *s1, *s2, *s3]));
        file.seek(SeekFrom::Start(position))?;
        head = next_head(file)?;
    }
    Ok(if Compression::Zstd.magic().is_some_and(|magic| head.starts_with(magic)) { head } else { first })
}

fn next_head(file: &mut File) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head)
}

/// The decompressed bytes of a file, decoded while they are read.
pub struct Decompressor {
    reader: Box<dyn Read + Send>,
    read_bytes: Arc<AtomicU64>,
}

impl Decompressor {
    /// The bytes of an input that is no file, as they are.
    pub(crate) fn of_plain(reader: impl Read + Send + 'static) -> Self {
        let read_bytes = Arc::new(AtomicU64::new(0));
        let reader = Box::new(CountingReader { file: reader, read_bytes: Arc::clone(&read_bytes) });
        Self { reader, read_bytes }
    }

    /// Compressed bytes read so far.
    pub fn read_bytes(&self) -> u64 {
        self.read_bytes.load(Ordering::Relaxed)
    }
}

impl Read for Decompressor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl fmt::Debug for Decompressor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Decompressor({} bytes read)", self.read_bytes())
    }
}

/// A file with a count of the bytes read.
struct CountingReader<R> {
    file: R,
    read_bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read_bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skippable(kind: u8, content: &[u8]) -> Vec<u8> {
        [&[kind][..], &SKIPPABLE, &(content.len() as u32).to_le_bytes(), content].concat()
    }

    fn compression_and_content(name: &str, bytes: &[u8]) -> (Result<Compression>, String) {
        let (_folder, path) = crate::testing::file_with(name, bytes);
        let found = Compression::of_file(&path);
        let mut content = String::new();
        if let Ok(compression) = &found {
            let _ = compression.open(&path).unwrap().read_to_string(&mut content);
        }
        (found, content)
    }

    #[test]
    fn zstd_may_begin_with_skippable_frames() {
        let frame = |text: &str| zstd::encode_all(text.as_bytes(), 0).unwrap();
        let long = vec![0x28; 3000];
        for skipped in [vec![skippable(0x50, b"")], vec![skippable(0x5F, &long), skippable(0x55, b"index")]] {
            let bytes = [&skipped.concat()[..], &frame("one "), &skipped.concat(), &frame("two")].concat();
            for name in ["x", "x.zst", "x.jsonl"] {
                let (found, content) = compression_and_content(name, &bytes);
                assert_eq!((found.unwrap(), &*content), (Compression::Zstd, "one two"), "{name}");
            }
        }
    }

    #[test]
    fn zstd_with_long_windows_is_read() {
        let text = "abc ".repeat(1000);
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(MAX_WINDOW_LOG).unwrap();
        io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
        let bytes = encoder.finish().unwrap();
        assert_eq!(compression_and_content("x.zst", &bytes).1, text);
        assert_eq!(zstd_window_bytes(&bytes), Some(1 << MAX_WINDOW_LOG));
        assert_eq!(zstd_window_bytes(&zstd::encode_all(text.as_bytes(), 1).unwrap()), Some(1 << 19));
        assert_eq!(zstd_window_bytes(&bytes[..4]), None);
    }

    #[test]
    fn other_files_with_skippable_frames_are_not_taken_for_zstd() {
        let lz4 = [&skippable(0x50, b"x")[..], &[0x04, 0x22, 0x4D, 0x18]].concat();
        assert_eq!(compression_and_content("x", &lz4).0.unwrap(), Compression::None);
        assert!(compression_and_content("x.zst", &lz4).0.is_err());
        let beyond_the_end = [&[0x50][..], &SKIPPABLE, &[0xFF; 4]].concat();
        assert_eq!(compression_and_content("x", &beyond_the_end).0.unwrap(), Compression::None);
    }
}
