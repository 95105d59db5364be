//! The sources in a folder.

use super::once::{Once, RealFolder};
use crate::formats::{JsonFiles, Layout, Texts, is_part_of_others};
use crate::ground::{Admission, BadRecord, Depth, Entry, Error, PassedOver, Place, Problem, Result, Selection, Walk};
use crate::sources::file_state::FileState;
use crate::sources::inputs::OnError;
use crate::sources::source::{Packing, Source};
use std::path::{Path, PathBuf};

/// The sources in a folder, sorted by path; its text files are the last one.
pub(in crate::sources) struct Folder {
    pub(in crate::sources) sources: Vec<Source>,
    pub(in crate::sources) passed_over: PassedOver,
    /// Files and folders that cannot be read, and are left out.
    pub(in crate::sources) unusable: Vec<BadRecord>,
    /// The folders among them, on the disk.
    pub(in crate::sources) unreadable: Vec<PathBuf>,
}

/// How the files of a folder are read.
#[derive(Clone, Copy)]
pub(in crate::sources) struct FolderReading<'a> {
    /// As the user knows the folder.
    pub(in crate::sources) path: &'a Path,
    /// The folder on the disk.
    pub(in crate::sources) folder: &'a Path,
    /// What names of outputs begin with.
    pub(in crate::sources) output_name: &'a Path,
    /// The folder without links, if its files may be those of other inputs.
    pub(in crate::sources) real: &'a RealFolder,
    /// Whether it may hold nothing to read: a pattern has named it, or what it held was left out.
    pub(in crate::sources) may_be_empty: bool,
    pub(in crate::sources) layouts: LayoutRule,
    pub(in crate::sources) selection: &'a Selection,
}

/// How the layouts of files in a folder are found.
#[derive(Debug, Clone, Copy)]
pub(in crate::sources) struct LayoutRule {
    pub(in crate::sources) texts: Texts,
    /// The layout of all of them; `None` for those that their names say.
    pub(in crate::sources) format: Option<Layout>,
    pub(in crate::sources) json: JsonFiles,
    /// What becomes of files that cannot be read.
    pub(in crate::sources) on_error: OnError,
}

impl LayoutRule {
    /// The layout of a file, which the user knows as `path`, and the compression of one of records.
    fn layout(self, path: &Path, file: &Path) -> Result<(Layout, Option<Packing>)> {
        let named = self.format.unwrap_or_else(|| Layout::of_folder_entry(file, self.json));
        if named == Layout::Text {
            return Ok((self.texts.layout(named), None));
        }
        let packing = Packing::of(path, file, self.on_error)?;
        let layout = match packing.is_true() {
            true => named.refined(file, file, (packing.compression, self.format))?,
            false => named,
        };
        Ok((self.texts.layout(layout), Some(packing)))
    }
}

impl FolderReading<'_> {
    /// Finds the sources, without files that `once` knows already.
    ///
    /// # Errors
    /// [`Error::Io`]; of what cannot be read, only if it is not to be skipped.
    pub(in crate::sources) fn find(&self, once: &mut Once) -> Result<Folder> {
        let Self { path, folder, output_name, real, selection, .. } = *self;
        let sources = Vec::new();
        let unusable = Vec::new();
        let unreadable = Vec::new();
        let mut found = Folder { sources, passed_over: PassedOver::default(), unusable, unreadable };
        let mut texts = Vec::new();
        let mut walk = Walk::new((path, folder), Depth::All, selection, admit);
        for entry in walk.by_ref() {
            let Entry { path: file, relative, is_file, is_folder, .. } = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let unreadable = error.path().unwrap_or(folder).to_owned();
                    found.unusable.push(left_out(error, &unreadable, self.layouts.on_error)?);
                    found.unreadable.push(unreadable);
                    continue;
                }
            };
            found.passed_over.special += u64::from(!is_file && !is_folder);
            if !is_file || is_part_of_others(&file) {
                continue;
            }
            let shown = path.join(&relative);
            if !once.is_first_below(real, &relative, &shown) {
                found.passed_over.repeated += 1;
                continue;
            }
            match self.kind_of(&file, &shown, &output_name.join(&relative)) {
                Ok(FileKind::Records(source)) => found.sources.push(*source),
                Ok(FileKind::Text(state)) => texts.push((relative, state)),
                Err(error) => found.unusable.push(left_out(error, &shown, self.layouts.on_error)?),
            }
        }
        if !texts.is_empty() {
            found.sources.push(Source::text_files((path, folder), output_name, texts));
        }
        found.passed_over.add(walk.passed_over());
        Ok(found)
    }

    /// What a file of the folder is to it.
    fn kind_of(&self, file: &Path, shown: &Path, output_name: &Path) -> Result<FileKind> {
        Ok(match self.layouts.layout(shown, file)? {
            (Layout::Records(format), packing) => {
                let packing = packing.map_or_else(|| Packing::of(shown, file, self.layouts.on_error), Ok)?;
                let source = Source::records((shown, file), format, output_name.to_owned(), packing)?;
                FileKind::Records(Box::new(source))
            }
            (Layout::Text, _) => FileKind::Text(FileState::of(file)?),
        })
    }
}

/// What a file is to its folder.
enum FileKind {
    /// A source of its own.
    Records(Box<Source>),
    /// One of its texts.
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
fn admit(entry: &Entry) -> Admission {
    if entry.is_hidden() {
        Admission::Hidden
    } else if entry.is_link {
        Admission::Link
    } else {
        Admission::Taken
    }
}
