//! What a document becomes.

use super::values::stride;
use anyhow::Result;
use clap::Args;
use clap::builder::BoolishValueParser;
use lookalike::{
    Features, HashBits, Multiplicity, ShingleOptions, ShingleSize, StemLanguage, TextOptions, stop_words,
    stop_words_file,
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// How a text is cut into elements.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text")]
pub(crate) struct TextArgs {
    /// What is compared: word:N or char:N
    ///
    /// Sets of shingles: runs of N words or characters.
    #[arg(long, value_name = "UNIT:N", default_value = "word:5", conflicts_with_all = ["items", "bits"])]
    shingle: ShingleSize,
    /// Count repeated shingles (weighted Jaccard)
    #[arg(long, hide_short_help = true, conflicts_with = "bits")]
    bag: bool,
    /// Tokens from one shingle to the next; N of the shingle for no overlap
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value = "1",
        allow_negative_numbers = true,
        value_parser = stride,
        conflicts_with_all = ["items", "bits"],
    )]
    stride: NonZeroUsize,
    /// Width of shingle hashes: 64 or 32
    #[arg(long, hide_short_help = true, value_name = "BITS", default_value = "64", value_parser = ["64", "32"], conflicts_with = "bits")]
    hash_bits: String,
    /// Map letters to lower case
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BOOL",
        default_value = "true",
        action = clap::ArgAction::Set,
        value_parser = BoolishValueParser::new(),
        conflicts_with_all = ["items", "bits"],
    )]
    lowercase: bool,
    /// Bring compatible characters to one form (Unicode NFKC)
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BOOL",
        default_value = "true",
        action = clap::ArgAction::Set,
        value_parser = BoolishValueParser::new(),
        conflicts_with_all = ["items", "bits"],
    )]
    nfkc: bool,
    /// Take texts as HTML: drop tags, scripts and styles
    #[arg(long, hide_short_help = true, conflicts_with_all = ["items", "bits"])]
    strip_html: bool,
    /// Leave out stop words of a language (en, de, ...) or of a file, one a line [default: none]
    #[arg(long, hide_short_help = true, value_name = "LANG|FILE", conflicts_with_all = ["items", "bits"])]
    stop_words: Option<String>,
    /// Reduce words to stems of a language (en, de, ...) [default: none]
    #[arg(long, hide_short_help = true, value_name = "LANG", conflicts_with_all = ["items", "bits"])]
    stem: Option<StemLanguage>,
}

impl TextArgs {
    /// The files that the features are made of.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.stop_words.as_deref().and_then(stop_words_file).map(Path::to_owned).into_iter().collect()
    }

    /// The features that these flags mean.
    pub(crate) fn features(&self) -> Result<Features> {
        let text = TextOptions {
            nfkc: self.nfkc,
            lowercase: self.lowercase,
            strip_html: self.strip_html,
            stop_words: self.stop_words.as_deref().map(stop_words).transpose()?.unwrap_or_default(),
            stem: self.stem,
        };
        let shingle = ShingleOptions {
            size: self.shingle,
            stride: self.stride.get(),
            multiplicity: if self.bag { Multiplicity::Bag } else { Multiplicity::Set },
            hash_bits: if self.hash_bits == "32" { HashBits::Bits32 } else { HashBits::Bits64 },
        };
        Ok(Features::Set { text, shingle })
    }
}
