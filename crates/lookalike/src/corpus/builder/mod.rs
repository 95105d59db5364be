//! The corpus while it is read: its large arrays go to files when they exceed the memory, or to the work folder of the
//! job from the start, where they are found again.

mod array_checks;
mod columns;

use self::columns::{ColumnStates, CorpusColumns};
pub(super) use self::columns::{ReadingCounts, ReadingState, SavedReading};
use super::carried::{CarriedColumns, Carrier};
use super::ids::{IdPlace, SeenIds};
use super::records::{RecordPlace, Records, RepeatedIdCounts};
use super::shard::Shard;
use super::{Corpus, Ids, Listing};
use crate::base::Result;
use crate::run::WorkFolder;
use crate::spill::{Spill, SpillColumn};
use lookalike_core::documents::ElementSets;
use lookalike_core::hash::hash_sequence;
use lookalike_core::{DocId, Ragged};
use lookalike_io::{base::Score, read::TableRemarks};
use std::sync::Arc;

/// The parts of a corpus, growing.
pub(super) struct CorpusBuilder<'a> {
    pub(super) counts: ReadingCounts,
    pub(super) repeated_ids: RepeatedIdCounts,
    pub(super) tables: TableRemarks,
    scores: Vec<Option<Score>>,
    columns: CorpusColumns,
    seen: SeenIds,
    spill: &'a Spill,
}

impl<'a> CorpusBuilder<'a> {
    /// Empty corpus for texts of about `text_bytes` bytes, with carried data if there is a carrier.
    pub(super) fn new(
        spill: &'a Spill,
        work: Option<&WorkFolder>,
        text_bytes: u64,
        carrier: Option<Carrier<'_>>,
    ) -> Result<Self> {
        let in_memory = || Ok(CorpusColumns::in_memory(spill, text_bytes));
        let mut columns = work.map_or_else(in_memory, CorpusColumns::in_folder)?;
        let carried = |_| work.map_or_else(|| Ok(CarriedColumns::default()), CarriedColumns::in_folder);
        columns.carried = carrier.map(carried).transpose()?;
        let counts = ReadingCounts::default();
        let repeated_ids = RepeatedIdCounts::default();
        let tables = TableRemarks::default();
        Ok(Self { counts, repeated_ids, tables, scores: Vec::new(), columns, seen: SeenIds::default(), spill })
    }

    /// The documents of an earlier state; `None` if their files have changed, or cannot be those of a corpus.
    pub(super) fn resume(spill: &'a Spill, saved: SavedReading<'_>) -> Result<Option<Self>> {
        let Some(mut columns) = CorpusColumns::resume(saved, spill)? else { return Ok(None) };
        let ReadingState { counts, repeated_ids, tables, .. } = saved.state.clone();
        let Some(seen) = columns.seen_ids(counts.references, spill)? else { return Ok(None) };
        let lines = columns.scores.read_all(spill)?;
        let scores = serde_json::Deserializer::from_slice(&lines).into_iter().collect::<std::result::Result<_, _>>();
        let Ok(scores): std::result::Result<Vec<_>, serde_json::Error> = scores else { return Ok(None) };
        if !scores.len().is_multiple_of(columns.places.len()) {
            return Ok(None);
        }
        Ok(Some(Self { counts, repeated_ids, tables, scores, columns, seen, spill }))
    }

    /// The state, which can be resumed as long as the files begin with what they hold now; nothing is said of inputs.
    pub(super) fn state(&mut self, blocks: usize, is_done: bool) -> Result<ReadingState> {
        let columns = self.column_states()?;
        let Self { counts, repeated_ids, tables, .. } = self;
        Ok(ReadingState {
            blocks,
            is_done,
            stamp: 0,
            inputs: Vec::new(),
            counts: *counts,
            repeated_ids: repeated_ids.clone(),
            tables: tables.clone(),
            columns,
            dimensions: None,
        })
    }

    fn column_states(&mut self) -> Result<ColumnStates> {
        let Self { columns, spill, .. } = self;
        Ok(ColumnStates {
            ids: columns.ids.state(spill)?,
            id_ends: columns.id_ends.state(spill)?,
            places: columns.places.state(spill)?,
            characters: columns.characters.state(spill)?,
            text_hashes: columns.text_hashes.state(spill)?,
            elements: columns.elements.state(spill)?,
            set_ends: columns.set_ends.state(spill)?,
            set_hashes: columns.set_hashes.state(spill)?,
            counts: columns.counts.state(spill)?,
            scores: columns.scores.state(spill)?,
            carried: columns.carried.as_mut().map(|carried| carried.states(spill)).transpose()?,
        })
    }

    /// Appends all of a document of a shard but its set, by an id that is new and belongs to `place`.
    pub(super) fn append(&mut self, shard: &Shard, document: DocId, id: &str, place: IdPlace) -> Result<()> {
        let columns = &mut self.columns;
        let spill = self.spill;
        let index = document.index();
        self.seen.insert(place, DocId::from_index(columns.places.len())?);
        columns.ids.extend(id.as_bytes(), spill)?;
        columns.id_ends.extend(&[columns.ids.len() as u64], spill)?;
        columns.places.extend(&shard.places[index..=index], spill)?;
        columns.characters.extend(&shard.characters[index..=index], spill)?;
        columns.text_hashes.extend(&shard.text_hashes[index..=index], spill)?;
        if let Some(carried) = columns.carried.as_mut().filter(|_| !shard.carried.is_empty()) {
            carried.append(&shard.carried, index, spill)?;
        }
        let fields = shard.scores.len() / shard.len();
        for score in &shard.scores[index * fields..(index + 1) * fields] {
            if columns.scores.is_in_file() {
                columns.scores.extend(lookalike_io::write::to_json(score)?.as_bytes(), spill)?;
                columns.scores.extend(b"\n", spill)?;
            }
            self.scores.push(score.clone());
        }
        Ok(())
    }

    /// Appends the sets of the documents that were appended last.
    pub(super) fn append_sets(&mut self, sets: &ElementSets) -> Result<()> {
        // Before they are there: the set of one document may exceed the memory.
        let counts_bytes = sets.all_weights().map_or(0, |counts| counts.len() * size_of::<u32>());
        self.move_if_too_large(sets.total_elements() * size_of::<u64>() + counts_bytes)?;
        let columns = &mut self.columns;
        let spill = self.spill;
        let documents = columns.set_ends.len();
        let elements = columns.elements.len() as u64;
        let is_empty = |set: &DocId| documents + set.index() >= self.counts.references && sets.size(*set) == 0;
        self.counts.empty += DocId::all(sets.len()).filter(is_empty).count() as u64;
        sets.elements().values().chunks().try_for_each(|chunk| columns.elements.extend(chunk, spill))?;
        if let Some(counts) = sets.all_weights() {
            counts.chunks().try_for_each(|chunk| columns.counts.extend(chunk, spill))?;
        }
        let ends: Vec<u64> = sets.elements().offsets()[1..].iter().map(|end| elements + end).collect();
        columns.set_ends.extend(&ends, spill)?;
        columns.set_hashes.extend(sets.hashes(), spill)
    }

    /// Moves the large arrays to files if they take too much memory with `more_bytes` bytes of elements.
    fn move_if_too_large(&mut self, more_bytes: usize) -> Result<()> {
        let columns = &mut self.columns;
        let spill = self.spill;
        let CorpusColumns { elements, counts, ids, places, characters, text_hashes, .. } = &*columns;
        let of_documents = places.memory_bytes() + characters.memory_bytes() + text_hashes.memory_bytes();
        let of_carried = columns.carried.as_ref().map_or(0, CarriedColumns::memory_bytes);
        let of_sets = elements.memory_bytes() + counts.memory_bytes() + more_bytes;
        let bytes = of_sets + ids.memory_bytes() + of_documents + of_carried;
        if bytes as u64 > spill.budget().max_corpus_bytes() {
            columns.elements.move_to_file(spill)?;
            columns.counts.move_to_file(spill)?;
            columns.ids.move_to_file(spill)?;
            columns.places.move_to_file(spill)?;
            columns.characters.move_to_file(spill)?;
            columns.text_hashes.move_to_file(spill)?;
            columns.carried.as_mut().map_or(Ok(()), |carried| carried.move_to_file(spill))?;
        }
        Ok(())
    }

    /// Number of documents.
    pub(super) fn len(&self) -> usize {
        self.columns.places.len()
    }

    /// Number of documents whose part in every job takes as much memory as what is held of these.
    pub(super) fn weight(&self) -> usize {
        // Three ends more, beside the 64 bytes of a document.
        self.len() + (3 * self.columns.carried.as_ref().map_or(0, CarriedColumns::len)).div_ceil(8)
    }

    /// Place of an id among those that were seen.
    pub(super) fn place_of_id(&self, id: &str) -> IdPlace {
        self.seen.place(id.as_bytes())
    }

    /// The document with an id. References and inputs may use the same ids.
    pub(super) fn find(&mut self, id: &str, place: IdPlace, is_reference: bool) -> Result<Option<DocId>> {
        let Self { columns: CorpusColumns { ids, id_ends, .. }, seen, counts, spill, .. } = self;
        seen.find(place, |other| {
            if (other.index() < counts.references) != is_reference {
                return Ok(false);
            }
            let start = if other.0 == 0 { 0 } else { id_ends.read(other.index() - 1, spill)? };
            let range = start as usize..id_ends.read(other.index(), spill)? as usize;
            ids.is_equal(range, id.as_bytes(), spill)
        })
    }

    /// Place of the record of a document.
    pub(super) fn place(&mut self, document: DocId) -> Result<RecordPlace> {
        self.columns.places.read(document.index(), self.spill)
    }

    /// The documents that were appended since the last batch was taken, as a corpus of their own with its records. Of
    /// them no more than ids and places is kept, by which ids that occur again are known.
    pub(super) fn take_batch(&mut self) -> Result<(Corpus, Records)> {
        let Self { columns, scores, spill, .. } = self;
        let spill = *spill;
        let first = columns.places.len() - columns.set_ends.len();
        let start = first.checked_sub(1).map_or(Ok(0), |before| columns.id_ends.read(before, spill))?;
        let ends = columns.id_ends.read_from(first, spill)?;
        let batch = CorpusColumns {
            ids: SpillColumn::Memory(columns.ids.read_from(start as usize, spill)?),
            id_ends: SpillColumn::Memory(ends.into_iter().map(|end| end - start).collect()),
            places: SpillColumn::Memory(columns.places.read_from(first, spill)?),
            characters: std::mem::take(&mut columns.characters),
            text_hashes: std::mem::take(&mut columns.text_hashes),
            elements: std::mem::take(&mut columns.elements),
            set_ends: std::mem::take(&mut columns.set_ends),
            set_hashes: std::mem::take(&mut columns.set_hashes),
            counts: std::mem::take(&mut columns.counts),
            scores: SpillColumn::default(),
            // Of queries nothing is stored.
            carried: None,
        };
        Self {
            counts: ReadingCounts::default(),
            repeated_ids: RepeatedIdCounts::default(),
            tables: TableRemarks::default(),
            scores: std::mem::take(scores),
            columns: batch,
            seen: SeenIds::default(),
            spill,
        }
        .finish()
    }

    /// The corpus, and its records without their sources.
    pub(super) fn finish(mut self) -> Result<(Corpus, Records)> {
        let checksum = hash_sequence(0, self.column_states()?.checksums());
        let Self { counts, repeated_ids, tables, scores, columns, spill, .. } = self;
        let offsets = |ends: SpillColumn<u64>| -> Result<Vec<u64>> {
            let mut offsets = ends.finish(spill)?.into_vec();
            offsets.insert(0, 0);
            Ok(offsets)
        };
        let elements = Ragged::from_parts(offsets(columns.set_ends)?, columns.elements.finish(spill)?)?;
        let listing = Listing {
            ids: Ids::from_parts(offsets(columns.id_ends)?, columns.ids.finish(spill)?)?,
            characters: columns.characters.finish(spill)?,
            scores,
            references: counts.references,
        };
        let has_counts = columns.counts.len() > 0;
        let element_counts = columns.counts.finish(spill)?;
        let sets = ElementSets::from_parts(elements, columns.set_hashes.finish(spill)?.into_vec());
        let sets = if has_counts { sets.with_weights(element_counts, None)? } else { sets };
        let text_hashes = columns.text_hashes.finish(spill)?;
        let carried = columns.carried.map(|carried| carried.finish(spill).map(Arc::new)).transpose()?;
        let ReadingCounts { tokens, empty, short, bad_records, without_id, pages, whole_pages, references: _ } = counts;
        let listed = Corpus { listing, sets, text_hashes, checksum, carried, ..Corpus::default() };
        let corpus = Corpus { tokens, empty, short_counts: short, ..listed };
        let places = columns.places.finish(spill)?;
        let of_places = Records { places, repeated_ids, tables, ..Records::default() };
        let records = Records { bad_records, without_id, pages, whole_pages, ..of_places };
        Ok((corpus, records))
    }
}
