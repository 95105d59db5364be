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

use crate::run::{cargo, root};
use anyhow::{Context, Result, bail};
use cases::{Case, Outcome};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

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
const MAX_SECONDS: u64 = 120;

/// Runs a command and prints its exit status, its seconds of the processor and its peak in KiB; ends it in time.
const MEASURING: &str = "\
import resource, subprocess, sys
try:
    done = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=float(sys.argv[1]))
except subprocess.TimeoutExpired:
    sys.exit('not done in ' + sys.argv[1] + ' s')
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.stderr.buffer.write(done.stderr)
";

/// What a command took.
#[derive(Debug, Clone, Copy)]
struct Measured {
    seconds: f64,
    peak_mib: u64,
}

pub(super) fn run_all() -> Result<String> {
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    let folder = root().join("target/bench-data/growth");
    // What an interrupted run has left would be an index that is there already.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let mut rows = String::new();
    let mut findings = Vec::new();
    for case in cases::all() {
        // One that is not done in time is a finding, too.
        let (row, finding) = run_case(&case, &folder).unwrap_or_else(|error| (format!("{error:#}"), true));
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
    Ok(format!("no command grows faster than its input, nor beyond its memory{rows}"))
}

/// Runs a case at all sizes; says what it took, and whether that is too much.
fn run_case(case: &Case, folder: &Path) -> Result<(String, bool)> {
    let sizes = [1, 2, 4].map(|times| case.items * times);
    let longest = sizes.map(|items| case.shape.write(items, folder)).into_iter().collect::<Result<Vec<u64>>>()?;
    let mut taken = Vec::new();
    for items in sizes {
        taken.push(measure(case, items, folder)?);
    }
    for _ in 1..ROUNDS {
        if grows_linearly(&taken) {
            break;
        }
        for (items, taken) in sizes.into_iter().zip(&mut taken) {
            let Measured { seconds, peak_mib } = measure(case, items, folder)?;
            *taken = Measured { seconds: taken.seconds.min(seconds), peak_mib: taken.peak_mib.max(peak_mib) };
        }
    }
    let max_mib = longest.iter().map(|bytes| case.budget_mib + PROGRAM_MIB + OF_DOCUMENT * bytes.div_ceil(MIB));
    let is_within = taken.iter().zip(max_mib).all(|(taken, max_mib)| taken.peak_mib <= max_mib);
    let columns: Vec<String> =
        taken.iter().map(|taken| format!("{:.2} s {} MiB", taken.seconds, taken.peak_mib)).collect();
    let row = format!("{} of {} {}: {}", case.arguments, case.items, case.shape.name(), columns.join(", "));
    Ok((row, !(is_within && grows_linearly(&taken))))
}

/// Whether one of the doublings is no more than a linear command takes.
fn grows_linearly(taken: &[Measured]) -> bool {
    let is_measured = taken.last().is_some_and(|last| last.seconds >= MIN_SECONDS);
    let grows = |step: &[Measured]| step[1].seconds > MAX_STEP * step[0].seconds;
    !(is_measured && taken.windows(2).all(grows))
}

fn measure(case: &Case, items: u64, folder: &Path) -> Result<Measured> {
    if let Some(before) = case.before {
        let _ = fs::remove_dir_all(folder.join("asked.index"));
        run(before, &Outcome::Done, (case, items, folder)).with_context(|| format!("before {}", case.arguments))?;
    }
    run(case.arguments, &case.outcome, (case, items, folder))
}

fn run(arguments: &str, outcome: &Outcome, (case, items, folder): (&Case, u64, &Path)) -> Result<Measured> {
    let out = folder.join("out");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir(&out)?;
    let input = case.shape.file(items);
    let arguments = arguments.replace("{in}", &input);
    let mut command = Command::new("python3");
    command.args(["-c", MEASURING, &MAX_SECONDS.to_string()]).arg(root().join("target/release/lookalike"));
    command.args(arguments.split(' ')).current_dir(folder);
    // It holds nothing but hashes, and has no budget.
    if !arguments.starts_with("checksum") {
        command.args(["--memory", &format!("{}MiB", case.budget_mib)]);
    }
    let output = command.output().context("cannot run python3")?;
    let words = String::from_utf8_lossy(&output.stderr);
    let about = || format!("{arguments} of {items}: {}", words.lines().last().unwrap_or_default());
    let printed = String::from_utf8_lossy(&output.stdout);
    let [code, seconds, peak_kib] = printed.split_whitespace().collect::<Vec<_>>()[..] else { bail!(about()) };
    let is_right = match outcome {
        Outcome::Done => code == "0",
        Outcome::Refused => code == "2",
    };
    if !is_right {
        bail!("ended with {code}: {}", about());
    }
    Ok(Measured { seconds: seconds.parse()?, peak_mib: peak_kib.parse::<u64>()? / 1024 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_large_steps_are_a_finding() {
        let taken = |seconds: [f64; 3]| seconds.map(|seconds| Measured { seconds, peak_mib: 0 });
        assert!(grows_linearly(&taken([0.5, 1.0, 2.0])));
        assert!(grows_linearly(&taken([0.5, 2.0, 2.1])));
        assert!(grows_linearly(&taken([0.001, 0.004, 0.016])));
        assert!(!grows_linearly(&taken([0.1, 0.4, 1.6])));
    }
}
