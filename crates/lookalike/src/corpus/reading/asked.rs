//! What is to be read, in which parts, and what that depends on.

use crate::corpus::carried::Carrier;
use crate::corpus::records::Records;
use crate::ground::Result;
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_core::documents::Form;
use lookalike_core::stored::Provenance;
use lookalike_io::{Inputs, Source};
use std::ops::Range;

/// What is to be read.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) inputs: &'a Inputs,
    /// `None` if only ids are asked for.
    pub(super) features: Option<&'a Features>,
    pub(super) session: &'a Session<'a>,
}

impl<'a> Asked<'a> {
    /// What the words of documents are.
    pub(super) fn form(self) -> Form {
        self.features.map(Features::form).unwrap_or_default()
    }

    /// Whether documents have components, all equally many.
    pub(super) fn has_components(self) -> bool {
        matches!(self.features, Some(Features::Vector | Features::Signature))
    }

    /// What is taken along: no content if only ids are asked for, and nothing of rows of groups.
    pub(super) fn carrier(self) -> Option<Carrier<'a>> {
        let carried = &self.inputs.carried;
        let is_there = self.inputs.group_by.is_none() && (self.features.is_some() || !carried.has_content());
        Carrier::of(carried).filter(|_| is_there)
    }
}

/// Sources that are read together.
pub(super) enum Part {
    /// Consecutive ones with records or text files.
    Records(Range<usize>),
    /// A snapshot or an index.
    Stored(usize),
}

/// The parts of the sources, in order.
pub(super) fn parts(sources: &[Source]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        match parts.last_mut() {
            _ if source.is_stored() => parts.push(Part::Stored(number)),
            Some(Part::Records(range)) => range.end = number + 1,
            _ => parts.push(Part::Records(number..number + 1)),
        }
    }
    parts
}

/// All that the texts of documents depend on, and what they become.
pub(crate) fn provenance_of_texts(records: &Records, inputs: &Inputs, features: &Features) -> Result<Provenance> {
    provenance(records.reference_sources, &records.sources, (inputs, Some(features)))
}

/// All that the corpus depends on; without features, ids alone.
pub(super) fn provenance(
    references: usize,
    sources: &[Source],
    (inputs, features): (&Inputs, Option<&Features>),
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
