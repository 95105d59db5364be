//! Numbers with their nouns.

/// A number with its noun, as "1 document" and "2 documents".
///
/// ```
/// use lookalike_core::counted;
///
/// assert_eq!([0, 1, 2].map(|number| counted(number, "bit")), ["0 bits", "1 bit", "2 bits"]);
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
