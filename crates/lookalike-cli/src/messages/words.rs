//! Lines on standard error, and numbers in them.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line to standard error; a closed one is no reason to fail.
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
