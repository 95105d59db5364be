//! Values that errors and problems carry in place of words: each has its words here, and nowhere else.

use super::record_format::RecordFormat;

pub use lookalike_core::details::PointKind;

/// Action on a file, a folder or an object that failed; its name follows the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Action {
    /// Opening it.
    #[error("open")]
    Open,
    /// Reading it.
    #[error("read")]
    Read,
    /// Writing it.
    #[error("write")]
    Write,
    /// Writing files into it.
    #[error("write to")]
    WriteInto,
    /// Copying it.
    #[error("copy")]
    Copy,
    /// Converting it.
    #[error("convert")]
    Convert,
    /// Unpacking it.
    #[error("unpack")]
    Unpack,
    /// Uploading it.
    #[error("upload")]
    Upload,
    /// Reaching its store.
    #[error("reach")]
    Reach,
    /// Listing what is in it.
    #[error("list")]
    List,
    /// Using it as a work folder.
    #[error("work in")]
    WorkIn,
    /// Writing temporary data into it.
    #[error("write temporary data to")]
    WriteTemporary,
    /// Reading temporary data in it.
    #[error("read temporary data from")]
    ReadTemporary,
    /// Starting transfers to it.
    #[error("start transfers to")]
    StartTransfers,
    /// Expressing it as JSON.
    #[error("express as JSON")]
    ExpressAsJson,
    /// Expressing it as a row.
    #[error("express as a row")]
    ExpressAsRow,
}

/// The form of an input or output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DataForm {
    /// Records in a format.
    #[error("{}", .0.name())]
    Records(RecordFormat),
    /// A snapshot.
    #[error("a snapshot")]
    Snapshot,
    /// A folder of files of records.
    #[error("a folder of records")]
    RecordFolder,
    /// A table of text.
    #[error("a table of text")]
    TextTable,
    /// A table of text whose fields stand between tabs, without quotes.
    #[error("a table with tabs")]
    TabTable,
    /// Text files.
    #[error("text files")]
    TextFiles,
    /// An index.
    #[error("index")]
    Index,
    /// Documents in memory.
    #[error("memory")]
    Memory,
}

/// The formats that can hold what an output cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Remedy {
    /// Formats that hold it.
    #[error("{} can", listed(.0))]
    Formats(&'static [RecordFormat]),
    /// Formats that hold it as bytes.
    #[error("{} can, as bytes", listed(.0))]
    AsBytes(&'static [RecordFormat]),
    /// Perhaps one of the others.
    #[error("another format may")]
    Another,
}

fn listed(formats: &[RecordFormat]) -> String {
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    match &names[..] {
        [first @ .., before, last] => [first, &[&*format!("{before} and {last}")]].concat().join(", "),
        _ => names.concat(),
    }
}

/// Reason why a URL cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    /// One slash behind the colon.
    #[error("two slashes stand behind the colon, as in s3://BUCKET/KEY")]
    OneSlash,
    /// An unknown scheme.
    #[error(
        "its scheme is none of s3, gs, az, abfs, https, http and file; copy what it names to a file, and name that"
    )]
    UnknownScheme,
    /// A file of another machine.
    #[error("it names another machine; a file of this one is file:///PATH")]
    OtherMachine,
    /// A password.
    #[error("a URL with a password in it is not taken")]
    Password,
    /// A query or a fragment.
    #[error("a URL with a query is not taken")]
    Query,
    /// No bucket.
    #[error("it names no bucket")]
    NoBucket,
    /// A folder or pattern of a server that lists nothing.
    #[error("a folder or pattern behind http(s) cannot be listed; name its files")]
    Unlisted,
    /// An output at a server that is only read from.
    #[error("outputs go to s3://, gs:// or az://, not to http(s)")]
    ReadOnly,
    /// A key that is no path of a file.
    #[error("its parts are no names of files")]
    NoPath,
    /// A build without object stores.
    #[error("this build reads and writes no URLs: build it with `--features remote`")]
    NotBuilt,
}

/// The types that a column can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ColumnTypes {
    /// Texts, and ids and reasons in rows.
    #[error("strings")]
    Texts,
    /// Items of which each field is one, or a list.
    #[error("strings, integers, or lists of them")]
    WholeItems,
    /// Items.
    #[error("strings, or lists of strings or whole numbers")]
    Items,
    /// Items with counts.
    #[error("strings, lists of strings, or maps from items to counts")]
    CountedItems,
    /// Fingerprints.
    #[error("strings, integers or bytes")]
    Fingerprints,
    /// Vectors.
    #[error("lists of numbers, or strings that spell them")]
    Vectors,
    /// Signatures.
    #[error("lists of whole numbers, or strings that spell them")]
    Signatures,
    /// Ids.
    #[error("strings or integers")]
    Ids,
    /// Values that order documents.
    #[error("numbers, strings or dates")]
    Scores,
    /// Values of JSON.
    #[error("a type that JSON can hold")]
    Json,
    /// Numbers in rows.
    #[error("numbers")]
    Numbers,
    /// Flags in rows.
    #[error("booleans")]
    Flags,
    /// Fingerprints in rows.
    #[error("bytes of fixed size")]
    FixedBytes,
    /// No type: rows have no such column.
    #[error("no such column")]
    None,
}

/// The contents of a column that a table must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnRole {
    /// Texts, ids or scores.
    Field,
    /// Fingerprints, vectors or signatures.
    Points(PointKind),
    /// A column of rows of groups.
    Groups,
    /// A column of saved pairs.
    Pairs,
}

/// The shape of the type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnShape {
    /// A map.
    Map,
    /// Lists, of numbers with a fraction among others.
    FractionLists,
    /// Lists of other values.
    Lists,
    /// Any other.
    Other,
}

/// The values that a field can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExpectedValue {
    /// A text.
    #[error("a string")]
    Text,
    /// A list of items.
    #[error("a list")]
    List,
    /// A list of items without null.
    #[error("a list of strings and numbers")]
    ItemList,
    /// Items.
    #[error("an array or a string")]
    Items,
    /// An array of items.
    #[error("an array of strings and numbers")]
    ItemArray,
    /// An id.
    #[error("a string or a number")]
    Id,
    /// A value that orders documents.
    #[error("a number or a string")]
    Score,
    /// A fingerprint in JSON.
    #[error("a string of digits or an integer")]
    JsonFingerprint,
    /// A fingerprint in a column.
    #[error("a string of digits, an integer or bytes")]
    ColumnFingerprint,
    /// A vector.
    #[error("an array of numbers")]
    Vector,
    /// A signature.
    #[error("an array of whole numbers")]
    Signature,
    /// A value that JSON has.
    #[error("a value that JSON can hold")]
    Json,
}

/// The value that a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FoundValue {
    /// A string.
    #[error("a string")]
    Text,
    /// A number.
    #[error("a number")]
    Number,
    /// A number that is too large or too small.
    #[error("a number with an exponent of ten digits or more")]
    LongExponent,
    /// Null.
    #[error("null")]
    Null,
    /// A boolean.
    #[error("a boolean")]
    Boolean,
    /// An array.
    #[error("an array")]
    Array,
    /// An array in which other values stand than items.
    #[error("an array with other values")]
    MixedArray,
    /// A list in which null stands.
    #[error("a list with null")]
    ListWithNull,
    /// An object.
    #[error("an object")]
    Object,
    /// A value that JSON has not.
    #[error("one that it cannot")]
    NotInJson,
}

/// Content that is no text, with its media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BinaryKind {
    /// An image that is read.
    #[error("an image ({0})")]
    ReadImage(&'static str),
    /// Another image.
    #[error("an image ({0})")]
    OtherImage(&'static str),
    /// A sound.
    #[error("an audio file ({0})")]
    Audio(&'static str),
    /// A video.
    #[error("a video ({0})")]
    Video(&'static str),
    /// A font.
    #[error("a font ({0})")]
    Font(&'static str),
    /// An archive, or a compressed file.
    #[error("an archive or compressed file ({0})")]
    Archive(&'static str),
    /// A tar archive.
    #[error("a tar archive")]
    Tar,
    /// A document of an office program, or a book.
    #[error("a document in a packed form ({0})")]
    Document(&'static str),
    /// A PDF document.
    #[error("a PDF document")]
    Pdf,
    /// An RTF document.
    #[error("an RTF document")]
    Rtf,
    /// A PostScript document.
    #[error("a PostScript document")]
    PostScript,
    /// An Avro file.
    #[error("an Avro file")]
    Avro,
    /// An ORC file.
    #[error("an ORC file")]
    Orc,
    /// Any other.
    #[error("a binary file ({0})")]
    Other(&'static str),
}

/// Reason why bytes are no record of a WARC file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WarcFault {
    /// Bytes that do not begin with a header.
    #[error("no header of a record")]
    NoHeader,
    /// The header does not tell the length.
    #[error("its header has no Content-Length")]
    NoLength,
    /// The header tells another length.
    #[error("its body does not end where its Content-Length says")]
    WrongLength,
    /// The file ends before the body does.
    #[error("it is cut: its body is shorter than its Content-Length")]
    Truncated,
}

/// A number that is not finite in 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NonFinite {
    /// No number.
    #[error("NaN")]
    NaN,
    /// An infinity.
    #[error("infinite")]
    Infinite,
    /// A number beyond the largest.
    #[error("too large")]
    TooLarge,
}
