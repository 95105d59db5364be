//! Winnowed fingerprints: the texts are read once more, because the least hash of each window of consecutive shingles
//! depends on the order of the shingles, which sets do not have.
//!
//! It happens for `winnow:W` alone. Fingerprints selected in the first reading would have to go with the sets through
//! shards, long documents and snapshots, in every job; a second reading costs those who ask for it.

use super::text_check::each_wanted;
use crate::corpus::records::Records;
use crate::corpus::{Corpus, Listing};
use crate::ground::{Error, Result, Stage};
use crate::run::{Checkpoint, CheckpointOf, Sections, Session, Stored};
use crate::spill::{Column, Location};
use crate::threads::ordered_map;
use lookalike_core::features::{Features, Shingler};
use lookalike_core::method::{Winnower, winnow_text};
use lookalike_core::stored::Provenance;
use lookalike_core::{DocId, Ragged};
use lookalike_io::{Block, Blocks, Inputs, Source};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// A block, unpacked, with its texts.
const BYTES_PER_BLOCK: usize = 3 << 18;

/// The fingerprints of the documents of a block, and the bytes that were read for it.
type WinnowedBlock = (Vec<(DocId, Vec<u64>)>, u64);

/// Checks that all sources have texts.
///
/// # Errors
/// [`Error::WinnowedWithoutTexts`] if one is a snapshot.
pub(crate) fn check_sources_for_windows<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Result<()> {
    match sources.into_iter().find(|source| source.is_stored()) {
        Some(source) => Err(Error::WinnowedWithoutTexts { path: source.path.to_path_buf() }),
        None => Ok(()),
    }
}

/// Winnows the texts of all documents, as a stage, and lets the corpus know their fingerprints;
/// [`check_sources_for_windows`] must hold for their sources.
///
/// # Errors
/// If an input cannot be read, or has changed since it was read first; or the job is cancelled.
pub(crate) fn winnow_texts(
    corpus: &mut Corpus,
    records: &Records,
    (inputs, features): (&Inputs, &Features),
    window: NonZeroUsize,
    session: &Session<'_>,
) -> Result<()> {
    let provenance = Provenance::new()
        .with(features)?
        .with_fact("window", window.to_string())
        .with_fact("the corpus", format!("{:016x}", corpus.checksum));
    let of = CheckpointOf { name: "winnowed", provenance: &provenance, documents: corpus.len() };
    session.stages.expect(1);
    let stage = Stage::over_bytes("winnowing", records.sources.iter().map(Source::bytes).sum());
    let location = if corpus.sets.memory_bytes() > 0 { Location::Memory } else { Location::File };
    let winnowing = Winnowing { listing: &corpus.listing, records, inputs, features, window, location };
    let winnowed = session.checkpointed(stage, of, || winnowing.run(session))?;
    corpus.winnowed = Some(Arc::new(winnowed.0));
    Ok(())
}

/// What is winnowed, and where the fingerprints go.
struct Winnowing<'a> {
    listing: &'a Listing,
    records: &'a Records,
    inputs: &'a Inputs,
    features: &'a Features,
    window: NonZeroUsize,
    location: Location,
}

impl Winnowing<'_> {
    fn run(&self, session: &Session<'_>) -> Result<Winnowed> {
        let Self { listing, records, inputs, features, window, location } = *self;
        let fields = inputs.fields_compared(features);
        let all: Vec<DocId> = listing.documents().collect();
        let blocks = Blocks::new(&records.sources, &fields, inputs.max_document_bytes);
        let work = |(shingler, winnower): &mut (Shingler, Winnower), block: lookalike_io::Result<Block>| {
            session.stages.check()?;
            let (block, mut winnowed) = (block?, Vec::new());
            each_wanted(records, (&block, &fields), &all, |document, text| {
                winnowed.push((document, winnow_text(&text, shingler, winnower)));
            });
            Ok((winnowed, block.input_bytes))
        };
        let (mut values, mut offsets) = (Column::at(location, &session.spill)?, vec![0]);
        let append = |winnowed: Result<WinnowedBlock>| {
            let (winnowed, input_bytes) = winnowed?;
            for (document, fingerprints) in winnowed {
                offsets.resize(document.index() + 1, values.len() as u64);
                values.extend(&fingerprints, &session.spill)?;
            }
            session.stages.progress.advance(input_bytes);
            Result::Ok(())
        };
        let new = || (features.shingler(session.kernel()), Winnower::new(window));
        ordered_map(blocks, session.pace_for(BYTES_PER_BLOCK), new, work, append)?;
        offsets.resize(listing.len() + 1, values.len() as u64);
        Ok(Winnowed(Ragged::from_parts(offsets, values.finish(&session.spill)?)?))
    }
}

/// The fingerprints of a corpus, for a work folder.
struct Winnowed(Ragged<u64>);

impl Checkpoint for Winnowed {
    type About = ();

    fn about(&self) {}

    fn save(&self, sections: &mut Sections<'_>) -> Result<()> {
        sections.slice("offsets", self.0.offsets())?;
        sections.array("fingerprints", self.0.values())
    }

    fn load((): (), stored: &Stored<'_>) -> Result<Option<Self>> {
        Ok(stored.ragged("offsets", "fingerprints")?.map(Self))
    }

    fn fits(&self, documents: usize) -> bool {
        self.0.len() == documents
    }
}
