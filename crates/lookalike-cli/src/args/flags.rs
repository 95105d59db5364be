//! The flags that a user gave, and which of them are about something that the job does not do.
//!
//! Most flags that do not go together are refused by the parser, by the parameters, or by the job when it knows its
//! inputs. Here stand those that need some other flag, in one command and not in another: the parser knows no such rule
//! for flags that commands share.

use anyhow::{Result, ensure};
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
struct Needs {
    /// Names of the commands.
    commands: &'static [&'static str],
    flags: &'static [&'static str],
    /// Flags of which one is needed.
    others: &'static [&'static str],
}

/// The flags of inputs.
const OF_INPUTS: &[&str] = &[
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

const NEEDS: &[Needs] = &[
    Needs { commands: &["recluster"], flags: OF_INPUTS, others: &["documents"] },
    Needs { commands: &["recluster"], flags: &["no-clobber"], others: &["output", "removed", "records"] },
    Needs { commands: &["dedup"], flags: &["with-source"], others: &["removed"] },
    Needs {
        commands: &["dedup"],
        flags: &["no-clobber"],
        others: &["output", "removed", "summary", "report", "save-idf"],
    },
    Needs { commands: &["cut"], flags: &["no-clobber"], others: &["output", "removed", "summary"] },
    Needs {
        commands: &["pairs", "clusters", "search"],
        flags: &["no-clobber"],
        others: &["output", "summary", "report", "histogram", "save-idf"],
    },
    Needs {
        commands: &["sources", "checksum", "fingerprint", "signatures"],
        flags: &["no-clobber"],
        others: &["output", "summary", "report"],
    },
    Needs { commands: &["plan"], flags: &["documents"], others: &["vectors"] },
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
        let has = |flag: &&&str| self.flags.contains(**flag);
        for Needs { flags, others, .. } in NEEDS.iter().filter(|needs| needs.commands.contains(&&*self.command)) {
            let idle = flags.iter().find(has).filter(|_| !others.iter().any(|other| has(&other)));
            let named: Vec<String> = others.iter().map(|other| format!("--{other}")).collect();
            ensure!(idle.is_none(), "--{} does nothing without {}", idle.unwrap_or(&""), named.join(" or "));
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
        for Needs { commands, flags, others } in NEEDS {
            for command in commands.iter().map(|name| program.find_subcommand(name).unwrap()) {
                let has = |flag: &&&str| command.get_arguments().any(|argument| argument.get_long() == Some(**flag));
                assert!(flags.iter().all(|flag| has(&flag)), "{} {flags:?}", command.get_name());
                assert!(others.iter().any(|flag| has(&flag)), "{} {others:?}", command.get_name());
            }
        }
    }
}
