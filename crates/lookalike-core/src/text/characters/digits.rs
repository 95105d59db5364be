//! Decimal digits of all scripts.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Whether a character is a decimal digit of any script (Unicode category Nd).
pub(in crate::text) fn is_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_digit();
    }
    character.is_numeric() && character.general_category() == GeneralCategory::DecimalNumber
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_that_numbers_are_written_with() {
        assert!("0189٣۴५๓９".chars().all(is_digit));
        assert!(!"a½²①Ⅳ一 .".chars().any(is_digit));
    }
}
