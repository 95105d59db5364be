//! What a job may use.

use super::values::{memory, threads};
use anyhow::Result;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use lookalike::{Kernel, Resources};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What a job may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct ResourceArgs {
    /// Number of threads [default: one a core]
    ///
    /// At most 1024, and one for 16 MiB of memory.
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<NonZeroUsize>,
    /// Memory to use [default: half of what there is]
    ///
    /// What does not fit goes to temporary files, with the same answers, but for some 80 bytes of each document. One
    /// document takes some three times its size besides: --max-document limits that. Lowered to what machine, container
    /// and ulimit allow.
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, value_parser = memory)]
    memory: Option<ByteSize>,
    /// Folder for what does not fit into memory and for copies of what is behind URLs [default: the work folder if
    /// there is one, else that of the system]
    #[arg(long, hide_short_help = true, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
    /// Checkpoints, to go on from [default: none]
    ///
    /// The job keeps there what it has finished. After an interruption, or when it was killed, the same command goes on
    /// from the last checkpoint.
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// Progress on stderr: auto draws at a terminal and writes a line every ten seconds elsewhere
    #[arg(long, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) progress: When,
}

/// Answers of `--progress`.
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
