//! Compression of files while they are written.

use super::kinds::Compression;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;
use std::fmt;
use std::io::{self, Write};

const BUFFER_BYTES: usize = 1 << 18;

/// The encoder of xz needs several times the size of its dictionary, and each thread may write a file. The default
/// preset of the xz tool, 6, would exceed a small memory budget:
///
/// ```text
/// preset        1         2         3         6
/// dictionary    1 MiB     2 MiB     4 MiB     8 MiB
/// memory      8.6 MiB  16.1 MiB  31.1 MiB  93.1 MiB     lzma_easy_encoder_memusage of liblzma 5
/// ```
const XZ_PRESET: u32 = 2;

/// Compresses the bytes written to it.
pub(crate) enum Encoder<W: Write> {
    Plain(W),
    Gzip(GzipMembers<W>),
    Zstd(zstd::Encoder<'static, W>),
    Bzip2(BzEncoder<W>),
    Xz(XzEncoder<W>),
}

impl<W: Write> Encoder<W> {
    /// An encoder with the default level of the format's own tool, except [`XZ_PRESET`].
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

    /// Flushes the encoder and ends the stream.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(writer) => Ok(writer),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
        }
    }

    /// Ends a gzip member that has content, so that the bytes that follow can be decompressed alone; no-op for other
    /// formats.
    pub(crate) fn end_member(&mut self) -> io::Result<()> {
        if let Self::Gzip(members) = self { members.end_member() } else { Ok(()) }
    }

    /// The writer whose bytes are compressed.
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

/// Writes gzip in one member or several. The encoder of a member owns its writer until the end, and all members share
/// one writer, so members are compressed into memory, which is flushed whenever it reaches [`BUFFER_BYTES`].
pub(crate) struct GzipMembers<W: Write> {
    member: GzEncoder<Vec<u8>>,
    writer: W,
    members: u64,
    /// True if the current member has content.
    has_content: bool,
}

impl<W: Write> GzipMembers<W> {
    fn new(writer: W) -> Self {
        Self { member: Self::begin(), writer, members: 0, has_content: false }
    }

    fn begin() -> GzEncoder<Vec<u8>> {
        GzEncoder::new(Vec::new(), flate2::Compression::default())
    }

    fn end_member(&mut self) -> io::Result<()> {
        if self.has_content {
            let member = std::mem::replace(&mut self.member, Self::begin());
            self.writer.write_all(&member.finish()?)?;
            self.has_content = false;
            self.members += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<W> {
        // An empty file is one empty member.
        self.has_content |= self.members == 0;
        self.end_member()?;
        Ok(self.writer)
    }
}

impl<W: Write> Write for GzipMembers<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.has_content |= !bytes.is_empty();
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
    use crate::base::Error;
    use flate2::read::MultiGzDecoder;
    use liblzma::read::XzDecoder;
    use std::fs;
    use std::io::Read;
    use std::path::Path;

    const ALL: [Compression; 5] =
        [Compression::None, Compression::Gzip, Compression::Zstd, Compression::Bzip2, Compression::Xz];

    fn compressed(compression: Compression, bytes: &[u8]) -> Vec<u8> {
        let mut encoder = Encoder::new(compression, Vec::new()).unwrap();
        encoder.writer().write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn compressed_bytes_come_back_also_from_several_members() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let text: Vec<u8> = (0..300_000u32).flat_map(|number| number.to_le_bytes()).collect();
        for compression in ALL {
            let (first, second) = text.split_at(700_001);
            fs::write(&path, [compressed(compression, first), compressed(compression, second)].concat()).unwrap();
            let found = Compression::of_file(&path).unwrap();
            assert_eq!(found, compression);
            let mut back = Vec::new();
            found.open(&path).unwrap().read_to_end(&mut back).unwrap();
            assert!(back == text, "{compression:?}");
        }
    }

    #[test]
    fn members_can_be_decompressed_alone() {
        let mut encoder = Encoder::new(Compression::Gzip, Vec::new()).unwrap();
        encoder.end_member().unwrap();
        for member in ["one", "two"] {
            encoder.writer().write_all(member.as_bytes()).unwrap();
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
        let bytes = compressed(Compression::Xz, b"one two three");
        let stream = liblzma::stream::Stream::new_stream_decoder(3 << 20, 0).unwrap();
        let mut text = String::new();
        XzDecoder::new_stream(&bytes[..], stream).read_to_string(&mut text).unwrap();
        assert_eq!(text, "one two three");
    }

    #[test]
    fn extensions_are_removed_and_must_be_true() {
        let (compression, name) = Compression::of_name(Path::new("a/news.jsonl.GZ"));
        assert_eq!((compression, name.as_path()), (Compression::Gzip, Path::new("a/news.jsonl")));
        assert_eq!(Compression::of_name(Path::new("news.csv")).0, Compression::None);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl.zst");
        for content in [&b"{}"[..], b"", &compressed(Compression::Gzip, b"{}")] {
            fs::write(&path, content).unwrap();
            let error = Compression::of_file(&path).unwrap_err();
            assert!(matches!(error, Error::NotCompressed { expected: Compression::Zstd, .. }), "{error}");
        }
    }

    #[test]
    fn cut_or_changed_files_are_errors_and_never_an_early_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let text: Vec<u8> = (0..100_000u32).flat_map(|number| (number % 1999).to_le_bytes()).collect();
        for compression in &ALL[1..] {
            let whole = compressed(*compression, &text);
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
