//! The features of texts.

use super::values::{one_of, stride};
use anyhow::{Result, ensure};
use clap::Args;
use clap::builder::BoolishValueParser;
use lookalike::jobs::StoredParameters;
use lookalike::{
    Features,
    measures::Subject,
    methods::HashBits,
    texts::{
        Mask, Multiplicity, ShingleOptions, ShingleSize, StemLanguage, TextOptions, TokenKind, keywords, keywords_file,
        stop_words, stop_words_file,
    },
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The flags of documents that are no texts and no items; signatures, which may have texts, are checked elsewhere.
const POINTS: [&str; 3] = ["bits", "vector", "features"];
/// The flags of documents that are no texts.
const NO_TEXTS: [&str; 4] = ["items", "bits", "vector", "features"];

/// The cut of a text into elements.
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
    /// Tokens from one shingle to the next; N of the shingle for no overlap [default: 1]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = stride, conflicts_with_all = NO_TEXTS)]
    stride: Option<NonZeroUsize>,
    /// Width of shingle hashes: 64 or 32 [default: 64]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BITS",
        value_parser = one_of([("64", "", HashBits::Bits64), ("32", "", HashBits::Bits32)]),
        conflicts_with_all = POINTS
    )]
    hash_bits: Option<HashBits>,
    #[command(flatten)]
    options: TextOptionArgs,
}

/// The cut of a text into tokens.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text")]
pub(crate) struct TextOptionArgs {
    /// Kind of words: words, or code for the tokens of source code [default: words]
    ///
    /// code: names, numbers and operators of any language are tokens, and every other sign is one by itself; so
    /// a == b and a != b differ. word:N counts such tokens: --tokens code --shingle word:8. Letters keep their case.
    #[arg(
        long,
        value_name = "KIND",
        hide_possible_values = true,
        hide_short_help = true,
        value_parser = one_of([
            ("words", "Words; signs separate them", TokenKind::Words),
            ("code", "Names, numbers, operators and signs of source code", TokenKind::Code),
        ]),
        conflicts_with_all = NO_TEXTS
    )]
    tokens: Option<TokenKind>,
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
    keywords: Option<PathBuf>,
    /// Fold the case of letters (ß is ss) [default: true, false for --tokens code]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BOOL",
        value_parser = BoolishValueParser::new(),
        conflicts_with_all = NO_TEXTS
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
        conflicts_with_all = NO_TEXTS
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
    ///
    /// Each is one token: a word, or a character of a script without spaces (Chinese, Thai). A note counts those that
    /// are none, and so match nothing.
    #[arg(long, hide_short_help = true, value_name = "LANG|FILE", conflicts_with_all = NO_TEXTS)]
    stop_words: Option<PathBuf>,
    /// Reduce words to stems of a language (en, de, ...) [default: none]
    #[arg(long, hide_short_help = true, value_name = "LANG", conflicts_with_all = NO_TEXTS)]
    stem: Option<StemLanguage>,
    /// Differences that do not count: numbers takes each run of digits for one sign [default: none]
    ///
    /// For times, prices and counters: lines that differ in their digits alone are equal. 12.5 is two runs; in code
    /// each number is one sign, whatever it is made of.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WHAT",
        hide_possible_values = true,
        value_parser = one_of([("numbers", "Runs of digits", Mask::Numbers)]),
        conflicts_with_all = NO_TEXTS
    )]
    mask: Option<Mask>,
    /// Drop the points of Arabic and Hebrew (harakat, niqqud, marks of recitation) and the tatweel
    ///
    /// Hamza and madda are kept: they distinguish letters.
    #[arg(long, hide_short_help = true, conflicts_with_all = NO_TEXTS)]
    strip_marks: bool,
}

impl TextArgs {
    /// The files that the features are made of.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.options.files()
    }

    /// The subject of a comparison by these features; `subject` where they do not say another one.
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

    /// The features that these flags mean.
    pub(crate) fn features(&self) -> Result<Features> {
        self.features_over(&Features::default())
    }

    /// The features that these flags mean; where they say nothing, those of the index or snapshot.
    ///
    /// # Errors
    /// If a flag says something else than the index or snapshot was made for.
    pub(super) fn features_beside(&self, stored: Option<&StoredParameters>) -> Result<Features> {
        let Some(stored) = stored else { return self.features() };
        let features = self.features_over(&stored.features)?;
        stored.check(&features)?;
        Ok(features)
    }

    /// True if any flag is given that is for texts or their shingles.
    fn are_given(&self) -> bool {
        let Self { shingle, identical, bag, stride, hash_bits, options } = self;
        let are_shingles_given = shingle.is_some() || stride.is_some() || hash_bits.is_some();
        are_shingles_given || *identical || *bag || options.are_given()
    }

    /// The features that these flags mean; where they say nothing, those of `base`.
    fn features_over(&self, base: &Features) -> Result<Features> {
        if self.identical {
            return Ok(Features::WholeText);
        }
        let text = self.options.options_over(base.text())?;
        let of_base = base.shingle();
        let shingle = ShingleOptions {
            size: self.shingle.unwrap_or(of_base.size),
            stride: self.stride.map_or(of_base.stride, NonZeroUsize::get),
            multiplicity: if self.bag { Multiplicity::Bag } else { of_base.multiplicity },
            hash_bits: self.hash_bits.unwrap_or(of_base.hash_bits),
            hash_secret: None,
        };
        let is_of_texts = matches!(base, Features::Set { .. }) || self.are_given();
        Ok(if is_of_texts { Features::Set { text, shingle } } else { base.clone() })
    }
}

impl TextOptionArgs {
    /// True if any of these flags is given.
    fn are_given(&self) -> bool {
        let Self { tokens, rename_blind, keywords, lowercase, nfkc, strip_html, main_content, .. } = self;
        let Self { stop_words, stem, mask, strip_marks, .. } = self;
        let are_words_given = stop_words.is_some() || stem.is_some() || mask.is_some() || keywords.is_some();
        let are_characters_given = lowercase.is_some() || nfkc.is_some() || *strip_marks;
        let are_pages_given = *strip_html || *main_content;
        tokens.is_some() || *rename_blind || are_words_given || are_characters_given || are_pages_given
    }

    /// The files that the options are made of.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let stop_words = self.stop_words.as_deref().and_then(stop_words_file);
        let keywords = self.keywords.as_deref().and_then(keywords_file);
        stop_words.into_iter().chain(keywords).map(Path::to_owned).collect()
    }

    /// The options that these flags mean.
    pub(crate) fn options(&self) -> Result<TextOptions> {
        self.options_over(&TextOptions::default())
    }

    /// The options that these flags mean; where they say nothing, those of `base`.
    fn options_over(&self, base: &TextOptions) -> Result<TextOptions> {
        let kind = match self.tokens {
            Some(TokenKind::Words) if base.tokens != TokenKind::Words => TextOptions::default(),
            Some(TokenKind::Code) if base.tokens != TokenKind::Code => TextOptions::code(),
            _ => base.clone(),
        };
        ensure!(
            kind.tokens == TokenKind::Code || !self.rename_blind,
            "--rename-blind and --keywords are about source code: give --tokens code with them"
        );
        Ok(TextOptions {
            tokens: kind.tokens,
            nfkc: self.nfkc.unwrap_or(kind.nfkc),
            lowercase: self.lowercase.unwrap_or(kind.lowercase),
            strip_html: self.strip_html || kind.strip_html,
            stop_words: self.stop_words.as_deref().map(stop_words).transpose()?.unwrap_or(kind.stop_words),
            stem: self.stem.or(kind.stem),
            keywords: self.keywords.as_deref().map(keywords).transpose()?.or(kind.keywords),
            mask: self.mask.or(kind.mask),
            strip_marks: self.strip_marks || kind.strip_marks,
            main_content: self.main_content || kind.main_content,
        })
    }
}
