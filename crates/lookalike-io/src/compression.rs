//! Compressed files: told by their first bytes when they are read, by their ending when they are written.
//!
//! gzip files of several members and zstd files of several frames are read to their end, as the tools of these formats do.

use crate::error::{Error, Result};
use bzip2::read::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use liblzma::read::XzDecoder;
use liblzma::write::XzEncoder;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const BUFFER_BYTES: usize = 1 << 18;

/// The encoder of xz needs several times the size of its dictionary, and each thread may write a file. The preset of its own
/// tool, 6, would take more than all of a small budget:
///
/// ```text
/// preset        1         2         3         6
/// dictionary    1 MiB     2 MiB     4 MiB     8 MiB
/// memory      8.6 MiB  16.1 MiB  31.1 MiB  93.1 MiB     lzma_easy_encoder_memusage of liblzma 5
/// ```
const XZ_PRESET: u32 = 2;

/// How the bytes of a file are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    /// bzip2.
    Bzip2,
    /// The xz format of LZMA2.
    Xz,
}

impl Compression {
    const ALL: [(Self, &'static str, &'static [u8]); 4] = [
        (Self::Gzip, "gz", &[0x1F, 0x8B]),
        (Self::Zstd, "zst", &[0x28, 0xB5, 0x2F, 0xFD]),
        (Self::Bzip2, "bz2", b"BZh"),
        (Self::Xz, "xz", &[0xFD, b'7', b'z', b'X', b'Z', 0]),
    ];

    /// What the ending of a name says, and the name without it: `news.jsonl` for `news.jsonl.gz`.
    pub fn of_name(path: &Path) -> (Self, PathBuf) {
        let ending = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match Self::ALL.iter().find(|(_, known, _)| ending.as_deref() == Some(*known)) {
            Some(&(compression, ..)) => (compression, path.with_extension("")),
            None => (Self::None, path.to_owned()),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::None => "nothing",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    /// How much larger English text is than what it is packed into, about.
    pub(crate) fn usual_ratio(self) -> u64 {
        match self {
            Self::None => 1,
            Self::Gzip | Self::Zstd => 3,
            Self::Bzip2 | Self::Xz => 4,
        }
    }

    /// What the first bytes of a file say.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read; [`Error::NotCompressed`] if its ending promises what its content is not.
    pub fn of_file(path: &Path) -> Result<Self> {
        let mut head = Vec::new();
        let file = File::open(path).map_err(|source| Error::io("open", path, source))?;
        file.take(8).read_to_end(&mut head).map_err(|source| Error::io("read", path, source))?;
        let found = Self::ALL.iter().find(|(.., magic)| head.starts_with(magic)).map_or(Self::None, |found| found.0);
        match Self::of_name(path).0 {
            Self::None => Ok(found),
            expected if expected == found => Ok(found),
            expected => Err(Error::NotCompressed { path: path.to_owned(), expected: expected.name() }),
        }
    }

    /// The bytes of a file before they were packed.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be opened.
    pub fn open(self, path: &Path) -> Result<Unpacked> {
        let file = File::open(path).map_err(|source| Error::io("open", path, source))?;
        let read_bytes = Arc::new(AtomicU64::new(0));
        let counted = Counted { file, read_bytes: Arc::clone(&read_bytes) };
        let buffered = |counted| BufReader::with_capacity(BUFFER_BYTES, counted);
        let reader: Box<dyn Read + Send> = match self {
            Self::None => Box::new(counted),
            Self::Gzip => Box::new(MultiGzDecoder::new(buffered(counted))),
            Self::Zstd => {
                let decoder = zstd::Decoder::with_buffer(buffered(counted));
                Box::new(decoder.map_err(|source| Error::io("read", path, source))?)
            }
            Self::Bzip2 => Box::new(MultiBzDecoder::new(buffered(counted))),
            Self::Xz => Box::new(XzDecoder::new_multi_decoder(buffered(counted))),
        };
        Ok(Unpacked { reader, read_bytes })
    }
}

/// A file that is unpacked while it is read.
pub struct Unpacked {
    reader: Box<dyn Read + Send>,
    read_bytes: Arc<AtomicU64>,
}

impl Unpacked {
    /// Bytes of the file that were needed so far.
    pub fn read_bytes(&self) -> u64 {
        self.read_bytes.load(Ordering::Relaxed)
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl fmt::Debug for Unpacked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Unpacked({} bytes read)", self.read_bytes())
    }
}

/// A file, and how much of it was read.
struct Counted {
    file: File,
    read_bytes: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read_bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Packs what is written.
pub(crate) enum Encoder<W: Write> {
    Plain(W),
    Gzip(GzipMembers<W>),
    Zstd(zstd::Encoder<'static, W>),
    Bzip2(BzEncoder<W>),
    Xz(XzEncoder<W>),
}

impl<W: Write> Encoder<W> {
    /// With the level that the format's own tool takes by default; that of xz would need too much memory.
    pub(crate) fn new(compression: Compression, writer: W) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Self::Plain(writer),
            Compression::Gzip => Self::Gzip(GzipMembers::new(writer)),
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(writer, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
            Compression::Bzip2 => Self::Bzip2(BzEncoder::new(writer, bzip2::Compression::best())),
            Compression::Xz => Self::Xz(XzEncoder::new(writer, XZ_PRESET)),
        })
    }

    /// Writes what is still held back, and the end of the format.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(writer) => Ok(writer),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
        }
    }

    /// Ends a gzip member, if something was written: what comes can be unpacked alone. Other formats go on.
    pub(crate) fn end_member(&mut self) -> io::Result<()> {
        if let Self::Gzip(members) = self { members.end_member() } else { Ok(()) }
    }

    /// What is written here is packed.
    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(writer) => writer,
            Self::Gzip(encoder) => encoder,
            Self::Zstd(encoder) => encoder,
            Self::Bzip2(encoder) => encoder,
            Self::Xz(encoder) => encoder,
        }
    }
}

/// Writes gzip in one member or several. Members are packed in memory and handed on by pieces: the encoder keeps its writer
/// until its end, and there is but one writer for all members.
pub(crate) struct GzipMembers<W: Write> {
    member: GzEncoder<Vec<u8>>,
    writer: W,
    members: u64,
    /// Whether something was written to the present member.
    is_begun: bool,
}

impl<W: Write> GzipMembers<W> {
    fn new(writer: W) -> Self {
        Self { member: Self::begin(), writer, members: 0, is_begun: false }
    }

    fn begin() -> GzEncoder<Vec<u8>> {
        GzEncoder::new(Vec::new(), flate2::Compression::default())
    }

    fn end_member(&mut self) -> io::Result<()> {
        if self.is_begun {
            let member = std::mem::replace(&mut self.member, Self::begin());
            self.writer.write_all(&member.finish()?)?;
            (self.is_begun, self.members) = (false, self.members + 1);
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<W> {
        // Nothing at all is a member too.
        self.is_begun |= self.members == 0;
        self.end_member()?;
        Ok(self.writer)
    }
}

impl<W: Write> Write for GzipMembers<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_begun |= !bytes.is_empty();
        let written = self.member.write(bytes)?;
        if self.member.get_ref().len() >= BUFFER_BYTES {
            self.writer.write_all(self.member.get_ref())?;
            self.member.get_mut().clear();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.member.flush()?;
        self.writer.write_all(self.member.get_ref())?;
        self.member.get_mut().clear();
        self.writer.flush()
    }
}

impl<W: Write> fmt::Debug for Encoder<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Encoder")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ALL: [Compression; 5] =
        [Compression::None, Compression::Gzip, Compression::Zstd, Compression::Bzip2, Compression::Xz];

    fn packed(compression: Compression, bytes: &[u8]) -> Vec<u8> {
        let mut encoder = Encoder::new(compression, Vec::new()).unwrap();
        encoder.writer().write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_was_packed_comes_back_also_in_several_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let text: Vec<u8> = (0..300_000u32).flat_map(|number| number.to_le_bytes()).collect();
        for compression in ALL {
            let (first, second) = text.split_at(700_001);
            fs::write(&path, [packed(compression, first), packed(compression, second)].concat()).unwrap();
            let found = Compression::of_file(&path).unwrap();
            assert_eq!(found, compression);
            let mut back = Vec::new();
            found.open(&path).unwrap().read_to_end(&mut back).unwrap();
            assert!(back == text, "{compression:?}");
        }
    }

    #[test]
    fn members_can_be_unpacked_alone() {
        let mut encoder = Encoder::new(Compression::Gzip, Vec::new()).unwrap();
        encoder.end_member().unwrap();
        for part in ["one", "two"] {
            encoder.writer().write_all(part.as_bytes()).unwrap();
            encoder.end_member().unwrap();
        }
        let both = encoder.finish().unwrap();
        let second = both.windows(2).rposition(|window| window == [0x1F, 0x8B]).unwrap();
        for (bytes, expected) in [(&both[..], "onetwo"), (&both[..second], "one"), (&both[second..], "two")] {
            let mut text = String::new();
            MultiGzDecoder::new(bytes).read_to_string(&mut text).unwrap();
            assert_eq!(text, expected);
        }
        assert!(!Encoder::new(Compression::Gzip, Vec::new()).unwrap().finish().unwrap().is_empty());
    }

    #[test]
    fn xz_takes_a_small_dictionary() {
        let packed = packed(Compression::Xz, b"one two three");
        let stream = liblzma::stream::Stream::new_stream_decoder(3 << 20, 0).unwrap();
        let mut text = String::new();
        XzDecoder::new_stream(&packed[..], stream).read_to_string(&mut text).unwrap();
        assert_eq!(text, "one two three");
    }

    #[test]
    fn endings_are_taken_off_and_must_be_true() {
        let (compression, name) = Compression::of_name(Path::new("a/news.jsonl.GZ"));
        assert_eq!((compression, name.as_path()), (Compression::Gzip, Path::new("a/news.jsonl")));
        assert_eq!(Compression::of_name(Path::new("news.csv")).0, Compression::None);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl.zst");
        for content in [&b"{}"[..], b"", &packed(Compression::Gzip, b"{}")] {
            fs::write(&path, content).unwrap();
            let error = Compression::of_file(&path).unwrap_err();
            assert!(matches!(error, Error::NotCompressed { expected: "zstd", .. }), "{error}");
        }
    }

    #[test]
    fn cut_or_changed_files_are_errors_and_never_an_early_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let text: Vec<u8> = (0..100_000u32).flat_map(|number| (number % 1999).to_le_bytes()).collect();
        for compression in &ALL[1..] {
            let whole = packed(*compression, &text);
            for cut in [whole.len() / 3, whole.len() - 5, whole.len() - 1] {
                fs::write(&path, &whole[..cut]).unwrap();
                let read = compression.open(&path).unwrap().read_to_end(&mut Vec::new());
                assert!(read.is_err(), "{compression:?} cut at {cut} of {}", whole.len());
            }
            let mut changed = whole.clone();
            changed[whole.len() / 2] ^= 0x55;
            fs::write(&path, changed).unwrap();
            let mut back = Vec::new();
            let read = compression.open(&path).unwrap().read_to_end(&mut back);
            assert!(read.is_err() || back == text, "{compression:?} changed");
        }
    }
}
