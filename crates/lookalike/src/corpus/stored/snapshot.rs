//! Snapshots: the ids and element sets of documents in a file, so that a corpus is read and cut into elements once.
//!
//! A snapshot is a container ([`lookalike_core::stored`]) with the sections `ids`, `id offsets`, `set offsets`,
//! `elements`, `text hashes`, `characters` and `scores`, `counts` of elements if the features have them, `names` and
//! `name offsets` of documents whose records have no id, if there are such, and the tokens of the texts if passages
//! will be looked for in them ([`super::tokens`]). Its
//! provenance is the features alone, so it serves any measure, threshold and method. Signatures are not in
//! it: they follow from the sets for any number of permutations, any seed and any bands, in less time than reading them
//! would take, and nothing could be verified with them.
//!
//! Files of version 0.1.0 are fixtures of the tests: they are refused in one line.

use super::sections::{AboutSnapshot, KIND, SectionReader, open_container};
use super::tokens::TokensToSave;
use crate::base::details::StoredScores;
use crate::base::{Error, Result, Stage};
use crate::corpus::corpus::Corpus;
use crate::corpus::records::RecordPlace;
use crate::corpus::shard::Shard;
use crate::run::Session;
use crate::spill::Spill;
use lookalike_core::comparison::Features;
use lookalike_core::documents::{Form, TEXT_HASH, TextHash};
use lookalike_core::stored::{Damage, Provenance, Writer};
use lookalike_io::{AtomicFile, base::Score, outputs::Sealed, sources::Notation};
use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Documents, and elements of their sets, that are read at a time; one document at least.
const SHARD_DOCUMENTS: usize = 512;
const SHARD_ELEMENTS: u64 = 1 << 16;

const _: () = assert!(cfg!(target_endian = "little"), "arrays are written as they stand in memory");

/// Content of a snapshot that is to be written.
pub(crate) struct SnapshotToSave<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) features: &'a Features,
    pub(crate) score_field: Option<&'a str>,
    pub(crate) notation: &'a Notation,
    /// Tokens for passages, if the snapshot is to have them.
    pub(crate) tokens: Option<TokensToSave>,
}

/// Writes the snapshot of a corpus: what comparing asks for. It gets its name when it is published.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_snapshot(saved: SnapshotToSave<'_>, file: AtomicFile, session: &Session<'_>) -> Result<Sealed> {
    session.stage(Stage::over_documents(Stage::WRITING, saved.corpus.len()), || write(saved, file, &session.spill))
}

fn write(saved: SnapshotToSave<'_>, mut file: AtomicFile, spill: &Spill) -> Result<Sealed> {
    let SnapshotToSave { corpus, features, score_field, notation, tokens: passage_tokens } = saved;
    let mut writer = Writer::new(|bytes: &[u8]| Result::Ok(file.write(bytes)?))?;
    let (id_offsets, ids) = corpus.listing.ids.parts();
    writer.section("ids", ids.chunks())?;
    writer.section("id offsets", [bytemuck::cast_slice::<_, u8>(id_offsets)])?;
    let sets = corpus.sets.elements();
    writer.section("set offsets", [bytemuck::cast_slice::<_, u8>(sets.offsets())])?;
    writer.section("elements", sets.values().chunks().map(bytemuck::cast_slice::<_, u8>))?;
    if let Some(counts) = corpus.sets.all_weights() {
        writer.section("counts", counts.chunks().map(bytemuck::cast_slice::<_, u8>))?;
    }
    writer.section("text hashes", corpus.text_hashes.chunks().map(bytemuck::cast_slice::<_, u8>))?;
    writer.section("characters", corpus.listing.characters.chunks().map(bytemuck::cast_slice::<_, u8>))?;
    let scores = corpus
        .listing
        .scores
        .iter()
        .map(lookalike_io::write::to_json)
        .collect::<lookalike_io::Result<Vec<String>>>()?;
    writer.section("scores", scores.iter().flat_map(|score| [score.as_bytes(), b"\n"]))?;
    if let Some(names) = corpus.carried.as_ref().and_then(|carried| carried.names()) {
        writer.section("names", names.values().chunks())?;
        writer.section("name offsets", [bytemuck::cast_slice::<_, u8>(names.offsets())])?;
    }
    let passages = passage_tokens.as_ref().map(|_| Provenance::new().with_tokens(features)).transpose()?;
    if let Some(tokens) = passage_tokens {
        tokens.write(&mut writer, spill)?;
    }
    let documents = corpus.len();
    let tokens = corpus.tokens;
    let score_field = score_field.map(str::to_owned);
    let text_hash = Some(TEXT_HASH.to_owned());
    let notation = notation.clone();
    let about = AboutSnapshot { documents, tokens, score_field, text_hash, passages, notation };
    writer.finish(KIND, &Provenance::new().with_features(features)?, &about)?;
    Ok(file.seal()?)
}

/// Features and notation of the documents of a snapshot.
#[derive(Debug)]
pub(crate) struct SnapshotParameters {
    pub(crate) features: Features,
    pub(crate) notation: Notation,
}

/// Features and notation of a snapshot; `None` if this program has no such features.
///
/// # Errors
/// [`Error::NotReadable`] if the file is damaged or of another version.
pub(crate) fn snapshot_parameters(path: &Path) -> Result<Option<SnapshotParameters>> {
    let (_, directory) = open_container(path, KIND)?;
    let Some(features) = directory.provenance().features() else { return Ok(None) };
    let about: AboutSnapshot =
        directory.about().map_err(|damage| Error::NotReadable { path: path.to_owned(), damage })?;
    let AboutSnapshot { notation, .. } = about;
    Ok(Some(SnapshotParameters { features, notation }))
}

/// Names of the documents whose records have no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::corpus) enum RecordNames {
    /// Read: an index will store them.
    Read,
    /// Left in the file.
    Skipped,
}

/// A snapshot that is read, some documents at a time.
#[derive(Debug)]
pub(in crate::corpus) struct SnapshotReader {
    path: PathBuf,
    /// Index among the sources.
    source: usize,
    /// Form of the words of documents.
    form: Form,
    documents: Range<usize>,
    tokens: u64,
    ids: SectionReader,
    id_offsets: SectionReader,
    set_offsets: SectionReader,
    /// `None` if only ids are requested.
    elements: Option<SectionReader>,
    /// `None` if the features have none.
    counts: Option<SectionReader>,
    /// `None` if there are none, or none that this program makes.
    text_hashes: Option<SectionReader>,
    characters: SectionReader,
    scores: std::vec::IntoIter<Option<Score>>,
    record_names: RecordNames,
    names: Option<SavedNames>,
    /// Ends of sets that were read ahead.
    coming_ends: VecDeque<u64>,
    /// End of the last document among the ids.
    id_end: u64,
    set_end: u64,
    name_end: u64,
}

/// The names of all documents, one after the other, and their ends.
#[derive(Debug)]
struct SavedNames {
    bytes: SectionReader,
    ends: SectionReader,
}

impl SnapshotReader {
    /// Opens a snapshot of documents whose elements are these `features`; `None` if only ids are requested.
    ///
    /// # Errors
    /// [`Error::NotReadable`] if the file is damaged or of another version; [`Error::MadeOtherwise`] if its elements
    /// were made otherwise.
    pub(in crate::corpus) fn open(
        path: &Path,
        source: usize,
        features: Option<&Features>,
        score_field: Option<&str>,
        record_names: RecordNames,
    ) -> Result<Self> {
        let (file, directory) = open_container(path, KIND)?;
        let damaged = |damage| Error::NotReadable { path: path.to_owned(), damage };
        let AboutSnapshot { documents, tokens, score_field: saved_field, text_hash, passages: _, notation: _ } =
            directory.about().map_err(damaged)?;
        if let Some(field) = score_field.filter(|&field| saved_field.as_deref() != Some(field)) {
            let stored = saved_field.map_or(StoredScores::Absent, StoredScores::Field);
            return Err(Error::OtherScoreField { path: path.to_owned(), stored, field: field.to_owned() });
        }
        let has_sets = features.is_some();
        let form = features.map(Features::form).unwrap_or_default();
        let features = features.map(|features| Provenance::new().with_features(features)).transpose()?;
        if let Some(difference) = features.and_then(|features| features.difference(directory.provenance())) {
            return Err(Error::MadeOtherwise { path: path.to_owned(), difference });
        }
        let section = |name| SectionReader::open(path, &file, directory.section(name).map_err(damaged)?);
        let mut reader = Self {
            path: path.to_owned(),
            source,
            form,
            documents: 0..documents,
            tokens,
            ids: section("ids")?,
            id_offsets: section("id offsets")?,
            set_offsets: section("set offsets")?,
            elements: has_sets.then(|| section("elements")).transpose()?,
            counts: (has_sets && directory.section("counts").is_ok()).then(|| section("counts")).transpose()?,
            text_hashes: (text_hash.as_deref() == Some(TEXT_HASH)).then(|| section("text hashes")).transpose()?,
            characters: section("characters")?,
            scores: score_field.map_or(Ok(Vec::new()), |_| section("scores")?.lines())?.into_iter(),
            coming_ends: VecDeque::new(),
            id_end: 0,
            set_end: 0,
            record_names,
            names: None,
            name_end: 0,
        };
        let begins = [reader.id_offsets.numbers(1)?, reader.set_offsets.numbers(1)?];
        if begins.iter().any(|begin| begin != &[0]) {
            return Err(damaged(Damage::Directory));
        }
        let has_names = directory.section("names").is_ok() && directory.section("name offsets").is_ok();
        if record_names == RecordNames::Read && has_names {
            let mut names = SavedNames { bytes: section("names")?, ends: section("name offsets")? };
            if names.ends.numbers(1)? != [0] {
                return Err(reader.damaged("name offsets"));
            }
            reader.names = Some(names);
        }
        Ok(reader)
    }

    /// Reads the names of so many documents, if they are read.
    fn read_names(&mut self, documents: usize, shard: &mut Shard) -> Result<()> {
        let Some(saved) = &mut self.names else {
            (0..documents)
                .filter(|_| self.record_names == RecordNames::Read)
                .for_each(|_| shard.carried.push_name(&[]));
            return Ok(());
        };
        let ends = saved.ends.numbers(documents)?;
        let length = self.length(&ends, self.name_end, "name offsets")?;
        let bytes = self.names.as_mut().map_or(Ok(Vec::new()), |saved| saved.bytes.bytes(length))?;
        let mut start = 0;
        for end in ends.iter().map(|end| (end - self.name_end) as usize) {
            shard.carried.push_name(&bytes[start..end]);
            start = end;
        }
        self.name_end += length as u64;
        Ok(())
    }

    /// The next documents; at the end it is checked that all bytes were those that were written.
    fn next_shard(&mut self) -> Result<Option<Shard>> {
        if self.documents.is_empty() {
            let Self { ids, id_offsets, set_offsets, elements, counts, text_hashes, characters, names, .. } = self;
            let names = names.iter_mut().flat_map(|saved| [&mut saved.bytes, &mut saved.ends]);
            return [ids, id_offsets, set_offsets, characters]
                .into_iter()
                .chain(names)
                .chain(elements)
                .chain(counts)
                .chain(text_hashes)
                .try_for_each(|section| section.finish())
                .map(|()| None);
        }
        let set_ends = self.next_set_ends()?;
        let id_ends = self.id_offsets.numbers(set_ends.len())?;
        let characters = self.characters.numbers(set_ends.len())?;
        let text_hashes = match &mut self.text_hashes {
            Some(hashes) => hashes.items(set_ends.len())?,
            None => vec![TextHash::UNKNOWN; set_ends.len()],
        };
        let ids = self.ids.bytes(self.length(&id_ends, self.id_end, "id offsets")?)?;
        let count = self.length(&set_ends, self.set_end, "set offsets")?;
        let elements = self.elements.as_mut().map(|elements| elements.numbers(count)).transpose()?;
        let counts = self.counts.as_mut().map(|counts| counts.items::<u32>(count)).transpose()?;
        if counts.iter().flatten().any(|&count| count == 0) {
            return Err(self.damaged("counts"));
        }
        let mut shard = Shard { tokens: std::mem::take(&mut self.tokens), text_hashes, ..Shard::default() };
        for (index, &characters) in characters.iter().enumerate() {
            let place = |ends: &[u64], before: u64| {
                let start = if index == 0 { before } else { ends[index - 1] };
                (start - before) as usize..(ends[index] - before) as usize
            };
            let id = std::str::from_utf8(&ids[place(&id_ends, self.id_end)]).map_err(|_| self.damaged("ids"))?;
            shard.ids.push(id);
            let range = place(&set_ends, self.set_end);
            let elements = elements.as_ref().map_or(&[][..], |elements| &elements[range.clone()]);
            let set = self.form.checked(elements).map_err(|_| self.damaged("elements"))?;
            match &counts {
                None => shard.sets.push_as(self.form, set)?,
                Some(counts) => shard.sets.push_counted(set, &counts[range])?,
            }
            let number = (self.documents.start + index) as u64 + 1;
            shard.places.push(RecordPlace { source: self.source as u64, number, offset: 0, length: 0 });
            shard.characters.push(characters);
        }
        shard.scores.extend(self.scores.by_ref().take(set_ends.len()));
        self.read_names(set_ends.len(), &mut shard)?;
        // Nearly all of a snapshot are elements: progress counts them, whether they are read or not.
        shard.input_bytes = (count * size_of::<u64>()) as u64;
        self.documents.start += set_ends.len();
        self.id_end = last(&id_ends);
        self.set_end = last(&set_ends);
        Ok(Some(shard))
    }

    /// Ends of the sets of the next shard.
    fn next_set_ends(&mut self) -> Result<Vec<u64>> {
        if self.coming_ends.is_empty() {
            self.coming_ends = self.set_offsets.numbers(self.documents.len().min(SHARD_DOCUMENTS))?.into();
        }
        let max = self.set_end.saturating_add(SHARD_ELEMENTS);
        let fitting = self.coming_ends.iter().take_while(|&&end| end <= max).count();
        Ok(self.coming_ends.drain(..fitting.max(1)).collect())
    }

    /// Number of items between `before` and the last of some ascending ends.
    fn length(&self, ends: &[u64], before: u64, section: &'static str) -> Result<usize> {
        let ascends = ends.is_sorted() && ends.first().is_none_or(|&first| first >= before);
        if ascends { Ok((last(ends) - before) as usize) } else { Err(self.damaged(section)) }
    }

    fn damaged(&self, section: &str) -> Error {
        Error::NotReadable { path: self.path.clone(), damage: Damage::Section { name: section.to_owned() } }
    }
}

impl Iterator for SnapshotReader {
    type Item = Result<Shard>;

    fn next(&mut self) -> Option<Result<Shard>> {
        self.next_shard().transpose()
    }
}

fn last(ends: &[u64]) -> u64 {
    ends.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
