//! Characters that cannot be seen: the soft hyphen, zero-width spaces and joiners, marks of direction, variation
//! selectors, fillers.

use icu_properties::props::DefaultIgnorableCodePoint;
use icu_properties::{CodePointSetData, CodePointSetDataBorrowed};

/// The characters with the property Default_Ignorable_Code_Point. It is what NFKC_Casefold leaves out, and it is
/// stable: characters to come have their places in it already.
const IGNORABLE: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<DefaultIgnorableCodePoint>();

/// Whether a text shows nothing of a character, by the property Default_Ignorable_Code_Point.
#[inline]
pub(in crate::text) fn is_ignorable(character: char) -> bool {
    // Most text ends here: the first such character is the soft hyphen.
    character >= '\u{ad}' && IGNORABLE.contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_ignorable() {
        assert!(
            "\u{ad}\u{34f}\u{61c}\u{200b}\u{200d}\u{200f}\u{2060}\u{fe0f}\u{feff}\u{e0101}".chars().all(is_ignorable)
        );
        assert!(!"a \u{a0}\u{301}\u{2028}\u{fffc}\u{110bd}é漢".chars().any(is_ignorable));
    }
}
