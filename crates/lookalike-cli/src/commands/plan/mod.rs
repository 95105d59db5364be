//! `lookalike plan`: which bands, rows and permutations a threshold and a recall need, before anything is read.
//!
//! Each kind of plan is a struct of its figures, the fields of its JSON: bands of MinHash ([`bands`]), with
//! `--measure cosine` and `hamming` tables of bits ([`bits`]), with `--vectors` random projections ([`vectors`]), with
//! `--select` fingerprints ([`fingerprints`]). Text and curve are made of the same figures, with tables ([`table`]) and
//! as a drawing ([`plot`]).

mod args;
mod bands;
mod bits;
mod fingerprints;
mod plot;
mod table;
mod vectors;

pub(crate) use args::PlanArgs;

use crate::messages::Voice;
use crate::outcome::ExitStatus;
use anyhow::{Context, Result, bail};
use args::{MeasureArg, PlanAnswer, PlanFormat};
use std::io::{self, Write};

/// Plans and prints; draws first, so that a drawing that cannot be written does not follow a finished answer.
///
/// # Errors
/// If nothing reaches the goal, or the drawing or standard output cannot be written.
pub(crate) fn run(args: &PlanArgs, voice: Voice) -> Result<ExitStatus> {
    let PlanAnswer { json, text, curve } = plan(args)?;
    if let (Some(path), Some(curve)) = (&args.plot, curve) {
        plot::write(&curve, path)?;
    }
    let answer = match args.format {
        // A plan for people is words, of which a quiet command says none.
        PlanFormat::Text if voice == Voice::Quiet => return Ok(ExitStatus::Done),
        PlanFormat::Text => text,
        PlanFormat::Json => json,
    };
    io::stdout().lock().write_all(answer.as_bytes()).context("cannot write standard output")?;
    Ok(ExitStatus::Done)
}

fn plan(args: &PlanArgs) -> Result<PlanAnswer> {
    if let Some(select) = args.select {
        return fingerprints::plan(args, select);
    }
    if args.vectors {
        return vectors::plan(args);
    }
    match args.measure.unwrap_or_default() {
        MeasureArg::Jaccard => bands::BandsPlan::new(args)?.plan(),
        MeasureArg::Cosine => bits::plan_cosines(args),
        MeasureArg::Hamming => bits::plan_distances(args),
        MeasureArg::Euclidean => bail!("--measure euclidean is for vectors: --vectors"),
    }
}

#[cfg(test)]
mod tests;
