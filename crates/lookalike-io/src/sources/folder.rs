//! The sources in a folder.

use super::file_state::FileState;
use super::inputs::OnError;
use super::once::{Once, RealFolder};
use super::source::{Packing, Source};
use crate::formats::{JsonFiles, Layout, Texts, is_part_of_others};
use crate::ground::{Admission, Depth, Entry, PassedOver, Result, Selection, Walk};
use std::path::Path;

/// The sources in a folder, sorted by path; its text files are the last one.
pub(super) struct Folder {
    pub(super) sources: Vec<Source>,
    pub(super) passed_over: PassedOver,
}

/// How the files of a folder are read.
#[derive(Clone, Copy)]
pub(super) struct FolderReading<'a> {
    /// As the user knows the folder.
    pub(super) path: &'a Path,
    /// The folder on the disk.
    pub(super) folder: &'a Path,
    /// What names of outputs begin with.
    pub(super) output_name: &'a Path,
    /// The folder without links, if its files may be those of other inputs.
    pub(super) real: &'a RealFolder,
    /// Whether a pattern has named it.
    pub(super) is_match: bool,
    pub(super) layouts: LayoutRule,
    pub(super) selection: &'a Selection,
}

/// How the layouts of files in a folder are found.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayoutRule {
    pub(super) texts: Texts,
    /// The layout of all of them; `None` for those that their names say.
    pub(super) format: Option<Layout>,
    pub(super) json: JsonFiles,
    /// What becomes of files that cannot be read.
    pub(super) on_error: OnError,
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
    /// [`Error::Io`](crate::Error::Io).
    pub(super) fn find(&self, once: &mut Once) -> Result<Folder> {
        let Self { path, folder, output_name, real, layouts, selection, .. } = *self;
        let (mut sources, mut files, mut repeated) = (Vec::new(), Vec::new(), 0);
        let mut walk = Walk::new((path, folder), Depth::All, selection, admit);
        for entry in walk.by_ref() {
            let Entry { path: file, relative, is_file, .. } = entry?;
            if !is_file || is_part_of_others(&file) {
                continue;
            }
            let shown = path.join(&relative);
            if !once.is_first_below(real, &relative, &shown) {
                repeated += 1;
                continue;
            }
            match layouts.layout(&shown, &file)? {
                (Layout::Records(format), packing) => {
                    let packing = packing.map_or_else(|| Packing::of(&shown, &file, layouts.on_error), Ok)?;
                    sources.push(Source::records((&shown, &file), format, output_name.join(&relative), packing)?);
                }
                (Layout::Text, _) => files.push((relative, FileState::of(&file)?)),
            }
        }
        if !files.is_empty() {
            sources.push(Source::text_files((path, folder), output_name, files));
        }
        let passed_over = PassedOver { repeated, ..walk.passed_over() };
        Ok(Folder { sources, passed_over })
    }
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
