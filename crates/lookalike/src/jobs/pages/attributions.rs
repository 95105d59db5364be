//! The pages of `sources` and `cut`: the documents with the largest shares, with their texts and those of their
//! passages.

use super::excerpts::{Excerpts, Wanted};
use super::texts::shown_id;
use crate::corpus::{Listing, Records};
use crate::ground::Result;
use crate::html::{
    AttributedDocument, AttributedText, COLORS, ListedDocument, MarkedPlace, ShownPassage, ShownSource, SourcesPage,
    passage_about, percent,
};
use crate::job::Job;
use crate::passages::{Attribution, SharedPassage, SharedSource};
use crate::run::Session;
use lookalike_core::passages::TokenSpan;
use lookalike_core::{DocId, counted, thousands};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Documents whose texts are shown.
const SHOWN_DOCUMENTS: usize = 50;
/// Documents that are listed.
const LISTED_DOCUMENTS: usize = 2000;
/// Sources of a document that are shown.
const SHOWN_SOURCES: usize = 20;
/// Passages of a source that are shown.
const SHOWN_PASSAGES: usize = 40;
/// Passages of a source that are coloured in the text.
const MARKED_PASSAGES: usize = 2000;
/// Passages of all sources of all documents that are shown, about.
const MAX_PASSAGES: usize = 4000;
/// A page that is larger is made again with less on it.
const MAX_PAGE_BYTES: usize = 9_500_000;
/// Characters of all texts that a page shows, about.
const MAX_CHARACTERS: usize = 1_200_000;

/// What a page of sources is made of, taken from the attributions as they are found.
#[derive(Default)]
pub(in crate::jobs) struct SourcesSample {
    documents: u64,
    /// Documents that were offered, of which the list has those with the largest shares.
    offered: usize,
    with_sources: usize,
    /// Of the documents with the largest shares: number of tokens, of those that stand in a source, and of sources.
    listed: Vec<(DocId, [usize; 3])>,
    /// Those with the largest shares.
    shown: Vec<ShownAttribution>,
}

/// An attribution without the sources and passages that no page shows.
struct ShownAttribution {
    document: DocId,
    tokens: usize,
    covered: usize,
    /// Number of all sources.
    all_sources: usize,
    /// The best of them.
    sources: Vec<TrimmedSource>,
}

/// A source with its longest passages.
struct TrimmedSource {
    source: SharedSource,
    /// Number of all its passages.
    all_passages: usize,
    /// Where others stand in the document.
    marked: Vec<[u32; 2]>,
}

impl ShownAttribution {
    fn of(found: Attribution) -> Self {
        let Attribution { document, tokens, covered, sources, .. } = found;
        let all_sources = sources.len();
        let trimmed = |mut source: SharedSource| {
            let all_passages = source.passages.len();
            let place = |passage: &SharedPassage| [passage.here.start as u32, passage.here.end as u32];
            let marked = longest(&source.passages, MARKED_PASSAGES).map(|(_, passage)| place(passage)).collect();
            source.passages = longest(&source.passages, SHOWN_PASSAGES).map(|(_, passage)| *passage).collect();
            TrimmedSource { source, all_passages, marked }
        };
        let sources = sources.into_iter().take(SHOWN_SOURCES).map(trimmed).collect();
        Self { document, tokens, covered, all_sources, sources }
    }
}

/// What the passages of a page are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum AttributedAs {
    /// They stand in sources.
    Sources,
    /// They are cut, and stay in other documents.
    Cuts,
}

impl AttributedAs {
    /// The heading of a page of several documents.
    fn title(self, some: usize, all: u64) -> String {
        let end = match self {
            Self::Sources => "with sources",
            Self::Cuts => "cut",
        };
        format!("{} of {} {end}", thousands(some as u64), counted(all, "document"))
    }

    /// The heading of a page of one document.
    fn title_of_one(self, name: &str, percent: &str, sources: usize) -> String {
        match self {
            Self::Sources => format!("{name}: {}, {percent} covered", counted(sources as u64, "source")),
            Self::Cuts => format!("{name}: {percent} cut"),
        }
    }

    /// How much of a document its passages are, and in how many others they stand.
    fn share(self, percent: &str, sources: usize) -> String {
        match self {
            Self::Sources => format!("{percent} covered by {}", counted(sources as u64, "source")),
            Self::Cuts => format!("{percent} cut, which stays in {}", counted(sources as u64, "document")),
        }
    }

    /// The headings of the share and of the number of other documents.
    fn columns(self) -> [&'static str; 2] {
        match self {
            Self::Sources => ["in sources", "sources"],
            Self::Cuts => ["cut", "stays in"],
        }
    }

    /// What stands beside a text.
    fn beside(self, name: &str) -> String {
        match self {
            Self::Sources => format!("Sources of {name}"),
            Self::Cuts => format!("Where the cuts of {name} stay"),
        }
    }
}

/// What the page is of.
pub(in crate::jobs) struct SourcesOf<'a> {
    pub(in crate::jobs) job: &'a Job,
    pub(in crate::jobs) listing: &'a Listing,
    pub(in crate::jobs) records: &'a Records,
    pub(in crate::jobs) shown_as: AttributedAs,
    /// What was asked, and what is left out because many have it, in sentences.
    pub(in crate::jobs) about: Vec<String>,
    /// All that the answer depends on, as JSON.
    pub(in crate::jobs) basis: &'a str,
}

impl SourcesSample {
    pub(in crate::jobs) fn offer(&mut self, found: Attribution) {
        self.documents += 1;
        self.offered += 1;
        self.listed.push((found.document, [found.tokens, found.covered, found.sources.len()]));
        if !found.sources.is_empty() {
            self.with_sources += 1;
            self.shown.push(ShownAttribution::of(found));
        }
        if self.shown.len() >= 2 * SHOWN_DOCUMENTS || self.listed.len() >= 2 * LISTED_DOCUMENTS {
            self.shrink();
        }
    }

    /// The same sample, of so many documents.
    pub(super) fn among(self, documents: u64) -> Self {
        Self { documents, ..self }
    }

    /// Keeps the documents with the largest shares; of equal ones the first.
    fn shrink(&mut self) {
        self.shown.sort_by_key(|found| Reverse(per_million(found.covered, found.tokens)));
        self.shown.truncate(SHOWN_DOCUMENTS);
        self.listed.sort_by_key(|&(_, [tokens, covered, _])| Reverse(per_million(covered, tokens)));
        self.listed.truncate(LISTED_DOCUMENTS);
    }

    /// The page, with less on it where it would become too large.
    pub(in crate::jobs) fn page(mut self, of: &SourcesOf<'_>, session: &Session<'_>) -> Result<String> {
        self.shrink();
        let excerpts = of.read(&self.shown, session)?;
        let mut page = self.page_of(of, &excerpts, 1)?;
        for fraction in [2, 4, 8, 16, 32] {
            if page.len() <= MAX_PAGE_BYTES {
                break;
            }
            page = self.page_of(of, &excerpts, fraction)?;
        }
        Ok(page)
    }

    /// A page with a fraction of what may stand on one.
    fn page_of(&self, of: &SourcesOf<'_>, excerpts: &Excerpts, fraction: usize) -> Result<String> {
        let each = Share::of(self.shown.len(), fraction);
        let documents: Vec<AttributedDocument> =
            (1..).zip(&self.shown).map(|(number, found)| of.document(number, found, excerpts, each)).collect();
        let (all, with_sources) = (self.documents, self.with_sources);
        let title = match &self.shown[..] {
            [only] if all == 1 => {
                let percent = percent(only.covered as u64, only.tokens as u64);
                of.shown_as.title_of_one(&of.name(only.document), &percent, only.all_sources)
            }
            _ => of.shown_as.title(with_sources, all),
        };
        let listed = self.listed.iter().zip(1..).map(|(&(document, [tokens, covered, sources]), number)| {
            let link = (number <= documents.len()).then(|| anchor(number));
            ListedDocument { percent: percent(covered as u64, tokens as u64), sources, name: of.name(document), link }
        });
        let page = SourcesPage {
            title,
            about: of.about.clone(),
            columns: of.shown_as.columns(),
            listed: if all > 1 { listed.collect() } else { Vec::new() },
            rule: rule(self.offered, with_sources),
            documents,
            parameters: of.basis.to_owned(),
        };
        page.to_html()
    }
}

/// By which rule so many documents, of which some have sources, are listed and shown.
fn rule(all: usize, with_sources: usize) -> String {
    let shown = match with_sources {
        0 => String::new(),
        _ if with_sources > SHOWN_DOCUMENTS => {
            format!("The {SHOWN_DOCUMENTS} documents with the largest shares are shown with their texts.")
        }
        _ if with_sources == all => "All of them are shown below with their texts.".to_owned(),
        _ => "Those with a share are shown below with their texts.".to_owned(),
    };
    match all > LISTED_DOCUMENTS {
        true => format!("The {LISTED_DOCUMENTS} documents with the largest shares are listed. {shown}"),
        false => shown,
    }
}

/// The share of a page that one document has.
#[derive(Clone, Copy)]
struct Share {
    characters: usize,
    passages: usize,
}

impl Share {
    fn of(documents: usize, fraction: usize) -> Self {
        let parts = documents.max(1) * fraction;
        Self { characters: MAX_CHARACTERS / parts, passages: MAX_PASSAGES / parts }
    }

    /// The number of passages that each of `sources` may show.
    fn passages_of_source(self, sources: usize) -> usize {
        (self.passages / sources.max(1)).clamp(1, SHOWN_PASSAGES)
    }
}

impl SourcesOf<'_> {
    fn name(&self, document: DocId) -> String {
        shown_id(self.listing.ids.get(document))
    }

    /// Reads the texts of the shown documents, and their passages as they stand in the sources.
    fn read(&self, shown: &[ShownAttribution], session: &Session<'_>) -> Result<Excerpts> {
        let (mut wanted, each) = (Wanted::default(), Share::of(shown.len(), 1));
        for found in shown {
            wanted.add_whole(found.document);
            let most = each.passages_of_source(found.sources.len());
            for TrimmedSource { source, .. } in &found.sources {
                longest(&source.passages, most)
                    .for_each(|(_, passage)| wanted.add(source.source, passage.there.bytes()));
            }
        }
        wanted.read(self.job, self.records, session)
    }

    fn document(&self, number: usize, found: &ShownAttribution, texts: &Excerpts, each: Share) -> AttributedDocument {
        let link = anchor(number);
        let sources: Vec<(usize, &TrimmedSource)> = (1..).zip(&found.sources).collect();
        let most = each.passages_of_source(sources.len());
        let places = sources.iter().flat_map(|&(rank, TrimmedSource { source, marked, .. })| {
            let listed: BTreeMap<u64, usize> =
                longest(&source.passages, most).map(|(number, passage)| (passage.here.start, number)).collect();
            marked.iter().map(move |&[start, end]| MarkedPlace {
                place: start as usize..end as usize,
                rank,
                number: listed.get(&start.into()).copied(),
            })
        });
        let places: Vec<MarkedPlace> = places.collect();
        let text = AttributedText::new(texts.whole(found.document), &places, &link, each.characters);
        let is_shown: BTreeSet<&str> = text.anchors().collect();
        let source = |&(rank, TrimmedSource { source, all_passages, .. }): &(usize, &TrimmedSource)| {
            let passages = longest(&source.passages, most)
                .map(|(number, passage)| self.passage(&format!("{link}-{rank}-{number}"), (source, passage), texts));
            let mut passages: Vec<ShownPassage> = passages.collect();
            // What is left out of the text is no goal.
            passages
                .iter_mut()
                .for_each(|passage| passage.here = passage.here.take().filter(|here| is_shown.contains(&here[..])));
            ShownSource {
                anchor: format!("there-{link}-{rank}"),
                rank,
                color: (rank - 1) % COLORS,
                name: shown_id(self.listing.ids.get(source.source)),
                percent: percent(source.covered as u64, found.tokens as u64),
                width: 100.0 * source.covered as f64 / found.tokens.max(1) as f64,
                left_out: all_passages - passages.len(),
                passages,
            }
        };
        let sources_shown = sources.iter().map(source).collect();
        AttributedDocument {
            share: self.shown_as.share(&percent(found.covered as u64, found.tokens as u64), found.all_sources),
            beside: self.shown_as.beside(&self.name(found.document)),
            name: self.name(found.document),
            sources: sources_shown,
            left_out: found.all_sources - sources.len(),
            text,
            anchor: link,
        }
    }

    fn passage(
        &self,
        link: &str,
        (source, passage): (&SharedSource, &SharedPassage),
        texts: &Excerpts,
    ) -> ShownPassage {
        let lines = |TokenSpan { line, end_line, .. }: TokenSpan| [line, end_line];
        ShownPassage {
            anchor: format!("there-{link}"),
            here: Some(format!("here-{link}")),
            about: passage_about(passage.tokens as u64, lines(passage.here), lines(passage.there)),
            text: texts.part(source.source, passage.there.bytes()),
        }
    }
}

fn anchor(number: usize) -> String {
    format!("d{number}")
}

/// The `most` longest passages of a source, with their numbers, in the order of the document.
fn longest(passages: &[SharedPassage], most: usize) -> impl Iterator<Item = (usize, &SharedPassage)> {
    let mut passages: Vec<(usize, &SharedPassage)> = (1..).zip(passages).collect();
    passages.sort_by_key(|(_, passage)| Reverse(passage.tokens));
    passages.truncate(most);
    passages.sort_by_key(|&(number, _)| number);
    passages.into_iter()
}

fn per_million(part: usize, whole: usize) -> u128 {
    part as u128 * 1_000_000 / whole.max(1) as u128
}
