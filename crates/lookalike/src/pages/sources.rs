//! The pages of `sources` and `cut`: the documents with the largest shares, with their texts and those of their
//! passages; and the sources of one text that a server was asked for, as a part of a page.

use super::attributed::{
    AttributedDocument, ListedDocument, PlainText, ShownPassage, ShownSource, SourcesPage, attributed_text,
};
use super::shown::{passage_about, percent, render, shown_id, shown_part};
use super::texts::{ReadTexts, RequestedTexts};
use crate::base::Result;
use crate::corpus::{Listing, Records};
use crate::job::Job;
use crate::passages::{Attribution, Cuts, LocatedCut, SharedPassage, SharedSource};
use crate::report::{TextSource, TextSources};
use crate::run::Session;
use lookalike_core::passages::TokenSpan;
use lookalike_core::{DocId, counted, thousands};
use lookalike_io::rows::PassageRow;
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
/// Passages of a source that are shown of a text alone.
const SHOWN_PASSAGES_OF_TEXT: usize = 100;
/// The name of a text alone in links.
const TEXT_ANCHOR: &str = "d1";
/// Bytes of a text that are shown: fifty of them fit into the smallest budget.
const MAX_SHOWN_BYTES: usize = 1 << 19;
/// A page that is larger is made again with less on it.
const MAX_PAGE_BYTES: usize = 9_500_000;
/// Characters of all texts that a page shows, about.
const MAX_CHARACTERS: usize = 1_200_000;

/// Sample for a page of sources, taken from the attributions as they are found.
#[derive(Default)]
pub(crate) struct SourcesSample {
    documents: u64,
    /// Documents that were offered, of which the list has those with the largest shares.
    offered: usize,
    with_sources: usize,
    /// The documents with the largest shares: numbers of tokens, of those that stand in a source, and of sources.
    listed: Vec<(DocId, [usize; 3])>,
    /// Attributions with the largest shares.
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
    /// Bytes of others in the document.
    marked: Vec<[u32; 2]>,
}

impl ShownAttribution {
    fn new(found: Attribution) -> Self {
        let Attribution { document, tokens, covered, sources, .. } = found;
        let all_sources = sources.len();
        let trimmed = |mut source: SharedSource| {
            let all_passages = source.passages.len();
            let place = |passage: &SharedPassage| [passage.here.start as u32, passage.here.end as u32];
            let marked =
                longest(&source.passages, MARKED_PASSAGES, tokens_of).map(|(_, passage)| place(passage)).collect();
            source.passages =
                longest(&source.passages, SHOWN_PASSAGES, tokens_of).map(|(_, passage)| *passage).collect();
            TrimmedSource { source, all_passages, marked }
        };
        let sources = sources.into_iter().take(SHOWN_SOURCES).map(trimmed).collect();
        Self { document, tokens, covered, all_sources, sources }
    }
}

/// Kind of the passages of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributedAs {
    /// Passages that stand in sources.
    Sources,
    /// Passages that are cut, and stay in other documents.
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

    /// Share of a document that its passages are, and the number of others that have them.
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

    /// Heading of the list beside a text.
    fn beside(self, name: &str) -> String {
        match self {
            Self::Sources => format!("Sources of {name}"),
            Self::Cuts => format!("Where the cuts of {name} stay"),
        }
    }
}

/// Parameters of a page of sources.
pub(crate) struct SourcesOf<'a> {
    pub(crate) job: &'a Job,
    pub(crate) listing: &'a Listing,
    pub(crate) records: &'a Records,
    pub(crate) shown_as: AttributedAs,
    /// The question, and what is left out because many have it, in sentences.
    pub(crate) about: Vec<String>,
    /// Basis of the answer, as JSON.
    pub(crate) basis: &'a str,
}

impl SourcesSample {
    pub(crate) fn offer(&mut self, found: Attribution) {
        self.documents += 1;
        self.offered += 1;
        self.listed.push((found.document, [found.tokens, found.covered, found.sources.len()]));
        if !found.sources.is_empty() {
            self.with_sources += 1;
            self.shown.push(ShownAttribution::new(found));
        }
        if self.shown.len() >= 2 * SHOWN_DOCUMENTS || self.listed.len() >= 2 * LISTED_DOCUMENTS {
            self.shrink();
        }
    }

    /// Keeps the documents with the largest shares; of equal ones the first.
    fn shrink(&mut self) {
        self.shown.sort_by_key(|found| Reverse(per_million(found.covered, found.tokens)));
        self.shown.truncate(SHOWN_DOCUMENTS);
        self.listed.sort_by_key(|&(_, [tokens, covered, _])| Reverse(per_million(covered, tokens)));
        self.listed.truncate(LISTED_DOCUMENTS);
    }

    /// The page, with less on it where it would become too large.
    pub(crate) fn page(mut self, of: &SourcesOf<'_>, session: &Session<'_>) -> Result<String> {
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
    fn page_of(&self, of: &SourcesOf<'_>, excerpts: &ReadTexts, fraction: usize) -> Result<String> {
        let each = PageShare::new(self.shown.len(), fraction);
        let documents: Vec<AttributedDocument> =
            (1..).zip(&self.shown).map(|(number, found)| of.part(number, found, excerpts, each)).collect();
        let all = self.documents;
        let with_sources = self.with_sources;
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
        render(&page)
    }
}

/// The rule by which so many documents, of which some have sources, are listed and shown.
fn rule(all: usize, with_sources: usize) -> String {
    let shown = match with_sources {
        0 => String::new(),
        _ if with_sources > SHOWN_DOCUMENTS => {
            format!("The {SHOWN_DOCUMENTS} documents with the largest shares are shown with their texts.")
        }
        _ if with_sources == all => "All of them are shown below with their texts.".to_owned(),
        _ => "Those with a share are shown below with their texts.".to_owned(),
    };
    if all <= LISTED_DOCUMENTS {
        return shown;
    }
    format!("The {LISTED_DOCUMENTS} documents with the largest shares are listed. {shown}")
}

/// The share of a page that one document has.
#[derive(Clone, Copy)]
struct PageShare {
    characters: usize,
    passages: usize,
}

impl PageShare {
    fn new(documents: usize, fraction: usize) -> Self {
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
    fn read(&self, shown: &[ShownAttribution], session: &Session<'_>) -> Result<ReadTexts> {
        let mut wanted = RequestedTexts::default();
        let each = PageShare::new(shown.len(), 1);
        for found in shown {
            wanted.add_beginning(found.document);
            let most = each.passages_of_source(found.sources.len());
            for TrimmedSource { source, .. } in &found.sources {
                longest(&source.passages, most, tokens_of)
                    .for_each(|(_, passage)| wanted.add_part(source.source, passage.there.bytes()));
            }
        }
        wanted.read(self.job, self.records, MAX_SHOWN_BYTES, session)
    }

    fn part(&self, number: usize, found: &ShownAttribution, texts: &ReadTexts, each: PageShare) -> AttributedDocument {
        let most = each.passages_of_source(found.sources.len());
        let mut sources: Vec<ShownSource> =
            found.sources.iter().map(|source| self.source(source, found.tokens, most, texts)).collect();
        let (text, missing_bytes) = texts.beginning(found.document);
        let text = PlainText { text, missing_bytes, max_characters: each.characters };
        let anchor = anchor(number);
        let name = self.name(found.document);
        AttributedDocument {
            share: self.shown_as.share(&percent(found.covered as u64, found.tokens as u64), found.all_sources),
            beside: self.shown_as.beside(&name),
            text: attributed_text(text, &mut sources, &anchor),
            left_out: found.all_sources - sources.len(),
            anchor,
            name,
            sources,
        }
    }

    /// A source of a document of so many tokens, with its longest passages.
    fn source(&self, trimmed: &TrimmedSource, tokens: usize, most: usize, texts: &ReadTexts) -> ShownSource {
        let TrimmedSource { source, all_passages, marked } = trimmed;
        let listed: BTreeMap<u32, usize> = longest(&source.passages, most, tokens_of)
            .map(|(number, passage)| (passage.here.start as u32, number))
            .collect();
        let mark = |&[start, end]: &[u32; 2]| (start as usize..end as usize, listed.get(&start).copied());
        let lines = |TokenSpan { line, end_line, .. }: TokenSpan| [line, end_line];
        let passage = |(number, passage): (usize, &SharedPassage)| ShownPassage {
            number,
            is_in_text: false,
            about: passage_about(passage.tokens as u64, lines(passage.here), lines(passage.there)),
            text: texts.part(source.source, passage.there.bytes()),
        };
        ShownSource {
            name: self.name(source.source),
            percent: percent(source.covered as u64, tokens as u64),
            width: 100.0 * source.covered as f64 / tokens.max(1) as f64,
            marked: marked.iter().map(mark).collect(),
            left_out: all_passages - source.passages.len().min(most),
            passages: longest(&source.passages, most, tokens_of).map(passage).collect(),
        }
    }
}

fn anchor(number: usize) -> String {
    format!("d{number}")
}

/// The `most` longest passages of a source, with their numbers, in the order of the document.
fn longest<P>(passages: &[P], most: usize, tokens_of: impl Fn(&P) -> u64) -> impl Iterator<Item = (usize, &P)> {
    let mut passages: Vec<(usize, &P)> = (1..).zip(passages).collect();
    passages.sort_by_key(|(_, passage)| Reverse(tokens_of(passage)));
    passages.truncate(most);
    passages.sort_by_key(|&(number, _)| number);
    passages.into_iter()
}

fn tokens_of(passage: &SharedPassage) -> u64 {
    passage.tokens as u64
}

fn per_million(part: usize, whole: usize) -> u128 {
    part as u128 * 1_000_000 / whole.max(1) as u128
}

/// Sample for a page of cuts, taken from the cuts as they are located, document by document.
#[derive(Default)]
pub(crate) struct CutSample {
    sample: SourcesSample,
    /// The document whose cuts come now.
    open: Option<Attribution>,
}

impl CutSample {
    /// Adds the next cut.
    pub(crate) fn add(&mut self, cut: &LocatedCut, cuts: &Cuts) {
        let LocatedCut { document, tokens, here, kept, .. } = *cut;
        if self.open.as_ref().is_none_or(|open| open.document != document) {
            self.close();
        }
        let open = self.open.get_or_insert_with(|| Attribution {
            document,
            tokens: cuts.tokens(document) as usize,
            covered: cuts.cut_tokens(document) as usize,
            common: 0,
            sources: Vec::new(),
        });
        let Some((source, there)) = kept else {
            // What goes between two cuts is shown with the one before it.
            let last = open.sources.iter_mut().filter_map(|source| source.passages.last_mut());
            if let Some(before) = last.max_by_key(|passage| passage.here.start) {
                before.here.end = here.end;
                before.here.end_line = here.end_line;
            }
            return;
        };
        let passage = SharedPassage { tokens: tokens as usize, here, there };
        match open.sources.iter_mut().find(|known| known.source == source) {
            Some(known) => {
                known.covered += passage.tokens;
                known.passages.push(passage);
            }
            None => open.sources.push(SharedSource { source, covered: passage.tokens, passages: vec![passage] }),
        }
    }

    fn close(&mut self) {
        if let Some(mut found) = self.open.take() {
            found.sources.sort_by_key(|source| Reverse(source.covered));
            self.sample.offer(found);
        }
    }

    /// The page of so many documents, of which some are cut.
    pub(crate) fn page(mut self, of: &SourcesOf<'_>, documents: u64, session: &Session<'_>) -> Result<String> {
        self.close();
        SourcesSample { documents, ..self.sample }.page(of, session)
    }
}

/// A text, called `name`, with its passages coloured, and its sources beside it, as a part of a page. Nothing in it is
/// markup of the texts.
///
/// # Errors
/// If the page cannot be made.
pub fn attributed_html(name: &str, found: &TextSources) -> Result<String> {
    let count = found.sources.len();
    let mut sources = found.sources.iter().map(|source| source_of_text(source, found.tokens)).collect::<Vec<_>>();
    let text = PlainText { text: &found.text, missing_bytes: 0, max_characters: MAX_CHARACTERS };
    let document = AttributedDocument {
        anchor: TEXT_ANCHOR.to_owned(),
        name: name.to_owned(),
        share: AttributedAs::Sources.share(&percent(found.covered_tokens, found.tokens), count),
        beside: AttributedAs::Sources.beside(name),
        text: attributed_text(text, &mut sources, TEXT_ANCHOR),
        sources,
        left_out: 0,
    };
    render(&document)
}

fn source_of_text(source: &TextSource, tokens: u64) -> ShownSource {
    let listed: Vec<(usize, &PassageRow<'static>)> =
        longest(&source.passages, SHOWN_PASSAGES_OF_TEXT, |passage| passage.tokens).collect();
    let numbers: BTreeSet<usize> = listed.iter().map(|&(number, _)| number).collect();
    let mark = |(number, passage): (usize, &PassageRow<'static>)| {
        (passage.start as usize..passage.end as usize, numbers.contains(&number).then_some(number))
    };
    let passage = |&(number, passage): &(usize, &PassageRow<'static>)| {
        let here = [passage.line, passage.end_line];
        let there = [passage.source_line, passage.source_end_line];
        let part = source.text.get(passage.source_start as usize..passage.source_end as usize);
        let about = passage_about(passage.tokens, here, there);
        ShownPassage { number, is_in_text: false, about, text: shown_part(part.unwrap_or_default()) }
    };
    ShownSource {
        name: shown_part(&source.document.id),
        percent: percent((source.share * tokens as f64).round() as u64, tokens),
        width: 100.0 * source.share,
        marked: (1..).zip(source.passages.iter().take(MARKED_PASSAGES)).map(mark).collect(),
        passages: listed.iter().map(passage).collect(),
        left_out: source.passages.len() - listed.len(),
    }
}
