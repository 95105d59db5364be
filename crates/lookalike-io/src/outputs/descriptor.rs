//! Outputs that name a descriptor of this process: `/dev/stdout`, `/dev/stderr`, `/dev/fd/3`, `/proc/self/fd/3`.
//!
//! Such a path leads to the file behind the descriptor, to which the shell, or another program, writes too: nothing may
//! take its place. It is written to where it stands, and behind its end where the shell says so (`2>> log`). Standard
//! output and standard error are the descriptors themselves, with their positions; another one is opened anew, and
//! what is written is appended, since only the system can duplicate a number.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Links that are followed at most: `/dev/stdout` is one to `/proc/self/fd/1`.
const MAX_LINKS: usize = 8;

/// An open descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Descriptor {
    Stdout,
    Stderr,
    /// Another one, by its path.
    Other(PathBuf),
}

impl Descriptor {
    /// The descriptor that a path names.
    pub(super) fn from_path(path: &Path) -> Option<Self> {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            if let Some(number) = number_of(&path) {
                return Some(match number {
                    1 => Self::Stdout,
                    2 => Self::Stderr,
                    _ => Self::Other(path),
                });
            }
            let link = path.read_link().ok()?;
            path = path.parent()?.join(link);
        }
        None
    }

    /// A file that is written where the descriptor stands.
    ///
    /// # Errors
    /// If it is closed, or not open for writing.
    pub(super) fn open(&self) -> io::Result<File> {
        match self {
            #[cfg(unix)]
            Self::Stdout => duplicate(&io::stdout()),
            #[cfg(unix)]
            Self::Stderr => duplicate(&io::stderr()),
            #[cfg(not(unix))]
            Self::Stdout | Self::Stderr => Err(io::ErrorKind::Unsupported.into()),
            Self::Other(path) => OpenOptions::new().append(true).open(path),
        }
    }
}

#[cfg(unix)]
fn duplicate(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// The number of the descriptor of this process that a path is the entry of.
fn number_of(path: &Path) -> Option<u32> {
    let folder = path.parent()?.canonicalize().ok()?;
    let own = format!("/proc/{}/fd", std::process::id());
    let is_of_descriptors = folder == Path::new(&own) || folder == Path::new("/dev/fd");
    path.file_name()?.to_str()?.parse().ok().filter(|_| is_of_descriptors)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_known_by_all_their_names() {
        assert_eq!(Descriptor::from_path(Path::new("/dev/stdout")), Some(Descriptor::Stdout));
        assert_eq!(Descriptor::from_path(Path::new("/dev/../dev/stderr")), Some(Descriptor::Stderr));
        assert_eq!(Descriptor::from_path(Path::new("/dev/fd/1")), Some(Descriptor::Stdout));
        assert!(matches!(Descriptor::from_path(Path::new("/dev/fd/0")), Some(Descriptor::Other(_))));
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/stderr", &link).unwrap();
        assert_eq!(Descriptor::from_path(&link), Some(Descriptor::Stderr));
        for other in ["/dev/null", "1", "-", "out.jsonl"] {
            assert_eq!(Descriptor::from_path(Path::new(other)), None, "{other}");
        }
    }
}
