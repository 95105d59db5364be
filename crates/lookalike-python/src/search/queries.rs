//! A search: queries and the documents near to them.

use super::Index;
use crate::answers::answers_table;
use crate::capsules::ArrowTable;
use crate::documents::{Documents, data_of};
use crate::errors::exception;
use crate::ids::IdTypes;
use crate::keywords::Keywords;
use crate::notes::of_texts;
use crate::parameters::{RuleKind, job_beside};
use crate::progress::{Watch, watched};
use lookalike::ask::{self, AnswersFrom, ExplicitParameters, RecallMeasurement, Search};
use lookalike::jobs::{Found, QueryState, Report, StoredParameters};
use lookalike::{
    Features, Job,
    measures::{Figure, LimitForm, MeasureName},
    rows::AnswerFields,
};
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::{PyBytes, PyDict};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The documents that are near to queries.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct SearchAnswer {
    report: Report,
    ids: IdTypes,
    #[pyo3(get)]
    warnings: Vec<String>,
}

/// Searches documents in memory, files that the keywords name, or an index that is open.
#[pyfunction]
#[pyo3(signature = (keywords, data=None, corpus=None, index=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "the interpreter is none: Python passes five")]
pub(crate) fn search(
    py: Python<'_>,
    keywords: Bound<'_, PyDict>,
    data: Option<&Bound<'_, Documents>>,
    corpus: Option<&Bound<'_, Documents>>,
    index: Option<&Bound<'_, Index>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<SearchAnswer> {
    let mut keywords = Keywords::new(keywords);
    let has_limit = keywords.has("threshold")? || keywords.has("min_common")? || keywords.has("distance")?;
    let from = if has_limit { AnswersFrom::Threshold } else { AnswersFrom::Lowest };
    let limit = keywords.take::<NonZeroUsize>("k")?;
    let explicit =
        ExplicitParameters { features: false, measure: keywords.has("measure")?, method: keywords.has("method")? };
    let ids: Vec<String> = keywords.take("ids")?.unwrap_or_default();
    let is_measured = keywords.is_true("measure_recall")?;
    let recall = if is_measured { RecallMeasurement::Sampled } else { RecallMeasurement::Omitted };
    let corpus_paths: Vec<PathBuf> = keywords.take("against")?.unwrap_or_default();
    let index = index.map(|index| index.get().reader());
    let stored = match &index {
        Some(index) => Some(StoredParameters::of_index(index).map_err(exception)?),
        None => StoredParameters::of_first(&corpus_paths).map_err(exception)?,
    };
    let is_by_index = stored.as_ref().is_some_and(|stored| stored.measure.is_some());
    if !has_limit && !is_by_index {
        // Any will do: it is the lowest that is asked for.
        let said = keywords.peek("measure")?;
        let name = MeasureName::ALL.into_iter().find(|name| Some(name.as_str()) == said.as_deref());
        match name.map(MeasureName::limit) {
            Some(LimitForm::MinCommon) => keywords.give("min_common", 1)?,
            Some(LimitForm::Bits) => keywords.give("distance", 0)?,
            Some(LimitForm::Distance) => keywords.give("distance", 1)?,
            Some(LimitForm::Threshold) | None => {}
        }
    }
    let is_lone_index = is_by_index && (index.is_some() || corpus_paths.len() == 1);
    let (job, resources) = job_beside(stored, RuleKind::Pairs, keywords)?;
    // One index is asked by its own features.
    let job = if is_lone_index { Job { features: Features::default(), ..job } } else { job };
    let (data, mut types) = data_of(data, corpus);
    if !ids.is_empty() {
        // Documents of the corpus are queries, too: of other ids, a common column holds strings.
        types.inputs =
            types.references.clone().filter(|id_type| data.inputs.is_none() || types.inputs.as_ref() == Some(id_type));
    }
    let explicit = ExplicitParameters { measure: explicit.measure || is_by_index, ..explicit };
    let search = Search { job, corpus: corpus_paths, index, ids, limit, recall, from, explicit };
    let answer = |watch: &Watch| ask::search(&search, &data, &resources, watch).map_err(exception);
    let (report, mut warnings) = watched(py, progress.as_ref(), answer)?;
    warnings.extend(of_texts(&report, &search.job));
    Ok(SearchAnswer { report, ids: types, warnings })
}

#[pymethods]
impl SearchAnswer {
    /// The answers: a row for each, by query and rank.
    fn answers(&self) -> PyResult<ArrowTable> {
        match &self.report.found {
            Found::Search { listed, figure, fields, .. } => answers_table(listed, *figure, *fields, &self.ids),
            _ => answers_table(&[], Figure::Similarity, AnswerFields::Absent, &self.ids),
        }
    }

    /// A byte for each row of the queries: 1 if it has an answer, 0 if it has none, 2 if it was left out; `None` for
    /// queries of files.
    fn mask<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let Found::Search { rows: Some(rows), .. } = &self.report.found else { return None };
        let byte = |state: &QueryState| match state {
            QueryState::Unanswered => 0,
            QueryState::Answered => 1,
            QueryState::LeftOut => 2,
        };
        let bytes: Vec<u8> = rows.iter().map(byte).collect();
        Some(PyBytes::new(py, &bytes))
    }

    /// The summary of the job, as the command writes it.
    fn report(&self) -> String {
        self.report.summary.to_string()
    }
}
