//! Tokens of texts: strip HTML, normalize, cut into words, tokens of code or characters, filter.
//!
//! A *stretch* is a substring that is cut in one way: by bit masks if it is plain, by the tables of Unicode if
//! not.
//!
//! ```text
//! text --strip_html--> text --normalize--> stretches --cut--> words | code | characters --filter--> tokens
//!                        |                                                          text units of tokens
//!                        +-- text_units: each line, sentence or paragraph by itself ---^
//! ```

mod characters;
mod code;
mod cut;
mod filter;
mod html;
mod items;
mod normalize;
mod options;
mod pieces;
mod plain;
mod sinks;
mod text_units;
mod tokenize;

pub use characters::Mask;
pub use filter::StemLanguage;
pub use html::{OpenElements, is_inline, strip_html, structure_element};
pub use items::{CountedItem, Items, NulInItem};
pub use options::{TextOptions, TokenKind, version_of_tokens};
pub use sinks::Token;
pub use text_units::TextUnit;
pub(crate) use text_units::text_units;
pub use tokenize::{TokenUnit, Tokenizer, unmatched_stop_words};
