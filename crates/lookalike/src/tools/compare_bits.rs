//! Two fingerprints side by side, of records or as given.

use super::find::Finder;
use crate::ground::{Error, Result};
use lookalike_core::features::{BitsParser, ElementSets, bits_to_text, differing_bits};
use lookalike_core::{DocId, NotBits};
use lookalike_io::{Fingerprints, Inputs};

/// Two fingerprints and the bits in which they differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedBits {
    /// The documents, as they were named.
    pub names: [String; 2],
    /// Their fingerprints in hexadecimal digits.
    pub digits: [String; 2],
    /// Number of their bits.
    pub width: u32,
    /// The bits in which they differ, ascending; bit 0 is the last of the last digit.
    pub differing: Vec<u32>,
}

/// Compares two fingerprints, each named as a record (`FILE:ID`) or given in hexadecimal digits.
///
/// # Errors
/// If one cannot be found or read, or has another width.
pub(crate) fn compare_bits(names: [&str; 2], fingerprints: Fingerprints, inputs: &Inputs) -> Result<ComparedBits> {
    let inputs = Inputs { fingerprints: Some(fingerprints), ..inputs.clone() };
    let finder = Finder::new(&inputs, inputs.fields())?;
    let (mut sets, mut parser) = (ElementSets::new(), BitsParser::new(fingerprints.width));
    for name in names {
        match finder.text_of(name) {
            Ok(digits) => parser.push(&digits, &mut sets)?,
            Err(error @ Error::NotADocument { .. }) => match parser.push(name, &mut sets) {
                Err(lookalike_core::Error::NotBits(NotBits::NotHexadecimal { .. })) => return Err(error),
                pushed => pushed?,
            },
            Err(error) => return Err(error),
        };
    }
    let (width, [a, b]) = (fingerprints.width, [0, 1].map(|document| sets.get(DocId(document))));
    let (names, digits) = (names.map(str::to_owned), [a, b].map(|bits| bits_to_text(bits, width)));
    Ok(ComparedBits { names, digits, width, differing: differing_bits(a, b, width) })
}
