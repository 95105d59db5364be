//! Writing the records again: those that stay, or all with annotations; whole or not at all.

use super::copy_records::{CopyJob, copy_records};
use super::join::{self, Join, is_one_file};
use super::warc::copy_warc;
use crate::corpus::{Listing, RecordPlace, Records};
use crate::ground::{Error, Result};
use crate::job::{Job, RecordMode};
use crate::run::Session;
use crate::threads::try_each;
use lookalike_core::measure::Figure;
use lookalike_core::rule::Decision;
use lookalike_core::{Array, DocId};
use lookalike_io::{
    Annotation, Annotations, AtomicFile, Discovered, FieldNames, Inputs, OnError, OutputFolder, PairFigure,
    RecordFormat, Rewrite, RowFormat, Sealed, Source, SourceKind, Staging, Wanted, append_cells, append_field,
    check_output_names, check_usable, converted_name, header, header_names, names_one_value, rewrite,
};
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// The output of records, in its staging file or folder until it is published.
#[derive(Debug)]
pub(crate) struct RecordOutput {
    target: Target,
    mode: RecordMode,
    format: Option<RowFormat>,
    /// What the choice of records depends on.
    basis: Option<String>,
}

/// Where records are staged.
#[derive(Debug)]
enum Target {
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
        let target = Target::create(found, path, (format, job), staging)?;
        Ok(Self { target, mode: outputs.mode, format, basis: None })
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

/// The format in which the records are wanted: as the user says, or else the ending of a file; `None` for the one that
/// they have.
fn output_format(found: &Discovered, path: &Path, wanted: Option<RowFormat>) -> Result<Option<RowFormat>> {
    let from = found.sources.first().and_then(Source::record_format).filter(|_| found.is_single_file);
    let by_ending = match from {
        Some(from) => RowFormat::of_output(path, from)?,
        None if is_one_file(path) => RecordFormat::of_name(path).and_then(RecordFormat::as_rows),
        None => None,
    };
    Ok(wanted.or(by_ending))
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

impl Target {
    fn create(
        found: &Discovered,
        path: &Path,
        (format, job): (Option<RowFormat>, &Job),
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

/// The format into which a source has to be brought, by its records: all but copies of their bytes.
fn rewritten(source: &Source, wanted: Option<RowFormat>) -> Option<RowFormat> {
    let from = source.record_format();
    let own = from.and_then(RecordFormat::as_rows);
    let stays = wanted.is_none()
        || wanted == own
        || from == Some(RecordFormat::JsonArray) && wanted == Some(RowFormat::JsonLines);
    let is_copied = stays && !from.is_some_and(RecordFormat::has_columns);
    wanted.or(own).filter(|_| !is_copied)
}

/// Writes the records. The output is complete then, but has not got its name yet: it is published together with the
/// other outputs of the job ([`lookalike_io::publish_all`]).
///
/// # Errors
/// If the output cannot be written or an input has changed since it was read; then it does not appear.
pub(crate) fn write_records(
    (listing, records): (&Listing, &Records),
    decisions: &[Decision],
    output: RecordOutput,
    job: &Job,
    session: &Session<'_>,
) -> Result<Sealed> {
    let inputs = &job.inputs;
    let RecordOutput { target, mode, format, basis } = output;
    let (sizes, fields) = (family_sizes(decisions), inputs.fields());
    let (rows, groups) = records.of_rows().unzip();
    let records = rows.as_ref().unwrap_or(records);
    let sources_at_a_time = records.inputs().len().clamp(1, session.threads());
    let writer = Writer {
        listing,
        records,
        groups,
        decisions,
        mode,
        format,
        basis,
        sizes,
        figure: job.measure.figure(),
        sources_at_a_time,
        inputs,
        fields,
        session,
    };
    let written = writer.write(target)?;
    session.note_folder(&written, &job.records_provenance()?)?;
    Ok(written)
}

/// By document: the size of the family it is kept for or removed from.
pub(crate) fn family_sizes(decisions: &[Decision]) -> Vec<u32> {
    let mut sizes = vec![1; decisions.len()];
    let kept_for = |decision: &Decision| match decision {
        Decision::Removed { kept, .. } => Some(kept.index()),
        Decision::Kept => None,
    };
    decisions.iter().filter_map(kept_for).for_each(|kept| sizes[kept] += 1);
    for (index, decision) in decisions.iter().enumerate() {
        if let Some(kept) = kept_for(decision) {
            sizes[index] = sizes[kept];
        }
    }
    sizes
}

/// What is done with the header of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Header {
    Copy,
    /// It was written with the records of another file.
    Omit,
}

/// An element of an array as a line of JSON Lines. In JSON, a line break stands between values only.
fn as_line(record: &[u8]) -> Cow<'_, [u8]> {
    let mut line: Vec<u8> =
        record.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect();
    line.push(b'\n');
    Cow::Owned(line)
}

struct Writer<'a> {
    listing: &'a Listing,
    records: &'a Records,
    /// By record: the number of its document, where documents are groups of records; its own number without it.
    groups: Option<Array<u32>>,
    decisions: &'a [Decision],
    mode: RecordMode,
    format: Option<RowFormat>,
    basis: Option<String>,
    sizes: Vec<u32>,
    /// What the measure counts.
    figure: Figure,
    sources_at_a_time: usize,
    inputs: &'a Inputs,
    fields: FieldNames,
    session: &'a Session<'a>,
}

impl Writer<'_> {
    fn write(&self, target: Target) -> Result<Sealed> {
        let inputs = self.records.sources.iter().enumerate().skip(self.records.reference_sources);
        match target {
            Target::File(file) => match inputs.last() {
                Some((number, source)) => self.write_source(number, source, *file),
                None => Ok(file.seal()?),
            },
            Target::Joined(file, join) => self.write_joined(*file, join),
            Target::Folder(folder) => {
                try_each(inputs, self.sources_at_a_time, |(number, source)| self.write_into(&folder, number, source))?;
                Ok(folder.seal())
            }
        }
    }

    /// Writes the records of all inputs to one file, in input order.
    fn write_joined(&self, mut file: AtomicFile, join: Join) -> Result<Sealed> {
        let inputs = self.records.sources.iter().enumerate().skip(self.records.reference_sources);
        let inputs: Vec<(usize, &Source)> =
            inputs.filter(|&(number, source)| !self.is_left_out(number, source)).collect();
        let check = || inputs.iter().try_for_each(|&(number, source)| self.check_state(number, source));
        check()?;
        if let Join::Rows(format) = join {
            file = self.rewrite(&inputs, format, file)?;
            check()?;
            return Ok(file.seal()?);
        }
        if join == Join::Array {
            self.copy_array(&inputs, &mut file)?;
            check()?;
            return Ok(file.seal()?);
        }
        let mut header = Header::Copy;
        for &(number, source) in &inputs {
            file.end_line()?;
            let is_json = matches!(source.record_format(), Some(RecordFormat::JsonLines | RecordFormat::JsonArray));
            let is_copied = join == Join::Append || is_json;
            if is_copied {
                header = self.copy_records(number, source, header, &mut file)?;
            } else {
                file = self.rewrite(&[(number, source)], RowFormat::JsonLines, file)?;
            }
        }
        check()?;
        Ok(file.seal()?)
    }

    /// Whether a file was left out as a whole, as a bad record.
    fn is_left_out(&self, number: usize, source: &Source) -> bool {
        self.inputs.on_error == OnError::Skip
            && self.records.inputs().len() > 1
            && self.records.documents_of_source(number).len() == 0
            && check_usable(source, &self.fields).is_err()
    }

    fn write_into(&self, folder: &OutputFolder, number: usize, source: &Source) -> Result<()> {
        if self.is_left_out(number, source) {
            return Ok(());
        }
        let converted = self.format.and_then(|format| converted_name(source, format));
        if converted.is_none() && source.record_format().is_none() {
            return self.copy_files(number, source, folder);
        }
        let name = converted.as_ref().unwrap_or(&source.output_name);
        let file = AtomicFile::create(&folder.place(name)?)?;
        Ok(self.write_source(number, source, file)?.publish()?)
    }

    /// Records that keep their format are copied byte for byte, but for columns; all else is decoded and written again.
    fn write_source(&self, number: usize, source: &Source, mut file: AtomicFile) -> Result<Sealed> {
        self.check_state(number, source)?;
        let written = match rewritten(source, self.format) {
            Some(format) => self.rewrite(&[(number, source)], format, file)?,
            None if source.record_format() == Some(RecordFormat::JsonArray) && self.format.is_none() => {
                self.copy_array(&[(number, source)], &mut file)?;
                file
            }
            None => {
                self.copy_records(number, source, Header::Copy, &mut file)?;
                file
            }
        };
        self.check_state(number, source)?;
        Ok(written.seal()?)
    }

    /// Checks that what is read again is what was read.
    fn check_state(&self, number: usize, source: &Source) -> Result<()> {
        match &source.kind {
            SourceKind::Records { state, .. } => state.check(&source.file)?,
            SourceKind::TextFiles { files } => {
                for (_, place) in self.documents(number) {
                    if let Some((relative, state)) = files.get(place.number as usize) {
                        state.check(&source.file.join(relative))?;
                    }
                }
            }
            // Nobody may change it while it is shared.
            SourceKind::Index { .. } | SourceKind::Memory { .. } => {}
        }
        Ok(())
    }

    /// Converts the records of sources, given with their numbers, into one file.
    fn rewrite(&self, numbered: &[(usize, &Source)], format: RowFormat, file: AtomicFile) -> Result<AtomicFile> {
        let sources: Vec<&Source> = numbered.iter().map(|(_, source)| *source).collect();
        let annotated = self.mode == RecordMode::Annotated;
        let (fields, limit) = (&self.fields, self.inputs.max_document_bytes);
        let annotations = if annotated { Annotations::Add { figure: self.figure } } else { Annotations::Omit };
        let job = Rewrite { sources: &sources, fields, limit, format, annotations, basis: self.basis.as_deref() };
        let records = |index: usize| {
            self.documents(numbered[index].0).map(move |(document, place)| Wanted {
                number: place.number,
                span: place.span(),
                annotation: annotated.then(|| self.annotation(document)),
            })
        };
        let mut done = 0;
        let written = rewrite(job, file, records, &mut |bytes| {
            done += bytes;
            self.session.stages.progress.advance(bytes);
            !self.session.stages.progress.is_cancelled()
        });
        self.session.stages.check()?;
        let written = written?;
        let bytes: u64 = sources.iter().map(|source| source.bytes()).sum();
        self.session.stages.progress.advance(bytes.saturating_sub(done));
        Ok(written)
    }

    /// The document that a record is, or belongs to.
    fn document_of(&self, record: DocId) -> DocId {
        let group = |groups: &Array<u32>| DocId(groups.slice(record.index()..record.index() + 1)[0]);
        self.groups.as_ref().map_or(record, group)
    }

    fn is_kept(&self, record: DocId) -> bool {
        self.decisions[self.document_of(record).index()].is_kept()
    }

    /// The records of a source that are to be written, in input order.
    fn documents(&self, source: usize) -> impl Iterator<Item = (DocId, RecordPlace)> + Clone {
        let documents = self.records.documents_of_source(source);
        documents
            .filter(|&id| self.mode == RecordMode::Annotated || self.is_kept(id))
            .map(|id| (id, self.records.place(id)))
    }

    /// Copies the records of a source; returns what is to be done with the header of another one that follows.
    fn copy_records(&self, number: usize, source: &Source, header: Header, out: &mut AtomicFile) -> Result<Header> {
        let SourceKind::Records { compression, format, .. } = &source.kind else { return Ok(header) };
        if *format == RecordFormat::Warc {
            let documents = self.records.documents_of_source(number);
            let decided = documents.map(|id| (self.records.place(id).offset, self.is_kept(id))).collect();
            copy_warc(source, *compression, decided, out, (self.inputs, self.session))?;
            return Ok(header);
        }
        let mut header = header;
        if header == Header::Copy && !header_names(source)?.is_empty() {
            out.write(&self.header(source, *format)?)?;
            header = Header::Omit;
        }
        let records = self.documents(number).map(|(document, place)| (document, place.span()));
        let is_line = *format == RecordFormat::JsonArray;
        let annotate = |record: &[u8], document, out: &mut Vec<u8>| {
            let record = if is_line { as_line(record) } else { Cow::Borrowed(record) };
            self.changed(&record, *format, document, out)
        };
        let change = (is_line || self.mode == RecordMode::Annotated).then_some(annotate);
        let (compression, format, sources_at_a_time) = (*compression, *format, self.sources_at_a_time);
        let job = CopyJob { source, compression, format, sources_at_a_time, session: self.session };
        copy_records(job, records, change, out)?;
        Ok(header)
    }

    /// What comes before the records of a source.
    fn header(&self, source: &Source, format: RecordFormat) -> Result<Vec<u8>> {
        let header = header(source)?;
        match (self.mode, format.delimiter()) {
            (RecordMode::Annotated, Some(delimiter)) if !header.is_empty() => {
                let mut annotated = Vec::new();
                append_cells(&header, delimiter, &Annotation::columns(self.figure), &mut annotated)?;
                Ok(annotated)
            }
            _ => Ok(header),
        }
    }

    /// Writes the records of JSON arrays as one array, each as it stands.
    fn copy_array(&self, numbered: &[(usize, &Source)], out: &mut AtomicFile) -> Result<()> {
        let first = numbered.iter().find_map(|&(number, _)| Some(self.documents(number).next()?.0));
        out.write(b"[")?;
        for &(number, source) in numbered {
            let SourceKind::Records { compression, format, .. } = source.kind else { continue };
            let records = self.documents(number).map(|(document, place)| (document, place.span()));
            let element = |record: &[u8], document, out: &mut Vec<u8>| {
                out.extend_from_slice(if Some(document) == first { b"\n" } else { b",\n" });
                self.changed(record, format, document, out)
            };
            let (sources_at_a_time, session) = (self.sources_at_a_time, self.session);
            copy_records(
                CopyJob { source, compression, format, sources_at_a_time, session },
                records,
                Some(element),
                out,
            )?;
        }
        Ok(out.write(b"\n]\n")?)
    }

    /// Writes a record to `out`, with what becomes of its document if that is wanted.
    fn changed(&self, record: &[u8], format: RecordFormat, document: DocId, out: &mut Vec<u8>) -> Result<()> {
        if self.mode == RecordMode::Annotated {
            return self.annotate(record, format, document, out);
        }
        out.extend_from_slice(record);
        Ok(())
    }

    /// Writes a record to `out` with what becomes of its document.
    fn annotate(&self, record: &[u8], format: RecordFormat, document: DocId, out: &mut Vec<u8>) -> Result<()> {
        let annotation = self.annotation(document);
        match format.delimiter() {
            Some(delimiter) => append_cells(record, delimiter, &annotation, out)?,
            None => append_field(record, Annotation::NAME, &lookalike_io::to_json(&annotation)?, out),
        }
        Ok(())
    }

    fn annotation(&self, record: DocId) -> Annotation<'_> {
        let document = self.document_of(record);
        let (kept, similarity, duplicate) = match self.decisions[document.index()] {
            Decision::Kept => (document, 1.0, false),
            Decision::Removed { kept, similarity, .. } => (kept, similarity, true),
        };
        let is_known = duplicate || self.figure != Figure::Common;
        let figure = is_known.then(|| PairFigure::of(self.figure, similarity));
        Annotation { duplicate, kept: self.listing.ids.get(kept), figure, cluster_size: self.sizes[document.index()] }
    }

    fn copy_files(&self, number: usize, source: &Source, folder: &OutputFolder) -> Result<()> {
        let SourceKind::TextFiles { files } = &source.kind else { return Ok(()) };
        for (_, place) in self.documents(number) {
            self.session.stages.check()?;
            let Some((relative, state)) = files.get(place.number as usize) else { continue };
            let from = source.file.join(relative);
            state.check(&from)?;
            let to = folder.place(&source.output_name.join(relative))?;
            fs::copy(&from, &to).map_err(|error| lookalike_io::Error::io("copy", &from, error))?;
            // It may have changed while it was copied.
            state.check(&from)?;
            self.session.stages.progress.advance(state.bytes);
        }
        Ok(())
    }
}
