//! Words for the user: to stderr, whether anybody listens or not.

use lookalike::{MeasuredRecall, MethodChoice, Session};
use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line to stderr. That it may be closed is no reason to fail.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A number with its thousands apart: 1,234,567.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: "1 document", "2,000 documents".
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// How candidates were found.
pub(crate) fn say_method(found: &Findings<'_>) {
    say(format_args!("method: {}", found.method));
    if let Some(recall) = found.recall {
        say(recall);
    }
}

/// What that met and how long it took.
pub(crate) fn explain(found: &Findings<'_>, session: &Session<'_>) {
    let Findings { method, recall: _, documents, tokens, candidates } = found;
    say(format_args!("explain: {} with {}", counted(*documents, "document"), counted(*tokens, "token")));
    match method {
        MethodChoice::Exact { postings } => {
            say(format_args!("explain: predicted: keys of all documents meet {postings:.0} times, before the filters"))
        }
        MethodChoice::MinHash { exact_postings: Some(postings), .. } => {
            say(format_args!("explain: exact was turned down: its keys would meet {postings:.0} times"));
        }
        MethodChoice::MinHash { .. } => {}
    }
    say(format_args!("explain: then: {} verified", counted(*candidates, "candidate")));
    for stage in session.stage_times() {
        let peak = stage.peak_bytes.map_or(0, |bytes| bytes / 1_000_000);
        say(format_args!("explain: {:<10} {:>8.3} s  peak {peak} MB", stage.stage, stage.seconds));
    }
}

/// What there is to say about a finished search.
#[derive(Debug)]
pub(crate) struct Findings<'a> {
    pub(crate) method: &'a MethodChoice,
    pub(crate) recall: Option<MeasuredRecall>,
    pub(crate) documents: u64,
    pub(crate) tokens: u64,
    /// Number of candidates that were verified.
    pub(crate) candidates: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        assert!(cases.iter().all(|&(number, text)| thousands(number) == text));
        assert_eq!((counted(1, "pair"), counted(2000, "pair")), ("1 pair".to_owned(), "2,000 pairs".to_owned()));
    }
}
