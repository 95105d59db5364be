//! From text to tokens: strip HTML, normalize, cut into words or characters, filter.
//!
//! A *stretch* is a substring that is cut in one way: by bit masks if it is plain, by the tables of Unicode if
//! not.
//!
//! ```text
//! text --strip_html--> text --normalize--> stretches --cut--> words | characters --filter--> tokens
//! ```

mod behaviour;
mod cut;
mod filter;
mod html;
mod items;
mod normalize;
mod options;
mod pieces;
mod plain;
mod tokenize;

pub use filter::{STEM_LANGUAGES, StemLanguage};
pub use html::strip_html;
pub use items::{CountedItem, copies, counted_items, push_items};
pub use options::{TextOptions, version_of_tokens};
pub use pieces::ITEM_END;
pub use tokenize::{Token, TokenUnit, Tokenizer};
