//! The passages that two texts share, the longest first.

use crate::messages::{FAINT, counted, styled};
use lookalike::{
    doors::escaped,
    evidence::{Comparison, Passage, TokenSpan},
};
use std::cmp::Reverse;
use std::io::{self, Write};

/// Passages that are shown.
const SHOWN_PASSAGES: usize = 10;
/// Longer passages are shown by their ends.
const SHOWN_CHARACTERS: usize = 240;

/// Writes the longest passages; `unit` is the noun of a token.
pub(super) fn write_passages(found: &Comparison, unit: &str, out: &mut impl Write) -> io::Result<()> {
    let mut passages: Vec<&Passage> = found.passages.iter().collect();
    passages.sort_by_key(|passage| Reverse(passage.tokens));
    let heading = match passages.len() {
        0 => "no passage in common".to_owned(),
        1 => "1 passage in common:".to_owned(),
        count => format!("{} in common, the longest first:", counted(count as u64, "passage")),
    };
    writeln!(out, "{heading}")?;
    for passage in passages.iter().take(SHOWN_PASSAGES) {
        let places = format!("A {}; B {}", place(passage.left), place(passage.right));
        writeln!(out, "\n{}", styled(FAINT, format_args!("{}, {places}", counted(passage.tokens as u64, unit))))?;
        let text = found.left_text.get(passage.left.bytes()).unwrap_or_default();
        writeln!(out, "    {}", shortened(text))?;
    }
    if passages.len() > SHOWN_PASSAGES {
        let more = counted((passages.len() - SHOWN_PASSAGES) as u64, "shorter passage");
        writeln!(out, "\n{}", styled(FAINT, format_args!("... and {more} (--format json has all)")))?;
    }
    Ok(())
}

/// A place by its lines and bytes.
fn place(TokenSpan { start, end, line, end_line }: TokenSpan) -> String {
    let lines = if line == end_line { format!("line {line}") } else { format!("lines {line}-{end_line}") };
    format!("bytes {start}-{end} ({lines})")
}

/// The text on one line, its middle left out if it is long.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let characters: Vec<char> = line.chars().collect();
    if characters.len() <= SHOWN_CHARACTERS {
        return escaped(&line);
    }
    let end = |part: &[char]| escaped(part.iter().collect::<String>().trim());
    let half = SHOWN_CHARACTERS / 2;
    format!("{} [...] {}", end(&characters[..half]), end(&characters[characters.len() - half..]))
}
