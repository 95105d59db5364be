//! Writing the records again: those that stay, or all with annotations; whole or not at all.

use crate::copy_records::{CopyJob, copy_records};
use crate::corpus::{Corpus, DocumentInfo};
use crate::dedup_report::family_sizes;
use crate::error::{Error, Result};
use crate::progress::{Stage, Unit};
use crate::session::Session;
use crate::threads::try_each;
use crate::write_answers::{REMOVED_HEADER, write_removed};
use crate::write_warc::copy_warc;
use lookalike_core::DocId;
use lookalike_core::decide::Decision;
use lookalike_io::{
    Annotation, Aside, AtomicFile, Discovered, OutputFolder, RecordFormat, Rewrite, RowFormat, RowWriter, Sealed,
    Source, SourceKind, Wanted, added_columns, append_cells, append_field, check_output_names, converted_name,
    expand_patterns, header, rewrite, url_covers,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the field that annotations add; in rows, columns begin with it.
pub(crate) const ANNOTATION: &str = "lookalike";

/// What is written of the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordMode {
    /// The records that stay; lines byte for byte.
    Kept,
    /// All records, each with an object, or columns, that say what becomes of it.
    Annotated,
}

/// Where the results of a dedup job go.
#[derive(Debug, Clone, Default)]
pub struct OutputPaths {
    /// The records: a file for a single input file, else a folder; `-` is standard output.
    pub records: Option<PathBuf>,
    /// Format of the records; `None` for what the ending of a single file says, and else for the one that they have.
    pub format: Option<RowFormat>,
    /// One row for each removed record.
    pub removed: Option<PathBuf>,
    /// Where they are until they are finished.
    pub aside: Aside,
}

/// The outputs of a dedup job, begun but still aside.
#[derive(Debug)]
pub struct DedupOutputs {
    records: Option<Records>,
    removed: Option<RowWriter>,
    mode: RecordMode,
    format: Option<RowFormat>,
}

/// Records, aside.
#[derive(Debug)]
enum Records {
    File(Box<AtomicFile>),
    Folder(OutputFolder),
}

impl DedupOutputs {
    /// Begins the outputs, before any work, so that what cannot be written is known at once.
    ///
    /// # Errors
    /// If an output cannot be written, or does not fit the inputs.
    pub fn create(found: &Discovered, mode: RecordMode, paths: &OutputPaths) -> Result<Self> {
        if let (Some(_), Some(sketch)) = (&paths.records, found.sources.iter().find(|source| source.is_sketch())) {
            return Err(Error::NoRecords { path: sketch.path.to_path_buf() });
        }
        let format =
            paths.records.as_deref().map_or(Ok(paths.format), |path| output_format(found, path, paths.format))?;
        if mode == RecordMode::Annotated {
            found.sources.iter().try_for_each(|source| check_annotations(source, format))?;
        }
        let aside = &paths.aside;
        let records = paths.records.as_deref().map(|path| Records::create(found, path, format, aside)).transpose()?;
        let removed = paths.removed.as_deref().map(|path| RowWriter::create_with(path, REMOVED_HEADER, aside));
        let removed = removed.transpose()?;
        Ok(Self { records, removed, mode, format })
    }
}

/// The format in which the records are wanted: as the user says, or else the ending of a single file; `None` for the one that
/// they have.
fn output_format(found: &Discovered, path: &Path, wanted: Option<RowFormat>) -> Result<Option<RowFormat>> {
    let from = found.sources.first().and_then(record_format).filter(|_| found.is_single_file);
    let by_ending = from.map_or(Ok(None), |from| RowFormat::of_output(path, from))?;
    Ok(wanted.or(by_ending))
}

fn check_annotations(source: &Source, format: Option<RowFormat>) -> Result<()> {
    let what = match source.kind {
        _ if format.is_some() => return Ok(()),
        SourceKind::TextFiles { .. } => "text files",
        SourceKind::Records { format: RecordFormat::Warc, .. } => "WARC records",
        SourceKind::Records { format: RecordFormat::ItemLines, .. } => "lines of items",
        SourceKind::Records { .. } => return Ok(()),
    };
    Err(Error::CannotAnnotate { path: source.path.to_path_buf(), format: what })
}

impl Records {
    fn create(found: &Discovered, path: &Path, format: Option<RowFormat>, aside: &Aside) -> Result<Self> {
        if found.is_single_file {
            let from = found.sources.first().and_then(record_format);
            if let Some(format) = format.or(from.and_then(RecordFormat::as_rows)) {
                format.check_name(path)?;
            }
            return Ok(Self::File(Box::new(AtomicFile::create_with(path, aside)?)));
        }
        if path == Path::new("-") {
            return Err(Error::FolderToStdout);
        }
        check_output_names(&found.sources, format)?;
        Ok(Self::Folder(OutputFolder::create_with(path, aside)?))
    }
}

/// The format that the records of a source have; text files have none.
fn record_format(source: &Source) -> Option<RecordFormat> {
    match source.kind {
        SourceKind::Records { format, .. } => Some(format),
        SourceKind::TextFiles { .. } => None,
    }
}

/// The format into which a source has to be brought, by its records: all but copies of their bytes.
fn rewritten(source: &Source, wanted: Option<RowFormat>) -> Option<RowFormat> {
    let from = record_format(source);
    let own = from.and_then(RecordFormat::as_rows);
    let stays = wanted.is_none() || wanted == own;
    let is_copied = stays && !from.is_some_and(RecordFormat::has_columns);
    wanted.or(own).filter(|_| !is_copied)
}

/// Checks before any work that no output lands on an input, on another output, or in a folder that is read.
///
/// # Errors
/// [`Error::OutputInUse`], [`Error::OutputInInput`]; [`Error::Io`] for a pattern that no file fits.
pub fn check_outputs<'a>(inputs: &[PathBuf], outputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    let inputs = expand_patterns(inputs)?;
    let mut taken: Vec<(PathBuf, String)> = Vec::new();
    for input in &inputs {
        taken.push((resolve(input), format!("input {}", input.display())));
    }
    for output in outputs {
        let is_stdout = output.as_path() == Path::new("-");
        let path = if is_stdout { output.clone() } else { resolve(output) };
        if let Some((_, what)) = taken.iter().find(|(other, _)| *other == path) {
            return Err(Error::OutputInUse { path: output.clone(), what: what.clone() });
        }
        let holds = |input: &PathBuf| url_covers(input, output) || input.is_dir() && path.starts_with(resolve(input));
        if let Some(folder) = inputs.iter().find(|input| holds(input)) {
            return Err(Error::OutputInInput { path: output.clone(), folder: folder.clone() });
        }
        if is_stdout || path.is_file() || !path.exists() {
            let what = if is_stdout {
                "another output: standard output".to_owned()
            } else {
                format!("output {}", output.display())
            };
            taken.push((path, what));
        }
    }
    Ok(())
}

/// The absolute path without links; of a file that does not exist yet, that of its folder with its name.
fn resolve(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::canonicalize(path)
        .ok()
        .or_else(|| Some(fs::canonicalize(parent).ok()?.join(path.file_name()?)))
        .unwrap_or_else(|| path.to_owned())
}

/// Writes the results. The outputs are complete then, but have not got their names yet: publish them together with
/// whatever else the job writes ([`lookalike_io::publish_all`]).
///
/// # Errors
/// If an output cannot be written or an input has changed since it was read; then no output appears.
pub fn write_dedup(
    corpus: &Corpus,
    decisions: &[Decision],
    outputs: DedupOutputs,
    session: &Session<'_>,
) -> Result<Vec<Sealed>> {
    let total = corpus.sources[corpus.references.sources..].iter().map(Source::bytes).sum();
    session.stages.run(Stage { name: "writing", total, unit: Unit::Bytes }, || {
        let mut sealed = Vec::new();
        if let Some(removed) = outputs.removed {
            sealed.push(write_removed(removed, corpus, decisions, session)?);
        }
        let (mode, format, sizes) = (outputs.mode, outputs.format, family_sizes(decisions));
        let inputs = corpus.sources.len() - corpus.references.sources;
        let sources_at_a_time = inputs.clamp(1, session.threads());
        let writer = Writer { corpus, decisions, mode, format, sizes, sources_at_a_time, session };
        if let Some(records) = outputs.records {
            let records = writer.write(records)?;
            session.note_folder(&records)?;
            sealed.push(records);
        }
        Ok(sealed)
    })
}

struct Writer<'a> {
    corpus: &'a Corpus,
    decisions: &'a [Decision],
    mode: RecordMode,
    format: Option<RowFormat>,
    sizes: Vec<u32>,
    sources_at_a_time: usize,
    session: &'a Session<'a>,
}

impl Writer<'_> {
    fn write(&self, records: Records) -> Result<Sealed> {
        let inputs = self.corpus.sources.iter().enumerate().skip(self.corpus.references.sources);
        match records {
            Records::File(file) => match inputs.last() {
                Some((number, source)) => self.write_source(number, source, *file),
                None => Ok(file.seal()?),
            },
            Records::Folder(folder) => {
                try_each(inputs, self.sources_at_a_time, |(number, source)| self.write_into(&folder, number, source))?;
                Ok(folder.seal())
            }
        }
    }

    fn write_into(&self, folder: &OutputFolder, number: usize, source: &Source) -> Result<()> {
        let converted = self.format.and_then(|format| converted_name(source, format));
        if converted.is_none() && record_format(source).is_none() {
            return self.copy_files(number, source, folder);
        }
        let name = converted.as_ref().unwrap_or(&source.output_name);
        let file = AtomicFile::create(&folder.place(name)?)?;
        Ok(self.write_source(number, source, file)?.publish()?)
    }

    /// Records that keep their format are copied byte for byte, but for columns; all else is decoded and written again.
    fn write_source(&self, number: usize, source: &Source, mut file: AtomicFile) -> Result<Sealed> {
        self.check_state(number, source)?;
        let sealed = match rewritten(source, self.format) {
            Some(format) => self.rewrite(number, source, format, file)?,
            None => {
                self.copy_records(number, source, &mut file)?;
                file.seal()?
            }
        };
        self.check_state(number, source)?;
        Ok(sealed)
    }

    /// Checks that what is read again is what was read.
    fn check_state(&self, number: usize, source: &Source) -> Result<()> {
        match &source.kind {
            SourceKind::Records { state, .. } => state.check(&source.file)?,
            SourceKind::TextFiles { files } => {
                for (_, info) in self.documents(number) {
                    if let Some((relative, state)) = files.get(info.number as usize) {
                        state.check(&source.path.join(relative))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn rewrite(&self, number: usize, source: &Source, format: RowFormat, file: AtomicFile) -> Result<Sealed> {
        let annotation = (self.mode == RecordMode::Annotated).then_some(ANNOTATION);
        let (fields, limit) = (&self.session.options.fields, self.session.options.most_record_bytes);
        let job = Rewrite { source, fields, limit, format, annotation };
        let records = self.documents(number).map(|(document, info)| Wanted {
            number: info.number,
            span: info.span,
            annotation: annotation.map(|_| self.annotation(document)),
        });
        let mut done = 0;
        let written = rewrite(job, file, records, &mut |bytes| {
            done += bytes;
            self.session.stages.progress.advance(bytes);
            !self.session.stages.progress.is_cancelled()
        });
        self.session.stages.check()?;
        let written = written?;
        self.session.stages.progress.advance(source.bytes().saturating_sub(done));
        Ok(written)
    }

    /// The documents of a source that are to be written, in input order.
    fn documents(&self, source: usize) -> impl Iterator<Item = (DocId, DocumentInfo)> + Clone {
        let ids = self.corpus.ids_of_source(source);
        ids.filter(|id| self.mode == RecordMode::Annotated || self.decisions[id.index()] == Decision::Kept)
            .map(|id| (id, self.corpus.info(id)))
    }

    fn copy_records(&self, number: usize, source: &Source, out: &mut AtomicFile) -> Result<()> {
        let SourceKind::Records { compression, format, .. } = &source.kind else { return Ok(()) };
        if *format == RecordFormat::Warc {
            let is_kept = |id: DocId| self.decisions[id.index()] == Decision::Kept;
            let ids = self.corpus.ids_of_source(number);
            let decided = ids.map(|id| (self.corpus.info(id).span.offset, is_kept(id))).collect();
            return copy_warc(source, *compression, decided, out, self.session);
        }
        out.write(&self.header(source, *format)?)?;
        let records = self.documents(number).map(|(document, info)| (document, info.span));
        let annotate = |record: &[u8], document, out: &mut Vec<u8>| self.annotate(record, *format, document, out);
        let change = (self.mode == RecordMode::Annotated).then_some(annotate);
        let (compression, sources_at_a_time) = (*compression, self.sources_at_a_time);
        let job = CopyJob { source, compression, sources_at_a_time, session: self.session };
        copy_records(job, records, change, out)
    }

    /// What comes before the records of a source.
    fn header(&self, source: &Source, format: RecordFormat) -> Result<Vec<u8>> {
        let header = header(source)?;
        match (self.mode, format.delimiter()) {
            (RecordMode::Annotated, Some(delimiter)) if !header.is_empty() => {
                let mut annotated = Vec::new();
                append_cells(&header, delimiter, &added_columns(ANNOTATION), &mut annotated)?;
                Ok(annotated)
            }
            _ => Ok(header),
        }
    }

    /// Writes a record to `out` with what becomes of its document.
    fn annotate(&self, record: &[u8], format: RecordFormat, document: DocId, out: &mut Vec<u8>) -> Result<()> {
        let annotation = self.annotation(document);
        match format.delimiter() {
            Some(delimiter) => append_cells(record, delimiter, &annotation, out)?,
            None => append_field(record, ANNOTATION, &lookalike_io::to_json(&annotation)?, out),
        }
        Ok(())
    }

    fn annotation(&self, document: DocId) -> Annotation<'_> {
        let (kept, similarity, duplicate) = match self.decisions[document.index()] {
            Decision::Kept => (document, 1.0, false),
            Decision::Removed { kept, similarity, .. } => (kept, similarity, true),
        };
        let kept = self.corpus.keys.get(kept);
        Annotation { duplicate, kept, similarity, cluster_size: self.sizes[document.index()] }
    }

    fn copy_files(&self, number: usize, source: &Source, folder: &OutputFolder) -> Result<()> {
        let SourceKind::TextFiles { files } = &source.kind else { return Ok(()) };
        for (_, info) in self.documents(number) {
            self.session.stages.check()?;
            let Some((relative, state)) = files.get(info.number as usize) else { continue };
            let from = source.file.join(relative);
            state.check(&from)?;
            let to = folder.place(&source.output_name.join(relative))?;
            fs::copy(&from, &to).map_err(|error| lookalike_io::Error::io("copy", &from, error))?;
            self.session.stages.progress.advance(state.bytes);
        }
        Ok(())
    }
}
