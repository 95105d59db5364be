//! The page of `sources`: the documents with the largest shares, with their texts and those of their passages.

use super::excerpts::{Excerpts, Wanted};
use crate::corpus::{Listing, Records};
use crate::ground::Result;
use crate::html::{
    AttributedDocument, AttributedText, ListedDocument, MarkedPlace, ShownPassage, ShownSource, SourcesPage,
};
use crate::job::Job;
use crate::passages::{Attribution, SharedPassage, SharedSource};
use crate::run::Session;
use lookalike_core::passages::TokenSpan;
use lookalike_core::{DocId, counted, thousands};
use lookalike_io::{escaped, shown};
use std::cmp::Reverse;

/// Documents whose texts are shown.
const SHOWN_DOCUMENTS: usize = 50;
/// Documents that are listed.
const LISTED_DOCUMENTS: usize = 2000;
/// Sources of a document that are shown.
const SHOWN_SOURCES: usize = 20;
/// Passages of a source that are shown.
const SHOWN_PASSAGES: usize = 40;
/// Characters of all texts that a page shows, about.
const MAX_CHARACTERS: usize = 1_200_000;

/// What a page of sources is made of, taken from the attributions as they are found.
#[derive(Default)]
pub(in crate::jobs) struct SourcesSample {
    documents: u64,
    /// Of all documents with sources: number of tokens, of those that stand in a source, and of sources.
    listed: Vec<(DocId, [usize; 3])>,
    /// Those with the largest shares.
    shown: Vec<Attribution>,
}

/// What the page is of.
pub(in crate::jobs) struct SourcesOf<'a> {
    pub(in crate::jobs) job: &'a Job,
    pub(in crate::jobs) listing: &'a Listing,
    pub(in crate::jobs) records: &'a Records,
    /// What is left out because many have it, in a sentence.
    pub(in crate::jobs) about: Vec<String>,
    /// All that the answer depends on, as JSON.
    pub(in crate::jobs) basis: &'a str,
}

impl SourcesSample {
    pub(in crate::jobs) fn offer(&mut self, found: Attribution) {
        self.documents += 1;
        if found.sources.is_empty() {
            return;
        }
        self.listed.push((found.document, [found.tokens, found.covered, found.sources.len()]));
        self.shown.push(found);
        if self.shown.len() >= 2 * SHOWN_DOCUMENTS {
            self.shrink();
        }
    }

    /// Keeps the documents with the largest shares; of equal ones the first.
    fn shrink(&mut self) {
        self.shown.sort_by_key(|found| Reverse(per_million(found.covered, found.tokens)));
        self.shown.truncate(SHOWN_DOCUMENTS);
    }

    /// The page.
    pub(in crate::jobs) fn page(mut self, of: &SourcesOf<'_>, session: &Session<'_>) -> Result<String> {
        self.shrink();
        let excerpts = of.read(&self.shown, session)?;
        let each = MAX_CHARACTERS / self.shown.len().max(1);
        let documents: Vec<AttributedDocument> =
            (1..).zip(&self.shown).map(|(number, found)| of.document(number, found, &excerpts, each)).collect();
        let (all, with_sources) = (self.documents, self.listed.len());
        let title = match &self.shown[..] {
            [only] if all == 1 => format!(
                "{}: {}, {} covered",
                of.name(only.document),
                counted(only.sources.len() as u64, "source"),
                percent(only.covered, only.tokens)
            ),
            _ => format!("{} of {} with sources", thousands(with_sources as u64), counted(all, "document")),
        };
        self.listed.sort_by_key(|&(_, [tokens, covered, _])| Reverse(per_million(covered, tokens)));
        let listed = self.listed.iter().take(LISTED_DOCUMENTS).zip(1..).map(|(&(document, counts), number)| {
            let [tokens, covered, sources] = counts;
            let link = (number <= documents.len()).then(|| anchor(number));
            ListedDocument { percent: percent(covered, tokens), sources, name: of.name(document), link }
        });
        let page = SourcesPage {
            title,
            about: of.about.clone(),
            listed: if all > 1 { listed.collect() } else { Vec::new() },
            rule: rule(with_sources),
            documents,
            parameters: of.basis.to_owned(),
        };
        page.to_html()
    }
}

/// By which rule documents are listed and shown.
fn rule(with_sources: usize) -> String {
    let shown = match with_sources > SHOWN_DOCUMENTS {
        true => format!("The {SHOWN_DOCUMENTS} documents with the largest shares are shown with their texts."),
        false => "All of them are shown below with their texts.".to_owned(),
    };
    match with_sources > LISTED_DOCUMENTS {
        true => format!("The {LISTED_DOCUMENTS} documents with the largest shares are listed. {shown}"),
        false => shown,
    }
}

impl SourcesOf<'_> {
    fn name(&self, document: DocId) -> String {
        escaped(self.listing.ids.get(document))
    }

    /// Reads the texts of the shown documents, and their passages as they stand in the sources.
    fn read(&self, shown: &[Attribution], session: &Session<'_>) -> Result<Excerpts> {
        let mut wanted = Wanted::default();
        for found in shown {
            wanted.add_whole(found.document);
            for source in found.sources.iter().take(SHOWN_SOURCES) {
                longest(source).for_each(|(_, passage)| wanted.add(source.source, passage.there.bytes()));
            }
        }
        wanted.read(self.job, self.records, session)
    }

    fn document(&self, number: usize, found: &Attribution, texts: &Excerpts, characters: usize) -> AttributedDocument {
        let link = anchor(number);
        let sources: Vec<(usize, &SharedSource)> = (1..).zip(found.sources.iter().take(SHOWN_SOURCES)).collect();
        let places = sources.iter().flat_map(|&(rank, source)| {
            longest(source).map(move |(number, passage)| MarkedPlace { place: passage.here.bytes(), rank, number })
        });
        let places: Vec<MarkedPlace> = places.collect();
        AttributedDocument {
            text: AttributedText::new(texts.whole(found.document), &places, &link, characters),
            share: format!(
                "{} covered by {}",
                percent(found.covered, found.tokens),
                counted(found.sources.len() as u64, "source")
            ),
            name: self.name(found.document),
            sources: sources.iter().map(|&(rank, source)| self.source(&link, rank, (found, source), texts)).collect(),
            left_out: found.sources.len() - sources.len(),
            anchor: link,
        }
    }

    fn source(
        &self,
        link: &str,
        rank: usize,
        (found, source): (&Attribution, &SharedSource),
        texts: &Excerpts,
    ) -> ShownSource {
        let passage = |(number, passage): (usize, &SharedPassage)| ShownPassage {
            anchor: format!("there-{link}-{rank}-{number}"),
            here: format!("here-{link}-{rank}-{number}"),
            about: format!(
                "{}: {}, there {}",
                counted(passage.tokens as u64, "token"),
                lines(passage.here),
                lines(passage.there)
            ),
            text: texts.part(source.source, passage.there.bytes()),
        };
        let passages: Vec<ShownPassage> = longest(source).map(passage).collect();
        ShownSource {
            rank,
            color: (rank - 1) % crate::html::COLORS,
            name: shown(self.listing.ids.get(source.source)),
            percent: percent(source.covered, found.tokens),
            width: 100.0 * source.covered as f64 / found.tokens.max(1) as f64,
            left_out: source.passages.len() - passages.len(),
            passages,
        }
    }
}

fn anchor(number: usize) -> String {
    format!("d{number}")
}

/// The longest passages of a source, with their numbers, in the order of the document.
fn longest(source: &SharedSource) -> impl Iterator<Item = (usize, &SharedPassage)> {
    let mut passages: Vec<(usize, &SharedPassage)> = (1..).zip(&source.passages).collect();
    passages.sort_by_key(|(_, passage)| Reverse(passage.tokens));
    passages.truncate(SHOWN_PASSAGES);
    passages.sort_by_key(|&(number, _)| number);
    passages.into_iter()
}

fn lines(TokenSpan { line, end_line, .. }: TokenSpan) -> String {
    if line == end_line { format!("line {line}") } else { format!("lines {line} to {end_line}") }
}

fn per_million(part: usize, whole: usize) -> u128 {
    part as u128 * 1_000_000 / whole.max(1) as u128
}

/// A share in percent, rounded down: all of it is all of it.
fn percent(part: usize, whole: usize) -> String {
    format!("{} %", per_million(part, whole) / 10_000)
}
