//! The first stage: records are read, and forgotten as soon as their elements are known.

use super::known_inputs::{known_files, stamp_of, still_known};
use super::request::{ReadRequest, SourcePart, parts};
use crate::base::details::{GroupConflict, JobSide};
use crate::base::{Contradiction, Error, Result, Stage};
use crate::corpus::Corpus;
use crate::corpus::builder::{CorpusBuilder, ReadingState, SavedReading};
use crate::corpus::corpus::ShortCounts;
use crate::corpus::groups::{GroupCollector, TooMany};
use crate::corpus::long_sets::LongSets;
use crate::corpus::records::{GroupedRows, RecordPlace, Records, RepeatedId};
use crate::corpus::shard::{ChecksumMaker, Depth, DocumentChecksums, Shard};
use crate::corpus::stored::{IndexDocumentReader, RecordNames, SnapshotReader};
use crate::run::{SavedStage, Session};
use crate::spill::Share;
use crate::threads::{Gate, Pass, Passed, ordered_map};
use lookalike_core::comparison::Extractor;
use lookalike_core::documents::{ElementSets, Form, Vector};
use lookalike_core::{DocId, Pool};
use lookalike_io::{
    BadRecord, Block, Blocks, Place, Problem, Source,
    sources::{FieldNames, IdOccurrence, MAX_COPIES, MAX_REPEATS, OnError, RepeatedIds, SourceKind, qualified_id},
};
use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

/// Name of the stage, and of its checkpoint.
pub(super) const NAME: &str = Stage::READING;
/// Blocks after which the checkpoint is saved again.
const BLOCKS_PER_CHECKPOINT: usize = 32;
/// A block, unpacked, with the sets that are made of it.
const BYTES_PER_BLOCK: usize = 3 << 18;
/// Inputs of no more bytes are read before another thread has started.
const FEW_BYTES: u64 = 1 << 14;
/// Ids and sets of a block that are no more than usual; larger shards are not used again.
const MAX_POOLED_BYTES: usize = 1 << 20;

/// The first column of bytes that is taken as text in a block.
fn bytes_as_text<'a>(block: &'a Block, sources: &'a [Source]) -> Option<(&'a str, &'a Source)> {
    block.bytes_as_text.first().map(String::as_str).zip(sources.get(block.source))
}

/// Returns whether a reading that was saved is of the present content of its files. One that was not finished is begun
/// anew if a file was touched.
///
/// # Errors
/// [`crate::details::WorkFolderError::InputChanged`] if the reading was finished and a file has other content since.
fn is_of(
    state: &ReadingState,
    stamp: u64,
    sources: &[Source],
    saved: &SavedStage<'_>,
    session: &Session<'_>,
) -> Result<bool> {
    let files: usize = sources.iter().map(|source| source.files().count()).sum();
    if state.is_done && state.inputs.len() != files {
        return Ok(false);
    }
    if state.stamp == stamp || !state.is_done {
        return Ok(state.stamp == stamp);
    }
    let inputs = still_known(&state.inputs, sources, session)?;
    saved.save(&ReadingState { stamp, inputs, ..state.clone() })?;
    Ok(true)
}

/// Source of the record that had an id first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FirstOccurrence {
    SameSource,
    OtherSource,
}

/// The reading of all sources, on its way.
pub(super) struct Reading<'a> {
    pub(super) builder: CorpusBuilder<'a>,
    /// Groups, if documents are groups of rows.
    groups: Option<GroupCollector<'a>>,
    blocks: usize,
    is_done: bool,
    /// Number of components of the first document, if documents are vectors or signatures.
    dimensions: Option<usize>,
    /// Stamp of the input files, for the work folder.
    stamp: u64,
    references: usize,
    saved: &'a SavedStage<'a>,
    sources: &'a [Source],
    fields: &'a FieldNames,
    /// Checksums by document, if they are needed.
    pub(super) checksums: Vec<DocumentChecksums>,
    /// The first bad record of the references, and that of the inputs.
    first_bad: [Option<BadRecord>; 2],
    request: ReadRequest<'a>,
}

impl<'a> Reading<'a> {
    /// Begins, or goes on where the job was interrupted.
    pub(super) fn begin(
        references: usize,
        sources: &'a [Source],
        fields: &'a FieldNames,
        saved: &'a SavedStage<'a>,
        request: ReadRequest<'a>,
    ) -> Result<Self> {
        let spill = &request.session.spill;
        let stamp = saved.folder().map_or(0, |_| stamp_of(sources));
        let groups = request.inputs.group_by.as_ref().map(|_| GroupCollector::new(spill)).transpose()?;
        let (builder, blocks, is_done, dimensions) = if let Some((work, state)) =
            saved.folder().zip(saved.load::<ReadingState>()?)
            && is_of(&state, stamp, sources, saved, request.session)?
            && let Some(builder) = CorpusBuilder::resume(
                spill,
                SavedReading { work, state: &state, sources, reference_sources: references, form: request.form() },
            )? {
            let ReadingState { blocks, is_done, dimensions, .. } = state;
            if is_done {
                request.session.stages.resumed();
            } else {
                request.session.stages.report_continued();
            }
            (builder, blocks, is_done, dimensions)
        } else {
            let text_bytes = request.features.map_or(0, |_| sources.iter().map(Source::estimated_text_bytes).sum());
            let builder = CorpusBuilder::new(spill, saved.folder(), text_bytes, request.carrier())?;
            (builder, 0, false, request.inputs.components)
        };
        let first_bad = [None, None];
        Ok(Self {
            builder,
            groups,
            blocks,
            is_done,
            dimensions,
            stamp,
            references,
            saved,
            sources,
            fields,
            checksums: Vec::new(),
            first_bad,
            request,
        })
    }

    /// Reads what is left, and gives all.
    pub(super) fn finish(mut self) -> Result<(Corpus, Records)> {
        self.read_all()?;
        let rows = self.end_groups()?;
        let (corpus, records) = self.builder.finish()?;
        Ok((corpus, Records { rows, ..records }))
    }

    /// Reads what is left.
    pub(super) fn read_all(&mut self) -> Result<()> {
        if self.is_done {
            return Ok(());
        }
        // Blocks that were read before are cut again, which is fast, and not looked into.
        let mut known = self.blocks;
        for part in parts(self.sources) {
            match part {
                SourcePart::Stored(_) if self.groups.is_some() => {
                    return Err(Contradiction::NotForGroups { found: GroupConflict::Snapshots }.into());
                }
                SourcePart::Stored(number) if self.request.checksums.is_some() => {
                    let path = self.sources[number].path.to_path_buf();
                    return Err(lookalike_io::Error::NoTexts { path }.into());
                }
                SourcePart::Records(range) => self.read_records(range, &mut known)?,
                SourcePart::Stored(number) => self.read_stored(number, &mut known)?,
            }
        }
        self.check_any()?;
        self.is_done = true;
        self.save()
    }

    /// Checks that not all records of the references or of the inputs were bad: an answer about none would look like
    /// one about all.
    pub(super) fn check_any(&mut self) -> Result<()> {
        let references = self.builder.counts.references;
        let found = [references, self.builder.len() - references];
        for (role, side) in [JobSide::References, JobSide::Inputs].into_iter().enumerate() {
            if let Some(record) = self.first_bad[role].take().filter(|_| found[role] == 0) {
                let count = self.builder.counts.bad_records;
                let record = Box::new(record);
                return Err(Error::NothingReadable { side, count, record });
            }
        }
        Ok(())
    }

    /// Reads sources with records, without the blocks that are `known`.
    fn read_records(&mut self, range: Range<usize>, known: &mut usize) -> Result<()> {
        let ReadRequest { inputs, session, .. } = self.request;
        let fields = self.fields;
        let blocks = Blocks::new(&self.sources[range.clone()], fields, inputs.max_document_bytes);
        // Of a single file nothing would be left.
        let on_bad_file = if self.sources.len() > 1 { inputs.on_error } else { OnError::Stop };
        let mut blocks = blocks.on_bad_file(on_bad_file);
        while *known > 0
            && let Some(block) = blocks.next().transpose()?
        {
            session.stages.check()?;
            session.stages.progress.advance(block.input_bytes);
            *known -= 1;
        }
        let sources = &self.sources[range.clone()];
        let mut is_reported = false;
        let blocks = blocks.inspect(|block| {
            if let Some((column, source)) = block.as_ref().ok().and_then(|block| bytes_as_text(block, sources))
                && !std::mem::replace(&mut is_reported, true)
            {
                session.stages.progress.bytes_as_text(&source.path, column);
            }
        });
        self.read_blocks(blocks, range.start)
    }

    /// Reads blocks of sources, of which the first has this number.
    pub(super) fn read_blocks(
        &mut self,
        blocks: impl Iterator<Item = lookalike_io::Result<Block>> + Send,
        first_source: usize,
    ) -> Result<()> {
        let ReadRequest { inputs, features, checksums, session } = self.request;
        let blocks = self.with_known_dimensions(blocks)?;
        let fields = self.fields;
        let pool = Pool::default();
        let dimensions = self.dimensions;
        let kernel = session.kernel();
        let new_work = || match (features, checksums) {
            (_, Some((features, algorithm))) => {
                DocumentWork::Checksums(ChecksumMaker::new(features, algorithm, kernel))
            }
            (Some(features), None) => DocumentWork::Elements(features.extractor(kernel)),
            (None, None) => DocumentWork::Nothing,
        };
        let long_sets = LongSets::new(session);
        let carrier = self.request.carrier();
        let references = self.references;
        let gate = Gate::new(session.spill.budget().share(Share::InFlight) as u64);
        let bytes: u64 = self.sources.iter().map(Source::bytes).sum();
        let max_threads = if (1..=FEW_BYTES).contains(&bytes) { 1 } else { usize::MAX };
        let pace = session.pace_for(BYTES_PER_BLOCK).with_threads(max_threads);
        let blocks = gate.items(blocks, |block| block.as_ref().map_or(0, Block::bytes));
        let work = with_passes(&gate, |own: &mut DocumentWork, passed| {
            let Passed { item, pass } = passed;
            let mut block = item?;
            block.source += first_source;
            let mut shard: Shard = pool.take().unwrap_or_default();
            let depth = match own {
                DocumentWork::Nothing => Depth::Ids,
                DocumentWork::Checksums(maker) => Depth::Checksums(maker),
                DocumentWork::Elements(Extractor::Shingles(shingler)) if inputs.group_by.is_some() => {
                    Depth::Rows(shingler)
                }
                DocumentWork::Elements(extractor) => Depth::Sets(extractor, long_sets, dimensions),
            };
            let carrier = carrier.filter(|_| block.source >= references);
            shard.fill(&block, depth, carrier, fields)?;
            // A long document is in flight until its set is in the corpus: the next one waits that long.
            let is_long = shard.reserved_bytes() > MAX_POOLED_BYTES;
            Ok((shard, is_long.then_some(pass)))
        });
        ordered_map(blocks, pace, new_work, work, |shard: Result<_>| {
            let (mut shard, _pass): (Shard, Option<Pass<'_>>) = shard?;
            self.append(&mut shard)?;
            // A shard with a long document is better freed.
            if shard.reserved_bytes() <= MAX_POOLED_BYTES {
                shard.clear();
                pool.put(shard);
            }
            Ok(())
        })
    }

    /// Blocks, after a look at the first vector or signature, with which all others have to agree: blocks are
    /// read in any order, and what is a bad record depends on none.
    fn with_known_dimensions<B: Iterator<Item = lookalike_io::Result<Block>> + Send>(
        &mut self,
        mut blocks: B,
    ) -> Result<impl Iterator<Item = lookalike_io::Result<Block>> + Send + use<B>> {
        let mut seen = Vec::new();
        while self.request.has_components()
            && self.dimensions.is_none()
            && let Some(block) = blocks.next().transpose()?
        {
            let dimensions = &mut self.dimensions;
            block.for_each_document(self.fields, |document| {
                if let (None, Ok(document)) = (&dimensions, document) {
                    *dimensions = document.content.compared().dimensions();
                }
            });
            seen.push(Ok(block));
        }
        Ok(seen.into_iter().chain(blocks))
    }

    /// Checks that the vectors or signatures of a stored source have as many components as those before.
    fn check_dimensions(&mut self, source: usize, shard: &Shard) -> Result<()> {
        if !self.request.has_components() {
            return Ok(());
        }
        for document in DocId::all(shard.sets.len()) {
            let words = shard.sets.get(document);
            let found = match self.request.form() {
                Form::Vector => Vector::from_words(words.elements()).map(Vector::dimensions),
                // A signature of nothing has none.
                Form::Elements => Some(words.len()).filter(|&components| components > 0),
            };
            let Some(found) = found else { continue };
            let expected = *self.dimensions.get_or_insert(found);
            if found != expected {
                let path = self.sources[source].path.to_path_buf();
                return Err(Error::OtherDimensions { path, found, expected });
            }
        }
        Ok(())
    }

    /// Reads the documents of a snapshot or an index, without the shards that are `known`.
    fn read_stored(&mut self, number: usize, known: &mut usize) -> Result<()> {
        let ReadRequest { features, session, .. } = self.request;
        let source = &self.sources[number];
        // References come before all others, whatever their scores.
        let is_reference = number < self.references;
        let fields: Vec<&str> = self.fields.score.iter().chain(&self.fields.more_scores).map(String::as_str).collect();
        let score = Some(fields.join(", ")).filter(|_| !fields.is_empty() && !is_reference);
        let score = score.as_deref();
        let shards: Box<dyn Iterator<Item = Result<Shard>>> = match &source.kind {
            SourceKind::Index { without, .. } => {
                let progress = session.stages.progress;
                let reader = IndexDocumentReader::open(&source.file, number, features, score, progress)?;
                let carrier = self.request.carrier().filter(|_| number >= self.references);
                Box::new(reader.carrying(carrier).leaving_out(without.as_deref()))
            }
            _ => {
                let is_carried = self.request.carrier().is_some() && !is_reference;
                let names = if is_carried { RecordNames::Read } else { RecordNames::Skipped };
                Box::new(SnapshotReader::open(&source.file, number, features, score, names)?)
            }
        };
        for shard in shards {
            let mut shard = shard?;
            if is_reference {
                shard.scores.resize(shard.len() * fields.len(), None);
            }
            self.check_dimensions(number, &shard)?;
            if *known > 0 {
                session.stages.progress.advance(shard.input_bytes);
                *known -= 1;
            } else {
                self.append(&mut shard)?;
            }
        }
        Ok(())
    }

    /// Appends the documents of the next block.
    fn append(&mut self, shard: &mut Shard) -> Result<()> {
        let session = self.request.session;
        session.stages.check()?;
        session.stages.progress.advance(shard.input_bytes);
        for record in shard.bad.drain(..) {
            self.reject(record)?;
        }
        for place in shard.whole_pages.drain(..) {
            self.builder.counts.whole_pages += 1;
            session.stages.progress.whole_page(&place);
        }
        self.checksums.append(&mut shard.checksums);
        self.builder.tables.append(std::mem::take(&mut shard.tables));
        self.builder.counts.pages += shard.pages;
        self.builder.counts.tokens += shard.tokens;
        let is_of_references = shard.places.first().is_some_and(|place| (place.source as usize) < self.references);
        let ShortCounts { inputs, references } = &mut self.builder.counts.short;
        *(if is_of_references { references } else { inputs }) += shard.short;
        self.builder.counts.without_id += shard.without_id;
        if let Some(mut groups) = self.groups.take() {
            DocId::all(shard.len()).try_for_each(|row| self.append_row(row, shard, &mut groups))?;
            // Each row has a decision when records are written.
            session.spill.note_documents(groups.rows());
            self.groups = Some(groups);
            return Ok(());
        }
        DocId::all(shard.len()).try_for_each(|document| self.append_document(document, shard))?;
        shard.for_each_sets(|sets| self.builder.append_sets(sets))?;
        session.spill.note_documents(self.builder.weight());
        self.blocks += 1;
        if self.blocks.is_multiple_of(BLOCKS_PER_CHECKPOINT) {
            self.save()?;
        }
        Ok(())
    }

    fn save(&mut self) -> Result<()> {
        if self.saved.folder().is_none() {
            return Ok(());
        }
        let inputs = if self.is_done { known_files(self.sources, self.request.session)? } else { Vec::new() };
        let state = self.builder.state(self.blocks, self.is_done)?;
        self.saved.save(&ReadingState { stamp: self.stamp, inputs, dimensions: self.dimensions, ..state })
    }

    /// Appends all of a document but its set. An id that occurred before is qualified, or ends the job.
    fn append_document(&mut self, document: DocId, shard: &Shard) -> Result<()> {
        let id = shard.ids.get(document);
        let place = shard.places[document.index()];
        let is_reference = (place.source as usize) < self.references;
        let id_place = self.builder.place_of_id(id);
        match self.builder.find(id, id_place, is_reference)? {
            None => self.builder.append(shard, document, id, id_place)?,
            Some(first) => {
                let first = self.builder.place(first)?;
                let is_same = first.source == place.source;
                let earlier = if is_same { FirstOccurrence::SameSource } else { FirstOccurrence::OtherSource };
                let first = self.shown(&first);
                if self.request.inputs.repeated_ids == RepeatedIds::Refused {
                    let problem = Problem::RepeatedId { id: id.to_owned(), first };
                    return Err(Error::BadRecord { record: BadRecord { place: self.shown(&place), problem } });
                }
                let qualified = self.qualified(id, &place, earlier)?;
                let id_place = self.builder.place_of_id(&qualified);
                self.builder.append(shard, document, &qualified, id_place)?;
                let again = self.shown(&place).to_string();
                let repeated = || RepeatedId { id: id.to_owned(), first: first.to_string(), again, qualified };
                self.builder.repeated_ids.add(repeated);
            }
        }
        self.builder.counts.references += usize::from(is_reference);
        Ok(())
    }

    /// Adds a row to its group, which is a new document if its id is met for the first time.
    fn append_row(&mut self, row: DocId, shard: &Shard, groups: &mut GroupCollector<'_>) -> Result<()> {
        let id = shard.ids.get(row);
        let place = shard.places[row.index()];
        let is_reference = (place.source as usize) < self.references;
        let id_place = self.builder.place_of_id(id);
        let group = match self.builder.find(id, id_place, is_reference)? {
            Some(group) => group,
            None => {
                let group = DocId::from_index(self.builder.len())?;
                self.builder.append(shard, row, id, id_place)?;
                self.builder.counts.references += usize::from(is_reference);
                group
            }
        };
        groups.push(group, place, shard.row_items(row))
    }

    /// Makes the sets of the groups, if documents are such.
    fn end_groups(&mut self) -> Result<Option<GroupedRows>> {
        let (Some(groups), Some(features)) = (self.groups.take(), self.request.features) else { return Ok(None) };
        let sources = self.sources;
        let multiplicity = features.shingle().multiplicity;
        let documents = self.builder.len();
        let builder = RefCell::new(&mut self.builder);
        let append = |sets: &ElementSets| {
            self.request.session.stages.check()?;
            builder.borrow_mut().append_sets(sets)
        };
        let too_many = |found| {
            let (group, problem) = match found {
                TooMany::OfItem { group, copies } => (group, Problem::GroupTooLarge { copies, max: MAX_COPIES.into() }),
                TooMany::OfAll { group } => (group, Problem::GroupRepeatsTooMuch { max: MAX_REPEATS }),
            };
            let place = place_in(sources, &builder.borrow_mut().place(group)?);
            Err(Error::Unusable { record: BadRecord { place, problem } })
        };
        groups.finish(documents, multiplicity, append, too_many).map(Some)
    }

    /// Name of a document whose id occurred before.
    fn qualified(&mut self, id: &str, place: &RecordPlace, earlier: FirstOccurrence) -> Result<String> {
        let Self { builder, sources, request, .. } = self;
        let is_reference = (place.source as usize) < self.references;
        let source = sources.get(place.source as usize);
        let row = place.number.saturating_sub(1);
        let name = row.to_string();
        let occurrence = match source.map(|source| (&source.kind, &*source.label)) {
            // In memory, a row has no other name.
            Some((SourceKind::Memory { .. }, _)) => {
                IdOccurrence { label: &name, number: row, is_first_of_source: true }
            }
            source => {
                let label = source.map_or("", |(_, label)| label);
                let is_first_of_source = earlier == FirstOccurrence::OtherSource;
                IdOccurrence { label, number: place.number, is_first_of_source }
            }
        };
        qualified_id(id, &occurrence, |name| {
            request.session.stages.check()?;
            let id_place = builder.place_of_id(name);
            Ok(builder.find(name, id_place, is_reference)?.is_some())
        })
    }

    /// A place as messages show it.
    fn shown(&self, place: &RecordPlace) -> Place {
        place_in(self.sources, place)
    }

    fn reject(&mut self, record: BadRecord) -> Result<()> {
        if self.request.inputs.on_error == OnError::Stop {
            return Err(Error::BadRecord { record });
        }
        self.builder.counts.bad_records += 1;
        self.request.session.stages.progress.bad_record(&record);
        let is_input = |source: &Source| record.place.path.starts_with(&source.path);
        let role = usize::from(!self.sources[..self.references].iter().any(is_input));
        self.first_bad[role].get_or_insert(record);
        Ok(())
    }
}

/// Work on each document of a reading.
#[expect(clippy::large_enum_variant, reason = "there is one for each thread")]
enum DocumentWork {
    Nothing,
    Elements(Extractor),
    Checksums(ChecksumMaker),
}

/// Identity; ties the lifetime of the passes to the gate, which inference cannot see.
fn with_passes<'g, S, F>(_: &'g Gate, work: F) -> F
where
    F: Fn(&mut S, Passed<'g, lookalike_io::Result<Block>>) -> Result<(Shard, Option<Pass<'g>>)>,
{
    work
}

/// A place as messages show it.
fn place_in(sources: &[Source], place: &RecordPlace) -> Place {
    let Some(source) = sources.get(place.source as usize) else {
        // No place of ours: only a forged work folder has it.
        return Place::file(Path::new("an unknown input"));
    };
    source.place(place.number)
}
