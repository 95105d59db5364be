//! Lists of words that options of texts ask for, by the name of a language or in a file.
//!
//! Stop words are those of the stop-words crate (NLTK, Stopwords ISO). Keywords of programming languages, which are no
//! identifiers when identifiers are renamed, are the reserved words of each language, as its specification lists them.
//! Contextual keywords, which may be names, are not among them, but for TypeScript, whose types and declarations
//! consist of them. A file of words serves any other choice.

use crate::base::{Error, Result};
use lookalike_core::printed_path;
use lookalike_io::base::details::Action;
use lookalike_io::base::without_mark;
use std::collections::BTreeSet;
use std::path::Path;

/// Languages with a table, as listed in messages.
const KNOWN: &str = "c, c++ (cpp), c# (csharp, cs), go, java, javascript (js), python (py), rust (rs), typescript (ts)";

/// Names of a language, and its keywords in ascending order with blanks between them.
type LanguageWords = (&'static [&'static str], &'static str);

const LANGUAGES: [LanguageWords; 9] = [
    // ISO/IEC 9899:2024 (C23), section 6.4.1, with the alternate spellings.
    (
        &["c"],
        "_Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 _Generic \
         _Imaginary _Noreturn _Static_assert _Thread_local alignas alignof auto bool break case char const \
         constexpr continue default do double else enum extern false float for goto if inline int long \
         nullptr register restrict return short signed sizeof static static_assert struct switch thread_local \
         true typedef typeof typeof_unqual union unsigned void volatile while",
    ),
    // ISO/IEC 14882:2024 (C++23), section 5.11 [lex.key], with the alternative tokens.
    (
        &["c++", "cpp"],
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t \
         char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr \
         constinit continue decltype default delete do double dynamic_cast else enum explicit export extern \
         false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr \
         operator or or_eq private protected public register reinterpret_cast requires return short signed \
         sizeof static static_assert static_cast struct switch template this thread_local throw true try \
         typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq",
    ),
    // ECMA-334, 7th edition, section 6.4.4.
    (
        &["c#", "csharp", "cs"],
        "abstract as base bool break byte case catch char checked class const continue decimal default \
         delegate do double else enum event explicit extern false finally fixed float for foreach goto if \
         implicit in int interface internal is lock long namespace new null object operator out override \
         params private protected public readonly ref return sbyte sealed short sizeof stackalloc static \
         string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual \
         void volatile while",
    ),
    // The Go Programming Language Specification, section Keywords.
    (
        &["go"],
        "break case chan const continue default defer else fallthrough for func go goto if import interface \
         map package range return select struct switch type var",
    ),
    // The Java Language Specification, Java SE 21, sections 3.9 and 3.10: reserved keywords and literals.
    (
        &["java"],
        "_ abstract assert boolean break byte case catch char class const continue default do double else \
         enum extends false final finally float for goto if implements import instanceof int interface long \
         native new null package private protected public return short static strictfp super switch \
         synchronized this throw throws transient true try void volatile while",
    ),
    // ECMA-262, 15th edition, section 12.7.2, with the words reserved in strict mode.
    (
        &["javascript", "js"],
        "await break case catch class const continue debugger default delete do else enum export extends \
         false finally for function if implements import in instanceof interface let new null package private \
         protected public return static super switch this throw true try typeof var void while with yield",
    ),
    // The Python Language Reference 3.13, section 2.3.1.
    (
        &["python", "py"],
        "False None True and as assert async await break class continue def del elif else except finally for \
         from global if import in is lambda nonlocal not or pass raise return try while with yield",
    ),
    // The Rust Reference, section Keywords, edition 2024: strict and reserved.
    (
        &["rust", "rs"],
        "Self abstract as async await become box break const continue crate do dyn else enum extern false \
         final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self \
         static struct super trait true try type typeof unsafe unsized use virtual where while yield",
    ),
    // The keywords of the TypeScript compiler 5.6 (SyntaxKind), those of types and declarations among them.
    (
        &["typescript", "ts"],
        "abstract any as asserts async await bigint boolean break case catch class const constructor continue \
         debugger declare default delete do else enum export extends false finally for from function get if \
         implements import in infer instanceof interface is keyof let module namespace never new null number \
         object of package private protected public readonly require return satisfies set static string super \
         switch symbol this throw true try type typeof undefined unique unknown using var void while with \
         yield",
    ),
];

/// The keywords of a programming language, or the words in a file, one a line.
///
/// # Errors
/// [`Error::Keywords`] if it is neither, [`Error::Io`] if the file cannot be read.
pub fn keywords(language_or_file: impl AsRef<Path>) -> Result<BTreeSet<String>> {
    let language_or_file = language_or_file.as_ref();
    if let Some(words) = table_of(language_or_file) {
        return Ok(words.split(' ').map(str::to_owned).collect());
    }
    match keywords_file(language_or_file) {
        Some(path) => words_of_file(path),
        None => Err(Error::Keywords { found: printed_path(language_or_file).into_owned(), known: KNOWN }),
    }
}

/// The file that [`keywords()`] reads; `None` if a language is meant.
pub fn keywords_file(language_or_file: &Path) -> Option<&Path> {
    Some(language_or_file).filter(|path| table_of(path).is_none() && path.exists())
}

fn table_of(language: &Path) -> Option<&'static str> {
    let language = language.to_str()?;
    let is_name = |name: &&str| name.eq_ignore_ascii_case(language);
    LANGUAGES.iter().find(|(names, _)| names.iter().any(is_name)).map(|&(_, words)| words)
}

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

/// The words in a file, one a line.
fn words_of_file(path: &Path) -> Result<BTreeSet<String>> {
    let text = std::fs::read_to_string(path).map_err(|source| lookalike_io::Error::io(Action::Read, path, source))?;
    Ok(text.lines().map(|line| without_mark(line).trim()).filter(|word| !word.is_empty()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_words_and_named_in_messages() {
        for (names, words) in LANGUAGES {
            let words: Vec<&str> = words.split(' ').collect();
            assert!(words.is_sorted_by(|one, next| one < next), "{names:?}");
            assert!(words.iter().all(|word| word.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())), "{names:?}");
            assert!(
                names.iter().all(|name| KNOWN.split([' ', ',', '(', ')']).any(|known| known == *name)),
                "{names:?}"
            );
        }
    }

    #[test]
    fn languages_and_files_are_understood() {
        assert!(keywords("rust").unwrap().contains("impl") && keywords("RS").unwrap().contains("Self"));
        assert_eq!(keywords("go").unwrap().len(), 25, "the number that the specification lists");
        assert_eq!(keywords("python").unwrap().len(), 35, "the number that the reference lists");
        assert_eq!(keywords("c++").unwrap(), keywords("cpp").unwrap());
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "BEGIN\n\n  end \n").unwrap();
        let name = file.path();
        assert_eq!(keywords(name).unwrap(), ["BEGIN", "end"].map(str::to_owned).into());
        assert_eq!((keywords_file(name), keywords_file(Path::new("rust"))), (Some(file.path()), None));
        let unknown = keywords("klingon").unwrap_err().to_string();
        assert!(unknown.contains("`klingon`") && unknown.contains("typescript"), "{unknown}");
    }

    #[test]
    fn languages_with_stop_words_and_files_are_understood() {
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
