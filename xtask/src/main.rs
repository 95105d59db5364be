//! The tasks of the project: `cargo xtask test`, `bench`, `peers`, `scale`, `layers`, `lines`, `packages`, `arm`,
//! `python`, `coming`, `spark`, `browser`, `server`, `engines`, `hard`.

mod arm;
mod bench;
mod hard;
mod layers;
mod lines;
mod packages;
mod peers;
mod python;
mod run;
mod scale;
mod steps;
mod test;

use run::root;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  test     all checks of a change: format, clippy, tests (the core on ARM too, if that can be emulated), doc tests,
           docs, layers, length of lines, packages, the Python package, the interface of the server, Spark where there
           is Java, pages where there is Chromium;
           at its end it prints what each step took
  bench    measure the main job on real documents, write a dated table to bench/results/
  peers    measure it beside its peers from PyPI (arguments as of bench/peers/run.py)
  scale    measure memory budgets and growth on generated documents (35 GB of disk, half an hour)
  layers   check which crate may use which, that no files and no Python modules use each other in circles, and that
           folders stay small
  lines    check that no line is longer than the formatter would make it
  packages check that the crates that are published have all metadata and bring their licences;
           with a tag (v1.2.3), that it names the version and the changelog has a section for it
  arm      test the core on 64-bit ARM, emulated (Rust target, cross compiler and qemu needed)
  python   build the Python package into target/python and test it there (Python 3.10 and its venv needed)
  coming   run what docs/datatrove.md and docs/text-dedup.md show, before and after, in target/python-coming
  spark    test lookalike.spark in target/python-spark (Java 17 or later needed; a gigabyte of packages)
  browser  test the pages of reports and of the server in Chromium, with an environment in target/browser
           (chromium-driver needed)
  server   hold the running server to the document of its interface, by schemathesis in target/schemathesis
  engines  run the recipes for Ray and Spark of docs/engines.md in target/python-engines (1.5 GB of packages, minutes)
  hard     long searches for faults, all or those named; writes a dated table to bench/results/ (hours)";

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let result = match task.as_str() {
        "test" => test::run(),
        "bench" => bench::run(),
        "python" => python::test(),
        "coming" => python::coming::test(),
        "spark" => python::spark::test(),
        "browser" => python::browser::test(),
        "server" => python::server::test(),
        "engines" => python::engines::test(),
        "peers" => peers::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        "scale" => scale::run(),
        "layers" => layers::check(&root()),
        "lines" => lines::check(&root()),
        "packages" => packages::check(&root(), std::env::args().nth(2).as_deref()),
        "arm" => arm::test(),
        "hard" => hard::run(&std::env::args().skip(2).collect::<Vec<_>>()),
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
