//! How much is said, and in which colors.

use super::When;
use crate::messages::Voice;
use anstream::ColorChoice;
use clap::Args;
use std::ffi::OsStr;

/// How much is said, and in which colors.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct VoiceArgs {
    /// Say nothing but errors and records that are left out
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more: tables, stages, times; -vv: all sources
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Colors; auto: at a terminal, unless NO_COLOR is set
    #[arg(long, global = true, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t)]
    color: When,
    /// Print help: with -h the common flags, with --help all
    #[arg(short, long, global = true, action = clap::ArgAction::Help)]
    help: Option<bool>,
}

impl VoiceArgs {
    /// How much is said.
    pub(crate) fn voice(self) -> Voice {
        match self {
            Self { quiet: true, .. } => Voice::Quiet,
            Self { verbose: 0, .. } => Voice::Normal,
            Self { verbose: 1, .. } => Voice::Verbose,
            Self { .. } => Voice::Everything,
        }
    }
}

/// Follows `--color`, before the arguments are parsed: help and errors of the parser follow it, too.
pub(crate) fn follow_color<'a>(arguments: impl IntoIterator<Item = &'a OsStr>) {
    let mut arguments = arguments.into_iter().filter_map(OsStr::to_str).take_while(|argument| *argument != "--");
    let mut choice = ColorChoice::Auto;
    while let Some(argument) = arguments.next() {
        let value = match argument.strip_prefix("--color") {
            Some("") => arguments.next(),
            Some(rest) => rest.strip_prefix('='),
            None => continue,
        };
        choice = match value {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            _ => choice,
        };
    }
    choice.write_global();
}
