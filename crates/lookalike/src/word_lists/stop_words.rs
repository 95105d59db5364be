//! Lists of words to leave out: those of the stop-words crate (NLTK, Stopwords ISO) or a file of the user.

use super::words_file::words_of_file;
use crate::ground::{Error, Result};
use lookalike_core::printed_path;
use std::collections::BTreeSet;
use std::path::Path;

/// The stop words of a language (ISO 639-1 code) or those in a file, one a line.
///
/// # Errors
/// [`Error::StopWords`] if it is neither, [`Error::Io`] if the file cannot be read.
pub fn stop_words(language_or_file: impl AsRef<Path>) -> Result<BTreeSet<String>> {
    let language_or_file = language_or_file.as_ref();
    if let Some(words) = list_of(language_or_file) {
        return Ok(words.iter().map(|&word| word.to_owned()).collect());
    }
    let Some(path) = stop_words_file(language_or_file) else {
        let known = stop_words::available_languages().iter().map(ToString::to_string).collect();
        return Err(Error::StopWords { found: printed_path(language_or_file).into_owned(), known });
    };
    words_of_file(path)
}

/// The file that [`stop_words()`] reads; `None` if a language is meant.
pub fn stop_words_file(language_or_file: &Path) -> Option<&Path> {
    Some(language_or_file).filter(|path| list_of(path).is_none() && path.exists())
}

fn list_of(language: &Path) -> Option<&'static [&'static str]> {
    language.to_str().and_then(stop_words::lookup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_and_files_are_understood() {
        assert!(stop_words("en").unwrap().contains("the"));
        assert!(stop_words("de").unwrap().contains("und"));
        let file = tempfile::NamedTempFile::new().unwrap();
        // Two files that were put together, each with a byte order mark.
        std::fs::write(file.path(), "\u{feff}foo\n\n\u{feff}  Bar \n").unwrap();
        let words = stop_words(file.path()).unwrap();
        assert_eq!(words, ["foo", "Bar"].map(str::to_owned).into());
        assert!(stop_words("xx").unwrap_err().to_string().contains("known are"));
    }
}
