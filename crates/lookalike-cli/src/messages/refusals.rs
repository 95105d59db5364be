//! Arguments that are refused: in one line, in the words and with the prefix of all other errors, and with the flag
//! that was meant. The parser says what is wrong by kind and context; its own sentences, of five lines, are not shown.

use super::remarks::{meant_value, remark_on};
use super::words::say_error;
use crate::outcome::ExitStatus;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use lookalike::doors::{printed_path, shown};
use lookalike::index::MANIFEST;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Names of flags in other programs, with the flag that is meant here, and with how it is used where that is not plain.
/// Of several uses of a name, the first one whose value the command takes is meant.
const MEANT: &[(&[&str], &str, &str)] = &[
    (&["k", "top-k", "topk"], "top", "--top 20"),
    (&["ngram", "ngrams", "ngram-size", "n-gram", "k", "shingles", "shingle-size"], "shingle", "--shingle word:3"),
    (&["job", "jobs", "thread", "workers", "num-workers", "num-threads", "cpus", "cores"], "threads", ""),
    (&["similarity", "min-similarity", "sim", "score", "cutoff"], "threshold", "--threshold 0.8"),
    (&["jaccard"], "measure", "--measure jaccard"),
    (&["containment"], "measure", "--measure containment"),
    (&["cosine"], "measure", "--measure cosine"),
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
    (&["reference", "references", "ref"], "against", ""),
    (&["ignore-file", "skip-files", "glob"], "exclude", "--exclude '*.bak'"),
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
    (&["limit", "max-results", "num-results", "n"], "top", "--top 20"),
    (&["fuzzy", "approximate"], "threshold", "--threshold 0.8"),
    (&["port", "address", "bind", "addr"], "listen", "--listen 127.0.0.1:8080"),
    (&["bits", "num-bits"], "fingerprint-bits", "--fingerprint-bits 64"),
    (&["quotes", "quoting", "quote-char", "quotechar", "no-quotes"], "quote", "--quote none"),
];

/// Names of commands in other programs, by the command that they stand behind, with what is meant here.
const MEANT_COMMANDS: &[(&str, &[&str], &str)] = &[
    ("index", &["delete", "del", "rm", "drop"], "lookalike index remove"),
    ("index", &["list", "ls", "show", "stats", "status"], "lookalike index info"),
    ("index", &["search", "query", "find"], "lookalike search --in IDX"),
    ("index", &["put", "insert", "update", "append"], "lookalike index add"),
    ("index", &["build", "new", "init"], "lookalike index create"),
    ("lookalike", &["query", "find", "nearest"], "lookalike search"),
    ("lookalike", &["diff"], "lookalike compare"),
    ("lookalike", &["hash"], "lookalike checksum"),
    ("lookalike", &["duplicates", "unique", "uniq"], "lookalike dedup"),
    ("lookalike", &["group", "cluster"], "lookalike clusters"),
    ("lookalike", &["server"], "lookalike serve"),
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
        _ => {
            program.build();
            let program = &*program;
            say_error(
                RefusedArguments { error, named: NamedCommand::new(program, arguments), program, arguments }.line(),
            );
        }
    }
    ExitStatus::Failed
}

/// A flag of several letters behind a single dash, which the parser takes for flags of one letter: `-output x` would
/// write to a file named `utput`. A name is one of the command, mistyped or not, or one of another program.
pub(crate) fn refuse_single_dash(program: impl FnOnce() -> Command, arguments: &[OsString]) -> Option<ExitStatus> {
    let texts = || arguments.iter().skip(1).map_while(|argument| argument.to_str().filter(|text| *text != "--"));
    let pasted = texts().find(|text| text.starts_with(['–', '—', '−']) && !Path::new(text).exists());
    if let Some(text) = pasted {
        let name = text.trim_start_matches(['–', '—', '−', '-']);
        say_error(format_args!("no flag '{}': a flag begins with the sign of the keyboard, --{name}", shown(text)));
        return Some(ExitStatus::Failed);
    }
    let mut single = texts().filter_map(|text| {
        let name = text.strip_prefix('-')?.split('=').next()?;
        let is_name = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        (is_name && !name.starts_with('-')).then_some((text, name))
    });
    let first = single.next()?;
    let mut program = program();
    program.build();
    let command = NamedCommand::new(&program, arguments).command;
    let (text, meant) = std::iter::once(first).chain(single).find_map(|(text, name)| {
        let known = || command.get_arguments().filter_map(Arg::get_long);
        let slip = || known().find(|flag| name.len() >= MIN_BEGINNING && is_slip(name, flag));
        let exact = known().find(|flag| *flag == name);
        let named = exact.map(|flag| format!("--{flag}")).or_else(|| meant_flag(name, command));
        Some((text, named.or_else(|| slip().map(|flag| format!("--{flag}")))?))
    })?;
    say_error(format_args!("no flag '{}': a name of several letters stands behind two dashes, {meant}", shown(text)));
    Some(ExitStatus::Failed)
}

/// The flag without a value behind which a word for yes or no stands that was read as an input.
pub(crate) fn flag_before(word: &Path, program: &mut Command, arguments: &[OsString]) -> Option<String> {
    const YES_AND_NO: [&str; 8] = ["true", "false", "yes", "no", "on", "off", "1", "0"];
    let word = word.to_str().filter(|word| YES_AND_NO.contains(word))?;
    program.build();
    let command = NamedCommand::new(program, arguments).command;
    let place = arguments.iter().position(|argument| argument == word)?;
    let flag = arguments.get(place.checked_sub(1)?)?.to_str()?.strip_prefix("--")?;
    let argument = command.get_arguments().find(|known| known.get_long() == Some(flag))?;
    (!argument.get_action().takes_values()).then(|| format!("; '--{flag}' takes no value: leave '{word}' out"))
}

/// The command that arguments ask for.
struct NamedCommand<'a> {
    command: &'a Command,
    /// Its name with those of the commands that it belongs to, as `lookalike index add`.
    name: String,
}

impl<'a> NamedCommand<'a> {
    /// The innermost command that the arguments name: the program itself, if they name none.
    fn new(program: &'a Command, arguments: &[OsString]) -> Self {
        let mut named = Self { command: program, name: program.get_name().to_owned() };
        for argument in arguments.iter().skip(1) {
            if let Some(command) = named.command.find_subcommand(argument) {
                named = Self { command, name: format!("{} {}", named.name, command.get_name()) };
            }
        }
        named
    }

    fn has(&self, flag: &str) -> bool {
        self.command.get_arguments().any(|known| known.get_long() == Some(flag))
    }

    /// A reference to the help, where all flags stand.
    fn help(&self) -> String {
        format!("'{} --help' lists all", self.name)
    }
}

/// Arguments that are refused, and why.
struct RefusedArguments<'a> {
    error: &'a Error,
    named: NamedCommand<'a>,
    program: &'a Command,
    arguments: &'a [OsString],
}

impl RefusedArguments<'_> {
    /// The error and the next step, in a line.
    fn line(&self) -> String {
        let given = || self.part(ContextKind::InvalidArg);
        match self.error.kind() {
            ErrorKind::ValueValidation => self.value(),
            ErrorKind::InvalidValue if self.part(ContextKind::InvalidValue).is_empty() => {
                format!("'{}' needs a value{}", given(), self.about_argument(&given()))
            }
            ErrorKind::InvalidValue => self.choice(),
            ErrorKind::UnknownArgument => self.unknown_argument(),
            ErrorKind::InvalidSubcommand => self.unknown_command(),
            ErrorKind::MissingSubcommand => {
                format!("'{}' needs a command: {}", self.named.name, names_of_commands(self.named.command))
            }
            ErrorKind::ArgumentConflict => match self.part(ContextKind::PriorArg) {
                prior if prior == given() => format!("'{prior}' is given twice: once is enough"),
                prior if self.asks_without_corpus() => {
                    format!("'{}' cannot be used with '{prior}': the documents to look in stand behind --in", given())
                }
                prior => format!("'{}' cannot be used with '{prior}': leave one of them out", given()),
            },
            ErrorKind::MissingRequiredArgument => self.missing(),
            ErrorKind::NoEquals => format!("the value of '{}' stands behind =, without a blank", given()),
            ErrorKind::TooManyValues => {
                let value = self.part(ContextKind::InvalidValue);
                let flag = given();
                format!("'{flag}' takes no value: leave '{}' out, or the flag", shown(&value))
            }
            ErrorKind::InvalidUtf8 => self.not_utf8(),
            _ => self.first_line(),
        }
    }

    /// A value that is not UTF-8 where it has to be: the flag before it is known, the parser does not say more.
    fn not_utf8(&self) -> String {
        let is_flag = |argument: &OsString| argument.to_str().is_some_and(|text| text.starts_with("--"));
        let Some(place) = self.arguments.iter().position(|argument| argument.to_str().is_none()) else {
            return "an argument is not UTF-8".to_owned();
        };
        let value = printed_path(Path::new(&self.arguments[place]));
        match self.arguments[..place].iter().rev().find(|argument| is_flag(argument)) {
            Some(flag) => format!("'{}' behind '{}' is not UTF-8", shown(&value), flag.to_string_lossy()),
            None => format!("'{}' is not UTF-8", shown(&value)),
        }
    }

    /// True if a search has inputs and a query, and nothing to look in: then the inputs were meant for that.
    fn asks_without_corpus(&self) -> bool {
        self.named.command.get_name() == "search" && !self.arguments.iter().any(|argument| argument == "--in")
    }

    fn part(&self, kind: ContextKind) -> String {
        match self.error.get(kind) {
            Some(ContextValue::Strings(all)) => all.join("', '"),
            Some(value) => value.to_string(),
            None => String::new(),
        }
    }

    /// The first line of the words of the parser.
    fn first_line(&self) -> String {
        let words = self.error.render().to_string();
        let words = words.trim_start().strip_prefix("error:").unwrap_or(&words).trim();
        words.lines().next().unwrap_or_default().to_owned()
    }

    /// A value that its parser refuses. It stands in the line once: many reasons quote it.
    fn value(&self) -> String {
        let flag = self.part(ContextKind::InvalidArg);
        let value = self.part(ContextKind::InvalidValue);
        let reason = self.error.source().map(ToString::to_string).unwrap_or_default();
        let quoted =
            if reason.contains(&format!("`{value}`")) { String::new() } else { format!(" '{}'", shown(&value)) };
        let step = step_for_value(flag.split([' ', '=']).next().unwrap_or_default(), &value);
        format!("invalid value{quoted} for '{flag}': {reason}{}", step.unwrap_or_default())
    }

    /// A value that is none of those that are known.
    fn choice(&self) -> String {
        let flag = self.part(ContextKind::InvalidArg);
        let value = self.part(ContextKind::InvalidValue);
        let known = match self.error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(all)) => all.join(", "),
            _ => String::new(),
        };
        let suggested = self.part(ContextKind::SuggestedValue);
        let meant = meant_value(&flag, &value).map(str::to_owned).or((!suggested.is_empty()).then_some(suggested));
        let meant = meant.filter(|meant| {
            let word = meant.split(' ').next().unwrap_or_default();
            known.split(", ").any(|known| known == word)
        });
        let step = meant.map_or_else(String::new, |meant| format!("; did you mean {meant}?"));
        format!("invalid value '{}' for '{flag}': expected {known}{step}", shown(&value))
    }

    /// Arguments that the command, or another argument, needs.
    fn missing(&self) -> String {
        let all = match self.error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(all)) => all.clone(),
            _ => Vec::new(),
        };
        let about = match &all[..] {
            [one] => self.about_argument(one),
            _ => format!(" ({})", self.named.help()),
        };
        let mut needed = self.named.command.get_arguments().filter(|argument| all.contains(&argument.to_string()));
        let who = if needed.any(Arg::is_required_set) {
            format!("'{}' needs", self.named.name)
        } else {
            "a flag that is given needs another,".to_owned()
        };
        format!("{who} {}{about}", all.join(" and "))
    }

    /// The first sentence of the help for an argument, as it stands in usages.
    fn about_argument(&self, shown: &str) -> String {
        let is_it = |argument: &&Arg| argument.to_string() == shown;
        let help = self.named.command.get_arguments().find(is_it).and_then(Arg::get_help).map(ToString::to_string);
        let help = help.and_then(|help| help.split(" [default").next().map(str::to_owned));
        help.map_or_else(String::new, |help| format!(": {help}"))
    }

    /// An argument that the command does not know.
    fn unknown_argument(&self) -> String {
        let given = self.part(ContextKind::InvalidArg);
        let help = self.named.help();
        if !given.starts_with('-') {
            return format!("no place for '{}'{} ({help})", shown(&given), self.step_without_place());
        }
        let name = given.trim_start_matches('-').split('=').next().unwrap_or_default().replace('_', "-");
        let no_flag = format!("no flag '{}'", shown(&given));
        let command = self.named.command;
        if name == "in" && command.get_name() == "sources" {
            return format!("{no_flag}: the documents that may be sources stand behind --against ({help})");
        }
        if INPUTS.contains(&name.as_str()) && command.get_positionals().next().is_some() {
            return format!("{no_flag}: inputs stand without a flag, as in '{} FILE'", self.named.name);
        }
        if let Some(meant) = meant_flag(&name, command).or_else(|| beginning_flag(&name, command)) {
            return format!("{no_flag}: see {meant} ({help})");
        }
        if let Some(remark) = remark_on(&name, command) {
            return format!("{no_flag}: {remark}");
        }
        let suggested = self.part(ContextKind::SuggestedArg);
        if let Some(flag) = suggested.split_whitespace().next().filter(|flag| is_slip(&name, flag)) {
            return format!("{no_flag}: did you mean '{flag}'? ({help})");
        }
        let has = |command: &&Command| command.get_arguments().any(|known| known.get_long() == Some(&name));
        let other = self.program.get_subcommands().find(has);
        let step = other.map(|other| format!(": 'lookalike {}' has it", other.get_name())).unwrap_or_default();
        format!("{no_flag}{step} ({help})")
    }

    /// The place of an argument that stands behind all that the command takes.
    fn step_without_place(&self) -> &'static str {
        match self.named.command.get_name() {
            "plan" => ": plan reads no documents, --threshold and --recall say what is planned",
            "compare" if self.arguments.iter().any(|argument| argument == "--in") => {
                ": each input has a flag of its own, --in A --in B"
            }
            "compare" => ": two documents are compared, with --in FILE two ids of that file",
            _ if self.named.has("documents") => ": see --documents",
            _ => "",
        }
    }

    /// A word that stands where a command belongs.
    fn unknown_command(&self) -> String {
        let given = self.part(ContextKind::InvalidSubcommand);
        let word = shown(&given);
        let name = &self.named.name;
        let path = Path::new(&given);
        let is_named_like_a_file = path.exists() || path.extension().is_some() || given.contains('/');
        let command = self.named.command.get_name();
        let of_others = MEANT_COMMANDS.iter().find(|(of, names, _)| *of == command && names.contains(&&*given));
        let meant = match command {
            _ if let Some((.., meant)) = of_others => Some((*meant).to_owned()),
            "index" if path.join(MANIFEST).is_file() => Some(format!("{name} info {word}")),
            "index" if path.exists() => Some(format!("{name} create {}.idx {word}", stem(path))),
            "index" if is_named_like_a_file => Some(format!("{name} create {word} FILE")),
            "lookalike" if path.exists() => Some(format!("{name} dedup {word}")),
            _ => self.nearest_command(&given).map(|nearest| format!("{name} {nearest}")),
        };
        match meant {
            Some(meant) => format!("no command '{word}': did you mean '{meant}'?"),
            None => format!("no command '{word}' ({})", self.named.help()),
        }
    }

    /// The command whose name is meant by a mistyped one.
    fn nearest_command(&self, given: &str) -> Option<String> {
        let names = self.named.command.get_subcommands().map(Command::get_name);
        let slips = |name: &&str| strsim::damerau_levenshtein(given, name);
        let nearest = names.min_by_key(slips)?;
        let is_meant = is_slip(given, nearest) || given.len() >= MIN_BEGINNING && nearest.starts_with(given);
        is_meant.then(|| nearest.to_owned())
    }
}

/// The name of a file without its extensions.
fn stem(path: &Path) -> String {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    shown(name.split('.').find(|part| !part.is_empty()).unwrap_or("new"))
}

/// The names of the commands that a command has.
fn names_of_commands(command: &Command) -> String {
    let names = command.get_subcommands().map(Command::get_name).filter(|name| *name != "help");
    names.collect::<Vec<_>>().join(", ")
}

/// The probable meaning of a value that a parser has refused.
fn step_for_value(flag: &str, value: &str) -> Option<String> {
    match flag {
        "--recall" if ["1", "1.0", "100", "100%"].contains(&value) => Some("; --method exact finds all".to_owned()),
        "--threshold" | "--recall" => {
            let with_point = value.replace(',', ".");
            let is_comma = value.contains(',') && with_point.parse::<lookalike::measures::Threshold>().is_ok();
            let decimal = || is_comma.then(|| format!("; decimals stand behind a point: {with_point}"));
            step_for_percent(&with_point).or_else(decimal)
        }
        "--memory" | "--max-document" if value.contains(',') => {
            Some(format!("; decimals stand behind a point: {}", value.replace(',', ".")))
        }
        "--shingle" if value.parse::<u16>().is_ok_and(|number| number > 0) => {
            Some(format!("; did you mean word:{value}?"))
        }
        "--keep" if !value.is_empty() && !value.contains(':') && !["max", "min"].contains(&value) => {
            Some("; the name of a field stands behind max: or min:".to_owned())
        }
        _ => None,
    }
}

/// The share that is meant by a number of percent.
fn step_for_percent(value: &str) -> Option<String> {
    let number = value.trim_end_matches('%').trim_end();
    let percent: f64 = number.parse().ok().filter(|percent| (2.0..=100.0).contains(percent))?;
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let share = format!("{:.*}", decimals + 2, percent / 100.0);
    Some(format!("; {number} % are {}", share.trim_end_matches('0').trim_end_matches('.')))
}

/// The use of the flag that is meant by a name of another program, if the command has it.
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

/// True if an argument takes the value in `--flag value, ...`; one without a list of values takes any.
fn takes(argument: &Arg, use_as: &str) -> bool {
    let value = use_as.split_whitespace().nth(1).map(|value| value.trim_end_matches(','));
    let possible = argument.get_possible_values();
    value.is_none_or(|value| possible.is_empty() || possible.iter().any(|known| known.matches(value, false)))
}

/// True if `name` is the name of `flag`, mistyped: the parser also proposes flags that only look a little like it, and
/// do something else.
fn is_slip(name: &str, flag: &str) -> bool {
    let flag = flag.trim_start_matches('-');
    let slips = strsim::damerau_levenshtein(name, flag);
    slips <= MAX_SLIPS && slips * 2 < name.len().min(flag.len())
}
