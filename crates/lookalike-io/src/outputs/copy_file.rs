//! Copies of files as they are, with their rights and times.

use crate::base::details::Action;
use crate::base::{Error, Result};
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io;
use std::path::Path;

/// Copies a file, or the one that a link leads to, with its rights and times, to a path where nothing stands.
///
/// # Errors
/// [`Error::Io`] if it cannot be read or written, or something is at `to`.
pub fn copy_file(from: &Path, to: &Path) -> Result<()> {
    copy_content(from, to).map_err(|source| Error::io(Action::Copy, from, source))
}

/// Copies a file or a link that is in no document.
///
/// # Errors
/// [`Error::LeftOutNotCopied`].
pub fn copy_left_out(from: &Path, to: &Path) -> Result<()> {
    copy_as_it_is(from, to).map_err(|error| match error {
        Error::Io { path, source, .. } => Error::LeftOutNotCopied { path, source },
        error => error,
    })
}

/// Copies a file, or a link as a link where the system has such.
fn copy_as_it_is(from: &Path, to: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        let link = fs::symlink_metadata(from).map(|metadata| metadata.is_symlink());
        let link = link.and_then(|is_link| if is_link { fs::read_link(from).map(Some) } else { Ok(None) });
        let copied = link.and_then(|link| link.map(|link| std::os::unix::fs::symlink(link, to)).transpose());
        if copied.map_err(|source| Error::io(Action::Copy, from, source))?.is_some() {
            return Ok(());
        }
    }
    copy_file(from, to)
}

fn copy_content(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let metadata = source.metadata()?;
    let mut target = OpenOptions::new().write(true).create_new(true).open(to)?;
    io::copy(&mut source, &mut target)?;
    target.set_permissions(metadata.permissions())?;
    let modified = metadata.modified().ok();
    let times = modified.map_or(FileTimes::new(), |time| FileTimes::new().set_modified(time));
    let times = metadata.accessed().ok().map_or(times, |time| times.set_accessed(time));
    // A file system that keeps no times has lost nothing else.
    let _ = target.set_times(times);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn copies_keep_times_and_replace_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        fs::write(&from, "content").unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        File::options().write(true).open(&from).unwrap().set_modified(time).unwrap();
        copy_file(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "content");
        assert_eq!(fs::metadata(&to).unwrap().modified().unwrap(), time);
        assert!(copy_file(&from, &to).is_err() && copy_as_it_is(&from, &to).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let [link, to] = ["link", "to"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        copy_as_it_is(&link, &to).unwrap();
        assert_eq!(fs::read_link(&to).unwrap(), Path::new("nowhere"));
    }
}
