//! The stored index as a class: one that is open, for questions and changes.

use crate::answers::answers_table;
use crate::capsules::ArrowTable;
use crate::documents::{Documents, data_of};
use crate::errors::{exception, refused};
use crate::keywords::{Keywords, one_of};
use crate::notes::of_texts;
use crate::parameters::{RuleKind, job_beside};
use crate::progress::{Watch, watched};
use lookalike::index::{self, Change, Durability, IndexWriter, Storage};
use lookalike::jobs::{self, AdditionPolicy, Found, IndexChange, Keying, Replacing, StoredParameters};
use lookalike::{
    Features,
    inputs::Carried,
    measures::Threshold,
    rows::{AnswerFields, AnswerRow, StoredFields},
};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::{Bound, Py, PyAny, PyDictMethods, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An index that is open.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Index {
    path: PathBuf,
    durability: Durability,
    reader: Mutex<index::Index>,
    /// The writer, from the first change on.
    writer: Mutex<Option<IndexWriter>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn index_error(error: index::Error) -> pyo3::PyErr {
    exception(error.into())
}

fn durability_of(name: &str) -> PyResult<Durability> {
    one_of("durability", name, &[("power", Durability::PowerLoss), ("process", Durability::Process)])
}

/// A change from the keywords of a call; `stored` are the parameters of the index, if it is there.
fn change_of(
    mut keywords: Keywords<'_>,
    stored: Option<StoredParameters>,
) -> PyResult<(IndexChange, lookalike::Resources)> {
    let time_to_live = keywords.take("ttl")?;
    let fields = keywords.take::<Vec<String>>("store")?;
    let texts = keywords.is_true("store_texts")?;
    let storage = if keywords.is_true("signatures")? { Storage::Signatures } else { Storage::Sets };
    let keying = if keywords.is_true("keyed")? { Keying::Secret } else { Keying::Public };
    let is_there = stored.is_some();
    let (mut job, resources) = job_beside(stored, RuleKind::Pairs, keywords)?;
    if is_there {
        // An index reads documents by its own features: keywords may only agree.
        job.features = Features::default();
    }
    job.inputs.carried = Carried { texts, ..Carried::of_fields(fields.unwrap_or_default()) };
    Ok((IndexChange { job, time_to_live, storage, keying, ..IndexChange::default() }, resources))
}

impl Index {
    /// The index to ask.
    pub(crate) fn reader(&self) -> index::Index {
        lock(&self.reader).clone()
    }

    /// Runs `work` with the writer, which the first call opens. No other interpreter thread is waited for.
    fn writing<T>(&self, work: impl FnOnce(&mut IndexWriter) -> PyResult<T>) -> PyResult<T> {
        let mut writer = lock(&self.writer);
        if writer.is_none() {
            let opened = IndexWriter::open(&self.path, self.durability).map_err(index_error)?;
            *lock(&self.reader) = opened.index();
            *writer = Some(opened);
        }
        match writer.as_mut() {
            Some(writer) => work(writer),
            None => Err(refused("the index is closed")),
        }
    }
}

#[pymethods]
impl Index {
    /// Opens an index.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, durability: &str) -> PyResult<Self> {
        let durability = durability_of(durability)?;
        let reader = py.detach(|| index::Index::open(&path)).map_err(index_error)?;
        Ok(Self { path, durability, reader: Mutex::new(reader), writer: Mutex::new(None) })
    }

    /// Makes an index; returns the summary of the job and warnings.
    #[staticmethod]
    #[pyo3(signature = (path, durability, keywords, data=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "the interpreter is none: Python passes five")]
    fn create(
        py: Python<'_>,
        path: PathBuf,
        durability: &str,
        keywords: Bound<'_, PyDict>,
        data: Option<&Bound<'_, Documents>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, Vec<String>)> {
        let (change, resources) = change_of(Keywords::new(keywords), None)?;
        let change = IndexChange { index: path, durability: durability_of(durability)?, ..change };
        let (data, _) = data_of(data, None);
        let create = |watch: &Watch| jobs::create_index(&change, &data, &resources, watch).map_err(exception);
        let (report, mut warnings) = watched(py, progress.as_ref(), create)?;
        warnings.extend(of_texts(&report, &change.job));
        Ok((report.summary.to_string(), warnings))
    }

    /// Adds documents; returns the summary of the job, warnings, and those that were not added with what is near.
    #[pyo3(signature = (keywords, data=None, progress=None))]
    fn add(
        &self,
        py: Python<'_>,
        keywords: Bound<'_, PyDict>,
        data: Option<&Bound<'_, Documents>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, Vec<String>, ArrowTable)> {
        let mut keywords = Keywords::new(keywords);
        let replaces = keywords.take("replace")?.unwrap_or(true);
        let settings = self.reader().settings().clone();
        let measure = settings.measure;
        let additions = match (keywords.is_true("asks")?, keywords.take::<String>("unless_near")?) {
            (false, _) => AdditionPolicy::All,
            (true, None) => AdditionPolicy::UnlessNear(None),
            (true, Some(threshold)) => {
                let threshold: Threshold = threshold.parse().map_err(refused)?;
                let raised = measure.with_threshold(threshold);
                let no_threshold = || refused(format!("{} has no threshold: unless_near=True", measure.name()));
                AdditionPolicy::UnlessNear(Some(raised.ok_or_else(no_threshold)?))
            }
        };
        let stored = StoredParameters::of_index(&self.reader()).map_err(exception)?;
        let (change, resources) = change_of(keywords, Some(stored))?;
        let replacing = if replaces { Replacing::Allowed } else { Replacing::Refused };
        let change = IndexChange { additions, replacing, ..change };
        let (data, ids) = data_of(data, None);
        // Another thread of Python may hold the lock of the writer, and want the interpreter.
        let (report, warnings) = watched(py, progress.as_ref(), |watch| {
            self.writing(|writer| jobs::add_to_open_index(writer, &change, &data, &resources, watch).map_err(exception))
        })?;
        let near: &[AnswerRow<'static>] = if let Found::Index { listed, .. } = &report.found { listed } else { &[] };
        let near = answers_table(near, settings.storage.figure(measure), AnswerFields::Absent, &ids)?;
        Ok((report.summary.to_string(), warnings, near))
    }

    /// Removes documents by their ids, all or, if one is not there, none.
    fn remove(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<()> {
        py.detach(|| {
            self.writing(|writer| {
                let view = writer.index().view();
                if let Some(missing) = ids.iter().find(|id| view.find(id).is_none()) {
                    return Err(PyKeyError::new_err(missing.clone()));
                }
                writer.commit(ids.into_iter().map(Change::Delete).collect()).map_err(index_error)
            })
        })
    }

    /// The stored facts of a document; `None` if there is none.
    fn get<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
        let view = self.reader().view();
        let Some(place) = view.find(id) else { return Ok(None) };
        let facts = view.facts(place);
        let found = PyDict::new(py);
        found.set_item("id", id)?;
        found.set_item("elements", view.size(place))?;
        found.set_item("characters", facts.characters)?;
        found.set_item("expires", facts.expires())?;
        let reader = self.reader();
        let settings = reader.settings();
        if !settings.fields.is_empty() {
            found.set_item("fields", StoredFields::new(view.fields(place)).as_json())?;
        }
        if settings.texts {
            found.set_item("text", view.text(place).map_err(index_error)?)?;
        }
        Ok(Some(found))
    }

    /// Names of the fields that it stores.
    fn stored_fields(&self) -> Vec<String> {
        self.reader().settings().fields.clone()
    }

    fn __contains__(&self, id: &str) -> bool {
        self.reader().view().find(id).is_some()
    }

    fn __len__(&self) -> usize {
        self.reader().view().len()
    }

    /// The parameters and sizes of the index, as JSON.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let info = py.detach(|| self.reader().info());
        serde_json::to_string(&info).map_err(refused)
    }

    /// Writes all documents anew, without what was removed.
    fn compact(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.writing(|writer| writer.compact().map_err(index_error)))
    }

    /// The problems of its files: name, and what is wrong.
    fn verify(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let problems = py.detach(|| index::verify(&self.path)).map_err(index_error)?;
        Ok(problems.into_iter().map(|problem| (problem.file, problem.what)).collect())
    }

    /// The warning about an interrupted write that was found when the index was opened.
    fn warning(&self) -> Option<String> {
        let bytes = lock(&self.reader).torn_bytes();
        (bytes > 0).then(|| index::interrupted_write_note(&self.path, bytes))
    }

    /// Copies the index; returns the warning about an interrupted write that is not copied.
    fn backup(&self, py: Python<'_>, copy: PathBuf) -> PyResult<Option<String>> {
        let bytes = py.detach(|| index::backup(&self.path, &copy)).map_err(index_error)?;
        Ok((bytes > 0).then(|| index::interrupted_write_note(&self.path, bytes)))
    }

    /// Takes notice of what other processes have changed.
    fn refresh(&self, py: Python<'_>) -> PyResult<()> {
        // The writer knows of every change: it is the only one.
        if lock(&self.writer).is_some() {
            return Ok(());
        }
        py.detach(|| self.reader().refresh()).map_err(index_error)
    }

    /// Lets other processes write to the index.
    fn close(&self, py: Python<'_>) {
        py.detach(|| *lock(&self.writer) = None);
    }
}
