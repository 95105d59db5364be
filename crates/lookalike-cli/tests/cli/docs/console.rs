//! Sessions at a console, as pages show them: they are run by a shell, and must answer what stands below each command.
//!
//! A page is one session: the commands of its `console` blocks run one after the other in one folder, in which at first
//! only the `examples` of the repository are. The lines below a command are all that it says, on standard output and
//! then on standard error; a line `...` stands for lines that are left out, and without any line only the status
//! counts. The status is 0, or 2 where the answer begins with the words of an error.
//!
//! They are run by `sh`, so on Unix. What cannot run in a test (an object store, Spark, an installation) stands in a
//! block of the language `sh`.

use super::page::{Page, root};
use super::served::Served;
use crate::common::{Run, Sandbox};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A command that checks the project itself: it is not run from inside its tests.
const NOT_RUN: &str = "cargo xtask test";

/// A command, and the lines below it.
pub(super) struct Shown {
    pub(super) command: String,
    pub(super) lines: Vec<String>,
}

/// The commands of a page, in order.
pub(super) fn commands(page: &Page) -> Vec<Shown> {
    page.fences().iter().filter(|fence| fence.language == "console").flat_map(|fence| shown(&fence.lines)).collect()
}

fn shown(block: &[&str]) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push(Shown { command: command.to_owned(), lines: Vec::new() }),
            (None, Some(last)) if last.command.ends_with('\\') => last.command += &format!("\n{line}"),
            (None, Some(last)) => last.lines.push((*line).to_owned()),
            (None, None) => panic!("a session at a console begins with `$ `; found `{line}`"),
        }
    }
    commands
}

/// Runs all commands of a page; returns their number.
pub(super) fn run_all(page: &Page) -> usize {
    let sandbox = with_examples();
    let commands = commands(page);
    if commands.iter().any(|shown| shown.command.starts_with("curl ")) && !has_curl() {
        eprintln!("SKIPPED: {} asks a server with curl 7.82 or later, which is not here", page.path);
        return commands.len();
    }
    let mut served: Option<Served> = None;
    for shown in commands.iter().filter(|shown| shown.command != NOT_RUN) {
        match (Served::start(&sandbox, shown), &served) {
            (Some(started), _) => served = Some(started),
            (None, Some(server)) => check(&sandbox, &server.at_port(shown), &page.path),
            (None, None) => check(&sandbox, shown, &page.path),
        }
    }
    commands.len()
}

/// Returns whether there is a curl that sends JSON by a flag: of version 7.82 or later.
fn has_curl() -> bool {
    Command::new("curl").args(["--json", "{}", "--version"]).output().is_ok_and(|told| told.status.success())
}

/// A folder with the examples of the repository.
pub(super) fn with_examples() -> Sandbox {
    let sandbox = Sandbox::new();
    copy_files(&sandbox, "examples");
    sandbox
}

fn copy_files(sandbox: &Sandbox, folder: &str) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            copy_files(sandbox, &name);
        } else {
            sandbox.write(&name, fs::read(entry.path()).unwrap());
        }
    }
}

/// Runs a command by a shell that finds the program of the tests.
fn run(sandbox: &Sandbox, command: &str) -> Run {
    let program = Path::new(env!("CARGO_BIN_EXE_lookalike")).parent().unwrap().to_owned();
    let others = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect::<Vec<_>>();
    let path = std::env::join_paths([program].into_iter().chain(others)).unwrap();
    let command = command.replace("cargo run --release --", "lookalike");
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(sandbox.path("")).env("PATH", path).env("COLUMNS", "100");
    Run::from(shell.output().unwrap())
}

pub(super) fn check(sandbox: &Sandbox, shown: &Shown, path: &str) {
    let run = run(sandbox, &shown.command);
    let said = run.stdout + &run.stderr;
    let is_refused = shown.lines.first().is_some_and(|line| is_error(line));
    assert_eq!(run.code, Some(if is_refused { 2 } else { 0 }), "{path}: {}\n{said}", shown.command);
    let said: Vec<&str> = said.lines().collect();
    let fits = shown.lines.is_empty() || fits(&shown.lines, &said);
    let [shown_lines, said] = [shown.lines.join("\n"), said.join("\n")];
    assert!(fits, "{path}: {}\n-- is shown to say\n{shown_lines}\n-- and says\n{said}", shown.command);
}

/// Returns whether a line names the error that ended a command; a record that was left out did not.
fn is_error(line: &str) -> bool {
    line.starts_with("lookalike: ") && !line.starts_with("lookalike: left out ")
}

/// Returns whether a command printed the lines shown, where `...` is any number of lines, at least one.
fn fits(shown: &[String], said: &[&str]) -> bool {
    match shown {
        [] => said.is_empty(),
        [first, rest @ ..] if first == "..." => (1..=said.len()).any(|skipped| fits(rest, &said[skipped..])),
        [first, rest @ ..] => said.first() == Some(&first.as_str()) && fits(rest, &said[1..]),
    }
}

#[test]
fn lines_that_are_left_out_stand_for_some() {
    let shown = |lines: &str| lines.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&shown("a\n...\nd"), &["a", "b", "c", "d"]));
    assert!(fits(&shown("...\nc\n..."), &["a", "b", "c", "d"]));
    assert!(!fits(&shown("a\nb\n..."), &["a", "b"]));
    assert!(!fits(&shown("a\n...\nc"), &["a", "b", "c", "d"]));
}

#[test]
#[should_panic(expected = "lookalike recluster")]
fn answer_that_differs_is_noticed() {
    let sandbox = with_examples();
    sandbox.succeed("pairs examples/press.jsonl -t 0.5 -o pairs.jsonl");
    let command = "lookalike recluster pairs.jsonl -t 0.9 -o clusters.jsonl".to_owned();
    check(&sandbox, &Shown { command, lines: vec!["10 pairs at 0.9 or above".to_owned()] }, "a.md");
}

#[test]
#[should_panic(expected = "left: Some(2)")]
fn refusal_that_is_not_shown_is_noticed() {
    let command = "lookalike dedup absent.jsonl".to_owned();
    check(&with_examples(), &Shown { command, lines: Vec::new() }, "a.md");
}
