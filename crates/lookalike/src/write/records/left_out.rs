//! The files of the inputs that are in no document: pictures that cannot be read, sidecars, hidden files, links. Who
//! takes the output for the inputs has not lost them.

use crate::base::{Contradiction, Result};
use crate::job::{Job, LeftOut};
use lookalike_io::{
    base::Staging,
    outputs::{OutputFolder, Sealed},
    sources::{Discovered, UnreadFile},
};
use std::path::PathBuf;

/// Destination of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordsIn {
    File,
    Folder,
}

/// Fate of files that are in no document.
#[derive(Debug)]
pub(super) struct LeftOutFiles {
    pub(super) destination: Destination,
    /// Files that are in no source.
    pub(super) unread: Vec<UnreadFile>,
}

/// Destination of files that are in no document.
#[derive(Debug)]
pub(super) enum Destination {
    /// Beside the records, which are in a folder.
    Records,
    /// Into a folder of their own, which the user knows by this path.
    Own(PathBuf, Box<OutputFolder>),
    /// Into no output.
    None,
}

impl LeftOutFiles {
    /// Finds the files, and begins their folder if they have one of their own.
    ///
    /// # Errors
    /// If a folder cannot be read or written, or two files would have one name; [`Contradiction::NothingLeftOut`] if
    /// the input is a file of records.
    pub(super) fn begin(found: &Discovered, records: RecordsIn, job: &Job, staging: &Staging) -> Result<Self> {
        let left_out = &job.outputs.left_out;
        if *left_out != LeftOut::Copied && found.is_single_file {
            return Err(Contradiction::NothingLeftOut.into());
        }
        let destination = match left_out {
            LeftOut::Copied if records == RecordsIn::Folder => Destination::Records,
            LeftOut::Copied => return Ok(Self { destination: Destination::None, unread: Vec::new() }),
            LeftOut::CopiedTo(path) => {
                Destination::Own(path.clone(), Box::new(OutputFolder::create_with(path, staging)?))
            }
            LeftOut::Dropped => Destination::None,
        };
        let unread = found.unread_files()?;
        if !matches!(destination, Destination::None) {
            found.check_unread_names(&unread, job.outputs.format)?;
        }
        Ok(Self { destination, unread })
    }

    /// The folder of their own, complete.
    pub(super) fn seal(self) -> Option<Sealed> {
        match self.destination {
            Destination::Own(_, folder) => Some(folder.seal()),
            Destination::Records | Destination::None => None,
        }
    }
}
