//! Parameters of a reading, its parts, and its provenance.

use crate::base::Result;
use crate::corpus::carried::Carrier;
use crate::corpus::records::Records;
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_core::documents::Form;
use lookalike_core::evidence::ChecksumAlgorithm;
use lookalike_core::stored::Provenance;
use lookalike_io::{Inputs, Source};
use std::ops::Range;

/// Parameters of a reading.
#[derive(Clone, Copy)]
pub(super) struct ReadRequest<'a> {
    pub(super) inputs: &'a Inputs,
    /// `None` if only ids are requested.
    pub(super) features: Option<&'a Features>,
    /// Checksums that are made of each document, by the normal form of these features.
    pub(super) checksums: Option<(&'a Features, ChecksumAlgorithm)>,
    pub(super) session: &'a Session<'a>,
}

impl<'a> ReadRequest<'a> {
    /// The documents of inputs with these features; `None` if only ids are requested.
    pub(super) fn new(inputs: &'a Inputs, features: Option<&'a Features>, session: &'a Session<'a>) -> Self {
        Self { inputs, features, checksums: None, session }
    }

    /// Form of the words of documents.
    pub(super) fn form(self) -> Form {
        self.features.map(Features::form).unwrap_or_default()
    }

    /// Returns whether documents have components, all equally many.
    pub(super) fn has_components(self) -> bool {
        matches!(self.features, Some(Features::Vector | Features::Signature))
    }

    /// Carrier of data beside documents: no content if only ids are read, and nothing of rows of groups.
    pub(super) fn carrier(self) -> Option<Carrier<'a>> {
        let carried = &self.inputs.carried;
        let is_there = self.inputs.group_by.is_none() && (self.features.is_some() || !carried.has_content());
        Carrier::new(carried).filter(|_| is_there)
    }
}

/// Sources that are read together.
pub(super) enum SourcePart {
    /// Consecutive ones with records or text files.
    Records(Range<usize>),
    /// A snapshot or an index.
    Stored(usize),
}

/// The parts of the sources, in order.
pub(super) fn parts(sources: &[Source]) -> Vec<SourcePart> {
    let mut parts = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        match parts.last_mut() {
            _ if source.is_stored() => parts.push(SourcePart::Stored(number)),
            Some(SourcePart::Records(range)) => range.end = number + 1,
            _ => parts.push(SourcePart::Records(number..number + 1)),
        }
    }
    parts
}

/// Provenance of the texts of documents and of their features.
pub(crate) fn provenance_of_texts(records: &Records, inputs: &Inputs, features: &Features) -> Result<Provenance> {
    provenance(records.reference_sources, &records.sources, inputs, Some(features))
}

/// Provenance of the corpus; without features, of ids alone.
pub(super) fn provenance(
    references: usize,
    sources: &[Source],
    inputs: &Inputs,
    features: Option<&Features>,
) -> Result<Provenance> {
    let mut provenance = Provenance::new().with(&inputs.without_paths())?.with_fact("number of references", references);
    if let Some(features) = features {
        provenance = provenance.with_features(features)?;
    }
    for (number, source) in (1..).zip(sources) {
        let (role, number) = if number <= references { ("reference", number) } else { ("input", number - references) };
        provenance = provenance.with_fact(&format!("{role} {number}"), source.state());
    }
    Ok(provenance)
}
