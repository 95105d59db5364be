//! `lookalike plan`: which bands, rows and permutations a threshold and a recall need, before anything is read.
//!
//! All numbers come from [`lookalike::methods::plan`]; they are gathered in one [`facts::Plan`], which is printed as a
//! table ([`table`]) or as JSON, and drawn on request ([`plot`]). With `--select` it is about fingerprints
//! ([`fingerprints`]), with `--measure cosine` and `hamming` about tables of bits ([`bits`]), with `--vectors` about
//! random projections ([`vectors`]).

mod args;
mod bits;
mod facts;
mod fingerprints;
mod plot;
mod table;
mod vectors;

pub(crate) use args::PlanArgs;

use crate::messages::Voice;
use anyhow::{Context, Result, ensure};
use args::{Format, MeasureArg};
use bits::BitsPlan;
use facts::{ChosenBy, Plan};
use fingerprints::SelectionPlan;
use lookalike::methods::Banding;
use lookalike::methods::plan::{self, Goal, LowRate};
use plot::Curve;
use std::io::{self, Write};
use vectors::VectorsPlan;

/// Plans and prints; draws first, so that a drawing that cannot be written does not follow a finished answer.
///
/// # Errors
/// If no banding reaches the goal, or the drawing or standard output cannot be written.
pub(crate) fn run(args: &PlanArgs, voice: Voice) -> Result<()> {
    if let Some(select) = args.select {
        return show(args, &SelectionPlan::new(args, select).text(args.format)?, voice);
    }
    if args.vectors {
        let plan = VectorsPlan::new(args)?;
        return draw_and_show(args, &plan.drawing(), &plan.text(args.format)?, voice);
    }
    let measure = args.measure.unwrap_or_default();
    ensure!(measure != MeasureArg::Euclidean, "--measure euclidean is for vectors: --vectors");
    if measure != MeasureArg::Jaccard {
        let plan = BitsPlan::new(args)?;
        return draw_and_show(args, &plan.drawing(), &plan.text(args.format)?, voice);
    }
    let of_bits = args.distance.is_some() || args.width.is_some() || args.fingerprint_bits.is_some();
    ensure!(!of_bits, "--distance, --width and --fingerprint-bits are for --measure hamming and cosine");
    let (banding, chosen_by) = find_banding(args)?;
    let plan = Plan::new(args, banding, chosen_by)?;
    let text = match args.format {
        Format::Text => table::render(&plan),
        Format::Json => serde_json::to_string_pretty(&plan)? + "\n",
    };
    draw_and_show(args, &Curve::of_bands(banding, plan.threshold), &text, voice)
}

/// Draws the curve of a plan, if that is asked for, and prints the plan.
fn draw_and_show(args: &PlanArgs, curve: &Curve<'_>, text: &str, voice: Voice) -> Result<()> {
    if let Some(path) = &args.plot {
        plot::write(curve, path)?;
    }
    show(args, text, voice)
}

/// Prints a plan: one for people is words, of which a quiet command says none.
fn show(args: &PlanArgs, text: &str, voice: Voice) -> Result<()> {
    if voice == Voice::Quiet && matches!(args.format, Format::Text) {
        return Ok(());
    }
    io::stdout().lock().write_all(text.as_bytes()).context("cannot write standard output")
}

fn find_banding(args: &PlanArgs) -> Result<(Banding, ChosenBy)> {
    if let (Some(bands), Some(rows)) = (args.bands, args.rows) {
        let banding = Banding::within(bands, rows, args.permutations).context("cannot use --bands and --rows")?;
        return Ok((banding, ChosenBy::User));
    }
    let low = args.low.zip(args.low_rate).map(|(similarity, rate)| LowRate { similarity, rate });
    let threshold = args.threshold.as_f64();
    let goal = Goal { threshold, recall: args.recall, permutations: args.permutations, low };
    let banding = plan::choose(&goal).context("the goal is out of reach: allow more --permutations or ask for less")?;
    let chosen_by = if low.is_some() { ChosenBy::FewestPermutations } else { ChosenBy::LeastFalsePositiveArea };
    Ok((banding, chosen_by))
}

#[cfg(test)]
mod tests;
