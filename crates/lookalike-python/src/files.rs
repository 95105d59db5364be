//! Jobs whose answers are files.

use crate::documents::{Documents, data_of};
use crate::errors::{exception, refused};
use crate::keywords::Keywords;
use crate::notes::unmatched_stop_words;
use crate::parameters::{RuleKind, job_of};
use crate::progress::{Watch, watched};
use lookalike::jobs::{self, PassageCut, Recluster, Report, SimHashFingerprints};
use lookalike::{
    Data, Job, Outputs, Resources,
    evidence::ChecksumAlgorithm,
    methods::SimHash,
    outputs::{LeftOut, RecordMode, SnapshotTokens},
    texts::Multiplicity,
};
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyfunction};
use pyo3::types::PyDict;
use std::path::PathBuf;

/// A job with all parameters, but the resources.
type FileJob = Box<dyn FnOnce(Job, &Data, &Resources, &Watch) -> lookalike::Result<Report> + Send>;

/// Runs a job that writes files, over documents in memory or the files that the keywords name; returns its summary as
/// JSON, and warnings.
#[pyfunction]
#[pyo3(signature = (name, keywords, data=None, progress=None))]
pub(crate) fn write(
    py: Python<'_>,
    name: &str,
    keywords: Bound<'_, PyDict>,
    data: Option<&Bound<'_, Documents>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let mut keywords = Keywords::new(keywords);
    let (run, outputs) = file_job(name, &mut keywords)?;
    let is_counted = name == "snapshot" && keywords.is_true("counts")?;
    let (mut job, resources) = job_of(RuleKind::Keepers, keywords)?;
    if is_counted {
        job.features = job.features.with_multiplicity(Multiplicity::Counted);
    }
    let Outputs { summary, idf, report, .. } = job.outputs;
    job.outputs = Outputs { summary, idf, report, ..outputs };
    let (data, _) = data_of(data, None);
    let work = |watch: &Watch| run(job, &data, &resources, watch).map_err(exception);
    let (report, mut warnings) = watched(py, progress.as_ref(), work)?;
    warnings.extend(unmatched_stop_words(&report));
    Ok((report.summary.to_string(), warnings))
}

/// The job of a name with the keywords that only it takes, and its outputs.
fn file_job(name: &str, keywords: &mut Keywords<'_>) -> PyResult<(FileJob, Outputs)> {
    let output: Option<PathBuf> = keywords.take("output")?;
    Ok(match name {
        "cut" => {
            let min_left = keywords.take("min_left")?.unwrap_or(PassageCut::MIN_LEFT);
            let min_cut = keywords.take("min_cut")?;
            let min_between = keywords.take("min_between")?.unwrap_or(0);
            let separator = keywords.take("separator")?;
            let mode = if keywords.is_true("annotate")? { RecordMode::Annotated } else { RecordMode::Kept };
            let removed = keywords.take("removed")?;
            let left_out = left_out_of(keywords)?;
            let run: FileJob = Box::new(move |job, _, resources, watch| {
                jobs::cut(&PassageCut { job, separator, min_left, min_cut, min_between }, resources, watch)
            });
            (run, Outputs { records: output, mode, removed, left_out, ..Outputs::default() })
        }
        "snapshot" => {
            let is_for_passages = keywords.is_true("passages")?;
            let snapshot_tokens = if is_for_passages { SnapshotTokens::Saved } else { SnapshotTokens::Omitted };
            let run: FileJob = Box::new(|job, data, resources, watch| jobs::snapshot(&job, data, resources, watch));
            (run, Outputs { snapshot: output, snapshot_tokens, ..Outputs::default() })
        }
        "fingerprint" => {
            // Nothing is compared: of the measure only the weights matter.
            keywords.set("measure", "cosine")?;
            let bits = keywords.take("fingerprint_bits")?.unwrap_or(64);
            let seed = keywords.take("seed")?.unwrap_or(SimHash::default().seed);
            let run: FileJob = Box::new(move |job, data, resources, watch| {
                jobs::fingerprint(&job, data, SimHashFingerprints { bits, seed }, resources, watch)
            });
            (run, Outputs { rows: output, ..Outputs::default() })
        }
        "checksum" => {
            let algorithms = [
                ("sum", ChecksumAlgorithm::Sum),
                ("crc32", ChecksumAlgorithm::Crc32),
                ("xxh3", ChecksumAlgorithm::Xxh3),
                ("sha256", ChecksumAlgorithm::Sha256),
            ];
            let algorithm = keywords.choice("algorithm", &algorithms)?.unwrap_or(ChecksumAlgorithm::Xxh3);
            let run: FileJob =
                Box::new(move |job, _, resources, watch| jobs::checksum(&job, algorithm, resources, watch));
            (run, Outputs { rows: output, ..Outputs::default() })
        }
        "recluster" => {
            let pairs = keywords.take("pairs")?.unwrap_or_default();
            let removed = keywords.take("removed")?;
            let records = keywords.take("records")?;
            let left_out = left_out_of(keywords)?;
            let run: FileJob =
                Box::new(|job, _, resources, watch| jobs::recluster(&Recluster { pairs, job }, resources, watch));
            (run, Outputs { rows: output, removed, records, left_out, ..Outputs::default() })
        }
        _ => return Err(refused(format!("there is no job `{name}`"))),
    })
}

/// The fate of files without a document: `drop`, or a folder of their own.
fn left_out_of(keywords: &mut Keywords<'_>) -> PyResult<LeftOut> {
    Ok(match keywords.take::<PathBuf>("left_out")? {
        None => LeftOut::Copied,
        Some(path) if path.as_os_str() == "drop" => LeftOut::Dropped,
        Some(path) => LeftOut::CopiedTo(path),
    })
}
