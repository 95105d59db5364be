//! Two fingerprints side by side, of records or as given.

use super::comparing::Comparing;
use super::find::Finder;
use crate::ground::{Error, Result};
use lookalike_core::comparison::{Features, Measure};
use lookalike_core::documents::{ElementSets, bits_to_text, differing_bits};
use lookalike_core::evidence::Verdict;
use lookalike_core::kernel::Kernel;
use lookalike_core::similarity::DifferingBits;
use lookalike_core::{DocId, NotBits};
use lookalike_io::sources::Fingerprints;

/// Two fingerprints and the bits in which they differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedBits {
    /// Their fingerprints in hexadecimal digits.
    pub digits: [String; 2],
    /// Number of their bits.
    pub width: u32,
    /// The bits in which they differ, ascending; bit 0 is the last of the last digit.
    pub differing: Vec<u32>,
}

/// Compares two fingerprints, each named as a record (`FILE:ID`) or given in hexadecimal digits, and says what the
/// measure says of them.
///
/// # Errors
/// If one cannot be found or read, or has another width.
pub(super) fn compare_bits(asked: &Comparing, fingerprints: Fingerprints) -> Result<(Option<Verdict>, ComparedBits)> {
    let finder = Finder::new(&asked.inputs, asked.inputs.fields())?;
    let width = fingerprints.width;
    let mut sets = ElementSets::new();
    let mut extractor = Features::Bits { width }.extractor(Kernel::detect());
    for side in &asked.sides {
        match side.content(&finder) {
            Ok(bits) => extractor.push(bits, &mut sets)?,
            Err(error @ Error::NotADocument { .. }) => match extractor.push(side.name(), &mut sets) {
                Err(lookalike_core::Error::NotBits(NotBits::NotHexadecimal { .. })) => return Err(error),
                pushed => pushed?,
            },
            Err(error) => return Err(error),
        };
    }
    let [a, b] = [0, 1].map(|document| sets.get(DocId(document)));
    let digits = [a, b].map(|bits| bits_to_text(bits, width));
    let differing = differing_bits(a, b, width);
    let bits = DifferingBits { differing: differing.len() as u32, width };
    let verdict = asked.measure.and_then(Measure::hamming).map(|hamming| Verdict::of_bits(hamming, bits));
    Ok((verdict, ComparedBits { digits, width, differing }))
}
