//! The answers of a job as Arrow tables.

use crate::capsules::ArrowTable;
use crate::documents::{Documents, data_of};
use crate::errors::{exception, refused};
use crate::ids::{IdTypes, with_id_types};
use crate::keywords::Keywords;
use crate::notes::of_texts;
use crate::parameters::{RuleKind, job_of};
use crate::progress::{Watch, watched};
use arrow_schema::DataType;
use lookalike::ask::answers_batch;
use lookalike::jobs::{Answered, Answers, FoundPair, RowState};
use lookalike::rows::all_columns::ID;
use lookalike::{
    Cluster, Decision, DocId, Job, Rule, jobs,
    measures::Figure,
    rows::{
        AnswerFields, AnswerRow, Cell, ClusterRow, Column, Figures, NumberedRow, PairRow, RemovalRow, Row, RowSources,
        SourceRow, Value, Verified, numbered, table_of_rows,
    },
};
use pyo3::prelude::{Bound, Py, PyAny, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::{PyBytes, PyDict};

/// The answer of a job.
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
    let answer = |watch: &Watch| jobs::answer(&job, &data, &resources, watch).map_err(exception);
    let (answered, mut warnings) = watched(py, progress.as_ref(), answer)?;
    warnings.extend(of_texts(&answered.report, &job));
    Ok(Answer { answered, warnings, job, ids })
}

#[pymethods]
impl Answer {
    /// The documents that stay: `row`, `id`.
    fn kept(&self) -> PyResult<ArrowTable> {
        let kept = self.decided().filter(|(_, decision)| decision.is_kept());
        let rows = kept.map(|(document, _)| self.numbered(KeptRow(self.id(document)), [Some(document), None]));
        self.table(&[ID], rows, &[("id", self.ids.inputs.as_ref())])
    }

    /// The documents that go, and why.
    fn removed(&self) -> PyResult<ArrowTable> {
        let figure = self.job.measure.figure();
        let rows = self.decided().filter_map(|(document, decision)| match decision {
            Decision::Kept => None,
            Decision::Removed { kept, similarity, reason } => {
                let figures = Figures::new(figure, Verified::from_similarity(similarity));
                let row = RemovalRow::new([self.id(document), self.id(kept)], figures, reason);
                Some(self.numbered(row, [Some(document), Some(kept)]))
            }
        });
        let inputs = self.ids.inputs.as_ref();
        let kept = if matches!(self.job.rule, Rule::Against) { self.ids.references.as_ref() } else { inputs };
        self.table(&RemovalRow::header(figure, RowSources::Absent), rows, &[("id", inputs), ("kept", kept)])
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
        let pairs: &[FoundPair] = if let Answers::Pairs(pairs) = &self.answered.answers { pairs } else { &[] };
        let figure = self.job.measure.figure();
        let rows = pairs.iter().map(|&FoundPair { a, b, verified, reason }| {
            let row = PairRow::new([self.id(a), self.id(b)], Figures::new(figure, verified), reason);
            self.numbered(row, [Some(a), Some(b)])
        });
        let inputs = self.ids.inputs.as_ref();
        self.table(&PairRow::header(figure, RowSources::Absent), rows, &[("a", inputs), ("b", inputs)])
    }

    /// The members of all clusters.
    fn clusters(&self) -> PyResult<ArrowTable> {
        let clusters: &[Cluster] =
            if let Answers::Clusters(clusters) = &self.answered.answers { clusters } else { &[] };
        let rows = (0..).zip(clusters).flat_map(|(cluster, found)| {
            found.members.iter().map(move |&member| {
                let row = ClusterRow { cluster, id: self.id(member).into(), source: None };
                self.numbered(row, [Some(member), None])
            })
        });
        self.table(&ClusterRow::header(RowSources::Absent), rows, &[("id", self.ids.inputs.as_ref())])
    }

    /// The summary of the job, as the command writes it.
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

/// A document that stays.
struct KeptRow<'a>(&'a str);

impl Row for KeptRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        [(&ID, Value::text(self.0))].into_iter()
    }
}

impl Answer {
    /// Documents with what becomes of them, references aside.
    fn decided(&self) -> impl Iterator<Item = (DocId, Decision)> {
        let decisions: &[Decision] =
            if let Answers::Decisions(decisions) = &self.answered.answers { decisions } else { &[] };
        let documents = self.answered.documents();
        documents.documents().zip(decisions.iter().copied()).filter(|(document, _)| !documents.is_reference(*document))
    }

    fn id(&self, document: DocId) -> &str {
        self.answered.documents().ids().get(document)
    }

    /// A row with the numbers of the records of its documents.
    fn numbered<R>(&self, row: R, documents: [Option<DocId>; 2]) -> NumberedRow<R> {
        NumberedRow { row, numbers: documents.map(|document| self.answered.row(document?)) }
    }

    /// Rows as columns, of which those of ids have these types.
    fn table<R: Row>(
        &self,
        header: &[Column],
        rows: impl Iterator<Item = NumberedRow<R>>,
        types: &[(&str, Option<&DataType>)],
    ) -> PyResult<ArrowTable> {
        let batch = table_of_rows(&numbered(header), rows).map_err(refused)?;
        with_id_types(batch, types).map(ArrowTable::new)
    }
}

/// The answers of a search as columns; the queries are the inputs.
pub(crate) fn answers_table(
    listed: &[AnswerRow<'static>],
    figure: Figure,
    fields: AnswerFields,
    ids: &IdTypes,
) -> PyResult<ArrowTable> {
    let batch = answers_batch(listed, figure, fields).map_err(refused)?;
    let types = [("query", ids.inputs.as_ref()), ("id", ids.references.as_ref())];
    with_id_types(batch, &types).map(ArrowTable::new)
}

/// Passages as columns.
pub(crate) fn passages_table(listed: &[SourceRow<'static>], ids: &IdTypes) -> PyResult<ArrowTable> {
    let batch = table_of_rows(&SourceRow::header(), listed.iter()).map_err(refused)?;
    let types = [("id", ids.inputs.as_ref()), ("source", ids.references.as_ref())];
    with_id_types(batch, &types).map(ArrowTable::new)
}
