//! The answers of a job as Arrow tables, and its report as JSON.

use crate::capsules::ArrowTable;
use crate::documents::Documents;
use crate::errors::{exception, refused};
use crate::nouns::{Keywords, job_of};
use crate::progress::{Watch, watched};
use arrow_array::{ArrayRef, Float64Array, LargeStringArray, RecordBatch, StringArray, UInt64Array};
use lookalike::jobs::{Answered, Answers, Found, FoundPair, Report, SearchReport};
use lookalike::{Banding, Cluster, Data, Decision, DocId, Figure, Job, MethodUsed, Reason, distance_of, jobs};
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::{PyBytes, PyDict};
use serde_json::{Value, json};
use std::sync::Arc;

/// What a job found.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Answer {
    answered: Answered,
    job: Job,
    #[pyo3(get)]
    warnings: Vec<String>,
}

/// Runs a job over documents in memory, or over the files that the keywords name.
#[pyfunction]
#[pyo3(signature = (rule, keywords, data=None, references=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "the interpreter is none: Python passes five")]
pub(crate) fn run(
    py: Python<'_>,
    rule: &str,
    keywords: Bound<'_, PyDict>,
    data: Option<&Bound<'_, Documents>>,
    references: Option<&Bound<'_, Documents>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let (job, resources) = job_of(rule, Keywords::new(keywords))?;
    let documents = |given: Option<&Bound<'_, Documents>>| given.map(|given| given.get().documents.clone());
    let data = Data { inputs: documents(data), references: documents(references) };
    let watch = Watch::default();
    let answered = watched(py, &watch, progress.as_ref(), |watch| jobs::answer(&job, &data, &resources, watch))?;
    Ok(Answer { answered: answered.map_err(exception)?, warnings: watch.take_warnings(), job })
}

#[pymethods]
impl Answer {
    /// The documents that stay: `row`, `id`.
    fn kept(&self) -> PyResult<ArrowTable> {
        let documents = self.decided().filter(|(_, decision)| decision.is_kept()).map(|(document, _)| document);
        table(vec![self.rows_and_ids("row", "id", documents)])
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
        table(vec![
            self.rows_and_ids("row", "id", removed.iter().map(|row| row.0)),
            self.rows_and_ids("kept_row", "kept", removed.iter().map(|row| row.1)),
            vec![self.figures(removed.iter().map(|row| row.2)), reasons(removed.iter().map(|row| row.3))],
        ])
    }

    /// A byte for each row of the data: 1 if it stays.
    fn mask<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let kept = self.answered.kept_rows()?;
        let bytes: Vec<u8> = kept.into_iter().map(u8::from).collect();
        Some(PyBytes::new(py, &bytes))
    }

    /// The pairs of near-duplicates.
    fn pairs(&self) -> PyResult<ArrowTable> {
        let pairs: &[FoundPair] = if let Answers::Pairs(pairs) = &self.answered.answers { pairs } else { &[] };
        let mut columns = vec![
            self.rows_and_ids("a_row", "a", pairs.iter().map(|pair| pair.a)),
            self.rows_and_ids("b_row", "b", pairs.iter().map(|pair| pair.b)),
            vec![self.figures(pairs.iter().map(|pair| pair.similarity))],
        ];
        if self.job.measure.figure() == Figure::Containment {
            let share = |side: usize| {
                let shares = pairs.iter().map(|pair| pair.containments.map(|shares| shares[side]));
                Arc::new(shares.collect::<Float64Array>()) as ArrayRef
            };
            columns.push(vec![("containment_of_a", share(0)), ("containment_of_b", share(1))]);
        }
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
        table(vec![vec![("cluster", numbers)], self.rows_and_ids("row", "id", members)])
    }

    /// What the job did, as JSON.
    fn report(&self) -> String {
        report_of(&self.answered.report).to_string()
    }
}

type Columns = Vec<(&'static str, ArrayRef)>;

impl Answer {
    /// Documents with what becomes of them, references aside.
    fn decided(&self) -> impl Iterator<Item = (DocId, Decision)> {
        let decisions: &[Decision] =
            if let Answers::Decisions(decisions) = &self.answered.answers { decisions } else { &[] };
        let documents = self.answered.documents();
        documents.documents().zip(decisions.iter().copied()).filter(|(document, _)| !documents.is_reference(*document))
    }

    fn rows_and_ids(&self, row: &'static str, id: &'static str, documents: impl Iterator<Item = DocId>) -> Columns {
        let documents: Vec<DocId> = documents.collect();
        let rows: UInt64Array = documents.iter().map(|&document| self.answered.row(document)).collect();
        let ids = self.answered.documents().ids();
        let ids = LargeStringArray::from_iter_values(documents.iter().map(|&document| ids.get(document)));
        vec![(row, Arc::new(rows)), (id, Arc::new(ids))]
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

fn report_of(report: &Report) -> Value {
    let counts = match &report.found {
        Found::Dedup { counts, .. } => serde_json::to_value(counts),
        Found::Pairs { counts, .. } => serde_json::to_value(counts),
        Found::Clusters { counts, .. } => serde_json::to_value(counts),
        Found::Recluster(_) | Found::Copies(_) | Found::Snapshot | Found::Fingerprints => Ok(json!({})),
    };
    let seconds: serde_json::Map<String, Value> =
        report.stages.iter().map(|time| (time.stage.to_owned(), time.seconds.into())).collect();
    json!({
        "command": report.command,
        "documents": report.corpus.documents,
        "references": report.corpus.references,
        "tokens": report.corpus.tokens,
        "empty": report.corpus.empty,
        "bad_records": report.corpus.bad_records,
        "repeated_ids": report.corpus.repeated_ids,
        "found": report.found.count(),
        "result": counts.unwrap_or(Value::Null),
        "search": report.found.search().map(search_of),
        "seconds": seconds,
        "threads": report.threads,
        "memory_bytes": report.memory_bytes,
    })
}

fn search_of(search: &SearchReport) -> Value {
    let banding = |banding: Banding| (Some(banding.bands()), Some(banding.rows()));
    let (name, (bands, rows), expected_recall) = match search.method {
        MethodUsed::Exact { .. } | MethodUsed::Tables { .. } => ("exact", (None, None), 1.0),
        MethodUsed::MinHash { banding: used, expected_recall, .. } => ("minhash", banding(used), expected_recall),
        MethodUsed::BitSampling { banding: used, expected_recall } => ("bit-sampling", banding(used), expected_recall),
        MethodUsed::Fingerprint(_) => ("fingerprint", (None, None), 1.0),
        MethodUsed::SimHash { tables, expected_recall } => ("simhash", banding(tables), expected_recall),
    };
    json!({
        "method": name,
        "bands": bands,
        "rows": rows,
        "expected_recall": expected_recall,
        "measured_recall": search.recall,
        "candidates": search.candidates,
        "refused_by_texts": search.refused,
    })
}
