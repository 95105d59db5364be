//! Writing the records again: those that stay, or all with annotations; whole or not at all.

use crate::corpus::{Corpus, DocumentInfo};
use crate::dedup_report::family_sizes;
use crate::error::{Error, Result};
use crate::progress::{Stage, Unit};
use crate::session::Session;
use crate::write_answers::{REMOVED_HEADER, write_removed};
use lookalike_core::DocId;
use lookalike_core::decide::Decision;
use lookalike_io::{
    Annotation, AtomicFile, Compression, Discovered, OutputFolder, RecordFormat, RecordReader, Rewrite, RowFormat,
    RowWriter, Sealed, Source, SourceKind, Wanted, append_field, check_output_names, rewrite,
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the field that annotations add.
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
        let text_files = found.sources.iter().find(|source| matches!(source.kind, SourceKind::TextFiles { .. }));
        if let (RecordMode::Annotated, Some(source)) = (mode, text_files) {
            return Err(Error::CannotAnnotate { path: source.path.to_path_buf() });
        }
        let by_ending = paths.records.as_deref().filter(|_| found.is_single_file).and_then(RowFormat::of_name);
        let format = paths.format.or(by_ending);
        if let (Some(format), Some(source), true) = (format, text_files, paths.records.is_some()) {
            let (path, format) = (source.path.to_path_buf(), format.name());
            return Err(lookalike_io::Error::NoFields { path, format }.into());
        }
        let records = paths.records.as_deref().map(|path| Records::create(found, path, format)).transpose()?;
        let removed = paths.removed.as_deref().map(|path| RowWriter::create(path, REMOVED_HEADER)).transpose()?;
        Ok(Self { records, removed, mode, format })
    }
}

impl Records {
    fn create(found: &Discovered, path: &Path, format: Option<RowFormat>) -> Result<Self> {
        if found.is_single_file {
            if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip")) {
                return Err(lookalike_io::Error::ForeignEnding { path: path.to_owned() }.into());
            }
            if let Some(source) = found.sources.first() {
                format_of(source, format).map_or(Ok(()), |format| format.check_name(path))?;
            }
            return Ok(Self::File(Box::new(AtomicFile::create(path)?)));
        }
        if path == Path::new("-") {
            return Err(Error::FolderToStdout);
        }
        let renamed = |source: &Source| Source { output_name: output_name(source, format), ..source.clone() };
        check_output_names(&found.sources.iter().map(renamed).collect::<Vec<_>>())?;
        Ok(Self::Folder(OutputFolder::create(path)?))
    }
}

/// The format in which the records of a source are written: the wanted one, or that of the source; text files have none.
fn format_of(source: &Source, wanted: Option<RowFormat>) -> Option<RowFormat> {
    match source.kind {
        SourceKind::Records { format, .. } => Some(wanted.unwrap_or(format.into())),
        SourceKind::TextFiles { .. } => None,
    }
}

/// Where the records of a source go below the output folder.
fn output_name(source: &Source, wanted: Option<RowFormat>) -> PathBuf {
    match (&source.kind, wanted) {
        (SourceKind::Records { format, .. }, Some(wanted)) if wanted != (*format).into() => {
            wanted.rename(&source.output_name)
        }
        _ => source.output_name.clone(),
    }
}

/// Checks before any work that no output lands on an input, on another output, or in a folder that is read.
///
/// # Errors
/// [`Error::OutputInUse`], [`Error::OutputInInput`].
pub fn check_outputs<'a>(inputs: &[PathBuf], outputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    let mut taken: Vec<(PathBuf, String)> = Vec::new();
    for input in inputs {
        taken.push((resolve(input), format!("input {}", input.display())));
    }
    for output in outputs {
        let is_stdout = output.as_path() == Path::new("-");
        let path = if is_stdout { output.clone() } else { resolve(output) };
        if let Some((_, what)) = taken.iter().find(|(other, _)| *other == path) {
            return Err(Error::OutputInUse { path: output.clone(), what: what.clone() });
        }
        if let Some(folder) = inputs.iter().find(|input| input.is_dir() && path.starts_with(resolve(input))) {
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
        let writer = Writer { corpus, decisions, mode, format, sizes, session };
        sealed.extend(outputs.records.map(|records| writer.write(records)).transpose()?);
        Ok(sealed)
    })
}

struct Writer<'a> {
    corpus: &'a Corpus,
    decisions: &'a [Decision],
    mode: RecordMode,
    format: Option<RowFormat>,
    sizes: Vec<u32>,
    session: &'a Session<'a>,
}

impl Writer<'_> {
    fn write(&self, records: Records) -> Result<Sealed> {
        let inputs = self.corpus.sources.iter().enumerate().skip(self.corpus.references.sources);
        match records {
            Records::File(file) => match inputs.last() {
                Some((number, source)) => self.write_records(number, source, *file),
                None => Ok(file.seal()?),
            },
            Records::Folder(folder) => {
                let inputs: Vec<_> = inputs.collect();
                let write = |(number, source)| self.write_into(&folder, number, source);
                self.session.pool.install(|| inputs.into_par_iter().try_for_each(write))?;
                Ok(folder.seal())
            }
        }
    }

    fn write_into(&self, folder: &OutputFolder, number: usize, source: &Source) -> Result<()> {
        match &source.kind {
            SourceKind::Records { .. } => {
                let file = AtomicFile::create(&folder.place(&output_name(source, self.format))?)?;
                Ok(self.write_records(number, source, file)?.publish()?)
            }
            SourceKind::TextFiles { .. } => self.copy_files(number, source, folder),
        }
    }

    /// Lines that keep their format are copied byte for byte; all else is decoded and written again.
    fn write_records(&self, number: usize, source: &Source, mut file: AtomicFile) -> Result<Sealed> {
        let SourceKind::Records { state, format: from, .. } = &source.kind else { return Ok(file.seal()?) };
        state.check(&source.file)?;
        let format = self.format.unwrap_or((*from).into());
        if (*from, format) == (RecordFormat::JsonLines, RowFormat::JsonLines) {
            self.copy_lines(number, source, &mut file)?;
            return Ok(file.seal()?);
        }
        let annotation = (self.mode == RecordMode::Annotated).then_some(ANNOTATION);
        let job = Rewrite { source, fields: &self.session.options.fields, format, annotation };
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
        state.check(&source.file)?;
        Ok(written)
    }

    /// The documents of a source that are to be written, in input order.
    fn documents(&self, source: usize) -> impl Iterator<Item = (DocId, &DocumentInfo)> + Clone {
        let documents = &self.corpus.documents;
        let first = documents.partition_point(|info| (info.source as usize) < source);
        let of_source = documents[first..].iter().take_while(move |info| info.source as usize == source);
        let ids = self.corpus.ids().skip(first);
        ids.zip(of_source)
            .filter(|(id, _)| self.mode == RecordMode::Annotated || self.decisions[id.index()] == Decision::Kept)
    }

    fn copy_lines(&self, number: usize, source: &Source, out: &mut AtomicFile) -> Result<()> {
        let SourceKind::Records { state, compression, .. } = &source.kind else { return Ok(()) };
        state.check(&source.file)?;
        let mut reader = RecordReader::open(&source.file, *compression)?;
        let mut annotated = Vec::new();
        let mut done = 0;
        for (count, (document, info)) in self.documents(number).enumerate() {
            let record = reader.read(info.span)?;
            match self.mode {
                RecordMode::Kept => out.write(record)?,
                RecordMode::Annotated => {
                    annotated.clear();
                    let annotation = lookalike_io::to_json(&self.annotation(document))?;
                    append_field(record, ANNOTATION, &annotation, &mut annotated);
                    out.write(&annotated)?;
                }
            }
            if count % 1024 == 0 {
                self.session.stages.check()?;
                // Of a packed file the places say nothing about how much is left.
                let reached = if *compression == Compression::None { info.span.offset } else { 0 };
                self.session.stages.progress.advance(reached - done);
                done = reached;
            }
        }
        self.session.stages.progress.advance(source.bytes() - done);
        Ok(state.check(&source.file)?)
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
            let from = source.path.join(relative);
            state.check(&from)?;
            let to = folder.place(&source.output_name.join(relative))?;
            fs::copy(&from, &to).map_err(|error| lookalike_io::Error::io("copy", &from, error))?;
            self.session.stages.progress.advance(state.bytes);
        }
        Ok(())
    }
}
