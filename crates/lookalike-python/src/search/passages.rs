//! The sources of documents, and the passages that they share.

use crate::answers::passages_table;
use crate::capsules::ArrowTable;
use crate::documents::{Documents, data_of};
use crate::errors::exception;
use crate::ids::IdTypes;
use crate::keywords::Keywords;
use crate::notes::of_texts;
use crate::parameters::{RuleKind, job_of};
use crate::progress::{Watch, watched};
use lookalike::jobs::{self, Found, Report, SourceSearch};
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::PyDict;
use std::path::PathBuf;

/// Documents with passages that stand in others.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct SourcesAnswer {
    report: Report,
    ids: IdTypes,
    #[pyo3(get)]
    warnings: Vec<String>,
}

/// Looks for the sources of documents in memory, or of the files that the keywords name. The shingle is the shortest
/// passage.
#[pyfunction]
#[pyo3(signature = (keywords, data=None, references=None, progress=None))]
pub(crate) fn sources(
    py: Python<'_>,
    keywords: Bound<'_, PyDict>,
    data: Option<&Bound<'_, Documents>>,
    references: Option<&Bound<'_, Documents>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<SourcesAnswer> {
    let mut keywords = Keywords::new(keywords);
    let gap = keywords.take("gap")?.unwrap_or(SourceSearch::GAP);
    let max_documents = keywords.take("common")?.unwrap_or(SourceSearch::MAX_DOCUMENTS);
    let ignore: Vec<PathBuf> = keywords.take("ignore")?.unwrap_or_default();
    let (job, resources) = job_of(RuleKind::Pairs, keywords)?;
    let are_among_each_other = references.is_none() && job.inputs.against.is_empty();
    let (data, mut ids) = data_of(data, references);
    if are_among_each_other {
        ids.references.clone_from(&ids.inputs);
    }
    let search = SourceSearch { job, gap, max_documents, ignore };
    let answer = |watch: &Watch| jobs::sources(&search, &data, &resources, watch).map_err(exception);
    let (report, mut warnings) = watched(py, progress.as_ref(), answer)?;
    warnings.extend(of_texts(&report, &search.job));
    Ok(SourcesAnswer { report, ids, warnings })
}

#[pymethods]
impl SourcesAnswer {
    /// The passages: a row for each, by document, source and place.
    fn passages(&self) -> PyResult<ArrowTable> {
        match &self.report.found {
            Found::Sources { listed, .. } => passages_table(listed, &self.ids),
            _ => passages_table(&[], &self.ids),
        }
    }

    /// The summary of the job, as the command writes it.
    fn report(&self) -> String {
        self.report.summary.to_string()
    }
}
