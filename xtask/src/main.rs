//! The tasks of the project: `cargo xtask test` and others, which the usage lists.

mod arm;
mod bench;
mod hard;
mod layers;
mod limit;
mod lines;
mod packages;
mod peers;
mod python;
mod run;
mod server;
mod steps;
mod test;

use run::root;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask TASK

  test     all checks of a change: format, clippy, tests, doc tests, docs, layers, length of lines, packages, the Python
           package, the interface of the server, Spark where there is Java, pages where there is Chromium;
           at its end it prints what each step took
  quick    format, layers, length of lines, clippy, unit tests and the suite of the command: before each commit
  bench    measure the main job on real documents, write a table to target/bench-results
  peers    measure it beside its peers from PyPI (arguments as of bench/peers/run.py)
  layers   check which crate may use which, and that no files or rooms of a crate use each other in circles
  lines    check that no line is longer than the formatter would make it
  packages check that the crates that are published have all metadata and bring their licences;
           with a tag (v1.2.3), that it names the version and the changelog has a section for it
  arm      test the core on 64-bit ARM, emulated (Rust target, cross compiler and qemu needed)
  python   build the Python package into target/python and test it there (Python 3.10 and its venv needed)
  coming   run what docs/datatrove.md and docs/text-dedup.md show, before and after, in target/python-coming
  spark    all tests of lookalike.spark (Java 17 or later needed)
  browser  test the pages of reports and of the server in Chromium (chromium-driver needed)
  server   hold the running server to the document of its interface, by schemathesis
  engines  run the recipes for Ray and Spark of docs/engines.md in target/python-engines (1.5 GB of packages, minutes)
  hard     long searches for faults, all or those named; writes a table to target/bench-results (hours)
  limit    run a program of tests with a limit of time for each test: what the other tasks start tests with";

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    if let Some(status) = run_without_increments() {
        return status;
    }
    let result = match task.as_str() {
        "test" => test::run(),
        "quick" => test::quick(),
        "limit" => match limit::run(&arguments) {
            Ok(status) => return ExitCode::from(status),
            Err(error) => Err(error),
        },
        "bench" => bench::run(),
        "python" => python::test(),
        "coming" => python::test_tools(),
        "spark" => python::spark::test(),
        "browser" => python::browser::test(),
        "server" => python::server::test(python::server::FEW_EXAMPLES),
        "engines" => python::test_engines(),
        "peers" => peers::run(&arguments),
        "layers" => layers::check(),
        "lines" => lines::check(&root()),
        "packages" => packages::check(&root(), arguments.first().map(String::as_str)),
        "arm" => arm::test(),
        "hard" => hard::run(&arguments),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask {task}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs this program once more without incremental compilation where a checkout is built once and thrown away.
fn run_without_increments() -> Option<ExitCode> {
    const NAME: &str = "CARGO_INCREMENTAL";
    if std::env::var_os("CI").is_none() || std::env::var_os(NAME).is_some() {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let status = Command::new(program).args(std::env::args_os().skip(1)).env(NAME, "0").status().ok()?;
    Some(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
