//! A file that appears when it is complete.

use super::array_of_lines::ArrayOfLines;
use super::descriptor::Descriptor;
use super::sealed::{Sealed, StagedContent};
use super::staging::staging_file;
use super::terminal_text::TerminalText;
use crate::base::details::Action;
use crate::base::{Compression, Encoder, Error, Result, Staging, TemporaryKind};
use crate::remote::{RemoteUrl, UploadTarget, local_path};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Size in bytes of the buffer through which an output is written. Smaller than most runs of records, which are written
/// without a copy in it.
const BUFFER_BYTES: usize = 1 << 17;

/// A file that appears when it is complete. Dropping it before removes its staging file.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// The destination of an output to a URL.
    upload: Option<UploadTarget>,
    content: OutputContent,
    /// The last byte that was written by [`Self::write`].
    last_byte: Option<u8>,
}

/// Content on its way into the file.
#[derive(Debug)]
struct OutputContent {
    /// State of the array, if lines become its elements.
    array: Option<ArrayOfLines>,
    encoder: Encoder<OutputTarget>,
}

impl Write for OutputContent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.array {
            Some(array) => array.write(bytes, &mut self.encoder.writer()),
            None => self.encoder.writer().write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.writer().flush()
    }
}

#[derive(Debug)]
enum OutputTarget {
    Staging(BufWriter<NamedTempFile>),
    /// A pipe, device or descriptor, whose place nothing may take.
    Direct(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
    Terminal(BufWriter<TerminalText<io::Stdout>>),
}

impl OutputTarget {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Staging(file) => file,
            Self::Direct(file) => file,
            Self::Stdout(stdout) => stdout,
            Self::Terminal(stdout) => stdout,
        }
    }
}

impl Write for OutputTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer().write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl OutputTarget {
    fn staging(file: NamedTempFile) -> Self {
        Self::Staging(BufWriter::with_capacity(BUFFER_BYTES, file))
    }

    /// Opens the destination of a local path.
    fn open(path: &Path, staging: &Staging) -> Result<Self> {
        let direct = |file: io::Result<File>| {
            let file = file.map_err(|source| Error::io(Action::Write, path, source))?;
            Ok(Self::Direct(BufWriter::with_capacity(BUFFER_BYTES, file)))
        };
        match OutputPlace::from_path(path) {
            OutputPlace::Stdout if io::stdout().is_terminal() => {
                Ok(Self::Terminal(BufWriter::with_capacity(BUFFER_BYTES, TerminalText::new(io::stdout()))))
            }
            OutputPlace::Stdout => Ok(Self::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout()))),
            OutputPlace::Descriptor(descriptor) => direct(descriptor.open()),
            OutputPlace::Device => direct(OpenOptions::new().write(true).open(path)),
            OutputPlace::Folder => Err(Error::OutputIsFolder { path: path.to_owned() }),
            OutputPlace::File => staging_file(path, staging).map(Self::staging),
        }
    }
}

/// Kind of file at the path of an output.
enum OutputPlace {
    Stdout,
    Descriptor(Descriptor),
    /// A pipe or a device.
    Device,
    Folder,
    /// A file, or nothing yet.
    File,
}

impl OutputPlace {
    fn from_path(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self::Stdout;
        }
        match (Descriptor::from_path(path), fs::metadata(path)) {
            (Some(descriptor), _) => Self::Descriptor(descriptor),
            (None, Ok(found)) if found.is_dir() => Self::Folder,
            (None, Ok(found)) if !found.is_file() => Self::Device,
            (None, _) => Self::File,
        }
    }
}

impl AtomicFile {
    /// Creates the file at `path`, compressed as its extension means; `-` is standard output.
    ///
    /// # Errors
    /// [`Error::OutputIsFolder`], or [`Error::Io`] if the folder of the file cannot be written; [`Error::Store`] if a
    /// store cannot be reached.
    pub fn create(path: &Path) -> Result<Self> {
        Self::create_with(path, &Staging::default())
    }

    /// Creates it as [`Self::create`] does, with a choice of the staging.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_with(path: &Path, staging: &Staging) -> Result<Self> {
        let path = &local_path(path)?;
        let upload = RemoteUrl::parse(path)?.map(UploadTarget::file).transpose()?;
        let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if names_folder && upload.is_none() {
            return Err(Error::OutputIsFolder { path: path.to_owned() });
        }
        let target = match &upload {
            Some(_) => {
                let created =
                    staging.create_temporary(TemporaryKind::File, |builder, folder| builder.tempfile_in(folder));
                created.map(OutputTarget::staging)?
            }
            None => OutputTarget::open(path, staging)?,
        };
        let encoder = Encoder::new(Compression::of_name(path).0, target);
        let encoder = encoder.map_err(|source| Error::io(Action::Write, path, source))?;
        let content = OutputContent { array: None, encoder };
        Ok(Self { path: path.to_owned(), upload, content, last_byte: None })
    }

    /// Makes lines of JSON the elements of one array. Nothing is written yet.
    #[must_use]
    pub fn with_lines_as_array(mut self) -> Self {
        self.content.array = Some(ArrayOfLines::new());
        self
    }

    /// Returns whether a path leads to standard output, a pipe, a device or a descriptor, which is written to where it
    /// stands and has no extension to say a format.
    pub fn is_stream(path: &Path) -> bool {
        match OutputPlace::from_path(path) {
            OutputPlace::Stdout | OutputPlace::Descriptor(_) | OutputPlace::Device => true,
            OutputPlace::Folder | OutputPlace::File => false,
        }
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// [`Error::Io`], for example if the disk is full.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.last_byte = bytes.last().copied().or(self.last_byte);
        self.writer().write_all(bytes).map_err(|source| Error::io(Action::Write, &self.path, source))
    }

    /// Ends the last line, if what was written by [`Self::write`] has none at its end: the records of another file
    /// follow.
    ///
    /// # Errors
    /// [`Error::Io`], as [`Self::write`].
    pub fn end_line(&mut self) -> Result<()> {
        match self.last_byte {
            None | Some(b'\n') => Ok(()),
            Some(_) => self.write(b"\n"),
        }
    }

    /// Passes on what was written to a stream, whose reader may wait for it; no-op for a file, and for what is
    /// compressed.
    ///
    /// # Errors
    /// [`Error::Io`], as [`Self::write`].
    pub(crate) fn show(&mut self) -> Result<()> {
        match &mut self.content.encoder {
            Encoder::Plain(
                target @ (OutputTarget::Direct(_) | OutputTarget::Stdout(_) | OutputTarget::Terminal(_)),
            ) => target.flush().map_err(|source| Error::io(Action::Write, &self.path, source)),
            _ => Ok(()),
        }
    }

    /// The final path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Ends a gzip member, which can be decompressed alone; no-op for other compressions.
    ///
    /// # Errors
    /// [`Error::Io`], as [`Self::write`].
    pub fn end_member(&mut self) -> Result<()> {
        self.content.encoder.end_member().map_err(|source| Error::io(Action::Write, &self.path, source))
    }

    /// The [`std::io::Write`] for serializers.
    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        &mut self.content
    }

    /// Completes the file, which appears when it is published.
    ///
    /// # Errors
    /// [`Error::Io`] if the last bytes cannot be written.
    pub fn seal(self) -> Result<Sealed> {
        let io = |source| Error::io(Action::Write, &self.path, source);
        let OutputContent { array, mut encoder } = self.content;
        array.map_or(Ok(()), |array| array.end(&mut encoder.writer())).map_err(io)?;
        let mut target = encoder.finish().map_err(io)?;
        target.flush().map_err(io)?;
        let content = match target {
            OutputTarget::Staging(writer) => {
                let file = writer.into_inner().map_err(|error| io(error.into_error()))?;
                match self.upload {
                    Some(target) => StagedContent::Upload(target.of_file(file)),
                    None => StagedContent::File(file),
                }
            }
            OutputTarget::Direct(_) | OutputTarget::Stdout(_) | OutputTarget::Terminal(_) => StagedContent::Direct,
        };
        Ok(Sealed::new(self.path, content))
    }

    /// Completes the file and makes it appear.
    ///
    /// # Errors
    /// As [`AtomicFile::seal`] and [`Sealed::publish`].
    pub fn finish(self) -> Result<()> {
        self.seal()?.publish()
    }
}

/// Output of serializers that own it.
impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}
