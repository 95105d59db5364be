//! An index as a whole: how many pairs have which similarity, and its largest clusters. It takes as long as the jobs
//! `pairs` and `clusters` over its documents, and is not kept up to date.

use crate::base::{Progress, Result};
use crate::decide::Refused;
use crate::job::{Job, Outputs};
use crate::jobs::{ClusterCounts, Found, ListedCluster, list_pairs, run};
use crate::pages::{HistogramFacts, draw_histogram};
use lookalike_core::Resources;
use lookalike_core::comparison::Measure;
use lookalike_core::rule::Rule;
use lookalike_index::Settings;
use lookalike_io::Inputs;
use std::num::NonZeroUsize;
use std::path::Path;

/// Clusters that are named.
const NAMED_CLUSTERS: usize = 100;

/// An index as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Survey {
    /// Number of pairs of near-duplicates.
    pub pairs: u64,
    /// Clusters, and how many documents are in them.
    pub counts: ClusterCounts,
    /// The largest clusters, these first, each with its first members.
    pub largest: Vec<ListedCluster>,
    /// A drawing of how many pairs have which similarity, as SVG; `None` by a measure without similarities.
    pub histogram: Option<String>,
}

/// Looks at all documents of the index in a folder, by a measure that it serves.
///
/// # Errors
/// As [`crate::jobs::run()`].
pub fn survey(
    folder: &Path,
    settings: &Settings,
    measure: Measure,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Survey> {
    let job = |rule, most| Job {
        inputs: Inputs { inputs: vec![folder.to_owned()], ..Inputs::default() },
        features: settings.features.clone(),
        measure,
        rule,
        outputs: Outputs { top: NonZeroUsize::new(most), ..Outputs::default() },
        ..Job::default()
    };
    let found = list_pairs(&job(Rule::Pairs, 1), Refused::Sampled, resources, progress)?.found;
    let Found::Pairs { counts, search, histogram, .. } = found else { return Ok(Survey::default()) };
    let drawing = histogram.zip(measure.min_similarity()).map(|(histogram, threshold)| {
        draw_histogram(&HistogramFacts {
            pairs: &histogram.pairs,
            refused: Some(&histogram.refused),
            method: search.method,
            threshold,
            measure: measure.name(),
            noun: "verified pair",
        })
    });
    let pairs = counts.pairs;
    let histogram = drawing.transpose()?;
    let found = run(&job(Rule::Clusters, NAMED_CLUSTERS), resources, progress)?.found;
    let Found::Clusters { counts, listed, .. } = found else { return Ok(Survey::default()) };
    Ok(Survey { pairs, counts, largest: listed, histogram })
}
