//! Template of the page of a search, and its common parts: the question, figures, the histogram, tables, and a sample
//! of pairs with their texts.

use super::drawing::draw_histogram;
use super::histogram::HistogramFacts;
use super::shown::shown_id;
use super::side_by_side::{Mark, SideRow};
use super::texts::{MAX_COMPARED_BYTES, ShownPair, ShownTexts, shown_pair};
use crate::base::Result;
use crate::corpus::{Listing, Records};
use crate::decide::{RefusedCandidates, SimilarityBins};
use crate::job::{Check, Job};
use crate::report::SearchReport;
use crate::run::Session;
use crate::write::{PairSample, SampledPair};
use askama::Template;
use lookalike_core::comparison::Features;
use lookalike_core::documents::Multiplicity;
use lookalike_core::rule::Reason;
use lookalike_core::sets::ShingleOptions;
use lookalike_core::similarity::{Agreement, Figure, distance_of};
use lookalike_core::{DocId, counted, thousands, with_number};

/// Number of pairs that are spread over the others by similarity.
const SPREAD: usize = 40;
/// Rows of a list that are folded together.
const ROWS_OF_PAGE: usize = 100;

/// Page of the answers of a search.
#[derive(Debug, Default, Template)]
#[template(path = "answers.html")]
pub(super) struct AnswersPage {
    /// The heading: what was found.
    pub(super) title: String,
    /// The question, in sentences.
    pub(super) about: Vec<String>,
    /// Counts with their nouns.
    pub(super) figures: Vec<[String; 2]>,
    /// Signs that something may be wrong.
    pub(super) alarms: Vec<String>,
    /// The histogram as SVG.
    pub(super) chart: Option<String>,
    /// Summary of the histogram, in a sentence.
    pub(super) chart_text: String,
    /// Tables.
    pub(super) tables: Vec<PageTable>,
    /// The rule by which pairs are shown with their texts.
    pub(super) shown_rule: String,
    /// Pairs with their texts.
    pub(super) shown: Vec<ShownPair>,
    /// Pairs without their texts.
    pub(super) list: Option<PairList>,
    /// Basis of the answer, as JSON.
    pub(super) parameters: String,
}

impl AnswersPage {
    /// Returns whether texts are shown, whose colours need a legend.
    fn shows_texts(&self) -> bool {
        self.shown.iter().any(|pair| pair.images.is_none())
    }
}

/// A table of a page.
#[derive(Debug)]
pub(super) struct PageTable {
    /// Its heading.
    pub(super) heading: String,
    /// Note on it.
    pub(super) about: String,
    /// The headings of its columns: numbers, then a text.
    pub(super) columns: Vec<&'static str>,
    /// Its rows.
    pub(super) rows: Vec<TableRow>,
}

/// A row of a table.
#[derive(Debug)]
pub(super) struct TableRow {
    /// Its numbers.
    pub(super) numbers: Vec<String>,
    /// Name of the thing that they count.
    pub(super) name: String,
    /// The beginning of a text; empty without one.
    pub(super) excerpt: String,
}

/// Pairs without their texts, in pages.
#[derive(Debug)]
pub(super) struct PairList {
    /// The rule by which pairs are listed.
    pub(super) rule: String,
    /// The headings of the columns.
    pub(super) columns: Vec<&'static str>,
    /// Page by page: what it holds, and the rows.
    pub(super) pages: Vec<(String, Vec<Vec<String>>)>,
}

/// A search of which a page is made.
#[derive(Clone, Copy)]
pub(crate) struct SearchPage<'a> {
    pub(crate) job: &'a Job,
    pub(crate) listing: &'a Listing,
    pub(crate) records: &'a Records,
    pub(crate) search: &'a SearchReport,
    /// Basis of the answer, as JSON.
    pub(crate) basis: &'a str,
    pub(crate) session: &'a Session<'a>,
}

impl SearchPage<'_> {
    /// A page with the question and the parameters alone.
    pub(super) fn begin(&self) -> AnswersPage {
        AnswersPage { about: self.about(), parameters: self.basis.to_owned(), ..AnswersPage::default() }
    }

    pub(super) fn texts(&self, wanted: &[DocId]) -> Result<ShownTexts<'_>> {
        ShownTexts::read(self.job, self.records, wanted, self.session)
    }

    pub(super) fn names(&self, documents: [DocId; 2]) -> [&str; 2] {
        documents.map(|document| self.listing.ids.get(document))
    }

    /// The question, how candidates were found, and the promise.
    fn about(&self) -> Vec<String> {
        let Self { job, search, .. } = self;
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
        let certainty = if job.measure.is_estimate() {
            "Each answer is an estimate, with an interval of 95 %: signatures were compared, and no texts."
        } else {
            "Each answer was verified."
        };
        let mut sentences = vec![
            format!("Near-duplicates {}: {} of {features}.", job.measure.limit(), job.measure.name()),
            format!("Method: {}. {certainty}", search.method),
        ];
        sentences.extend(search.recall.map(|recall| format!("{recall}.").replacen("recall", "Recall", 1)));
        if job.check == Check::Texts {
            let refused = counted(search.refused.unwrap_or_default(), "answer");
            sentences.push(format!("Answers were checked on the texts themselves: {refused} refused."));
        }
        sentences
    }

    /// Adds the histogram, of a measure of similarities from 0 to 1, and what it shows in a sentence.
    pub(super) fn add_chart(
        &self,
        page: &mut AnswersPage,
        noun: &'static str,
        pairs: &SimilarityBins,
        refused: Option<&RefusedCandidates>,
    ) -> Result<()> {
        page.chart_text = chart_text(noun, pairs);
        let measure = self.job.measure;
        if let Some(threshold) = measure.min_similarity() {
            let method = self.search.method;
            let svg =
                draw_histogram(&HistogramFacts { pairs, refused, method, threshold, measure: measure.name(), noun })?;
            // Inside a page a drawing has no declaration of its own.
            page.chart = Some(svg[svg.find("<svg").unwrap_or(0)..].to_owned());
        }
        Ok(())
    }

    /// The pairs of documents that have texts or images, each under its heading.
    pub(super) fn compared(
        &self,
        texts: &ShownTexts<'_>,
        pairs: impl Iterator<Item = (String, [DocId; 2])>,
    ) -> Result<Vec<ShownPair>> {
        let measure = self.job.measure;
        let mut all = Vec::new();
        for (mut heading, documents) in pairs {
            let names = self.names(documents);
            all.extend(texts.shown_images(&heading, names, documents));
            if let Some(found) = texts.compare(documents)? {
                // Of the beginnings of texts a similarity would be another one.
                let is_of_overlap = measure.points().is_none() && measure.cosine().is_none();
                if is_of_overlap && found.left_out == [0, 0] {
                    let similarity = measure.similarity(Agreement::Sets(found.found.overlap));
                    heading += &format!(", {} {}", measure.name(), rounded(similarity));
                }
                all.push(shown_pair(heading, names, &found));
            }
        }
        Ok(all)
    }
}

fn bag(shingle: &ShingleOptions) -> &'static str {
    match shingle.multiplicity {
        Multiplicity::Set => "",
        Multiplicity::Bag | Multiplicity::Counted => " with counts",
    }
}

/// Summary of a histogram, in a sentence.
fn chart_text(noun: &str, pairs: &SimilarityBins) -> String {
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
    pub(super) of: SearchPage<'a>,
    /// Their name: `removal`, `pair`.
    pub(super) noun: &'static str,
    /// The headings of their documents.
    pub(super) documents: [&'static str; 2],
    pub(super) sample: &'a [SampledPair],
    /// Number of all pairs.
    pub(super) count: u64,
}

impl PairsOfPage<'_> {
    /// The pairs that are shown with their texts.
    fn chosen(&self) -> Vec<SampledPair> {
        let differ: Vec<SampledPair> =
            self.sample.iter().copied().filter(|pair| pair.reason != Reason::Identical).collect();
        let (nearest, others) = differ.split_at(differ.len().min(PairSample::NEAREST));
        let step = others.len().div_ceil(SPREAD).max(1);
        nearest.iter().chain(others.iter().step_by(step)).copied().collect()
    }

    /// The documents of these pairs.
    pub(super) fn documents_shown(&self) -> Vec<DocId> {
        self.chosen().iter().flat_map(|pair| pair.documents).collect()
    }

    /// Puts the list, and the chosen pairs with their texts, on a page.
    pub(super) fn put_on(&self, page: &mut AnswersPage, texts: &ShownTexts<'_>) -> Result<()> {
        for pair in self.chosen() {
            let heading = format!("{}, {}", self.figure(pair.similarity), pair.reason.name());
            page.shown.extend(texts.shown_images(&heading, self.of.names(pair.documents), pair.documents));
            if let Some(found) = texts.compare(pair.documents)? {
                page.shown.push(shown_pair(heading, self.of.names(pair.documents), &found));
            }
        }
        page.shown_rule = self.rule_of_shown(page.shown.len(), texts);
        page.list = (self.count > 0).then(|| self.list());
        Ok(())
    }

    /// A similarity, or what else the measure counts.
    fn figure(&self, similarity: f64) -> String {
        match self.of.job.measure.figure() {
            Figure::Similarity | Figure::Containment | Figure::EstimatedSimilarity => format!("{similarity:.4}"),
            Figure::Common => format!("{} in common", thousands(similarity as u64)),
            Figure::Distance { width } => {
                let distance = distance_of(similarity, width);
                format!("{} of {width} differ", counted(distance.into(), "bit"))
            }
            Figure::VectorDistance(_) => format!("{:.4} apart", 0.0 - similarity),
        }
    }

    fn rule_of_shown(&self, count: usize, texts: &ShownTexts<'_>) -> String {
        let noun = with_number(self.count, self.noun);
        if self.count == 0 {
            return format!("There is no {}.", self.noun);
        }
        if texts.are_none() || count == 0 {
            return format!("No {} is shown here: there are no texts that differ, or they are not at hand.", self.noun);
        }
        let long = match self.of.job.inputs.images {
            Some(_) => String::new(),
            None => {
                let bytes = thousands(MAX_COMPARED_BYTES as u64);
                format!("; of texts of more than {bytes} bytes the beginning is compared")
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
        let all = counted(self.count, self.noun);
        let rule = if self.count == self.sample.len() as u64 {
            format!("All {all}, the least similar first.")
        } else {
            let bin = match self.of.job.measure.figure() {
                Figure::Common | Figure::VectorDistance(_) => "quarter of a doubling",
                Figure::Similarity | Figure::Containment | Figure::Distance { .. } | Figure::EstimatedSimilarity => {
                    "hundredth of similarity"
                }
            };
            format!(
                "{} of {all}, the least similar first: the {} nearest to the threshold, and of each {bin} at most {}, \
                 which ones by a hash of their numbers.",
                thousands(self.sample.len() as u64),
                PairSample::NEAREST,
                PairSample::PAIRS_OF_BIN
            )
        };
        let row = |pair: &SampledPair| {
            let [first, second] = self.of.names(pair.documents).map(shown_id);
            vec![self.figure(pair.similarity), first, second, pair.reason.name().to_owned()]
        };
        let page = |pairs: &[SampledPair]| {
            let ends = [pairs.first(), pairs.last()].map(|pair| pair.map_or(0.0, |pair| pair.similarity));
            let [first, last] = ends.map(|similarity| self.figure(similarity));
            let heading = format!("{first} to {last}: {}", counted(pairs.len() as u64, self.noun));
            (heading, pairs.iter().map(row).collect())
        };
        let figure = match self.of.job.measure.figure() {
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
