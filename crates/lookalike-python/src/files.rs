//! Jobs whose answers are files.

use crate::documents::{Documents, data_of};
use crate::errors::exception;
use crate::keywords::Keywords;
use crate::notes::unmatched_stop_words;
use crate::nouns::{FileJob, FileJobKind, file_job_of};
use crate::progress::{Watch, watched};
use lookalike::jobs::{self, Cut, Recluster};
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyfunction};
use pyo3::types::PyDict;

/// Runs a job that writes files, over documents in memory or the files that the keywords name; returns its summary as
/// JSON, and warnings.
#[pyfunction]
#[pyo3(signature = (name, keywords, data=None, progress=None))]
pub(crate) fn write(
    py: Python<'_>,
    name: FileJobKind,
    keywords: Bound<'_, PyDict>,
    data: Option<&Bound<'_, Documents>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let (kind, job, resources) = file_job_of(name, Keywords::new(keywords))?;
    let (data, _) = data_of(data, None);
    let watch = Watch::default();
    let report = watched(py, &watch, progress.as_ref(), |watch| match kind {
        FileJob::Cut { separator, min_left, min_cut, min_between } => {
            jobs::cut(&Cut { job, separator, min_left, min_cut, min_between }, &resources, watch)
        }
        FileJob::Snapshot => jobs::snapshot(&job, &data, &resources, watch),
        FileJob::Fingerprint(fingerprints) => jobs::fingerprint(&job, &data, fingerprints, &resources, watch),
        FileJob::Checksum(algorithm) => jobs::checksum(&job, algorithm, &resources, watch),
        FileJob::Recluster { pairs } => jobs::recluster(&Recluster { pairs, job }, &resources, watch),
    })?;
    let report = report.map_err(exception)?;
    let mut warnings = watch.take_warnings();
    warnings.extend(unmatched_stop_words(&report));
    Ok((report.summary.to_string(), warnings))
}
