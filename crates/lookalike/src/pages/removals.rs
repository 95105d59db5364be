//! The page of `dedup`: what goes, because of what, and whether it should.

use super::answers_page::{AnswersPage, Table, TableRow};
use super::shown::shown_id;
use super::shown_pairs::{PairsOfPage, about, chart, chart_text, documents_of, figures};
use super::texts::ShownTexts;
use crate::corpus::{Listing, Records};
use crate::ground::Result;
use crate::job::Job;
use crate::report::{DedupCounts, SearchReport, SourceCounts};
use crate::run::Session;
use crate::write::{PairSample, SampledPair};
use lookalike_core::rule::Decision;
use lookalike_core::{DocId, counted, thousands};
use lookalike_io::ground::shown;
use std::cmp::Reverse;

/// Sources that are listed.
const MAX_SOURCES: usize = 200;

/// What the page is of.
pub(crate) struct Removals<'a> {
    pub(crate) job: &'a Job,
    pub(crate) listing: &'a Listing,
    pub(crate) records: &'a Records,
    pub(crate) decisions: &'a [Decision],
    pub(crate) counts: &'a DedupCounts,
    pub(crate) search: &'a SearchReport,
    /// All that the answer depends on, as JSON.
    pub(crate) basis: &'a str,
}

impl Removals<'_> {
    /// The page.
    pub(crate) fn page(&self, session: &Session<'_>) -> Result<String> {
        let Self { job, listing, records, counts, search, .. } = *self;
        let sample = self.sample();
        let chart = chart(job, search, ("removed document", sample.counts()), None)?;
        let chart_text = chart_text("removed document", sample.counts());
        let sample = sample.into_pairs();
        let pairs = PairsOfPage {
            job,
            noun: "removal",
            documents: ["the kept document", "the removed one"],
            sample: &sample,
            count: counts.removed(),
            listing,
        };
        let families = self.families();
        let mut wanted = documents_of(&pairs.chosen());
        wanted.extend(families.iter().map(|&(kept, _)| kept));
        let texts = ShownTexts::read(job, records, &wanted, session)?;
        let mut page = AnswersPage {
            title: format!("{} of {} removed", thousands(counts.removed()), counted(counts.documents, "document")),
            about: about(job, search),
            figures: figures([
                (counts.documents, "document", ""),
                (counts.kept, "document", " kept"),
                (counts.removed_identical, "removal", ": identical, byte for byte"),
                (counts.removed_equal, "removal", ": equal in all that is compared"),
                (counts.removed_near, "removal", ": near"),
                (counts.empty, "document", " without tokens"),
                (counts.bad_records, "bad record", " left out"),
            ]),
            alarms: self.alarms(),
            chart,
            chart_text,
            tables: self.tables(&families, &texts),
            parameters: self.basis.to_owned(),
            ..AnswersPage::default()
        };
        pairs.put_on(&mut page, &texts)?;
        page.to_html()
    }

    fn sample(&self) -> PairSample {
        let mut sample = PairSample::new(self.job.measure.figure());
        for (document, decision) in DocId::all(self.decisions.len()).zip(self.decisions) {
            if let Decision::Removed { kept, similarity, reason } = *decision {
                sample.offer(SampledPair { documents: [kept, document], similarity, reason });
            }
        }
        sample
    }

    /// The kept documents with the most removals, and their numbers.
    fn families(&self) -> Vec<(DocId, u64)> {
        let mut sizes = vec![0u64; self.decisions.len()];
        for decision in self.decisions {
            if let Decision::Removed { kept, .. } = decision {
                sizes[kept.index()] += 1;
            }
        }
        let mut families: Vec<(DocId, u64)> =
            DocId::all(sizes.len()).zip(sizes).filter(|(_, size)| *size > 0).collect();
        families.sort_by_key(|&(kept, size)| (Reverse(size), kept));
        families.truncate(self.counts.largest_families.len());
        families
    }

    fn alarms(&self) -> Vec<String> {
        let sources = self
            .counts
            .sources
            .iter()
            .filter(|source| source.loses_most())
            .map(|source| format!("{} loses more than half of its documents.", shown(&source.source)));
        let families = self.counts.suspicious_families().map(|family| {
            let documents = counted(family.documents, "document");
            format!("The family of {} has {documents}, more than 1 % of all: a template?", shown(&family.kept))
        });
        sources.chain(families).collect()
    }

    fn tables(&self, families: &[(DocId, u64)], texts: &ShownTexts<'_>) -> Vec<Table> {
        let all = self.counts.sources.len();
        let source = |source: &SourceCounts| TableRow {
            numbers: [source.documents, source.kept, source.removed].map(thousands).into(),
            name: shown(&source.source),
            excerpt: String::new(),
        };
        let by_source = Table {
            heading: "By source".to_owned(),
            about: match all > MAX_SOURCES {
                true => format!("The first {MAX_SOURCES} of {} sources.", thousands(all as u64)),
                false => String::new(),
            },
            columns: vec!["documents", "kept", "removed", "source"],
            rows: self.counts.sources.iter().take(MAX_SOURCES).map(source).collect(),
        };
        let family = |&(kept, size): &(DocId, u64)| TableRow {
            numbers: vec![thousands(size)],
            name: shown_id(self.listing.ids.get(kept)),
            excerpt: texts.excerpt(kept),
        };
        let largest = Table {
            heading: "Largest families".to_owned(),
            about: format!(
                "{}; those with the most removals, by the kept document.",
                counted(self.counts.families, "family")
            ),
            columns: vec!["removed", "kept document"],
            rows: families.iter().map(family).collect(),
        };
        [by_source, largest].into_iter().filter(|table| !table.rows.is_empty()).collect()
    }
}
