//! Resources of a job, and messages about its run.

use super::values::{memory, threads};
use crate::messages::Voice;
use anstream::ColorChoice;
use anyhow::Result;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use lookalike::{Kernel, Resources};
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Resources of a job.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct ResourceArgs {
    /// Number of threads [default: one per core]
    ///
    /// At most 1024, and one for 16 MiB of memory.
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,
    /// Memory to use [default: half of what there is]
    ///
    /// What does not fit goes to temporary files, with the same answers, but for some 80 bytes of each document. One
    /// document takes some three times its size besides: --max-document limits that. Lowered to what machine, container
    /// and ulimit allow.
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, value_parser = memory)]
    memory: Option<ByteSize>,
    /// Folder for what does not fit into memory and for copies of remote files [default: the work folder if there is
    /// one, else that of the system]
    #[arg(long, hide_short_help = true, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
    /// Folder of checkpoints [default: none]
    ///
    /// The job saves there what it has finished. After an interruption, or when it was killed, the same command resumes
    /// from the last checkpoint.
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// Progress on stderr: auto draws at a terminal and writes a line every ten seconds elsewhere
    #[arg(long, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) progress: When,
}

/// Values of `--progress` and `--color`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// At a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ResourceArgs {
    /// The resources that these flags mean.
    pub(crate) fn resources(&self) -> Result<Resources> {
        Ok(Resources {
            threads: self.threads,
            memory_bytes: self.memory.map(|size| size.as_u64()),
            temporary_folder: self.temp_dir.clone(),
            work_folder: self.work_dir.clone(),
            kernel: kernel()?,
        })
    }
}

/// The version of the inner loops that `LOOKALIKE_KERNEL` names (scalar, avx2, avx512, neon); `None` for the best one.
fn kernel() -> Result<Option<Kernel>> {
    std::env::var("LOOKALIKE_KERNEL").ok().map(|name| name.parse().map_err(anyhow::Error::msg)).transpose()
}

/// Amount and colors of messages.
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
    /// Amount of messages.
    pub(crate) fn voice(self) -> Voice {
        match self {
            Self { quiet: true, .. } => Voice::Quiet,
            Self { verbose: 0, .. } => Voice::Normal,
            Self { verbose: 1, .. } => Voice::Verbose,
            Self { .. } => Voice::Everything,
        }
    }
}

/// Applies `--color` before the arguments are parsed: help and errors of the parser follow it, too.
pub(crate) fn apply_color_choice<'a>(arguments: impl IntoIterator<Item = &'a OsStr>) {
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
