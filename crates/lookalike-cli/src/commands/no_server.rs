//! The stand-in for `lookalike serve` in a build without the feature `server`: it names what to build.

use crate::messages::Voice;
use crate::outcome::ExitStatus;
use anyhow::{Result, bail};
use clap::Args;
use std::ffi::OsString;

/// Arguments of `lookalike serve`, of any form: the refusal is the same for all.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct ServeArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

pub(crate) fn run(_args: &ServeArgs, _voice: Voice) -> Result<ExitStatus> {
    bail!("this build has no server: build it with `--features server`")
}
