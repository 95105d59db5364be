//! The answers of a job as Arrow tables.

use crate::capsules::ArrowTable;
use crate::documents::{Documents, data_of};
use crate::errors::{exception, refused};
use crate::ids::{IdTypes, id_column, with_id_types};
use crate::keywords::Keywords;
use crate::notes::of_texts;
use crate::nouns::{RuleKind, job_of};
use crate::progress::{Watch, watched};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::DataType;
use lookalike::jobs::{Answered, Answers, FoundPair, RowState};
use lookalike::live::answers_batch;
use lookalike::{
    AnswerFields, AnswerFigure, AnswerRow, Cluster, Decision, DocId, Figure, Job, PassageRow, Reason, Rule, SourceRow,
    distance_of, jobs,
};
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

/// What a job found.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Answer {
    answered: Answered,
    job: Job,
    ids: IdTypes,
    #[pyo3(get)]
    warnings: Vec<String>,
}

/// Runs a job over documents in memory, or over the files that the keywords name.
#[pyfunction]
#[pyo3(signature = (rule, keywords, data=None, references=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "the interpreter is none: Python passes five")]
pub(crate) fn run(
    py: Python<'_>,
    rule: RuleKind,
    keywords: Bound<'_, PyDict>,
    data: Option<&Bound<'_, Documents>>,
    references: Option<&Bound<'_, Documents>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let (job, resources) = job_of(rule, Keywords::new(keywords))?;
    let (data, ids) = data_of(data, references);
    let watch = Watch::default();
    let answered = watched(py, &watch, progress.as_ref(), |watch| jobs::answer(&job, &data, &resources, watch))?;
    let answered = answered.map_err(exception)?;
    let mut warnings = watch.take_warnings();
    warnings.extend(of_texts(&answered.report, &job));
    Ok(Answer { answered, warnings, job, ids })
}

#[pymethods]
impl Answer {
    /// The documents that stay: `row`, `id`.
    fn kept(&self) -> PyResult<ArrowTable> {
        let documents = self.decided().filter(|(_, decision)| decision.is_kept()).map(|(document, _)| document);
        table(vec![self.rows_and_ids(["row", "id"], documents, self.ids.inputs.as_ref())?])
    }

    /// The documents that go, and why.
    fn removed(&self) -> PyResult<ArrowTable> {
        let removed: Vec<(DocId, DocId, f64, Reason)> = self
            .decided()
            .filter_map(|(document, decision)| match decision {
                Decision::Kept => None,
                Decision::Removed { kept, similarity, reason } => Some((document, kept, similarity, reason)),
            })
            .collect();
        let inputs = self.ids.inputs.as_ref();
        let kept = if matches!(self.job.rule, Rule::Against) { self.ids.references.as_ref() } else { inputs };
        table(vec![
            self.rows_and_ids(["row", "id"], removed.iter().map(|row| row.0), inputs)?,
            self.rows_and_ids(["kept_row", "kept"], removed.iter().map(|row| row.1), kept)?,
            vec![self.figures(removed.iter().map(|row| row.2)), reasons(removed.iter().map(|row| row.3))],
        ])
    }

    /// A byte for each row of the data: 1 if it stays, 0 if it goes, 2 if it was left out.
    fn mask<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let byte = |state| match state {
            RowState::Removed => 0,
            RowState::Kept => 1,
            RowState::LeftOut => 2,
        };
        let bytes: Vec<u8> = self.answered.rows()?.into_iter().map(byte).collect();
        Some(PyBytes::new(py, &bytes))
    }

    /// The pairs of near-duplicates.
    fn pairs(&self) -> PyResult<ArrowTable> {
        let pairs = self.found_pairs();
        let inputs = self.ids.inputs.as_ref();
        let mut columns = vec![
            self.rows_and_ids(["a_row", "a"], pairs.iter().map(|pair| pair.a), inputs)?,
            self.rows_and_ids(["b_row", "b"], pairs.iter().map(|pair| pair.b), inputs)?,
            vec![self.figures(pairs.iter().map(|pair| pair.similarity))],
        ];
        columns.extend(self.containments(pairs, ["containment_of_a", "containment_of_b"]));
        columns.extend(self.intervals(pairs));
        columns.push(vec![reasons(pairs.iter().map(|pair| pair.reason))]);
        table(columns)
    }

    /// The members of all clusters.
    fn clusters(&self) -> PyResult<ArrowTable> {
        let clusters: &[Cluster] =
            if let Answers::Clusters(clusters) = &self.answered.answers { clusters } else { &[] };
        let numbers =
            clusters.iter().zip(0..).flat_map(|(cluster, number)| cluster.members.iter().map(move |_| number));
        let numbers: ArrayRef = Arc::new(numbers.collect::<UInt64Array>());
        let members = clusters.iter().flat_map(|cluster| cluster.members.iter().copied());
        table(vec![vec![("cluster", numbers)], self.rows_and_ids(["row", "id"], members, self.ids.inputs.as_ref())?])
    }

    /// What the job did: the same JSON as the summary of the command.
    fn report(&self) -> String {
        self.answered.report.summary.to_string()
    }

    /// The threshold of the measure as a similarity; `None` for a number of common elements.
    #[getter]
    fn threshold(&self) -> Option<f64> {
        self.job.measure.min_similarity()
    }

    /// The probability that the method has found a pair, by its similarity; empty without a search.
    fn probabilities(&self, similarities: Vec<f64>) -> Vec<f64> {
        let Some(search) = self.answered.report.found.search() else { return Vec::new() };
        similarities.into_iter().map(|similarity| search.method.probability(similarity)).collect()
    }
}

type Columns = Vec<(&'static str, ArrayRef)>;

impl Answer {
    fn found_pairs(&self) -> &[FoundPair] {
        if let Answers::Pairs(pairs) = &self.answered.answers { pairs } else { &[] }
    }

    /// The share of each document of a pair that is in the other, where the measure is that.
    fn containments(&self, pairs: &[FoundPair], names: [&'static str; 2]) -> Option<Columns> {
        let share = |side: usize| {
            let shares = pairs.iter().map(|pair| pair.containments.map(|shares| shares[side]));
            Arc::new(shares.collect::<Float64Array>()) as ArrayRef
        };
        (self.job.measure.figure() == Figure::Containment).then(|| vec![(names[0], share(0)), (names[1], share(1))])
    }

    /// The interval of each similarity, where they are estimates.
    fn intervals(&self, pairs: &[FoundPair]) -> Option<Columns> {
        let end = |of: fn((f64, f64)) -> f64| {
            let ends = pairs.iter().map(|pair| pair.interval.map(of));
            Arc::new(ends.collect::<Float64Array>()) as ArrayRef
        };
        self.job
            .measure
            .is_estimate()
            .then(|| vec![("interval_low", end(|ends| ends.0)), ("interval_high", end(|ends| ends.1))])
    }

    /// Documents with what becomes of them, references aside.
    fn decided(&self) -> impl Iterator<Item = (DocId, Decision)> {
        let decisions: &[Decision] =
            if let Answers::Decisions(decisions) = &self.answered.answers { decisions } else { &[] };
        let documents = self.answered.documents();
        documents.documents().zip(decisions.iter().copied()).filter(|(document, _)| !documents.is_reference(*document))
    }

    fn rows_and_ids(
        &self,
        [row, id]: [&'static str; 2],
        documents: impl Iterator<Item = DocId>,
        id_type: Option<&DataType>,
    ) -> PyResult<Columns> {
        let documents: Vec<DocId> = documents.collect();
        let rows: UInt64Array = documents.iter().map(|&document| self.answered.row(document)).collect();
        let ids = self.answered.documents().ids();
        let ids = id_column(documents.iter().map(|&document| ids.get(document)), id_type)?;
        Ok(vec![(row, Arc::new(rows)), (id, ids)])
    }

    /// The figures of the measure.
    fn figures(&self, similarities: impl Iterator<Item = f64>) -> (&'static str, ArrayRef) {
        match self.job.measure.figure() {
            Figure::Similarity | Figure::Containment => {
                ("similarity", Arc::new(Float64Array::from_iter_values(similarities)))
            }
            Figure::Common => {
                ("common", Arc::new(UInt64Array::from_iter_values(similarities.map(|common| common as u64))))
            }
            Figure::Distance { width } => {
                let distances = similarities.map(|similarity| distance_of(similarity, width).into());
                ("distance", Arc::new(UInt64Array::from_iter_values(distances)))
            }
            Figure::EstimatedSimilarity => {
                ("estimated_similarity", Arc::new(Float64Array::from_iter_values(similarities)))
            }
            Figure::EuclideanDistance => {
                let distances = similarities.map(|similarity| 0.0 - similarity);
                ("euclidean_distance", Arc::new(Float64Array::from_iter_values(distances)))
            }
        }
    }
}

fn table(columns: Vec<Columns>) -> PyResult<ArrowTable> {
    let columns = columns.into_iter().flatten().map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).map(ArrowTable::new).map_err(refused)
}

fn reasons(reasons: impl Iterator<Item = Reason>) -> (&'static str, ArrayRef) {
    ("reason", Arc::new(StringArray::from_iter_values(reasons.map(Reason::name))))
}

/// The answers of a search as columns; the queries are the inputs.
pub(crate) fn answers_table(
    listed: &[AnswerRow<'static>],
    told: (AnswerFigure, AnswerFields),
    ids: &IdTypes,
) -> PyResult<ArrowTable> {
    let batch = answers_batch(listed, told).map_err(refused)?;
    let columns = [("query", ids.inputs.as_ref()), ("id", ids.references.as_ref())];
    with_id_types(batch, &columns).map(ArrowTable::new)
}

/// Passages as columns.
pub(crate) fn passages_table(listed: &[SourceRow<'static>], types: &IdTypes) -> PyResult<ArrowTable> {
    let share = |of: fn(&PassageRow<'static>) -> f64| {
        let shares = listed.iter().map(|row| row.passage().map_or(0.0, of));
        Arc::new(Float64Array::from_iter_values(shares)) as ArrayRef
    };
    let count = |of: fn(&PassageRow<'static>) -> u64| {
        let counts = listed.iter().map(|row| row.passage().map(of));
        Arc::new(counts.collect::<UInt64Array>()) as ArrayRef
    };
    let sources = listed.iter().map(|row| row.passage().map(|passage| &*passage.source));
    let tokens = listed.iter().map(|row| row.passage().map_or(0, |passage| passage.tokens));
    table(vec![vec![
        ("id", id_column(listed.iter().map(SourceRow::id), types.inputs.as_ref())?),
        ("share_in_all", share(|row| row.share_in_all)),
        ("rank", count(|row| row.rank)),
        ("source", id_column(sources, types.references.as_ref())?),
        ("share", share(|row| row.share)),
        ("tokens", Arc::new(UInt64Array::from_iter_values(tokens))),
        ("start", count(|row| row.start)),
        ("end", count(|row| row.end)),
        ("line", count(|row| row.line)),
        ("end_line", count(|row| row.end_line)),
        ("source_start", count(|row| row.source_start)),
        ("source_end", count(|row| row.source_end)),
        ("source_line", count(|row| row.source_line)),
        ("source_end_line", count(|row| row.source_end_line)),
    ]])
}
