//! The `lookalike` command: arguments in, a job of the library run, words out.
//!
//! A library, so that other doors can bring the command along; the binary calls [`run`] and nothing else.

mod args;
mod checksum;
mod compare;
mod dedup;
mod faults;
mod hints;
mod list;
mod outcome;
mod plan;
mod progress;
mod recluster;
mod report;
mod snapshot;
mod words;

use clap::error::{ContextKind, ErrorKind};
use clap::{Parser, Subcommand};
use lookalike::shown;
use outcome::Outcome;
use std::error::Error;
use std::ffi::OsString;
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
    Pairs(list::PairsArgs),
    /// List clusters of documents that near-duplicates connect
    Clusters(list::ClustersArgs),
    /// Try another threshold or choice of copies on saved pairs
    Recluster(recluster::ReclusterArgs),
    /// Save ids and shingle sets, to compare with them later
    Snapshot(snapshot::SnapshotArgs),
    /// Compare two documents: similarity and matched passages
    Compare(compare::CompareArgs),
    /// Choose bands, rows and permutations for a threshold
    Plan(plan::PlanArgs),
    /// List exact copies by bytes and by normalized text
    Checksum(checksum::ChecksumArgs),
}

impl Command {
    /// The flag that names the output of records.
    fn records_flag(&self) -> &'static str {
        if matches!(self, Self::Recluster(_)) { "--records" } else { "--output" }
    }
}

/// Runs the command with these arguments, of which the first is its name. Answers go to standard output and files,
/// words to standard error.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    faults::keep_decoders_quiet();
    faults::become_errors();
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) if error.kind() == ErrorKind::ValueValidation => return refuse_value(&error),
        Err(error) => error.exit(),
    };
    let records_flag = cli.command.records_flag();
    let result = match cli.command {
        Command::Dedup(args) => dedup::run(&args),
        Command::Pairs(args) => list::run_pairs(&args),
        Command::Clusters(args) => list::run_clusters(&args),
        Command::Recluster(args) => recluster::run(&args),
        Command::Snapshot(args) => snapshot::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Plan(args) => plan::run(&args).map(|()| Outcome::Done),
        Command::Checksum(args) => checksum::run(&args),
    };
    match result {
        Ok(outcome) => outcome.into(),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("lookalike: {error:#}{}", hints::hint(&error, records_flag)));
            let interrupted = matches!(error.downcast_ref(), Some(lookalike::Error::Interrupted { .. }));
            ExitCode::from(if interrupted { 130 } else { 2 })
        }
    }
}

/// One line, as for all errors that turn up later. The value stands in it once: many reasons quote it.
fn refuse_value(error: &clap::Error) -> ExitCode {
    let part = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (flag, value) = (part(ContextKind::InvalidArg), part(ContextKind::InvalidValue));
    let reason = error.source().map(ToString::to_string).unwrap_or_default();
    let value = if reason.contains(&format!("`{value}`")) { String::new() } else { format!(" '{}'", shown(&value)) };
    say(format_args!("lookalike: invalid value{value} for '{flag}': {reason}"));
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
