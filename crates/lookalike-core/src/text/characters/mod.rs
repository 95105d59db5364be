//! Single characters that may count for less than they are: digits, of which a mask makes one sign; points of Arabic
//! and Hebrew, which are dropped; capitals; signs that look alike; and characters that cannot be seen.
//!
//! ```text
//! case     case folding
//! classes  digits, invisible characters, points of Arabic and Hebrew
//! mask     masks: parts of a text that count as one sign
//! quotes   apostrophes and quotation marks that look alike
//! ```

mod case;
mod classes;
mod mask;
mod quotes;

pub(super) use case::{folded_in_place, last_of_folded, push_folded, push_folded_character};
pub(super) use classes::{is_digit, is_ignorable, is_point};
pub use mask::Mask;
pub(super) use mask::{MASKED, without_digits};
pub(super) use quotes::{is_quote, plain_quote};

/// Returns whether normalization may drop a character, so that what is behind it meets what is before it.
pub(super) fn may_go(character: char) -> bool {
    is_point(character) || is_ignorable(character)
}
