//! The next step after an error: the library says what is wrong, only the command line knows its flags.

use lookalike::details::{
    Action, BinaryKind, ColumnRole, ColumnShape, ColumnTypes, DataForm, ExpectedValue, FoundValue, GroupConflict,
    MeasureKind, PointKind, StoredScores,
};
use lookalike::index::Error as IndexError;
use lookalike::{
    Error,
    details::{
        Contradiction, FileInUse, IoError, NotAVector, OutputKind, ParameterError, SignatureError, WorkFolderError,
    },
    inputs::{BadRecord, Layout, Problem, RecordFormat},
    measures::{LimitForm, MeasureName},
    progress::UnusedSetting,
};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;

/// Flags of a command that other commands, or other jobs, call otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flags {
    /// The flag of the output of records.
    pub(crate) records: &'static str,
    /// True if there are references, whose fields may have names of their own.
    pub(crate) has_references: bool,
    /// True if there are several files, of which one that cannot be read may be left out.
    pub(crate) can_skip: bool,
}

impl Flags {
    /// The flags that name fields.
    fn fields(self) -> &'static str {
        if self.has_references { FIELDS_OF_REFERENCES } else { FIELDS }
    }
}

/// The flags that name fields.
const FIELDS: &str = "--text-field, --id-field, --keep";
/// The flags that name fields in a job with references.
const FIELDS_OF_REFERENCES: &str = "--text-field, --id-field; of references --against-text-field, --against-id-field";

/// The next step where flags say something else than an index or a snapshot was made for.
const FOLLOWS: &str = "; leave out the flags for text and shingles, which follow from it, or make it anew";

/// The next step where records cannot be ordered by a field.
const ANOTHER_FIELD: &str = "; name another field in --keep";

/// The end of a line that says what is wrong.
type Hint = Cow<'static, str>;

/// The next step after an error, as the end of its line; empty if the line says it already.
pub(crate) fn hint(error: &anyhow::Error, flags: Flags) -> String {
    let Some(error) = error.downcast_ref() else { return String::new() };
    let hint = hint_of_job(error, flags);
    match error {
        Error::Io(error) if flags.can_skip && error.is_about_content() => {
            format!("{hint}; --on-error skip leaves such a file out")
        }
        _ => hint.into_owned(),
    }
}

/// The next step where a stored file has tokens or hashes of another version.
const OTHER_VERSION: &str = "; another version of lookalike made it: make it anew";

/// The next step where an index cannot be opened, changed or asked.
fn hint_of_index(error: &IndexError) -> &'static str {
    match error {
        IndexError::NotAnIndex { .. } => "; `lookalike index create` makes one",
        IndexError::IsThere { .. } => "; name another folder, or remove it",
        error if error.is_of_another_version() => OTHER_VERSION,
        IndexError::Damaged { .. } | IndexError::LogDamaged { .. } | IndexError::DocumentDamaged { .. } => {
            "; `lookalike index verify` tells more: take a backup, or make it anew"
        }
        IndexError::ForeignFile { .. } | IndexError::OtherCopy { .. } => {
            "; files of an index stay together: take a backup as a whole, or make it anew"
        }
        IndexError::InUse { .. } => "; wait until it ends",
        IndexError::OtherFeatures { difference } if difference.is_of_versions() => OTHER_VERSION,
        IndexError::OtherFeatures { .. } => FOLLOWS,
        IndexError::OtherMeasure { .. } => {
            "; leave out the flags that say what is alike, or ask for no more than the index was made for"
        }
        _ => "",
    }
}

/// The next step where parameters do not fit each other.
fn hint_of_parameters(error: &ParameterError) -> &'static str {
    match error {
        ParameterError::BandingTooLarge { .. } | ParameterError::SampledBitsTooMany { .. } => {
            "; allow more (--permutations)"
        }
        ParameterError::NotAVector => "; what is compared with vectors is read as such: --vector FIELD",
        ParameterError::NoBanding { .. } | ParameterError::NoSampledBits { .. } => {
            "; allow more (--permutations), or ask for less (--recall)"
        }
        _ => "",
    }
}

/// The next step where the job itself cannot be done.
fn hint_of_job(error: &Error, flags: Flags) -> Hint {
    let hint = match error {
        Error::Parameters(error) => hint_of_parameters(error),
        Error::Contradiction(contradiction) => return hint_of_contradiction(contradiction, flags.records),
        Error::Signature(error) => hint_of_signatures(error),
        Error::Index(error) => hint_of_index(error),
        Error::Io(error) => return hint_of_reading(error, flags.fields()),
        Error::BadRecord { record } => return hint_for_skippable(record, flags.fields()),
        Error::Unusable { record } => return in_parentheses(record, flags.fields()),
        Error::NoneButUnusable { record, .. } | Error::NothingReadable { record, .. } => {
            return in_parentheses(record, flags.fields());
        }
        Error::WrongQuery { problem, .. } => hint_of_query(problem),
        Error::NoQueries => ": name files, or give --text or --id",
        Error::NotInCorpus { .. } => "; ids are what `search` and `pairs` show",
        Error::OutputThere { .. } => "; name another one, or leave out --no-clobber",
        Error::NoIdField { .. } | Error::NoIds { .. } => " (--id-field)",
        Error::NothingToStore { .. } => "; name the documents that it was made of",
        Error::CannotAnnotate { .. } => {
            ": --annotate needs JSON Lines, CSV, TSV, Parquet or Arrow; --format makes them"
        }
        Error::CannotCut { .. } => ": --format jsonl makes records of their texts",
        Error::NotOneFormat { .. } => "; name a folder (-o), or the format of one file (--format)",
        Error::HeadersDiffer { .. } => "; name a folder (-o), or --format jsonl, which needs no common columns",
        Error::ShortTextNotStored { .. } => "; name its documents in its place",
        Error::NoEncoding { .. } => "; leave out --encoding",
        Error::UnusedSetting { setting } => hint_for_unused_setting(setting),
        Error::EncodedTable { .. } => "; --format csv makes UTF-8 of it",
        Error::StaleBasis { .. } => ": add --about, or remove it",
        Error::NoRecords { .. } => ": leave out -o; --removed says which would go",
        Error::TooManyPairs { .. } => "; raise --max-pairs, or ask `clusters`, which has a row a document",
        Error::TooLittleDisk { .. } => "; name another folder (--temp-dir), or allow more memory (--memory)",
        Error::TooLittleMemory { .. } => "; raise that limit",
        Error::WindowTooLarge { .. } => "; allow more (--memory), or pack it again: zstd -dc --long=31 FILE | zstd",
        Error::IdNeeded { path } if path == Path::new("-") => " (--in -)",
        Error::PassagesWithoutTexts { .. } | Error::PassagesInIndex { .. } => {
            "; name its documents in its place, or for `sources --against` a snapshot of them with --passages"
        }
        Error::TextsNeeded { .. } => ": leave out --check-texts, or name its documents in its place",
        Error::OtherMeasure { pairs, .. } => return hint_of_pairs(Some(*pairs)),
        Error::OtherFigure { pairs, .. } => return hint_of_pairs(*pairs),
        Error::FieldOfTexts { .. } => "; --text-field text reads the records of .json files",
        Error::NoScores { .. } | Error::NoScoreField { .. } | Error::MixedScores { .. } => ANOTHER_FIELD,
        Error::NoSuchDocument { nearest, .. } if nearest.is_empty() => "; ids are what `pairs` and --removed show",
        Error::NotAllPairs { .. } => "; run `pairs` once more without --top",
        Error::BelowThreshold { .. } => "; run `pairs` once more with the lower threshold",
        Error::UnknownId { .. } => "; name the --documents, with the flags for input that `pairs` had",
        Error::NotADocument { found } if Path::new(found).is_dir() => {
            "; it is a folder: `lookalike sources A --against FOLDER` finds which documents have passages of A"
        }
        Error::NotADocument { .. } => "; name a text file, FILE:ID or FOLDER:PATH, or an id and its inputs (--in)",
        Error::WorkFolder(WorkFolderError::WorkFolderInUse { .. }) => {
            "; wait until it ends, or name another --work-dir"
        }
        Error::MadeOtherwise { difference, .. } if difference.is_of_counts() => {
            "; with --counts it is for --measure cosine --weights tf or tfidf, without for the others"
        }
        Error::MadeOtherwise { difference, .. } if difference.is_of_versions() => OTHER_VERSION,
        Error::MadeOtherwise { difference, .. } if difference.is_of_secrets() => {
            "; an index made with --keyed is searched, served and changed, and no input or reference: name its \
             documents"
        }
        Error::MadeOtherwise { .. } => FOLLOWS,
        Error::OtherScoreField { stored: StoredScores::OfIndex, .. } => {
            "; an index has no field to order by: name its documents in its place, or --keep first or longest"
        }
        Error::OtherScoreField { .. } => "; make it anew with that field (--score-field)",
        Error::NotReadable { .. } => "; make it anew",
        Error::OtherDimensions { .. } => "; compare those that were made alike",
        _ => "",
    };
    hint.into()
}

/// The flag that is about nothing.
fn hint_for_unused_setting(setting: &UnusedSetting) -> &'static str {
    match setting {
        UnusedSetting::Format => "; leave out --input-format",
        UnusedSetting::TextField(_) => "; leave out --text-field, or say what the files are (--input-format)",
        UnusedSetting::IdField(_) => "; leave out --id-field, or say what the files are (--input-format)",
        UnusedSetting::Fingerprints(_) => "; name files of records (--bits)",
        UnusedSetting::ScoreField(_) => "; leave out --score-field",
        UnusedSetting::ReferenceFields => "; leave out --against-text-field and --against-id-field",
        UnusedSetting::Encoding => "; leave out --encoding",
        UnusedSetting::Quotes => "; leave out --quote",
        UnusedSetting::Gitignore => "; leave out --gitignore",
        UnusedSetting::Html => "; leave out --strip-html",
        UnusedSetting::MainContent => "; leave out --main-content, or take texts of records for pages (--strip-html)",
    }
}

/// The next step where parts of the job do not go together.
fn hint_of_contradiction(contradiction: &Contradiction, records_flag: &'static str) -> Hint {
    let hint = match contradiction {
        &Contradiction::OutputInUse { output, ref other, .. } => {
            return hint_of_collision(output, other, records_flag).into();
        }
        Contradiction::OrderedByText { .. } => ANOTHER_FIELD,
        Contradiction::NoProjections { .. } => ": --method exact, or ask for less (--recall)",
        Contradiction::NoLength { .. } => "; give --keep first, last, source, max:FIELD or min:FIELD",
        Contradiction::CutInHtml => ": leave out -o (--removed lists what would go), or the flags for HTML",
        Contradiction::NoSideFile => ": name one (-o, --removed), or leave out --about",
        Contradiction::NoTextsToCheck { .. } => ": leave out --check-texts",
        Contradiction::InputIsReference { .. } => "; leave it out of one side",
        Contradiction::StdinCannotResume => ": name files, or leave out --work-dir",
        Contradiction::DocumentsNeeded { .. } => "; name the --documents for another choice",
        Contradiction::NotForGroups { found: GroupConflict::CheckOnTexts } => "; leave out --check-texts",
        Contradiction::NotForGroups { found: GroupConflict::Order } => "; give --keep first or last",
        Contradiction::NotForGroups { found: GroupConflict::UniqueIds } => "; leave out --unique-ids",
        Contradiction::NotForGroups { found: GroupConflict::Snapshots } => "; name the rows that it was made of",
        Contradiction::NotForGroups { found: GroupConflict::Checksums } => "; `dedup` finds equal groups",
        Contradiction::FieldOfGroupsTwice { .. } => " (--group-by, --items-field, --count-field)",
        Contradiction::GroupsNeeded { .. } => "; name the field that names their groups (--group-by)",
        Contradiction::IdsInIndex { .. } => "; without --no-replace these are replaced",
        Contradiction::TextIsId { .. } => " (--text-field, --id-field)",
        Contradiction::OutputInInput { .. }
        | Contradiction::OutputFitsPattern { .. }
        | Contradiction::OutputInOutput { .. } => "; name a place outside of it",
        Contradiction::ImagesAsRecords { .. } => " (-o FOLDER, without --format and --annotate)",
        Contradiction::OtherSeparator { .. } => "; leave it out (--items alone), or make it anew",
        Contradiction::UnnamedPoints { points: PointKind::Vectors, are_images: true, .. } => {
            "; --features image-vector makes them of images"
        }
        Contradiction::UnnamedPoints { are_images: true, .. } => "; --features image-hash makes them of images",
        Contradiction::UnnamedPoints { points: PointKind::Vectors, .. } => "; name their field: --vector FIELD",
        Contradiction::UnnamedPoints { .. } => "; name their field: --bits FIELD",
        Contradiction::PointsNeeded { expected: PointKind::Fingerprints, .. } => {
            "; say which: --bits FIELD, or --features image-hash for images"
        }
        Contradiction::PointsNeeded { expected: PointKind::Vectors, .. } => {
            "; say which: --vector FIELD, or --features image-vector for images"
        }
        _ => "",
    };
    hint.into()
}

/// The next step where an output would overwrite an input or another output.
fn hint_of_collision(output: OutputKind, other: &FileInUse, records_flag: &'static str) -> String {
    let flag = output_flag(output, records_flag);
    match *other {
        FileInUse::Input { .. } => format!("; name another file ({flag})"),
        FileInUse::Output { output: other, .. } => {
            format!("; name two files ({}, {flag})", output_flag(other, records_flag))
        }
    }
}

/// The next step where signatures do not fit.
fn hint_of_signatures(error: &SignatureError) -> &'static str {
    match error {
        SignatureError::Removal => ": the texts verify it (--texts FILE)",
        SignatureError::TooShort { .. } => "; ask for fewer (--bands, --rows), or leave both out",
        SignatureError::Missing { .. } => {
            "; each text needs one, with the id that `lookalike signatures` writes (--signature-id, --id-field)"
        }
        SignatureError::WithoutText { .. } => {
            "; name all texts (--texts), or see to the ids (--signature-id, --id-field)"
        }
        SignatureError::Twice { .. } => "; `lookalike signatures` over all texts at once tells their ids apart",
        SignatureError::OfOtherTexts { .. } => "; give the flags of texts that they were made with",
        SignatureError::OfOtherFamily { .. } => "; compare those that were made alike",
        _ => "",
    }
}

/// The next step where saved pairs were found by another measure.
fn hint_of_pairs(measure: Option<MeasureKind>) -> Hint {
    let flags = match measure {
        Some(MeasureKind { points: Some(PointKind::Signatures), .. }) => {
            return ", which nothing has verified; `pairs` with --texts does".into();
        }
        None | Some(MeasureKind { points: Some(PointKind::Vectors), .. }) => "--measure".to_owned(),
        Some(MeasureKind { name, weights, .. }) => {
            let weights = weights.map_or(String::new(), |weights| format!(" --weights {}", weights.name()));
            format!("--measure {name}{}{weights}", limit_flag(name))
        }
    };
    format!("; give the measure of the pairs ({flags})").into()
}

/// The flag of the limit of a measure; none for a threshold, which has a default.
fn limit_flag(name: MeasureName) -> &'static str {
    match name.limit() {
        LimitForm::Threshold => "",
        LimitForm::MinCommon => " --min-common N",
        LimitForm::Bits => " --distance K",
        LimitForm::Distance => " --distance R",
    }
}

/// The next step where a file cannot be read or written.
fn hint_of_reading(error: &IoError, fields: &str) -> Hint {
    let hint = match error {
        IoError::BadRow { record } => return in_parentheses(record, fields),
        IoError::LooksLike { path, expected, found } => return renaming(path, *expected, *found).into(),
        IoError::Io { action: Action::Write, source, .. } if source.kind() == ErrorKind::NotFound => {
            "; make its folder first"
        }
        IoError::DiskFull { .. } => "; name another folder (--temp-dir)",
        IoError::PartlyWritten { .. } => "; the same command writes them again",
        IoError::Archive { .. } => "; unpack it, and name the folder",
        IoError::NotCompressed { .. } => "; rename it",
        IoError::NoMatch { .. } => "; `*` stays within a folder, `**` goes into all below",
        IoError::LeftOutNotCopied { .. } => "; --left-out drop copies no such files",
        IoError::AllExcluded => "; give fewer (--exclude)",
        IoError::AllIgnored => "; leave out --gitignore",
        IoError::EmptyFolder { .. } | IoError::EmptyArchive { .. } => {
            "; hidden files and links in folders are not read"
        }
        IoError::SameOutput { .. } => "; rename one, or run the job once for each",
        IoError::SchemasDiffer { .. } => "; name a folder (-o), or --format jsonl, which needs no common columns",
        IoError::NoTexts { .. } => "; name the documents that it was made of",
        IoError::Changed { .. } => "; run the same command when nothing writes to it",
        IoError::NotOwnFile { .. } => "; remove it, or name another --work-dir",
        IoError::ForeignExtension { path, form: DataForm::Snapshot } => {
            return format!("; name it {}", path.with_extension("snapshot").display()).into();
        }
        IoError::ForeignExtension { path, form: DataForm::RecordFolder } => {
            let folder = path.with_extension("");
            let made = ".jsonl, .csv, .tsv, .parquet and .arrow can be made";
            return format!("; {made}, or a folder, as {}", folder.display()).into();
        }
        IoError::ForeignExtension { .. } => "; .jsonl, .csv, .tsv, .parquet and .arrow can be made",
        IoError::NoColumn { role: ColumnRole::Pairs, .. } => "; `lookalike pairs` makes such files",
        IoError::Binary { path, .. } => return format!("; {}", conversion(path)).into(),
        IoError::NoColumn { role: ColumnRole::Points(PointKind::Signatures), .. } => "; name yours (--signature)",
        IoError::NoColumn { role: ColumnRole::Points(PointKind::Vectors), .. } => "; name yours (--vector)",
        IoError::NoColumn { role: ColumnRole::Points(PointKind::Fingerprints), .. } => "; name yours (--bits)",
        IoError::NoColumn { role: ColumnRole::Groups, .. } => "; name yours (--group-by, --items-field, --count-field)",
        IoError::NoColumn { .. } => return format!("; name yours ({fields})").into(),
        IoError::QuotedColumn { .. } => "; --quote double takes them as quotes",
        IoError::UnclearQuotes { .. } => "; say which: --quote double, or --quote none",
        IoError::ColumnTwice { .. } => "; rename one of them",
        IoError::NoQuotes { .. } => "; --format csv makes a table with quotes of it, --separator ' ' another text",
        IoError::ColumnExists { .. } => "; rename it, or leave out --annotate",
        IoError::ColumnType { expected: ColumnTypes::Fingerprints, .. } => "; name another one (--bits)",
        IoError::ColumnType { expected: ColumnTypes::Vectors, .. } => "; name another one (--vector)",
        IoError::ColumnType { expected: ColumnTypes::Signatures, .. } => "; name another one (--signature)",
        IoError::ColumnType { shape: ColumnShape::Map, .. } => "; --items --item-counts takes maps of counts",
        IoError::ColumnType { shape: ColumnShape::FractionLists, .. } => {
            "; numbers with a fraction are no items: --vector takes lists of them"
        }
        IoError::ColumnType { shape: ColumnShape::Lists, .. } => {
            "; --items takes lists of strings and whole numbers as sets"
        }
        IoError::ColumnType { .. } => return format!("; name another one ({fields})").into(),
        IoError::EmptyFile { .. } => "; write it again, or leave it out",
        IoError::OtherExtension { .. } => "; rename it, or leave out --format",
        IoError::NotInFormat { .. } => "; if it has another format, rename it",
        IoError::PackedColumns { .. } => "; unpack it",
        _ => "",
    };
    hint.into()
}

/// The program that makes a text or a table of a document, by its extension.
fn conversion(path: &Path) -> &'static str {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    match &*extension {
        "pdf" => "`pdftotext` makes a text of it",
        "docx" | "odt" | "epub" | "rtf" => "`pandoc -t plain` makes a text of it",
        "doc" | "ppt" | "pptx" | "odp" => "`soffice --convert-to pdf`, then `pdftotext`, make a text of it",
        "xlsx" | "xls" | "ods" => "save it as CSV, as `soffice --convert-to csv` does",
        "ps" | "eps" => "`ps2ascii` makes a text of it",
        "avro" => "a frame of Python is compared: lookalike.dedup(polars.read_avro(FILE))",
        "orc" => "a frame of Python is compared: lookalike.dedup(pandas.read_orc(FILE))",
        _ => "unpack or convert it first",
    }
}

/// The extension or the flag that says the format of a file: the flag, where the name does not say what is expected.
fn renaming(path: &Path, expected: RecordFormat, found: RecordFormat) -> String {
    if RecordFormat::of_name(path).is_some() && expected.has_extension_of(path) {
        format!("; rename it (.{})", found.extension())
    } else {
        "; leave out --input-format".to_owned()
    }
}

/// The flag that names an output.
fn output_flag(output: OutputKind, records_flag: &'static str) -> &'static str {
    match output {
        OutputKind::Records => records_flag,
        OutputKind::Rows | OutputKind::Snapshot => "--output",
        OutputKind::Removed => "--removed",
        OutputKind::Summary => "--summary",
        OutputKind::Histogram => "--histogram",
        OutputKind::Report => "--report",
        OutputKind::DocumentFrequencies => "--save-idf",
        OutputKind::Checkpoints => "--work-dir",
        OutputKind::Basis => "--about",
        OutputKind::LeftOut => "--left-out",
    }
}

/// The next step for a query that is given as a text: it stands in no field, and nothing is left without it.
fn hint_of_query(problem: &Problem) -> &'static str {
    match problem {
        Problem::TooLarge { .. } => " (--max-document)",
        Problem::NotBits { .. } => " (--width, --digits)",
        Problem::NotAVector { problem: NotAVector::Zero, .. } => " (--measure euclidean --distance R)",
        _ => "",
    }
}

/// The next step for a bad record, as the end of the line that names it.
pub(crate) fn hint_for_record(record: &BadRecord) -> Hint {
    in_parentheses(record, FIELDS)
}

fn in_parentheses(record: &BadRecord, fields: &str) -> Hint {
    step_for_record(record, fields).map_or(Cow::Borrowed(""), |step| format!(" ({step})").into())
}

/// The next step for a bad record that ends the job, and may be left out.
fn hint_for_skippable(record: &BadRecord, fields: &str) -> Hint {
    let skip = "--on-error skip leaves such records out";
    match (&record.problem, step_for_record(record, fields)) {
        (Problem::RepeatedId { .. }, _) => "; without --unique-ids such ids are qualified by file and line".into(),
        (_, Some(step)) => format!(" ({step}; {skip})").into(),
        (_, None) => format!(" ({skip})").into(),
    }
}

fn step_for_record(record: &BadRecord, fields: &str) -> Option<Hint> {
    let path = &record.place.path;
    let step = match record.problem {
        Problem::TooLarge { .. } | Problem::TooManyCopies { .. } => "--max-document",
        Problem::WrongKind { expected: ExpectedValue::Text, found: FoundValue::Array, .. } => {
            "--items takes arrays of strings and whole numbers as sets, --vector takes arrays of numbers as vectors"
        }
        Problem::FractionInItems { .. } => "--vector takes arrays of numbers as vectors",
        Problem::NotAVector { problem: NotAVector::Zero, .. } => "--measure euclidean --distance R",
        Problem::NotAVector { problem: NotAVector::NoArray, .. }
        | Problem::WrongKind { expected: ExpectedValue::Vector, .. } => "--vector names another field",
        Problem::GroupRepeatsTooMuch { .. } | Problem::RepeatsTooMuch { .. } => {
            "--measure cosine --weights tf compares counts as they are"
        }
        Problem::NoGroup { .. } => "--group-by",
        Problem::NotACount { .. } => "--count-field",
        Problem::Binary { kind: BinaryKind::ReadImage(_) } => {
            "--features image-hash compares images, in dedup, pairs, clusters and search"
        }
        Problem::Binary { kind: BinaryKind::OtherImage(_) }
        | Problem::NotAnImage { kind: Some(BinaryKind::ReadImage(_) | BinaryKind::OtherImage(_)) } => OTHER_IMAGES,
        Problem::ImageTooLarge { .. } => "--max-document",
        Problem::PlainImage { has_hash: true } => "--features image-vector compares some of them",
        Problem::NoField { points: Some(PointKind::Vectors), .. } => "--vector",
        Problem::NoField { points: Some(PointKind::Signatures), .. }
        | Problem::NotAVector { problem: NotAVector::NoSignature, .. }
        | Problem::WrongKind { expected: ExpectedValue::Signature, .. } => "--signature",
        Problem::NoField { points: Some(PointKind::Fingerprints), .. }
        | Problem::WrongKind { expected: ExpectedValue::JsonFingerprint | ExpectedValue::ColumnFingerprint, .. } => {
            "--bits"
        }
        Problem::NoField { .. } | Problem::NotJson { .. } if is_unknown(path) => TEXT_OR_RECORDS,
        Problem::NoField { .. } | Problem::NotJson { .. } if is_json(path) => {
            return Some(format!("{fields}; {ARRAYS_IN_OBJECTS}").into());
        }
        Problem::NoField { .. } | Problem::WrongKind { .. } => return Some(fields.to_owned().into()),
        Problem::NotBits { .. } | Problem::NotAnInteger { .. } => "--width, --digits",
        Problem::FieldExists { .. } => "rename it, or leave out --annotate",
        Problem::NotAPair { .. } => "`lookalike pairs` makes such files",
        Problem::TextBehindQuote { .. } | Problem::OpenQuote => "--quote none takes quotation marks for characters",
        Problem::FieldCount { has_marks: true, .. } => {
            "--quote double takes quotation marks as in CSV, where a row may span lines"
        }
        Problem::Binary { .. } => conversion(path),
        Problem::NotUtf8 { .. } if may_be_encoded(path) => "--encoding names another encoding",
        _ => return None,
    };
    Some(step.into())
}

/// Programs that convert images of other formats.
const OTHER_IMAGES: &str =
    "`heif-convert` (HEIC, AVIF) or `magick` make a JPEG of it, which --features image-hash compares";

/// Content of `.json` files, and the next step for others.
const ARRAYS_IN_OBJECTS: &str =
    "a .json file holds an array of objects, or one in each line: jq -c '.FIELD[]' takes an array out of an object";

/// The next step for a file that begins like JSON, as sources of TeX and templates do.
const TEXT_OR_RECORDS: &str = "--input-format text takes the file as one document, --text-field names another field";

/// True if the extension of a file says nothing about it.
fn is_unknown(path: &Path) -> bool {
    Layout::of_name(path).is_none() && path != Path::new("stdin")
}

/// True if a file is named as one that may hold any value of JSON.
fn is_json(path: &Path) -> bool {
    RecordFormat::JsonArray.has_extension_of(path)
}

/// True if `--encoding` says something about a file: JSON is UTF-8 always.
fn may_be_encoded(path: &Path) -> bool {
    !matches!(RecordFormat::of_name(path), Some(RecordFormat::JsonLines | RecordFormat::JsonArray))
}

#[cfg(test)]
mod tests;
