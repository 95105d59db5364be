//! The stages that find what is cut.

use super::corpus_tokens::{CorpusTokens, Parts, read_tokens};
use super::cuts::{CorpusRepeats, Cuts};
use crate::base::{Progress, Result, Stage};
use crate::corpus::{Listing, Records, TextsAgain, provenance_of_texts};
use crate::decide::order_of;
use crate::run::{CheckpointOf, Session};
use crate::spill::{ExternalSort, Repeats, Share, SpillColumn};
use crate::threads::{Pace, ordered_map};
use lookalike_core::comparison::Features;
use lookalike_core::passages::{CutLimits, Earlier, Occurrence, Repeat, RepeatFinder, TokenPlace};
use lookalike_core::rule::Order;
use lookalike_core::{Array, DocId};
use lookalike_io::Inputs;

/// Memory of a window in a table, about.
const BYTES_PER_WINDOW: usize = 32;

/// Parameters of the search.
pub(crate) struct Cutting<'a> {
    pub(crate) listing: &'a Listing,
    pub(crate) records: &'a Records,
    pub(crate) inputs: &'a Inputs,
    /// Windows are shingles of these.
    pub(crate) features: &'a Features,
    /// The order in which one document is before another.
    pub(crate) keep: &'a Order,
    /// Limits of the runs that are cut.
    pub(crate) limits: CutLimits,
    /// Words that have to be left of a document that is cut.
    pub(crate) min_left: u32,
}

/// Finds what of the inputs stands in references, or without any, what of each document occurred before.
///
/// # Errors
/// If an input cannot be read, or has changed since it was read first; if the order needs scores that are not there; if
/// the job is cancelled.
pub(crate) fn find_cuts(cutting: &Cutting<'_>, session: &Session<'_>) -> Result<Cuts> {
    let Cutting { listing, records, inputs, features, keep, limits, min_left } = *cutting;
    let documents: Vec<DocId> = listing.documents().collect();
    session.spill.note_documents(documents.len());
    let ranks = Ranks::new(listing, keep, session.stages.progress)?;
    let earlier = match listing.references {
        0 => Earlier::Any,
        references => Earlier::InReferences(references as u32),
    };
    let texts = TextsAgain { stage: Stage::FINDING_REPEATS, records, inputs, features, wanted: &documents };
    let provenance = provenance_of_texts(records, inputs, features)?.with_fact("keep", keep.to_string());
    let of = CheckpointOf { name: "repeats", provenance: &provenance, documents: documents.len() };
    let size = features.shingle().size.tokens;
    let repeated = session.checkpointed(texts.stage(), of, || {
        let (tokens, parts) = read_tokens(texts, |document| ranks.rank_of(document), session)?;
        let repeats = find_repeats(&tokens, parts, (size, earlier, &ranks), session)?;
        Ok(CorpusRepeats { repeats, tokens: tokens.counts(), words: tokens.words })
    })?;
    Cuts::new(repeated, size, limits, min_left)
}

/// Finds the repeats in all parts.
fn find_repeats(
    tokens: &CorpusTokens,
    parts: Parts<'_>,
    (size, earlier, ranks): (usize, Earlier, &Ranks),
    session: &Session<'_>,
) -> Result<Array<Repeat>> {
    let spill = &session.spill;
    let documents = tokens.documents();
    let parts = parts.0.into_iter();
    let pace = Pace::for_threads(session.threads());
    let of_part = documents.div_ceil(parts.len().max(1));
    session.stages.extend(of_part * parts.len());
    let max_windows = spill.budget().share(Share::Windows) / session.threads() / BYTES_PER_WINDOW;
    let tokens_at = |place: TokenPlace, count| tokens.get(ranks.at(place), count);
    let mut all = ExternalSort::new(spill, Repeats::Kept, spill.budget().share(Share::Pairs));
    let max_bytes = spill.budget().share(Share::PairChunks) / session.threads();
    let find = |finder: &mut RepeatFinder<_>, part: ExternalSort<'_, Occurrence>| -> Result<Array<Repeat>> {
        let mut found = SpillColumn::default();
        let occurrences = part.finish()?;
        for group in MinimizerGroups::new(&occurrences) {
            session.stages.check()?;
            let mut pushed = Ok(());
            finder.find(group, |repeat| {
                if pushed.is_ok() {
                    pushed = found.push_within(ranks.in_documents(repeat), max_bytes, spill);
                }
            });
            pushed?;
        }
        found.finish(spill)
    };
    let take = |found: Result<Array<Repeat>>| {
        found?.chunks().try_for_each(|chunk| all.extend(chunk.iter().copied()))?;
        session.stages.progress.advance(of_part as u64);
        Result::Ok(())
    };
    ordered_map(parts, pace, || RepeatFinder::new(size, earlier, max_windows, tokens_at), find, take)?;
    all.finish()
}

/// The order of documents: their ranks, in which one is before another.
struct Ranks {
    /// Number of the document, by rank; `None` if they are in order.
    documents: Option<Vec<u32>>,
    /// Rank, by document.
    ranks: Vec<u32>,
}

impl Ranks {
    fn new(listing: &Listing, keep: &Order, progress: &dyn Progress) -> Result<Self> {
        if matches!(keep, Order::First | Order::Source) {
            return Ok(Self { documents: None, ranks: Vec::new() });
        }
        let order = order_of(listing, keep, progress)?;
        let documents: Vec<u32> = order.into_iter().map(|DocId(document)| document).collect();
        let mut ranks = vec![0; documents.len()];
        (0..).zip(&documents).for_each(|(rank, &document)| ranks[document as usize] = rank);
        Ok(Self { documents: Some(documents), ranks })
    }

    fn rank_of(&self, document: usize) -> u32 {
        if self.documents.is_some() { self.ranks[document] } else { document as u32 }
    }

    /// A place whose document is known by its rank.
    fn at(&self, place: TokenPlace) -> TokenPlace {
        match &self.documents {
            Some(documents) => TokenPlace { document: documents[place.document as usize], ..place },
            None => place,
        }
    }

    fn in_documents(&self, repeat: Repeat) -> Repeat {
        Repeat { place: self.at(repeat.place), first: self.at(repeat.first), ..repeat }
    }
}

/// Groups of superwindows with one minimizer, of which there are two at least.
struct MinimizerGroups<'a> {
    occurrences: &'a Array<Occurrence>,
    at: usize,
}

impl<'a> MinimizerGroups<'a> {
    /// Superwindows that are looked at, to find the end of a group, at a time.
    const STRETCH: usize = 1 << 10;

    fn new(occurrences: &'a Array<Occurrence>) -> Self {
        Self { occurrences, at: 0 }
    }

    /// The end of the group that begins at `begin`.
    fn end_of(&self, begin: usize) -> usize {
        let mut end = begin;
        let mut minimizer = None;
        while end < self.occurrences.len() {
            let stretch = self.occurrences.slice(end..self.occurrences.len().min(end + Self::STRETCH));
            let expected = *minimizer.get_or_insert(stretch[0].minimizer);
            let equal = stretch.iter().take_while(|occurrence| occurrence.minimizer == expected).count();
            end += equal;
            if equal < stretch.len() {
                break;
            }
        }
        end
    }
}

impl<'a> Iterator for MinimizerGroups<'a> {
    type Item = &'a [Occurrence];

    fn next(&mut self) -> Option<&'a [Occurrence]> {
        while self.at < self.occurrences.len() {
            let begin = self.at;
            self.at = self.end_of(begin);
            if self.at - begin > 1 {
                return Some(self.occurrences.slice(begin..self.at));
            }
        }
        None
    }
}
