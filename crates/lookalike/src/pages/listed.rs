//! The pages of `pairs` and `clusters`.

use super::answers_page::{AnswersPage, Table, TableRow};
use super::shown::shown_id;
use super::shown_pairs::{PairsOfPage, about, chart, chart_text, compared, documents_of, figures};
use super::texts::ShownTexts;
use crate::corpus::{Listing, Records};
use crate::decide::RefusedCandidates;
use crate::ground::Result;
use crate::job::Job;
use crate::report::{ClusterCounts, PairCounts, SearchReport};
use crate::run::Session;
use crate::write::PairSample;
use lookalike_core::rule::Cluster;
use lookalike_core::{DocId, counted, thousands};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Clusters whose texts are shown.
const SHOWN_CLUSTERS: usize = 20;
/// Members of a cluster that are named.
const NAMED_MEMBERS: usize = 10;

/// What both pages are of.
pub(crate) struct Listed<'a> {
    pub(crate) job: &'a Job,
    pub(crate) listing: &'a Listing,
    pub(crate) records: &'a Records,
    pub(crate) search: &'a SearchReport,
    /// All that the answer depends on, as JSON.
    pub(crate) basis: &'a str,
}

impl Listed<'_> {
    /// The page of pairs.
    pub(crate) fn page_of_pairs(
        &self,
        counts: &PairCounts,
        sample: PairSample,
        refused: Option<&RefusedCandidates>,
        session: &Session<'_>,
    ) -> Result<String> {
        let Self { job, listing, records, search, basis } = *self;
        let chart = chart(job, search, ("verified pair", sample.counts()), refused)?;
        let chart_text = chart_text("verified pair", sample.counts());
        let sample = sample.into_pairs();
        let noun = "pair";
        let documents = ["the first document", "the second"];
        let count = counts.pairs;
        let pairs = PairsOfPage { job, noun, documents, sample: &sample, count, listing };
        let texts = ShownTexts::read(job, records, &documents_of(&pairs.chosen()), session)?;
        let mut page = AnswersPage {
            title: format!("{} among {}", counted(counts.pairs, "pair"), counted(counts.documents, "document")),
            about: about(job, search),
            figures: figures([
                (counts.documents, "document", ""),
                (counts.pairs, "pair", ""),
                (counts.empty, "document", " without tokens"),
                (counts.bad_records, "bad record", " left out"),
            ]),
            chart,
            chart_text,
            parameters: basis.to_owned(),
            ..AnswersPage::default()
        };
        pairs.put_on(&mut page, &texts)?;
        page.to_html()
    }

    /// The page of clusters.
    pub(crate) fn page_of_clusters(
        &self,
        counts: &ClusterCounts,
        clusters: &[Cluster],
        session: &Session<'_>,
    ) -> Result<String> {
        let Self { job, listing, records, search, basis } = *self;
        let mut largest: Vec<&Cluster> = clusters.iter().collect();
        largest.sort_by_key(|cluster| Reverse(cluster.members.len()));
        largest.truncate(SHOWN_CLUSTERS);
        let ends = |cluster: &Cluster| Some([*cluster.members.first()?, *cluster.members.last()?]);
        let wanted: Vec<DocId> = largest.iter().filter_map(|cluster| ends(cluster)).flatten().collect();
        let texts = ShownTexts::read(job, records, &wanted, session)?;
        let heading = |cluster: &Cluster| counted(cluster.members.len() as u64, "document");
        let pairs = largest.iter().filter_map(|cluster| Some((heading(cluster), ends(cluster)?)));
        let page = AnswersPage {
            title: format!(
                "{} of {}",
                counted(counts.clusters, "cluster"),
                counted(counts.clustered_documents, "document")
            ),
            about: about(job, search),
            figures: figures([
                (counts.documents, "document", ""),
                (counts.clusters, "cluster", ""),
                (counts.clustered_documents, "document", " in clusters"),
                (counts.largest_cluster, "document", " in the largest"),
                (counts.empty, "document", " without tokens"),
                (counts.bad_records, "bad record", " left out"),
            ]),
            tables: vec![sizes(clusters), members(&largest, listing, &texts)],
            shown_rule:
                "A is the first document of a cluster, B its last: near-duplicates of near-duplicates may have \
                         little in common. The largest clusters are shown."
                    .to_owned(),
            shown: compared(job, &texts, listing, pairs)?,
            parameters: basis.to_owned(),
            ..AnswersPage::default()
        };
        page.to_html()
    }
}

/// How many clusters have how many documents.
fn sizes(clusters: &[Cluster]) -> Table {
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
    Table {
        heading: "Sizes".to_owned(),
        about: String::new(),
        columns: vec!["clusters", "documents each"],
        rows: counts.iter().map(row).collect(),
    }
}

/// The largest clusters with their first members.
fn members(clusters: &[&Cluster], listing: &Listing, texts: &ShownTexts<'_>) -> Table {
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
    Table {
        heading: "Largest clusters".to_owned(),
        about: "The text is that of the first document.".to_owned(),
        columns: vec!["documents", "which"],
        rows: clusters.iter().map(row).collect(),
    }
}
