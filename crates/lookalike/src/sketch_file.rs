//! Saved sketches: the keys and shingle sets of documents in a file, so that a corpus is read and cut into shingles once.
//!
//! ```text
//! magic | keys | key ends | set ends | elements | characters | scores | footer (JSON) | tail
//! tail: length of the footer (u64), its checksum (u64), version (u32), magic
//! ```
//!
//! Numbers are little-endian; arrays have no padding. The footer says what the sets depend on, how many documents there are, and the
//! length and checksum (XXH3, 64 bits) of each array. Signatures are not in it: they follow from the sets for any number of
//! permutations, any seed and any bands, in less time than reading them would take, and nothing could be verified with them.

use crate::corpus::{Corpus, DocumentInfo};
use crate::error::{Error, Result};
use crate::facts::{Facts, set_facts};
use crate::progress::{Stage, Unit};
use crate::session::Session;
use lookalike_core::shingle_sets::ShingleSets;
use lookalike_io::{AtomicFile, SKETCH_MAGIC, Score, Sealed, Span};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// First and last bytes of the file.
const MAGIC: &[u8; 8] = SKETCH_MAGIC;
/// Changes with the layout.
const VERSION: u32 = 1;
/// Length and checksum of the footer, version, magic.
const TAIL_BYTES: u64 = 8 + 8 + 4 + 8;
/// Documents, and elements of their sets, that are read at a time; one document at least.
const CHUNK_DOCUMENTS: usize = 512;
const CHUNK_ELEMENTS: u64 = 1 << 16;
/// Numbers that are written at a time.
const STRETCH: usize = 1 << 13;

const _: () = assert!(cfg!(target_endian = "little"), "arrays are written as they stand in memory");

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Footer {
    /// What the sets depend on.
    facts: Facts,
    /// The field that scores were taken from.
    score_field: Option<String>,
    documents: usize,
    tokens: u64,
    keys: Extent,
    key_ends: Extent,
    set_ends: Extent,
    elements: Extent,
    characters: Extent,
    /// JSON, a line a document; empty if no score field was asked for.
    scores: Extent,
}

/// Where an array stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Extent {
    offset: u64,
    bytes: u64,
    checksum: u64,
}

/// Saves the sketch of a corpus: what comparing asks for. It gets its name when it is published
/// ([`lookalike_io::publish_all`]).
///
/// # Errors
/// If the file cannot be written.
pub fn write_sketch(corpus: &Corpus, file: AtomicFile, session: &Session<'_>) -> Result<Sealed> {
    let options = session.options;
    let stage = Stage { name: "writing", total: corpus.len() as u64, unit: Unit::Documents };
    session.stages.run(stage, || write(corpus, set_facts(options), options.fields.score.as_deref(), file))
}

/// Writes the sketch of a corpus. It gets its name when it is published.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write(corpus: &Corpus, facts: Facts, score_field: Option<&str>, mut file: AtomicFile) -> Result<Sealed> {
    let mut out = Out { file: &mut file, offset: 0 };
    out.write(MAGIC, &mut Xxh3Default::new())?;
    let ids = corpus.ids();
    let keys = out.array(ids.clone().map(|document| corpus.keys.get(document).as_bytes()))?;
    let (mut key_end, mut set_end) = (0, 0);
    let key_ends = out.numbers(ids.clone().map(|document| {
        key_end += corpus.keys.get(document).len() as u64;
        key_end
    }))?;
    let set_ends = out.numbers(ids.clone().map(|document| {
        set_end += corpus.sets.size(document) as u64;
        set_end
    }))?;
    let elements = out.array(ids.clone().map(|document| bytemuck::cast_slice(corpus.sets.get(document))))?;
    let characters = out.numbers(ids.map(|document| corpus.info(document).characters))?;
    let scores = corpus.scores.iter().map(lookalike_io::to_json).collect::<lookalike_io::Result<Vec<String>>>()?;
    let scores = out.array(scores.iter().flat_map(|score| [score.as_bytes(), b"\n"]))?;
    let (documents, tokens) = (corpus.len(), corpus.tokens);
    let score_field = score_field.map(str::to_owned);
    let footer =
        Footer { facts, score_field, documents, tokens, keys, key_ends, set_ends, elements, characters, scores };
    let footer = lookalike_io::to_json(&footer)?;
    file.write(footer.as_bytes())?;
    file.write(&(footer.len() as u64).to_le_bytes())?;
    file.write(&xxh3_64(footer.as_bytes()).to_le_bytes())?;
    file.write(&VERSION.to_le_bytes())?;
    file.write(MAGIC)?;
    Ok(file.seal()?)
}

/// The file while its arrays are written.
struct Out<'a> {
    file: &'a mut AtomicFile,
    offset: u64,
}

impl Out<'_> {
    fn write(&mut self, bytes: &[u8], checksum: &mut Xxh3Default) -> Result<()> {
        checksum.update(bytes);
        self.offset += bytes.len() as u64;
        Ok(self.file.write(bytes)?)
    }

    fn array<'b>(&mut self, parts: impl Iterator<Item = &'b [u8]>) -> Result<Extent> {
        let (offset, mut checksum) = (self.offset, Xxh3Default::new());
        for part in parts {
            self.write(part, &mut checksum)?;
        }
        Ok(Extent { offset, bytes: self.offset - offset, checksum: checksum.digest() })
    }

    fn numbers(&mut self, numbers: impl Iterator<Item = u64>) -> Result<Extent> {
        let (offset, mut checksum) = (self.offset, Xxh3Default::new());
        let mut stretch: Vec<u64> = Vec::with_capacity(STRETCH);
        for number in numbers {
            stretch.push(number);
            if stretch.len() == STRETCH {
                self.write(bytemuck::cast_slice(&stretch), &mut checksum)?;
                stretch.clear();
            }
        }
        self.write(bytemuck::cast_slice(&stretch), &mut checksum)?;
        Ok(Extent { offset, bytes: self.offset - offset, checksum: checksum.digest() })
    }
}

/// A sketch that is read, some documents at a time.
#[derive(Debug)]
pub(crate) struct SketchFile {
    path: PathBuf,
    /// Number among the sources.
    source: usize,
    documents: Range<usize>,
    tokens: u64,
    keys: StoredArray<u8>,
    key_ends: StoredArray<u64>,
    set_ends: StoredArray<u64>,
    elements: StoredArray<u64>,
    characters: StoredArray<u64>,
    scores: std::vec::IntoIter<Option<Score>>,
    /// Ends of sets that were read ahead.
    coming_ends: VecDeque<u64>,
    /// Where the last document ended.
    key_end: u64,
    set_end: u64,
}

impl SketchFile {
    /// Opens a sketch of documents whose sets depend on `facts`, if that matters.
    ///
    /// # Errors
    /// [`Error::NotASketch`] if the file is damaged or of another version; [`Error::OtherSketch`] if its sets were made
    /// otherwise.
    pub(crate) fn open(path: &Path, source: usize, facts: Option<&Facts>, score_field: Option<&str>) -> Result<Self> {
        let footer = read_footer(path)?;
        if score_field.is_some_and(|field| footer.score_field.as_deref() != Some(field)) {
            let saved = footer.score_field.unwrap_or_else(|| "none".to_owned());
            let (name, present) = ("the score field".to_owned(), score_field.unwrap_or_default().to_owned());
            return Err(Error::OtherSketch { path: path.to_owned(), name, saved, present });
        }
        if let Some((name, saved, present)) = facts.and_then(|facts| facts.difference(&footer.facts)) {
            let [name, saved, present] = [name, saved, present].map(str::to_owned);
            return Err(Error::OtherSketch { path: path.to_owned(), name, saved, present });
        }
        let Footer { documents, tokens, keys, key_ends, set_ends, elements, characters, scores, .. } = footer;
        let scores = score_field.map_or(Ok(Vec::new()), |_| read_scores(path, &scores))?;
        Ok(Self {
            path: path.to_owned(),
            source,
            documents: 0..documents,
            tokens,
            keys: StoredArray::open(path, &keys)?,
            key_ends: StoredArray::open(path, &key_ends)?,
            set_ends: StoredArray::open(path, &set_ends)?,
            elements: StoredArray::open(path, &elements)?,
            characters: StoredArray::open(path, &characters)?,
            scores: scores.into_iter(),
            coming_ends: VecDeque::new(),
            key_end: 0,
            set_end: 0,
        })
    }

    /// The next documents; at the end it is checked that all bytes were those that were written.
    fn next_chunk(&mut self) -> Result<Option<Corpus>> {
        if self.documents.is_empty() {
            return self.finish().map(|()| None);
        }
        let set_ends = self.next_set_ends()?;
        let count = set_ends.len();
        let mut corpus = Corpus { tokens: std::mem::take(&mut self.tokens), ..Corpus::default() };
        let (key_ends, characters) = (self.key_ends.next(count)?, self.characters.next(count)?);
        let key_bytes =
            self.keys.next(length(&key_ends, self.key_end).ok_or_else(|| damaged(&self.path, "its keys"))?)?;
        let elements = length(&set_ends, self.set_end).ok_or_else(|| damaged(&self.path, "its sets"))?;
        let elements = self.elements.next(elements)?;
        let mut sets = ShingleSets::new();
        for (index, &characters) in characters.iter().enumerate() {
            let start = |ends: &[u64], before| if index == 0 { before } else { ends[index - 1] };
            let place = |ends: &[u64], before| (start(ends, before) - before) as usize..(ends[index] - before) as usize;
            let key = key_bytes.get(place(&key_ends, self.key_end)).and_then(|key| std::str::from_utf8(key).ok());
            let set = elements.get(place(&set_ends, self.set_end));
            let (Some(key), Some(set)) = (key, set) else { return Err(damaged(&self.path, "its sets")) };
            sets.push_with(|out| out.extend_from_slice(set))?;
            let number = (self.documents.start + index) as u64 + 1;
            let span = Span { offset: 0, length: 0 };
            corpus.push_without_set(key, DocumentInfo { source: self.source as u32, number, span, characters });
        }
        corpus.sets = sets;
        corpus.scores.extend(self.scores.by_ref().take(count));
        self.documents.start += count;
        (self.key_end, self.set_end) = (last(&key_ends), last(&set_ends));
        Ok(Some(corpus))
    }

    /// Where the sets of the next chunk end.
    fn next_set_ends(&mut self) -> Result<Vec<u64>> {
        if self.coming_ends.is_empty() {
            self.coming_ends = self.set_ends.next(self.documents.len().min(CHUNK_DOCUMENTS))?.into();
        }
        let most = self.set_end.saturating_add(CHUNK_ELEMENTS);
        let fitting = self.coming_ends.iter().take_while(|&&end| end <= most).count();
        Ok(self.coming_ends.drain(..fitting.max(1)).collect())
    }

    fn finish(&mut self) -> Result<()> {
        let Self { path, keys, key_ends, set_ends, elements, characters, .. } = self;
        let is_whole = keys.is_as_written()
            && key_ends.is_as_written()
            && set_ends.is_as_written()
            && elements.is_as_written()
            && characters.is_as_written();
        if is_whole { Ok(()) } else { Err(damaged(path, "a checksum")) }
    }
}

impl Iterator for SketchFile {
    type Item = Result<Corpus>;

    fn next(&mut self) -> Option<Result<Corpus>> {
        self.next_chunk().transpose()
    }
}

fn read_scores(path: &Path, extent: &Extent) -> Result<Vec<Option<Score>>> {
    let lines = StoredArray::<u8>::open(path, extent)?.rest()?;
    let scores: serde_json::Result<_> = serde_json::Deserializer::from_slice(&lines).into_iter().collect();
    scores.map_err(|_| damaged(path, "its scores"))
}

fn last(ends: &[u64]) -> u64 {
    ends.last().copied().unwrap_or_default()
}

/// How many items some ascending ends name, behind `before`; `None` if they do not ascend.
fn length(ends: &[u64], before: u64) -> Option<usize> {
    let ascends = ends.is_sorted() && ends.first().is_none_or(|&first| first >= before);
    ascends.then(|| (last(ends) - before) as usize)
}

fn damaged(path: &Path, what: &str) -> Error {
    Error::NotASketch { path: path.to_owned(), what: what.to_owned() }
}

fn read_footer(path: &Path) -> Result<Footer> {
    let io = |source| Error::from(lookalike_io::Error::io("read", path, source));
    let mut file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    if bytes < MAGIC.len() as u64 + TAIL_BYTES {
        return Err(damaged(path, "its end"));
    }
    let mut tail = [0; TAIL_BYTES as usize];
    file.seek(SeekFrom::Start(bytes - TAIL_BYTES)).and_then(|_| file.read_exact(&mut tail)).map_err(io)?;
    let (length, rest) = tail.split_at(8);
    let (checksum, rest) = rest.split_at(8);
    let (version, magic) = rest.split_at(4);
    let mut head = [0; MAGIC.len()];
    file.rewind().and_then(|()| file.read_exact(&mut head)).map_err(io)?;
    if magic != MAGIC || head != *MAGIC {
        return Err(damaged(path, "its end"));
    }
    if version != VERSION.to_le_bytes() {
        return Err(damaged(path, "its version: another version of lookalike has written it"));
    }
    let length = length.try_into().map_or(0, u64::from_le_bytes);
    let Some(start) = (bytes - TAIL_BYTES).checked_sub(length) else { return Err(damaged(path, "its end")) };
    let mut footer = Vec::new();
    file.seek(SeekFrom::Start(start)).and_then(|_| file.take(length).read_to_end(&mut footer)).map_err(io)?;
    if xxh3_64(&footer).to_le_bytes() != checksum {
        return Err(damaged(path, "its footer"));
    }
    let footer: Footer = serde_json::from_slice(&footer).map_err(|_| damaged(path, "its footer"))?;
    let Footer { keys, key_ends, set_ends, elements, characters, scores, .. } = &footer;
    let fits = |extent: &Extent| extent.offset.checked_add(extent.bytes).is_some_and(|end| end <= start);
    if ![keys, key_ends, set_ends, elements, characters, scores].into_iter().all(fits) {
        return Err(damaged(path, "its footer"));
    }
    Ok(footer)
}

/// An array of a sketch, read forward.
#[derive(Debug)]
struct StoredArray<T> {
    path: PathBuf,
    file: File,
    left_bytes: u64,
    checksum: Sum,
    expected: u64,
    items: std::marker::PhantomData<T>,
}

/// A checksum that grows.
struct Sum(Xxh3Default);

impl std::fmt::Debug for Sum {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:x}", self.0.digest())
    }
}

impl<T: bytemuck::Pod> StoredArray<T> {
    fn open(path: &Path, extent: &Extent) -> Result<Self> {
        let io = |source| Error::from(lookalike_io::Error::io("read", path, source));
        let mut file = File::open(path).map_err(io)?;
        file.seek(SeekFrom::Start(extent.offset)).map_err(io)?;
        let checksum = Sum(Xxh3Default::new());
        let (path, left_bytes, expected) = (path.to_owned(), extent.bytes, extent.checksum);
        Ok(Self { path, file, left_bytes, checksum, expected, items: std::marker::PhantomData })
    }

    /// The next items.
    fn next(&mut self, count: usize) -> Result<Vec<T>> {
        let wanted = (count as u64).saturating_mul(size_of::<T>() as u64);
        let Some(left) = self.left_bytes.checked_sub(wanted) else { return Err(damaged(&self.path, "a length")) };
        let mut items = vec![T::zeroed(); count];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut items);
        let read: io::Result<()> = self.file.read_exact(bytes);
        read.map_err(|source| lookalike_io::Error::io("read", &self.path, source))?;
        self.checksum.0.update(bytes);
        self.left_bytes = left;
        Ok(items)
    }

    /// All that is left, checked.
    fn rest(mut self) -> Result<Vec<T>> {
        let items = self.next(self.left_bytes as usize / size_of::<T>())?;
        if self.is_as_written() { Ok(items) } else { Err(damaged(&self.path, "a checksum")) }
    }

    /// Whether all was read and is what was written.
    fn is_as_written(&self) -> bool {
        self.left_bytes == 0 && self.checksum.0.digest() == self.expected
    }
}

#[cfg(test)]
mod tests;
