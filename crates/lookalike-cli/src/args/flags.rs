//! The flags on the command line, and the refusal of those that do nothing without another flag.
//!
//! Most flags that do not go together are refused by the parser, by the parameters, or by the job when it knows its
//! inputs. Listed here are flags that need another flag in one command and not in another: the parser has no such rule
//! for flags that commands share.

use anyhow::{Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use std::collections::BTreeSet;

/// The long names of the flags that stand on the command line, and of the command.
#[derive(Debug)]
pub(crate) struct PresentFlags {
    command: String,
    flags: BTreeSet<String>,
}

/// Flags of a command that do nothing without some others.
struct FlagRequirement {
    /// Names of the commands.
    commands: &'static [&'static str],
    flags: &'static [&'static str],
    /// Flags of which one is needed.
    others: &'static [&'static str],
}

/// Flags of inputs.
const INPUT_FLAGS: &[&str] = &[
    "input-format",
    "text-field",
    "id-field",
    "encoding",
    "quote",
    "items",
    "item-counts",
    "bits",
    "width",
    "digits",
    "vector",
    "signature",
    "features",
    "unique-ids",
    "on-error",
    "max-document",
];

const REQUIREMENTS: &[FlagRequirement] = &[
    FlagRequirement { commands: &["recluster"], flags: INPUT_FLAGS, others: &["documents"] },
    FlagRequirement { commands: &["recluster"], flags: &["no-clobber"], others: &["output", "removed", "records"] },
    FlagRequirement { commands: &["dedup"], flags: &["with-source"], others: &["removed"] },
    FlagRequirement {
        commands: &["dedup"],
        flags: &["no-clobber"],
        others: &["output", "removed", "summary", "report", "save-idf"],
    },
    FlagRequirement { commands: &["cut"], flags: &["no-clobber"], others: &["output", "removed", "summary"] },
    FlagRequirement {
        commands: &["pairs", "clusters", "search"],
        flags: &["no-clobber"],
        others: &["output", "summary", "report", "histogram", "save-idf"],
    },
    FlagRequirement {
        commands: &["sources", "checksum", "fingerprint", "signatures"],
        flags: &["no-clobber"],
        others: &["output", "summary", "report"],
    },
    FlagRequirement { commands: &["plan"], flags: &["documents"], others: &["vectors"] },
];

impl PresentFlags {
    /// The flags of the innermost command of a program.
    pub(crate) fn from_matches(matches: &ArgMatches, program: &Command) -> Self {
        let mut matches = matches;
        let mut command = program;
        while let Some((name, inner)) = matches.subcommand()
            && let Some(found) = command.find_subcommand(name)
        {
            matches = inner;
            command = found;
        }
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let given = command.get_arguments().filter(|argument| is_given(argument.get_id().as_str()));
        let flags = given.filter_map(|argument| argument.get_long().map(str::to_owned)).collect();
        Self { command: command.get_name().to_owned(), flags }
    }

    /// Checks that no flag is given that does nothing without another one.
    ///
    /// # Errors
    /// If one is.
    pub(crate) fn check(&self) -> Result<()> {
        let is_present = |flag: &str| self.flags.contains(flag);
        for FlagRequirement { commands, flags, others } in REQUIREMENTS {
            let is_met = !commands.contains(&self.command.as_str()) || others.iter().any(|other| is_present(other));
            if is_met {
                continue;
            }
            if let Some(idle) = flags.iter().find(|flag| is_present(flag)) {
                let named: Vec<String> = others.iter().map(|other| format!("--{other}")).collect();
                bail!("--{idle} does nothing without {}", named.join(" or "));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory;

    #[test]
    fn rules_name_commands_and_their_flags() {
        let program = Cli::command();
        for FlagRequirement { commands, flags, others } in REQUIREMENTS {
            for command in commands.iter().map(|name| program.find_subcommand(name).unwrap()) {
                let has = |flag: &str| command.get_arguments().any(|argument| argument.get_long() == Some(flag));
                assert!(flags.iter().all(|flag| has(flag)), "{} {flags:?}", command.get_name());
                assert!(others.iter().any(|flag| has(flag)), "{} {others:?}", command.get_name());
            }
        }
    }
}
