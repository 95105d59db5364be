//! Classes of characters: decimal digits, invisible characters, and the points of Arabic and Hebrew, which tell how a
//! word is spoken or chanted and are missing in most books.
//!
//! The list of points is ours and does not change with the version of Unicode: what is dropped decides which documents
//! are equal. Script properties would not do, since common marks, as the diaeresis, belong to the scripts that use
//! them, Latin among them. Points go before words are cut: a plain stretch that has some is cut like one that is not
//! plain.

use icu_properties::props::DefaultIgnorableCodePoint;
use icu_properties::{CodePointSetData, CodePointSetDataBorrowed};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The points of Hebrew and Arabic and the tatweel, as ranges that ascend: the nonspacing marks of both scripts in
/// Unicode 18, UnicodeData.txt. Hamza and madda above or below a letter (U+0653 to U+0655) are not among them, for they
/// distinguish letters.
const POINTS: [(char, char); 20] = [
    // Hebrew: accents and points.
    ('\u{591}', '\u{5bd}'),
    ('\u{5bf}', '\u{5bf}'),
    ('\u{5c1}', '\u{5c2}'),
    ('\u{5c4}', '\u{5c5}'),
    ('\u{5c7}', '\u{5c9}'),
    // Arabic: honorifics, tatweel, harakat, superscript alef, marks of the Quran.
    ('\u{610}', '\u{61a}'),
    ('\u{640}', '\u{640}'),
    ('\u{64b}', '\u{652}'),
    ('\u{656}', '\u{65f}'),
    ('\u{670}', '\u{670}'),
    ('\u{6d6}', '\u{6dc}'),
    ('\u{6df}', '\u{6e4}'),
    ('\u{6e7}', '\u{6e8}'),
    ('\u{6ea}', '\u{6ed}'),
    ('\u{897}', '\u{89f}'),
    ('\u{8ca}', '\u{8e1}'),
    ('\u{8e3}', '\u{8ff}'),
    // Hebrew presentation form: varika.
    ('\u{fb1e}', '\u{fb1e}'),
    // Arabic Extended-C: marks above and below.
    ('\u{10ecb}', '\u{10ecf}'),
    ('\u{10ef0}', '\u{10eff}'),
];

/// Returns whether a character is a point of Arabic or Hebrew, or the tatweel, which stretches a word and means
/// nothing.
pub(in crate::text) fn is_point(character: char) -> bool {
    // Most text ends here: all characters below are ASCII, Latin, Greek or Cyrillic.
    character >= POINTS[0].0 && {
        let behind = POINTS.partition_point(|&(first, _)| first <= character);
        behind > 0 && character <= POINTS[behind - 1].1
    }
}

/// Returns whether a character is a decimal digit of any script (Unicode category Nd).
pub(in crate::text) fn is_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_digit();
    }
    character.is_numeric() && character.general_category() == GeneralCategory::DecimalNumber
}

/// The characters with the property Default_Ignorable_Code_Point. It is what NFKC_Casefold leaves out, and it is
/// stable: characters to come have their places in it already.
const IGNORABLE: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<DefaultIgnorableCodePoint>();

/// Returns whether a text shows nothing of a character, by the property Default_Ignorable_Code_Point.
#[inline]
pub(in crate::text) fn is_ignorable(character: char) -> bool {
    // Most text ends here: the first such character is the soft hyphen.
    character >= '\u{ad}' && IGNORABLE.contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

    #[test]
    fn points_are_the_nonspacing_marks_of_both_scripts_but_hamza_and_madda() {
        let blocks = ['\u{590}'..='\u{6ff}', '\u{870}'..='\u{8ff}', '\u{fb1d}'..='\u{fdff}', '\u{10ec0}'..='\u{10eff}'];
        let mut wrong: Vec<char> = Vec::new();
        for character in blocks.into_iter().flatten() {
            let is_mark = character.general_category() == GeneralCategory::NonspacingMark;
            let is_kept = ('\u{653}'..='\u{655}').contains(&character);
            if is_point(character) != (is_mark && !is_kept || character == '\u{640}') {
                wrong.push(character);
            }
        }
        assert_eq!(wrong, Vec::<char>::new(), "points that are none, or missing");
        assert!(
            !["a", "\u{300}", "\u{308}", "\u{711}", "\u{7eb}", "\u{93c}", "\u{e31}"].concat().chars().any(is_point)
        );
    }

    #[test]
    fn ranges_ascend() {
        assert!(POINTS.is_sorted_by(|one, next| one.0 <= one.1 && one.1 < next.0));
    }

    #[test]
    fn digits_are_those_that_numbers_are_written_with() {
        assert!("0189٣۴५๓９".chars().all(is_digit));
        assert!(!"a½²①Ⅳ一 .".chars().any(is_digit));
    }

    #[test]
    fn what_cannot_be_seen_is_ignorable() {
        assert!(
            "\u{ad}\u{34f}\u{61c}\u{200b}\u{200d}\u{200f}\u{2060}\u{fe0f}\u{feff}\u{e0101}".chars().all(is_ignorable)
        );
        assert!(!"a \u{a0}\u{301}\u{2028}\u{fffc}\u{110bd}é漢".chars().any(is_ignorable));
    }
}
