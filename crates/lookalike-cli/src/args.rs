//! Flags that several commands share.

use anyhow::{Result, bail};
use bytesize::ByteSize;
use clap::builder::{BoolishValueParser, RangedU64ValueParser};
use clap::{Args, ValueEnum};
use lookalike::core::shingle::{HashBits, Multiplicity, ShingleOptions, ShingleSize};
use lookalike::core::sketch::Banding;
use lookalike::core::text::{StemLanguage, TextOptions};
use lookalike::io::{FieldNames, ItemSeparator, RecordFormat};
use lookalike::{EmptyPolicy, Kernel, MemoryOptions, Method, MinHashOptions, OnError, Options, Threshold, stop_words};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What to read and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    /// Files of records (.jsonl, .csv, .tsv, .parquet, .arrow, .warc, .wet), text and HTML files (one document each) or sketches,
    /// also as .gz, .zst, .bz2, .xz; folders of them; patterns like 'crawl/*.jsonl.zst'; - for stdin; the same as s3://, gs://,
    /// az:// or https:// URLs. The format follows the ending, else the content
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Format of standard input, and of files whose ending says nothing [default: known by the content, as far as that tells]
    #[arg(long, hide_short_help = true, value_name = "FORMAT", value_enum)]
    input_format: Option<InputFormatArg>,
    /// Field or column with the text; in Parquet and Arrow also in structs, as doc.text
    #[arg(long, hide_short_help = true, value_name = "FIELD", default_value = "text")]
    pub(crate) text_field: String,
    /// Field or column with the key; records without it are named FILE:LINE. In WARC files, where messages give the number
    /// of a record, it is a header: WARC-Target-URI unless you name another, as WARC-Record-ID for repeated fetches
    #[arg(long, hide_short_help = true, value_name = "FIELD", default_value = "id")]
    pub(crate) id_field: String,
    #[command(flatten)]
    pub(crate) items: ItemsArg,
    /// At a record that cannot be used: end without output, or report it, leave it out and exit with 2 at the end
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    pub(crate) on_error: OnErrorArg,
    /// Longest record that is taken; a longer one is a bad record, and never held in memory, except in Parquet and Arrow, of
    /// which whole pages and batches are decoded
    #[arg(long, hide_short_help = true, value_name = "SIZE", default_value = "64MiB")]
    pub(crate) max_document: ByteSize,
}

/// Answers of `--input-format`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum InputFormatArg {
    /// JSON Lines
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Tab-separated values
    Tsv,
    /// WARC or WET
    Warc,
    /// Apache Parquet
    Parquet,
    /// Arrow IPC
    Arrow,
}

impl From<InputFormatArg> for RecordFormat {
    fn from(argument: InputFormatArg) -> Self {
        match argument {
            InputFormatArg::Jsonl => Self::JsonLines,
            InputFormatArg::Csv => Self::Csv,
            InputFormatArg::Tsv => Self::Tsv,
            InputFormatArg::Warc => Self::Warc,
            InputFormatArg::Parquet => Self::Parquet,
            InputFormatArg::Arrow => Self::Arrow,
        }
    }
}

/// Whether documents are texts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ItemsArg {
    /// Take documents as sets of items, compared as they stand: text files hold a set a line, JSON fields may be arrays; CHAR
    /// or `tab` stands between items [default: texts; with --items alone: blanks between items]
    #[arg(long, hide_short_help = true, value_name = "CHAR", num_args = 0..=1, require_equals = true)]
    items: Option<Option<ItemSeparator>>,
}

impl ItemsArg {
    pub(crate) fn separator(&self) -> Option<ItemSeparator> {
        self.items.map(|separator| separator.unwrap_or(ItemSeparator::Blanks))
    }

    /// Items where sets were asked for, else the shingles of texts.
    pub(crate) fn shingle_options(&self, text: &TextArgs) -> ShingleOptions {
        let options = text.shingle_options();
        let size = if self.items.is_some() { ShingleOptions::items().size } else { options.size };
        ShingleOptions { size, ..options }
    }
}

/// What is compared.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text")]
pub(crate) struct TextArgs {
    /// Shingles of N words or characters: word:N, char:N
    #[arg(long, value_name = "UNIT:N", default_value = "word:5", conflicts_with = "items")]
    shingle: ShingleSize,
    /// Count repeated shingles (weighted Jaccard)
    #[arg(long, hide_short_help = true)]
    bag: bool,
    /// Tokens from one shingle to the next; N of the shingle for no overlap
    #[arg(long, hide_short_help = true, value_name = "N", default_value = "1", value_parser = at_least_one, conflicts_with = "items")]
    stride: NonZeroUsize,
    /// Width of shingle hashes: 64 or 32
    #[arg(long, hide_short_help = true, value_name = "BITS", default_value = "64", value_parser = ["64", "32"])]
    hash_bits: String,
    /// Map letters to lower case
    #[arg(long, hide_short_help = true, value_name = "BOOL", default_value = "true", action = clap::ArgAction::Set, value_parser = BoolishValueParser::new(), conflicts_with = "items")]
    lowercase: bool,
    /// Bring compatible characters to one form (Unicode NFKC)
    #[arg(long, hide_short_help = true, value_name = "BOOL", default_value = "true", action = clap::ArgAction::Set, value_parser = BoolishValueParser::new(), conflicts_with = "items")]
    nfkc: bool,
    /// Take texts as HTML: drop tags, scripts and styles
    #[arg(long, conflicts_with = "items")]
    strip_html: bool,
    /// Leave out stop words of a language (en, de, ...) or of a file, one a line [default: none]
    #[arg(long, hide_short_help = true, value_name = "LANG|FILE", conflicts_with = "items")]
    stop_words: Option<String>,
    /// Reduce words to stems of a language (en, de, ...) [default: none]
    #[arg(long, hide_short_help = true, value_name = "LANG", conflicts_with = "items")]
    stem: Option<StemLanguage>,
}

/// How near-duplicates are found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Least Jaccard similarity of near-duplicates, inclusive
    #[arg(long, value_name = "T", default_value = "0.8", allow_negative_numbers = true)]
    pub(crate) threshold: Threshold,
    /// How candidates are found; every answer is verified
    #[arg(long, value_name = "METHOD", value_enum, default_value_t)]
    method: MethodArg,
    /// Most components of a MinHash signature
    #[arg(long, hide_short_help = true, value_name = "K", default_value_t = 128, value_parser = permutations())]
    permutations: usize,
    /// Bands of the signature; needs --rows [default: chosen for --recall]
    #[arg(long, hide_short_help = true, value_name = "B", requires = "rows")]
    bands: Option<usize>,
    /// Rows in a band; needs --bands [default: chosen for --recall]
    #[arg(long, hide_short_help = true, value_name = "R", requires = "bands")]
    rows: Option<usize>,
    /// Share of the pairs at the threshold that minhash must find
    #[arg(long, value_name = "R", default_value_t = 0.99, allow_negative_numbers = true)]
    recall: f64,
    /// Seed of the permutations
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Whether documents without tokens are duplicates of each other
    #[arg(long, hide_short_help = true, value_name = "WHAT", value_enum, default_value_t)]
    empty: EmptyArg,
}

/// How the work is done.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct WorkArgs {
    /// Number of threads, at most 1024, and one for 16 MiB of memory [default: one a core]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Memory that the process may have; what does not fit goes to temporary files, with the same answers. One document takes
    /// some seven times its size besides: --max-document limits that
    /// [default: half of what the machine or its container has]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<ByteSize>,
    /// Folder for what does not fit into memory and for copies of what is behind URLs [default: the
    /// work folder if there is one, else that of the system]
    #[arg(long, hide_short_help = true, value_name = "DIR")]
    pub(crate) temp_dir: Option<PathBuf>,
    /// Folder where the job keeps what it has finished: after an interruption the same command goes on from there
    /// [default: none]
    #[arg(long, value_name = "DIR")]
    pub(crate) work_dir: Option<PathBuf>,
    /// Progress on stderr: auto draws at a terminal and writes a line every ten seconds elsewhere
    #[arg(long, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) progress: When,
}

/// What is said of a search beside its answer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct ReportArgs {
    /// Write counts, parameters and times as JSON
    #[arg(long, value_name = "FILE.json")]
    pub(crate) summary: Option<PathBuf>,
    /// Say on stderr what was chosen and why, what it met, and how long each stage took
    #[arg(long)]
    pub(crate) explain: bool,
    /// Exit with 1 if near-duplicates were found
    #[arg(long, hide_short_help = true)]
    pub(crate) fail_if_found: bool,
}

/// Answers of `--on-error`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum OnErrorArg {
    /// End at once, without output.
    #[default]
    Stop,
    /// Report and leave out.
    Skip,
}

/// Answers of `--method`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum MethodArg {
    /// Exact, unless it would be far slower than minhash; says which
    #[default]
    Auto,
    /// Prefix-filter join: misses nothing
    Exact,
    /// MinHash bands: misses at most 1 - recall of the pairs at the threshold, fewer above
    Minhash,
}

/// Answers of `--empty`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum EmptyArg {
    /// An empty document is no duplicate
    #[default]
    Keep,
    /// Empty documents are duplicates of each other
    Duplicate,
}

/// Answers of `--progress`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// At a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl InputArgs {
    pub(crate) fn field_names(text: &str, id: &str) -> Result<FieldNames> {
        if text == id {
            bail!("--text-field and --id-field are both `{text}`");
        }
        Ok(FieldNames { text: text.to_owned(), id: id.to_owned(), ..FieldNames::default() })
    }

    fn fields(&self) -> Result<FieldNames> {
        let names = Self::field_names(&self.text_field, &self.id_field)?;
        Ok(FieldNames { items: self.items.separator(), ..names })
    }

    pub(crate) fn on_error(&self) -> OnError {
        self.on_error.into()
    }
}

impl From<OnErrorArg> for OnError {
    fn from(argument: OnErrorArg) -> Self {
        match argument {
            OnErrorArg::Stop => Self::Stop,
            OnErrorArg::Skip => Self::Skip,
        }
    }
}

impl TextArgs {
    pub(crate) fn shingle_options(&self) -> ShingleOptions {
        ShingleOptions {
            size: self.shingle,
            stride: self.stride.get(),
            multiplicity: if self.bag { Multiplicity::Bag } else { Multiplicity::Set },
            hash_bits: if self.hash_bits == "32" { HashBits::Bits32 } else { HashBits::Bits64 },
        }
    }

    pub(crate) fn text_options(&self) -> Result<TextOptions> {
        Ok(TextOptions {
            nfkc: self.nfkc,
            lowercase: self.lowercase,
            strip_html: self.strip_html,
            stop_words: self.stop_words.as_deref().map(stop_words).transpose()?.unwrap_or_default(),
            stem: self.stem,
        })
    }
}

impl SearchArgs {
    fn method(&self) -> Method {
        match self.method {
            MethodArg::Auto => Method::Auto,
            MethodArg::Exact => Method::Exact,
            MethodArg::Minhash => Method::MinHash,
        }
    }

    fn minhash(&self) -> Result<MinHashOptions> {
        let banding = self.bands.zip(self.rows).map(|(bands, rows)| Banding::new(bands, rows)).transpose()?;
        Ok(MinHashOptions { permutations: self.permutations, banding, recall: self.recall, seed: self.seed })
    }
}

/// An estimate with so many errs by 0.005, and the rule of the peers, which tries all bandings, takes seconds above it.
const MOST_PERMUTATIONS: u64 = 10_000;

/// A number of components of a signature.
pub(crate) fn permutations() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MOST_PERMUTATIONS)
}

fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| format!("expected a number from 1 to {}", usize::MAX))
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|&threads: &NonZeroUsize| threads.get() <= 1024);
    threads.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

/// Less than this does not hold the blocks that are being read.
const LEAST_MEMORY: ByteSize = ByteSize::mib(32);

fn memory(text: &str) -> Result<ByteSize, String> {
    let size: Option<ByteSize> = text.parse().ok().filter(|&size| size >= LEAST_MEMORY);
    size.ok_or_else(|| format!("expected a size of at least {LEAST_MEMORY}, like 4GiB"))
}

/// The version of the inner loops: the best, or the one that `LOOKALIKE_KERNEL` names (scalar, avx2, avx512, neon).
fn kernel() -> Result<Kernel> {
    let forced = std::env::var("LOOKALIKE_KERNEL").ok().map(|name| name.parse().map_err(anyhow::Error::msg));
    Ok(forced.transpose()?.unwrap_or_else(Kernel::detect))
}

/// The options of the library that all these flags mean.
pub(crate) fn options(input: &InputArgs, text: &TextArgs, search: &SearchArgs, work: &WorkArgs) -> Result<Options> {
    Ok(Options {
        threshold: search.threshold,
        method: search.method(),
        minhash: search.minhash()?,
        empty: match search.empty {
            EmptyArg::Keep => EmptyPolicy::Keep,
            EmptyArg::Duplicate => EmptyPolicy::Duplicate,
        },
        ..base_options(input, text, work)?
    })
}

/// The same for commands that do not search.
pub(crate) fn base_options(input: &InputArgs, text: &TextArgs, work: &WorkArgs) -> Result<Options> {
    Ok(Options {
        text: text.text_options()?,
        shingle: input.items.shingle_options(text),
        input_format: input.input_format.map(Into::into),
        fields: input.fields()?,
        on_error: input.on_error(),
        most_record_bytes: input.max_document.as_u64(),
        memory: MemoryOptions {
            budget_bytes: work.memory.map(|size| size.as_u64()),
            temporary_folder: work.temp_dir.clone(),
        },
        work_folder: work.work_dir.clone(),
        threads: work.threads,
        kernel: kernel()?,
        ..Options::default()
    })
}
