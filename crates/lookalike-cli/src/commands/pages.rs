//! `lookalike completions` and `lookalike man`: what shells and `man` are told of the flags, made of the flags
//! themselves.

use anyhow::{Context, Result, ensure};
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

/// Arguments of `lookalike completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookalike completions bash > ~/.local/share/bash-completion/completions/lookalike
  lookalike completions zsh > ~/.zfunc/_lookalike
  lookalike completions fish > ~/.config/fish/completions/lookalike.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Arguments of `lookalike man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookalike man dedup | man -l -
  lookalike man > lookalike.1
  lookalike man dedup > lookalike-dedup.1")]
pub(crate) struct ManArgs {
    /// The command that the page explains [default: all of them in short]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Prints the script of a shell.
pub(crate) fn print_completions(args: &CompletionsArgs, mut program: Command) -> Result<()> {
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, name, &mut script);
    print(&script)
}

/// Prints the manual page of a command, or of the program.
pub(crate) fn print_manual(args: &ManArgs, mut program: Command) -> Result<()> {
    // Global flags belong to each command only after this.
    program.build();
    let page = match &args.command {
        None => program.disable_help_subcommand(true),
        Some(name) => page_of(name, &program)?,
    };
    let source = concat!("lookalike ", env!("CARGO_PKG_VERSION"));
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).source(source).render(&mut roff).context("cannot make the manual page")?;
    print(&roff)
}

/// The command of that name, named as its page is: `lookalike-dedup`.
fn page_of(name: &str, program: &Command) -> Result<Command> {
    let known: Vec<_> = program.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect();
    ensure!(known.contains(&name), "there is no command `{name}`; there are {}", known.join(", "));
    let command = program.get_subcommands().find(|command| command.get_name() == name);
    let command = command.cloned().unwrap_or_default();
    Ok(command.display_name(format!("{}-{name}", program.get_name())))
}

fn print(text: &[u8]) -> Result<()> {
    io::stdout().lock().write_all(text).context("cannot write standard output")
}
