//! Writing the records again: those that stay, with their texts or what is left of them, or all with annotations; whole
//! or not at all.

use super::copy_records::{CopyJob, copy_records, copy_warc};
use super::join::Join;
use super::left_out::{Destination, LeftOutFiles};
use super::outcome::Outcome;
use super::output::{RecordOutput, RecordTarget};
use crate::base::{LeftOutFate, LeftOutReport, Result};
use crate::corpus::{Listing, RecordPlace, Records};
use crate::job::{Job, RecordMode};
use crate::run::Session;
use crate::threads::try_each;
use lookalike_core::{Array, DocId};
use lookalike_io::{
    AtomicFile, Inputs, Source, Span,
    formats::{RecordFormat, RowFormat},
    outputs::{OutputFolder, Sealed, copy_file, copy_left_out},
    read::{check_usable, has_records, header, header_names},
    rewrite::{Annotations, Rewrite, SelectedRecord, TextEdit, rewrite},
    rows::Annotation,
    sources::{FieldNames, OnError, SourceKind, TextEncoding, UnreadFile, converted_name},
    write::{RecordEditor, append_cells, append_field, edit_text_file},
};
use std::borrow::Cow;
use std::collections::HashSet;

/// The format into which a source has to be brought, by its records: all but copies of their bytes. A table in another
/// encoding becomes UTF-8 where a format is wanted.
fn rewritten(source: &Source, wanted: Option<RowFormat>, encoding: Option<TextEncoding>) -> Option<RowFormat> {
    let from = source.record_format();
    let own = from.and_then(RecordFormat::as_rows);
    let stays = wanted.is_none()
        || wanted == own
        || from == Some(RecordFormat::JsonArray) && wanted == Some(RowFormat::JsonLines);
    let is_decoded = wanted.is_some() && encoding.is_some_and(|encoding| !encoding.is_utf8());
    let is_copied = stays && !is_decoded && !from.is_some_and(RecordFormat::has_columns);
    wanted.or(own).filter(|_| !is_copied)
}

/// Writes the records. The output is complete then, but has not got its name yet: it is published together with the
/// other outputs of the job ([`lookalike_io::outputs::publish_all`]).
///
/// # Errors
/// If the output cannot be written or an input has changed since it was read; then it does not appear.
pub(crate) fn write_records(
    (listing, records): (&Listing, &Records),
    outcome: &Outcome<'_>,
    output: RecordOutput,
    job: &Job,
    session: &Session<'_>,
) -> Result<Vec<Sealed>> {
    let inputs = &job.inputs;
    let RecordOutput { target, mode, format, basis, left_out, provenance } = output;
    let fields = inputs.fields();
    let (rows, groups) = records.of_rows().unzip();
    let records = rows.as_ref().unwrap_or(records);
    let sources_at_a_time = records.inputs().len().clamp(1, session.threads());
    let writer = RecordsWriter {
        listing,
        records,
        groups,
        outcome,
        mode,
        format,
        basis,
        sources_at_a_time,
        inputs,
        fields,
        session,
    };
    let written = writer.write(target, &left_out)?;
    session.note_folder(&written, &provenance)?;
    // These appear first: an interrupted job takes records that are there for the end of its work.
    Ok(left_out.seal().into_iter().chain([written]).collect())
}

/// Treatment of the header of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Header {
    Copy,
    /// The header was written with the records of another file.
    Omit,
}

/// An element of an array as a line of JSON Lines. In JSON, a line break stands between values only.
fn as_line(record: &[u8]) -> Cow<'_, [u8]> {
    let mut line: Vec<u8> =
        record.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect();
    line.push(b'\n');
    Cow::Owned(line)
}

struct RecordsWriter<'a> {
    listing: &'a Listing,
    records: &'a Records,
    /// Number of its document, by record, where documents are groups of records; its own number without it.
    groups: Option<Array<u32>>,
    outcome: &'a Outcome<'a>,
    mode: RecordMode,
    format: Option<RowFormat>,
    basis: Option<String>,
    sources_at_a_time: usize,
    inputs: &'a Inputs,
    fields: FieldNames,
    session: &'a Session<'a>,
}

impl RecordsWriter<'_> {
    fn write(&self, target: RecordTarget, left_out: &LeftOutFiles) -> Result<Sealed> {
        let mut inputs = self.numbered_inputs();
        match target {
            RecordTarget::File(file) => match inputs.next_back() {
                Some((number, source)) => self.write_source(number, source, *file),
                None => Ok(file.seal()?),
            },
            RecordTarget::Joined(file, join) => {
                let written = self.write_joined(*file, join)?;
                self.copy_left_out(left_out, None)?;
                Ok(written)
            }
            RecordTarget::Folder(folder) => {
                try_each(inputs, self.sources_at_a_time, |(number, source)| self.write_into(&folder, number, source))?;
                self.copy_left_out(left_out, Some(&folder))?;
                Ok(folder.seal())
            }
        }
    }

    /// The sources of the inputs with their numbers.
    fn numbered_inputs(&self) -> impl DoubleEndedIterator<Item = (usize, &Source)> {
        self.records.sources.iter().enumerate().skip(self.records.reference_sources)
    }

    /// Copies the files that are in no document to where they are wanted, `records` or a folder of their own, and says
    /// so.
    fn copy_left_out(&self, left_out: &LeftOutFiles, records: Option<&OutputFolder>) -> Result<()> {
        let (folder, fate) = match &left_out.destination {
            Destination::Records => (records, LeftOutFate::Copied),
            Destination::Own(path, folder) => (Some(&**folder), LeftOutFate::CopiedTo(path.clone())),
            Destination::None if records.is_none() => return Ok(()),
            Destination::None => (None, LeftOutFate::Dropped),
        };
        let of_sources =
            self.numbered_inputs().flat_map(|(number, source)| self.files_without_document(number, source));
        let mut files: Vec<UnreadFile> = of_sources.chain(left_out.unread.iter().cloned()).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        for UnreadFile { file, name } in &files {
            self.session.stages.check()?;
            folder.map_or(Ok(()), |folder| copy_left_out(file, &folder.place(name)?))?;
        }
        if !files.is_empty() {
            let first = files.iter().take(LeftOutReport::MAX_NAMED).map(|unread| unread.name.clone()).collect();
            self.session.stages.progress.left_out(&LeftOutReport { files: files.len() as u64, first, fate });
        }
        Ok(())
    }

    /// The files of a source of which none has become a document: bad ones, which the job was to leave out.
    fn files_without_document(&self, number: usize, source: &Source) -> Vec<UnreadFile> {
        match &source.kind {
            SourceKind::TextFiles { files } => {
                let documents = self.records.documents_of_source(number);
                let read: HashSet<u64> = documents.map(|document| self.records.place(document).number).collect();
                let unread = (0..).zip(files).filter(|(place, _)| !read.contains(place));
                let unread = unread.map(|(_, (file, _))| UnreadFile {
                    file: source.file.join(file),
                    name: source.output_name.join(file),
                });
                unread.collect()
            }
            SourceKind::Records { .. } if self.is_left_out(number, source) => {
                vec![UnreadFile { file: source.file.to_path_buf(), name: source.output_name.clone() }]
            }
            SourceKind::Records { .. } | SourceKind::Index { .. } | SourceKind::Memory { .. } => Vec::new(),
        }
    }

    /// Writes the records of all inputs to one file, in input order.
    fn write_joined(&self, mut file: AtomicFile, join: Join) -> Result<Sealed> {
        let inputs: Vec<(usize, &Source)> =
            self.numbered_inputs().filter(|&(number, source)| !self.is_left_out(number, source)).collect();
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
            if join == Join::Append || is_json {
                header = self.copy_records(number, source, header, &mut file)?;
            } else {
                file = self.rewrite(&[(number, source)], RowFormat::JsonLines, file)?;
            }
        }
        check()?;
        Ok(file.seal()?)
    }

    /// Returns whether a file was left out as a whole: as a bad record, or because each of its records is one.
    fn is_left_out(&self, number: usize, source: &Source) -> bool {
        let is_bad = || {
            let limit = self.inputs.max_document_bytes;
            check_usable(source, &self.fields).is_err() || has_records(source, &self.fields, limit)
        };
        self.inputs.on_error == OnError::Skip
            && self.records.inputs().len() > 1
            && matches!(source.kind, SourceKind::Records { .. })
            && self.records.documents_of_source(number).len() == 0
            && is_bad()
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
        let written = match rewritten(source, self.format, self.inputs.encoding) {
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
        let fields = &self.fields;
        let limit = self.inputs.max_document_bytes;
        let annotations = if annotated { Annotations::Add(self.outcome.annotation_kind()) } else { Annotations::Omit };
        let text_left = |document: DocId, text: &str| self.outcome.text_left(document, text);
        let edit = self.edits_texts().then_some(TextEdit(&text_left));
        let basis = self.basis.as_deref();
        let job = Rewrite { sources: &sources, fields, limit, format, annotations, edit, basis };
        let records = |index: usize| {
            self.documents(numbered[index].0).map(move |(document, place)| SelectedRecord {
                number: place.number,
                document,
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
        self.outcome.is_kept(self.document_of(record))
    }

    /// Returns whether texts are written otherwise than they came.
    fn edits_texts(&self) -> bool {
        self.mode == RecordMode::Kept && matches!(self.outcome, Outcome::Cut(_))
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
        let Some(job) = self.copy_job(source) else { return Ok(header) };
        if job.format == RecordFormat::Warc {
            let documents = self.records.documents_of_source(number);
            let decided: Vec<_> = documents.map(|id| (self.records.place(id).offset, self.is_kept(id))).collect();
            copy_warc(job, &decided, self.inputs, out)?;
            return Ok(header);
        }
        let mut header = header;
        if header == Header::Copy && !header_names(source)?.is_empty() {
            out.write(&self.header(source)?)?;
            header = Header::Omit;
        }
        let is_line = job.format == RecordFormat::JsonArray;
        let change = self.change(source)?;
        let change_record = |record: &[u8], document, out: &mut Vec<u8>| {
            let record = if is_line { as_line(record) } else { Cow::Borrowed(record) };
            change(&record, document, out)
        };
        let changes = is_line || self.mode == RecordMode::Annotated || self.edits_texts();
        copy_records(job, self.spans(number), changes.then_some(change_record), out)?;
        Ok(header)
    }

    /// Parameters by which the records of a source are copied; `None` if it has no records.
    fn copy_job<'s>(&'s self, source: &'s Source) -> Option<CopyJob<'s>> {
        let SourceKind::Records { compression, format, .. } = source.kind else { return None };
        let sources_at_a_time = self.sources_at_a_time;
        Some(CopyJob { source, compression, format, sources_at_a_time, session: self.session })
    }

    /// The records of a source that are to be written, with their bytes.
    fn spans(&self, number: usize) -> impl Iterator<Item = (DocId, Span)> + Clone + Send {
        self.documents(number).map(|(document, place)| (document, place.span()))
    }

    /// Bytes before the records of a source.
    fn header(&self, source: &Source) -> Result<Vec<u8>> {
        let header = header(source)?;
        match (self.mode, source.dialect()) {
            (RecordMode::Annotated, Some(dialect)) if !header.is_empty() => {
                let mut annotated = Vec::new();
                append_cells(&header, dialect, &self.outcome.annotation_kind().columns(), &mut annotated)?;
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
            let Some(job) = self.copy_job(source) else { continue };
            let change = self.change(source)?;
            let element = |record: &[u8], document, out: &mut Vec<u8>| {
                out.extend_from_slice(if Some(document) == first { b"\n" } else { b",\n" });
                change(record, document, out)
            };
            copy_records(job, self.spans(number), Some(element), out)?;
        }
        Ok(out.write(b"\n]\n")?)
    }

    /// Function that writes a record of a source: as it is, without what is cut out of its text, or with what becomes
    /// of its document.
    #[expect(clippy::type_complexity, reason = "a function of a record, its document and the output")]
    fn change<'s>(
        &'s self,
        source: &'s Source,
    ) -> Result<impl Fn(&[u8], DocId, &mut Vec<u8>) -> Result<()> + Sync + 's> {
        let editor = if self.edits_texts() { RecordEditor::for_source(source, &self.fields)? } else { None };
        Ok(move |record: &[u8], document: DocId, out: &mut Vec<u8>| {
            if self.mode == RecordMode::Annotated {
                return self.annotate(record, source, document, out);
            }
            match editor.as_ref().filter(|_| self.outcome.is_cut(document)) {
                Some(editor) => Ok(editor.edit(record, |text| self.outcome.text_left(document, text), out)?),
                None => {
                    out.extend_from_slice(record);
                    Ok(())
                }
            }
        })
    }

    /// Writes a record to `out` with what becomes of its document.
    fn annotate(&self, record: &[u8], source: &Source, document: DocId, out: &mut Vec<u8>) -> Result<()> {
        let annotation = self.annotation(document);
        match source.dialect() {
            Some(dialect) => append_cells(record, dialect, &annotation, out)?,
            None => append_field(record, Annotation::NAME, &lookalike_io::write::to_json(&annotation)?, out),
        }
        Ok(())
    }

    fn annotation(&self, record: DocId) -> Annotation<'_> {
        self.outcome.annotation(self.document_of(record), |document| self.listing.ids.get(document))
    }

    fn copy_files(&self, number: usize, source: &Source, folder: &OutputFolder) -> Result<()> {
        let SourceKind::TextFiles { files } = &source.kind else { return Ok(()) };
        for (document, place) in self.documents(number) {
            self.session.stages.check()?;
            let Some((relative, state)) = files.get(place.number as usize) else { continue };
            let from = source.file.join(relative);
            state.check(&from)?;
            let to = folder.place(&source.output_name.join(relative))?;
            let text_left = |text: &str| self.outcome.text_left(document, text);
            let is_edited = self.edits_texts()
                && self.outcome.is_cut(document)
                && edit_text_file(&from, &to, self.inputs.encoding, text_left)?;
            if !is_edited {
                copy_file(&from, &to)?;
            }
            // It may have changed while it was copied.
            state.check(&from)?;
            self.session.stages.progress.advance(state.bytes);
        }
        Ok(())
    }
}
