//! Inputs: files, the records in them, and their fields.

use super::points::{BitsArgs, ImageArgs, VectorArgs};
use super::values::{one_of, record_size};
use anyhow::{Result, bail, ensure};
use bytesize::ByteSize;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lookalike::{
    Inputs,
    inputs::{
        GitignoreFiles, GivenVectors, ItemCounts, ItemSeparator, JsonFiles, Layout, OnError, Quotes, RecordFormat,
        RepeatedIds, TextEncoding,
    },
};
use std::ffi::OsString;
use std::path::PathBuf;

/// Inputs of a job.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    /// Files, folders, patterns like '*.jsonl.gz', URLs; - for stdin
    ///
    /// Files of records (.jsonl, .csv, .tsv, .parquet, .arrow, .warc, .wet), text and HTML files (one document each) or
    /// snapshots, also as .gz, .zst, .bz2, .xz; folders and archives (.tar, .tar.gz, .zip, ...) of them; the same as
    /// s3://, gs://, az:// or https:// URLs. The format follows the extension, else the content. What stays of an
    /// archive is written to a folder, with the paths of its members, or with --format to one file. Without INPUT,
    /// documents that are piped in are read.
    #[arg(value_name = "INPUT", help_heading = None::<&str>)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    groups: GroupArgs,
}

/// Groups of rows as documents.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct GroupArgs {
    /// Make baskets of rows like customer,product: rows with the same FIELD are one document, a set of the values of
    /// --items-field, wherever they stand [default: each record is a document]
    ///
    /// The value of FIELD is the id in all answers, and `dedup -o` writes the rows of the groups that stay, in their
    /// order and byte for byte. Either way round: similar customers, or products with similar customers. --bag counts
    /// rows that come again.
    #[arg(long, hide_short_help = true, value_name = "FIELD", conflicts_with = "id_field")]
    group_by: Option<String>,
    /// Field with the number of copies of the item in a row of --group-by: a whole number up to 65535 (weighted
    /// Jaccard) [default: none]
    #[arg(long, hide_short_help = true, value_name = "FIELD", requires = "group_by")]
    count_field: Option<String>,
}

/// Names of the fields of references.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ReferenceFieldArgs {
    /// Field or column with the text in the references [default: --text-field]
    #[arg(long, hide_short_help = true, value_name = "FIELD", requires = "against")]
    against_text_field: Option<String>,
    /// Field or column with the id in the references [default: --id-field]
    #[arg(long, hide_short_help = true, value_name = "FIELD", requires = "against")]
    against_id_field: Option<String>,
}

impl ReferenceFieldArgs {
    /// The inputs, with these names.
    pub(crate) fn apply_to(&self, inputs: Inputs) -> Inputs {
        let Self { against_text_field, against_id_field } = self.clone();
        Inputs { against_text_field, against_id_field, ..inputs }
    }
}

/// Reading of documents, wherever they are named.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ReadingArgs {
    #[command(flatten)]
    record: RecordArgs,
    /// End with an error if an id occurs again, instead of qualifying it by file and line
    #[arg(long, hide_short_help = true)]
    unique_ids: bool,
    /// At a bad record: stop, or skip it
    ///
    /// stop ends the job without output. skip names each bad record on stderr by file and line, leaves it out, and
    /// counts them in the report and in the summary; the exit status is 0. A bad record is in no output. Of several
    /// files, one without the text column or that cannot be opened or read in its format is left out as a whole, and
    /// counts as one; it is copied as it is where records go to a folder, and so is one of bad records only. A folder
    /// in an input that cannot be opened is left out likewise.
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "stop",
        hide_possible_values = true,
        value_parser = one_of([
            ("stop", "End at once, without output", OnError::Stop),
            ("skip", "Report and leave out", OnError::Skip),
        ])
    )]
    on_error: OnError,
    /// Longest record that is taken; a longer one is a bad record, and never held in memory, except in Parquet and
    /// Arrow, of which whole pages and batches are decoded
    #[arg(
        long,
        hide_short_help = true,
        value_name = "SIZE",
        default_value = "64MiB",
        allow_hyphen_values = true,
        value_parser = record_size
    )]
    max_document: ByteSize,
}

/// A pattern of names. Patterns are texts: `?` and `*` stand for bytes that are none.
fn pattern_of(value: OsString) -> std::result::Result<String, &'static str> {
    let pattern = value.into_string().map_err(|_| "a pattern is UTF-8, in which ? stands for a byte that is none")?;
    if pattern.is_empty() { Err("a pattern is not empty") } else { Ok(pattern) }
}

/// The field with the text if none is named.
const DEFAULT_TEXT: &str = "text";

/// Records, and the documents in them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct RecordArgs {
    /// Leave out files and folders that fit, as '*.bak' or drafts/, in folders, patterns, archives, URLs and among the
    /// named files [default: none]
    ///
    /// Patterns are those of .gitignore files: '*.bak' and drafts fit such names at any depth, /a.txt and x/a.txt the
    /// paths below an INPUT or as typed, ./x and ../x those from the current folder, drafts/ only folders with all in
    /// them, and '!x' takes something in again. They hold for references, too.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "PATTERN",
        num_args = 1..,
        value_parser = OsStringValueParser::new().try_map(pattern_of)
    )]
    exclude: Vec<String>,
    /// Leave out what the .gitignore files in a folder and above it name; of an archive, those in it
    #[arg(long, hide_short_help = true)]
    gitignore: bool,
    /// Format of all inputs, whatever their extensions say [default: by extension, else detected]
    ///
    /// Also of the files in folders and archives. Without it, objects and arrays of JSON, WARC, Parquet and Arrow that
    /// have no known extension are known by how they begin, tables by a header with the text field. All else is text:
    /// one document.
    #[arg(long, hide_short_help = true, value_name = "FORMAT", value_parser = input_formats())]
    input_format: Option<Layout>,
    /// Field or column with the text [default: text]
    ///
    /// In JSON, Parquet and Arrow also inside objects, as doc.text; a field with a dot in its own name comes first.
    /// With a field that is named, .json files in folders are records. --items-field is the same.
    #[arg(long, value_name = "FIELD", alias = "items-field")]
    text_field: Option<String>,
    /// Field or column with the id [default: id]
    ///
    /// Records without it are named FILE:LINE, and all of them with an empty FIELD (--id-field=). An id that occurs
    /// again in its file becomes ID@FILE:LINE, and ID@FILE for the first one of another file. In WARC files, where
    /// records are numbered in place of lines, it is a header: WARC-Target-URI unless you name another, as
    /// WARC-Record-ID.
    #[arg(long, value_name = "FIELD")]
    id_field: Option<String>,
    /// Encoding of CSV, TSV and text files, as windows-1252 [default: UTF-8; of texts also UTF-16]
    ///
    /// Any name of the Encoding Standard. UTF-16 is known by its byte order mark, and tables in it have to be
    /// converted. Records and files that keep their format keep their bytes; in another format they are UTF-8. JSON,
    /// Parquet and Arrow are UTF-8 always, and HTML pages declare their encoding.
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    encoding: Option<TextEncoding>,
    /// Quotes of CSV and TSV: double (\") or none [default: double; none for TSV, unless all its marks pair up]
    ///
    /// double: fields in quotes hold separators and line ends, and two marks stand for one. none: marks are characters
    /// like all others, and each line is a row. TSV has none by definition, but many programs write it with quotes:
    /// it has them if each field that begins with a mark ends with one and no other has any. Where lines in quotes
    /// could be rows as well, the job ends and asks for this flag.
    #[arg(long, hide_short_help = true, value_name = "QUOTES", value_enum, hide_possible_values = true)]
    quote: Option<QuoteArg>,
    /// Take documents as sets of items, compared as they stand: text files hold a set a line, fields may be lists in
    /// JSON, Parquet and Arrow; CHAR or `tab` stands between items [default: texts; with --items alone: blanks between
    /// items]
    #[arg(long, hide_short_help = true, value_name = "CHAR", num_args = 0..=1, require_equals = true)]
    items: Option<Option<ItemSeparator>>,
    /// Items have counts: ITEM:COUNT in lines and lists, names and values of JSON objects and of maps in Parquet and
    /// Arrow; an item of count N is compared as N copies (weighted Jaccard)
    ///
    /// A count is a whole number up to 65535 behind the last colon; 0 is as if the item were not there. Counts of an
    /// item that comes several times are added.
    #[arg(long, hide_short_help = true, requires = "items")]
    item_counts: bool,
    #[command(flatten)]
    bits: BitsArgs,
    #[command(flatten)]
    vectors: VectorArgs,
    #[command(flatten)]
    images: ImageArgs,
}

/// The texts of which signatures were made.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct TextsArgs {
    /// Texts of the documents whose --signature is the input: candidates are found by it, and the texts verify them
    /// [default: none]
    ///
    /// Files, folders, patterns or URLs with the same ids, one for each signature. Flags for text, records and
    /// similarity are those of the texts: give those that the signatures were made with.
    #[arg(long, hide_short_help = true, value_name = "FILE", num_args = 1.., requires = "signature")]
    texts: Vec<PathBuf>,
    /// Name of the field with the id of a signature, where texts are given; --id-field is that of the texts
    #[arg(long, hide_short_help = true, value_name = "FIELD", default_value = "id", requires = "texts")]
    signature_id: String,
}

impl TextsArgs {
    /// The inputs of the job, and the signatures by which candidates are found, if texts are given.
    ///
    /// # Errors
    /// If a field of texts is named, and there are none.
    pub(crate) fn split(&self, inputs: Inputs, text_field: &str) -> Result<(Inputs, Option<Inputs>)> {
        if self.texts.is_empty() {
            let is_read = inputs.vectors != GivenVectors::Signatures || text_field == Inputs::default().text_field;
            ensure!(is_read, "--text-field is that of the texts of signatures: --texts FILE");
            return Ok((inputs, None));
        }
        let (texts, signatures) = inputs.with_texts(self.texts.clone(), text_field.to_owned());
        Ok((texts, Some(Inputs { id_field: self.signature_id.clone(), ..signatures })))
    }
}

/// Parser of the formats of inputs.
fn input_formats() -> impl TypedValueParser<Value = Layout> {
    one_of([
        ("jsonl", "JSON Lines", Layout::Records(RecordFormat::JsonLines)),
        ("json", "One JSON array of objects", Layout::Records(RecordFormat::JsonArray)),
        ("csv", "Comma-separated values", Layout::Records(RecordFormat::Csv)),
        ("tsv", "Tab-separated values", Layout::Records(RecordFormat::Tsv)),
        ("warc", "WARC or WET", Layout::Records(RecordFormat::Warc)),
        ("parquet", "Apache Parquet", Layout::Records(RecordFormat::Parquet)),
        ("arrow", "Arrow IPC", Layout::Records(RecordFormat::Arrow)),
        ("text", "One document a file", Layout::Text),
    ])
}

/// Values of `--quote`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum QuoteArg {
    /// Fields may stand in quotation marks
    #[value(alias = "\"")]
    Double,
    /// Quotation marks are characters like all others
    None,
}

impl From<QuoteArg> for Quotes {
    fn from(argument: QuoteArg) -> Self {
        match argument {
            QuoteArg::Double => Self::Double,
            QuoteArg::None => Self::None,
        }
    }
}

impl InputArgs {
    /// True if inputs are named or piped in.
    pub(crate) fn are_known(&self) -> bool {
        !self.inputs.is_empty() || is_piped()
    }

    /// The inputs that these flags mean, where no files are read.
    pub(crate) fn inputs_without_files(&self) -> Inputs {
        self.groups.apply_to(self.reading.inputs(&[]))
    }

    /// The inputs that these flags mean.
    ///
    /// # Errors
    /// If there are none, and nothing is piped in.
    pub(crate) fn inputs(&self) -> Result<Inputs> {
        ensure!(
            self.reading.record.exclude.is_empty() || !self.inputs.is_empty(),
            "no INPUT: --exclude takes all patterns that follow it; name the inputs before it"
        );
        if !self.are_known() {
            bail!("no INPUT; name files, folders or URLs before flags that take several names, or pipe documents in");
        }
        let stdin = [PathBuf::from("-")];
        Ok(self.groups.apply_to(self.reading.inputs(if self.inputs.is_empty() { &stdin } else { &self.inputs })))
    }

    /// True if rows are put together to groups.
    pub(crate) fn are_grouped(&self) -> bool {
        self.groups.group_by.is_some()
    }

    /// The flags of given fingerprints.
    pub(super) fn bits(&self) -> &BitsArgs {
        &self.reading.record.bits
    }

    /// The field with the text, where records have texts.
    pub(crate) fn text_field(&self) -> &str {
        self.reading.record.text_field.as_deref().unwrap_or(DEFAULT_TEXT)
    }
}

/// True if standard input is a pipe or a file: neither a terminal nor, as for programs in the background, nothing.
#[cfg(unix)]
fn is_piped() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let file = std::io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|found| !found.file_type().is_char_device())
}

/// True if standard input is no terminal.
#[cfg(not(unix))]
fn is_piped() -> bool {
    use std::io::IsTerminal;
    !std::io::stdin().is_terminal()
}

impl ReadingArgs {
    /// The inputs that these flags mean, for these files and folders.
    pub(crate) fn inputs(&self, inputs: &[PathBuf]) -> Inputs {
        Inputs {
            repeated_ids: if self.unique_ids { RepeatedIds::Refused } else { RepeatedIds::Qualified },
            on_error: self.on_error,
            max_document_bytes: Some(self.max_document.as_u64()),
            ..self.record.inputs(inputs)
        }
    }
}

impl RecordArgs {
    /// The inputs that these flags mean, for these files and folders.
    pub(crate) fn inputs(&self, inputs: &[PathBuf]) -> Inputs {
        let text_field = self.bits.bits.as_deref().or(self.vectors.field()).or(self.text_field.as_deref());
        let names_fields = text_field.is_some() || self.id_field.is_some();
        let inputs = Inputs {
            inputs: inputs.to_owned(),
            input_format: self.input_format,
            json_files: if names_fields { JsonFiles::Records } else { JsonFiles::Texts },
            text_field: text_field.unwrap_or(DEFAULT_TEXT).to_owned(),
            id_field: self.id_field.clone().unwrap_or_else(|| Inputs::default().id_field),
            encoding: self.encoding,
            quotes: self.quote.map(Into::into),
            items: self.items.map(|separator| separator.unwrap_or(ItemSeparator::Blanks)),
            item_counts: if self.item_counts { ItemCounts::Written } else { ItemCounts::Absent },
            fingerprints: self.bits.fingerprints(),
            vectors: self.vectors.given(),
            exclude: self.exclude.clone(),
            gitignore: if self.gitignore { GitignoreFiles::Obeyed } else { GitignoreFiles::Unread },
            ..Inputs::default()
        };
        match self.images.features {
            Some(features) => inputs.of_images(features),
            None => inputs,
        }
    }
}

impl GroupArgs {
    /// The inputs, with rows put together to groups as these flags say.
    pub(crate) fn apply_to(&self, inputs: Inputs) -> Inputs {
        let Self { group_by, count_field } = self.clone();
        let json_files = if group_by.is_some() { JsonFiles::Records } else { inputs.json_files };
        Inputs { group_by, count_field, json_files, ..inputs }
    }
}
