//! What travels along with documents into an index: their fields as JSON, their texts, each compressed as soon as it
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

use crate::ground::Result;
use crate::run::WorkFolder;
use crate::spill::{Column, ColumnState, Spill};
use lookalike_core::Ragged;
use lookalike_index::PackedText;
use lookalike_io::{
    Document,
    sources::{Carried, push_object},
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What travels along with some documents, by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct CarriedRows {
    /// One JSON object each, or nothing.
    fields: Ragged<u8>,
    /// Packed texts, or nothing.
    texts: Ragged<u8>,
    /// Names by content, or nothing.
    names: Ragged<u8>,
    /// By name of the fields: whether a document has it.
    found: Vec<bool>,
}

impl CarriedRows {
    /// The fields of a document as one JSON object; nothing if it has none.
    pub(crate) fn fields(&self, row: usize) -> &[u8] {
        if row < self.fields.len() { self.fields.get(row) } else { &[] }
    }

    /// The text of a document, packed.
    pub(crate) fn text(&self, row: usize) -> &[u8] {
        if row < self.texts.len() { self.texts.get(row) } else { &[] }
    }

    /// The name that a document has by its content; `None` if its record has an id.
    pub(crate) fn name(&self, row: usize) -> Option<&str> {
        let name: &[u8] = if row < self.names.len() { self.names.get(row) } else { &[] };
        std::str::from_utf8(name).ok().filter(|name| !name.is_empty())
    }

    /// The first of the fields that no document has.
    pub(crate) fn missing<'n>(&self, names: &'n [String]) -> Option<&'n str> {
        let mut found = self.found.iter().copied().chain(std::iter::repeat(false)).zip(names);
        found.find(|(found, _)| !found).map(|(_, name)| name.as_str())
    }

    /// Whether a document has any of the fields.
    pub(crate) fn has_fields(&self) -> bool {
        self.found.contains(&true)
    }

    /// Bytes of memory allocated, in use or not.
    pub(super) fn reserved_bytes(&self) -> usize {
        let Self { fields, texts, names, found: _ } = self;
        [fields, texts, names].into_iter().map(|column| column.values().reserved_bytes()).sum()
    }

    /// Whether there are no documents.
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

/// Takes from documents what travels along.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carrier<'a>(&'a Carried);

impl<'a> Carrier<'a> {
    /// `None` if nothing travels along.
    pub(super) fn of(carried: &'a Carried) -> Option<Self> {
        (!carried.is_nothing()).then_some(Self(carried))
    }

    /// Adds what a document has.
    pub(super) fn carry(self, document: &Document<'_>, rows: &mut CarriedRows) {
        let Self(Carried { fields, texts, names }) = self;
        let content = &document.content;
        let text = if *texts { PackedText::of(&content.stored()) } else { PackedText::default() };
        let name = if *names && !document.has_own_id { content.name() } else { String::new() };
        rows.names.push(name.as_bytes());
        rows.push_content(&document.carried, fields, &text);
    }

    pub(super) fn asked(self) -> &'a Carried {
        self.0
    }
}

/// What travels along with all documents so far. Ends are those of ragged arrays without the 0 at the begin.
#[derive(Debug, Default)]
pub(super) struct CarriedColumns {
    fields: Column<u8>,
    field_ends: Column<u64>,
    texts: Column<u8>,
    text_ends: Column<u64>,
    names: Column<u8>,
    name_ends: Column<u64>,
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
        let column = |name| Column::named(&path_of(work, name));
        let ends = |name| Column::named(&path_of(work, name));
        Ok(Self {
            fields: column("fields")?,
            field_ends: ends("field-ends")?,
            texts: column("texts")?,
            text_ends: ends("text-ends")?,
            names: column("names")?,
            name_ends: ends("name-ends")?,
            found: Vec::new(),
        })
    }

    /// The arrays as they were; `None` if a file does not begin with what was saved.
    pub(super) fn resume(work: &WorkFolder, states: &CarriedStates, spill: &Spill) -> Result<Option<Self>> {
        let bytes = |name, state| Column::resume(&path_of(work, name), state, spill, |_| ());
        let ends = |name, state| Column::resume(&path_of(work, name), state, spill, |_| ());
        // Each is opened, whatever the others turn out to be.
        let fields = bytes("fields", &states.fields)?;
        let field_ends = ends("field-ends", &states.field_ends)?;
        let texts = bytes("texts", &states.texts)?;
        let text_ends = ends("text-ends", &states.text_ends)?;
        let names = bytes("names", &states.names)?;
        let name_ends = ends("name-ends", &states.name_ends)?;
        let found = states.found.clone();
        let all = || {
            Some(Self {
                fields: fields?,
                field_ends: field_ends?,
                texts: texts?,
                text_ends: text_ends?,
                names: names?,
                name_ends: name_ends?,
                found,
            })
        };
        Ok(all())
    }

    pub(super) fn states(&mut self, spill: &Spill) -> Result<CarriedStates> {
        Ok(CarriedStates {
            fields: self.fields.state(spill)?,
            field_ends: self.field_ends.state(spill)?,
            texts: self.texts.state(spill)?,
            text_ends: self.text_ends.state(spill)?,
            names: self.names.state(spill)?,
            name_ends: self.name_ends.state(spill)?,
            found: self.found.clone(),
        })
    }

    /// Whether there is something of so many documents.
    pub(super) fn is_of(&self, documents: usize) -> bool {
        [&self.field_ends, &self.text_ends, &self.name_ends].iter().all(|ends| ends.len() == documents)
    }

    /// Adds what travels along with a document of a shard.
    pub(super) fn append(&mut self, rows: &CarriedRows, row: usize, spill: &Spill) -> Result<()> {
        self.found.resize(rows.found.len().max(self.found.len()), false);
        self.found.iter_mut().zip(&rows.found).for_each(|(found, new)| *found |= new);
        self.fields.extend(rows.fields(row), spill)?;
        self.field_ends.extend(&[self.fields.len() as u64], spill)?;
        self.texts.extend(rows.text(row), spill)?;
        self.text_ends.extend(&[self.texts.len() as u64], spill)?;
        self.names.extend(rows.name(row).unwrap_or_default().as_bytes(), spill)?;
        self.name_ends.extend(&[self.names.len() as u64], spill)
    }

    /// Bytes in memory of what can go to files.
    pub(super) fn memory_bytes(&self) -> usize {
        self.fields.memory_bytes() + self.texts.memory_bytes() + self.names.memory_bytes()
    }

    /// Number of documents that it has.
    pub(super) fn len(&self) -> usize {
        self.text_ends.len()
    }

    pub(super) fn move_to_file(&mut self, spill: &Spill) -> Result<()> {
        self.fields.move_to_file(spill)?;
        self.texts.move_to_file(spill)?;
        self.names.move_to_file(spill)
    }

    pub(super) fn finish(self, spill: &Spill) -> Result<CarriedRows> {
        let Self { fields, field_ends, texts, text_ends, names, name_ends, found } = self;
        let ragged = |bytes: Column<u8>, ends: Column<u64>| -> Result<Ragged<u8>> {
            let mut offsets = ends.finish(spill)?.into_vec();
            offsets.insert(0, 0);
            Ok(Ragged::from_parts(offsets, bytes.finish(spill)?)?)
        };
        let fields = ragged(fields, field_ends)?;
        let texts = ragged(texts, text_ends)?;
        Ok(CarriedRows { fields, texts, names: ragged(names, name_ends)?, found })
    }
}

fn path_of(work: &WorkFolder, name: &str) -> PathBuf {
    work.path(&format!("corpus-carried-{name}"))
}
