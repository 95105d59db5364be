//! `cargo xtask limit PROGRAM ARGUMENT...`: runs the tests of a program and ends it when one of them takes too long.
//!
//! The harness of Rust has no limit of its own: a test that waits for ever makes everything behind it wait. It does say
//! when a test has been running for a minute, so a program of tests is ended when a test that it named then is not over
//! some minutes later. Cargo starts each program of tests through this task
//! (`CARGO_TARGET_<TRIPLE>_RUNNER`, set by [`runner`]). cargo-nextest has such limits, but is no dependency that cargo
//! resolves: a fresh machine would compile it for ten minutes.

use crate::run::{built, output, succeeds};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Time of one test, from when the harness says that it is slow: after one minute.
const LIMIT: Duration = Duration::from_secs(240);

/// Words of the harness about a test that has been running for a minute.
const SLOW: &str = " has been running for over 60 seconds";

/// The variable that makes cargo start programs of tests through this task, and its value; `None` where a path with a
/// space, at which cargo would split it, leaves tests without a limit.
pub(crate) fn runner() -> Result<Option<(String, String)>> {
    let version = output(Path::new("rustc"), &["--version", "--verbose"])?;
    let triple = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let name = format!("CARGO_TARGET_{}_RUNNER", triple.replace('-', "_").to_uppercase());
    let program = built("xtask");
    let path = program.to_str().filter(|path| !path.contains(char::is_whitespace));
    Ok(path.map(|path| (name, format!("{path} limit"))))
}

/// Runs the program, passes on what it prints, and returns its exit status.
pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let [program, arguments @ ..] = arguments else { bail!("usage: cargo xtask limit PROGRAM ARGUMENT...") };
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped());
    // What a test has started ends with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
    let lines = lines_of(&mut child)?;
    let overdue = pass_on(&lines, LIMIT);
    if overdue.is_empty() {
        let status = child.wait()?;
        return Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101));
    }
    end(&mut child)?;
    let minutes = (LIMIT + Duration::from_secs(60)).as_secs() / 60;
    bail!("{program}: ended, because this took over {minutes} minutes: {}", overdue.join(", "))
}

/// Ends the program with the processes that it has started.
fn end(child: &mut Child) -> Result<()> {
    let group = format!("-{}", child.id());
    if !(cfg!(unix) && succeeds("kill", &["-KILL", "--", &group])) {
        child.kill()?;
    }
    child.wait()?;
    Ok(())
}

/// The lines that the program prints, as they come. The sender is gone when it prints no more.
fn lines_of(child: &mut Child) -> Result<Receiver<String>> {
    let output = child.stdout.take().context("no standard output")?;
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    Ok(receiver)
}

/// Prints the lines up to the last, but for those of tests that passed, and returns the names of tests that take longer
/// than the limit.
fn pass_on(lines: &Receiver<String>, limit: Duration) -> Vec<String> {
    let mut slow: BTreeMap<String, Instant> = BTreeMap::new();
    loop {
        match lines.recv_timeout(Duration::from_secs(1).min(limit)) {
            Ok(line) => {
                note(&line, &mut slow);
                if !line.ends_with(" ... ok") {
                    // A reader of this output that has gone is no failure of a test.
                    let _ = writeln!(std::io::stdout(), "{line}");
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Vec::new(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let overdue: Vec<String> =
            slow.iter().filter(|(_, since)| since.elapsed() >= limit).map(|(name, _)| name.clone()).collect();
        if !overdue.is_empty() {
            return overdue;
        }
    }
}

/// Keeps the tests that are slow and not over.
fn note(line: &str, slow: &mut BTreeMap<String, Instant>) {
    let Some(name) = line.strip_prefix("test ") else { return };
    if let Some(name) = name.strip_suffix(SLOW) {
        slow.insert(name.to_owned(), Instant::now());
    } else if let Some((name, _)) = name.split_once(" ... ") {
        slow.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overdue(lines: &[&str]) -> Vec<String> {
        let (sender, receiver) = channel();
        for line in lines {
            sender.send((*line).to_owned()).unwrap();
        }
        // A program that prints no more and does not end.
        let waiting = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            drop(sender);
        });
        let overdue = pass_on(&receiver, Duration::from_millis(50));
        waiting.join().unwrap();
        overdue
    }

    #[test]
    fn a_test_that_never_ends_is_named() {
        let slow = "test a::waits has been running for over 60 seconds";
        assert_eq!(overdue(&["running 2 tests", slow, "test b ... ok"]), ["a::waits"]);
    }

    #[test]
    fn tests_that_end_are_not_overdue() {
        let slow = "test a::waits has been running for over 60 seconds";
        assert!(overdue(&[slow, "test a::waits ... ok"]).is_empty());
        assert!(overdue(&["test b ... FAILED"]).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn the_status_is_that_of_the_program() {
        let arguments = |script: &str| ["sh", "-c", script].map(str::to_owned);
        assert_eq!(run(&arguments("exit 0")).unwrap(), 0);
        assert_eq!(run(&arguments("exit 101")).unwrap(), 101);
        assert_eq!(run(&arguments("kill -9 $$")).unwrap(), 101);
    }
}
