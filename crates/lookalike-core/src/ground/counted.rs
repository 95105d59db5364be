//! Numbers with their nouns.

/// A number with its noun, as "1 document" and "2 documents".
///
/// ```
/// use lookalike_core::counted;
///
/// assert_eq!([0, 1, 2].map(|number| counted(number, "bit")), ["0 bits", "1 bit", "2 bits"]);
/// assert_eq!(counted(3, "query"), "3 queries");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {}", with_number(number, noun))
}

/// A noun in the form that it has behind a number.
pub fn with_number(number: u64, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}
