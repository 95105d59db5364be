//! The corpus while it is read: its large arrays go to files when they exceed the memory, or to the work folder of the
//! job from the start, where they are found again.

mod array_checks;

use self::array_checks::{PlacesCheck, SetsCheck};
use super::carried::{CarriedColumns, CarriedStates, Carrier};
use super::ids::{IdPlace, SeenIds};
use super::known_inputs::KnownFile;
use super::records::{RecordPlace, Records, RepeatedIdCounts};
use super::shard::Shard;
use super::{Corpus, Ids, Listing};
use crate::ground::Result;
use crate::run::{Checkpoint, Sections, Stored, WorkFolder};
use crate::spill::{Column, ColumnState, Spill};
use lookalike_core::features::{ElementSets, Form, TextHash};
use lookalike_core::hash::hash_sequence;
use lookalike_core::{DocId, Ragged};
use lookalike_io::{PassedOver, Score, Source};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Numbers that only grow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) tokens: u64,
    pub(super) empty: u64,
    pub(super) bad_records: u64,
    /// Documents whose ids are made of file and line, references among them.
    pub(super) without_id: u64,
    /// Pages, if their articles were asked for, and those of them that have none.
    #[serde(default)]
    pub(super) pages: u64,
    #[serde(default)]
    pub(super) whole_pages: u64,
    /// Documents of references, which come first.
    pub(super) references: usize,
}

/// The parts of a corpus, growing.
pub(super) struct CorpusBuilder<'a> {
    pub(super) counts: Counts,
    pub(super) repeated_ids: RepeatedIdCounts,
    scores: Vec<Option<Score>>,
    columns: Columns,
    seen: SeenIds,
    spill: &'a Spill,
}

/// The arrays of a corpus. Offsets are those of a ragged array without the 0 at the begin.
#[derive(Debug, Default)]
struct Columns {
    ids: Column<u8>,
    id_ends: Column<u64>,
    places: Column<RecordPlace>,
    characters: Column<u64>,
    text_hashes: Column<TextHash>,
    elements: Column<u64>,
    set_ends: Column<u64>,
    set_hashes: Column<u64>,
    /// By element, if counts matter.
    counts: Column<u32>,
    /// JSON, a line a document; for the work folder only.
    scores: Column<u8>,
    /// What travels along, if anything does.
    carried: Option<CarriedColumns>,
}

/// The state of the arrays at some moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ColumnStates {
    ids: ColumnState,
    id_ends: ColumnState,
    places: ColumnState,
    characters: ColumnState,
    text_hashes: ColumnState,
    elements: ColumnState,
    set_ends: ColumnState,
    set_hashes: ColumnState,
    #[serde(default)]
    counts: ColumnState,
    scores: ColumnState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    carried: Option<CarriedStates>,
}

/// How far the reading stage has come: a checkpoint whose arrays are in files of their own, because they grow for a
/// long time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ReadingState {
    /// Number of blocks that were read.
    pub(super) blocks: usize,
    /// Whether there are no more.
    pub(super) is_done: bool,
    /// Changes with the state of any input file.
    pub(super) stamp: u64,
    /// The input files; empty until all are read.
    #[serde(skip)]
    pub(super) inputs: Vec<KnownFile>,
    counts: Counts,
    repeated_ids: RepeatedIdCounts,
    columns: ColumnStates,
    /// Number of dimensions, if documents are vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) dimensions: Option<usize>,
}

/// What an earlier run has left of the reading of these sources.
#[derive(Clone, Copy)]
pub(super) struct SavedReading<'s> {
    pub(super) work: &'s WorkFolder,
    pub(super) state: &'s ReadingState,
    pub(super) sources: &'s [Source],
    /// Number of sources that hold references; they come first.
    pub(super) reference_sources: usize,
    /// What the words of documents are.
    pub(super) form: Form,
}

impl Checkpoint for ReadingState {
    type About = Self;

    fn about(&self) -> Self {
        self.clone()
    }

    fn save(&self, sections: &mut Sections<'_>) -> Result<()> {
        sections.slice("inputs", &self.inputs)
    }

    fn load(about: Self, stored: &Stored<'_>) -> Result<Option<Self>> {
        Ok(stored.array("inputs")?.map(|inputs| Self { inputs: inputs.into_vec(), ..about }))
    }
}

impl ReadingState {
    /// The state of a reading of these inputs; `inputs` are empty until all are read.
    pub(super) fn of_dimensions(self, dimensions: Option<usize>) -> Self {
        Self { dimensions, ..self }
    }

    pub(super) fn of_inputs(self, stamp: u64, inputs: Vec<KnownFile>) -> Self {
        Self { stamp, inputs, ..self }
    }
}

impl ColumnStates {
    /// Of each array; all zero if nothing is in files with names.
    fn checksums(&self) -> impl Iterator<Item = u64> {
        // No answer depends on what travels along.
        let Self {
            ids,
            id_ends,
            places,
            characters,
            text_hashes,
            elements,
            set_ends,
            set_hashes,
            counts,
            scores,
            carried: _,
        } = self;
        let always = [ids, id_ends, places, characters, text_hashes, elements, set_ends, set_hashes, scores];
        // Without counts, it is the checksum of programs that knew none.
        let counts = (counts.bytes() > 0).then_some(counts);
        always.into_iter().chain(counts).map(ColumnState::checksum)
    }
}

/// Bytes of text for an element, at least, in most languages: a guess that only spares growing.
const MIN_BYTES_PER_ELEMENT: u64 = 4;

impl Columns {
    fn in_memory(spill: &Spill, text_bytes: u64) -> Self {
        let expected = text_bytes / MIN_BYTES_PER_ELEMENT;
        let max = spill.budget().max_corpus_bytes() / size_of::<u64>() as u64;
        let elements = usize::try_from(expected.min(max)).map_or_else(|_| Column::default(), Column::with_room_for);
        Self { elements, ..Self::default() }
    }

    fn in_folder(work: &WorkFolder) -> Result<Self> {
        let path = |name: &str| corpus_path(work, name);
        Ok(Self {
            ids: Column::named(&path("ids"))?,
            id_ends: Column::named(&path("id-ends"))?,
            places: Column::named(&path("places"))?,
            characters: Column::named(&path("characters"))?,
            text_hashes: Column::named(&path("text-hashes"))?,
            elements: Column::named(&path("elements"))?,
            set_ends: Column::named(&path("set-ends"))?,
            set_hashes: Column::named(&path("set-hashes"))?,
            counts: Column::named(&path("counts"))?,
            scores: Column::named(&path("scores"))?,
            carried: None,
        })
    }

    /// The arrays as they were; `None` if a file does not begin with what was saved, or they are not those of a corpus.
    fn resume(saved: SavedReading<'_>, spill: &Spill) -> Result<Option<Self>> {
        let SavedReading { work, state, sources, reference_sources, form } = saved;
        let (states, path) = (&state.columns, |name: &str| corpus_path(work, name));
        let mut places_check = PlacesCheck::new(sources, reference_sources);
        // Each is opened, whatever the others turn out to be.
        let ids = Column::resume(&path("ids"), &states.ids, spill, |_| ())?;
        let id_ends = Column::resume(&path("id-ends"), &states.id_ends, spill, |_| ())?;
        let places = Column::resume(&path("places"), &states.places, spill, |some| places_check.look_at(some))?;
        let characters = Column::resume(&path("characters"), &states.characters, spill, |_| ())?;
        let text_hashes = Column::resume(&path("text-hashes"), &states.text_hashes, spill, |_| ())?;
        let mut ends = Vec::new();
        let set_ends = Column::resume(&path("set-ends"), &states.set_ends, spill, |some| ends.extend_from_slice(some))?;
        let mut sets_check = SetsCheck::new(&ends, form);
        let elements = Column::resume(&path("elements"), &states.elements, spill, |some| sets_check.look_at(some))?;
        let set_hashes = Column::resume(&path("set-hashes"), &states.set_hashes, spill, |_| ())?;
        let counts = Column::resume(&path("counts"), &states.counts, spill, |_| ())?;
        let scores = Column::resume(&path("scores"), &states.scores, spill, |_| ())?;
        let carried = states.carried.as_ref().map(|states| CarriedColumns::resume(work, states, spill)).transpose()?;
        let all = || {
            Some(Self {
                ids: ids?,
                id_ends: id_ends?,
                places: places?,
                characters: characters?,
                text_hashes: text_hashes?,
                elements: elements?,
                set_ends: set_ends?,
                set_hashes: set_hashes?,
                counts: counts?,
                scores: scores?,
                carried: carried.map_or(Some(None), |carried| carried.map(Some))?,
            })
        };
        let is_right = places_check.finish(state.counts.references) && sets_check.finish();
        Ok(all().filter(|columns| is_right && columns.have_all(state.counts)))
    }

    /// Whether each document has its part in all arrays, and the counts are such as a corpus can have.
    fn have_all(&self, counts: Counts) -> bool {
        const MAX: u64 = 1 << 60;
        let Counts { tokens, empty, bad_records, without_id, pages, whole_pages, references: _ } = counts;
        if [tokens, empty, bad_records, without_id, pages, whole_pages].iter().any(|&count| count > MAX) {
            return false;
        }
        let documents = self.id_ends.len();
        let Self { places, characters, text_hashes, set_ends, set_hashes, .. } = self;
        let others = [places.len(), characters.len(), text_hashes.len(), set_ends.len(), set_hashes.len()];
        let has_counts = [0, self.elements.len()].contains(&self.counts.len());
        let inputs = documents.saturating_sub(counts.references);
        let has_carried = self.carried.as_ref().is_none_or(|carried| carried.is_of(inputs));
        has_counts && has_carried && others.iter().all(|&len| len == documents)
    }

    /// The documents by their ids; `None` unless the ids are text, and those of references and of inputs are unique.
    fn seen_ids(&mut self, references: usize, spill: &Spill) -> Result<Option<SeenIds>> {
        let (mut seen, ids, ends) = (SeenIds::new(), self.ids.read_all(spill)?, self.id_ends.read_all(spill)?);
        let id_of = |document: usize| {
            let start = document.checked_sub(1).map_or(0, |before| ends[before] as usize);
            ids.get(start..ends[document] as usize).filter(|id| std::str::from_utf8(id).is_ok())
        };
        for document in DocId::all(ends.len()) {
            let Some(id) = id_of(document.index()) else { return Ok(None) };
            let (place, is_reference) = (seen.place(id), document.index() < references);
            let is_same =
                |other: DocId| (other.index() < references) == is_reference && id_of(other.index()) == Some(id);
            if seen.find(place, |other| Result::Ok(is_same(other)))?.is_some() {
                return Ok(None);
            }
            seen.insert(place, document);
        }
        let is_whole = ends.last().map_or(0, |&end| end) == ids.len() as u64;
        Ok(is_whole.then_some(seen))
    }
}

fn corpus_path(work: &WorkFolder, name: &str) -> PathBuf {
    work.path(&format!("corpus-{name}"))
}

impl<'a> CorpusBuilder<'a> {
    /// Nothing yet, of texts that have about `text_bytes` bytes, with what travels along, if anything does.
    pub(super) fn new(
        spill: &'a Spill,
        work: Option<&WorkFolder>,
        (text_bytes, carrier): (u64, Option<Carrier<'_>>),
    ) -> Result<Self> {
        let in_memory = || Ok(Columns::in_memory(spill, text_bytes));
        let mut columns = work.map_or_else(in_memory, Columns::in_folder)?;
        let carried = |_| work.map_or_else(|| Ok(CarriedColumns::default()), CarriedColumns::in_folder);
        columns.carried = carrier.map(carried).transpose()?;
        let (counts, repeated_ids) = (Counts::default(), RepeatedIdCounts::default());
        Ok(Self { counts, repeated_ids, scores: Vec::new(), columns, seen: SeenIds::new(), spill })
    }

    /// The documents of an earlier state; `None` if their files have changed, or cannot be those of a corpus.
    pub(super) fn resume(spill: &'a Spill, saved: SavedReading<'_>) -> Result<Option<Self>> {
        let Some(mut columns) = Columns::resume(saved, spill)? else { return Ok(None) };
        let (counts, repeated_ids) = (saved.state.counts, saved.state.repeated_ids.clone());
        let Some(seen) = columns.seen_ids(counts.references, spill)? else { return Ok(None) };
        let lines = columns.scores.read_all(spill)?;
        let scores = serde_json::Deserializer::from_slice(&lines).into_iter().collect::<std::result::Result<_, _>>();
        let Ok(scores): std::result::Result<Vec<_>, serde_json::Error> = scores else { return Ok(None) };
        if !scores.is_empty() && scores.len() != columns.places.len() {
            return Ok(None);
        }
        Ok(Some(Self { counts, repeated_ids, scores, columns, seen, spill }))
    }

    /// The state, which can be resumed as long as the files begin with what they hold now; nothing is said of inputs.
    pub(super) fn state(&mut self, blocks: usize, is_done: bool) -> Result<ReadingState> {
        let (counts, repeated_ids, columns) = (self.counts, self.repeated_ids.clone(), self.column_states()?);
        Ok(ReadingState {
            blocks,
            is_done,
            stamp: 0,
            inputs: Vec::new(),
            counts,
            repeated_ids,
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
    pub(super) fn append(&mut self, shard: &Shard, document: DocId, (id, place): (&str, IdPlace)) -> Result<()> {
        let (columns, spill, index) = (&mut self.columns, self.spill, document.index());
        self.seen.insert(place, DocId::from_index(columns.places.len())?);
        columns.ids.extend(id.as_bytes(), spill)?;
        columns.id_ends.extend(&[columns.ids.len() as u64], spill)?;
        columns.places.extend(&shard.places[index..=index], spill)?;
        columns.characters.extend(&shard.characters[index..=index], spill)?;
        columns.text_hashes.extend(&shard.text_hashes[index..=index], spill)?;
        if let Some(carried) = columns.carried.as_mut().filter(|_| !shard.carried.is_empty()) {
            carried.append(&shard.carried, index, spill)?;
        }
        if let Some(score) = shard.scores.get(index) {
            if columns.scores.is_in_file() {
                columns.scores.extend(lookalike_io::to_json(score)?.as_bytes(), spill)?;
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
        let (columns, spill) = (&mut self.columns, self.spill);
        let (documents, elements) = (columns.set_ends.len(), columns.elements.len() as u64);
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
        let (columns, spill) = (&mut self.columns, self.spill);
        let Columns { elements, counts, ids, places, characters, text_hashes, .. } = &*columns;
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
        // Two ends more, beside the 64 bytes of a document.
        self.len() + self.columns.carried.as_ref().map_or(0, CarriedColumns::len).div_ceil(4)
    }

    /// Where an id belongs among those that were seen.
    pub(super) fn place_of_id(&self, id: &str) -> IdPlace {
        self.seen.place(id.as_bytes())
    }

    /// The document with an id. References and inputs may use the same ids.
    pub(super) fn find(&mut self, id: &str, place: IdPlace, is_reference: bool) -> Result<Option<DocId>> {
        let Self { columns: Columns { ids, id_ends, .. }, seen, counts, spill, .. } = self;
        seen.find(place, |other| {
            if (other.index() < counts.references) != is_reference {
                return Ok(false);
            }
            let start = if other.0 == 0 { 0 } else { id_ends.read(other.index() - 1, spill)? };
            let range = start as usize..id_ends.read(other.index(), spill)? as usize;
            ids.is_equal(range, id.as_bytes(), spill)
        })
    }

    /// Where the record of a document stands.
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
        let batch = Columns {
            ids: Column::Memory(columns.ids.read_from(start as usize, spill)?),
            id_ends: Column::Memory(ends.into_iter().map(|end| end - start).collect()),
            places: Column::Memory(columns.places.read_from(first, spill)?),
            characters: std::mem::take(&mut columns.characters),
            text_hashes: std::mem::take(&mut columns.text_hashes),
            elements: std::mem::take(&mut columns.elements),
            set_ends: std::mem::take(&mut columns.set_ends),
            set_hashes: std::mem::take(&mut columns.set_hashes),
            counts: std::mem::take(&mut columns.counts),
            scores: Column::default(),
            // Of queries nothing is stored.
            carried: None,
        };
        let (counts, repeated_ids, scores) = (Counts::default(), RepeatedIdCounts::default(), std::mem::take(scores));
        Self { counts, repeated_ids, scores, columns: batch, seen: SeenIds::new(), spill }.finish()
    }

    /// The corpus, and its records without their sources.
    pub(super) fn finish(mut self) -> Result<(Corpus, Records)> {
        let checksum = hash_sequence(0, self.column_states()?.checksums());
        let Self { counts, repeated_ids, scores, columns, spill, .. } = self;
        let offsets = |ends: Column<u64>| -> Result<Vec<u64>> {
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
        let Counts { tokens, empty, .. } = counts;
        let carried = columns.carried.map(|carried| carried.finish(spill).map(Arc::new)).transpose()?;
        let corpus = Corpus { listing, sets, text_hashes, tokens, empty, checksum, carried, ..Corpus::default() };
        let places = columns.places.finish(spill)?;
        let Counts { bad_records, without_id, pages, whole_pages, .. } = counts;
        let (sources, passed_over) = (Vec::new(), PassedOver::default());
        let records = Records {
            sources,
            reference_sources: 0,
            places,
            bad_records,
            without_id,
            pages,
            whole_pages,
            repeated_ids,
            passed_over,
            rows: None,
        };
        Ok((corpus, records))
    }
}
