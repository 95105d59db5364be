//! Lists of words that options of texts ask for, by the name of a language or in a file.

mod keywords;
mod stop_words;
mod words_file;

pub use keywords::{keywords, keywords_file};
pub use stop_words::{stop_words, stop_words_file};
