//! A command that is run for what it takes.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// Runs a command and prints its exit status, its wall and processor seconds and its peak in KiB; ends it in time.
const MEASURING: &str = "\
import resource, subprocess, sys, time
begun = time.monotonic()
try:
    done = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=float(sys.argv[1]))
except subprocess.TimeoutExpired:
    sys.exit('not done in ' + sys.argv[1] + ' s')
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.stderr.buffer.write(done.stderr)
";

/// Costs of a command, and its exit status.
#[derive(Debug, Clone, Default)]
pub(super) struct Measured {
    /// The exit status; negative if a signal ended the command.
    pub(super) status: i32,
    pub(super) wall_seconds: f64,
    pub(super) processor_seconds: f64,
    pub(super) peak_mib: u64,
    pub(super) words: String,
}

/// Runs a line of a shell, in which `$0` is the program, in a folder.
pub(super) fn measure(program: &Path, line: &str, folder: &Path, max_seconds: f64) -> Result<Measured> {
    let mut command = Command::new("python3");
    command.args(["-c", MEASURING, &max_seconds.to_string(), "sh", "-c", line]).arg(program).current_dir(folder);
    let output = command.output().context("cannot run python3")?;
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    let printed = String::from_utf8_lossy(&output.stdout);
    let [status, wall, processor, peak_kib] = printed.split_whitespace().collect::<Vec<_>>()[..] else {
        bail!("{line}: {words}")
    };
    Ok(Measured {
        status: status.parse()?,
        wall_seconds: wall.parse()?,
        processor_seconds: processor.parse()?,
        peak_mib: peak_kib.parse::<u64>()? / 1024,
        words,
    })
}
