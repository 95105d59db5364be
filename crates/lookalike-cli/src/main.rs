//! The `lookalike` command: arguments in, library calls, words out.

mod args;
mod checksum;
mod compare;
mod dedup;
mod pairs;
mod plan;
mod progress;
mod recluster;
mod sketch;
mod summary;
mod words;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use words::say;

/// Finds near-duplicate documents, verifies every answer and explains it.
#[derive(Debug, Parser)]
#[command(
    name = "lookalike",
    version,
    max_term_width = 110,
    after_help = "\
Exit status:
  0  done
  1  duplicates were found (only with --fail-if-found)
  2  error, or records were left out (--on-error skip)
  130  interrupted"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the documents without near-duplicates
    Dedup(dedup::DedupArgs),
    /// List all pairs of near-duplicates
    Pairs(pairs::PairsArgs),
    /// List groups of documents that near-duplicates connect
    Clusters(pairs::ClustersArgs),
    /// Try another threshold or choice of copies on saved pairs
    Recluster(recluster::ReclusterArgs),
    /// Save keys and shingle sets, to compare with them later
    Sketch(sketch::SketchArgs),
    /// Compare two documents: similarity and matched passages
    Compare(compare::CompareArgs),
    /// Choose bands, rows and permutations for a threshold
    Plan(plan::PlanArgs),
    /// List exact copies by bytes and by normalized text
    Checksum(checksum::ChecksumArgs),
}

/// How a command ended, when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    /// Something was found, and the user asked to be told by the exit status.
    Found,
    /// Records were left out.
    BadRecords,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.kind() == ErrorKind::ValueValidation => return refuse_value(&error),
        Err(error) => error.exit(),
    };
    let result = match cli.command {
        Command::Dedup(args) => dedup::run(&args),
        Command::Pairs(args) => pairs::run_pairs(&args),
        Command::Clusters(args) => pairs::run_clusters(&args),
        Command::Recluster(args) => recluster::run(&args),
        Command::Sketch(args) => sketch::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Plan(args) => plan::run(&args).map(|()| Outcome::Done),
        Command::Checksum(args) => checksum::run(&args),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::BadRecords) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("lookalike: {error:#}"));
            let interrupted = matches!(error.downcast_ref(), Some(lookalike::Error::Interrupted { .. }));
            ExitCode::from(if interrupted { 130 } else { 2 })
        }
    }
}

/// One line, as for all that turns out wrong later.
fn refuse_value(error: &clap::Error) -> ExitCode {
    let words = error.to_string();
    let line = words.lines().next().unwrap_or_default();
    say(format_args!("lookalike: {}", line.strip_prefix("error: ").unwrap_or(line)));
    ExitCode::from(2)
}

/// A reader that has seen enough, like `head`, is no error of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
            || cause.downcast_ref::<lookalike::Error>().is_some_and(lookalike::Error::is_broken_pipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
