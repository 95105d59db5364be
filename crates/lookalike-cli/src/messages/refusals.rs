//! Arguments that are refused: in the words and with the prefix of all other errors, and with the flag that was meant.

use super::words::say_error;
use crate::outcome::ExitStatus;
use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Command, Error};
use lookalike::shown;
use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

/// Names of flags in other programs, with the flag that is meant here, and with how it is used where that is not plain.
/// Of several uses of a name, the first one whose value the command takes is meant.
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
    (&["json", "jsonl"], "format", "--format jsonl"),
    (&["csv"], "format", "--format csv"),
    (&["exact"], "method", "--method exact"),
    (&["minhash", "lsh"], "method", "--method minhash"),
    (&["skip-errors", "ignore-errors", "skip-bad"], "on-error", "--on-error skip"),
    (&["no-color", "colour"], "color", "--color never"),
    (&["no-progress"], "progress", "--progress never"),
    (&["case-sensitive", "keep-case", "no-lowercase"], "lowercase", "--lowercase false"),
    (&["ignore-case", "case-insensitive", "lower"], "lowercase", "--lowercase true, the default"),
    (&["html"], "strip-html", ""),
    (&["delimiter", "sep"], "input-format", "--input-format csv"),
    (&["quotes", "quoting", "quote-char", "quotechar", "no-quotes"], "quote", "--quote none"),
];

/// Maximum number of letters that are added, left out, exchanged or turned around in a name that is mistyped.
const MAX_SLIPS: usize = 2;

/// Minimum length of the beginning of a name that is taken for it.
const MIN_BEGINNING: usize = 4;

/// Flags that other programs have for inputs.
const INPUTS: &[&str] = &["i", "in", "input", "inputs", "infile", "input-file", "file", "files", "path"];

/// Answers arguments that do not make a command: help and version on standard output, a refusal on standard error.
pub(crate) fn refuse(error: &Error, program: &mut Command, arguments: &[OsString]) -> ExitStatus {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader of the help that has gone is no failure.
            let _ = error.print();
            return ExitStatus::Done;
        }
        // No command at all: the help is the answer.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
        }
        ErrorKind::ValueValidation => refuse_value(error),
        ErrorKind::UnknownArgument => match unknown_argument(error, program, arguments) {
            Some(line) => say_error(line),
            None => say_usage(error),
        },
        ErrorKind::InvalidSubcommand => match input_without_command(error) {
            Some(line) => say_error(line),
            None => say_usage(error),
        },
        _ => say_usage(error),
    }
    ExitStatus::Failed
}

fn part(error: &Error, kind: ContextKind) -> String {
    error.get(kind).map(ToString::to_string).unwrap_or_default()
}

/// One line, as for all errors that turn up later. The value stands in it once: many reasons quote it.
fn refuse_value(error: &Error) {
    let (flag, value) = (part(error, ContextKind::InvalidArg), part(error, ContextKind::InvalidValue));
    let reason = error.source().map(ToString::to_string).unwrap_or_default();
    let value = if reason.contains(&format!("`{value}`")) { String::new() } else { format!(" '{}'", shown(&value)) };
    let percent = part(error, ContextKind::InvalidValue).trim_end_matches('%').parse().ok();
    let share = percent.filter(|percent| flag.starts_with("--threshold") && (2..100).contains(percent));
    let step =
        share.map_or_else(String::new, |percent: u32| format!("; {percent} % are {}", f64::from(percent) / 100.0));
    say_error(format_args!("invalid value{value} for '{flag}': {reason}{step}"));
}

/// The line for an argument that a command does not know; `None` where the parser knows one of a similar name.
fn unknown_argument(error: &Error, program: &mut Command, arguments: &[OsString]) -> Option<String> {
    program.build();
    let command = arguments.iter().skip(1).find_map(|argument| program.find_subcommand(argument))?;
    let has = |command: &Command, flag: &str| command.get_arguments().any(|known| known.get_long() == Some(flag));
    let given = part(error, ContextKind::InvalidArg);
    let help = format!("'lookalike {} --help' lists all", command.get_name());
    if !given.starts_with('-') {
        let step = if has(command, "documents") { ": see --documents" } else { "" };
        return Some(format!("no place for '{}'{step} ({help})", shown(&given)));
    }
    let name = given.trim_start_matches('-').split('=').next().unwrap_or_default().replace('_', "-");
    let no_flag = format!("no flag '{}'", shown(&given));
    if INPUTS.contains(&name.as_str()) && command.get_positionals().next().is_some() {
        return Some(format!("{no_flag}: inputs stand without a flag, as in 'lookalike {} FILE'", command.get_name()));
    }
    if let Some(meant) = meant_flag(&name, command).or_else(|| beginning_flag(&name, command)) {
        return Some(format!("{no_flag}: see {meant} ({help})"));
    }
    if part(error, ContextKind::SuggestedArg).split_whitespace().next().is_some_and(|flag| is_slip(&name, flag)) {
        return None;
    }
    let other = program.get_subcommands().find(|other| has(other, &name));
    let step = other.map(|other| format!(": 'lookalike {}' has it", other.get_name())).unwrap_or_default();
    Some(format!("{no_flag}{step} ({help})"))
}

/// How the flag is used that is meant by a name of another program, if the command has it.
fn meant_flag(name: &str, command: &Command) -> Option<String> {
    let uses = MEANT.iter().filter(|(names, ..)| names.contains(&name));
    let (_, flag, use_as) = uses.into_iter().find(|(_, flag, use_as)| {
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(flag));
        argument.is_some_and(|argument| takes(argument, use_as))
    })?;
    Some(if use_as.is_empty() { format!("--{flag}") } else { (*use_as).to_owned() })
}

/// The only flag of the command that begins with a name.
fn beginning_flag(name: &str, command: &Command) -> Option<String> {
    let mut flags = command.get_arguments().filter_map(Arg::get_long).filter(|flag| flag.starts_with(name));
    let only = flags.next().filter(|_| name.len() >= MIN_BEGINNING)?;
    flags.next().is_none().then(|| format!("--{only}"))
}

/// Whether an argument takes the value in `--flag value, ...`; one without a list of values takes any.
fn takes(argument: &Arg, use_as: &str) -> bool {
    let value = use_as.split_whitespace().nth(1).map(|value| value.trim_end_matches(','));
    let possible = argument.get_possible_values();
    value.is_none_or(|value| possible.is_empty() || possible.iter().any(|known| known.matches(value, false)))
}

/// Whether `name` is the name of `flag`, mistyped: the parser also proposes flags that only look a little like it, and
/// do something else.
fn is_slip(name: &str, flag: &str) -> bool {
    let flag = flag.trim_start_matches('-');
    let slips = strsim::damerau_levenshtein(name, flag);
    slips <= MAX_SLIPS && slips * 2 < name.len().min(flag.len())
}

/// The line for a file that stands where a command belongs.
fn input_without_command(error: &Error) -> Option<String> {
    let given = part(error, ContextKind::InvalidSubcommand);
    let line = || format!("no command '{0}': did you mean 'lookalike dedup {0}'?", shown(&given));
    Path::new(&given).exists().then(line)
}

/// The words of the parser, behind our own prefix.
fn say_usage(error: &Error) {
    let words = error.render().ansi().to_string();
    let words = words.split_once("error:").map_or(words.as_str(), |(_, behind)| behind);
    let words = words.strip_prefix("\u{1b}[0m").unwrap_or(words).trim();
    match error.kind() {
        // The help says "command".
        ErrorKind::MissingSubcommand | ErrorKind::InvalidSubcommand => {
            say_error(words.replace("subcommand", "command"))
        }
        _ => say_error(words),
    }
}
