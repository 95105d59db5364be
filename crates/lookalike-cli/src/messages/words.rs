//! Lines on standard error, how many of them are wanted, and numbers in them.

use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io::{self, Write};

/// Begin of each line about an error.
pub(crate) const NAME: &str = "lookalike:";

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default();
/// Style of the main figures of an answer.
pub(crate) const STRONG: Style = Style::new().bold();
/// Style of details.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Style of text that only the first of two texts has.
pub(crate) const REMOVED: Style = AnsiColor::Red.on_default();
/// Style of text that only the second of two texts has.
pub(crate) const ADDED: Style = AnsiColor::Green.on_default();

/// Amount of messages on standard error beside errors and records that are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Voice {
    /// No line.
    Quiet,
    /// A report of at most ten lines.
    Normal,
    /// Tables, counts of the search, and the time of each stage besides.
    Verbose,
    /// Every source and family that is known besides.
    Everything,
}

impl Voice {
    /// Says a line unless nothing is to be said.
    pub(crate) fn say(self, line: impl Display) {
        if self > Self::Quiet {
            say(line);
        }
    }
}

/// Writes a line to standard error, in colors if they are wanted there; a closed one is no reason to fail.
pub(crate) fn say(line: impl Display) {
    let line = without_numbers_of_the_system(&line.to_string()) + "\n";
    let _ = anstream::AutoStream::auto(io::stderr().lock()).write_all(line.as_bytes());
}

/// Says what is wrong.
pub(crate) fn say_error(message: impl Display) {
    say(format_args!("{} {message}", styled(ERROR, NAME)));
}

/// A remark that an answer may not be what the user wants.
pub(crate) fn note(remark: impl Display) -> String {
    format!("{} {remark}", styled(NOTE, "note:"))
}

/// A text in a style.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The line without " (os error 2)", which tells a user nothing that the words before it do not.
fn without_numbers_of_the_system(line: &str) -> String {
    const BEGIN: &str = " (os error ";
    let mut parts = line.split(BEGIN);
    let mut cut = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let behind = part.trim_start_matches(|c: char| c.is_ascii_digit());
        match behind.strip_prefix(')').filter(|_| behind.len() < part.len()) {
            Some(rest) => cut += rest,
            None => {
                cut += BEGIN;
                cut += part;
            }
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_system_are_cut_and_nothing_else() {
        for (line, cut) in [
            ("cannot read x: No such file or directory (os error 2)", "cannot read x: No such file or directory"),
            ("a (os error 13): b (os error 2) c", "a: b c"),
            ("plain", "plain"),
            ("a file named (os error 2", "a file named (os error 2"),
            ("a file named (os error ) x", "a file named (os error ) x"),
        ] {
            assert_eq!(without_numbers_of_the_system(line), cut);
        }
    }
}
