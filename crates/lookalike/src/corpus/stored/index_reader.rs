//! An index that is read as documents: all that are there at one moment, as they were put.

use crate::base::details::StoredScores;
use crate::base::{Error, Progress, Result};
use crate::corpus::carried::Carrier;
use crate::corpus::records::RecordPlace;
use crate::corpus::shard::Shard;
use lookalike_core::comparison::Features;
use lookalike_core::documents::{ElementSet, Form, Multiplicity};
use lookalike_core::stored::Provenance;
use lookalike_index::{DocAddress, Index, PackedText, SetBuffer, Storage, View};
use lookalike_io::sources::Carried;
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// Documents, and elements of their sets, that are read at a time; one document at least.
const SHARD_DOCUMENTS: usize = 512;
const SHARD_ELEMENTS: usize = 1 << 16;

/// An index that is read, some documents at a time.
#[derive(Debug)]
pub(in crate::corpus) struct IndexDocumentReader<'a> {
    view: Arc<View>,
    /// Its number among the sources.
    source: usize,
    /// True if sets are read, false for ids alone.
    has_sets: bool,
    /// Form of the words of documents.
    form: Form,
    is_counted: bool,
    /// Ids of documents that are skipped.
    without: Option<&'a HashSet<String>>,
    /// The next document, and the number of those before it.
    next: Option<DocAddress>,
    passed: u64,
    set: SetBuffer,
    ones: Vec<u32>,
    /// Carrier of what the index stores beside sets, if that is wanted.
    carrier: Option<Carrier<'a>>,
}

impl<'a> IndexDocumentReader<'a> {
    /// Opens an index of documents whose elements are these `features`, `None` if only ids are requested, without those
    /// documents that have one of the ids.
    ///
    /// # Errors
    /// If it is damaged; [`Error::MadeOtherwise`] if its elements were made otherwise, or scores are requested;
    /// [`Error::SignaturesOnly`].
    pub(in crate::corpus) fn open(
        path: &Path,
        source: usize,
        features: Option<&Features>,
        score_field: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let index = Index::open(path)?;
        if index.torn_bytes() > 0 {
            progress.interrupted_write(path, index.torn_bytes());
        }
        let stored = &index.settings().features;
        let of = |features: &Features| Provenance::new().with_features(features);
        let by_features =
            features.map(|features| Ok::<_, Error>(of(features)?.difference(&of(stored)?))).transpose()?;
        if let Some(difference) = by_features.flatten() {
            return Err(Error::MadeOtherwise { path: path.to_owned(), difference });
        }
        if let Some(field) = score_field {
            let stored = StoredScores::OfIndex;
            return Err(Error::OtherScoreField { path: path.to_owned(), stored, field: field.to_owned() });
        }
        if features.is_some() && index.settings().storage == Storage::Signatures {
            return Err(Error::SignaturesOnly { path: path.to_owned() });
        }
        let view = index.view();
        let is_counted = stored.shingle().multiplicity == Multiplicity::Counted;
        let next = view.next_place(None);
        let set = SetBuffer::default();
        let ones = Vec::new();
        let has_sets = features.is_some();
        let form = stored.form();
        let carrier = None;
        Ok(Self { view, source, has_sets, form, is_counted, without: None, next, passed: 0, set, ones, carrier })
    }

    /// Copy that carries along what the index stores of documents.
    pub(in crate::corpus) fn carrying(self, carrier: Option<Carrier<'a>>) -> Self {
        Self { carrier, ..self }
    }

    /// Copy without the documents that have one of these ids.
    pub(in crate::corpus) fn leaving_out(self, without: Option<&'a HashSet<String>>) -> Self {
        Self { without, ..self }
    }

    fn next_shard(&mut self) -> Result<Option<Shard>> {
        let mut shard = Shard::default();
        while let Some(place) = self.next {
            if shard.len() == SHARD_DOCUMENTS || shard.sets.total_elements() >= SHARD_ELEMENTS {
                break;
            }
            self.next = self.view.next_place(Some(place));
            self.passed += 1;
            let id = self.view.id(place);
            if self.without.is_some_and(|without| without.contains(id)) {
                continue;
            }
            let facts = self.view.facts(place);
            shard.ids.push(id);
            shard.text_hashes.push(facts.text_hash);
            shard.characters.push(facts.characters);
            shard.places.push(RecordPlace { source: self.source as u64, number: self.passed, offset: 0, length: 0 });
            self.push_set(place, &mut shard)?;
            if let Some(carrier) = self.carrier {
                carry(&self.view, place, carrier.asked(), &mut shard);
            }
        }
        shard.input_bytes = (shard.sets.total_elements() * size_of::<u64>() / 2) as u64;
        Ok((shard.len() > 0).then_some(shard))
    }

    fn push_set(&mut self, place: DocAddress, shard: &mut Shard) -> Result<()> {
        if !self.has_sets {
            return Ok(shard.sets.push(ElementSet::default())?);
        }
        self.view.read_set(place, &mut self.set)?;
        let set = self.form.checked(&self.set.elements)?;
        match (self.is_counted, self.set.counts.is_empty()) {
            (false, _) => shard.sets.push_as(self.form, set)?,
            (true, false) => shard.sets.push_counted(set, &self.set.counts)?,
            (true, true) => {
                self.ones.resize(set.elements().len().max(self.ones.len()), 1);
                shard.sets.push_counted(set, &self.ones[..set.elements().len()])?;
            }
        }
        Ok(())
    }
}

/// Takes along what a document of an index has.
fn carry(view: &View, place: DocAddress, Carried { fields, texts, names: _ }: &Carried, shard: &mut Shard) {
    let stored: HashMap<String, &RawValue> = serde_json::from_str(view.fields(place)).unwrap_or_default();
    let values: Vec<Option<String>> =
        fields.iter().map(|name| stored.get(name).map(|value| value.get().to_owned())).collect();
    let text = if *texts { view.packed_text(place) } else { PackedText::default() };
    shard.carried.push(&values, fields, &text);
}

impl Iterator for IndexDocumentReader<'_> {
    type Item = Result<Shard>;

    fn next(&mut self) -> Option<Result<Shard>> {
        self.next_shard().transpose()
    }
}
