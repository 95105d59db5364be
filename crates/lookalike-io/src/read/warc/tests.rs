use super::kept_records;
use crate::read::Blocks;
use crate::sources::{Discovered, FieldNames, discover};
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::{ProptestConfig, any, prop, proptest};
use std::io::Write;
use tempfile::TempDir;

/// A record of a WARC file.
fn record(kind: &str, target: &str, content_type: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let length = body.as_ref().len();
    let target = if target.is_empty() { String::new() } else { format!("WARC-Target-URI: {target}\r\n") };
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\n{target}WARC-Record-ID: <urn:{kind}:{target:.30}>\r\n\
         Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.replace("\r\n>", ">").as_bytes(), body.as_ref(), b"\r\n\r\n"].concat()
}

fn response(target: &str, head: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let http = [b"HTTP/1.1 ", head.as_bytes(), b"\r\n\r\n", body.as_ref()].concat();
    record("response", target, "application/http; msgtype=response", http)
}

fn wet(target: &str, text: &str) -> Vec<u8> {
    record("conversion", target, "text/plain", text)
}

fn found(content: &[u8]) -> (TempDir, Discovered) {
    let (folder, path) = crate::testing::file_with("x.warc", content);
    let found = discover(&[path]).unwrap();
    (folder, found)
}

/// Ids and texts, and bad records as number and reason.
fn read(content: &[u8], limit: impl Into<Option<u64>>) -> (Vec<(String, String)>, Vec<String>) {
    let (_folder, found) = found(content);
    let names = FieldNames::default();
    let mut documents = Vec::new();
    let mut bad = Vec::new();
    for block in Blocks::new(&found.sources, &names, limit.into()) {
        block.unwrap().for_each_document(&names, |document| match document {
            Ok(document) => {
                let bytes = &content[document.span.offset as usize..][..document.span.length as usize];
                assert!(bytes.starts_with(b"WARC/1.") && bytes.ends_with(b"\n"), "{document:?}");
                let text = document.content.stored().into_owned();
                let words: Vec<&str> = text.split_whitespace().collect();
                documents.push((document.id.into_owned(), words.join(" ")));
            }
            Err(record) => bad.push(format!("{}: {}", record.place.line_number().unwrap(), record.problem)),
        });
    }
    (documents, bad)
}

fn texts(records: &[Vec<u8>]) -> Vec<String> {
    let (documents, bad) = read(&records.concat(), None);
    assert_eq!(bad, [""; 0]);
    documents.into_iter().map(|(_, text)| text).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn chunked(bytes: &[u8]) -> Vec<u8> {
    let chunks =
        bytes.chunks(7).flat_map(|chunk| [format!("{:X};x=y\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
    chunks.chain(b"0\r\n\r\n".iter().copied()).collect()
}

#[test]
fn texts_and_successful_pages_are_documents_and_nothing_else_is() {
    let records = [
        record("warcinfo", "", "application/warc-fields", "software: x\r\n"),
        record("request", "http://a/", "application/http; msgtype=request", "GET / HTTP/1.1\r\n\r\n"),
        response("http://a/", "200 OK\r\nContent-Type: text/html; charset=iso-8859-1", b"<p>caf\xE9 <b>b</b>ar"),
        record("metadata", "http://a/", "application/warc-fields", "x: y\r\n"),
        response("http://b/", "404 Not Found\r\nContent-Type: text/html", "<p>no"),
        response("http://c/", "200 OK\r\nContent-Type: image/png", b"\x89PNG"),
        response("http://d/", "301 Moved\r\nLocation: /x", ""),
        record("response", "dns:a", "text/dns", "20260101 a 1.2.3.4"),
        response("<http://e/>", "206 Partial\r\ncontent-type : TEXT/PLAIN", "plain <b>"),
        record("resource", "http://f/", "text/html", "<title>f</title>"),
        record("resource", "http://g/", "application/pdf", "%PDF"),
        wet("http://h/", "caf\u{e9}\r\n\r\nWARC is a word\r\nWARC/1.0 too"),
        record("revisit", "http://h/", "application/http", "HTTP/1.1 200 OK\r\n\r\n"),
        response("", "200 OK\r\nContent-Type: application/xhtml+xml", ""),
    ];
    let (documents, bad) = read(&records.concat(), None);
    assert_eq!(bad, [""; 0]);
    let shown: Vec<(&str, &str)> = documents.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    let last = shown[4].0;
    assert!(last.ends_with("x.warc:14"), "{last}");
    assert_eq!(
        shown,
        [
            ("http://a/", "caf\u{e9} bar"),
            ("http://e/", "plain <b>"),
            ("http://f/", "f"),
            ("http://h/", "caf\u{e9} WARC is a word WARC/1.0 too"),
            (last, "")
        ]
    );
}

#[test]
fn later_versions_and_guessed_types_are_understood() {
    let later = b"HTTP/2 200\r\ncontent-type: text/html\r\n\r\n<p>later";
    let untyped = String::from_utf8(response("http://b/", "200 OK\r\nX: y", "<p>guessed")).unwrap();
    let guessed = untyped.replace("Content-Type", "WARC-Identified-Payload-Type: text/html\r\nContent-Type");
    let records =
        [record("response", "http://a/", "application/http", later), guessed.into_bytes(), untyped.into_bytes()];
    assert_eq!(texts(&records), ["later", "guessed"]);
}

#[test]
fn codings_are_undone_where_they_are_there() {
    let page = b"<p>one two three four five";
    let zlib = |bytes: &[u8]| {
        let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let deflate = |bytes: &[u8]| {
        let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = zstd::encode_all(&page[..], 1).unwrap();
    let cases: [(&str, Vec<u8>); 10] = [
        ("Content-Encoding: gzip", gzip(page)),
        ("Content-Encoding: GZIP", page.to_vec()),
        ("Content-Encoding: deflate", zlib(page)),
        ("Content-Encoding: deflate", deflate(page)),
        ("Content-Encoding: deflate", page.to_vec()),
        ("Content-Encoding: zstd", zstd),
        ("Content-Encoding: br", page.to_vec()),
        ("Transfer-Encoding: chunked", chunked(page)),
        ("Transfer-Encoding: chunked", page.to_vec()),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip", chunked(&gzip(page))),
    ];
    for (header, body) in cases {
        let head = format!("200 OK\r\nContent-Type: text/html\r\n{header}");
        assert_eq!(texts(&[response("http://a/", &head, body)]), ["one two three four five"], "{header}");
    }
    let cut = gzip(page);
    let whole = chunked(page);
    for (header, body) in [
        ("Content-Encoding: gzip", &cut[..cut.len() - 3]),
        ("Content-Encoding: br", &b"\x8B\x0C\x80\xE9"[..]),
        ("Transfer-Encoding: chunked", &whole[..20]),
    ] {
        let head = format!("200 OK\r\nContent-Type: text/html\r\n{header}");
        let (documents, bad) = read(&response("http://a/", &head, body), None);
        assert!(documents.is_empty() && bad[0].contains("cannot be undone"), "{header}: {bad:?}");
    }
    let bomb =
        response("http://a/", "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip", gzip(&[b' '; 100_000]));
    assert_eq!(read(&bomb, 2000).1, ["1: longer than 2,000 bytes"]);
}

#[test]
fn broken_records_are_named_and_the_next_ones_are_found() {
    let a = wet("http://a/", "one");
    let b = wet("http://b/", "two");
    let with_length = |length: &str| String::from_utf8(wet("http://x/", "lost")).unwrap().replace("Length: 4", length);
    let ends = "its body does not end where its Content-Length says";
    for (broken, reason) in [
        (with_length("Other: 4"), "its header has no Content-Length"),
        (with_length("Length: four"), "its header has no Content-Length"),
        (with_length("Length: 3"), ends),
        (with_length("Length: 40"), ends),
        (with_length("Length: 5000"), "it is cut: its body is shorter than its Content-Length"),
        (with_length("Length: 99999999999999"), ends),
        ("rubbish\r\nmore\r\n\r\n".to_owned(), "no header of a record"),
        ("WARC/1.0\r\nWARC-Type: response\r\n".to_owned(), "no header of a record"),
    ] {
        let (documents, bad) = read(&[&a, broken.as_bytes(), &b].concat(), 10_000);
        let ids: Vec<&str> = documents.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["http://a/", "http://b/"], "{broken}");
        assert_eq!(bad, [format!("2: not a WARC record: {reason}")], "{broken}");
    }
    let cut = [&a[..], &b[..b.len() - 6]].concat();
    let (documents, bad) = read(&cut, None);
    assert_eq!(documents.len(), 1);
    assert_eq!(bad, ["2: not a WARC record: it is cut: its body is shorter than its Content-Length"]);
    let http = record("response", "http://a/", "application/http", "no HTTP");
    assert_eq!(read(&http, None).1.len(), 1);
    assert!(read(b"", None).0.is_empty());
}

#[test]
fn long_bodies_are_passed_over_and_only_documents_among_them_are_bad() {
    let long = "x ".repeat(1_500_000);
    let records = [
        wet("http://a/", "one"),
        wet("http://long/", &long),
        response("http://image/", "200 OK\r\nContent-Type: image/png", &long),
        response("http://page/", "200 OK\r\nContent-Type: text/html", &long),
        wet("http://b/", "two"),
    ];
    let (documents, bad) = read(&records.concat(), 1000);
    assert_eq!(documents.len(), 2);
    assert_eq!(bad, [2, 4].map(|number| format!("{number}: longer than 1,000 bytes")));
    assert_eq!(texts(&records).len(), 4);
}

#[test]
fn what_belongs_to_a_page_goes_and_stays_with_it() {
    let page = |target: &str| response(target, "200 OK\r\nContent-Type: text/html", "<p>x");
    let about = |kind: &str, target: &str| record(kind, target, "application/warc-fields", "x: y\r\n");
    let long_image = response("http://i/", "200 OK\r\nContent-Type: image/png", "x".repeat(100_000));
    let records = [
        (about("warcinfo", ""), true),
        (about("request", "http://gone/"), false),
        (page("http://gone/"), false),
        (about("metadata", "http://gone/"), false),
        (about("request", "http://stays/"), true),
        (page("http://stays/"), true),
        (about("metadata", "http://gone/"), true),
        (about("request", "http://i/"), true),
        (long_image, true),
        (about("request", "http://bad/"), false),
        (response("http://bad/", "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip", "\x1F\u{8b}"), true),
        (about("revisit", "http://gone/"), true),
    ];
    let content: Vec<u8> = records.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
    let (_folder, found) = found(&content);
    let offset_of = |target: &str| {
        let place = records.iter().position(|(bytes, _)| *bytes == page(target)).unwrap();
        records[..place].iter().map(|(bytes, _)| bytes.len() as u64).sum::<u64>()
    };
    let gone = offset_of("http://gone/");
    let stays = offset_of("http://stays/");
    let decide = |offset| if offset == gone { Some(false) } else { (offset == stays).then_some(true) };
    let kept = kept_records(&found.sources[0], &FieldNames::default(), Some(5000), decide).unwrap();
    let mut expected = Vec::new();
    let mut offset = 0;
    for (bytes, stays) in &records {
        if *stays && !bytes.windows(10).any(|window| window == b"http://bad") {
            expected.push(offset);
        }
        offset += bytes.len() as u64;
    }
    assert_eq!(kept.iter().map(|span| span.offset).collect::<Vec<_>>(), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_damage_makes_the_reader_fail(
        changes in prop::collection::vec((any::<u16>(), any::<u8>()), 0..6),
        cut in any::<u16>(),
        limit in 0u64..400,
    ) {
        let head = "200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked";
        let mut content = [
            wet("http://a/", "one two three"),
            response("http://b/", head, chunked(&gzip(b"<p>x"))),
            wet("http://c/", "one two three"),
        ]
        .concat();
        for (at, byte) in changes {
            let at = at as usize % content.len();
            content[at] = byte;
        }
        content.truncate(content.len() - cut as usize % content.len() / 2);
        let (_folder, found) = found(&content);
        let names = FieldNames::default();
        let mut count = 0;
        for block in Blocks::new(&found.sources, &names, limit.into()) {
            block.unwrap().for_each_document(&names, |_| count += 1);
        }
        assert!(count < 100);
        kept_records(&found.sources[0], &names, Some(limit), |_| None).unwrap();
    }
}
