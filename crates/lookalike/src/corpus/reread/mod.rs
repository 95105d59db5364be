//! Second readings of the texts, when the sets are known.
//!
//! ```text
//! each_text    the texts of some documents, whatever is looked for in them
//! text_check   answers are checked on the texts of their documents (--check-texts)
//! short_texts  shingles of short documents are looked for inside of others (containment)
//! winnowed     the least hash of each window of consecutive shingles (winnow:W)
//! ```

mod each_text;
mod short_texts;
mod text_check;
mod winnowed;

pub(crate) use each_text::TextsAgain;
pub(crate) use short_texts::{ShortTextsOf, find_short_texts, may_be_short};
pub(crate) use text_check::TextCheck;
pub(crate) use winnowed::{check_sources_for_windows, winnow_texts};
