//! Files with one document each: texts, and pages of which the readable part counts.

use super::{BLOCK_BYTES, Context, Visited};
use crate::compression::Compression;
use crate::document::{Document, Span};
use crate::error::{BadRecord, Error, Place, Problem};
use crate::html_page::{decode_text, is_page_name, readable_text};
use crate::source::{FileState, Source};
use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file with what reading it gave.
#[derive(Debug)]
pub(super) struct TextFile {
    /// Place in the list of the folder.
    number: usize,
    relative: PathBuf,
    /// Path below the output folder: tells files of several folders apart.
    name: PathBuf,
    content: Result<Vec<u8>, Problem>,
}

impl TextFile {
    pub(super) fn bytes(&self) -> u64 {
        self.content.as_ref().map_or(0, |bytes| bytes.len() as u64)
    }

    pub(super) fn read<'a>(&'a self, context: &Context<'_>) -> Visited<'a> {
        let place = Place { path: context.path.join(&self.relative).into(), line: None };
        let is_page = is_page_name(&Compression::of_name(&self.relative).1);
        let text = self.content.as_ref().map_err(Clone::clone).and_then(|bytes| match is_page {
            true => Ok(Cow::Owned(readable_text(bytes, None))),
            false => decode_text(bytes),
        });
        match text {
            Ok(text) => Ok(Document {
                key: relative_key(&self.name),
                text,
                score: None,
                place,
                number: self.number as u64,
                span: Span { offset: 0, length: self.bytes() },
            }),
            Err(problem) => Err(BadRecord { place, problem }),
        }
    }
}

/// The relative path with `/` on every system.
fn relative_key(path: &Path) -> Cow<'_, str> {
    if std::path::MAIN_SEPARATOR == '/' {
        return path.to_string_lossy();
    }
    let parts: Vec<Cow<'_, str>> = path.iter().map(|part| part.to_string_lossy()).collect();
    Cow::Owned(parts.join("/"))
}

/// Reads a block of files, from number `first` on; returns also how many bytes they have on the disk. What ends a block is
/// what it holds: a packed file may be a thousand times as large as it looks.
pub(super) fn read_text_files(
    source: &Source,
    files: &[(PathBuf, FileState)],
    first: usize,
    limit: u64,
) -> (Vec<TextFile>, u64) {
    let mut read = Vec::new();
    let (mut bytes, mut unpacked) = (0, 0);
    for (number, (relative, state)) in files.iter().enumerate().skip(first) {
        bytes += state.bytes;
        let content = read_file(&source.file.join(relative), limit);
        let name = source.output_name.join(relative);
        let file = TextFile { number, relative: relative.clone(), name, content };
        unpacked += file.bytes();
        read.push(file);
        if bytes.max(unpacked) >= BLOCK_BYTES as u64 {
            break;
        }
    }
    (read, bytes)
}

/// The bytes of a file, unpacked if its ending says that it is packed.
fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Problem> {
    let unreadable = |message: String| Problem::Unreadable { message };
    let mut compression = Compression::of_name(path).0;
    if compression != Compression::None {
        compression = Compression::of_file(path).map_err(|error| unreadable(error.to_string()))?;
    }
    let file = compression.open(path).map_err(|error| match error {
        Error::Io { source, .. } => unreadable(source.to_string()),
        error => unreadable(error.to_string()),
    })?;
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > limit { Err(Problem::TooLarge { limit }) } else { Ok(bytes) }
}
