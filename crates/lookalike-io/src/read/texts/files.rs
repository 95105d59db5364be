//! Files with one document each: texts, HTML pages, whose readable text is compared, and images.

use super::html_page::{decode_text, is_page_name, readable_text};
use super::image_file::{image_content, thumbnail};
use crate::base::{BadRecord, Compression, Document, DocumentContent, Error, Place, Problem, Span};
use crate::formats::binary_kind;
use crate::read::context::{BLOCK_BYTES, Context, Visited, read_limited};
use crate::sources::{FileState, Source, SourceKind};
use lookalike_core::documents::Content;
use lookalike_core::printed_path;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A file that was read.
#[derive(Debug)]
pub(in crate::read) struct TextFile {
    /// Index in the source.
    number: usize,
    relative: PathBuf,
    /// Path below the output folder, which distinguishes files of several folders.
    name: PathBuf,
    content: Result<Vec<u8>, Problem>,
}

impl TextFile {
    pub(in crate::read) fn bytes(&self) -> u64 {
        self.content.as_ref().map_or(0, |bytes| bytes.len() as u64)
    }

    pub(in crate::read) fn read<'a>(&'a self, context: &Context<'_>) -> Visited<'a> {
        let place = Place::file(context.path.join(&self.relative));
        let is_page = is_page_name(&Compression::of_name(&self.relative).1);
        let images = context.names.images;
        let content = self.content.as_ref().map_err(Clone::clone).and_then(|bytes| {
            if let Some(features) = images {
                return image_content(bytes, features, context.limit);
            }
            if let Some(kind) = binary_kind(bytes).filter(|_| context.names.encoding.is_none()) {
                return Err(Problem::Binary { kind });
            }
            if is_page {
                return Ok(readable_text(bytes, None, context.names.main_content));
            }
            Ok(DocumentContent::All(Content::Text(decode_text(bytes, context.names.encoding)?)))
        });
        // A file may hold the array of a vector.
        let content = content
            .and_then(|content| if context.names.vectors.are_given() { context.of_text(content) } else { Ok(content) });
        match content {
            Ok(content) => Ok(Document {
                id: relative_id(&self.name),
                has_own_id: true,
                content,
                score: None,
                more_scores: Vec::new(),
                carried: Vec::new(),
                place,
                number: self.number as u64,
                span: Span { offset: 0, length: self.bytes() },
            }),
            Err(problem) => Err(BadRecord { place, problem }),
        }
    }
}

/// A relative path with `/` on every system.
fn relative_id(path: &Path) -> Cow<'_, str> {
    if std::path::MAIN_SEPARATOR == '/' {
        return printed_path(path);
    }
    let parts: Vec<Cow<'_, str>> = path.iter().map(|part| printed_path(Path::new(part))).collect();
    Cow::Owned(parts.join("/"))
}

/// Reads a block of files from index `first` on; returns also their size on disk. The decompressed size counts for the
/// block: a compressed file may be a thousand times as large.
pub(in crate::read) fn read_text_files(
    source: &Source,
    files: &[(PathBuf, FileState)],
    first: usize,
    limit: Option<u64>,
) -> (Vec<TextFile>, u64) {
    let mut read = Vec::new();
    let mut bytes = 0;
    let mut decompressed = 0;
    for (number, (relative, state)) in files.iter().enumerate().skip(first) {
        bytes += state.bytes;
        let content = read_file(&source.file.join(relative), limit);
        let name = source.output_name.join(relative);
        let file = TextFile { number, relative: relative.clone(), name, content };
        decompressed += file.bytes();
        read.push(file);
        if bytes.max(decompressed) >= BLOCK_BYTES as u64 {
            break;
        }
    }
    (read, bytes)
}

/// The bytes of a file, decompressed if its extension names a compression.
fn read_file(path: &Path, limit: Option<u64>) -> Result<Vec<u8>, Problem> {
    let unreadable = |message: String| Problem::Unreadable { message };
    let mut compression = Compression::of_name(path).0;
    if compression != Compression::None {
        compression = Compression::of_file(path).map_err(|error| unreadable(error.to_string()))?;
    }
    let file = compression.open(path).map_err(|error| match error {
        Error::Io { source, .. } => unreadable(source.to_string()),
        error => unreadable(error.to_string()),
    })?;
    read_limited(file, limit).map_err(|error| unreadable(error.to_string()))?
}

/// A small copy of an image in a source of files, as a URI that holds it; `None` if it cannot be read any more.
pub fn thumbnail_of(source: &Source, number: u64, limit: Option<u64>) -> Option<String> {
    let SourceKind::TextFiles { files } = &source.kind else { return None };
    let (relative, _) = files.get(usize::try_from(number).ok()?)?;
    let bytes = read_file(&source.file.join(relative), limit).ok()?;
    thumbnail(&bytes, limit).ok()
}
