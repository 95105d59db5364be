//! Outputs that appear whole or not at all: written aside, then renamed.
//!
//! That holds for errors and for a process that is killed. Against a power failure the file system has to help: forcing the
//! bytes to disk would cost more than finding the duplicates.
//!
//! What goes to a URL is written to a temporary file and uploaded when it is published. Each object appears whole or not at all;
//! of several, those before one that fails have appeared. What can be done before the first one appears is done before: the
//! bytes of large objects are at the store then.

use crate::compression::{Compression, Encoder};
use crate::error::{Error, Result};
use crate::remote::{RemoteUrl, Upload, UploadTarget};
use lookalike_core::hash::{hash_sequence, hash_token};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

const BUFFER_BYTES: usize = 1 << 20;

/// Where outputs are until they are finished: beside the place that they will have, those for stores in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// For what goes to a URL later.
    pub temporary_folder: PathBuf,
    /// Number of a job that may be run again after it was killed: what it has left aside then is replaced, not left for ever.
    pub job: Option<u64>,
}

impl Default for Aside {
    /// The system's folder of temporary files, for a job that nobody will know again.
    fn default() -> Self {
        Self { temporary_folder: std::env::temp_dir(), job: None }
    }
}

impl Aside {
    /// Makes what will be at `path`, in `folder` for now, under a hidden name.
    fn create<R>(
        &self,
        path: &Path,
        folder: &Path,
        make: impl FnOnce(&mut tempfile::Builder<'_, '_>) -> io::Result<R>,
    ) -> io::Result<R> {
        let name = self.job.map(|job| {
            let path = hash_token(path.as_os_str().as_encoded_bytes());
            format!(".lookalike-{:016x}", hash_sequence(job, [path]))
        });
        let mut builder = tempfile::Builder::new();
        builder.prefix(name.as_deref().unwrap_or(".lookalike-")).suffix(".partial");
        if let Some(name) = &name {
            builder.rand_bytes(0);
            remove(&folder.join(format!("{name}.partial")))?;
        }
        make(&mut builder)
    }
}

/// Removes a file or a folder, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// A file that appears under its name when it is finished. Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// Where it goes when it is finished, if that is no file.
    upload: Option<UploadTarget>,
    encoder: Encoder<Target>,
}

#[derive(Debug)]
enum Target {
    Aside(BufWriter<NamedTempFile>),
    /// Pipes, devices and standard output: there is nothing to rename.
    Direct(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
}

impl Target {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Aside(file) => file,
            Self::Direct(file) => file,
            Self::Stdout(stdout) => stdout,
        }
    }
}

impl Write for Target {
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

impl AtomicFile {
    /// Begins a file at `path`, compressed if its ending says so; `-` is standard output.
    ///
    /// # Errors
    /// [`Error::OutputIsFolder`], or [`Error::Io`] if the folder of the file cannot be written; [`Error::Store`] if a store
    /// cannot be reached.
    pub fn create(path: &Path) -> Result<Self> {
        Self::create_with(path, &Aside::default())
    }

    /// As [`Self::create`], with a place for what is not finished.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_with(path: &Path, aside: &Aside) -> Result<Self> {
        let upload = RemoteUrl::parse(path)?.map(UploadTarget::file).transpose()?;
        let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if names_folder && upload.is_none() {
            return Err(Error::OutputIsFolder { path: path.to_owned() });
        }
        let buffered = |file| Target::Aside(BufWriter::with_capacity(BUFFER_BYTES, file));
        let target = match fs::metadata(path) {
            _ if upload.is_some() => {
                let temporary_folder = &aside.temporary_folder;
                let copy = tempfile::Builder::new().prefix("lookalike-").tempfile_in(temporary_folder);
                buffered(copy.map_err(|error| Error::io("write", temporary_folder, plain(&error, temporary_folder)))?)
            }
            _ if path == Path::new("-") => Target::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout())),
            Ok(found) if found.is_dir() => return Err(Error::OutputIsFolder { path: path.to_owned() }),
            Ok(found) if !found.is_file() => {
                let file =
                    OpenOptions::new().write(true).open(path).map_err(|source| Error::io("write", path, source))?;
                Target::Direct(BufWriter::with_capacity(BUFFER_BYTES, file))
            }
            _ => buffered(create_aside(path, aside)?),
        };
        let encoder = Encoder::new(Compression::of_name(path).0, target);
        let encoder = encoder.map_err(|source| Error::io("write", path, source))?;
        Ok(Self { path: path.to_owned(), upload, encoder })
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// [`Error::Io`], for example if the disk is full.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer().write_all(bytes).map_err(|source| Error::io("write", &self.path, source))
    }

    /// Where the file will be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Ends a part that can be unpacked alone, if the file is packed with gzip.
    ///
    /// # Errors
    /// [`Error::Io`], as [`Self::write`].
    pub fn end_member(&mut self) -> Result<()> {
        self.encoder.end_member().map_err(|source| Error::io("write", &self.path, source))
    }

    /// As [`std::io::Write`], for serializers.
    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        self.encoder.writer()
    }

    /// Writes the last bytes. The file is complete then, but still aside.
    ///
    /// # Errors
    /// [`Error::Io`] if the last bytes cannot be written.
    pub fn seal(self) -> Result<Sealed> {
        let io = |source| Error::io("write", &self.path, source);
        let mut target = self.encoder.finish().map_err(io)?;
        target.flush().map_err(io)?;
        let content = match target {
            Target::Aside(writer) => {
                let file = writer.into_inner().map_err(|error| io(error.into_error()))?;
                match self.upload {
                    Some(target) => Content::Upload(target.of_file(file)),
                    None => Content::File(file),
                }
            }
            Target::Direct(_) | Target::Stdout(_) => Content::Direct,
        };
        Ok(Sealed { path: self.path, content })
    }

    /// Puts the finished file in its place.
    ///
    /// # Errors
    /// As [`AtomicFile::seal`] and [`Sealed::publish`].
    pub fn finish(self) -> Result<()> {
        self.seal()?.publish()
    }
}

/// For writers that own what they write to.
impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// A complete output that has not got its name yet. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Sealed {
    path: PathBuf,
    content: Content,
}

#[derive(Debug)]
enum Content {
    File(NamedTempFile),
    Folder(TempDir),
    Upload(Upload),
    Direct,
}

impl Sealed {
    /// Puts the output in its place.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be renamed, [`Error::Store`] if it cannot be uploaded.
    pub fn publish(mut self) -> Result<()> {
        self.stage()?;
        self.place()
    }

    /// Where a folder is until it gets its name.
    pub fn aside_folder(&self) -> Option<&Path> {
        match &self.content {
            Content::Folder(folder) => Some(folder.path()),
            _ => None,
        }
    }

    /// Does what takes long or fails often and shows nothing yet.
    fn stage(&mut self) -> Result<()> {
        if let Content::Upload(upload) = &mut self.content { upload.stage() } else { Ok(()) }
    }

    fn place(self) -> Result<()> {
        let io = |source| Error::io("write", &self.path, source);
        match self.content {
            Content::Direct => Ok(()),
            Content::Upload(upload) => upload.publish(),
            Content::File(file) => file.persist(resolve_links(&self.path)).map(drop).map_err(|error| io(error.error)),
            Content::Folder(folder) => {
                let path = resolve_links(&self.path);
                if path.exists() {
                    fs::remove_dir(&path).map_err(io)?;
                }
                fs::rename(folder.path(), &path).map_err(io)?;
                // The folder has its name now; there is nothing aside to delete.
                let _ = folder.keep();
                Ok(())
            }
        }
    }
}

/// Puts several outputs in their places: all are complete, so that none appears if another cannot be written. Those that go
/// to stores come first, because a file next door can be renamed when they are done, but an upload can fail.
///
/// # Errors
/// [`Error::Io`] if one cannot be renamed, [`Error::Store`] if one cannot be uploaded; [`Error::PartlyWritten`] if others are
/// in their places by then.
pub fn publish_all(outputs: impl IntoIterator<Item = Sealed>) -> Result<()> {
    let mut outputs: Vec<Sealed> = outputs.into_iter().collect();
    outputs.iter_mut().try_for_each(Sealed::stage)?;
    outputs.sort_by_key(|output| !matches!(output.content, Content::Upload(_)));
    for (written, output) in outputs.into_iter().enumerate() {
        output.place().map_err(|error| match written {
            0 => error,
            _ => Error::PartlyWritten { written, error: Box::new(error) },
        })?;
    }
    Ok(())
}

/// An existing link stays a link: its target is what gets written.
fn resolve_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn create_aside(path: &Path, aside: &Aside) -> Result<NamedTempFile> {
    let resolved = resolve_links(path);
    let folder = resolved.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let created = aside.create(path, folder, |builder| {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: what the user's mask leaves of this.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(folder)
    });
    created.map_err(|error| Error::io("write", path, plain(&error, folder)))
}

/// A folder that appears under its name, with all its files, when it is finished.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    /// Where it goes when it is finished, if that is no folder here.
    upload: Option<UploadTarget>,
    aside: TempDir,
}

impl OutputFolder {
    /// Begins a folder at `path`, where there is nothing yet, or an empty folder.
    ///
    /// # Errors
    /// [`Error::OutputExists`], or [`Error::Io`] if the folder around it cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        Self::create_with(path, &Aside::default())
    }

    /// As [`Self::create`], with a place for what is not finished.
    ///
    /// # Errors
    /// As [`Self::create`]; [`Error::Store`] if a store cannot be reached.
    pub fn create_with(path: &Path, aside: &Aside) -> Result<Self> {
        if let Some(url) = RemoteUrl::parse(path)? {
            let temporary_folder = &aside.temporary_folder;
            let upload = Some(UploadTarget::folder(url)?);
            let aside = tempfile::Builder::new().prefix("lookalike-").tempdir_in(temporary_folder);
            let aside = aside.map_err(|error| Error::io("write", temporary_folder, plain(&error, temporary_folder)))?;
            return Ok(Self { path: path.to_owned(), upload, aside });
        }
        let is_free = match fs::read_dir(path) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if !is_free {
            return Err(Error::OutputExists { path: path.to_owned() });
        }
        let resolved = resolve_links(path);
        if std::env::current_dir().and_then(fs::canonicalize).is_ok_and(|current| current == resolved) {
            // Whoever stands in it would stand nowhere afterwards.
            let current = io::Error::other("it is the current folder, which cannot be replaced; name one in it");
            return Err(Error::io("write", path, current));
        }
        let parent = resolved.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let created = aside.create(path, parent, |builder| {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(fs::Permissions::from_mode(0o777));
            }
            builder.tempdir_in(parent)
        });
        let aside = created.map_err(|error| Error::io("write", path, plain(&error, parent)))?;
        Ok(Self { path: path.to_owned(), upload: None, aside })
    }

    /// Where the file `relative` is to be written; folders on the way are made.
    ///
    /// # Errors
    /// [`Error::Io`] if a folder cannot be made.
    pub fn place(&self, relative: &Path) -> Result<PathBuf> {
        let path = self.aside.path().join(relative);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| Error::io("write", &self.path.join(relative), source))?;
        }
        Ok(path)
    }

    /// The folder is complete, but still aside.
    pub fn seal(self) -> Sealed {
        let content = match self.upload {
            Some(target) => Content::Upload(target.of_folder(self.aside)),
            None => Content::Folder(self.aside),
        };
        Sealed { path: self.path, content }
    }
}

/// The error without the name of the file aside, which means nothing to the user: that of a look at the folder, if there
/// is one, else the kind.
fn plain(error: &io::Error, folder: &Path) -> io::Error {
    fs::metadata(folder).err().unwrap_or_else(|| io::Error::from(error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_outputs_leave_nothing() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("out");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write(b"half").unwrap();
        drop(file);
        drop(OutputFolder::create(&path).unwrap());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn finished_outputs_replace_files_and_empty_folders_only() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("out");
        for content in ["one", "two"] {
            let mut file = AtomicFile::create(&path).unwrap();
            file.write(content.as_bytes()).unwrap();
            file.finish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert!(matches!(OutputFolder::create(&path), Err(Error::OutputExists { .. })));
        let folder = root.path().join("folder");
        fs::create_dir(&folder).unwrap();
        let output = OutputFolder::create(&folder).unwrap();
        fs::write(output.place(Path::new("a/b.txt")).unwrap(), "b").unwrap();
        output.seal().publish().unwrap();
        assert_eq!(fs::read_to_string(folder.join("a/b.txt")).unwrap(), "b");
        let current = OutputFolder::create(&std::env::current_dir().unwrap());
        assert!(matches!(current, Err(Error::OutputExists { .. })), "it is not empty either");
        assert!(matches!(AtomicFile::create(&folder), Err(Error::OutputIsFolder { .. })));
        assert!(matches!(OutputFolder::create(&folder), Err(Error::OutputExists { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_written_through() {
        let root = tempfile::tempdir().unwrap();
        let (link, target) = (root.path().join("link"), root.path().join("target"));
        fs::write(&target, "").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let (folder, folder_link) = (root.path().join("folder"), root.path().join("folder-link"));
        fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(&folder, &folder_link).unwrap();
        let output = OutputFolder::create(&folder_link).unwrap();
        fs::write(output.place(Path::new("a.txt")).unwrap(), "a").unwrap();
        output.seal().publish().unwrap();
        assert!(fs::symlink_metadata(&folder_link).unwrap().is_symlink() && folder.join("a.txt").exists());
        let mut file = AtomicFile::create(&link).unwrap();
        file.write(b"new").unwrap();
        file.finish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        let mut null = AtomicFile::create(Path::new("/dev/null")).unwrap();
        null.write(b"x").unwrap();
        null.finish().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
