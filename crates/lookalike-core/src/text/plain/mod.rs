//! Plain text: cut by bit masks, without the tables of Unicode.
//!
//! ```text
//! text --OtherPlaces--> characters beyond ASCII --behaviour--> Stretches --classes, add_others--> PlainWords
//! ```

mod behaviour;
mod other_places;
mod stretches;
mod words;

pub(super) use other_places::OtherPlaces;
pub(super) use stretches::{OtherCharacter, Stretches, add_others};
pub(super) use words::PlainWords;
