//! The tokens of documents in a snapshot, with their places: what `sources` asks of references.
//!
//! Sections beside those of the sets: `token ends` and `place ends` (a number a document), `tokens` (hashes of 64
//! bits), `places` ([`encode_spans`]). Tokens are read from front to back, places only of documents that have something
//! in common with a question. They depend on the options of texts and on what a token is, not on the size of shingles.

use super::sections::{AboutSnapshot, KIND, SectionReader, open_container};
use crate::base::{Error, Result};
use crate::run::{Session, read_at};
use crate::spill::{Spill, SpillColumn};
use lookalike_core::comparison::Features;
use lookalike_core::passages::{TokenSpans, decode_spans, encode_spans};
use lookalike_core::stored::{Damage, Directory, Provenance, Section, Writer};
use lookalike_io::base::details::Action;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Tokens of a chunk, about.
const CHUNK_TOKENS: u64 = 1 << 18;

/// The tokens of documents that will be saved, in temporary files until then.
pub(crate) struct TokensToSave {
    token_ends: Vec<u64>,
    tokens: SpillColumn<u64>,
    place_ends: Vec<u64>,
    places: SpillColumn<u8>,
}

impl TokensToSave {
    pub(crate) fn new(session: &Session<'_>) -> Result<Self> {
        let tokens = SpillColumn::in_file(&session.spill)?;
        let places = SpillColumn::in_file(&session.spill)?;
        Ok(Self { token_ends: Vec::new(), tokens, place_ends: Vec::new(), places })
    }

    /// Adds the next document: the hashes of its tokens, and their places as bytes.
    pub(crate) fn push(&mut self, tokens: &[u64], places: &[u8], session: &Session<'_>) -> Result<()> {
        self.tokens.extend(tokens, &session.spill)?;
        self.places.extend(places, &session.spill)?;
        self.token_ends.push(self.tokens.len() as u64);
        self.place_ends.push(self.places.len() as u64);
        Ok(())
    }

    /// Writes the sections.
    pub(super) fn write(self, writer: &mut Writer<impl FnMut(&[u8]) -> Result<()>>, spill: &Spill) -> Result<()> {
        let tokens = self.tokens.finish(spill)?;
        writer.section("token ends", [bytemuck::cast_slice::<_, u8>(&self.token_ends)])?;
        writer.section("tokens", tokens.chunks().map(bytemuck::cast_slice::<_, u8>))?;
        writer.section("place ends", [bytemuck::cast_slice::<_, u8>(&self.place_ends)])?;
        writer.section("places", self.places.finish(spill)?.chunks())
    }
}

/// The places of the tokens of a text, as they are saved.
pub(crate) fn saved_places(spans: &TokenSpans) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_spans(spans, &mut bytes);
    bytes
}

/// The tokens of a snapshot, read forward.
pub(crate) struct StoredTokens {
    /// Number of documents, and of those that were read.
    documents: usize,
    read: usize,
    token_ends: Arc<[u64]>,
    tokens: SectionReader,
}

/// The places of the tokens of a snapshot, looked up.
pub(crate) struct StoredPlaces {
    path: PathBuf,
    /// Not shared with what reads forward, which moves its place.
    file: Mutex<File>,
    ends: Vec<u64>,
    token_ends: Arc<[u64]>,
    places: Section,
}

/// Consecutive documents of a snapshot.
pub(crate) struct TokenChunk {
    /// Their numbers in the snapshot, from 0.
    pub(crate) documents: Range<usize>,
    /// End of the tokens of each document among these.
    ends: Vec<usize>,
    tokens: Vec<u64>,
}

impl TokenChunk {
    /// The documents by their numbers, with the hashes of their tokens.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[u64])> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        let tokens = begins.zip(&self.ends).map(|(begin, &end)| &self.tokens[begin..end]);
        self.documents.clone().zip(tokens)
    }

    /// Bytes that it was read from.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&self.tokens[..]) as u64
    }
}

/// Checks that a snapshot has tokens, cut as these features ask.
///
/// # Errors
/// As [`open_tokens`].
pub(crate) fn check_tokens(path: &Path, features: &Features) -> Result<()> {
    open_checked(path, features).map(drop)
}

/// The file of a snapshot, its directory, and the number of its documents.
fn open_checked(path: &Path, features: &Features) -> Result<(File, Directory, usize)> {
    let (file, directory) = open_container(path, KIND)?;
    let damaged = |damage| Error::NotReadable { path: path.to_owned(), damage };
    let AboutSnapshot { documents, passages, .. } = directory.about().map_err(damaged)?;
    let Some(saved) = passages else {
        return Err(Error::PassagesWithoutTexts { path: path.to_owned() });
    };
    match Provenance::new().with_tokens(features)?.difference(&saved) {
        Some(difference) => Err(Error::MadeOtherwise { path: path.to_owned(), difference }),
        None => Ok((file, directory, documents)),
    }
}

/// Opens the tokens of a snapshot, cut as these features ask.
///
/// # Errors
/// [`Error::PassagesWithoutTexts`] if there are none; [`Error::MadeOtherwise`] if they were cut otherwise;
/// [`Error::NotReadable`] if the file is damaged.
pub(crate) fn open_tokens(path: &Path, features: &Features) -> Result<(StoredTokens, StoredPlaces)> {
    let (file, directory, documents) = open_checked(path, features)?;
    let damaged = |damage| Error::NotReadable { path: path.to_owned(), damage };
    let section = |name| directory.section(name).map_err(damaged);
    let ends = |name: &'static str, of: &'static str, size: u64| -> Result<Vec<u64>> {
        let mut reader = SectionReader::open(path, &file, section(name)?)?;
        let ends: Vec<u64> = reader.items(documents)?;
        reader.finish()?;
        let fits =
            ends.is_sorted() && ends.last().copied().unwrap_or(0).checked_mul(size) == Some(section(of)?.bytes());
        if fits { Ok(ends) } else { Err(damaged(Damage::Section { name: name.to_owned() })) }
    };
    let token_ends: Arc<[u64]> = ends("token ends", "tokens", size_of::<u64>() as u64)?.into();
    let places = StoredPlaces {
        path: path.to_owned(),
        ends: ends("place ends", "places", 1)?,
        token_ends: Arc::clone(&token_ends),
        places: section("places")?.clone(),
        file: Mutex::new(File::open(path).map_err(|source| lookalike_io::Error::io(Action::Read, path, source))?),
    };
    let tokens = SectionReader::open(path, &file, section("tokens")?)?;
    Ok((StoredTokens { documents, read: 0, token_ends, tokens }, places))
}

impl StoredTokens {
    /// Bytes of all tokens.
    pub(crate) fn bytes(&self) -> u64 {
        self.token_ends.last().map_or(0, |&end| end * size_of::<u64>() as u64)
    }

    /// Number of documents.
    pub(crate) fn documents(&self) -> usize {
        self.documents
    }

    fn next_chunk(&mut self) -> Result<Option<TokenChunk>> {
        if self.read == self.documents {
            return self.tokens.finish().map(|()| None);
        }
        let begin = self.read.checked_sub(1).map_or(0, |before| self.token_ends[before]);
        let rest = &self.token_ends[self.read..];
        let count = rest.partition_point(|&end| end - begin <= CHUNK_TOKENS).max(1);
        let ends: Vec<usize> = rest[..count].iter().map(|end| (end - begin) as usize).collect();
        let documents = self.read..self.read + count;
        let tokens = self.tokens.items(ends.last().copied().unwrap_or(0))?;
        self.read += count;
        Ok(Some(TokenChunk { documents, ends, tokens }))
    }
}

impl Iterator for StoredTokens {
    type Item = Result<TokenChunk>;

    fn next(&mut self) -> Option<Result<TokenChunk>> {
        self.next_chunk().transpose()
    }
}

impl StoredPlaces {
    /// Spans of the tokens of a document.
    ///
    /// # Errors
    /// [`Error::NotReadable`] if they are damaged.
    pub(crate) fn spans_of(&self, document: usize) -> Result<TokenSpans> {
        let range = |ends: &[u64]| document.checked_sub(1).map_or(0, |before| ends[before])..ends[document];
        let bytes = range(&self.ends);
        let tokens = range(&self.token_ends);
        let begin = self.places.offset();
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = read_at(&file, &self.path, begin + bytes.start..begin + bytes.end)?;
        drop(file);
        decode_spans(&bytes, (tokens.end - tokens.start) as usize).ok_or_else(|| Error::NotReadable {
            path: self.path.clone(),
            damage: Damage::Section { name: "places".to_owned() },
        })
    }
}
