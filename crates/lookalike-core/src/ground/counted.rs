//! Numbers as people read them, with their nouns.

/// A number with its thousands apart: 1,234,567.
pub fn thousands(number: u64) -> String {
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

/// A number with its noun, as "1 document" and "2 documents".
///
/// ```
/// use lookalike_core::counted;
///
/// assert_eq!([0, 1, 2].map(|number| counted(number, "bit")), ["0 bits", "1 bit", "2 bits"]);
/// assert_eq!(counted(3000, "query"), "3,000 queries");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {}", thousands(number), with_number(number, noun))
}

/// A share from 0 to 1 in percent, rounded to whole ones: what is not nothing is not called 0 %, and what is not all is
/// not called 100 %.
///
/// ```
/// use lookalike_core::percent;
///
/// assert_eq!([0.0, 0.004, 0.567, 0.996, 1.0].map(percent), ["0 %", "< 1 %", "57 %", "> 99 %", "100 %"]);
/// ```
pub fn percent(share: f64) -> String {
    match (100.0 * share).round() {
        whole if whole <= 0.0 && share > 0.0 => "< 1 %".to_owned(),
        whole if whole >= 100.0 && share < 1.0 => "> 99 %".to_owned(),
        whole => format!("{whole} %"),
    }
}

/// A noun in the form that it has behind a number.
pub fn with_number(number: u64, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
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
