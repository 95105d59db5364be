//! Data that documents carry along into an index: their fields as JSON, their texts, each compressed as soon as it
//! was read, and the names of those whose records have no id. A reading for anything else makes none of it.
//!
//! A record without an id is called by its file and line, which tell tonight's first line from last night's by nothing.
//! In an index it has a name that is made of its text.
//!
//! ```text
//! Carrier --a document--> CarriedRows of a shard --> CarriedColumns, in memory or in files
//!     CarriedColumns --> CarriedRows of the corpus
//! ```
//!
//! References do not come into an index: only the inputs have rows.

use crate::base::Result;
use crate::run::WorkFolder;
use crate::spill::{ColumnState, Spill, SpillColumn};
use lookalike_core::Ragged;
use lookalike_index::PackedText;
use lookalike_io::{
    Document,
    sources::{Carried, push_object},
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Carried data of some documents, by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct CarriedRows {
    /// One JSON object each, or nothing.
    fields: Ragged<u8>,
    /// Packed texts, or nothing.
    texts: Ragged<u8>,
    /// Names by content, or nothing.
    names: Ragged<u8>,
    /// Presence of each field in any document, by its name.
    found: Vec<bool>,
}

impl CarriedRows {
    /// The fields of a document as one JSON object; nothing if it has none.
    pub(crate) fn fields(&self, row: usize) -> &[u8] {
        bytes_of(&self.fields, row)
    }

    /// The text of a document, packed.
    pub(crate) fn text(&self, row: usize) -> &[u8] {
        bytes_of(&self.texts, row)
    }

    /// The name that a document has by its content; `None` if its record has an id.
    pub(crate) fn name(&self, row: usize) -> Option<&str> {
        std::str::from_utf8(bytes_of(&self.names, row)).ok().filter(|name| !name.is_empty())
    }

    /// The first of the fields that no document has.
    pub(crate) fn missing<'n>(&self, names: &'n [String]) -> Option<&'n str> {
        let mut found = self.found.iter().copied().chain(std::iter::repeat(false)).zip(names);
        found.find(|(found, _)| !found).map(|(_, name)| name.as_str())
    }

    /// Returns whether a document has any of the fields.
    pub(crate) fn has_fields(&self) -> bool {
        self.found.contains(&true)
    }

    /// Bytes of memory allocated, in use or not.
    pub(super) fn reserved_bytes(&self) -> usize {
        let Self { fields, texts, names, found: _ } = self;
        [fields, texts, names].into_iter().map(|column| column.values().reserved_bytes()).sum()
    }

    /// Returns whether there are no documents.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    pub(super) fn clear(&mut self) {
        let Self { fields, texts, names, found } = self;
        fields.clear();
        texts.clear();
        names.clear();
        found.clear();
    }

    /// Adds what travels along with a document of an index, which has an id.
    pub(super) fn push(&mut self, values: &[Option<String>], names: &[String], text: &PackedText) {
        self.names.push(&[]);
        self.push_content(values, names, text);
    }

    /// Adds a document of a snapshot, which has no content, with the name that it has, or none.
    pub(super) fn push_name(&mut self, name: &[u8]) {
        self.names.push(name);
        self.push_content(&[], &[], &PackedText::default());
    }

    /// The names of all documents, if one has such.
    pub(super) fn names(&self) -> Option<&Ragged<u8>> {
        (!self.names.values().is_empty()).then_some(&self.names)
    }

    fn push_content(&mut self, values: &[Option<String>], names: &[String], text: &PackedText) {
        self.found.resize(names.len(), false);
        self.found.iter_mut().zip(values).for_each(|(found, value)| *found |= value.is_some());
        self.fields.push_with(|object| push_object(names, values, object));
        self.texts.push(text.as_bytes());
    }
}

/// The bytes of a row; none beyond the last.
fn bytes_of(column: &Ragged<u8>, row: usize) -> &[u8] {
    if row < column.len() { column.get(row) } else { &[] }
}

/// Takes from documents what travels along.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carrier<'a>(&'a Carried);

impl<'a> Carrier<'a> {
    /// `None` if nothing travels along.
    pub(super) fn new(carried: &'a Carried) -> Option<Self> {
        (!carried.is_nothing()).then_some(Self(carried))
    }

    /// Adds what a document has.
    pub(super) fn carry(self, document: &Document<'_>, rows: &mut CarriedRows) -> Result<()> {
        let Self(Carried { fields, texts, names }) = self;
        let content = &document.content;
        let text = if *texts { PackedText::new(&content.stored())? } else { PackedText::default() };
        let name = if *names && !document.has_own_id { content.name() } else { String::new() };
        rows.names.push(name.as_bytes());
        rows.push_content(&document.carried, fields, &text);
        Ok(())
    }

    pub(super) fn asked(self) -> &'a Carried {
        self.0
    }
}

/// Bytes of documents, one after the other, and their ends: those of a ragged array without the 0 at the begin.
#[derive(Debug, Default)]
struct BytesColumn {
    bytes: SpillColumn<u8>,
    ends: SpillColumn<u64>,
}

impl BytesColumn {
    fn in_folder(work: &WorkFolder, [bytes, ends]: [&str; 2]) -> Result<Self> {
        Ok(Self { bytes: SpillColumn::named(&path_of(work, bytes))?, ends: SpillColumn::named(&path_of(work, ends))? })
    }

    /// The arrays as they were; `None` if a file does not begin with what was saved. Both are opened in any case.
    fn resume(
        work: &WorkFolder,
        [bytes, ends]: [&str; 2],
        [bytes_state, ends_state]: [&ColumnState; 2],
        spill: &Spill,
    ) -> Result<Option<Self>> {
        let bytes = SpillColumn::resume(&path_of(work, bytes), bytes_state, spill, |_| ())?;
        let ends = SpillColumn::resume(&path_of(work, ends), ends_state, spill, |_| ())?;
        Ok(bytes.zip(ends).map(|(bytes, ends)| Self { bytes, ends }))
    }

    fn push(&mut self, bytes: &[u8], spill: &Spill) -> Result<()> {
        self.bytes.extend(bytes, spill)?;
        self.ends.extend(&[self.bytes.len() as u64], spill)
    }

    fn finish(self, spill: &Spill) -> Result<Ragged<u8>> {
        let mut offsets = self.ends.finish(spill)?.into_vec();
        offsets.insert(0, 0);
        Ok(Ragged::from_parts(offsets, self.bytes.finish(spill)?)?)
    }
}

/// Names of the files of the columns.
const FIELDS: [&str; 2] = ["fields", "field-ends"];
const TEXTS: [&str; 2] = ["texts", "text-ends"];
const NAMES: [&str; 2] = ["names", "name-ends"];

/// Carried data of all documents so far.
#[derive(Debug, Default)]
pub(super) struct CarriedColumns {
    fields: BytesColumn,
    texts: BytesColumn,
    names: BytesColumn,
    found: Vec<bool>,
}

/// The state of these arrays at some moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CarriedStates {
    fields: ColumnState,
    field_ends: ColumnState,
    texts: ColumnState,
    text_ends: ColumnState,
    names: ColumnState,
    name_ends: ColumnState,
    found: Vec<bool>,
}

impl CarriedColumns {
    pub(super) fn in_folder(work: &WorkFolder) -> Result<Self> {
        let fields = BytesColumn::in_folder(work, FIELDS)?;
        let texts = BytesColumn::in_folder(work, TEXTS)?;
        let names = BytesColumn::in_folder(work, NAMES)?;
        Ok(Self { fields, texts, names, found: Vec::new() })
    }

    /// The arrays as they were; `None` if a file does not begin with what was saved. Each is opened in any case.
    pub(super) fn resume(work: &WorkFolder, states: &CarriedStates, spill: &Spill) -> Result<Option<Self>> {
        let fields = BytesColumn::resume(work, FIELDS, [&states.fields, &states.field_ends], spill)?;
        let texts = BytesColumn::resume(work, TEXTS, [&states.texts, &states.text_ends], spill)?;
        let names = BytesColumn::resume(work, NAMES, [&states.names, &states.name_ends], spill)?;
        let (Some(fields), Some(texts), Some(names)) = (fields, texts, names) else { return Ok(None) };
        Ok(Some(Self { fields, texts, names, found: states.found.clone() }))
    }

    pub(super) fn states(&mut self, spill: &Spill) -> Result<CarriedStates> {
        Ok(CarriedStates {
            fields: self.fields.bytes.state(spill)?,
            field_ends: self.fields.ends.state(spill)?,
            texts: self.texts.bytes.state(spill)?,
            text_ends: self.texts.ends.state(spill)?,
            names: self.names.bytes.state(spill)?,
            name_ends: self.names.ends.state(spill)?,
            found: self.found.clone(),
        })
    }

    fn columns(&self) -> [&BytesColumn; 3] {
        [&self.fields, &self.texts, &self.names]
    }

    /// Returns whether there is something of so many documents.
    pub(super) fn is_of(&self, documents: usize) -> bool {
        self.columns().iter().all(|column| column.ends.len() == documents)
    }

    /// Adds what travels along with a document of a shard.
    pub(super) fn append(&mut self, rows: &CarriedRows, row: usize, spill: &Spill) -> Result<()> {
        self.found.resize(rows.found.len().max(self.found.len()), false);
        self.found.iter_mut().zip(&rows.found).for_each(|(found, new)| *found |= new);
        self.fields.push(rows.fields(row), spill)?;
        self.texts.push(rows.text(row), spill)?;
        self.names.push(rows.name(row).unwrap_or_default().as_bytes(), spill)
    }

    /// Bytes in memory of what can go to files.
    pub(super) fn memory_bytes(&self) -> usize {
        self.columns().iter().map(|column| column.bytes.memory_bytes()).sum()
    }

    /// Number of documents that it has.
    pub(super) fn len(&self) -> usize {
        self.texts.ends.len()
    }

    pub(super) fn move_to_file(&mut self, spill: &Spill) -> Result<()> {
        [&mut self.fields, &mut self.texts, &mut self.names].into_iter().try_for_each(|it| it.bytes.move_to_file(spill))
    }

    pub(super) fn finish(self, spill: &Spill) -> Result<CarriedRows> {
        let fields = self.fields.finish(spill)?;
        let texts = self.texts.finish(spill)?;
        Ok(CarriedRows { fields, texts, names: self.names.finish(spill)?, found: self.found })
    }
}

fn path_of(work: &WorkFolder, name: &str) -> PathBuf {
    work.path(&format!("corpus-carried-{name}"))
}
