//! What `lookalike compare --measure cosine` says of two documents.

use super::verdict::VerdictReport;
use crate::messages::{STRONG, counted, styled, thousands};
use lookalike::{
    doors::escaped,
    evidence::{CommonTerm, ComparedTerms},
    measures::Weights,
};
use serde::Serialize;
use std::io::{self, Write};

/// Common terms that are shown.
const SHOWN_TERMS: usize = 20;
/// Characters of a term that are shown.
const SHOWN_CHARACTERS: usize = 80;
/// Weights of tfidf count in units of this share.
const UNITS_OF_TFIDF: f64 = 1024.0;

#[derive(Debug, Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<VerdictReport>,
    left: Side<'a>,
    right: Side<'a>,
    weights: &'static str,
    cosine: f64,
    dot_product: f64,
    /// Number of bits in which the two fingerprints differ.
    distance: u32,
    common_terms: Vec<Term<'a>>,
}

#[derive(Debug, Serialize)]
struct Side<'a> {
    name: &'a str,
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

impl<'a> Report<'a> {
    fn new((names, verdict): (&'a [String; 2], Option<VerdictReport>), compared: &'a ComparedTerms) -> Self {
        let ComparedTerms { weights, found } = compared;
        let unit = match weights {
            Weights::TfIdf => UNITS_OF_TFIDF,
            Weights::Tf | Weights::Binary => 1.0,
        };
        let side = |at: usize| Side {
            name: &names[at],
            terms: found.terms[at],
            norm: (found.squared_norms[at] as f64).sqrt() / unit,
            simhash: format!("{:016x}", found.fingerprints[at]),
        };
        let dot = found.dot_product() as f64;
        let term = |term: &'a CommonTerm| Term {
            term: &term.text,
            left_weight: f64::from(term.weights[0]) / unit,
            right_weight: f64::from(term.weights[1]) / unit,
            share: term.product() as f64 / dot,
        };
        Self {
            verdict,
            left: side(0),
            right: side(1),
            weights: weights.name(),
            cosine: found.cosine(),
            dot_product: dot / (unit * unit),
            distance: found.differing_bits(),
            common_terms: found.common.iter().map(term).collect(),
        }
    }
}

/// The comparison as one JSON object.
pub(super) fn to_json(
    about: (&[String; 2], Option<VerdictReport>),
    compared: &ComparedTerms,
) -> serde_json::Result<String> {
    serde_json::to_string(&Report::new(about, compared))
}

/// Writes the cosine, both fingerprints and the common terms with the largest parts in the dot product.
pub(super) fn write_text((names, compared): (&[String; 2], &ComparedTerms), out: &mut impl Write) -> io::Result<()> {
    let report = Report::new((names, None), compared);
    for (letter, side) in [("A", &report.left), ("B", &report.right)] {
        writeln!(
            out,
            "{letter}  {}: {}, norm {:.4}",
            escaped(side.name),
            counted(side.terms as u64, "term"),
            side.norm
        )?;
    }
    let cosine = styled(STRONG, format_args!("{:.4}", report.cosine));
    writeln!(out, "\ncosine               {cosine}   weights {}", report.weights)?;
    writeln!(out, "SimHash of A         {}", report.left.simhash)?;
    writeln!(out, "SimHash of B         {}   {} of 64 bits differ", report.right.simhash, report.distance)?;
    writeln!(out, "\ncommon terms: {}", thousands(report.common_terms.len() as u64))?;
    if !report.common_terms.is_empty() {
        writeln!(out, "  share of the dot product, weight in A, weight in B, term")?;
    }
    for Term { term, left_weight, right_weight, share } in report.common_terms.iter().take(SHOWN_TERMS) {
        let weight = |weight: &f64| match compared.weights {
            Weights::TfIdf => format!("{weight:.3}"),
            Weights::Tf | Weights::Binary => format!("{weight}"),
        };
        let line = term.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = escaped(&line.chars().take(SHOWN_CHARACTERS).collect::<String>());
        writeln!(out, "  {share:.4}  {:>8}  {:>8}  {shown}", weight(left_weight), weight(right_weight))?;
    }
    if report.common_terms.len() > SHOWN_TERMS {
        let more = thousands((report.common_terms.len() - SHOWN_TERMS) as u64);
        writeln!(out, "  ... and {more} more (--format json has all)")?;
    }
    Ok(())
}
