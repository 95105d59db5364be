//! The pages of `dedup`, `pairs` and `clusters`.

use super::answers_page::{PageTable, PairsOfPage, SearchPage, TableRow, figures};
use super::shown::{render, shown_id};
use super::texts::ShownTexts;
use crate::base::Result;
use crate::corpus::Listing;
use crate::decide::RefusedCandidates;
use crate::report::{ClusterCounts, DedupCounts, PairCounts, SourceCounts};
use crate::write::{PairSample, SampledPair};
use lookalike_core::rule::{Cluster, Decision};
use lookalike_core::{DocId, counted, thousands};
use lookalike_io::base::shown;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Clusters whose texts are shown.
const SHOWN_CLUSTERS: usize = 20;
/// Members of a cluster that are named.
const NAMED_MEMBERS: usize = 10;
/// Sources that are listed.
const MAX_SOURCES: usize = 200;

impl SearchPage<'_> {
    /// The page of pairs.
    pub(crate) fn of_pairs(
        &self,
        counts: &PairCounts,
        sample: PairSample,
        refused: Option<&RefusedCandidates>,
    ) -> Result<String> {
        let mut page = self.begin();
        page.title = format!("{} among {}", counted(counts.pairs, "pair"), counted(counts.documents, "document"));
        page.figures = figures([
            (counts.documents, "document", ""),
            (counts.pairs, "pair", ""),
            (counts.empty, "document", " without tokens"),
            (counts.bad_records, "bad record", " left out"),
        ]);
        self.add_chart(&mut page, "verified pair", sample.counts(), refused)?;
        let sample = sample.into_pairs();
        let documents = ["the first document", "the second"];
        let pairs = PairsOfPage { of: *self, noun: "pair", documents, sample: &sample, count: counts.pairs };
        pairs.put_on(&mut page, &self.texts(&pairs.documents_shown())?)?;
        render(&page)
    }

    /// The page of clusters.
    pub(crate) fn of_clusters(&self, counts: &ClusterCounts, clusters: &[Cluster]) -> Result<String> {
        let mut largest: Vec<&Cluster> = clusters.iter().collect();
        largest.sort_by_key(|cluster| Reverse(cluster.members.len()));
        largest.truncate(SHOWN_CLUSTERS);
        let ends = |cluster: &Cluster| Some([*cluster.members.first()?, *cluster.members.last()?]);
        let wanted: Vec<DocId> = largest.iter().filter_map(|cluster| ends(cluster)).flatten().collect();
        let texts = self.texts(&wanted)?;
        let heading = |cluster: &Cluster| counted(cluster.members.len() as u64, "document");
        let pairs = largest.iter().filter_map(|cluster| Some((heading(cluster), ends(cluster)?)));
        let mut page = self.begin();
        let clustered = counted(counts.clustered_documents, "document");
        page.title = format!("{} of {clustered}", counted(counts.clusters, "cluster"));
        page.figures = figures([
            (counts.documents, "document", ""),
            (counts.clusters, "cluster", ""),
            (counts.clustered_documents, "document", " in clusters"),
            (counts.largest_cluster, "document", " in the largest"),
            (counts.empty, "document", " without tokens"),
            (counts.bad_records, "bad record", " left out"),
        ]);
        page.tables = vec![sizes(clusters), members(&largest, self.listing, &texts)];
        page.shown_rule =
            "A is the first document of a cluster, B its last: near-duplicates of near-duplicates may have \
                           little in common. The largest clusters are shown."
                .to_owned();
        page.shown = self.compared(&texts, pairs)?;
        render(&page)
    }

    /// The page of removals.
    pub(crate) fn of_removals(&self, decisions: &[Decision], counts: &DedupCounts) -> Result<String> {
        let mut page = self.begin();
        page.title = format!("{} of {} removed", thousands(counts.removed()), counted(counts.documents, "document"));
        page.figures = figures([
            (counts.documents, "document", ""),
            (counts.kept, "document", " kept"),
            (counts.removed_identical, "removal", ": identical, byte for byte"),
            (counts.removed_equal, "removal", ": equal in all that is compared"),
            (counts.removed_near, "removal", ": near"),
            (counts.empty, "document", " without tokens"),
            (counts.bad_records, "bad record", " left out"),
        ]);
        page.alarms = alarms(counts);
        let mut sample = PairSample::new(self.job.measure.figure());
        let mut families: BTreeMap<DocId, u64> = BTreeMap::new();
        for (document, decision) in DocId::all(decisions.len()).zip(decisions) {
            if let Decision::Removed { kept, similarity, reason } = *decision {
                sample.offer(SampledPair { documents: [kept, document], similarity, reason });
                *families.entry(kept).or_default() += 1;
            }
        }
        // A stable sort: of equally large families the first comes first.
        let mut families: Vec<(DocId, u64)> = families.into_iter().collect();
        families.sort_by_key(|&(_, size)| Reverse(size));
        families.truncate(counts.largest_families.len());
        self.add_chart(&mut page, "removed document", sample.counts(), None)?;
        let sample = sample.into_pairs();
        let documents = ["the kept document", "the removed one"];
        let pairs = PairsOfPage { of: *self, noun: "removal", documents, sample: &sample, count: counts.removed() };
        let mut wanted = pairs.documents_shown();
        wanted.extend(families.iter().map(|&(kept, _)| kept));
        let texts = self.texts(&wanted)?;
        let tables = [by_source(counts), largest_families(counts, &families, self.listing, &texts)];
        page.tables = tables.into_iter().filter(|table| !table.rows.is_empty()).collect();
        pairs.put_on(&mut page, &texts)?;
        render(&page)
    }
}

/// Signs that something may be wrong.
fn alarms(counts: &DedupCounts) -> Vec<String> {
    let sources = counts
        .sources
        .iter()
        .filter(|source| source.loses_most())
        .map(|source| format!("{} loses more than half of its documents.", shown(&source.source)));
    let families = counts.suspicious_families().map(|family| {
        let documents = counted(family.documents, "document");
        format!("The family of {} has {documents}, more than 1 % of all: a template?", shown(&family.kept))
    });
    sources.chain(families).collect()
}

/// Documents that stay and go, by source.
fn by_source(counts: &DedupCounts) -> PageTable {
    let all = counts.sources.len();
    let row = |source: &SourceCounts| TableRow {
        numbers: [source.documents, source.kept, source.removed].map(thousands).into(),
        name: shown(&source.source),
        excerpt: String::new(),
    };
    PageTable {
        heading: "By source".to_owned(),
        about: if all > MAX_SOURCES {
            format!("The first {MAX_SOURCES} of {} sources.", thousands(all as u64))
        } else {
            String::new()
        },
        columns: vec!["documents", "kept", "removed", "source"],
        rows: counts.sources.iter().take(MAX_SOURCES).map(row).collect(),
    }
}

/// The kept documents with the most removals.
fn largest_families(
    counts: &DedupCounts,
    families: &[(DocId, u64)],
    listing: &Listing,
    texts: &ShownTexts<'_>,
) -> PageTable {
    let row = |&(kept, size): &(DocId, u64)| TableRow {
        numbers: vec![thousands(size)],
        name: shown_id(listing.ids.get(kept)),
        excerpt: texts.excerpt(kept),
    };
    let count = counted(counts.families, "family");
    PageTable {
        heading: "Largest families".to_owned(),
        about: format!("{count}; those with the most removals, by the kept document."),
        columns: vec!["removed", "kept document"],
        rows: families.iter().map(row).collect(),
    }
}

/// Numbers of clusters by their sizes.
fn sizes(clusters: &[Cluster]) -> PageTable {
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    for cluster in clusters {
        // Sizes between powers of two together.
        *counts.entry(cluster.members.len().max(1).ilog2()).or_default() += 1;
    }
    let row = |(&log, &count): (&u32, &u64)| {
        let first = 1u64 << log;
        let last = (2u64 << log) - 1;
        let name =
            if first == last { thousands(first) } else { format!("{} to {}", thousands(first), thousands(last)) };
        TableRow { numbers: vec![thousands(count)], name, excerpt: String::new() }
    };
    PageTable {
        heading: "Sizes".to_owned(),
        about: String::new(),
        columns: vec!["clusters", "documents each"],
        rows: counts.iter().map(row).collect(),
    }
}

/// The largest clusters with their first members.
fn members(clusters: &[&Cluster], listing: &Listing, texts: &ShownTexts<'_>) -> PageTable {
    let row = |cluster: &&Cluster| {
        let named: Vec<String> =
            cluster.members.iter().take(NAMED_MEMBERS).map(|&member| shown_id(listing.ids.get(member))).collect();
        let rest = cluster.members.len() - named.len();
        let more = if rest > 0 { format!(" and {}", counted(rest as u64, "more document")) } else { String::new() };
        TableRow {
            numbers: vec![thousands(cluster.members.len() as u64)],
            name: named.join(", ") + &more,
            excerpt: cluster.members.first().map(|&first| texts.excerpt(first)).unwrap_or_default(),
        }
    };
    PageTable {
        heading: "Largest clusters".to_owned(),
        about: "The text is that of the first document.".to_owned(),
        columns: vec!["documents", "which"],
        rows: clusters.iter().map(row).collect(),
    }
}
