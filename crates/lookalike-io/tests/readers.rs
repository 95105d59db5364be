//! The laws of the readers on randomly damaged files. The fuzz targets under `fuzz/` check the same laws.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a law that fails is a test that fails")]

mod laws;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use flate2::Compression;
use flate2::write::GzEncoder;
use laws::{check_columns, check_lines, check_pairs, check_table, check_text, check_warc};
use lookalike_io::sources::ItemSeparator;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression as Codec;
use parquet::file::properties::WriterProperties;
use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};
use std::io::Write;
use std::sync::Arc;

/// Bytes with a meaning to some reader.
const PIECES: [&[u8]; 24] = [
    b"\n",
    b"\r",
    b"\r\n",
    b"\"",
    b"\"\"",
    b",",
    b"\t",
    b"\0",
    b"{",
    b"}",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFF",
    b"\xED\xA0\x80",
    b"\\ud800",
    b"WARC/1.0\r\n",
    b"\r\n\r\n",
    b"Content-Length: 5\r\n",
    b"Content-Length: -1\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"-1",
    b"99999999999999999999",
    b"text",
    b"1e400",
];

/// One change of a file.
#[derive(Debug, Clone)]
enum Change {
    Flip(prop::sample::Index, u8),
    Insert(prop::sample::Index, usize),
    Cut(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
    End(prop::sample::Index),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::Flip(at, mask) => {
                let at = at.index(bytes.len());
                bytes[at] ^= mask;
            }
            Self::Insert(at, piece) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, PIECES[*piece].iter().copied());
            }
            Self::Cut(at, length) => {
                let at = at.index(bytes.len());
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Self::Repeat(at, length) => {
                let at = at.index(bytes.len());
                let again = bytes[at..(at + length).min(bytes.len())].to_vec();
                bytes.splice(at..at, again);
            }
            Self::End(at) => bytes.truncate(at.index(bytes.len())),
        }
    }
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = (0..9, any::<prop::sample::Index>(), any::<u8>(), 0..PIECES.len(), 1..40usize).prop_map(
        |(kind, at, mask, piece, length)| match kind {
            0 | 1 => Change::Flip(at, mask),
            2..=5 => Change::Insert(at, piece),
            6 => Change::Cut(at, length),
            7 => Change::Repeat(at, length),
            _ => Change::End(at),
        },
    );
    prop::collection::vec(change, 0..6)
}

fn changed(seed: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    changes.iter().for_each(|change| change.apply(&mut bytes));
    bytes
}

const JSON: &[u8] = b"\xEF\xBB\xBF{\"id\":\"a\",\"text\":\"one \\u00e9 two\",\"x\":[1,{\"y\":null}]}\r\n\n\
    {\"text\":\"three\"}\n  \n{\"id\":17,\"text\":\"\"}";
const CSV: &[u8] = b"\xEF\xBB\xBFid,text,x\r\n1,\"one, \"\"two\"\"\r\nthree\",x\r\n\r\n2,four,\n3,caf\xC3\xA9,\"\"\n";
const ITEMS: &[u8] = b"one two, three\n\n four\t,five\r\nsix";
const PAGE: &[u8] =
    b"<!DOCTYPE html><meta charset=koi8-r><title>one</title><p>two &amp; three<script>x</script><!-- y -->";
const UTF16: &[u8] = b"\xFF\xFEo\0n\0e\0 \0=\xD8\0\xDE";
const PAIRS: &[u8] = b"{\"a\":\"x\",\"b\":\"y\",\"similarity\":0.875}\n{\"a\":\"x\",\"b\":\"z\",\"similarity\":1}\n";
const PAIR_ROWS: &[u8] = b"a,b,similarity\nx,y,0.875\n\"x,\"\"\",z,1\n";

/// A response with a chunked page, its request, and a text.
fn warc() -> Vec<u8> {
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n\
                5\r\n<p>on\r\n3\r\ne t\r\n0\r\n\r\n";
    let records = [
        ("request", "application/http", "GET / HTTP/1.1\r\n\r\n"),
        ("response", "application/http; msgtype=response", page),
        ("conversion", "text/plain", "two words"),
    ];
    let record = |(kind, media, body): &(&str, &str, &str)| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a/{kind}\r\nContent-Type: {media}\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    records.iter().map(record).collect::<String>().into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Ids, texts of which some are equal and some null, and numbers.
fn columns() -> RecordBatch {
    let texts = ["one two three", "", "four", "a text that is longer than the others"].map(Some);
    let texts = StringArray::from_iter((0..40).map(|row| texts[row % 4].filter(|_| row % 7 > 0)));
    let columns: [(&str, ArrayRef, bool); 3] = [
        ("id", Arc::new(StringArray::from_iter_values((0..40).map(|row| format!("k{row}")))), true),
        ("text", Arc::new(texts), true),
        ("n", Arc::new(Int64Array::from_iter(0..40)), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// Storage of the values of a Parquet file.
#[derive(PartialEq)]
enum Values {
    Plain,
    InDictionary,
}

fn parquet(codec: Codec, values: Values) -> Vec<u8> {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(15)).set_compression(codec);
    let properties = properties.set_dictionary_enabled(values == Values::InDictionary).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), columns().schema(), Some(properties)).unwrap();
    writer.write(&columns()).unwrap();
    writer.into_inner().unwrap()
}

fn arrow_file(compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &columns().schema(), options).unwrap();
    [columns().slice(0, 15), columns().slice(15, 25)].iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn arrow_stream() -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &columns().schema()).unwrap();
    [columns().slice(0, 15), columns().slice(15, 25)].iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

/// Regressions.
#[test]
fn rows_that_begin_with_a_mark_or_end_with_a_carriage_return() {
    check_table("x.csv", b"text\rone\rtwo\r");
    check_table("x.csv", "id,text\n\u{feff}2,four\n\u{feff}\"3,x\ny\"\n".as_bytes());
    check_table("x.csv", b"text,\t\t\nte\n,\x05\n\xFF\n");
    check_warc("x.warc", b"WARC/1.0\r\nContent-Length: 18446744073709551615\r\n\r\nx");
    check_lines("x.jsonl", b"\xFF\xFE{}\n", None);
    check_pairs("p.jsonl", b"{\"a\":\"\xFF\"}");
    check_pairs("p.csv", b"a\x01,b,similarity\nx,y,1\n");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_lines(changes in changes()) {
        check_lines("x.jsonl", &changed(JSON, &changes), None);
    }

    #[test]
    fn tables(changes in changes()) {
        check_table("x.csv", &changed(CSV, &changes));
        let tsv: Vec<u8> = CSV.iter().map(|&byte| if byte == b',' { b'\t' } else { byte }).collect();
        check_table("x.tsv", &changed(&tsv, &changes));
    }

    #[test]
    fn warc_files(changes in changes()) {
        check_warc("x.warc", &changed(&warc(), &changes));
    }

    #[test]
    fn pages_and_texts(changes in changes()) {
        check_text("x.html", &changed(PAGE, &changes));
        check_text("x.txt", &changed(UTF16, &changes));
        check_text("x.md", &changed(ITEMS, &changes));
    }

    #[test]
    fn items(changes in changes()) {
        check_lines("x.txt", &changed(ITEMS, &changes), Some(ItemSeparator::Blanks));
        check_lines("x.txt", &changed(ITEMS, &changes), Some(ItemSeparator::Character(',')));
        check_lines("x.jsonl", &changed(JSON, &changes), Some(ItemSeparator::Character(',')));
    }

    #[test]
    fn packed_files(changes in changes()) {
        check_lines("x.jsonl.gz", &changed(&gzip(JSON), &changes), None);
        check_lines("x.jsonl", &gzip(&changed(JSON, &changes)), None);
        check_table("x.csv.gz", &changed(&gzip(CSV), &changes));
        check_warc("x.warc.gz", &changed(&gzip(&warc()), &changes));
        check_text("x.txt.gz", &changed(&gzip(ITEMS), &changes));
    }

    #[test]
    fn files_of_columns(changes in changes()) {
        check_columns("x.parquet", &changed(&parquet(Codec::UNCOMPRESSED, Values::Plain), &changes));
        check_columns("x", &changed(&parquet(Codec::SNAPPY, Values::InDictionary), &changes));
        check_columns("x.arrow", &changed(&arrow_file(None), &changes));
        check_columns("x.feather", &changed(&arrow_file(Some(CompressionType::LZ4_FRAME)), &changes));
        check_columns("x", &changed(&arrow_stream(), &changes));
    }

    #[test]
    fn saved_pairs(changes in changes()) {
        check_pairs("p.jsonl", &changed(PAIRS, &changes));
        check_pairs("p.csv", &changed(PAIR_ROWS, &changes));
    }
}
