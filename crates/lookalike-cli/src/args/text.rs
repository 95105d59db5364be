//! What a document becomes.

use super::measure::Subject;
use super::values::stride;
use anyhow::{Result, ensure};
use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};
use lookalike::{
    Features, HashBits, Mask, Multiplicity, ShingleOptions, ShingleSize, StemLanguage, TextOptions, TokenKind,
    keywords, keywords_file, stop_words, stop_words_file,
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The flags of documents that are no texts and no items; signatures, which may have texts, are checked elsewhere.
const POINTS: [&str; 3] = ["bits", "vector", "features"];
/// The same with that of items.
const NO_TEXTS: [&str; 4] = ["items", "bits", "vector", "features"];

/// How a text is cut into elements.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text")]
pub(crate) struct TextArgs {
    /// Shingles: word:N, char:N, ... [default: word:5]
    ///
    /// What is compared: sets of word:N, char:N, line:N, sentence:N or paragraph:N, runs of N words, characters or text
    /// units. Sentences end where Unicode says and at line ends, paragraphs at blank lines. Of a text unit its words
    /// count, not its spacing and punctuation; one without words is left out. Logs, for example: --shingle line:3
    /// --mask numbers.
    #[arg(long, value_name = "UNIT:N", conflicts_with_all = NO_TEXTS)]
    shingle: Option<ShingleSize>,
    /// Take only texts that are equal byte for byte for copies: no near-duplicates
    ///
    /// Nothing else of a text is looked at, so no flag of shingles, measures and methods goes with it.
    #[arg(
        long,
        hide_short_help = true,
        conflicts_with_all = [
            "items", "bits", "vector", "features", "shingle", "tokens", "rename_blind", "keywords", "bag", "stride",
            "hash_bits",
            "lowercase", "nfkc", "strip_html", "main_content", "stop_words", "stem", "mask", "strip_marks",
        ]
    )]
    identical: bool,
    /// Count repeated shingles (weighted Jaccard)
    #[arg(long, hide_short_help = true, conflicts_with_all = POINTS)]
    bag: bool,
    /// Tokens from one shingle to the next; N of the shingle for no overlap
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value = "1",
        allow_negative_numbers = true,
        value_parser = stride,
        conflicts_with_all = NO_TEXTS,
    )]
    stride: NonZeroUsize,
    /// Width of shingle hashes: 64 or 32
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BITS",
        default_value = "64",
        value_parser = ["64", "32"],
        conflicts_with_all = POINTS
    )]
    hash_bits: String,
    #[command(flatten)]
    options: TextOptionArgs,
}

/// How a text is cut into tokens.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text")]
pub(crate) struct TextOptionArgs {
    /// What a word is: words, or code for the tokens of source code
    ///
    /// code: names, numbers and operators of any language are tokens, and every other sign is one by itself; so
    /// a == b and a != b differ. word:N counts such tokens: --tokens code --shingle word:8. Letters keep their case.
    #[arg(
        long,
        value_name = "KIND",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_short_help = true,
        conflicts_with_all = NO_TEXTS
    )]
    tokens: TokensArg,
    /// Take all names in code for one, but --keywords: its structure is compared
    ///
    /// Copies with other names are found: --tokens code --rename-blind --keywords java. Words in strings and comments
    /// are names, too.
    #[arg(long, hide_short_help = true, requires = "keywords", conflicts_with_all = NO_TEXTS)]
    rename_blind: bool,
    /// Keywords of a language (c, java, python, ...) or of a file, one a line [default: none]
    ///
    /// Languages: c, c++, c#, go, java, javascript, python, rust, typescript.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "LANG|FILE",
        requires = "rename_blind",
        conflicts_with_all = NO_TEXTS
    )]
    keywords: Option<String>,
    /// Fold the case of letters (ß is ss) [default: true, false for --tokens code]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BOOL",
        value_parser = BoolishValueParser::new(),
        conflicts_with_all = NO_TEXTS,
    )]
    lowercase: Option<bool>,
    /// Make characters that look alike one, drop invisible ones (NFKC) [default: true, false for --tokens code]
    ///
    /// Invisible are soft hyphens, zero-width characters, marks of direction and variation selectors (Unicode property
    /// Default_Ignorable_Code_Point). In words and characters, not in code, an apostrophe is one whether it is typed as
    /// ' ’ ‘ ʼ ′ ` or ´, and a quotation mark likewise.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BOOL",
        value_parser = BoolishValueParser::new(),
        conflicts_with_all = NO_TEXTS,
    )]
    nfkc: Option<bool>,
    /// Take texts as HTML: drop tags, scripts, styles and what else is not displayed
    #[arg(long, hide_short_help = true, conflicts_with_all = NO_TEXTS)]
    strip_html: bool,
    /// Of HTML pages, compare the article, without navigation and advertisements
    ///
    /// Pages are HTML files, pages of crawls, and with --strip-html all texts. A page without an article is compared as
    /// a whole; such pages are counted, and named with -v. Records are written as they are, whole.
    #[arg(long, hide_short_help = true, conflicts_with_all = NO_TEXTS)]
    main_content: bool,
    /// Leave out stop words of a language (en, de, ...) or of a file, one a line [default: none]
    #[arg(long, hide_short_help = true, value_name = "LANG|FILE", conflicts_with_all = NO_TEXTS)]
    stop_words: Option<String>,
    /// Reduce words to stems of a language (en, de, ...) [default: none]
    #[arg(long, hide_short_help = true, value_name = "LANG", conflicts_with_all = NO_TEXTS)]
    stem: Option<StemLanguage>,
    /// What does not count: numbers takes each run of digits for one sign [default: none]
    ///
    /// For times, prices and counters: lines that differ in their digits alone are equal. 12.5 is two runs; in code
    /// each number is one sign, whatever it is made of.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WHAT",
        value_enum,
        hide_possible_values = true,
        conflicts_with_all = NO_TEXTS
    )]
    mask: Option<MaskArg>,
    /// Drop the points of Arabic and Hebrew (harakat, niqqud, marks of recitation) and the tatweel
    ///
    /// Hamza and madda are kept: they distinguish letters.
    #[arg(long, hide_short_help = true, conflicts_with_all = NO_TEXTS)]
    strip_marks: bool,
}

/// Answers of `--tokens`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum TokensArg {
    /// Words; signs separate them
    #[default]
    Words,
    /// Names, numbers, operators and signs of source code
    Code,
}

/// Answers of `--mask`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum MaskArg {
    /// Runs of digits
    Numbers,
}

impl TextArgs {
    /// The files that the features are made of.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.options.files()
    }

    /// What is compared of these features, where it would else be `subject`.
    ///
    /// # Errors
    /// If flags of texts are given, and there are none.
    pub(crate) fn subject(&self, subject: Subject) -> Result<Subject> {
        ensure!(
            subject != Subject::Signatures || self.features()? == Features::default(),
            "--signature has no use for flags of texts, but those that --texts names (pairs, clusters, dedup)"
        );
        Ok(if self.identical { Subject::WholeTexts } else { subject })
    }

    /// Whether shingles are given. Other flags change the features if they are given.
    pub(crate) fn are_given(&self) -> bool {
        self.shingle.is_some()
    }

    /// The features that these flags mean.
    pub(crate) fn features(&self) -> Result<Features> {
        if self.identical {
            return Ok(Features::WholeText);
        }
        let text = self.options.options()?;
        let shingle = ShingleOptions {
            size: self.shingle.unwrap_or(ShingleOptions::default().size),
            stride: self.stride.get(),
            multiplicity: if self.bag { Multiplicity::Bag } else { Multiplicity::Set },
            hash_bits: if self.hash_bits == "32" { HashBits::Bits32 } else { HashBits::Bits64 },
            hash_secret: None,
        };
        Ok(Features::Set { text, shingle })
    }
}

impl TextOptionArgs {
    /// The files that the options are made of.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let stop_words = self.stop_words.as_deref().and_then(stop_words_file);
        let keywords = self.keywords.as_deref().and_then(keywords_file);
        stop_words.into_iter().chain(keywords).map(Path::to_owned).collect()
    }

    /// The options that these flags mean.
    pub(crate) fn options(&self) -> Result<TextOptions> {
        let kind = match self.tokens {
            TokensArg::Words => TextOptions::default(),
            TokensArg::Code => TextOptions::code(),
        };
        ensure!(
            kind.tokens == TokenKind::Code || !self.rename_blind,
            "--rename-blind and --keywords are about source code: give --tokens code with them"
        );
        Ok(TextOptions {
            tokens: kind.tokens,
            nfkc: self.nfkc.unwrap_or(kind.nfkc),
            lowercase: self.lowercase.unwrap_or(kind.lowercase),
            strip_html: self.strip_html,
            stop_words: self.stop_words.as_deref().map(stop_words).transpose()?.unwrap_or_default(),
            stem: self.stem,
            keywords: self.keywords.as_deref().map(keywords).transpose()?,
            mask: self.mask.map(|MaskArg::Numbers| Mask::Numbers),
            strip_marks: self.strip_marks,
            main_content: self.main_content,
        })
    }
}
