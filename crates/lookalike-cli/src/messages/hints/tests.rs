//! The hints, one for each variant that has one, with the words that users read.

use super::*;
use lookalike::details::{Compression, NamesFound, NearestNames, NonFinite, SignatureConflict};
use lookalike::index::details::DocumentPart;
use lookalike::{
    Measure,
    inputs::{ItemSeparator, Place},
    measures::Weights,
};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

const FLAGS: Flags = Flags { records: "-o", has_references: false, can_skip: false };

fn text() -> String {
    "x".to_owned()
}

fn path() -> PathBuf {
    PathBuf::from("x.jsonl")
}

fn not_found() -> io::Error {
    io::Error::from(ErrorKind::NotFound)
}

fn names() -> NamesFound {
    NamesFound::new("x", ["y"])
}

fn bad(name: &str, problem: Problem) -> BadRecord {
    BadRecord { place: Place::line(&Arc::from(Path::new(name)), 1), problem }
}

/// The hint for an error of a job.
fn hint_for(error: impl Into<Error>) -> String {
    hint(&anyhow::Error::from(error.into()), FLAGS)
}

#[test]
fn jobs_have_hints() {
    let limit = Measure::default().limit();
    for (error, expected) in [
        (Error::NoQueries, ": name files, or give --text or --id"),
        (Error::NotInCorpus { path: path(), id: text() }, "; ids are what `search` and `pairs` show"),
        (Error::OutputThere { path: path() }, "; name another one, or leave out --no-clobber"),
        (Error::NoIdField { field: text(), found: names() }, " (--id-field)"),
        (Error::NoIds { path: path(), id: text(), field: text(), found: Box::new(names()) }, " (--id-field)"),
        (Error::NothingToStore { path: path(), field: None }, "; name the documents that it was made of"),
        (
            Error::CannotAnnotate { path: path(), format: None },
            ": --annotate needs JSON Lines, CSV, TSV, Parquet or Arrow; --format makes them",
        ),
        (Error::CannotCut { path: path() }, ": --format jsonl makes records of their texts"),
        (Error::NotOneFormat { path: path() }, "; name a folder (-o), or the format of one file (--format)"),
        (
            Error::HeadersDiffer { first: path(), path: path(), expected: vec![], found: vec![] },
            "; name a folder (-o), or --format jsonl, which needs no common columns",
        ),
        (
            Error::ShortTextNotStored { id: text(), tokens: 1, shingle: 5, path: path() },
            "; name its documents in its place",
        ),
        (Error::EncodedTable { path: path() }, "; --format csv makes UTF-8 of it"),
        (Error::StaleBasis { path: path(), rows: path() }, ": add --about, or remove it"),
        (Error::NoRecords { path: path() }, ": leave out -o; --removed says which would go"),
        (
            Error::TooManyPairs { known: None, max_pairs: 1 },
            "; raise --max-pairs, or ask `clusters`, which has a row a document",
        ),
        (
            Error::TooLittleDisk { path: path(), needed_bytes: 2, available_bytes: 1 },
            "; name another folder (--temp-dir), or allow more memory (--memory)",
        ),
        (
            Error::WindowTooLarge { path: path(), window_bytes: 2, budget_bytes: 1 },
            "; allow more (--memory), or pack it again: zstd -dc --long=31 FILE | zstd",
        ),
        (Error::IdNeeded { path: "-".into() }, " (--in -)"),
        (Error::IdNeeded { path: path() }, ""),
        (
            Error::PassagesWithoutTexts { path: path() },
            "; name its documents in its place, or for `sources --against` a snapshot of them with --passages",
        ),
        (
            Error::PassagesInIndex { path: path() },
            "; name its documents in its place, or for `sources --against` a snapshot of them with --passages",
        ),
        (Error::TextsNeeded { path: path() }, ": leave out --check-texts, or name its documents in its place"),
        (Error::FieldOfTexts { field: text(), path: path() }, "; --text-field text reads the records of .json files"),
        (Error::NoScores { field: text() }, "; name another field in --keep"),
        (Error::NoScoreField { field: text(), found: names() }, "; name another field in --keep"),
        (Error::MixedScores { field: text(), id: text() }, "; name another field in --keep"),
        (
            Error::NoSuchDocument { path: path(), id: text(), nearest: NearestNames::default() },
            "; ids are what `pairs` and --removed show",
        ),
        (
            Error::NotAllPairs { path: path(), top: std::num::NonZeroUsize::MIN },
            "; run `pairs` once more without --top",
        ),
        (
            Error::BelowThreshold { path: path(), limit, pairs: limit },
            "; run `pairs` once more with the lower threshold",
        ),
        (
            Error::UnknownId { path: path(), id: text() },
            "; name the --documents, with the flags for input that `pairs` had",
        ),
        (
            Error::NotADocument { found: ".".to_owned() },
            "; it is a folder: `lookalike sources A --against FOLDER` finds which documents have passages of A",
        ),
        (
            Error::NotADocument { found: text() },
            "; name a text file, FILE:ID or FOLDER:PATH, or an id and its inputs (--in)",
        ),
        (WorkFolderError::WorkFolderInUse { path: path() }.into(), "; wait until it ends, or name another --work-dir"),
        (
            Error::OtherScoreField { path: path(), stored: StoredScores::OfIndex, field: text() },
            "; an index has no field to order by: name its documents in its place, or --keep first or longest",
        ),
        (
            Error::OtherScoreField { path: path(), stored: StoredScores::Absent, field: text() },
            "; make it anew with that field (--score-field)",
        ),
        (Error::OtherDimensions { path: path(), found: 1, expected: 2 }, "; compare those that were made alike"),
    ] {
        assert_eq!(hint_for(error), expected);
    }
}

#[test]
fn parameters_indexes_and_signatures_have_hints() {
    let hints: Vec<(Error, &str)> = vec![
        (ParameterError::NotAVector.into(), "; what is compared with vectors is read as such: --vector FIELD"),
        (
            ParameterError::BandingTooLarge { bands: 1, rows: 1, permutations: 1 }.into(),
            "; allow more (--permutations)",
        ),
        (
            ParameterError::NoBanding { permutations: 1, recall: 0.5, threshold: 0.5, low: None }.into(),
            "; allow more (--permutations), or ask for less (--recall)",
        ),
        (
            ParameterError::SampledBitsTooMany { bands: 1, bits: 1, sampled_bits: 1 }.into(),
            "; allow more (--permutations)",
        ),
        (
            ParameterError::NoSampledBits { sampled_bits: 1, recall: 0.5, distance: 1, width: 2 }.into(),
            "; allow more (--permutations), or ask for less (--recall)",
        ),
        (IndexError::NotAnIndex { path: path() }.into(), "; `lookalike index create` makes one"),
        (IndexError::IsThere { path: path() }.into(), "; name another folder, or remove it"),
        (
            IndexError::LogDamaged { path: path(), offset: 0 }.into(),
            "; `lookalike index verify` tells more: take a backup, or make it anew",
        ),
        (
            IndexError::DocumentDamaged { part: DocumentPart::Text }.into(),
            "; `lookalike index verify` tells more: take a backup, or make it anew",
        ),
        (
            IndexError::ForeignFile { path: path() }.into(),
            "; files of an index stay together: take a backup as a whole, or make it anew",
        ),
        (
            IndexError::OtherCopy { path: path() }.into(),
            "; files of an index stay together: take a backup as a whole, or make it anew",
        ),
        (IndexError::InUse { path: path() }.into(), "; wait until it ends"),
        (
            IndexError::OtherMeasure { stored: text(), requested: text() }.into(),
            "; leave out the flags that say what is alike, or ask for no more than the index was made for",
        ),
        (SignatureError::Removal.into(), ": the texts verify it (--texts FILE)"),
        (
            SignatureError::TooShort { found: 1, needed: 2 }.into(),
            "; ask for fewer (--bands, --rows), or leave both out",
        ),
        (
            SignatureError::Missing { id: text(), path: path() }.into(),
            "; each text needs one, with the id that `lookalike signatures` writes (--signature-id, --id-field)",
        ),
        (
            SignatureError::WithoutText { id: text(), path: path() }.into(),
            "; name all texts (--texts), or see to the ids (--signature-id, --id-field)",
        ),
        (
            SignatureError::Twice { id: text(), first: text(), again: text() }.into(),
            "; `lookalike signatures` over all texts at once tells their ids apart",
        ),
        (
            SignatureError::OfOtherTexts { path: path(), found: text(), expected: text() }.into(),
            "; give the flags of texts that they were made with",
        ),
        (
            SignatureError::OfOtherFamily { path: path(), found: text(), first: path(), expected: text() }.into(),
            "; compare those that were made alike",
        ),
        (SignatureError::NotByThem { found: SignatureConflict::Method }.into(), ""),
    ];
    for (error, expected) in hints {
        assert_eq!(hint_for(error), expected);
    }
}

#[test]
fn what_is_said_for_nothing_is_left_out() {
    for (setting, expected) in [
        (UnusedSetting::Format, "; leave out --input-format"),
        (UnusedSetting::TextField(text()), "; leave out --text-field, or say what the files are (--input-format)"),
        (UnusedSetting::IdField(text()), "; leave out --id-field, or say what the files are (--input-format)"),
        (UnusedSetting::Fingerprints(text()), "; name files of records (--bits)"),
        (UnusedSetting::ScoreField(text()), "; leave out --score-field"),
        (UnusedSetting::ReferenceFields, "; leave out --against-text-field and --against-id-field"),
        (UnusedSetting::Encoding, "; leave out --encoding"),
        (UnusedSetting::Quotes, "; leave out --quote"),
        (UnusedSetting::Gitignore, "; leave out --gitignore"),
        (UnusedSetting::Html, "; leave out --strip-html"),
        (UnusedSetting::MainContent, "; leave out --main-content, or take texts of records for pages (--strip-html)"),
    ] {
        assert_eq!(hint_for(Error::UnusedSetting { setting }), expected);
    }
}

#[test]
fn saved_pairs_of_another_measure_name_its_flags() {
    let name_it = |flags: &str| format!("; give the measure of the pairs ({flags})");
    let kind = |name, points, weights| Some(MeasureKind { name, points, weights });
    let weighted = |weights| kind(MeasureName::Cosine, None, Some(weights));
    let [bits, vectors, signatures] = [PointKind::Fingerprints, PointKind::Vectors, PointKind::Signatures].map(Some);
    for (pairs, expected) in [
        (kind(MeasureName::Jaccard, None, None), name_it("--measure jaccard")),
        (kind(MeasureName::Containment, None, None), name_it("--measure containment")),
        (kind(MeasureName::Overlap, None, None), name_it("--measure overlap --min-common N")),
        (kind(MeasureName::Hamming, bits, None), name_it("--measure hamming --distance K")),
        (weighted(Weights::Tf), name_it("--measure cosine --weights tf")),
        (weighted(Weights::TfIdf), name_it("--measure cosine --weights tfidf")),
        (weighted(Weights::Binary), name_it("--measure cosine --weights binary")),
        (kind(MeasureName::Cosine, vectors, None), name_it("--measure")),
        (kind(MeasureName::Euclidean, vectors, None), name_it("--measure")),
        (
            kind(MeasureName::Jaccard, signatures, None),
            ", which nothing has verified; `pairs` with --texts does".to_owned(),
        ),
        (None, name_it("--measure")),
    ] {
        assert_eq!(hint_for(Error::OtherFigure { path: path(), measure: Measure::default(), pairs }), expected);
        if let Some(pairs) = pairs {
            let measure = Measure::default().kind();
            assert_eq!(hint_for(Error::OtherMeasure { path: path(), measure, pairs }), expected);
        }
    }
}

#[test]
fn contradictions_have_hints() {
    let unnamed = |points, are_images| Contradiction::UnnamedPoints { path: path(), points, are_images };
    let needed = |expected| Contradiction::PointsNeeded { measure: Measure::default(), expected };
    let groups = |found| Contradiction::NotForGroups { found };
    let output = |other| Contradiction::OutputInUse { output: OutputKind::Records, path: path(), other };
    for (contradiction, expected) in [
        (output(FileInUse::Input { path: path() }), "; name another file (-o)"),
        (output(FileInUse::Output { output: OutputKind::Removed, path: path() }), "; name two files (--removed, -o)"),
        (Contradiction::OrderedByText { field: text() }, "; name another field in --keep"),
        (Contradiction::NoProjections { recall: 0.5 }, ": --method exact, or ask for less (--recall)"),
        (
            Contradiction::NoLength { found: PointKind::Vectors },
            "; give --keep first, last, source, max:FIELD or min:FIELD",
        ),
        (Contradiction::CutInHtml, ": leave out -o (--removed lists what would go), or the flags for HTML"),
        (Contradiction::NoSideFile, ": name one (-o, --removed), or leave out --about"),
        (Contradiction::NoTextsToCheck { found: PointKind::Vectors }, ": leave out --check-texts"),
        (Contradiction::InputIsReference { path: path() }, "; leave it out of one side"),
        (Contradiction::StdinCannotResume, ": name files, or leave out --work-dir"),
        (Contradiction::DocumentsNeeded { order: text() }, "; name the --documents for another choice"),
        (groups(GroupConflict::CheckOnTexts), "; leave out --check-texts"),
        (groups(GroupConflict::Order), "; give --keep first or last"),
        (groups(GroupConflict::UniqueIds), "; leave out --unique-ids"),
        (groups(GroupConflict::Snapshots), "; name the rows that it was made of"),
        (groups(GroupConflict::Checksums), "; `dedup` finds equal groups"),
        (groups(GroupConflict::SavedPairs), ""),
        (Contradiction::FieldOfGroupsTwice { field: text() }, " (--group-by, --items-field, --count-field)"),
        (Contradiction::GroupsNeeded { field: text() }, "; name the field that names their groups (--group-by)"),
        (Contradiction::IdsInIndex { first: vec![], count: 0 }, "; without --no-replace these are replaced"),
        (Contradiction::TextIsId { field: text() }, " (--text-field, --id-field)"),
        (Contradiction::OutputFitsPattern { path: path(), pattern: path() }, "; name a place outside of it"),
        (Contradiction::OutputInOutput { output: OutputKind::Rows, folder: path() }, "; name a place outside of it"),
        (Contradiction::OutputInInput { path: path(), folder: path() }, "; name a place outside of it"),
        (Contradiction::ImagesAsRecords { path: path() }, " (-o FOLDER, without --format and --annotate)"),
        (
            Contradiction::OtherSeparator {
                path: path(),
                expected: ItemSeparator::Blanks,
                found: ItemSeparator::Whole,
            },
            "; leave it out (--items alone), or make it anew",
        ),
        (unnamed(PointKind::Vectors, true), "; --features image-vector makes them of images"),
        (unnamed(PointKind::Fingerprints, true), "; --features image-hash makes them of images"),
        (unnamed(PointKind::Vectors, false), "; name their field: --vector FIELD"),
        (unnamed(PointKind::Fingerprints, false), "; name their field: --bits FIELD"),
        (needed(PointKind::Fingerprints), "; say which: --bits FIELD, or --features image-hash for images"),
        (needed(PointKind::Vectors), "; say which: --vector FIELD, or --features image-vector for images"),
        (needed(PointKind::Signatures), ""),
    ] {
        assert_eq!(hint_for(contradiction), expected);
    }
}

#[test]
fn files_that_cannot_be_read_or_written_have_hints() {
    let foreign = |form| IoError::ForeignExtension { path: path(), form };
    let looks_like = |name: &str, expected| {
        let path = PathBuf::from(name);
        let found = RecordFormat::Parquet;
        IoError::LooksLike { path, expected, found }
    };
    let binary = |name: &str| IoError::Binary { path: name.into(), kind: BinaryKind::Pdf };
    let no_column = |role| IoError::NoColumn { path: path(), column: text(), found: Box::new(names()), role };
    let of_points = |points| no_column(ColumnRole::Points(points));
    let column = |expected, shape| {
        let column = text();
        let found = text();
        IoError::ColumnType { path: path(), column, expected, found, shape }
    };
    for (error, expected) in [
        (IoError::io(Action::Write, &path(), not_found()), "; make its folder first"),
        (IoError::io(Action::Read, &path(), not_found()), ""),
        (IoError::LeftOutNotCopied { path: path(), source: not_found() }, "; --left-out drop copies no such files"),
        (
            IoError::SchemasDiffer { first: path(), path: path(), column: text(), expected: None, found: None },
            "; name a folder (-o), or --format jsonl, which needs no common columns",
        ),
        (IoError::EmptyArchive { path: path() }, "; hidden files and links in folders are not read"),
        (IoError::NotCompressed { path: path(), expected: Compression::Gzip }, "; rename it"),
        (
            IoError::DiskFull { input: path(), path: path(), copied_bytes: 1, free_bytes: 1 },
            "; name another folder (--temp-dir)",
        ),
        (
            IoError::PartlyWritten { written: 1, error: Box::new(IoError::Stopped) },
            "; the same command writes them again",
        ),
        (IoError::Archive { path: path(), member: text(), message: text() }, "; unpack it, and name the folder"),
        (IoError::NoMatch { path: path() }, "; `*` stays within a folder, `**` goes into all below"),
        (IoError::AllExcluded, "; give fewer (--exclude)"),
        (IoError::AllIgnored, "; leave out --gitignore"),
        (IoError::EmptyFolder { path: path() }, "; hidden files and links in folders are not read"),
        (
            IoError::SameOutput { first: path(), second: path(), name: path() },
            "; rename one, or run the job once for each",
        ),
        (IoError::NoTexts { path: path() }, "; name the documents that it was made of"),
        (IoError::Changed { path: path() }, "; run the same command when nothing writes to it"),
        (IoError::NotOwnFile { path: path() }, "; remove it, or name another --work-dir"),
        (foreign(DataForm::Snapshot), "; name it x.snapshot"),
        (foreign(DataForm::RecordFolder), "; .jsonl, .csv, .tsv, .parquet and .arrow can be made, or a folder, as x"),
        (foreign(DataForm::Records(RecordFormat::Warc)), "; .jsonl, .csv, .tsv, .parquet and .arrow can be made"),
        (looks_like("x.csv", RecordFormat::SemicolonCsv), "; rename it (.parquet)"),
        (looks_like("x.json", RecordFormat::JsonArray), "; rename it (.parquet)"),
        (looks_like("x.csv", RecordFormat::JsonLines), "; leave out --input-format"),
        (looks_like("x.txt", RecordFormat::ItemLines), "; leave out --input-format"),
        (binary("x.PDF"), "; `pdftotext` makes a text of it"),
        (binary("x"), "; unpack or convert it first"),
        (of_points(PointKind::Signatures), "; name yours (--signature)"),
        (of_points(PointKind::Vectors), "; name yours (--vector)"),
        (of_points(PointKind::Fingerprints), "; name yours (--bits)"),
        (no_column(ColumnRole::Pairs), "; `lookalike pairs` makes such files"),
        (no_column(ColumnRole::Groups), "; name yours (--group-by, --items-field, --count-field)"),
        (no_column(ColumnRole::Field), "; name yours (--text-field, --id-field, --keep)"),
        (IoError::QuotedColumn { path: path(), column: text() }, "; --quote double takes them as quotes"),
        (
            IoError::UnclearQuotes { path: path(), first_line: 1, last_line: 2 },
            "; say which: --quote double, or --quote none",
        ),
        (IoError::ColumnTwice { path: path(), column: text() }, "; rename one of them"),
        (
            IoError::NoQuotes { path: path() },
            "; --format csv makes a table with quotes of it, --separator ' ' another text",
        ),
        (IoError::ColumnExists { path: path(), column: text() }, "; rename it, or leave out --annotate"),
        (column(ColumnTypes::Fingerprints, ColumnShape::Lists), "; name another one (--bits)"),
        (column(ColumnTypes::Vectors, ColumnShape::Map), "; name another one (--vector)"),
        (column(ColumnTypes::Signatures, ColumnShape::Other), "; name another one (--signature)"),
        (column(ColumnTypes::Texts, ColumnShape::Map), "; --items --item-counts takes maps of counts"),
        (
            column(ColumnTypes::Items, ColumnShape::FractionLists),
            "; numbers with a fraction are no items: --vector takes lists of them",
        ),
        (column(ColumnTypes::Texts, ColumnShape::Lists), "; --items takes lists of strings and whole numbers as sets"),
        (column(ColumnTypes::Texts, ColumnShape::Other), "; name another one (--text-field, --id-field, --keep)"),
        (IoError::EmptyFile { path: path(), format: RecordFormat::Parquet }, "; write it again, or leave it out"),
        (IoError::OtherExtension { path: path(), format: RecordFormat::Parquet }, "; rename it, or leave out --format"),
        (
            IoError::NotInFormat { path: path(), form: DataForm::Index, message: text() },
            "; if it has another format, rename it",
        ),
        (IoError::PackedColumns { path: path(), format: RecordFormat::Parquet }, "; unpack it"),
    ] {
        assert_eq!(hint_for(error), expected);
    }
}

#[test]
fn bad_records_have_hints() {
    let kinds = |expected, found| Problem::WrongKind { field: text(), expected, found };
    let no_field = |points| Problem::NoField { field: text(), found: Box::new(names()), points };
    let no_point = |points| no_field(Some(points));
    let no_vector = |problem| Problem::NotAVector { field: text(), problem };
    let other_image = Some(BinaryKind::OtherImage("image/heif"));
    for (name, problem, expected) in [
        ("x.jsonl", Problem::TooLarge { limit: 1 }, "--max-document"),
        ("x.jsonl", Problem::TooManyCopies { found: 2, limit: 1 }, "--max-document"),
        (
            "x.jsonl",
            Problem::GroupRepeatsTooMuch { max: 1 },
            "--measure cosine --weights tf compares counts as they are",
        ),
        (
            "x.jsonl",
            kinds(ExpectedValue::Text, FoundValue::Array),
            "--items takes arrays of strings and whole numbers as sets, --vector takes arrays of numbers as vectors",
        ),
        (
            "x.jsonl",
            Problem::FractionInItems { field: text(), found: text() },
            "--vector takes arrays of numbers as vectors",
        ),
        ("x.jsonl", no_vector(NotAVector::Zero), "--measure euclidean --distance R"),
        ("x.jsonl", no_vector(NotAVector::NoArray), "--vector names another field"),
        ("x.jsonl", no_vector(NotAVector::NotFinite { number: 1, found: NonFinite::NaN }), ""),
        ("x.jsonl", kinds(ExpectedValue::Vector, FoundValue::Null), "--vector names another field"),
        ("x.jsonl", Problem::RepeatsTooMuch { max: 1 }, "--measure cosine --weights tf compares counts as they are"),
        ("x.jsonl", Problem::NoGroup { field: text() }, "--group-by"),
        ("x.jsonl", Problem::NotACount { field: text(), found: text(), max: 1 }, "--count-field"),
        (
            "x.png",
            Problem::Binary { kind: BinaryKind::ReadImage("image/png") },
            "--features image-hash compares images, in dedup, pairs, clusters and search",
        ),
        (
            "x.heic",
            Problem::NotAnImage { kind: other_image },
            "`heif-convert` (HEIC, AVIF) or `magick` make a JPEG of it, which --features image-hash compares",
        ),
        ("x.pdf", Problem::NotAnImage { kind: Some(BinaryKind::Pdf) }, ""),
        ("x.png", Problem::ImageTooLarge { width: 1, height: 1, limit: 0 }, "--max-document"),
        ("x.png", Problem::PlainImage { has_hash: true }, "--features image-vector compares some of them"),
        ("x.jsonl", no_point(PointKind::Vectors), "--vector"),
        ("x.jsonl", no_point(PointKind::Signatures), "--signature"),
        ("x.jsonl", no_point(PointKind::Fingerprints), "--bits"),
        ("x.jsonl", no_vector(NotAVector::NoSignature), "--signature"),
        ("x.jsonl", kinds(ExpectedValue::Signature, FoundValue::Null), "--signature"),
        ("x.jsonl", kinds(ExpectedValue::JsonFingerprint, FoundValue::Null), "--bits"),
        ("x.parquet", kinds(ExpectedValue::ColumnFingerprint, FoundValue::Null), "--bits"),
        (
            "x.tex",
            no_field(None),
            "--input-format text takes the file as one document, --text-field names another field",
        ),
        (
            "x.json",
            no_field(None),
            "--text-field, --id-field, --keep; a .json file holds an array of objects, or one in each line: \
             jq -c '.FIELD[]' takes an array out of an object",
        ),
        ("x.jsonl", no_field(None), "--text-field, --id-field, --keep"),
        ("x.jsonl", kinds(ExpectedValue::Text, FoundValue::Null), "--text-field, --id-field, --keep"),
        ("x.jsonl", Problem::NotAnInteger { field: text(), found: text(), bits: 1 }, "--width, --digits"),
        ("x.jsonl", Problem::FieldExists { field: text() }, "rename it, or leave out --annotate"),
        ("x.jsonl", Problem::NotAPair { message: text() }, "`lookalike pairs` makes such files"),
        ("x.csv", Problem::TextBehindQuote { field: 1, lines: 1 }, "--quote none takes quotation marks for characters"),
        ("x.csv", Problem::OpenQuote, "--quote none takes quotation marks for characters"),
        (
            "x.tsv",
            Problem::FieldCount { expected: 1, found: 2, has_marks: true },
            "--quote double takes quotation marks as in CSV, where a row may span lines",
        ),
        ("x.odt", Problem::Binary { kind: BinaryKind::Document("x") }, "`pandoc -t plain` makes a text of it"),
        ("x", Problem::Binary { kind: BinaryKind::Tar }, "unpack or convert it first"),
        ("x.csv", Problem::NotUtf8 { at: 1 }, "--encoding names another encoding"),
        ("x.jsonl", Problem::NotUtf8 { at: 1 }, ""),
    ] {
        let record = bad(name, problem);
        let step = step_for_record(&record, FIELDS);
        assert_eq!(step.unwrap_or_default(), expected, "{record}");
    }
}

#[test]
fn a_bad_record_that_ends_the_job_may_be_skipped() {
    let at_end = |problem| hint_for(Error::BadRecord { record: bad("x.jsonl", problem) });
    let skip = "--on-error skip leaves such records out";
    assert_eq!(at_end(Problem::TooLarge { limit: 1 }), format!(" (--max-document; {skip})"));
    assert_eq!(at_end(Problem::NotAnObject), format!(" ({skip})"));
    let first = Place::file(path());
    let repeated = Problem::RepeatedId { id: text(), first };
    assert_eq!(at_end(repeated), "; without --unique-ids such ids are qualified by file and line");
    let alone = hint_for(Error::Unusable { record: bad("x.jsonl", Problem::TooLarge { limit: 1 }) });
    assert_eq!(alone, " (--max-document)");
}

#[test]
fn references_and_several_files_have_flags_of_their_own() {
    let error = || {
        Error::from(IoError::NoColumn {
            path: path(),
            column: text(),
            found: Box::new(names()),
            role: ColumnRole::Field,
        })
    };
    let flags = Flags { has_references: true, can_skip: true, ..FLAGS };
    assert_eq!(
        hint(&anyhow::Error::from(error()), flags),
        "; name yours (--text-field, --id-field; of references --against-text-field, --against-id-field); \
         --on-error skip leaves such a file out"
    );
    let changed = Error::from(IoError::Changed { path: path() });
    assert_eq!(hint(&anyhow::Error::from(changed), flags), "; run the same command when nothing writes to it");
    assert_eq!(hint(&anyhow::anyhow!("another error"), flags), "");
}
