//! The text of a record changed, without touching the rest of its bytes.

use crate::formats::RecordFormat;
use crate::ground::{Compression, Error, Result};
use crate::outputs::AtomicFile;
use crate::read::{cell_place, decode_text, header, row_reader, text_column, text_place};
use crate::sources::{FieldNames, Source, SourceKind, TextEncoding, encode_text};
use std::io::Read;
use std::path::Path;

/// Changes the texts of the records of a file.
#[derive(Debug)]
pub struct RecordEditor {
    place: TextPlace,
}

/// Where the text of a record stands.
#[derive(Debug)]
enum TextPlace {
    /// In a field of a JSON object.
    Field(String),
    /// In a column of a table.
    Column { delimiter: u8, column: usize },
}

impl RecordEditor {
    /// The editor of a file of JSON records or of a table; `None` for other formats.
    ///
    /// # Errors
    /// If the header of a table cannot be read, or has no such column.
    pub fn of(source: &Source, fields: &FieldNames) -> Result<Option<Self>> {
        let SourceKind::Records { format, .. } = source.kind else { return Ok(None) };
        let place = match (format, format.delimiter()) {
            (RecordFormat::JsonLines | RecordFormat::JsonArray, _) => TextPlace::Field(fields.text.clone()),
            (_, Some(delimiter)) => {
                let column = text_column(&header(source)?, delimiter, fields, &source.path)?;
                TextPlace::Column { delimiter, column }
            }
            (_, None) => return Ok(None),
        };
        Ok(Some(Self { place }))
    }

    /// Appends a record to `out`, with the text that `edit` makes of its own; as it is if that is `None`. A string of
    /// JSON is written anew only where the text changes; a cell of a table keeps its quotation marks.
    ///
    /// Returns `None`, and appends nothing, if the record has no such text: the file has changed.
    pub fn edit(&self, record: &[u8], edit: impl FnOnce(&str) -> Option<String>, out: &mut Vec<u8>) -> Option<()> {
        match &self.place {
            TextPlace::Field(field) => edit_field(record, field, edit, out),
            TextPlace::Column { delimiter, column } => edit_cell(record, (*delimiter, *column), edit, out),
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

fn edit_cell(
    row: &[u8],
    (delimiter, column): (u8, usize),
    edit: impl FnOnce(&str) -> Option<String>,
    out: &mut Vec<u8>,
) -> Option<()> {
    let place = cell_place(row, column, delimiter)?;
    let mut fields = csv::ByteRecord::new();
    row_reader(row, delimiter).read_byte_record(&mut fields).ok().filter(|&is_row| is_row)?;
    let text = std::str::from_utf8(fields.get(column)?).ok()?;
    match edit(text) {
        None => out.extend_from_slice(row),
        Some(changed) => {
            let is_quoted = row[place.clone()].starts_with(b"\"");
            // An empty field alone in its row would be an empty line.
            let style = if is_quoted { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary };
            let mut writer = csv::WriterBuilder::new().delimiter(delimiter).quote_style(style).from_writer(Vec::new());
            writer.write_record([changed.as_bytes()]).ok()?;
            let mut cell = writer.into_inner().ok()?;
            // The writer appends its own line end, and quotes what would be an empty line.
            cell.pop();
            let is_alone = fields.len() == 1;
            out.extend_from_slice(&row[..place.start]);
            if !(changed.is_empty() && !is_quoted && !is_alone) {
                out.extend_from_slice(&cell);
            }
            out.extend_from_slice(&row[place.end..]);
        }
    }
    Some(())
}

/// Writes a text file to `to`, with the text that `edit` makes of its own, in its own encoding and compression. Returns
/// whether it has changed; nothing is written if not.
///
/// # Errors
/// If the file cannot be read or written; [`Error::Changed`] if it is no text any more.
pub fn edit_text_file(
    (from, to): (&Path, &Path),
    encoding: Option<TextEncoding>,
    edit: impl FnOnce(&str) -> Option<String>,
) -> Result<bool> {
    let mut compression = Compression::of_name(from).0;
    if compression != Compression::None {
        compression = Compression::of_file(from)?;
    }
    let mut bytes = Vec::new();
    compression.open(from)?.read_to_end(&mut bytes).map_err(|source| Error::io("read", from, source))?;
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
    use proptest::prelude::{prop_assert_eq, proptest};

    fn edited(place: TextPlace, record: &str, to: Option<&str>) -> Option<String> {
        let mut out = Vec::new();
        RecordEditor { place }.edit(record.as_bytes(), |_| to.map(str::to_owned), &mut out)?;
        Some(String::from_utf8(out).unwrap())
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
        let cell = |column, delimiter| TextPlace::Column { delimiter, column };
        for (row, column, delimiter, to, expected) in [
            ("1,\"a,b\",c\r\n", 1, b',', "x", "1,\"x\",c\r\n"),
            ("1,a,c\n", 1, b',', "x,y", "1,\"x,y\",c\n"),
            ("1,a,c", 2, b',', "", "1,a,"),
            ("1,a,\"c\"\r\n", 2, b',', "", "1,a,\"\"\r\n"),
            ("a\n", 0, b',', "", "\"\"\n"),
            ("a\t\"b \"\"c\"\"\"\n", 1, b'\t', "b \"", "a\t\"b \"\"\"\n"),
            ("\"a\nb\",c\r", 0, b',', "a", "\"a\",c\r"),
        ] {
            assert_eq!(edited(cell(column, delimiter), row, Some(to)).unwrap(), expected, "{row}");
            assert_eq!(edited(cell(column, delimiter), row, None).unwrap(), row);
        }
        assert_eq!(edited(cell(3, b','), "1,a,c\n", Some("x")), None);
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
            let (column, mut out) = (at % cells.len(), Vec::new());
            let editor = RecordEditor { place: TextPlace::Column { delimiter: b',', column } };
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
            let (from, to) = (path("a.txt"), path("b.txt"));
            assert!(!edit_text_file((&from, &to), encoding, |_| None).unwrap() && !to.exists());
            let change = |text: &str| Some(format!("{}!", text[2..].trim()));
            assert!(edit_text_file((&from, &to), encoding, change).unwrap());
            assert_eq!(std::fs::read(&to).unwrap(), expected);
            std::fs::remove_file(&to).unwrap();
        }
    }
}
