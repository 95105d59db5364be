//! Apostrophes and quotation marks that look alike: each class is one character before words are cut.
//!
//! No property of the Unicode Character Database says which signs are written for one another: Word_Break lets ’ and '
//! join letters, takes ʼ for a letter, and lets ´ and ` separate words. The data of Unicode Technical Standard 39
//! (confusables.txt) do. A class is what they take for an apostrophe, or for two apostrophes in a row, which is a
//! quotation mark: its punctuation and symbols (General_Category P and S), and those of its modifier letters that are
//! of no script (Lm, Script Common) and no tone of Bopomofo. So the yod, which they have, too, remains a letter.
//!
//! The data have no policy of stability, and what is alike decides which documents are equal. So the list is made of
//! them once, and a test compares it with them.

/// The apostrophe or quotation mark that a character looks like; the character itself if it is none.
#[inline]
pub(in crate::text) fn plain_quote(character: char) -> char {
    match character {
        '`' | '´' | 'ʹ' | 'ʻ'..='ʾ' | 'ˈ' | '˴' | '\u{374}' | '΄' | '՚' | '՛' | '՝' | '׳' => '\'',
        '᾽' | '᾿' | '\u{1fef}' | '\u{1ffd}' | '῾' | '‘' | '’' | '‛' | '′' | '‵' | '⳿' | '＇' | '｀' => {
            '\''
        }
        'ʺ' | '˝' | 'ˮ' | '˶' | '״' | '᳓' | '“' | '”' | '‟' | '″' | '‶' | '〃' | '＂' => '"',
        _ => character,
    }
}

/// Returns whether a character is an apostrophe or quotation mark, or looks like one.
pub(in crate::text) fn is_quote(character: char) -> bool {
    matches!(plain_quote(character), '\'' | '"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
    use unicode_script::{Script, UnicodeScript};
    use unicode_security::skeleton;

    fn is_sign(character: char) -> bool {
        let extension = character.script_extension();
        match character.general_category_group() {
            GeneralCategoryGroup::Punctuation | GeneralCategoryGroup::Symbol => true,
            GeneralCategoryGroup::Letter => {
                character.general_category() == GeneralCategory::ModifierLetter
                    && character.script() == Script::Common
                    && (extension.is_common() || !extension.contains_script(Script::Bopomofo))
            }
            _ => false,
        }
    }

    #[test]
    fn classes_are_those_of_confusable_signs() {
        let mut wrong = Vec::new();
        for character in '\0'..=char::MAX {
            let prototype: String = skeleton(character.encode_utf8(&mut [0; 4])).collect();
            let expected = match &*prototype {
                "'" if is_sign(character) => '\'',
                "''" if is_sign(character) => '"',
                _ => character,
            };
            if plain_quote(character) != expected {
                wrong.push(character);
            }
        }
        assert_eq!(wrong, Vec::<char>::new(), "not as their data say");
    }

    #[test]
    fn letters_and_tones_are_no_quotes() {
        assert!(!"יײꞌᑊᛌߴߵˊˋ.,:·".chars().any(is_quote));
        assert!("'\"’‘ʼ′`´＇״׳“”".chars().all(is_quote));
    }
}
