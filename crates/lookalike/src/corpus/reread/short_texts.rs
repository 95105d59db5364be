//! Short texts inside others: the texts are read once more, to look in them for the shingles of short documents.
//!
//! It happens for containment alone, and only where documents have one shingle. Snapshots hold no texts: a short text
//! that may stand inside one of their documents ends the job, which would answer that it does not. Whether a document
//! of a snapshot is short is not known, so those with one shingle are only counted.

use super::each_text::TextsAgain;
use crate::base::{Error, Result, Stage};
use crate::corpus::records::Records;
use crate::corpus::{Corpus, Listing};
use crate::run::{Checkpoint, CheckpointOf, SectionWriter, Session, Stored};
use crate::spill::{Location, SpillColumn};
use lookalike_core::DocId;
use lookalike_core::comparison::Features;
use lookalike_core::documents::{LoneElements, ShortTexts};
use lookalike_core::sets::Side;
use lookalike_core::stored::Provenance;
use lookalike_io::{Inputs, Source};
use std::ops::Range;
use std::sync::Arc;

/// Parameters of a search for short texts: those among these inputs, by these features, on this side of a containment.
#[derive(Clone, Copy)]
pub(crate) struct ShortTextsOf<'a> {
    pub(crate) inputs: &'a Inputs,
    pub(crate) features: &'a Features,
    pub(crate) contained: Side,
}

/// Returns whether documents may have fewer tokens than a shingle.
pub(crate) fn may_be_short(inputs: &Inputs, features: &Features) -> bool {
    !features.are_of_items() && features.shingle().size.tokens > 1 && inputs.group_by.is_none()
}

/// Looks for short texts in all documents, as a stage, and lets the corpus know them; does nothing where there can be
/// none.
///
/// # Errors
/// [`Error::ShortTextNotStored`]; if an input cannot be read, or has changed since it was read first; if the job is
/// cancelled.
pub(crate) fn find_short_texts(
    corpus: &mut Corpus,
    records: &Records,
    short: ShortTextsOf<'_>,
    session: &Session<'_>,
) -> Result<()> {
    let ShortTextsOf { inputs, features, contained } = short;
    let lone = LoneElements::new(&corpus.sets, corpus.documents());
    if !may_be_short(inputs, features) || lone.is_empty() {
        return Ok(());
    }
    let provenance = Provenance::new().with(features)?.with_fact("the corpus", format!("{:016x}", corpus.checksum));
    let of = CheckpointOf { name: "short-texts", provenance: &provenance, documents: corpus.len() };
    session.stages.next_is_part();
    let all = with_texts(&corpus.listing, records);
    let texts = TextsAgain { stage: Stage::LOOKING_UP_SHORT_TEXTS, records, inputs, features, wanted: &all };
    let found = session.checkpointed(texts.stage(), of, || look(texts, corpus, &lone, session))?;
    check_snapshots(corpus, records, features, &found.0, contained)?;
    let not_looked_up = count_not_looked_up(corpus, records, contained);
    corpus.prepared.prepare_containment(|prepared| {
        prepared.not_looked_up = not_looked_up;
        prepared.short = Some(Arc::new(found.0));
    });
    Ok(())
}

/// On which side of a comparison documents stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    References,
    Inputs,
}

impl Role {
    const ALL: [Self; 2] = [Self::References, Self::Inputs];

    /// The sources of its documents.
    fn sources(self, records: &Records) -> &[Source] {
        let (references, inputs) = records.sources.split_at(records.reference_sources);
        if self == Self::References { references } else { inputs }
    }

    /// The documents that are looked for inside its documents. References are not looked for in references.
    fn wanted(self, corpus: &Corpus, contained: Side) -> Range<usize> {
        let references = corpus.listing.references;
        match (contained, self) {
            (Side::OfReference, Self::References) | (Side::InReference, Self::Inputs) => 0..0,
            (Side::Either | Side::InReference, Self::References) => references..corpus.len(),
            (Side::OfReference, Self::Inputs) => 0..references,
            (Side::Either, Self::Inputs) => 0..corpus.len(),
        }
    }
}

/// Checks that no short text is to be looked for in a snapshot.
fn check_snapshots(
    corpus: &Corpus,
    records: &Records,
    features: &Features,
    short: &ShortTexts,
    contained: Side,
) -> Result<()> {
    for role in Role::ALL {
        let Some(snapshot) = role.sources(records).iter().find(|source| source.is_stored()) else { continue };
        let mut wanted = role.wanted(corpus, contained).map(DocId::from_index);
        let found = wanted.find_map(|document| {
            let document = document.ok()?;
            Some((document, short.tokens_of(document)?))
        });
        if let Some((document, tokens)) = found {
            return Err(Error::ShortTextNotStored {
                id: corpus.listing.ids.get(document).to_owned(),
                tokens: tokens as usize,
                shingle: features.shingle().size.tokens,
                path: snapshot.path.to_path_buf(),
            });
        }
    }
    Ok(())
}

/// Number of documents of snapshots and indexes that have one element, and should be looked for inside other documents
/// of such: they may be shorter than a shingle, which nobody knows any more.
fn count_not_looked_up(corpus: &Corpus, records: &Records, contained: Side) -> u64 {
    let are_stored = |role: &Role| role.sources(records).iter().any(Source::is_stored);
    let wanted: Vec<_> = Role::ALL.into_iter().filter(are_stored).map(|role| role.wanted(corpus, contained)).collect();
    let texts = with_texts(&corpus.listing, records);
    let is_counted = |document: &DocId| {
        let is_wanted = wanted.iter().any(|range| range.contains(&document.index()));
        is_wanted && corpus.sets.size(*document) == 1 && texts.binary_search(document).is_err()
    };
    if wanted.iter().all(Range::is_empty) { 0 } else { corpus.documents().filter(is_counted).count() as u64 }
}

fn look(texts: TextsAgain<'_>, corpus: &Corpus, lone: &LoneElements, session: &Session<'_>) -> Result<FoundShortTexts> {
    let location = if corpus.sets.memory_bytes() > 0 { Location::Memory } else { Location::File };
    let mut values = SpillColumn::at(location, &session.spill)?;
    let mut offsets = vec![0];
    let mut tokens = Vec::new();
    texts.read(
        session,
        || texts.features.shingler(session.kernel()),
        |shingler, document, text| {
            let mut inside = Vec::new();
            let tokens = shingler.find_short(text.text()?, lone, &mut inside);
            inside.sort_unstable();
            inside.dedup();
            // A short text stands inside itself.
            inside.retain(|element| *corpus.sets.get(document) != [*element]);
            Ok((tokens, inside))
        },
        |document, (count, inside)| {
            offsets.resize(document.index() + 1, values.len() as u64);
            values.extend(&inside, &session.spill)?;
            if count < texts.features.shingle().size.tokens && corpus.sets.size(document) == 1 {
                tokens.push((document, count as u32));
            }
            Ok(())
        },
    )?;
    offsets.resize(corpus.len() + 1, values.len() as u64);
    Ok(FoundShortTexts(ShortTexts::from_parts(offsets, values.finish(&session.spill)?, tokens)?))
}

/// The documents whose sources have texts.
fn with_texts(listing: &Listing, records: &Records) -> Vec<DocId> {
    let has_text = |document: &DocId| {
        let source = records.place(*document).source as usize;
        records.sources.get(source).is_some_and(|source| !source.is_stored())
    };
    listing.documents().filter(has_text).collect()
}

/// The short texts of a corpus, for a work folder.
struct FoundShortTexts(ShortTexts);

impl Checkpoint for FoundShortTexts {
    type About = ();

    fn about(&self) {}

    fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
        let (documents, tokens): (Vec<u32>, Vec<u32>) =
            self.0.tokens().iter().map(|&(document, tokens)| (document.0, tokens)).unzip();
        sections.slice("offsets", self.0.all_inside().offsets())?;
        sections.array("inside", self.0.all_inside().values())?;
        sections.slice("documents", &documents)?;
        sections.slice("tokens", &tokens)
    }

    fn load((): (), stored: &Stored<'_>) -> Result<Option<Self>> {
        let inside = stored.ragged("offsets", "inside")?;
        let documents = stored.array::<u32>("documents")?;
        let tokens = stored.array::<u32>("tokens")?;
        let Some(((inside, documents), tokens)) = inside.zip(documents).zip(tokens) else { return Ok(None) };
        let tokens = documents.into_vec().into_iter().map(DocId).zip(tokens.into_vec()).collect();
        let offsets = inside.offsets().to_vec();
        let values = inside.values().clone();
        Ok(ShortTexts::from_parts(offsets, values, tokens).ok().map(Self))
    }

    fn fits(&self, documents: usize) -> bool {
        self.0.all_inside().len() == documents
    }
}
