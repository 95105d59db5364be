//! Arguments that are refused: in the words and with the prefix of all other errors, and with the flag that was meant.

use super::words::say_error;
use clap::error::{ContextKind, ErrorKind};
use clap::{Command, Error};
use lookalike::shown;
use std::error::Error as _;
use std::ffi::OsString;
use std::process::ExitCode;

/// Names of flags in other programs, with the flag that is meant here, and with how it is used where that is not plain.
const MEANT: &[(&[&str], &str, &str)] = &[
    (&["ngram", "ngrams", "ngram-size", "n-gram", "k", "shingles", "shingle-size"], "shingle", "--shingle word:3"),
    (&["job", "jobs", "thread", "workers", "num-workers", "num-threads", "cpus", "cores"], "threads", ""),
    (&["similarity", "min-similarity", "jaccard", "sim", "score", "cutoff"], "threshold", "--threshold 0.8"),
    (&["output-format", "out-format", "to", "type", "layout"], "format", ""),
    (&["explain", "debug", "stats"], "verbose", ""),
    (&["silent"], "quiet", ""),
    (&["out", "outfile", "out-file", "output-file", "out-dir", "output-dir"], "output", ""),
    (&["num-perm", "num-perms", "perms", "hashes", "num-hashes"], "permutations", ""),
    (&["text", "text-column", "text-key", "column", "field", "content"], "text-field", ""),
    (&["id", "id-column", "id-key", "key"], "id-field", ""),
    (&["max-memory", "mem", "ram"], "memory", "--memory 4GiB"),
    (&["tmp", "tmp-dir", "tmpdir", "temp"], "temp-dir", ""),
    (&["resume", "checkpoint", "checkpoints"], "work-dir", ""),
    (&["reference", "references", "ref", "exclude"], "against", ""),
    (&["removed-file", "duplicates", "dups", "report"], "removed", "--removed why.csv"),
    (&["json"], "format", "--format json"),
    (&["skip-errors", "ignore-errors", "skip-bad"], "on-error", "--on-error skip"),
    (&["no-color", "colour"], "color", "--color never"),
    (&["no-progress"], "progress", "--progress never"),
    (&["case-sensitive", "ignore-case", "lower"], "lowercase", "--lowercase false"),
    (&["html"], "strip-html", ""),
    (&["delimiter", "sep"], "input-format", "--input-format csv"),
];

/// Answers arguments that do not make a command: help and version on standard output, a refusal on standard error.
pub(crate) fn refuse(error: &Error, program: &mut Command, arguments: &[OsString]) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader of the help that has gone is no failure.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        // No command at all: the help is the answer.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
        }
        ErrorKind::ValueValidation => refuse_value(error),
        ErrorKind::UnknownArgument => match meant_flag(error, program, arguments) {
            Some(line) => say_error(line),
            None => say_usage(error),
        },
        _ => say_usage(error),
    }
    ExitCode::from(2)
}

fn part(error: &Error, kind: ContextKind) -> String {
    error.get(kind).map(ToString::to_string).unwrap_or_default()
}

/// One line, as for all errors that turn up later. The value stands in it once: many reasons quote it.
fn refuse_value(error: &Error) {
    let (flag, value) = (part(error, ContextKind::InvalidArg), part(error, ContextKind::InvalidValue));
    let reason = error.source().map(ToString::to_string).unwrap_or_default();
    let value = if reason.contains(&format!("`{value}`")) { String::new() } else { format!(" '{}'", shown(&value)) };
    say_error(format_args!("invalid value{value} for '{flag}': {reason}"));
}

/// The line that names the flag that was meant, if the command has one and the parser has found none of a similar name.
fn meant_flag(error: &Error, program: &mut Command, arguments: &[OsString]) -> Option<String> {
    let given = part(error, ContextKind::InvalidArg);
    let name = given.trim_start_matches('-').split('=').next().unwrap_or_default().replace('_', "-");
    let (_, flag, use_as) = MEANT.iter().find(|(names, ..)| names.contains(&name.as_str()))?;
    program.build();
    let command = arguments.iter().skip(1).find_map(|argument| program.find_subcommand(argument))?;
    command.get_arguments().find(|argument| argument.get_long() == Some(flag))?;
    let example = if use_as.is_empty() { format!("--{flag}") } else { (*use_as).to_owned() };
    let command = command.get_name();
    Some(format!("no flag '{}': see {example} ('lookalike {command} --help' lists all)", shown(&given)))
}

/// The words of the parser, behind our own prefix.
fn say_usage(error: &Error) {
    let words = error.render().ansi().to_string();
    let words = words.split_once("error:").map_or(words.as_str(), |(_, behind)| behind);
    let words = words.strip_prefix("\u{1b}[0m").unwrap_or(words);
    say_error(words.trim());
}
