//! The `lookalike` command: arguments in, a job of the library run, words out.
//!
//! A library, so that other doors can bring the command along; the binary calls [`run`] and nothing else.

mod args;
mod commands;
mod faults;
mod messages;
mod outcome;
mod progress;
mod table;

pub use outcome::ExitStatus;

use args::{PresentFlags, VoiceArgs, apply_color_choice};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use commands::{
    checksum, compare, cut, dedup, fingerprint, index, list, pages, plan, recluster, search, serve, signatures,
    snapshot, sources,
};
use messages::{Flags, say_error};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;

/// Version, commit and platform: what a report of a fault must say. The commit is missing where the sources are no
/// clone.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("LOOKALIKE_BUILD"));

/// Finds near-duplicate documents, verifies every answer and explains it.
#[derive(Debug, Parser)]
#[command(
    name = "lookalike",
    version = VERSION,
    max_term_width = 110,
    disable_help_flag = true,
    after_help = "\
Examples:
  lookalike dedup news.jsonl                  what would go, and why
  lookalike dedup news.jsonl -o clean.jsonl   the records that stay
  lookalike pairs news.jsonl -t 0.7 -o pairs.csv
  lookalike COMMAND --help                    all flags of a command

Exit status:
  0    done, also when bad records were left out (--on-error skip)
  1    duplicates were found (only with --fail-if-found)
  2    error
  130  interrupted"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    voice: VoiceArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the documents without near-duplicates
    Dedup(Box<dedup::DedupArgs>),
    /// List all pairs of near-duplicates
    Pairs(Box<list::PairsArgs>),
    /// List clusters of documents that near-duplicates connect
    Clusters(Box<list::ClustersArgs>),
    /// Find the documents that are near to one
    Search(Box<search::QueryArgs>),
    /// Keep documents in a folder that is asked often, and add and remove some
    Index(Box<index::IndexArgs>),
    /// Answer questions to an index over HTTP, with a page
    Serve(Box<serve::ServeArgs>),
    /// Find the sources of documents, and the passages that they share
    Sources(Box<sources::SourcesArgs>),
    /// Cut repeated passages out of texts; their first occurrence stays
    Cut(Box<cut::CutArgs>),
    /// Try another threshold or choice of copies on saved pairs
    Recluster(Box<recluster::ReclusterArgs>),
    /// Save ids and shingle sets, to compare with them later
    Snapshot(Box<snapshot::SnapshotArgs>),
    /// Write the SimHash fingerprint of each document
    Fingerprint(Box<fingerprint::FingerprintArgs>),
    /// Write the MinHash signature of each document
    Signatures(Box<signatures::SignatureArgs>),
    /// Compare two documents: verdict, differences and common passages
    Compare(Box<compare::CompareArgs>),
    /// Choose bands, rows and permutations for a threshold
    Plan(plan::PlanArgs),
    /// List exact copies by bytes and by normalized text
    Checksum(checksum::ChecksumArgs),
    /// Print a script that completes commands and flags in a shell
    Completions(pages::CompletionsArgs),
    /// Print a manual page
    Man(pages::ManArgs),
}

impl Command {
    /// The flags that the next step after an error may name.
    fn flags(&self, arguments: &[OsString]) -> Flags {
        Flags {
            records: if matches!(self, Self::Recluster(_)) { "--records" } else { "--output" },
            has_references: matches!(self, Self::Dedup(args) if args.has_references()),
            can_skip: !matches!(self, Self::Compare(_) | Self::Recluster(_)) && have_several_files(arguments),
        }
    }
}

/// The commands with their flags: for tests that each flag is used or refused.
#[doc(hidden)]
pub fn program() -> clap::Command {
    taking_negative_numbers(Cli::command())
}

/// Value names of flags that take a number, or a unit with one.
const NUMBERS: [&str; 14] =
    ["B", "BITS", "C", "D", "E", "K", "N", "P", "PERCENT", "R", "S", "SELECTION", "T", "UNIT:N"];

/// A command whose flags for numbers take negative ones, too: their parsers say which are expected, where the parser of
/// the command line would call a negative number an unknown flag.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    let is_number = |argument: &Arg| {
        let names = argument.get_value_names().unwrap_or_default();
        !argument.is_positional() && names.iter().any(|name| NUMBERS.contains(&name.as_str()))
    };
    let with_numbers = |argument: Arg| {
        let may_be_negative = is_number(&argument);
        argument.allow_negative_numbers(may_be_negative)
    };
    command.mut_args(with_numbers).mut_subcommands(taking_negative_numbers)
}

/// Runs the command with these arguments, of which the first is its name. Answers go to standard output and files,
/// words to standard error.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitStatus {
    faults::keep_decoders_quiet();
    faults::become_errors();
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    apply_color_choice(arguments.iter().map(OsString::as_os_str));
    if let Some(refused) = messages::refuse_single_dash(program, &arguments) {
        return refused;
    }
    // Describing all flags takes a millisecond, so it is done once.
    let mut described = program();
    let parsed = described.try_get_matches_from_mut(&arguments).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut described))?;
        Ok((cli, PresentFlags::from_matches(&matches, &described)))
    });
    let (cli, given) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return messages::refuse(&error, &mut program(), &arguments),
    };
    let voice = cli.voice.voice();
    let flags = cli.command.flags(&arguments);
    let result = given.check().and_then(|()| run_command(cli.command, voice));
    match result {
        Ok(status) => status,
        Err(error) if is_broken_pipe(&error) => ExitStatus::Done,
        Err(error) => {
            say_error(format_args!("{error:#}{}", next_step(&error, flags, &arguments)));
            match error.downcast_ref() {
                Some(lookalike::Error::Interrupted { .. }) => ExitStatus::Interrupted,
                _ => ExitStatus::Failed,
            }
        }
    }
}

/// Runs a command that was parsed.
fn run_command(command: Command, voice: messages::Voice) -> anyhow::Result<ExitStatus> {
    match command {
        Command::Dedup(args) => dedup::run(&args, voice),
        Command::Pairs(args) => list::run_pairs(&args, voice),
        Command::Clusters(args) => list::run_clusters(&args, voice),
        Command::Search(args) => search::run(&args, voice),
        Command::Index(args) => index::run(&args, voice),
        Command::Serve(args) => serve::run(&args, voice),
        Command::Sources(args) => sources::run(&args, voice),
        Command::Cut(args) => cut::run(&args, voice),
        Command::Recluster(args) => recluster::run(&args, voice),
        Command::Snapshot(args) => snapshot::run(&args, voice),
        Command::Fingerprint(args) => fingerprint::run(&args, voice),
        Command::Signatures(args) => signatures::run(&args, voice),
        Command::Compare(args) => compare::run(&args),
        Command::Plan(args) => plan::run(&args, voice),
        Command::Checksum(args) => checksum::run(&args, voice),
        Command::Completions(args) => pages::print_completions(&args, program()).map(|()| ExitStatus::Done),
        Command::Man(args) => pages::print_manual(&args, program()).map(|()| ExitStatus::Done),
    }
}

/// True if arguments name a folder, a pattern, or several files: one of them may be left out.
fn have_several_files(arguments: &[OsString]) -> bool {
    let paths = || arguments.iter().skip(2).map(Path::new);
    let is_of_many = |path: &Path| path.is_dir() || path.to_str().is_some_and(|path| path.contains(['*', '?', '[']));
    paths().any(is_of_many) || paths().filter(|path| path.is_file()).nth(1).is_some()
}

/// The next step after an error, as the end of its line.
fn next_step(error: &anyhow::Error, flags: Flags, arguments: &[OsString]) -> String {
    let misread = match error.downcast_ref() {
        Some(lookalike::Error::Io(lookalike::details::IoError::Io { path, source, .. }))
            if source.kind() == ErrorKind::NotFound =>
        {
            messages::flag_before(path, &mut program(), arguments)
        }
        _ => None,
    };
    misread.unwrap_or_else(|| messages::hint(error, flags))
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

    #[test]
    fn arguments_are_consistent() {
        program().debug_assert();
    }
}
