//! Files that a job owns in its work folder: opened without following a link that somebody has put in their place.

use super::details::Action;
use super::error::{Error, Result};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Mode in which an own file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading only.
    Read,
    /// Reading and writing.
    Write,
}

/// Opens the file of a work folder at `path`; `None` if there is none.
///
/// # Errors
/// [`Error::NotOwnFile`] for a link or anything else that is no file; [`Error::Io`] if it cannot be opened.
pub fn open_own_file(path: &Path, access: Access) -> Result<Option<File>> {
    let io = |source| Error::io(Action::Open, path, source);
    let Some(named) = own_metadata(path)? else { return Ok(None) };
    let file = File::options().read(true).write(access == Access::Write).open(path).map_err(io)?;
    // A link that was put there after the look is followed, but not used.
    let opened = file.metadata().map_err(io)?;
    if is_same_file(&named, &opened).unwrap_or_else(|| opened.is_file()) {
        Ok(Some(file))
    } else {
        Err(Error::NotOwnFile { path: path.to_owned() })
    }
}

/// Creates the file of a work folder at `path`, in place of an earlier one, whose content stays where another name has
/// it.
///
/// # Errors
/// As [`open_own_file`].
pub fn create_own_file(path: &Path) -> Result<File> {
    let io = |source| Error::io(Action::Write, path, source);
    if own_metadata(path)?.is_some() {
        fs::remove_file(path).map_err(io)?;
    }
    File::options().create_new(true).read(true).write(true).open(path).map_err(io)
}

/// Metadata of `path` itself, if it is a file.
fn own_metadata(path: &Path) -> Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(Some(found)),
        Ok(_) => Err(Error::NotOwnFile { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::io(Action::Open, path, source)),
    }
}

/// Returns whether both are of one file, whatever its paths are; `None` where the system does not tell.
#[cfg(unix)]
pub(crate) fn is_same_file(one: &Metadata, other: &Metadata) -> Option<bool> {
    use std::os::unix::fs::MetadataExt;
    Some((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

#[cfg(not(unix))]
pub(crate) fn is_same_file(_: &Metadata, _: &Metadata) -> Option<bool> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_neither_followed_nor_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let mine = folder.path().join("thesis.txt");
        let link = folder.path().join("corpus-ids");
        fs::write(&mine, "do not touch").unwrap();
        symlink(&mine, &link).unwrap();
        for access in [Access::Read, Access::Write] {
            assert!(matches!(open_own_file(&link, access), Err(Error::NotOwnFile { .. })));
        }
        assert!(matches!(create_own_file(&link), Err(Error::NotOwnFile { .. })));
        assert!(matches!(create_own_file(folder.path()), Err(Error::NotOwnFile { .. })));
        assert_eq!(fs::read_to_string(&mine).unwrap(), "do not touch");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_new_file_leaves_the_old_content_to_its_other_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus-ids");
        let backup = folder.path().join("backup");
        assert!(open_own_file(&path, Access::Write).unwrap().is_none());
        create_own_file(&path).unwrap().write_all(b"old").unwrap();
        fs::hard_link(&path, &backup).unwrap();
        create_own_file(&path).unwrap().write_all(b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read(&backup).unwrap()), (b"new".to_vec(), b"old".to_vec()));
    }
}
