//! What `lookalike compare` says of two fingerprints.

use super::verdict::VerdictReport;
use crate::messages::{STRONG, counted, styled};
use lookalike::{doors::escaped, evidence::ComparedBits, measures::DifferingBits};
use serde::Serialize;
use std::io::{self, Write};

/// Differing bits that are named one by one.
const SHOWN_BITS: usize = 64;
/// Digits that fit into a line; the places of more are not marked.
const MARKED_DIGITS: usize = 64;

#[derive(Debug, Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<VerdictReport>,
    left: Side<'a>,
    right: Side<'a>,
    width: u32,
    distance: usize,
    similarity: f64,
    differing_bits: &'a [u32],
}

#[derive(Debug, Serialize)]
struct Side<'a> {
    name: &'a str,
    bits: &'a str,
}

/// The comparison as one JSON object.
pub(super) fn to_json(
    (names, verdict): (&[String; 2], Option<VerdictReport>),
    compared: &ComparedBits,
) -> serde_json::Result<String> {
    let ComparedBits { digits, width, differing } = compared;
    let side = |at: usize| Side { name: &names[at], bits: &digits[at] };
    let similarity = DifferingBits { differing: differing.len() as u32, width: *width }.similarity();
    let left = side(0);
    let right = side(1);
    let distance = differing.len();
    let differing_bits = differing;
    serde_json::to_string(&Report { verdict, left, right, width: *width, distance, similarity, differing_bits })
}

/// Writes both fingerprints, marks below the digits that differ, the distance, and the bits.
pub(super) fn write_text((names, compared): (&[String; 2], &ComparedBits), out: &mut impl Write) -> io::Result<()> {
    let ComparedBits { digits, width, differing } = compared;
    for ((side, name), digits) in ["A", "B"].iter().zip(names).zip(digits) {
        writeln!(out, "{side}  {digits}  {}", escaped(name))?;
    }
    if digits[0].len() <= MARKED_DIGITS && !differing.is_empty() {
        let pairs = digits[0].chars().zip(digits[1].chars());
        let marks: String = pairs.map(|(left, right)| if left == right { ' ' } else { '^' }).collect();
        writeln!(out, "   {}", marks.trim_end())?;
    }
    writeln!(out)?;
    writeln!(out, "distance  {}  of {}", styled(STRONG, differing.len()), counted((*width).into(), "bit"))?;
    if !differing.is_empty() {
        let shown: Vec<String> = differing.iter().take(SHOWN_BITS).map(u32::to_string).collect();
        let more = if differing.len() > SHOWN_BITS { " ... (--format json has all)" } else { "" };
        writeln!(out, "differing bits, the last digit has 0 to 3:  {}{more}", shown.join(" "))?;
    }
    Ok(())
}
