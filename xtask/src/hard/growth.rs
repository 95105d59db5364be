//! Growth: what every command costs for n, 2n and 4n documents, or tokens, of shapes that have made one quadratic.
//!
//! A command grows faster than its input if both doublings take more than [`MAX_STEP`] times as long: linear ones take
//! twice as long, quadratic ones four times. One slow measurement makes one step large and the next one small; beyond
//! that, what looks like a finding is measured again, and the shortest of all times counts. Times are those of the
//! processor, which others on the machine change little. Runs that take less than [`MIN_SECONDS`] prove nothing, and
//! the sizes are such that commands take more.
//!
//! The memory is bounded as documents promise it: the budget, and three times the longest document, beside the program
//! itself.

mod cases;
mod shapes;

use super::measured::{Measured, measure};
use crate::run::release_binary;
use crate::server::empty_folder;
use anyhow::{Context, Result, bail, ensure};
use cases::GrowthCase;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const MIB: u64 = 1 << 20;
/// The program, its libraries and stacks.
const PROGRAM_MIB: u64 = 48;
/// Memory of a document beyond the budget, as a multiple of its size.
const OF_DOCUMENT: u64 = 3;
/// Growth of the time when the input doubles.
const MAX_STEP: f64 = 2.6;
/// Time of the largest input below which its growth is noise.
const MIN_SECONDS: f64 = 0.15;
/// Measurements of what looks like a finding.
const ROUNDS: usize = 3;
/// Time of a command before it is ended, which is a finding.
const MAX_SECONDS: f64 = 120.0;

pub(super) fn run_all() -> Result<String> {
    let program = release_binary()?;
    let folder = empty_folder("bench-data/growth")?;
    let mut rows = String::new();
    let mut findings = Vec::new();
    for case in cases::all() {
        // One that is not done in time is a finding, too.
        let (row, finding) = run_case(&program, &case, &folder).unwrap_or_else(|error| (format!("{error:#}"), true));
        println!("{row}{}", if finding { ": A FINDING" } else { "" });
        write!(rows, "<br>{row}")?;
        if finding {
            findings.push(row);
        }
    }
    fs::remove_dir_all(&folder)?;
    if !findings.is_empty() {
        bail!("these grow too fast or take too much memory:\n{}", findings.join("\n"));
    }
    Ok(rows)
}

/// Runs a case at all sizes; says what it took, and whether that is too much.
fn run_case(program: &Path, case: &GrowthCase, folder: &Path) -> Result<(String, bool)> {
    let sizes = [1, 2, 4].map(|times| case.items * times);
    let longest = sizes.map(|items| case.shape.write(items, folder)).into_iter().collect::<Result<Vec<u64>>>()?;
    let mut taken = Vec::new();
    for items in sizes {
        taken.push(measure_case(program, case, items, folder)?);
    }
    for _ in 1..ROUNDS {
        if grows_linearly(&taken) {
            break;
        }
        for (items, taken) in sizes.into_iter().zip(&mut taken) {
            let again = measure_case(program, case, items, folder)?;
            taken.processor_seconds = taken.processor_seconds.min(again.processor_seconds);
            taken.peak_mib = taken.peak_mib.max(again.peak_mib);
        }
    }
    let max_mib = longest.iter().map(|bytes| case.budget_mib + PROGRAM_MIB + OF_DOCUMENT * bytes.div_ceil(MIB));
    let is_within = taken.iter().zip(max_mib).all(|(taken, max_mib)| taken.peak_mib <= max_mib);
    let columns: Vec<String> =
        taken.iter().map(|taken| format!("{:.2} s {} MiB", taken.processor_seconds, taken.peak_mib)).collect();
    let arguments = case.arguments.replace("{in}", &case.shape.file(case.items));
    let row = format!("{arguments}: {}", columns.join(", "));
    Ok((row, !(is_within && grows_linearly(&taken))))
}

/// Returns whether one of the doublings is no more than a linear command takes.
fn grows_linearly(taken: &[Measured]) -> bool {
    let is_measured = taken.last().is_some_and(|last| last.processor_seconds >= MIN_SECONDS);
    let grows = |step: &[Measured]| step[1].processor_seconds > MAX_STEP * step[0].processor_seconds;
    !(is_measured && taken.windows(2).all(grows))
}

fn measure_case(program: &Path, case: &GrowthCase, items: u64, folder: &Path) -> Result<Measured> {
    let _ = fs::remove_dir_all(folder.join("out"));
    fs::create_dir(folder.join("out"))?;
    let run = |arguments: &str, is_refused: bool| {
        let arguments = arguments.replace("{in}", &case.shape.file(items));
        // It holds nothing but hashes, and has no budget.
        let has_budget = !arguments.starts_with("checksum");
        let budget = if has_budget { format!(" --memory {}MiB", case.budget_mib) } else { String::new() };
        let measured = measure(program, &format!("exec \"$0\" {arguments}{budget}"), folder, MAX_SECONDS)?;
        let words = measured.words.lines().last().unwrap_or_default();
        let status = if is_refused { 2 } else { 0 };
        ensure!(measured.status == status, "ended with {}: {arguments} of {items}: {words}", measured.status);
        Ok(measured)
    };
    if let Some(before) = case.before {
        let _ = fs::remove_dir_all(folder.join("asked.index"));
        run(before, false).with_context(|| format!("before {}", case.arguments))?;
    }
    run(case.arguments, case.is_refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_large_steps_are_a_finding() {
        let taken =
            |seconds: [f64; 3]| seconds.map(|processor_seconds| Measured { processor_seconds, ..Measured::default() });
        assert!(grows_linearly(&taken([0.5, 1.0, 2.0])));
        assert!(grows_linearly(&taken([0.5, 2.0, 2.1])));
        assert!(grows_linearly(&taken([0.001, 0.004, 0.016])));
        assert!(!grows_linearly(&taken([0.1, 0.4, 1.6])));
    }
}
