//! What `lookalike compare` says of two vectors.

use super::verdict::VerdictReport;
use crate::messages::{STRONG, counted, styled};
use lookalike::{doors::escaped, evidence::ComparedVectors};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Debug, Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<VerdictReport>,
    left: Side<'a>,
    right: Side<'a>,
    dimensions: usize,
    cosine: f64,
    distance: f64,
    /// The largest ones.
    differences: Vec<Difference>,
}

#[derive(Debug, Serialize)]
struct Side<'a> {
    name: &'a str,
    norm: f64,
}

#[derive(Debug, Serialize)]
struct Difference {
    dimension: usize,
    left: f32,
    right: f32,
}

/// The comparison as one JSON object.
pub(super) fn to_json(
    (names, verdict): (&[String; 2], Option<VerdictReport>),
    compared: &ComparedVectors,
) -> serde_json::Result<String> {
    let &ComparedVectors { dimensions, norms, cosine, distance, ref differences } = compared;
    let side = |at: usize| Side { name: &names[at], norm: norms[at] };
    let difference = |&(dimension, [left, right]): &(usize, [f32; 2])| Difference { dimension, left, right };
    let differences = differences.iter().map(difference).collect();
    let left = side(0);
    let right = side(1);
    serde_json::to_string(&Report { verdict, left, right, dimensions, cosine, distance, differences })
}

/// Writes cosine and distance, the norms, and where the two differ most.
pub(super) fn write_text((names, compared): (&[String; 2], &ComparedVectors), out: &mut impl Write) -> io::Result<()> {
    let ComparedVectors { dimensions, norms, cosine, distance, differences } = compared;
    for ((side, name), norm) in ["A", "B"].iter().zip(names).zip(norms) {
        writeln!(out, "{side}  norm {norm:.6}  {}", escaped(name))?;
    }
    writeln!(out)?;
    let of = counted(*dimensions as u64, "dimension");
    writeln!(out, "cosine    {}  in {of}", styled(STRONG, format!("{cosine:.6}")))?;
    writeln!(out, "distance  {}", styled(STRONG, format!("{distance:.6}")))?;
    if !differences.is_empty() {
        writeln!(out, "\nlargest differences, by dimension from 0:")?;
    }
    for (dimension, [left, right]) in differences {
        writeln!(out, "  {dimension:<5}  A {left:<12}  B {right}")?;
    }
    Ok(())
}
