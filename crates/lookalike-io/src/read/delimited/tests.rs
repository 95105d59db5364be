use crate::base::{Error, Result, Score};
use crate::formats::Quotes;
use crate::read::Blocks;
use crate::read::context::BLOCK_BYTES;
use crate::read::header;
use crate::sources::{Discovery, FieldNames, discover_with};
use crate::testing::file_with;
use crate::write::RecordReader;
use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, proptest};
use std::fs;
use std::path::Path;

/// Id, text and line of a document, and its bytes in the file.
type Row = (String, String, u64, Vec<u8>);

/// The rows of a table, its header, and its bad rows by their messages without the path.
fn read(name: &str, content: &[u8], limit: impl Into<Option<u64>>) -> Result<(Vec<Row>, Vec<u8>, Vec<String>)> {
    let (_folder, path) = file_with(name, content);
    read_path(&path, limit)
}

fn read_path(path: &Path, limit: impl Into<Option<u64>>) -> Result<(Vec<Row>, Vec<u8>, Vec<String>)> {
    // Quotes of TSV are decided elsewhere.
    let discovery = Discovery { quotes: Some(Quotes::Double), ..Discovery::default() };
    let found = discover_with(&[path.to_owned()], &discovery).unwrap();
    let mut rows = Vec::new();
    let mut bad = Vec::new();
    let compression = crate::base::Compression::of_file(path).unwrap();
    let mut records = RecordReader::open(path, compression).unwrap();
    for block in Blocks::new(&found.sources, &FieldNames::default(), limit.into()) {
        block?.for_each_document(&FieldNames::default(), |document| match document {
            Ok(document) => {
                let bytes = records.read(document.span).unwrap().to_owned();
                rows.push((document.id.into_owned(), document.content.stored().into_owned(), document.number, bytes));
            }
            Err(record) => bad.push(format!("{}: {}", record.place.line_number().unwrap(), record.problem)),
        });
    }
    Ok((rows, header(&found.sources[0])?, bad))
}

fn texts(name: &str, content: &str) -> Vec<String> {
    let (rows, _, bad) = read(name, content.as_bytes(), None).unwrap();
    assert_eq!(bad, [""; 0], "{content}");
    rows.into_iter().map(|(_, text, ..)| text).collect()
}

#[test]
fn line_ends_between_rows_are_no_row_however_many_they_are() {
    for (line_end, count) in [("\n", 3 * BLOCK_BYTES), ("\r\n", 3 * BLOCK_BYTES / 2 + 1), ("\r", 2 * BLOCK_BYTES + 5)] {
        let blank = line_end.repeat(count);
        let content = format!("id,text{line_end}{blank}1,one{line_end}{blank}2,\"two\n\n\"{line_end}{blank}");
        let (rows, _, bad) = read("t.csv", content.as_bytes(), 1 << 10).unwrap();
        assert_eq!(bad, [""; 0], "{line_end:?}");
        let found: Vec<_> = rows.iter().map(|(id, text, line, _)| (&id[..], &text[..], *line)).collect();
        let count = count as u64;
        assert_eq!(found, [("1", "one", count + 2), ("2", "two\n\n", 2 * count + 3)], "{line_end:?}");
    }
}

#[test]
fn rows_are_read_in_every_common_shape() {
    let cases = [
        ("t.csv", "id,text\n1,one\n2,two\n", ["one", "two"]),
        ("t.csv", "\u{feff}text,id\r\none,1\r\ntwo,2\r\n", ["one", "two"]),
        ("t.csv", "text\none\ntwo", ["one", "two"]),
        ("t.csv", "\ntext\n\n\none\n\n\ntwo\n\n", ["one", "two"]),
        ("t.csv", "text\rone\rtwo\r", ["one", "two"]),
        ("t.csv", "id,text\n1,\"a, \"\"b\"\"\r\nc\"\n2,5\" disc\n", ["a, \"b\"\r\nc", "5\" disc"]),
        ("t.csv", "\"text\",x\n\"\",x\n\"two\",x\n", ["", "two"]),
        ("t.tsv", "id\ttext\n1\ta, b\n2\t\"c\td\"\n", ["a, b", "c\td"]),
        ("t.csv", "text\nx \"y\nx \"\"y\"\"", ["x \"y", "x \"\"y\"\""]),
        ("t.csv", "\u{feff}text\n\u{feff}one\n\u{feff}text\n\n\u{feff}\u{feff}\"two\"\n\u{feff}", ["one", "two"]),
    ];
    for (name, content, expected) in cases {
        assert_eq!(texts(name, content), expected, "{content:?}");
    }
    for nothing in ["", "\u{feff}", "\r\n\n", "text", "text\n", "id,text\r\n\r\n"] {
        assert!(texts("t.csv", nothing).is_empty(), "{nothing:?}");
    }
}

#[test]
fn an_empty_id_is_none_in_quotes_or_without() {
    let (rows, ..) = read("t.csv", b"id,text\n\"\",one\n,two\n\"\"\"\",three\n\" \t\",four\n", None).unwrap();
    for (row, line) in [(0, 2), (1, 3), (3, 5)] {
        assert!(rows[row].0.ends_with(&format!("t.csv:{line}")), "{}", rows[row].0);
    }
    assert_eq!(rows[2].0, "\"");
    let (rows, ..) = read("t.tsv", b"text\tid\none\t\"\"\r\n\"t\two\"\t\"\"", None).unwrap();
    assert!(rows[0].0.ends_with("t.tsv:2") && rows[1].0.ends_with("t.tsv:3"), "{rows:?}");
}

#[test]
fn places_count_lines_and_ids_fall_back_to_them() {
    let (rows, header, bad) =
        read("t.csv", b"id,text\r\n\r\n1,\"a\r\nb\"\r\n,two\r\nx,y,z\r\n3,\xFF\r\n4,four", None).unwrap();
    assert_eq!(header, b"id,text\r\n");
    assert_eq!(rows.iter().map(|(.., line, _)| *line).collect::<Vec<_>>(), [3, 5, 8]);
    assert_eq!((rows[0].0.as_str(), rows[2].0.as_str()), ("1", "4"));
    assert!(rows[1].0.ends_with("t.csv:5"));
    assert_eq!(rows[0].3, b"1,\"a\r\nb\"\r\n");
    assert_eq!(rows[2].3, b"4,four");
    assert_eq!(bad, ["6: 3 instead of 2 fields", "7: not UTF-8 (byte 3 of the record)"]);
}

#[test]
fn a_quote_that_is_never_closed_is_named_where_it_opens() {
    let (rows, _, bad) = read("t.csv", b"id,text\n1,a\n\n2,\"b\n3,c\n", None).unwrap();
    assert_eq!((rows.len(), bad.len()), (1, 1));
    assert!(bad[0].starts_with("4: a quote is opened"), "{bad:?}");
    let long = format!("id,text\n1,a\n2,\"{}", "b\n".repeat(BLOCK_BYTES));
    let (rows, _, bad) = read("t.csv", long.as_bytes(), 100).unwrap();
    assert!(rows.len() == 1 && bad[0].starts_with("3: a quote is opened"), "{bad:?}");
    assert!(matches!(read("t.csv", b"id,\"text\n1,a\n", None), Err(Error::BadRow { .. })));
}

#[test]
fn long_rows_are_skipped_and_the_others_stay() {
    let long = "w\n".repeat(BLOCK_BYTES + 9);
    let content = format!("id,text\n1,a\n2,\"{long}\"\n3,c\n4,\"{}\"\n5,e\n", "x".repeat(200));
    let (rows, _, bad) = read("t.csv", content.as_bytes(), 150).unwrap();
    assert_eq!(rows.iter().map(|(id, ..)| id.as_str()).collect::<Vec<_>>(), ["1", "3", "5"]);
    let after = 3 + 1 + BLOCK_BYTES as u64 + 9;
    assert_eq!(rows[1].2, after);
    let reason = "longer than 150 bytes";
    assert_eq!(bad, [format!("3: {reason}"), format!("{}: {reason}", after + 1)]);
    assert_eq!(texts("t.csv", &content).len(), 5);
}

#[test]
fn headers_must_have_each_selected_column_once() {
    let error = |content: &str| read("t.csv", content.as_bytes(), None).unwrap_err().to_string();
    assert!(error("id:text\n").ends_with("t.csv has no column `text`; its columns are `id:text`"));
    assert!(
        error("a,Text,\"b\"\"\"\n")
            .ends_with("no column `text`; its columns are `a`, `Text`, `b\"`; the nearest is `Text`")
    );
    assert!(error("text,text\n").ends_with("t.csv has two columns `text`"));
    assert!(error("id,text,id\n").ends_with("t.csv has two columns `id`"));
    assert_eq!(texts("t.csv", "x,text,x\n1,a,2\n"), ["a"]);
}

#[test]
fn scores_are_strings_or_missing() {
    let (_folder, path) = file_with("t.csv", "text,n\na,1.5\nb,N/A\nc,\nd,\" \"\ne,nan\n");
    let names = FieldNames { score: Some("n".to_owned()), more_scores: vec!["x".to_owned()], ..FieldNames::default() };
    let found = discover_with(&[path], &Discovery::default()).unwrap();
    let mut scores = Vec::new();
    for block in Blocks::new(&found.sources, &names, None) {
        block.unwrap().for_each_document(&names, |document| {
            let document = document.unwrap();
            assert_eq!(document.more_scores, [None], "there is no such column");
            scores.push(document.score);
        });
    }
    let text = |text: &str| Some(Score::Text(text.to_owned()));
    assert_eq!(scores, [text("1.5"), text("N/A"), Some(Score::Missing), Some(Score::Missing), text("nan")]);
}

#[test]
fn cut_files_give_what_comes_before_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv.gz");
    let mut file = crate::AtomicFile::create(&path).unwrap();
    let rows: String =
        (0..200_000u32).map(|id| format!("{},\"a\nb {id}\"\n", id.wrapping_mul(2_654_435_761))).collect();
    file.write(format!("id,text\n{rows}").as_bytes()).unwrap();
    file.finish().unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let (rows, _, bad) = read_path(&path, None).unwrap();
    assert!(rows.len() > 50_000 && rows.len() < 150_000 && bad.len() == 1, "{} {bad:?}", rows.len());
    assert!(bad[0].starts_with(&format!("{}: cannot be unpacked behind byte", 2 + 2 * rows.len())), "{bad:?}");
    fs::write(&path, &whole[..12]).unwrap();
    assert!(matches!(read_path(&path, None), Err(Error::BadRow { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn what_the_csv_crate_writes_comes_back_byte_for_byte(
        fields in prop::collection::vec(("[a-c\",\r\n \u{e9}\t]{0,8}", 0usize..3), 0..40),
        crlf: bool,
        tab: bool,
        pad in any::<u16>(),
    ) {
        let (delimiter, name) = if tab { (b'\t', "t.tsv") } else { (b',', "t.csv") };
        let terminator = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).terminator(terminator).from_writer(Vec::new());
        writer.write_record(["pad", "text"]).unwrap();
        // Block borders fall at any place of a row.
        writer.write_record(["p".repeat(BLOCK_BYTES - 100 + pad as usize % 200).as_str(), "first"]).unwrap();
        for (text, spaces) in &fields {
            writer.write_record([" ".repeat(*spaces).as_str(), text]).unwrap();
        }
        let content = writer.into_inner().unwrap();
        let (rows, header, bad) = read(name, &content, None).unwrap();
        prop_assert_eq!(bad.len(), 0);
        let expected: Vec<&str> = ["first"].into_iter().chain(fields.iter().map(|(text, _)| text.as_str())).collect();
        prop_assert_eq!(rows.iter().map(|(_, text, ..)| text.as_str()).collect::<Vec<_>>(), expected);
        let copied: Vec<u8> = rows.into_iter().fold(header, |copied, (.., bytes)| [copied, bytes].concat());
        prop_assert_eq!(copied == content, true);
    }

    #[test]
    fn rows_of_any_bytes_are_those_that_the_csv_crate_reads(
        tail in "[ab\",\r\n]{0,60}",
        pad in 0usize..90,
    ) {
        // The tail lies across a block border, or not.
        let content = format!("text,x\n{},p\n{tail}", "p".repeat(BLOCK_BYTES - 40 - pad));
        let (rows, _, bad) = read("t.csv", content.as_bytes(), None).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(content.as_bytes());
        let mut expected: Vec<csv::StringRecord> = reader.records().skip(1).map(|row| row.unwrap()).collect();
        let is_open = bad.last().is_some_and(|row| row.contains("a quote is opened"));
        if is_open {
            expected.pop();
        }
        // Text behind a closing quote is bad, and to the csv crate a part of the field.
        let behind = bad.iter().filter(|row| row.contains("stands behind the closing quote")).count();
        let whole: Vec<_> = expected.iter().filter(|row| row.len() == 2).map(|row| &row[0]).collect();
        let mut left = whole.iter();
        for (_, text, ..) in &rows {
            prop_assert!(left.any(|whole| whole == text), "{} is out of order", text);
        }
        prop_assert!(whole.len() - rows.len() <= behind);
        prop_assert_eq!(rows.len() + bad.len(), expected.len() + usize::from(is_open));
    }
}
