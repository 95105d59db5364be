//! Two documents side by side as vectors of weighted terms, for `--measure cosine`.

use super::lines::{omitted, on_one_line};
use crate::messages::{STRONG, counted, styled, thousands};
use lookalike::{
    doors::escaped,
    evidence::{CommonTerm, ComparedTerms},
    measures::Weights,
};
use serde::Serialize;
use std::io::{self, Write};

/// Maximum number of common terms that are shown.
const MAX_SHOWN_TERMS: usize = 20;
/// Maximum number of characters shown of a term.
const MAX_SHOWN_CHARACTERS: usize = 80;
/// Weights of tfidf count in units of this share.
const UNITS_OF_TFIDF: f64 = 1024.0;

/// Figures of two documents by their terms, in JSON.
#[derive(Debug, Serialize)]
pub(super) struct TermFigures<'a> {
    weights: &'static str,
    cosine: f64,
    dot_product: f64,
    /// Number of bits in which the two fingerprints differ.
    distance: u32,
    common_terms: Vec<Term<'a>>,
}

/// Figures of one document by its terms, in JSON.
#[derive(Debug, Serialize)]
pub(super) struct TermSide {
    terms: usize,
    norm: f64,
    /// SimHash of 64 bits, in hexadecimal digits.
    simhash: String,
}

#[derive(Debug, Serialize)]
struct Term<'a> {
    term: &'a str,
    left_weight: f64,
    right_weight: f64,
    /// Share of the dot product.
    share: f64,
}

/// Size of the unit in which weights are stored.
fn unit_of(weights: Weights) -> f64 {
    match weights {
        Weights::TfIdf => UNITS_OF_TFIDF,
        Weights::Tf | Weights::Binary => 1.0,
    }
}

/// Figures of both documents, left first.
pub(super) fn term_sides(ComparedTerms { weights, found }: &ComparedTerms) -> [TermSide; 2] {
    [0, 1].map(|side| TermSide {
        terms: found.terms[side],
        norm: (found.squared_norms[side] as f64).sqrt() / unit_of(*weights),
        simhash: format!("{:016x}", found.fingerprints[side]),
    })
}

impl<'a> TermFigures<'a> {
    pub(super) fn new(ComparedTerms { weights, found }: &'a ComparedTerms) -> Self {
        let unit = unit_of(*weights);
        let dot = found.dot_product() as f64;
        let term = |term: &'a CommonTerm| Term {
            term: &term.text,
            left_weight: f64::from(term.weights[0]) / unit,
            right_weight: f64::from(term.weights[1]) / unit,
            share: term.product() as f64 / dot,
        };
        Self {
            weights: weights.name(),
            cosine: found.cosine(),
            dot_product: dot / (unit * unit),
            distance: found.differing_bits(),
            common_terms: found.common.iter().map(term).collect(),
        }
    }
}

/// Writes the cosine, both fingerprints and the common terms with the largest parts in the dot product.
pub(super) fn write_terms(names: &[String; 2], compared: &ComparedTerms, out: &mut impl Write) -> io::Result<()> {
    let TermFigures { weights, cosine, distance, common_terms, .. } = TermFigures::new(compared);
    let sides = term_sides(compared);
    for (letter, (name, side)) in ["A", "B"].iter().zip(names.iter().zip(&sides)) {
        writeln!(out, "{letter}  {}: {}, norm {:.4}", escaped(name), counted(side.terms as u64, "term"), side.norm)?;
    }
    writeln!(out, "\ncosine               {}   weights {weights}", styled(STRONG, format_args!("{cosine:.4}")))?;
    writeln!(out, "SimHash of A         {}", sides[0].simhash)?;
    writeln!(out, "SimHash of B         {}   {distance} of 64 bits differ", sides[1].simhash)?;
    writeln!(out, "\ncommon terms: {}", thousands(common_terms.len() as u64))?;
    if !common_terms.is_empty() {
        writeln!(out, "  share of the dot product, weight in A, weight in B, term")?;
    }
    for Term { term, left_weight, right_weight, share } in common_terms.iter().take(MAX_SHOWN_TERMS) {
        let weight = |weight: &f64| match compared.weights {
            Weights::TfIdf => format!("{weight:.3}"),
            Weights::Tf | Weights::Binary => format!("{weight}"),
        };
        let line = on_one_line(term);
        let shown = escaped(&line.chars().take(MAX_SHOWN_CHARACTERS).collect::<String>());
        writeln!(out, "  {share:.4}  {:>8}  {:>8}  {shown}", weight(left_weight), weight(right_weight))?;
    }
    if common_terms.len() > MAX_SHOWN_TERMS {
        let more = thousands((common_terms.len() - MAX_SHOWN_TERMS) as u64);
        writeln!(out, "  {}", omitted(format_args!("{more} more")))?;
    }
    Ok(())
}
