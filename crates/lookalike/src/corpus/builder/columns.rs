//! The arrays of a corpus that grows, in memory or in files, and how a work folder finds them again.

use super::array_checks::{PlacesCheck, SetsCheck};
use crate::base::Result;
use crate::corpus::carried::{CarriedColumns, CarriedStates};
use crate::corpus::corpus::ShortCounts;
use crate::corpus::ids::SeenIds;
use crate::corpus::reading::KnownFile;
use crate::corpus::records::{RecordPlace, RepeatedIdCounts};
use crate::run::{Checkpoint, SectionWriter, Stored, WorkFolder};
use crate::spill::{ColumnState, Spill, SpillColumn};
use lookalike_core::DocId;
use lookalike_core::documents::{Form, TextHash};
use lookalike_io::{Source, read::TableRemarks};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Numbers that only grow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::corpus) struct ReadingCounts {
    pub(in crate::corpus) tokens: u64,
    pub(in crate::corpus) empty: u64,
    #[serde(default)]
    pub(in crate::corpus) short: ShortCounts,
    pub(in crate::corpus) bad_records: u64,
    /// Documents whose ids are made of file and line, references among them.
    pub(in crate::corpus) without_id: u64,
    /// Pages, if their articles were requested, and those of them that have none.
    #[serde(default)]
    pub(in crate::corpus) pages: u64,
    #[serde(default)]
    pub(in crate::corpus) whole_pages: u64,
    /// Documents of references, which come first.
    pub(in crate::corpus) references: usize,
}

/// The arrays of a corpus. Offsets are those of a ragged array without the 0 at the begin.
#[derive(Debug, Default)]
pub(super) struct CorpusColumns {
    pub(super) ids: SpillColumn<u8>,
    pub(super) id_ends: SpillColumn<u64>,
    pub(super) places: SpillColumn<RecordPlace>,
    pub(super) characters: SpillColumn<u64>,
    pub(super) text_hashes: SpillColumn<TextHash>,
    pub(super) elements: SpillColumn<u64>,
    pub(super) set_ends: SpillColumn<u64>,
    pub(super) set_hashes: SpillColumn<u64>,
    /// Counts by element, if they matter.
    pub(super) counts: SpillColumn<u32>,
    /// JSON, a line a document; for the work folder only.
    pub(super) scores: SpillColumn<u8>,
    /// Carried data, if there is any.
    pub(super) carried: Option<CarriedColumns>,
}

/// The state of the arrays at some moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::corpus) struct ColumnStates {
    pub(super) ids: ColumnState,
    pub(super) id_ends: ColumnState,
    pub(super) places: ColumnState,
    pub(super) characters: ColumnState,
    pub(super) text_hashes: ColumnState,
    pub(super) elements: ColumnState,
    pub(super) set_ends: ColumnState,
    pub(super) set_hashes: ColumnState,
    #[serde(default)]
    pub(super) counts: ColumnState,
    pub(super) scores: ColumnState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) carried: Option<CarriedStates>,
}

/// Progress of the reading stage: a checkpoint whose arrays are in files of their own, because they grow for a
/// long time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::corpus) struct ReadingState {
    /// Number of blocks that were read.
    pub(in crate::corpus) blocks: usize,
    /// True if there are no more.
    pub(in crate::corpus) is_done: bool,
    /// Changes with the state of any input file.
    pub(in crate::corpus) stamp: u64,
    /// The input files; empty until all are read.
    #[serde(skip)]
    pub(in crate::corpus) inputs: Vec<KnownFile>,
    pub(in crate::corpus) counts: ReadingCounts,
    pub(in crate::corpus) repeated_ids: RepeatedIdCounts,
    #[serde(default)]
    pub(in crate::corpus) tables: TableRemarks,
    pub(in crate::corpus) columns: ColumnStates,
    /// Number of dimensions, if documents are vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::corpus) dimensions: Option<usize>,
}

/// State that an earlier run has left of the reading of these sources.
#[derive(Clone, Copy)]
pub(in crate::corpus) struct SavedReading<'s> {
    pub(in crate::corpus) work: &'s WorkFolder,
    pub(in crate::corpus) state: &'s ReadingState,
    pub(in crate::corpus) sources: &'s [Source],
    /// Number of sources that hold references; they come first.
    pub(in crate::corpus) reference_sources: usize,
    /// Form of the words of documents.
    pub(in crate::corpus) form: Form,
}

impl Checkpoint for ReadingState {
    type About = Self;

    fn about(&self) -> Self {
        self.clone()
    }

    fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
        sections.slice("inputs", &self.inputs)
    }

    fn load(about: Self, stored: &Stored<'_>) -> Result<Option<Self>> {
        Ok(stored.array("inputs")?.map(|inputs| Self { inputs: inputs.into_vec(), ..about }))
    }
}

impl ColumnStates {
    /// Checksums of the arrays; all zero if nothing is in files with names.
    pub(super) fn checksums(&self) -> impl Iterator<Item = u64> {
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

impl CorpusColumns {
    pub(super) fn in_memory(spill: &Spill, text_bytes: u64) -> Self {
        let expected = text_bytes / MIN_BYTES_PER_ELEMENT;
        let max = spill.budget().max_corpus_bytes() / size_of::<u64>() as u64;
        let elements =
            usize::try_from(expected.min(max)).map_or_else(|_| SpillColumn::default(), SpillColumn::with_capacity_for);
        Self { elements, ..Self::default() }
    }

    pub(super) fn in_folder(work: &WorkFolder) -> Result<Self> {
        let path = |name: &str| corpus_path(work, name);
        Ok(Self {
            ids: SpillColumn::named(&path("ids"))?,
            id_ends: SpillColumn::named(&path("id-ends"))?,
            places: SpillColumn::named(&path("places"))?,
            characters: SpillColumn::named(&path("characters"))?,
            text_hashes: SpillColumn::named(&path("text-hashes"))?,
            elements: SpillColumn::named(&path("elements"))?,
            set_ends: SpillColumn::named(&path("set-ends"))?,
            set_hashes: SpillColumn::named(&path("set-hashes"))?,
            counts: SpillColumn::named(&path("counts"))?,
            scores: SpillColumn::named(&path("scores"))?,
            carried: None,
        })
    }

    /// The arrays as they were; `None` if a file does not begin with what was saved, or they are not those of a corpus.
    pub(super) fn resume(saved: SavedReading<'_>, spill: &Spill) -> Result<Option<Self>> {
        let SavedReading { work, state, sources, reference_sources, form } = saved;
        let states = &state.columns;
        let path = |name: &str| corpus_path(work, name);
        let mut places_check = PlacesCheck::new(sources, reference_sources);
        // Each is opened, whatever the others turn out to be.
        let ids = SpillColumn::resume(&path("ids"), &states.ids, spill, |_| ())?;
        let id_ends = SpillColumn::resume(&path("id-ends"), &states.id_ends, spill, |_| ())?;
        let places = SpillColumn::resume(&path("places"), &states.places, spill, |some| places_check.look_at(some))?;
        let characters = SpillColumn::resume(&path("characters"), &states.characters, spill, |_| ())?;
        let text_hashes = SpillColumn::resume(&path("text-hashes"), &states.text_hashes, spill, |_| ())?;
        let mut ends = Vec::new();
        let set_ends =
            SpillColumn::resume(&path("set-ends"), &states.set_ends, spill, |some| ends.extend_from_slice(some))?;
        let mut sets_check = SetsCheck::new(&ends, form);
        let elements =
            SpillColumn::resume(&path("elements"), &states.elements, spill, |some| sets_check.look_at(some))?;
        let set_hashes = SpillColumn::resume(&path("set-hashes"), &states.set_hashes, spill, |_| ())?;
        let counts = SpillColumn::resume(&path("counts"), &states.counts, spill, |_| ())?;
        let scores = SpillColumn::resume(&path("scores"), &states.scores, spill, |_| ())?;
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

    /// Returns whether each document has its part in all arrays, and the counts are such as a corpus can have.
    fn have_all(&self, counts: ReadingCounts) -> bool {
        const MAX: u64 = 1 << 60;
        let ReadingCounts { tokens, empty, short, bad_records, without_id, pages, whole_pages, references: _ } = counts;
        let ShortCounts { inputs, references } = short;
        let all = [tokens, empty, inputs, references, bad_records, without_id, pages, whole_pages];
        if all.iter().any(|&count| count > MAX) {
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
    pub(super) fn seen_ids(&mut self, references: usize, spill: &Spill) -> Result<Option<SeenIds>> {
        let mut seen = SeenIds::default();
        let ids = self.ids.read_all(spill)?;
        let ends = self.id_ends.read_all(spill)?;
        let id_of = |document: usize| {
            let start = document.checked_sub(1).map_or(0, |before| ends[before] as usize);
            ids.get(start..ends[document] as usize).filter(|id| std::str::from_utf8(id).is_ok())
        };
        for document in DocId::all(ends.len()) {
            let Some(id) = id_of(document.index()) else { return Ok(None) };
            let place = seen.place(id);
            let is_reference = document.index() < references;
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

pub(super) fn corpus_path(work: &WorkFolder, name: &str) -> PathBuf {
    work.path(&format!("corpus-{name}"))
}
