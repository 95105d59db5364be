//! Memory and time of jobs that are unlike usual ones: long documents, many fields, empty lines, low limits.
//!
//! Each case runs the release binary with a bound on its peak memory, as the system tells it, and on its time. A case
//! that ends by a signal or exceeds a bound is a finding.

mod cases;
mod files;

use super::measured::measure;
use crate::run::{release_binary, run};
use crate::server::empty_folder;
use anyhow::{Result, bail};
use cases::BudgetCase;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) fn run_all() -> Result<String> {
    let program = release_binary()?;
    let folder = empty_folder("bench-data/budgets")?;
    files::write_all(&folder)?;
    let mut rows = String::new();
    let group = MemoryGroup::create();
    match &group {
        Some(group) => run(Command::new("ln").arg("-s").arg(&group.folder).arg(folder.join("group")))?,
        None => println!("left out: jobs in a control group, which cannot be made here"),
    }
    for case in cases::all(group.is_some()) {
        let row = run_case(&program, &case, &folder)?;
        println!("{row}");
        write!(rows, "<br>{row}")?;
    }
    fs::remove_dir_all(&folder)?;
    Ok(rows)
}

/// Runs a case, and describes what it took.
fn run_case(program: &Path, case: &BudgetCase, folder: &Path) -> Result<String> {
    let BudgetCase { limit, arguments, max_mib, max_seconds, may_be_refused } = case;
    let line = format!("ulimit -c 0; {limit}exec \"$0\" {arguments}");
    let measured = measure(program, &line, folder, 2.0 * max_seconds)?;
    let taken = format!("{} of {max_mib} MiB, {:.1} s", measured.peak_mib, measured.wall_seconds);
    let row = format!("{limit}{}: {taken}", arguments.trim());
    let is_ended_well = measured.status == 0 || measured.status == 2 && *may_be_refused;
    if !is_ended_well || measured.peak_mib > *max_mib || measured.wall_seconds > *max_seconds {
        let words = measured.words.lines().next().unwrap_or_default();
        bail!("ended with {}: {row}: {words}", measured.status);
    }
    Ok(row)
}

/// A control group of 150 MB inside that of this process, removed at the end.
struct MemoryGroup {
    folder: PathBuf,
}

impl MemoryGroup {
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

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        // Nothing runs in it any more; what is left of it does no harm.
        let _ = fs::remove_dir(&self.folder);
    }
}
