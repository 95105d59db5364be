//! The sources in a folder.

use super::discovery::Discovery;
use super::once::{Once, RealFolder};
use crate::base::{
    BadRecord, EntryAdmission, Error, FolderEntry, Located, Place, Problem, Result, SkippedCounts, Walk, WalkDepth,
};
use crate::formats::{Layout, is_part_of_others};
use crate::sources::file_state::FileState;
use crate::sources::inputs::OnError;
use crate::sources::source::{Packing, Source};
use std::path::{Path, PathBuf};

/// The sources in a folder, sorted by path; its text files are the last one.
pub(in crate::sources) struct FolderSources {
    pub(in crate::sources) sources: Vec<Source>,
    pub(in crate::sources) skipped_counts: SkippedCounts,
    /// Files and folders that cannot be read, and are left out.
    pub(in crate::sources) unusable: Vec<BadRecord>,
    /// The folders among them, on the disk.
    pub(in crate::sources) unreadable: Vec<PathBuf>,
}

/// Reading of the files of a folder.
#[derive(Clone, Copy)]
pub(in crate::sources) struct FolderReading<'a> {
    pub(in crate::sources) folder: Located<'a>,
    /// Beginning of the names of outputs.
    pub(in crate::sources) output_name: &'a Path,
    /// The folder without links, if its files may be those of other inputs.
    pub(in crate::sources) real: &'a RealFolder,
    /// True if it may hold nothing to read: a pattern has named it, or what it held was left out.
    pub(in crate::sources) may_be_empty: bool,
    pub(in crate::sources) discovery: &'a Discovery<'a>,
}

impl FolderReading<'_> {
    /// Finds the sources, without files that `once` knows already.
    ///
    /// # Errors
    /// [`Error::Io`]; of what cannot be read, only if it is not to be skipped.
    pub(in crate::sources) fn find(&self, once: &mut Once) -> Result<FolderSources> {
        let Self { folder: located, output_name, real, discovery, .. } = *self;
        let Located { path, file: folder } = located;
        let sources = Vec::new();
        let unusable = Vec::new();
        let unreadable = Vec::new();
        let mut found = FolderSources { sources, skipped_counts: SkippedCounts::default(), unusable, unreadable };
        let mut texts = Vec::new();
        let mut walk = Walk::new(located, WalkDepth::All, &discovery.selection, admit);
        for entry in walk.by_ref() {
            let FolderEntry { path: file, relative, is_file, is_folder, .. } = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let unreadable = error.path().unwrap_or(folder).to_owned();
                    found.unusable.push(left_out(error, &unreadable, discovery.on_error)?);
                    found.unreadable.push(unreadable);
                    continue;
                }
            };
            found.skipped_counts.special += u64::from(!is_file && !is_folder);
            if !is_file || is_part_of_others(&file) {
                continue;
            }
            let shown = path.join(&relative);
            if !once.is_first_below(real, &relative, &shown) {
                found.skipped_counts.repeated += 1;
                continue;
            }
            let entry = Located { path: &shown, file: &file };
            match self.kind_of(entry, &output_name.join(&relative)) {
                Ok(FileKind::Records(source)) => found.sources.push(*source),
                Ok(FileKind::Text(state)) => texts.push((relative, state)),
                Err(error) => found.unusable.push(left_out(error, &shown, discovery.on_error)?),
            }
        }
        if !texts.is_empty() {
            found.sources.push(Source::text_files(located, output_name, texts));
        }
        found.skipped_counts.add(walk.skipped_counts());
        Ok(found)
    }

    /// The layout of a file, and the compression of one of records.
    fn layout(&self, entry: Located<'_>) -> Result<(Layout, Option<Packing>)> {
        let file = entry.file;
        let Discovery { texts, format, json, on_error, .. } = *self.discovery;
        let named = format.unwrap_or_else(|| Layout::of_folder_entry(file, json));
        if named == Layout::Text {
            return Ok((texts.layout(named), None));
        }
        let packing = Packing::detect(entry, on_error)?;
        let layout = if packing.is_true() { named.refined(file, file, packing.compression, format)? } else { named };
        Ok((texts.layout(layout), Some(packing)))
    }

    /// Role of a file in the folder.
    fn kind_of(&self, entry: Located<'_>, output_name: &Path) -> Result<FileKind> {
        Ok(match self.layout(entry)? {
            (Layout::Records(format), packing) => {
                let packing = packing.map_or_else(|| Packing::detect(entry, self.discovery.on_error), Ok)?;
                let source = Source::records(entry, format, output_name.to_owned(), packing)?;
                FileKind::Records(Box::new(source))
            }
            (Layout::Text, _) => FileKind::Text(FileState::read(entry.file)?),
        })
    }
}

/// Role of a file in its folder.
enum FileKind {
    /// A source of its own.
    Records(Box<Source>),
    /// A text of the folder.
    Text(FileState),
}

/// The bad record that stands for a file or folder which cannot be read, or the error if it is not to be skipped.
pub(in crate::sources) fn left_out(error: Error, path: &Path, on_error: OnError) -> Result<BadRecord> {
    if on_error == OnError::Stop || !error.is_about_file() {
        return Err(error);
    }
    let message = match error {
        Error::Io { source, .. } => source.to_string(),
        error => error.to_string(),
    };
    Ok(BadRecord { place: Place::file(path), problem: Problem::UnusableFile { message } })
}

/// Hidden files and links are counted, and not read.
fn admit(entry: &FolderEntry) -> EntryAdmission {
    if entry.is_hidden() {
        EntryAdmission::Hidden
    } else if entry.is_link {
        EntryAdmission::Link
    } else {
        EntryAdmission::Taken
    }
}
