//! Single characters that may count for less than they are: digits, of which a mask makes one sign, and points of
//! Arabic and Hebrew, which are dropped.

mod digits;
mod mask;
mod points;

pub(super) use digits::is_digit;
pub use mask::Mask;
pub(super) use mask::{MASKED, without_digits};
pub(super) use points::is_point;
