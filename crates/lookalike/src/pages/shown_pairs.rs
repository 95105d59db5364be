//! What the pages of all searches have: what was asked and promised, the histogram, pairs with and without texts.

use super::answers_page::{AnswersPage, PairList, ShownPair};
use super::drawing::draw_histogram;
use super::histogram::HistogramFacts;
use super::shown::shown_id;
use super::texts::{MAX_COMPARED_BYTES, ShownTexts, shown_pair};
use crate::corpus::Listing;
use crate::decide::{RefusedCandidates, SimilarityBins};
use crate::ground::Result;
use crate::job::{Check, Job};
use crate::report::SearchReport;
use crate::write::{PairSample, SampledPair};
use lookalike_core::comparison::Features;
use lookalike_core::documents::Multiplicity;
use lookalike_core::rule::Reason;
use lookalike_core::sets::ShingleOptions;
use lookalike_core::similarity::{Agreement, Figure, distance_of};
use lookalike_core::{DocId, counted, thousands, with_number};

/// Other pairs, spread over the others by similarity.
const SPREAD: usize = 40;
/// Rows of a list that are folded together.
const ROWS_OF_PAGE: usize = 100;

/// What was asked, how candidates were found, and what was promised.
pub(super) fn about(job: &Job, search: &SearchReport) -> Vec<String> {
    let features = match &job.features {
        Features::Set { shingle, .. } | Features::Spelled { shingle, .. } if job.features.are_of_items() => {
            format!("sets of items{}", bag(shingle))
        }
        Features::Set { shingle, .. } | Features::Spelled { shingle, .. } => {
            format!("{} shingles{}", shingle.size, bag(shingle))
        }
        Features::Bits { width } if job.inputs.images.is_some() => format!("perceptual hashes of {width} bits"),
        Features::Bits { width } => format!("fingerprints of {width} bits"),
        Features::Vector if job.inputs.images.is_some() => "vectors of colours of images".to_owned(),
        Features::Vector => "vectors".to_owned(),
        Features::Signature => "signatures".to_owned(),
        Features::WholeText => "whole texts".to_owned(),
    };
    let mut sentences = vec![
        format!("Near-duplicates {}: {} of {features}.", job.measure.limit(), job.measure.name()),
        format!("Method: {}. {}", search.method, told_of_answers(job)),
    ];
    sentences.extend(search.recall.map(|recall| format!("{recall}.").replacen("recall", "Recall", 1)));
    if job.check == Check::Texts {
        let refused = counted(search.refused.unwrap_or_default(), "answer");
        sentences.push(format!("Answers were checked on the texts themselves: {refused} refused."));
    }
    sentences
}

/// What each answer is worth.
fn told_of_answers(job: &Job) -> &'static str {
    match job.measure.is_estimate() {
        true => "Each answer is an estimate, with an interval of 95 %: signatures were compared, and no texts.",
        false => "Each answer was verified.",
    }
}

fn bag(shingle: &ShingleOptions) -> &'static str {
    match shingle.multiplicity {
        Multiplicity::Set => "",
        Multiplicity::Bag | Multiplicity::Counted => " with counts",
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

/// What a histogram shows, in a sentence.
pub(super) fn chart_text(noun: &str, pairs: &SimilarityBins) -> String {
    let bins = || (0..SimilarityBins::BINS).filter(|&bin| pairs.counts()[bin] > 0);
    match bins().next().zip(bins().next_back()) {
        None => format!("There is no {noun}."),
        Some((first, last)) => format!(
            "{} by similarity, from {:.2} to {:.2}.",
            counted(pairs.total(), noun),
            first as f64 / SimilarityBins::BINS as f64,
            (last + 1) as f64 / SimilarityBins::BINS as f64
        ),
    }
}

/// Pairs of which some are shown; the least similar come first.
pub(super) struct PairsOfPage<'a> {
    pub(super) job: &'a Job,
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
        let (nearest, others) = differ.split_at(differ.len().min(PairSample::NEAREST));
        let step = others.len().div_ceil(SPREAD).max(1);
        nearest.iter().chain(others.iter().step_by(step)).copied().collect()
    }

    /// Puts the list, and the chosen pairs with their texts, on a page.
    pub(super) fn put_on(&self, page: &mut AnswersPage, texts: &ShownTexts<'_>) -> Result<()> {
        for pair in self.chosen() {
            let heading = format!("{}, {}", self.figure(pair.similarity), pair.reason.name());
            page.shown.extend(texts.shown_images(&heading, self.names(pair.documents), pair.documents));
            if let Some(found) = texts.compare(pair.documents)? {
                page.shown.push(shown_pair(heading, self.names(pair.documents), &found));
            }
        }
        page.shown_rule = self.rule_of_shown(page.shown.len(), texts);
        page.list = (self.count > 0).then(|| self.list());
        Ok(())
    }

    /// A similarity, or what else the measure counts.
    fn figure(&self, similarity: f64) -> String {
        match self.job.measure.figure() {
            Figure::Similarity | Figure::Containment | Figure::EstimatedSimilarity => format!("{similarity:.4}"),
            Figure::Common => format!("{} in common", thousands(similarity as u64)),
            Figure::Distance { width } => {
                let distance = distance_of(similarity, width);
                format!("{} of {width} differ", counted(distance.into(), "bit"))
            }
            Figure::VectorDistance(_) => format!("{:.4} apart", 0.0 - similarity),
        }
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
        let long = match self.job.inputs.images {
            Some(_) => String::new(),
            None => {
                format!(
                    "; of texts of more than {} bytes the beginning is compared",
                    thousands(MAX_COMPARED_BYTES as u64)
                )
            }
        };
        format!(
            "A is {}, B {}. Shown: {} of {} {noun}, the {} nearest to the threshold, then some of the others by \
             similarity, from the list below. Documents that are equal byte for byte are not shown{long}.",
            self.documents[0],
            self.documents[1],
            thousands(count as u64),
            thousands(self.count),
            PairSample::NEAREST
        )
    }

    fn list(&self) -> PairList {
        let rule = match self.count == self.sample.len() as u64 {
            true => format!("All {}, the least similar first.", counted(self.count, self.noun)),
            false => format!(
                "{} of {}, the least similar first: the {} nearest to the threshold, and of each {} at most {}, which \
                 ones by a hash of their numbers.",
                thousands(self.sample.len() as u64),
                counted(self.count, self.noun),
                PairSample::NEAREST,
                match self.job.measure.figure() {
                    Figure::Common | Figure::VectorDistance(_) => "quarter of a doubling",
                    Figure::Similarity | Figure::Containment => "hundredth of similarity",
                    Figure::Distance { .. } | Figure::EstimatedSimilarity => "hundredth of similarity",
                },
                PairSample::PAIRS_OF_BIN
            ),
        };
        let row = |pair: &SampledPair| {
            let [first, second] = self.names(pair.documents).map(shown_id);
            vec![self.figure(pair.similarity), first, second, pair.reason.name().to_owned()]
        };
        let page = |pairs: &[SampledPair]| {
            let ends = [pairs.first(), pairs.last()].map(|pair| pair.map_or(0.0, |pair| pair.similarity));
            let [first, last] = ends.map(|similarity| self.figure(similarity));
            let heading = format!("{first} to {last}: {}", counted(pairs.len() as u64, self.noun));
            (heading, pairs.iter().map(row).collect())
        };
        let figure = match self.job.measure.figure() {
            Figure::Common => "elements",
            Figure::Distance { .. } => "bits",
            Figure::Similarity | Figure::Containment => "similarity",
            Figure::VectorDistance(_) => "distance",
            Figure::EstimatedSimilarity => "estimate",
        };
        let columns = vec![figure, self.documents[0], self.documents[1], "reason"];
        PairList { rule, columns, pages: self.sample.chunks(ROWS_OF_PAGE).map(page).collect() }
    }
}

/// A similarity on four decimals, a count as it is.
fn rounded(figure: f64) -> String {
    if figure > 1.0 { figure.to_string() } else { format!("{figure:.4}") }
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
    job: &Job,
    texts: &ShownTexts<'_>,
    listing: &Listing,
    pairs: impl Iterator<Item = (String, [DocId; 2])>,
) -> Result<Vec<ShownPair>> {
    let mut all = Vec::new();
    for (heading, documents) in pairs {
        all.extend(texts.shown_images(&heading, documents.map(|document| listing.ids.get(document)), documents));
        if let Some(found) = texts.compare(documents)? {
            // Of the beginnings of texts a similarity would be another one.
            let is_of_overlap = job.measure.points().is_none() && job.measure.cosine().is_none();
            let similarity = if is_of_overlap && found.left_out == [0, 0] {
                let similarity = job.measure.similarity(Agreement::Sets(found.found.overlap));
                format!(", {} {}", job.measure.name(), rounded(similarity))
            } else {
                String::new()
            };
            let heading = heading + &similarity;
            all.push(shown_pair(heading, documents.map(|document| listing.ids.get(document)), &found));
        }
    }
    Ok(all)
}
