//! An index as a whole: how many pairs have which similarity, and its largest clusters. It takes as long as the jobs
//! `pairs` and `clusters` over its documents, and is not kept up to date.

use crate::drawing::{HistogramFacts, draw_histogram};
use crate::ground::{Progress, Result};
use crate::job::{Job, Outputs};
use crate::jobs::{ClusterCounts, Found, ListedCluster, run};
use lookalike_core::Resources;
use lookalike_core::comparison::Measure;
use lookalike_core::rule::Rule;
use lookalike_index::Settings;
use lookalike_io::Inputs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

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
    (folder, settings): (&Path, &Settings),
    measure: Measure,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Survey> {
    let outputs = |most| Outputs {
        top: NonZeroUsize::new(most),
        // It is drawn below, in no file.
        histogram: (most == 1).then(|| PathBuf::from("histogram.svg")),
        ..Outputs::default()
    };
    let job = |rule, most| Job {
        inputs: Inputs { inputs: vec![folder.to_owned()], ..Inputs::default() },
        features: settings.features.clone(),
        measure,
        rule,
        outputs: outputs(most),
        ..Job::default()
    };
    let found = run(&job(Rule::Pairs, 1), resources, progress)?.found;
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
    let (pairs, histogram) = (counts.pairs, drawing.transpose()?);
    let found = run(&job(Rule::Clusters, NAMED_CLUSTERS), resources, progress)?.found;
    let Found::Clusters { counts, listed, .. } = found else { return Ok(Survey::default()) };
    Ok(Survey { pairs, counts, largest: listed, histogram })
}
