//! Winnowed fingerprints: the texts are read once more, because the least hash of each window of consecutive shingles
//! depends on the order of the shingles, which sets do not have.
//!
//! It happens for `winnow:W` alone. Fingerprints selected in the first reading would have to go with the sets through
//! shards, long documents and snapshots, in every job; a second reading costs those who ask for it.

use super::each_text::TextsAgain;
use crate::base::{Error, Result, Stage};
use crate::corpus::Corpus;
use crate::corpus::records::Records;
use crate::run::{Checkpoint, CheckpointOf, SectionWriter, Session, Stored};
use crate::spill::{Location, SpillColumn};
use lookalike_core::comparison::Features;
use lookalike_core::sets::{Winnower, winnow_text};
use lookalike_core::stored::Provenance;
use lookalike_core::{DocId, Ragged};
use lookalike_io::{Inputs, Source};
use std::num::NonZeroUsize;
use std::sync::Arc;

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
    let location = if corpus.sets.memory_bytes() > 0 { Location::Memory } else { Location::File };
    let all: Vec<DocId> = corpus.documents().collect();
    let texts = TextsAgain { stage: Stage::WINNOWING, records, inputs, features, wanted: &all };
    let winnowed = session.checkpointed(texts.stage(), of, || winnow(texts, window, location, session))?;
    corpus.prepared.prepare_containment(|prepared| prepared.winnowed = Some(Arc::new(winnowed.0)));
    Ok(())
}

/// Winnows the texts of all documents; the fingerprints go to memory or to a file.
fn winnow(texts: TextsAgain<'_>, window: NonZeroUsize, location: Location, session: &Session<'_>) -> Result<Winnowed> {
    let mut values = SpillColumn::at(location, &session.spill)?;
    let mut offsets = vec![0];
    texts.read(
        session,
        || (texts.features.shingler(session.kernel()), Winnower::new(window)),
        |(shingler, winnower), _, text| Ok(winnow_text(text, shingler, winnower)?),
        |document, fingerprints| {
            offsets.resize(document.index() + 1, values.len() as u64);
            values.extend(&fingerprints, &session.spill)
        },
    )?;
    offsets.resize(texts.wanted.len() + 1, values.len() as u64);
    Ok(Winnowed(Ragged::from_parts(offsets, values.finish(&session.spill)?)?))
}

/// The fingerprints of a corpus, for a work folder.
struct Winnowed(Ragged<u64>);

impl Checkpoint for Winnowed {
    type About = ();

    fn about(&self) {}

    fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
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
