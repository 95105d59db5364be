//! The text of a record changed, without touching the rest of its bytes.

use super::cell::{NoQuotes, make_clear, plain_cell, quoted_cell};
use crate::base::details::Action;
use crate::base::{Compression, Error, Result};
use crate::formats::{Dialect, RecordFormat};
use crate::outputs::AtomicFile;
use crate::read::{cell_place, decode_text, header, is_quoted, row_reader, text_column, text_place};
use crate::sources::{FieldNames, Source, SourceKind, TextEncoding, encode_text};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Changes the texts of the records of a file.
#[derive(Debug)]
pub struct RecordEditor {
    place: TextPlace,
    path: PathBuf,
}

/// Place of the text of a record.
#[derive(Debug)]
enum TextPlace {
    /// A field of a JSON object.
    Field(String),
    /// A column of a table.
    Column(TextColumn),
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
struct TextColumn {
    dialect: Dialect,
    column: usize,
}

impl RecordEditor {
    /// The editor of a file of JSON records or of a table; `None` for other formats.
    ///
    /// # Errors
    /// If the header of a table cannot be read, or has no such column.
    pub fn for_source(source: &Source, fields: &FieldNames) -> Result<Option<Self>> {
        let SourceKind::Records { format, .. } = source.kind else { return Ok(None) };
        let place = match (format, source.dialect()) {
            (RecordFormat::JsonLines | RecordFormat::JsonArray, _) => TextPlace::Field(fields.text.clone()),
            (_, Some(dialect)) => {
                let column = text_column(&header(source)?, dialect, fields, &source.path)?;
                TextPlace::Column(TextColumn { dialect, column })
            }
            (_, None) => return Ok(None),
        };
        Ok(Some(Self { place, path: source.path.to_path_buf() }))
    }

    /// Appends a record to `out`, with the text that `edit` makes of its own; as it is if that is `None`. A string of
    /// JSON is written anew only where the text changes; a cell of a table keeps its quotation marks.
    ///
    /// # Errors
    /// [`Error::Changed`], and nothing is appended, if the record has no such text; [`Error::NoQuotes`] if the changed
    /// text has no place in a table without quotes.
    pub fn edit(&self, record: &[u8], edit: impl FnOnce(&str) -> Option<String>, out: &mut Vec<u8>) -> Result<()> {
        let edited = match &self.place {
            TextPlace::Field(field) => edit_field(record, field, edit, out).map(Ok),
            TextPlace::Column(column) => {
                let changed = column.edited_text(record, edit);
                changed.map(|changed| column.write(record, changed.as_deref(), out))
            }
        };
        match edited {
            Some(Ok(())) => Ok(()),
            Some(Err(NoQuotes)) => Err(Error::NoQuotes { path: self.path.clone() }),
            None => Err(Error::Changed { path: self.path.clone() }),
        }
    }
}

fn edit_field(record: &[u8], field: &str, edit: impl FnOnce(&str) -> Option<String>, out: &mut Vec<u8>) -> Option<()> {
    let (text, place) = text_place(std::str::from_utf8(record).ok()?, field)?;
    match edit(&text) {
        None => out.extend_from_slice(record),
        Some(changed) => {
            out.extend_from_slice(&record[..place.start]);
            serde_json::to_writer(&mut *out, &changed).ok()?;
            out.extend_from_slice(&record[place.end..]);
        }
    }
    Some(())
}

impl TextColumn {
    /// The text that `edit` makes of that of a cell; `None` if the row has no such text.
    #[expect(clippy::option_option, reason = "the inner one is the answer of the editor: the text stays")]
    fn edited_text(self, row: &[u8], edit: impl FnOnce(&str) -> Option<String>) -> Option<Option<String>> {
        let Self { dialect, column } = self;
        cell_place(row, column, dialect)?;
        let mut fields = csv::ByteRecord::new();
        row_reader(row, dialect).read_byte_record(&mut fields).ok().filter(|&is_row| is_row)?;
        Some(edit(std::str::from_utf8(fields.get(column)?).ok()?))
    }

    /// Appends a row to `out` with another text in a cell, or as it is.
    fn write(self, row: &[u8], changed: Option<&str>, out: &mut Vec<u8>) -> std::result::Result<(), NoQuotes> {
        let Self { dialect, column } = self;
        let place = changed.and_then(|_| cell_place(row, column, dialect));
        let (Some(changed), Some(place)) = (changed, place) else {
            out.extend_from_slice(row);
            return Ok(());
        };
        // An empty field alone in its row would be an empty line.
        let is_blank =
            changed.is_empty() && column == 0 && cell_place(row, 1, dialect).is_none() && dialect.has_quotes();
        let cell = if is_blank || is_quoted(row, column, dialect) {
            quoted_cell(changed)
        } else {
            plain_cell(changed, dialect)?
        };
        let begin = out.len();
        out.extend_from_slice(&row[..place.start]);
        out.extend_from_slice(cell.as_bytes());
        out.extend_from_slice(&row[place.end..]);
        // An unclear row was unclear before, or the header shows that there are quotes.
        let _ = make_clear(out, begin, dialect);
        Ok(())
    }
}

/// Writes a text file to `to`, with the text that `edit` makes of its own, in its own encoding and compression. Returns
/// whether it has changed; nothing is written if not.
///
/// # Errors
/// If the file cannot be read or written; [`Error::Changed`] if it is no text any more.
pub fn edit_text_file(
    from: &Path,
    to: &Path,
    encoding: Option<TextEncoding>,
    edit: impl FnOnce(&str) -> Option<String>,
) -> Result<bool> {
    let mut compression = Compression::of_name(from).0;
    if compression != Compression::None {
        compression = Compression::of_file(from)?;
    }
    let mut bytes = Vec::new();
    compression.open(from)?.read_to_end(&mut bytes).map_err(|source| Error::io(Action::Read, from, source))?;
    let text = decode_text(&bytes, encoding).map_err(|_| Error::Changed { path: from.to_owned() })?;
    let Some(changed) = edit(&text) else { return Ok(false) };
    let mut file = AtomicFile::create(to)?;
    file.write(&encode_text(&changed, &bytes, encoding))?;
    file.seal()?.publish()?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Quotes;
    use proptest::prelude::{prop_assert_eq, proptest};

    fn edited(place: TextPlace, record: &str, to: Option<&str>) -> Option<String> {
        let mut out = Vec::new();
        editor(place).edit(record.as_bytes(), |_| to.map(str::to_owned), &mut out).ok()?;
        Some(String::from_utf8(out).unwrap())
    }

    fn editor(place: TextPlace) -> RecordEditor {
        RecordEditor { place, path: PathBuf::from("x") }
    }

    fn field(name: &str) -> TextPlace {
        TextPlace::Field(name.to_owned())
    }

    #[test]
    fn only_the_text_of_an_object_changes() {
        let record = "{ \"n\": 1e2, \"text\" : \"a\\u0062\\n\", \"x\":{\"text\":\"no\"} }\r\n";
        let expected = "{ \"n\": 1e2, \"text\" : \"\\\"é\\\"\", \"x\":{\"text\":\"no\"} }\r\n";
        assert_eq!(edited(field("text"), record, Some("\"é\"")).unwrap(), expected);
        assert_eq!(edited(field("text"), record, None).unwrap(), record);
        assert_eq!(edited(field("x.text"), record, Some("yes")).unwrap(), record.replace("no", "yes"));
        assert_eq!(edited(field("other"), record, Some("yes")), None);
        assert_eq!(edited(field("n"), record, Some("yes")), None);
    }

    #[test]
    fn only_the_cell_of_a_row_changes() {
        let cell = |column, delimiter| TextPlace::Column(TextColumn { dialect: Dialect::quoted(delimiter), column });
        for (row, column, delimiter, to, expected) in [
            ("1,\"a,b\",c\r\n", 1, b',', "x", "1,\"x\",c\r\n"),
            ("1,a,c\n", 1, b',', "x,y", "1,\"x,y\",c\n"),
            ("1,a,c", 2, b',', "", "1,a,"),
            ("1,a,\"c\"\r\n", 2, b',', "", "1,a,\"\"\r\n"),
            ("a\n", 0, b',', "", "\"\"\n"),
            ("a\t\"b \"\"c\"\"\"\n", 1, b'\t', "b \"", "a\t\"b \"\"\"\n"),
            ("\"a\nb\",c\r", 0, b',', "a", "\"a\",c\r"),
            ("1\t\"a\nb\tc d\te\"\n", 1, b'\t', "a\nb\tc", "\"1\"\t\"a\nb\tc\"\n"),
        ] {
            assert_eq!(edited(cell(column, delimiter), row, Some(to)).unwrap(), expected, "{row}");
            assert_eq!(edited(cell(column, delimiter), row, None).unwrap(), row);
        }
        assert_eq!(edited(cell(3, b','), "1,a,c\n", Some("x")), None);
    }

    #[test]
    fn a_cell_without_quotes_has_no_place_for_tabs_and_line_ends() {
        let dialect = Dialect { delimiter: b'\t', quotes: Quotes::None };
        let cell = || TextPlace::Column(TextColumn { dialect, column: 1 });
        assert_eq!(edited(cell(), "1\t\"a b\n", Some("\"a")).unwrap(), "1\t\"a\n");
        assert_eq!(edited(cell(), "1\ta\n", Some("")).unwrap(), "1\t\n");
        for to in ["a\tb", "a\nb"] {
            assert_eq!(edited(cell(), "1\ta\n", Some(to)), None);
        }
    }

    proptest! {
        #[test]
        fn other_cells_stay_and_the_text_comes_back(
            cells in proptest::collection::vec("[a,\"\n\r é]{0,6}", 2..5),
            to in "[a,\"\n\r é]{0,6}",
            at in 0usize..4,
        ) {
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(&cells).unwrap();
            let row = writer.into_inner().unwrap();
            let column = at % cells.len();
            let mut out = Vec::new();
            let editor = editor(TextPlace::Column(TextColumn { dialect: Dialect::quoted(b','), column }));
            editor.edit(&row, |text| { assert_eq!(text, cells[column]); Some(to.clone()) }, &mut out).unwrap();
            let mut expected = cells.clone();
            expected[column].clone_from(&to);
            let mut found = csv::StringRecord::new();
            csv::ReaderBuilder::new().has_headers(false).from_reader(&out[..]).read_record(&mut found).unwrap();
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn text_files_keep_their_encoding() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let utf16: Vec<u8> = "\u{feff}a é".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let latin: TextEncoding = "windows-1252".parse().unwrap();
        for (bytes, encoding, expected) in [
            (b"a \xC3\xA9\n".to_vec(), None, b"\xC3\xA9!".to_vec()),
            (b"\xEF\xBB\xBFa \xC3\xA9\n".to_vec(), None, b"\xEF\xBB\xBF\xC3\xA9!".to_vec()),
            (b"a \xE9".to_vec(), Some(latin), b"\xE9!".to_vec()),
            (utf16, None, "\u{feff}é!".encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ] {
            std::fs::write(path("a.txt"), &bytes).unwrap();
            let from = path("a.txt");
            let to = path("b.txt");
            assert!(!edit_text_file(&from, &to, encoding, |_| None).unwrap() && !to.exists());
            let change = |text: &str| Some(format!("{}!", text[2..].trim()));
            assert!(edit_text_file(&from, &to, encoding, change).unwrap());
            assert_eq!(std::fs::read(&to).unwrap(), expected);
            std::fs::remove_file(&to).unwrap();
        }
    }
}
