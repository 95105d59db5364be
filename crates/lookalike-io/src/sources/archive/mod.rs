//! Archives as inputs: unpacked to a temporary folder, which is then read as any folder.
//!
//! A member that is a text file is a document, known by its path; files of records in an archive are sources of their
//! own. Unpacking once costs disk space, and spares every reader and writer to know of archives: records are read a
//! second time when they are written.
//!
//! ```text
//! not trusted, or not read         what is done
//! links, devices                   refused
//! absolute paths, `..`             refused
//! passwords, rare compressions     refused
//! two members of one path          refused: one would be lost
//! a member in another, a file      refused likewise
//! tar archives put together        read to the end of the last
//! zip archives put together        refused: all but one would be lost
//! a text longer than the limit     cut behind it: reading then reports a bad record
//! more than the disk has space for refused, as for standard input
//! ```

mod zip_directory;

use super::read_once::{DiskBudget, SpoolInto};
use crate::base::details::Action;
use crate::base::{Compression, Error, FileSelection, Located, Result, path_of_bytes};
use crate::formats::{ArchiveFormat, JsonFiles, Layout};
use lookalike_core::printed_path;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;
use zip::CompressionMethod;
use zip_directory::{others_beside, repeated_name};

/// An archive, and where it is unpacked.
pub(super) struct Unpacking<'a> {
    pub(super) archive: Located<'a>,
    /// An empty folder.
    pub(super) folder: &'a Path,
    /// Maximum size of a text in bytes.
    pub(super) limit: Option<u64>,
    /// Selection of the members that are unpacked.
    pub(super) selection: &'a FileSelection,
    pub(super) into: SpoolInto<'a>,
}

impl Unpacking<'_> {
    /// Unpacks the members that are to be read; returns the number of the others.
    ///
    /// # Errors
    /// [`Error::Archive`] for a member that is not trusted or cannot be read; [`Error::DiskFull`];
    /// [`Error::Cancelled`]; [`Error::Io`].
    pub(super) fn unpack(&self, format: ArchiveFormat) -> Result<u64> {
        let modified = fs::metadata(self.archive.file).and_then(|found| found.modified());
        let modified = modified.map_err(|source| Error::io(Action::Read, self.archive.path, source))?;
        let mut budget = self.into.budget();
        match format {
            ArchiveFormat::Tar(compression) => self.unpack_tar(compression, modified, &mut budget),
            ArchiveFormat::Zip => self.unpack_zip(modified, &mut budget),
        }
    }

    fn unpack_tar(&self, compression: Compression, modified: SystemTime, budget: &mut DiskBudget<'_>) -> Result<u64> {
        let damaged = |error: io::Error| self.refused("", error.to_string());
        let mut excluded = 0;
        let mut archive =
            tar::Archive::new(compression.open(self.archive.file).map_err(|error| error.of_path(self.archive.path))?);
        // Archives that were put together have the end of each, two blocks of zeros, in the middle.
        archive.set_ignore_zeros(true);
        for member in archive.entries().map_err(damaged)? {
            let mut member = member.map_err(damaged)?;
            let path = path_of_bytes(member.path_bytes().into_owned());
            if self.selection.excludes_member(self.archive.path, &path) {
                excluded += 1;
                continue;
            }
            match member.header().entry_type() {
                tar::EntryType::Directory | tar::EntryType::XGlobalHeader => continue,
                kind if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() => {}
                _ => return Err(self.refused(&printed_path(&path), "is a link or no file".to_owned())),
            }
            self.copy(&path, &mut member, modified, budget)?;
        }
        Ok(excluded)
    }

    fn unpack_zip(&self, modified: SystemTime, budget: &mut DiskBudget<'_>) -> Result<u64> {
        let file =
            File::open(self.archive.file).map_err(|source| Error::io(Action::Open, self.archive.path, source))?;
        let damaged = |error: zip::result::ZipError| self.refused("", error.to_string());
        let mut archive = zip::ZipArchive::new(io::BufReader::new(file)).map_err(damaged)?;
        let start = archive.central_directory_start();
        if archive.has_duplicate_names() {
            let io = |source| Error::io(Action::Read, self.archive.path, source);
            let name = repeated_name(self.archive.file, start).map_err(io)?.unwrap_or_default();
            return Err(self.refused(&name, TWICE.to_owned()));
        }
        let mut first = None;
        for number in 0..archive.len() {
            let begin = archive.by_index_raw(number).map_err(damaged)?.header_start();
            first = Some(first.map_or(begin, |first: u64| first.min(begin)));
        }
        let others = others_beside(self.archive.file, first)
            .map_err(|source| Error::io(Action::Read, self.archive.path, source))?;
        if others {
            return Err(self.refused("", PUT_TOGETHER.to_owned()));
        }
        let mut excluded = 0;
        for number in 0..archive.len() {
            let raw = archive.by_index_raw(number).map_err(damaged)?;
            let name = raw.name().map_err(damaged)?.into_owned();
            if self.selection.excludes_member(self.archive.path, Path::new(&name)) {
                excluded += 1;
                continue;
            }
            if raw.encrypted() {
                return Err(self.refused(&name, "is encrypted; its password is needed".to_owned()));
            }
            if let Some(method) = unread_method(raw.compression()) {
                return Err(
                    self.refused(&name, format!("is compressed with {method}, which is not read in zip archives"))
                );
            }
            drop(raw);
            let mut member = archive.by_index(number).map_err(damaged)?;
            if member.is_dir() {
                continue;
            }
            if member.is_symlink() {
                return Err(self.refused(&name, "is a link or no file".to_owned()));
            }
            self.copy(Path::new(&name), &mut member, modified, budget)?;
        }
        Ok(excluded)
    }

    /// Copies a member with this path. It gets the time of the archive: another run makes the same files.
    fn copy(
        &self,
        path: &Path,
        member: &mut impl Read,
        modified: SystemTime,
        budget: &mut DiskBudget<'_>,
    ) -> Result<()> {
        let name = &*printed_path(path);
        let relative = self.relative(name, path)?;
        let to = self.folder.join(&relative);
        let io = |source| Error::io(Action::Unpack, &self.archive.path.join(&relative), source);
        let of_one_name = || self.refused(name, "and another member are a file and a folder of one name".to_owned());
        if let Some(parent) = to.parent() {
            let is_in_file = || parent.ancestors().any(Path::is_file);
            fs::create_dir_all(parent).map_err(|error| if is_in_file() { of_one_name() } else { io(error) })?;
        }
        let mut file = match File::create_new(&to) {
            Err(_) if to.is_dir() => return Err(of_one_name()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(self.refused(name, TWICE.to_owned()));
            }
            created => created.map_err(io)?,
        };
        let is_text = Layout::of_folder_entry(&relative, JsonFiles::Records) == Layout::Text
            && Compression::of_name(&relative).0 == Compression::None;
        let limit = self.limit.filter(|_| is_text).map_or(u64::MAX, |limit| limit.saturating_add(1));
        budget.copy(&mut member.take(limit), &mut file, &self.archive.path.join(&relative))?;
        file.set_modified(modified).map_err(io)
    }

    /// The path of a member below the folder.
    fn relative(&self, name: &str, path: &Path) -> Result<PathBuf> {
        let mut relative = PathBuf::new();
        for component in path.components() {
            match component {
                Component::Normal(part) => relative.push(part),
                Component::CurDir => {}
                Component::Prefix(_) | Component::RootDir | Component::ParentDir => {
                    return Err(self.refused(name, "has a path that leads out of it".to_owned()));
                }
            }
        }
        if relative.as_os_str().is_empty() || name.contains('\0') {
            return Err(self.refused(name, "has no usable path".to_owned()));
        }
        Ok(relative)
    }

    fn refused(&self, member: &str, message: String) -> Error {
        Error::Archive { path: self.archive.path.to_owned(), member: member.to_owned(), message }
    }
}

/// Fault of a member whose path another one has.
const TWICE: &str = "is there twice";

/// Fault of several zip archives in one file.
const PUT_TOGETHER: &str = "it is several archives put together, of which only one would be read";

/// Compressions of zip archives (APPNOTE, section 4.4.5) that other programs write and that are not read here.
const UNREAD_METHODS: [(CompressionMethod, &str); 6] = [
    (CompressionMethod::DEFLATE64, "Deflate64"),
    (CompressionMethod::BZIP2, "bzip2"),
    (CompressionMethod::LZMA, "LZMA"),
    (CompressionMethod::ZSTD, "Zstandard"),
    (CompressionMethod::XZ, "xz"),
    (CompressionMethod::PPMD, "PPMd"),
];

/// The name of the compression of a member, if it is another than deflate or none.
fn unread_method(method: CompressionMethod) -> Option<&'static str> {
    let is_read = matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated);
    let name = UNREAD_METHODS.iter().find(|(known, _)| *known == method).map_or("a rare method", |(_, name)| name);
    (!is_read).then_some(name)
}
