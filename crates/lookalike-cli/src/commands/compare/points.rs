//! Two fingerprints, or two vectors, side by side.

use super::lines::ALL_IN_JSON;
use crate::messages::{STRONG, counted, styled};
use lookalike::{
    doors::escaped,
    evidence::{ComparedBits, ComparedVectors},
    measures::DifferingBits,
};
use serde::Serialize;
use std::io::{self, Write};

/// Maximum number of differing bits that are listed.
const MAX_SHOWN_BITS: usize = 64;
/// Maximum number of digits whose differences are marked: those that fit into a line.
const MAX_MARKED_DIGITS: usize = 64;

/// Figures of two fingerprints in JSON.
#[derive(Debug, Serialize)]
pub(super) struct BitFigures<'a> {
    width: u32,
    distance: usize,
    similarity: f64,
    differing_bits: &'a [u32],
}

impl<'a> BitFigures<'a> {
    pub(super) fn new(ComparedBits { width, differing, .. }: &'a ComparedBits) -> Self {
        let distance = differing.len();
        let similarity = DifferingBits { differing: distance as u32, width: *width }.similarity();
        Self { width: *width, distance, similarity, differing_bits: differing }
    }
}

/// Writes both fingerprints, marks below the digits that differ, the distance, and the bits.
pub(super) fn write_bits(names: &[String; 2], compared: &ComparedBits, out: &mut impl Write) -> io::Result<()> {
    let ComparedBits { digits, width, differing } = compared;
    for ((side, name), digits) in ["A", "B"].iter().zip(names).zip(digits) {
        writeln!(out, "{side}  {digits}  {}", escaped(name))?;
    }
    if digits[0].len() <= MAX_MARKED_DIGITS && !differing.is_empty() {
        let pairs = digits[0].chars().zip(digits[1].chars());
        let marks: String = pairs.map(|(left, right)| if left == right { ' ' } else { '^' }).collect();
        writeln!(out, "   {}", marks.trim_end())?;
    }
    writeln!(out)?;
    writeln!(out, "distance  {}  of {}", styled(STRONG, differing.len()), counted((*width).into(), "bit"))?;
    if !differing.is_empty() {
        let shown: Vec<String> = differing.iter().take(MAX_SHOWN_BITS).map(u32::to_string).collect();
        let more = if differing.len() > MAX_SHOWN_BITS { format!(" ... {ALL_IN_JSON}") } else { String::new() };
        writeln!(out, "differing bits, the last digit has 0 to 3:  {}{more}", shown.join(" "))?;
    }
    Ok(())
}

/// Figures of two vectors in JSON.
#[derive(Debug, Serialize)]
pub(super) struct VectorFigures {
    dimensions: usize,
    cosine: f64,
    distance: f64,
    /// The largest ones.
    differences: Vec<ComponentDifference>,
}

#[derive(Debug, Serialize)]
struct ComponentDifference {
    dimension: usize,
    left: f32,
    right: f32,
}

impl VectorFigures {
    pub(super) fn new(compared: &ComparedVectors) -> Self {
        let &ComparedVectors { dimensions, cosine, distance, ref differences, .. } = compared;
        let difference =
            |&(dimension, [left, right]): &(usize, [f32; 2])| ComponentDifference { dimension, left, right };
        Self { dimensions, cosine, distance, differences: differences.iter().map(difference).collect() }
    }
}

/// Writes cosine and distance, the norms, and where the two differ most.
pub(super) fn write_vectors(names: &[String; 2], compared: &ComparedVectors, out: &mut impl Write) -> io::Result<()> {
    let ComparedVectors { dimensions, norms, cosine, distance, differences } = compared;
    for ((side, name), norm) in ["A", "B"].iter().zip(names).zip(norms) {
        writeln!(out, "{side}  norm {norm:.6}  {}", escaped(name))?;
    }
    writeln!(out)?;
    let all = counted(*dimensions as u64, "dimension");
    writeln!(out, "cosine    {}  in {all}", styled(STRONG, format!("{cosine:.6}")))?;
    writeln!(out, "distance  {}", styled(STRONG, format!("{distance:.6}")))?;
    if !differences.is_empty() {
        writeln!(out, "\nlargest differences, by dimension from 0:")?;
    }
    for (dimension, [left, right]) in differences {
        writeln!(out, "  {dimension:<5}  A {left:<12}  B {right}")?;
    }
    Ok(())
}
