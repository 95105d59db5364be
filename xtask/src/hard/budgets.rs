//! Memory and time of jobs that are unlike usual ones: long documents, many fields, empty lines, low limits.
//!
//! Each case runs the release binary with a bound on its peak memory, as the system tells it, and on its time. A case
//! that ends by a signal or exceeds a bound is a finding.

mod cases;
mod files;

use crate::run::{cargo, root};
use anyhow::{Context, Result, bail};
use cases::{Case, Limit};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const MIB: u64 = 1 << 20;

/// What a case took.
struct Measured {
    peak_mib: u64,
    seconds: f64,
}

pub(super) fn run_all() -> Result<String> {
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    let folder = root().join("target/bench-data/budgets");
    fs::create_dir_all(&folder)?;
    files::write_all(&folder)?;
    let mut rows = String::new();
    let group = Group::create();
    for case in cases::all() {
        let Some(enclosure) = enclosure(&case, group.as_ref()) else {
            println!("{}: left out, no control group can be made here", case.arguments);
            continue;
        };
        let Measured { peak_mib, seconds } = run_case(&case, &enclosure, &folder)?;
        let Case { arguments, limit, max_mib, .. } = &case;
        let row = format!("{} ({limit}): {peak_mib} of {max_mib} MiB, {seconds:.1} s", arguments.trim());
        println!("{row}");
        write!(rows, "<br>{row}")?;
    }
    fs::remove_dir_all(&folder)?;
    Ok(format!("no bound exceeded{rows}"))
}

/// The beginning of a shell script that puts a case under its limit; `None` if it cannot be had.
fn enclosure(case: &Case, group: Option<&Group>) -> Option<String> {
    Some(match case.limit {
        Limit::None => String::new(),
        Limit::Addresses { mebibytes } => format!("ulimit -v {} && ", mebibytes * 1024),
        Limit::ControlGroup => format!("echo $$ > '{}' && ", group?.folder.join("cgroup.procs").display()),
    })
}

fn run_case(case: &Case, enclosure: &str, folder: &Path) -> Result<Measured> {
    let summary = folder.join("summary.json");
    let _ = fs::remove_file(&summary);
    // Only a dedup says what it took.
    let report = if case.arguments.starts_with("dedup") { "--summary summary.json" } else { "" };
    let script = format!("ulimit -c 0; {enclosure}exec \"$0\" {} {report}", case.arguments);
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(root().join("target/release/lookalike")).current_dir(folder);
    let begun = Instant::now();
    let output = command.output().context("cannot run a shell")?;
    let seconds = begun.elapsed().as_secs_f64();
    let words = String::from_utf8_lossy(&output.stderr);
    let about = || format!("{} ({}): {}", case.arguments, case.limit, words.lines().next().unwrap_or_default());
    match output.status.code() {
        Some(0 | 2) => {}
        code => bail!("{} ended with {code:?}: {}", case.arguments, about()),
    }
    // A job that was refused has no summary, and has taken next to nothing.
    let peak_mib = match fs::read_to_string(&summary) {
        Ok(text) => serde_json::from_str::<serde_json::Value>(&text)?["peak_bytes"].as_u64().unwrap_or(0) / MIB,
        Err(_) if case.may_be_refused || report.is_empty() && output.status.success() => 0,
        Err(_) => bail!("refused: {}", about()),
    };
    if peak_mib > case.max_mib || seconds > case.max_seconds {
        bail!("took {peak_mib} MiB and {seconds:.1} s: {}", about());
    }
    Ok(Measured { peak_mib, seconds })
}

/// A control group of 150 MB inside that of this process, removed at the end.
struct Group {
    folder: PathBuf,
}

impl Group {
    /// `None` where this user or this machine makes none.
    fn create() -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let path = |line: &str| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            let mount = match controllers {
                "memory" => "/sys/fs/cgroup/memory",
                "" => "/sys/fs/cgroup",
                _ => return None,
            };
            Some(Path::new(mount).join(path.trim_start_matches('/')).join("lookalike-budget"))
        };
        groups.lines().filter_map(path).find_map(|folder| {
            fs::create_dir(&folder).ok()?;
            let group = Self { folder };
            let limits = ["memory.limit_in_bytes", "memory.max"];
            limits.iter().any(|name| fs::write(group.folder.join(name), "157286400").is_ok()).then_some(group)
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Nothing runs in it any more; what is left of it does no harm.
        let _ = fs::remove_dir(&self.folder);
    }
}
