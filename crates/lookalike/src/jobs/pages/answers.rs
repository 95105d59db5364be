//! What the pages of all searches have: what was asked and promised, the histogram, pairs with and without texts.

use super::texts::{MAX_TEXT_BYTES, ShownTexts, shown_pair};
use crate::corpus::Listing;
use crate::decide::{RefusedCandidates, SimilarityBins};
use crate::drawing::{HistogramFacts, draw_histogram};
use crate::ground::Result;
use crate::html::{AnswersPage, PairList, ShownPair};
use crate::job::{Check, Job};
use crate::jobs::report::SearchReport;
use crate::write::SampledPair;
use lookalike_core::features::Features;
use lookalike_core::rule::Reason;
use lookalike_core::{DocId, counted, thousands, with_number};
use lookalike_io::shown;

/// Pairs nearest to the threshold that are shown with their texts.
const NEAREST: usize = 20;
/// Other pairs, spread over the others by similarity.
const SPREAD: usize = 40;
/// Rows of a list that are folded together.
const ROWS_OF_PAGE: usize = 100;

/// What was asked, how candidates were found, and what was promised.
pub(super) fn about(job: &Job, search: &SearchReport) -> Vec<String> {
    let features = match &job.features {
        Features::Set { shingle, .. } if job.features.are_of_items() => format!("sets of items{}", bag(shingle)),
        Features::Set { shingle, .. } => format!("{} shingles{}", shingle.size, bag(shingle)),
        Features::Bits { width } => format!("fingerprints of {width} bits"),
        Features::WholeText => "whole texts".to_owned(),
    };
    let mut sentences = vec![
        format!("Near-duplicates {}: {} of {features}.", job.measure.limit(), job.measure.name()),
        format!("Method: {}. Each answer was verified.", search.method),
    ];
    sentences.extend(search.recall.map(|recall| format!("{recall}.").replacen("recall", "Recall", 1)));
    if job.check == Check::Texts {
        let refused = counted(search.refused.unwrap_or_default(), "answer");
        sentences.push(format!("Answers were checked on the texts themselves: {refused} refused."));
    }
    sentences
}

fn bag(shingle: &lookalike_core::features::ShingleOptions) -> &'static str {
    match shingle.multiplicity {
        lookalike_core::features::Multiplicity::Set => "",
        lookalike_core::features::Multiplicity::Bag | lookalike_core::features::Multiplicity::Counted => " with counts",
    }
}

/// The histogram, of a measure of similarities from 0 to 1; `None` of another one.
pub(super) fn chart(
    job: &Job,
    search: &SearchReport,
    (noun, pairs): (&'static str, &SimilarityBins),
    refused: Option<&RefusedCandidates>,
) -> Result<Option<String>> {
    let Some(threshold) = job.measure.min_similarity() else { return Ok(None) };
    let facts = HistogramFacts { pairs, refused, method: search.method, threshold, measure: job.measure.name(), noun };
    let svg = draw_histogram(&facts)?;
    // Inside a page a drawing has no declaration of its own.
    Ok(Some(svg.find("<svg").map_or(svg.clone(), |begin| svg[begin..].to_owned())))
}

/// Pairs of which some are shown; the least similar come first.
pub(super) struct PairsOfPage<'a> {
    /// What they are: `removal`, `pair`.
    pub(super) noun: &'static str,
    /// The headings of their documents.
    pub(super) documents: [&'static str; 2],
    pub(super) sample: &'a [SampledPair],
    /// Number of all pairs.
    pub(super) count: u64,
    pub(super) listing: &'a Listing,
}

impl PairsOfPage<'_> {
    /// The pairs that are shown with their texts.
    pub(super) fn chosen(&self) -> Vec<SampledPair> {
        let differ: Vec<SampledPair> =
            self.sample.iter().copied().filter(|pair| pair.reason != Reason::Identical).collect();
        let (nearest, others) = differ.split_at(differ.len().min(NEAREST));
        let step = others.len().div_ceil(SPREAD).max(1);
        nearest.iter().chain(others.iter().step_by(step)).copied().collect()
    }

    /// Puts the list, and the chosen pairs with their texts, on a page.
    pub(super) fn put_on(&self, page: &mut AnswersPage, texts: &ShownTexts<'_>) -> Result<()> {
        for pair in self.chosen() {
            if let Some(found) = texts.compare(pair.documents)? {
                let heading = format!("{:.4}, {}", pair.similarity, pair.reason.name());
                page.shown.push(shown_pair(heading, self.names(pair.documents), &found));
            }
        }
        page.shown_rule = self.rule_of_shown(page.shown.len(), texts);
        page.list = Some(self.list());
        Ok(())
    }

    fn names(&self, documents: [DocId; 2]) -> [&str; 2] {
        documents.map(|document| self.listing.ids.get(document))
    }

    fn rule_of_shown(&self, count: usize, texts: &ShownTexts<'_>) -> String {
        let noun = with_number(self.count, self.noun);
        if self.count == 0 {
            return format!("There is no {}.", self.noun);
        }
        if texts.are_none() || count == 0 {
            return format!("No {} is shown here: there are no texts that differ, or they are not at hand.", self.noun);
        }
        format!(
            "A is {}, B {}. Shown: {} of {} {noun}, the {NEAREST} nearest to the threshold, then some of the others by \
             similarity, from the list below. Documents that are equal byte for byte are not shown; of texts of more \
             than {} bytes the beginning is compared.",
            self.documents[0],
            self.documents[1],
            thousands(count as u64),
            thousands(self.count),
            thousands(MAX_TEXT_BYTES as u64)
        )
    }

    fn list(&self) -> PairList {
        let rule = match self.count == self.sample.len() as u64 {
            true => format!("All {}, the least similar first.", counted(self.count, self.noun)),
            false => format!(
                "{} of {}, the least similar first: of each hundredth of similarity at most {}, which ones by a hash \
                 of their numbers.",
                thousands(self.sample.len() as u64),
                counted(self.count, self.noun),
                self.sample.len().min(20)
            ),
        };
        let row = |pair: &SampledPair| {
            let [first, second] = self.names(pair.documents).map(shown);
            vec![format!("{:.4}", pair.similarity), first, second, pair.reason.name().to_owned()]
        };
        let page = |pairs: &[SampledPair]| {
            let ends = [pairs.first(), pairs.last()].map(|pair| pair.map_or(0.0, |pair| pair.similarity));
            let heading = format!("{:.4} to {:.4}: {}", ends[0], ends[1], counted(pairs.len() as u64, self.noun));
            (heading, pairs.iter().map(row).collect())
        };
        let columns = vec!["similarity", self.documents[0], self.documents[1], "reason"];
        PairList { rule, columns, pages: self.sample.chunks(ROWS_OF_PAGE).map(page).collect() }
    }
}

/// Counts with their nouns; those of nothing are left out.
pub(super) fn figures<const N: usize>(counts: [(u64, &str, &str); N]) -> Vec<[String; 2]> {
    let shown = counts.into_iter().filter(|(count, ..)| *count > 0);
    shown.map(|(count, noun, what)| [thousands(count), with_number(count, noun) + what]).collect()
}

/// The pairs of documents that a page shows, as one list of documents.
pub(super) fn documents_of(pairs: &[SampledPair]) -> Vec<DocId> {
    pairs.iter().flat_map(|pair| pair.documents).collect()
}

/// A page with the texts of two documents for each heading.
pub(super) fn compared(
    texts: &ShownTexts<'_>,
    listing: &Listing,
    pairs: impl Iterator<Item = (String, [DocId; 2])>,
) -> Result<Vec<ShownPair>> {
    let mut all = Vec::new();
    for (heading, documents) in pairs {
        if let Some(found) = texts.compare(documents)? {
            let heading = format!("{heading}: Jaccard {:.4}", found.overlap.jaccard());
            all.push(shown_pair(heading, documents.map(|document| listing.ids.get(document)), &found));
        }
    }
    Ok(all)
}
