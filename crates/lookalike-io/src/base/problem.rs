//! Records that cannot be used. Unlike an [`Error`](super::Error), a bad record may be skipped.

use super::details::{BinaryKind, ExpectedValue, FoundValue, NonFinite, PointKind, WarcFault};
use super::message::{escaped, shown};
use super::names_found::NamesFound;
use super::place::Place;
use lookalike_core::documents::Vector;
use lookalike_core::{NotBits, counted, thousands};

/// A record that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct BadRecord {
    /// File and line.
    pub place: Place,
    /// The reason.
    pub problem: Problem,
}

/// Reason why a record cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Invalid UTF-8.
    #[error("not UTF-8 (byte {at} of the record)")]
    NotUtf8 {
        /// Number of the first invalid byte, from 1.
        at: usize,
    },
    /// A field of bytes that is taken as text and is not UTF-8.
    #[error("field `{field}` is not UTF-8 (byte {at} of its value)")]
    FieldNotUtf8 {
        /// Name of the field.
        field: String,
        /// Number of the first invalid byte, from 1.
        at: usize,
    },
    /// A file that lacks the selected columns, or that cannot be read in its format.
    #[error("left out as a whole: {}", escaped(message))]
    UnusableFile {
        /// The message of the error.
        message: String,
    },
    /// A file that holds no text.
    #[error("is {kind}, not text")]
    Binary {
        /// Its kind.
        kind: BinaryKind,
    },
    /// Bytes that the encoding named by the user does not have.
    #[error("not in the encoding {encoding}")]
    NotInEncoding {
        /// Name of the encoding.
        encoding: &'static str,
    },
    /// An encoding in which records cannot be cut byte by byte.
    #[error("records in {encoding} cannot be read; convert the file to UTF-8")]
    UnusableEncoding {
        /// Name of the encoding.
        encoding: &'static str,
    },
    /// Invalid UTF-16 after its byte order mark.
    #[error("not UTF-16, as its byte order mark says")]
    NotUtf16,
    /// Invalid JSON.
    #[error("not JSON: {}", escaped(message))]
    NotJson {
        /// The message of the parser.
        message: String,
    },
    /// JSON of another kind than an object.
    #[error("not a JSON object")]
    NotAnObject,
    /// A required field is missing.
    #[error("no field `{}`; its fields are {found}", shown(field))]
    NoField {
        /// Name of the field.
        field: String,
        /// Names of the existing fields.
        found: Box<NamesFound>,
        /// The kind of documents that it should hold; `None` for texts and items.
        points: Option<PointKind>,
    },
    /// A field that is read occurs twice.
    #[error("field `{field}` appears twice")]
    FieldTwice {
        /// Name of the field.
        field: String,
    },
    /// A field has a value of an unusable type.
    #[error("field `{field}` is {found}, expected {expected}")]
    WrongKind {
        /// Name of the field.
        field: String,
        /// The usable types.
        expected: ExpectedValue,
        /// The type of the value.
        found: FoundValue,
    },
    /// An id that another document has.
    #[error("id `{}` was used at {first} already", shown(id))]
    RepeatedId {
        /// The id.
        id: String,
        /// Position of its first occurrence.
        first: Place,
    },
    /// A field with a reserved name: one that annotations add.
    #[error("has a field `{field}` already")]
    FieldExists {
        /// Name of the field.
        field: String,
    },
    /// A record of a WARC file without a header, or that contradicts it.
    #[error("not a WARC record: {fault}")]
    NotWarc {
        /// The reason.
        fault: WarcFault,
    },
    /// A malformed HTTP response in a record.
    #[error("not an HTTP response: {}", escaped(message))]
    NotHttp {
        /// The reason.
        message: String,
    },
    /// An item contains U+0000, which terminates items.
    #[error("an item holds the character U+0000")]
    NulInItem,
    /// A number with a fraction or an exponent where items are listed: it measures something and names nothing.
    #[error("field `{field}` holds the number {}: numbers with a fraction are no items", shown(found))]
    FractionInItems {
        /// Name of the field.
        field: String,
        /// The number, as it is written.
        found: String,
    },
    /// An item without the count that each should have.
    #[error("item `{}` has no count; write it as ITEM:COUNT", shown(item))]
    NoCount {
        /// The item.
        item: String,
    },
    /// A count that is no count: negative, a fraction, or no number.
    #[error("item `{}` has the count `{}`; counts are whole numbers from 0 on", shown(item), shown(found))]
    WrongCount {
        /// The item.
        item: String,
        /// The count as it is written.
        found: String,
    },
    /// A count above the maximum.
    #[error("item `{}` has the count {}, above the maximum of {max}; scale the counts down", shown(item), shown(found))]
    CountTooLarge {
        /// The item.
        item: String,
        /// The count as it is written.
        found: String,
        /// The maximum.
        max: u32,
    },
    /// A row without the field that names its group.
    #[error("no group: field `{}` has no value", shown(field))]
    NoGroup {
        /// Name of the field.
        field: String,
    },
    /// A row without a count that can be used.
    #[error("field `{}` is {}, expected a whole number from 0 to {max}", shown(field), shown(found))]
    NotACount {
        /// Name of the field.
        field: String,
        /// Value of the field.
        found: String,
        /// Maximum count.
        max: u64,
    },
    /// Too many copies of all items in a group, each of which would be compared; the place is its first row.
    #[error(
        "the group that begins here has more than {max} copies of its items beyond the first of each, too many to \
         compare one by one; scale the counts down"
    )]
    GroupRepeatsTooMuch {
        /// Maximum number of them.
        max: u64,
    },
    /// Too many copies of all items of a record, each of which would be compared.
    #[error(
        "its counts make more than {max} copies of items beyond the first of each, too many to compare one by one; \
         scale the counts down"
    )]
    RepeatsTooMuch {
        /// Maximum number of them.
        max: u64,
    },
    /// Too many copies of an item in a group; the place is the first row of the group.
    #[error(
        "an item of the group that begins here has the count {copies} in all, above the maximum of {max}; \
         scale the counts down"
    )]
    GroupTooLarge {
        /// Sum of the counts of the item.
        copies: u64,
        /// Maximum sum.
        max: u64,
    },
    /// Counts whose sum exceeds what a record of the maximum size could hold.
    #[error("its counts sum to {found}, more items than the maximum size of a record has bytes ({limit})")]
    TooManyCopies {
        /// The sum.
        found: u64,
        /// Maximum size of a record in bytes.
        limit: u64,
    },
    /// A field that is no fingerprint of the selected width.
    #[error("field `{}`: {problem}", shown(field))]
    NotBits {
        /// Name of the field.
        field: String,
        /// Its fault.
        problem: NotBits,
    },
    /// A field that is no vector that can be compared.
    #[error("field `{}`: {problem}", shown(field))]
    NotAVector {
        /// Name of the field.
        field: String,
        /// Its fault.
        problem: NotAVector,
    },
    /// A vector or signature with another number of components than the first one.
    #[error(
        "field `{}` has {}, the others have {}: all must have equally many",
        shown(field),
        counted(*found as u64, "component"),
        expected
    )]
    OtherDimensions {
        /// Name of the field.
        field: String,
        /// Number of components.
        found: usize,
        /// Number of components of the first one, or of those of the index.
        expected: usize,
    },
    /// A field that is no number, or one that has more bits than the fingerprints.
    #[error("field `{}`: `{}` is no integer of {}", shown(field), shown(found), counted((*bits).into(), "bit"))]
    NotAnInteger {
        /// Name of the field.
        field: String,
        /// The value, or its beginning.
        found: String,
        /// Width of the fingerprints.
        bits: u32,
    },
    /// A file that is no image that can be read.
    #[error("no image of PNG, JPEG, WebP or GIF{}", kind.as_ref().map_or_else(String::new, |is| format!(", but {is}")))]
    NotAnImage {
        /// Kind of the content, if known.
        kind: Option<BinaryKind>,
    },
    /// An image that cannot be decoded.
    #[error("the image cannot be decoded: {}", escaped(message))]
    DamagedImage {
        /// The message of the decoder.
        message: String,
    },
    /// An image of more pixels than memory should be spent for.
    #[error("an image of {width} x {height} pixels, more than {}", thousands(*limit))]
    ImageTooLarge {
        /// Width of the image in pixels.
        width: u32,
        /// Height of the image in pixels.
        height: u32,
        /// Maximum number of pixels.
        limit: u64,
    },
    /// An image with a longer side than those of any picture.
    #[error("an image of {width} x {height} pixels, more than {} in a side", thousands((*max_side).into()))]
    ImageTooWide {
        /// Width of the image in pixels.
        width: u32,
        /// Height of the image in pixels.
        height: u32,
        /// Maximum number of pixels of a side.
        max_side: u32,
    },
    /// An image without anything that could be compared.
    #[error("{}", lacking_of_plain(*has_hash))]
    PlainImage {
        /// True if a hash was selected.
        has_hash: bool,
    },
    /// A row with more or fewer fields than the header.
    #[error("{found} instead of {}", counted(*expected as u64, "field"))]
    FieldCount {
        /// Number of columns in the header.
        expected: usize,
        /// Number of fields in the row.
        found: usize,
        /// True if it has quotation marks that are taken for characters.
        has_marks: bool,
    },
    /// A field in quotes with text behind its closing quote.
    #[error("text stands behind the closing quote of field {field}{}", spanned(*lines))]
    TextBehindQuote {
        /// Number of the field, from 1.
        field: usize,
        /// Number of lines that the row spans.
        lines: u64,
    },
    /// A quoted field without a closing quote before the end of the file.
    #[error("a quote is opened in this row and never closed: the rest of the file cannot be read")]
    OpenQuote,
    /// A record above the size limit.
    #[error("longer than {}", counted(*limit, "byte"))]
    TooLarge {
        /// Maximum size in bytes.
        limit: u64,
    },
    /// A truncated or corrupt compressed file; the records that follow are lost.
    #[error("cannot be unpacked behind byte {position}: {}{}", escaped(message), doubt(*position, message))]
    Damaged {
        /// Number of bytes decompressed before the error.
        position: u64,
        /// The message of the decoder.
        message: String,
    },
    /// A row of a corrupt file of columns; the rows that follow are lost.
    #[error("cannot be decoded from this row on: {}", escaped(message))]
    DamagedRows {
        /// The message of the decoder.
        message: String,
    },
    /// A malformed row in a file of pairs.
    #[error("not a pair: {}", escaped(message))]
    NotAPair {
        /// The message of the parser.
        message: String,
    },
    /// An unreadable file of a folder.
    #[error("cannot be read: {}", escaped(message))]
    Unreadable {
        /// The message of the system.
        message: String,
    },
}

impl Problem {
    /// A [`Problem::WrongKind`] for a null.
    pub(crate) fn null(field: &str, expected: ExpectedValue) -> Self {
        Self::WrongKind { field: field.to_owned(), expected, found: FoundValue::Null }
    }

    /// The text in these bytes of a record; [`Problem::NotUtf8`] if they are none.
    pub(crate) fn check_utf8(bytes: &[u8]) -> Result<&str, Self> {
        simdutf8::compat::from_utf8(bytes).map_err(|error| Self::NotUtf8 { at: error.valid_up_to() + 1 })
    }

    /// [`Problem::TooLarge`] for a record of more than `limit` bytes.
    pub(crate) fn check_size(bytes: u64, limit: Option<u64>) -> Result<(), Self> {
        limit.filter(|&limit| bytes > limit).map_or(Ok(()), |limit| Err(Self::TooLarge { limit }))
    }
}

/// Words for a row of several lines, of which the place names the first.
fn spanned(lines: u64) -> String {
    if lines > 1 { format!("; the row goes on for {}", counted(lines, "line")) } else { String::new() }
}

/// Words for what an image lacks.
fn lacking_of_plain(has_hash: bool) -> &'static str {
    if has_hash {
        "a plain image: no hash without shapes that vary in both directions, in light and dark"
    } else {
        "a plain image: nothing to compare where all is of one brightness"
    }
}

/// A warning for failed checksums: they tell that some bytes are altered, but not which.
fn doubt(position: u64, message: &str) -> &'static str {
    if position > 0 && message.contains("checksum") { "; any record before it may be altered" } else { "" }
}

/// Reason why a value is no vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAVector {
    /// A string that is no array.
    #[error("not a vector; expected an array of numbers")]
    NoArray,
    /// A string that is no array, where signatures are read.
    #[error("not a signature; expected an array of whole numbers")]
    NoSignature,
    /// An array without numbers.
    #[error("an array without numbers")]
    Empty,
    /// An array of too many numbers.
    #[error("an array of {found} numbers; {} is the maximum", Vector::MAX_DIMENSIONS)]
    TooLong {
        /// Number of components.
        found: usize,
    },
    /// A component that is no number.
    #[error("component {number} of the vector is no number")]
    NoNumber {
        /// Number of the component, from 1.
        number: usize,
    },
    /// A component of a signature that is none.
    #[error("component {number} of the signature is no whole number from 0 to {}", u32::MAX)]
    NotWhole {
        /// Number of the component, from 1.
        number: usize,
    },
    /// A component that is not finite, or is not in 32 bits.
    #[error("component {number} of the vector is {found}; expected a number that 32 bits can hold")]
    NotFinite {
        /// Number of the component, from 1.
        number: usize,
        /// Its kind.
        found: NonFinite,
    },
    /// A vector of zeros where a direction is compared.
    #[error("a vector of zeros has no direction, and so no cosine with any other; a distance can be compared")]
    Zero,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damaged page had such a name of its coding, which the message quoted.
    #[test]
    fn messages_of_decoders_do_not_control_the_terminal() {
        let message = "coding `c\thu\u{1b}[2Jnked`\n".to_owned();
        for problem in [
            Problem::NotJson { message: message.clone() },
            Problem::NotHttp { message: message.clone() },
            Problem::Damaged { position: 1, message: message.clone() },
            Problem::DamagedRows { message: message.clone() },
            Problem::NotAPair { message: message.clone() },
            Problem::Unreadable { message },
        ] {
            let words = problem.to_string();
            assert!(!words.contains(char::is_control) && words.contains("c\\thu"), "{words:?}");
        }
    }
}
