//! Separators of tables: the extension `.csv` is used for commas, semicolons, bars and tabs alike.
//!
//! A separator fits if the header has two columns or more and each of the first rows has as many. The one with the most
//! columns wins, commas among equals: numbers may have a decimal comma in each row, and texts a semicolon, but the
//! header has the separator once more for each column.
//!
//! A header with several of these signs may leave it to the rows, bad ones among them. If those are left out, what is
//! written may have another separator by this rule; a rule by the header alone would misread more tables.

use super::dialect::{Dialect, Quotes};
use crate::base::{BYTE_ORDER_MARK, RecordFormat};

/// Rows that are looked at behind the header.
const MAX_ROWS: usize = 50;
/// The formats of tables, the likeliest first.
const TABLES: [RecordFormat; 4] =
    [RecordFormat::Csv, RecordFormat::SemicolonCsv, RecordFormat::PipeCsv, RecordFormat::Tsv];

/// The format of a table that begins with `head`; CSV if no separator fits.
pub(super) fn table_format(head: &[u8]) -> RecordFormat {
    let columns = |format: &RecordFormat| format.delimiter().and_then(|delimiter| columns(head, delimiter));
    let fitting = TABLES.into_iter().filter_map(|format| Some((columns(&format)?, format)));
    let best = fitting.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(RecordFormat::Csv, |(_, format)| format)
}

/// The format of the table that begins with `head`, if its header has this column; a header of one column needs a row.
pub(super) fn table_with(head: &[u8], column: &str) -> Option<RecordFormat> {
    let format = table_format(head);
    let is_alone = || head.trim_ascii() == column.as_bytes();
    (header_has(head, format, column) && !is_alone()).then_some(format)
}

/// Returns whether the header of a table in this format has the column.
pub(super) fn header_has(head: &[u8], format: RecordFormat, column: &str) -> bool {
    let Some(delimiter) = format.delimiter() else { return false };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(head);
    let mut row = csv::ByteRecord::new();
    // Reading from memory cannot fail.
    let _ = reader.read_byte_record(&mut row);
    row.iter().any(|name| name.strip_prefix(BYTE_ORDER_MARK).unwrap_or(name) == column.as_bytes())
}

/// Number of columns, if this separator fits; tabs also with quotation marks that are no quotes.
pub(super) fn columns(head: &[u8], delimiter: u8) -> Option<usize> {
    let plain = Dialect { delimiter, quotes: Quotes::None };
    let of_plain = || columns_in(head, plain).filter(|_| delimiter == b'\t');
    columns_in(head, Dialect::quoted(delimiter)).or_else(of_plain)
}

/// Number of columns, if rows cut in this way fit.
fn columns_in(head: &[u8], dialect: Dialect) -> Option<usize> {
    let mut reader = dialect.reader_builder().from_reader(head);
    let mut row = csv::ByteRecord::new();
    let mut columns = None;
    let mut rows = 0;
    // Reading from memory cannot fail.
    while rows <= MAX_ROWS && reader.read_byte_record(&mut row).unwrap_or(false) {
        let is_cut = reader.position().byte() as usize >= head.len() && rows > 0;
        match columns {
            _ if is_cut => {}
            // Lines of blanks are no header.
            None if row.iter().all(|name| name.trim_ascii().is_empty()) => return None,
            None => columns = Some(row.len()),
            Some(columns) if row.len() == columns => {}
            Some(_) => return None,
        }
        rows += 1;
    }
    columns.filter(|&columns| columns > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_recognized_by_its_selected_column() {
        for (head, format) in [
            ("id,text\n1,a\n", Some(RecordFormat::Csv)),
            ("\u{feff}\"text\"\tid\r\n", Some(RecordFormat::Tsv)),
            ("text\na\n", Some(RecordFormat::Csv)),
            ("text", None),
            ("id,body\n1,a\n", None),
            ("A text, and more.\n", None),
            ("", None),
        ] {
            assert_eq!(table_with(head.as_bytes(), "text"), format, "{head}");
        }
    }

    #[test]
    fn the_header_and_the_first_rows_tell_the_separator() {
        for (head, format) in [
            ("id,text\n1,a;b\n2,c;d\n", RecordFormat::Csv),
            ("id;text\n1;a, b\n2;\"c;d\"\n", RecordFormat::SemicolonCsv),
            ("id;price, net;text\n1;2,5;a\n2;3,5;b, c\n", RecordFormat::SemicolonCsv),
            ("\u{feff}id|text\r\n1|a;b\r\n", RecordFormat::PipeCsv),
            ("id\ttext\n1\ta\n", RecordFormat::Tsv),
            ("id\ttext\n1\t\"a\n2\tb\n", RecordFormat::Tsv),
            ("id;text\n1;a\n2;cut", RecordFormat::SemicolonCsv),
            ("id;text", RecordFormat::SemicolonCsv),
            // A bad row does not make another table of it.
            ("id,text\n1,a,b\n2,c\n", RecordFormat::Csv),
            ("text\na;b\n", RecordFormat::Csv),
            ("", RecordFormat::Csv),
        ] {
            assert_eq!(table_format(head.as_bytes()), format, "{head}");
        }
    }
}
