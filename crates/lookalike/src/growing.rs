//! The corpus while it is read: what is large about it goes to files when it becomes too much, or to the work folder of the job
//! from the start, where it is found again.

use crate::corpus::{Corpus, DocumentInfo, Keys, PackedInfo, References};
use crate::error::Result;
use crate::seen_keys::SeenKeys;
use crate::spill::{Column, ColumnState, Spill};
use crate::work::WorkFolder;
use lookalike_core::DocId;
use lookalike_core::hash::{hash_sequence, hash_token};
use lookalike_core::shingle_sets::ShingleSets;
use lookalike_io::Score;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Numbers that only grow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) tokens: u64,
    pub(crate) empty: u64,
    pub(crate) bad_records: u64,
    /// Documents of references, which come first.
    pub(crate) references: usize,
}

/// What a corpus is made of.
pub(crate) struct Growing<'a> {
    pub(crate) counts: Counts,
    scores: Vec<Option<Score>>,
    columns: Columns,
    seen: SeenKeys,
    spill: &'a Spill,
}

/// The arrays of a corpus.
#[derive(Debug, Default)]
struct Columns {
    keys: Column<u8>,
    key_ends: Column<u64>,
    infos: Column<PackedInfo>,
    elements: Column<u64>,
    set_ends: Column<u64>,
    fingerprints: Column<u64>,
    /// JSON, a line a document; for the work folder only.
    scores: Column<u8>,
}

/// The arrays of a corpus as they were at some moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct GrownState {
    counts: Counts,
    keys: ColumnState,
    key_ends: ColumnState,
    infos: ColumnState,
    elements: ColumnState,
    set_ends: ColumnState,
    fingerprints: ColumnState,
    scores: ColumnState,
}

impl GrownState {
    /// Of each array; all zero if nothing is in files with names.
    fn checksums(&self) -> [u64; 7] {
        let Self { counts: _, keys, key_ends, infos, elements, set_ends, fingerprints, scores } = self;
        [keys, key_ends, infos, elements, set_ends, fingerprints, scores].map(ColumnState::checksum)
    }
}

/// Bytes of text for an element, at least, in most languages: a guess that only spares growing.
const LEAST_BYTES_PER_ELEMENT: u64 = 4;

impl Columns {
    fn in_memory(spill: &Spill, text_bytes: u64) -> Self {
        let expected = text_bytes / LEAST_BYTES_PER_ELEMENT;
        let most = spill.most_corpus_bytes() / size_of::<u64>() as u64;
        let elements = usize::try_from(expected.min(most)).map_or_else(|_| Column::default(), Column::with_room_for);
        Self { elements, ..Self::default() }
    }

    fn in_folder(work: &WorkFolder, spill: &Spill) -> Result<Self> {
        let path = |name: &str| corpus_path(work, name);
        Ok(Self {
            keys: Column::named(&path("keys"), spill)?,
            key_ends: Column::named(&path("key-ends"), spill)?,
            infos: Column::named(&path("places"), spill)?,
            elements: Column::named(&path("elements"), spill)?,
            set_ends: Column::named(&path("set-ends"), spill)?,
            fingerprints: Column::named(&path("fingerprints"), spill)?,
            scores: Column::named(&path("scores"), spill)?,
        })
    }

    /// The arrays as they were; `None` if a file does not begin with what was saved.
    fn resume(work: &WorkFolder, state: &GrownState, spill: &Spill) -> Result<Option<Self>> {
        let path = |name: &str| corpus_path(work, name);
        let resumed = (
            Column::resume(&path("keys"), &state.keys, spill)?,
            Column::resume(&path("key-ends"), &state.key_ends, spill)?,
            Column::resume(&path("places"), &state.infos, spill)?,
            Column::resume(&path("elements"), &state.elements, spill)?,
            Column::resume(&path("set-ends"), &state.set_ends, spill)?,
            Column::resume(&path("fingerprints"), &state.fingerprints, spill)?,
            Column::resume(&path("scores"), &state.scores, spill)?,
        );
        Ok(match resumed {
            (
                Some(keys),
                Some(key_ends),
                Some(infos),
                Some(elements),
                Some(set_ends),
                Some(fingerprints),
                Some(scores),
            ) => Some(Self { keys, key_ends, infos, elements, set_ends, fingerprints, scores }),
            _ => None,
        })
    }
}

fn corpus_path(work: &WorkFolder, name: &str) -> PathBuf {
    work.path(&format!("corpus-{name}"))
}

impl<'a> Growing<'a> {
    /// Nothing yet, of texts that have so many bytes, about.
    pub(crate) fn new(spill: &'a Spill, work: Option<&WorkFolder>, text_bytes: u64) -> Result<Self> {
        let in_memory = || Ok(Columns::in_memory(spill, text_bytes));
        let columns = work.map_or_else(in_memory, |work| Columns::in_folder(work, spill))?;
        Ok(Self { counts: Counts::default(), scores: Vec::new(), columns, seen: SeenKeys::new(), spill })
    }

    /// What was there at some moment; `None` if it is not there any more.
    pub(crate) fn resume(spill: &'a Spill, work: &WorkFolder, state: &GrownState) -> Result<Option<Self>> {
        let Some(mut columns) = Columns::resume(work, state, spill)? else { return Ok(None) };
        let mut seen = SeenKeys::new();
        let (mut start, keys) = (0, columns.keys.read_all(spill)?);
        for (end, document) in columns.key_ends.read_all(spill)?.into_iter().zip(0..) {
            seen.insert(hash_token(&keys[start..end as usize]), DocId(document));
            start = end as usize;
        }
        let lines = columns.scores.read_all(spill)?;
        let scores = serde_json::Deserializer::from_slice(&lines).into_iter().collect::<std::result::Result<_, _>>();
        // The checksum was right, so these are the bytes that were written.
        let scores = scores.unwrap_or_default();
        Ok(Some(Self { counts: state.counts, scores, columns, seen, spill }))
    }

    /// The state, which can be resumed as long as the files begin with what they hold now.
    pub(crate) fn state(&mut self) -> Result<GrownState> {
        let Self { counts, columns, spill, .. } = self;
        Ok(GrownState {
            counts: *counts,
            keys: columns.keys.state(spill)?,
            key_ends: columns.key_ends.state(spill)?,
            infos: columns.infos.state(spill)?,
            elements: columns.elements.state(spill)?,
            set_ends: columns.set_ends.state(spill)?,
            fingerprints: columns.fingerprints.state(spill)?,
            scores: columns.scores.state(spill)?,
        })
    }

    /// Appends all of a document but its set.
    pub(crate) fn append(&mut self, key: &str, info: DocumentInfo, score: Option<&Option<Score>>) -> Result<()> {
        let (columns, spill) = (&mut self.columns, self.spill);
        self.seen.insert(hash_token(key.as_bytes()), DocId::from_index(columns.infos.len())?);
        columns.keys.extend(key.as_bytes(), spill)?;
        columns.key_ends.extend(&[columns.keys.len() as u64], spill)?;
        columns.infos.extend(&[info.pack()], spill)?;
        if let Some(score) = score {
            if columns.scores.is_in_file() {
                columns.scores.extend(lookalike_io::to_json(score)?.as_bytes(), spill)?;
                columns.scores.extend(b"\n", spill)?;
            }
            self.scores.push(score.clone());
        }
        Ok(())
    }

    /// Appends the sets of the documents that were appended last.
    pub(crate) fn append_sets(&mut self, sets: &ShingleSets) -> Result<()> {
        let (columns, spill) = (&mut self.columns, self.spill);
        let (ends, fingerprints) = sets.ends_and_fingerprints();
        let (documents, elements) = (columns.set_ends.len(), columns.elements.len() as u64);
        let is_empty = |set: &DocId| documents + set.index() >= self.counts.references && sets.size(*set) == 0;
        self.counts.empty += DocId::all(sets.len()).filter(is_empty).count() as u64;
        columns.elements.extend(sets.all_elements(), spill)?;
        let ends: Vec<u64> = ends.iter().map(|end| elements + end).collect();
        columns.set_ends.extend(&ends, spill)?;
        columns.fingerprints.extend(fingerprints, spill)?;
        self.move_if_too_large()
    }

    fn move_if_too_large(&mut self) -> Result<()> {
        let (columns, spill) = (&mut self.columns, self.spill);
        let bytes = columns.elements.memory_bytes() + columns.keys.memory_bytes() + columns.infos.memory_bytes();
        if bytes as u64 > spill.most_corpus_bytes() {
            columns.elements.move_to_file(spill)?;
            columns.keys.move_to_file(spill)?;
            columns.infos.move_to_file(spill)?;
        }
        Ok(())
    }

    /// The document with a key. References and inputs may use the same keys.
    pub(crate) fn find(&mut self, key: &str, is_reference: bool) -> Result<Option<DocId>> {
        let Self { columns: Columns { keys, key_ends, .. }, seen, counts, spill, .. } = self;
        for other in seen.candidates(hash_token(key.as_bytes())) {
            if (other.index() < counts.references) == is_reference {
                let start = if other.0 == 0 { 0 } else { key_ends.read(other.index() - 1, spill)? };
                let range = start as usize..key_ends.read(other.index(), spill)? as usize;
                if keys.is_equal(range, key.as_bytes(), spill)? {
                    return Ok(Some(other));
                }
            }
        }
        Ok(None)
    }

    /// Where a document came from.
    pub(crate) fn info(&mut self, document: DocId) -> Result<DocumentInfo> {
        Ok(DocumentInfo::unpack(self.columns.infos.read(document.index(), self.spill)?))
    }

    /// The corpus, complete but for its sources.
    pub(crate) fn finish(mut self, reference_sources: usize) -> Result<Corpus> {
        let checksum = hash_sequence(0, self.state()?.checksums());
        let Self { counts, scores, columns, spill, .. } = self;
        let ends = |column: Column<u64>| -> Result<Vec<u64>> { Ok(column.finish(spill)?.into_vec()) };
        let (set_ends, fingerprints) = (ends(columns.set_ends)?, ends(columns.fingerprints)?);
        Ok(Corpus {
            sets: ShingleSets::from_parts(set_ends, fingerprints, columns.elements.finish(spill)?),
            keys: Keys::from_parts(columns.keys.finish(spill)?, ends(columns.key_ends)?),
            infos: columns.infos.finish(spill)?,
            references: References { sources: reference_sources, documents: counts.references },
            scores,
            checksum,
            tokens: counts.tokens,
            empty: counts.empty,
            bad_records: counts.bad_records,
            ..Corpus::default()
        })
    }
}
