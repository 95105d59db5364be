//! Destination of records, before any of them is written.

use super::join::{self, Join, is_one_file};
use super::left_out::{LeftOutFiles, RecordsIn};
use crate::base::{Contradiction, Error, Result};
use crate::job::{Job, RecordMode};
use lookalike_core::stored::Provenance;
use lookalike_io::base::details::DataForm;
use lookalike_io::{
    AtomicFile, Source,
    base::Staging,
    formats::{RecordFormat, RowFormat, names_one_value},
    outputs::OutputFolder,
    read::is_page,
    sources::{Discovered, SourceKind, check_output_names},
};
use std::path::{Path, PathBuf};

/// The output of records, in its staging file or folder until it is published.
#[derive(Debug)]
pub(crate) struct RecordOutput {
    pub(super) target: RecordTarget,
    pub(super) mode: RecordMode,
    pub(super) format: Option<RowFormat>,
    /// Basis of the choice of records.
    pub(super) basis: Option<String>,
    /// Fate of files that are in no document.
    pub(super) left_out: LeftOutFiles,
    /// Provenance of the records, by which an interrupted job knows that they have appeared.
    pub(super) provenance: Provenance,
}

/// Staging file or folder of records.
#[derive(Debug)]
pub(super) enum RecordTarget {
    File(Box<AtomicFile>),
    /// The records of several inputs in one file.
    Joined(Box<AtomicFile>, Join),
    Folder(OutputFolder),
}

impl RecordOutput {
    /// Begins the output at `path`, before any work, so that an output that cannot be written is known at once.
    ///
    /// # Errors
    /// If the output cannot be written, or does not fit the inputs.
    pub(crate) fn create(found: &Discovered, path: &Path, job: &Job, staging: &Staging) -> Result<Self> {
        let outputs = &job.outputs;
        if let Some(snapshot) = found.sources.iter().find(|source| source.is_stored()) {
            return Err(Error::NoRecords { path: snapshot.path.to_path_buf() });
        }
        let format = output_format(found, path, outputs.format)?;
        check_annotations(found, job, format)?;
        let target = RecordTarget::create(found, path, format, job, staging)?;
        let records = if matches!(target, RecordTarget::Folder(_)) { RecordsIn::Folder } else { RecordsIn::File };
        let left_out = LeftOutFiles::begin(found, records, job, staging)?;
        let provenance = job.records_provenance()?;
        Ok(Self { target, mode: outputs.mode, format, basis: None, left_out, provenance })
    }

    /// Sets the provenance of the records.
    pub(crate) fn depending_on(self, provenance: Provenance) -> Self {
        Self { provenance, ..self }
    }

    /// Lets files of columns say what the choice of their records depends on.
    pub(crate) fn describe(&mut self, basis: String) {
        self.basis = Some(basis);
    }
}

/// Checks that the records can carry annotations, if they are to.
pub(crate) fn check_annotations(found: &Discovered, job: &Job, format: Option<RowFormat>) -> Result<()> {
    let is_table = |source: &&Source| source.record_format().is_some_and(|format| format.delimiter().is_some());
    let encoded = found.sources.iter().find(|source| job.inputs.encoding.is_some() && is_table(source));
    match job.outputs.mode {
        RecordMode::Annotated if let Some(table) = encoded.filter(|_| format.is_none()) => {
            Err(Error::EncodedTable { path: table.path.to_path_buf() })
        }
        RecordMode::Kept => Ok(()),
        RecordMode::Annotated => found.sources.iter().try_for_each(|source| check_annotation(source, format)),
    }
}

/// Checks that texts can be changed in the records that go to `path`: those of pages stand between tags.
pub(crate) fn check_editable(found: &Discovered, path: &Path, job: &Job) -> Result<()> {
    let text = job.features.text();
    if text.strip_html || text.main_content {
        return Err(Contradiction::CutInHtml.into());
    }
    let format = output_format(found, path, job.outputs.format)?;
    let is_table = |source: &Source| source.record_format().is_some_and(|format| format.delimiter().is_some());
    found.sources.iter().filter(|_| format.is_none()).try_for_each(|source| match &source.kind {
        SourceKind::Records { format: RecordFormat::Warc, .. } => {
            Err(Error::CannotCut { path: source.path.to_path_buf() })
        }
        SourceKind::TextFiles { files } => match files.iter().find(|(name, _)| is_page(name)) {
            Some((name, _)) => Err(Error::CannotCut { path: source.path.join(name) }),
            None => Ok(()),
        },
        _ if job.inputs.encoding.is_some() && is_table(source) => {
            Err(Error::EncodedTable { path: source.path.to_path_buf() })
        }
        _ => Ok(()),
    })
}

/// The format in which the records are wanted: as the user says, or else the ending of a file; `None` for the one that
/// they have.
fn output_format(found: &Discovered, path: &Path, wanted: Option<RowFormat>) -> Result<Option<RowFormat>> {
    let single = found.sources.first().filter(|_| found.is_single_file);
    let from = single.and_then(|source| Some((source.record_format()?, source)));
    let format = match (wanted, from) {
        (Some(wanted), _) => Some(wanted),
        (None, Some((from, source))) => RowFormat::of_output(path, from, &source.path)?,
        (None, None) if is_one_file(path) => RecordFormat::of_name(path).and_then(RecordFormat::as_rows),
        (None, None) => None,
    };
    // Rows of an array are not copied: its header tells how many there are.
    if format.is_none() && found.sources.iter().any(|source| source.record_format() == Some(RecordFormat::Npy)) {
        let form = DataForm::Records(RecordFormat::Npy);
        return Err(lookalike_io::Error::ForeignExtension { path: path.to_owned(), form }.into());
    }
    Ok(format)
}

fn check_annotation(source: &Source, format: Option<RowFormat>) -> Result<()> {
    let from = source.record_format();
    match from {
        _ if format.is_some() => Ok(()),
        None | Some(RecordFormat::Warc | RecordFormat::ItemLines) => {
            // The folder of a text file in the working folder has no name.
            let is_unnamed = source.path.as_os_str().is_empty();
            let path = if is_unnamed { PathBuf::from(".") } else { source.path.to_path_buf() };
            Err(Error::CannotAnnotate { path, format: from })
        }
        Some(_) => Ok(()),
    }
}

impl RecordTarget {
    fn create(
        found: &Discovered,
        path: &Path,
        format: Option<RowFormat>,
        job: &Job,
        staging: &Staging,
    ) -> Result<Self> {
        if found.is_single_file {
            let from = found.sources.first().and_then(Source::record_format);
            if let Some(format) = format.or(from.and_then(RecordFormat::as_rows)) {
                format.check_name(path)?;
            }
            return Ok(Self::File(Box::new(json_file(path, &found.sources, job, staging)?)));
        }
        if is_one_file(path) {
            if let Some(format) = format {
                format.check_name(path)?;
            }
            let join = join::plan(found, path, job.outputs.format, &job.inputs)?;
            return Ok(Self::Joined(Box::new(json_file(path, &found.sources, job, staging)?), join));
        }
        check_output_names(&found.sources, format)?;
        Ok(Self::Folder(OutputFolder::create_with(path, staging)?))
    }
}

/// A file for records, in which lines of JSON become one array if its name says so, unless the user wants lines or all
/// records come from lines in files of such names, or they are elements already.
fn json_file(path: &Path, sources: &[Source], job: &Job, staging: &Staging) -> Result<AtomicFile> {
    let file = AtomicFile::create_with(path, staging)?;
    let are_elements = sources.iter().all(|source| source.record_format() == Some(RecordFormat::JsonArray));
    let are_such_lines =
        |source: &Source| source.record_format() == Some(RecordFormat::JsonLines) && names_one_value(&source.path);
    let are_lines = job.outputs.format.is_some() || sources.iter().all(are_such_lines);
    let becomes_array = names_one_value(path) && !are_elements && !are_lines;
    Ok(if becomes_array { file.with_lines_as_array() } else { file })
}
