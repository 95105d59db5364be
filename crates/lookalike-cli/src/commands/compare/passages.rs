//! The passages that two texts share, the longest first.

use super::lines::{ends_on_one_line, omitted};
use crate::messages::{FAINT, counted, styled};
use lookalike::evidence::{Comparison, Passage, TokenSpan};
use std::cmp::Reverse;
use std::io::{self, Write};

/// Maximum number of passages that are shown.
const MAX_SHOWN_PASSAGES: usize = 10;
/// Maximum number of characters shown of a passage; of longer ones the middle is left out.
const MAX_SHOWN_CHARACTERS: usize = 240;

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
    for passage in passages.iter().take(MAX_SHOWN_PASSAGES) {
        let places = format!("A {}; B {}", place(passage.left), place(passage.right));
        writeln!(out, "\n{}", styled(FAINT, format_args!("{}, {places}", counted(passage.tokens as u64, unit))))?;
        let text = found.left_text.get(passage.left.bytes()).unwrap_or_default();
        writeln!(out, "    {}", ends_on_one_line(text, MAX_SHOWN_CHARACTERS))?;
    }
    if passages.len() > MAX_SHOWN_PASSAGES {
        let more = counted((passages.len() - MAX_SHOWN_PASSAGES) as u64, "shorter passage");
        writeln!(out, "\n{}", styled(FAINT, omitted(more)))?;
    }
    Ok(())
}

/// A place by its lines and bytes.
fn place(TokenSpan { start, end, line, end_line }: TokenSpan) -> String {
    let lines = if line == end_line { format!("line {line}") } else { format!("lines {line}-{end_line}") };
    format!("bytes {start}-{end} ({lines})")
}
