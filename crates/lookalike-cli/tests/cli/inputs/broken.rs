//! Broken files of each format, made here, and what becomes of them: what can be read is kept on request and nothing
//! else is lost; what cannot is named with file, line and reason; without the request there is no output at all.

use crate::common::{Sandbox, gzip, record, words};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// A file, and what is expected of it.
struct Broken {
    name: &'static str,
    content: Vec<u8>,
    /// Output of `--on-error skip`.
    kept: Vec<u8>,
    /// Messages about its records, without the name of the file.
    bad: Vec<String>,
}

impl Broken {
    fn new(name: &'static str, content: impl Into<Vec<u8>>, kept: impl Into<Vec<u8>>, bad: &[&str]) -> Self {
        let bad = bad.iter().map(|message| (*message).to_owned()).collect();
        Self { name, content: content.into(), kept: kept.into(), bad }
    }

    /// Runs both ways of treating bad records.
    fn check(&self) {
        let Self { name, content, kept, bad } = self;
        let sandbox = Sandbox::with(name, content);
        let shown = format!("{name} {}", String::from_utf8_lossy(&content[..content.len().min(200)]));
        let arguments = format!("dedup {name} -o out --max-document 1MiB");
        if let Some(first) = bad.first() {
            let words = sandbox.refuse_in_a_line(&arguments);
            let skip = "--on-error skip leaves such records out)";
            // A step that the message names itself stands in the same parentheses.
            let expected = match first.rsplit_once(" (--") {
                Some((reason, step)) => format!("{reason} (--{}; {skip}", step.trim_end_matches(')')),
                None => format!("{first} ({skip}"),
            };
            assert_eq!(words, format!("{name}:{expected}"), "{shown}");
        }
        let run = sandbox.run(&format!("{arguments} --on-error skip"));
        let begin = format!("lookalike: left out {name}:");
        let told: Vec<&str> = run.stderr.lines().filter_map(|line| line.strip_prefix(&begin)).collect();
        assert_eq!(told, *bad, "{shown}");
        if run.stderr.contains("no record of the inputs can be read") {
            let has_records = kept.iter().filter(|&&byte| byte == b'\n').count() > usize::from(name.contains("sv"));
            assert!(run.code == Some(2) && !has_records, "{shown}: {}", run.stderr);
            assert!(!sandbox.path("out").exists(), "{shown}");
            return;
        }
        assert_eq!(run.code, Some(0), "{shown}");
        assert_eq!(String::from_utf8_lossy(&sandbox.bytes("out")), String::from_utf8_lossy(kept), "{shown}");
    }
}

fn good(number: usize) -> String {
    record(&format!("good{number}"), &words(number * 20..number * 20 + 9))
}

#[test]
fn tables() {
    let wide = format!("1,one\n{}\n2,two\n", ["x"; 10_000].join(","));
    let cut = gzip(b"id\ttext\n1\tx\n")[..20].to_vec();
    let cases: [(&str, Vec<u8>, &str, &[&str]); 6] = [
        (
            "in.csv",
            b"id,text\n1,one\n2,\"two\n3,three\n".to_vec(),
            "id,text\n1,one\n",
            &["3: a quote is opened in this row and never closed: the rest of the file cannot be read \
               (--quote none takes quotation marks for characters)"],
        ),
        (
            "in.csv",
            ("id,text\n".to_owned() + &wide).into(),
            "id,text\n1,one\n2,two\n",
            &["3: 10000 instead of 2 fields"],
        ),
        ("in.csv", b"id,text\n1,a\0b\n2,\0\n".to_vec(), "id,text\n1,a\0b\n2,\0\n", &[]),
        (
            "in.csv",
            b"id,text\n1,one\n2,caf\xE9\n3\n4,\"x\"y\n".to_vec(),
            "id,text\n1,one\n",
            &[
                "3: not UTF-8 (byte 6 of the record) (--encoding names another encoding)",
                "4: 1 instead of 2 fields",
                "5: text stands behind the closing quote of field 2 \
                 (--quote none takes quotation marks for characters)",
            ],
        ),
        (
            "in.tsv",
            b"id\ttext\r1\tone\r2\rtext\r3\tthree".to_vec(),
            "id\ttext\r1\tone\r3\tthree",
            &["3: 1 instead of 2 fields", "4: 1 instead of 2 fields"],
        ),
        ("in.tsv.gz", cut, "id\ttext\n", &["2: cannot be unpacked behind byte 9: incomplete deflate stream"]),
    ];
    for (name, content, kept, bad) in cases {
        Broken::new(name, content, kept, bad).check();
    }
}

/// A text in a WARC file with a length that may be wrong.
fn text(number: usize, length: &str, body: &str) -> String {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a/{number}\r\nContent-Type: text/plain\r\n"
    );
    format!("{header}{length}\r\n{body}\r\n\r\n")
}

fn good_text(number: usize) -> String {
    let body = words(number * 20..number * 20 + 9);
    text(number, &format!("Content-Length: {}\r\n", body.len()), &body)
}

#[test]
fn warc_files() {
    let both = good_text(1) + &good_text(2);
    let wrong_length = "not a WARC record: its body does not end where its Content-Length says";
    let no_length = "not a WARC record: its header has no Content-Length";
    let cases = [
        ("Content-Length: 3\r\n", wrong_length),
        ("Content-Length: 16\r\n", wrong_length),
        ("Content-Length: 99999999\r\n", wrong_length),
        ("Content-Length: 18446744073709551615\r\n", wrong_length),
        ("Content-Length: -1\r\n", no_length),
        ("Content-Length: ten\r\n", no_length),
        ("", no_length),
    ];
    for (length, message) in cases {
        let content = good_text(1) + &text(3, length, "some words") + &good_text(2);
        Broken::new("in.warc", content.clone(), both.clone(), &[&format!("2: {message}")]).check();
        Broken::new("in.warc.gz", gzip(content.as_bytes()), both.clone(), &[&format!("2: {message}")]).check();
    }
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n<p>cut";
    let cut = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n{chunked}\r\n\r\n", chunked.len());
    Broken::new(
        "in.warc",
        good_text(1) + &cut + &good_text(2),
        both.clone(),
        &["2: not an HTTP response: its coding `chunked` cannot be undone"],
    )
    .check();
    let members = [gzip(good_text(1).as_bytes()), gzip(good_text(2).as_bytes())].concat();
    Broken::new(
        "in.warc.gz",
        &members[..members.len() - 20],
        good_text(1),
        &["2: cannot be unpacked behind byte 278: incomplete deflate stream"],
    )
    .check();
}

#[test]
fn packed_files() {
    let content: String = (0..40).map(good).collect();
    let sandbox = Sandbox::with("in.jsonl", &content);
    let lines = |count| content.split_inclusive('\n').take(count).collect::<String>();
    let cases = [
        // Name, whole lines before a cut, what is said of it, then of a changed byte and of more bytes at the end.
        (
            "in.jsonl.gz",
            25,
            "26: cannot be unpacked behind byte 1731: incomplete deflate stream",
            "",
            "unexpected end of file",
        ),
        (
            "in.jsonl.zst",
            0,
            "1: cannot be unpacked behind byte 0: incomplete frame",
            "Restored data doesn't match checksum",
            "Unknown frame descriptor",
        ),
        (
            "in.jsonl.bz2",
            0,
            "1: cannot be unpacked behind byte 0: decompression not finished but EOF reached",
            "bzip2: invalid data",
            "bzip2: bz2 header missing",
        ),
        (
            "in.jsonl.xz",
            20,
            "21: cannot be unpacked behind byte 1397: premature eof",
            "lzma data error",
            "premature eof",
        ),
    ];
    for (name, before_cut, cut, flip, garbage) in cases {
        sandbox.succeed(&format!("dedup in.jsonl -o {name}"));
        let whole = sandbox.bytes(name);
        Broken::new(name, &whole[..whole.len() * 2 / 3], lines(before_cut), &[cut]).check();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 0x10;
        if !flip.is_empty() {
            Broken::new(name, flipped, "", &[&format!("1: cannot be unpacked behind byte 0: {flip}")]).check();
        }
        let told = format!("41: cannot be unpacked behind byte {}: {garbage}", content.len());
        Broken::new(name, [&whole[..], b"garbage"].concat(), content.clone(), &[&told]).check();
    }
}

/// gzip tells that a byte has changed at its end only: what came before that looks like records or not, and is not
/// hidden.
#[test]
fn a_changed_byte_in_gzip_is_told_behind_the_records() {
    let content: String = (0..40).map(good).collect();
    let mut packed = gzip(content.as_bytes());
    let checksum = packed.len() - 6;
    packed[checksum] ^= 1;
    let told = "41: cannot be unpacked behind byte 2736: corrupt gzip stream does not have a matching checksum; \
                any record before it may be altered";
    Broken::new("in.jsonl.gz", packed.clone(), content, &[told]).check();
    let middle = packed.len() / 2;
    packed[middle] ^= 0x10;
    let sandbox = Sandbox::with("in.jsonl.gz", packed);
    let run = sandbox.run("dedup in.jsonl.gz -o out --on-error skip");
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains(": cannot be unpacked behind byte "), "{}", run.stderr);
}

#[test]
fn what_is_refused_whatever_is_asked_for() {
    let utf16: Vec<u8> = "id,text\n1,x\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&str, Vec<u8>, &str); 9] = [
        ("in.jsonl.gz", good(1).into(), "in.jsonl.gz is not compressed with gzip, as its extension says"),
        ("in.jsonl.xz", gzip(good(1).as_bytes()), "in.jsonl.xz is not compressed with xz, as its extension says"),
        ("in.csv.zst", Vec::new(), "in.csv.zst is not compressed with zstd, as its extension says"),
        ("in.csv", [&b"\xFF\xFE"[..], &utf16].concat(), "in.csv:1: records in UTF-16LE cannot be read"),
        (
            "in.csv",
            utf16,
            "in.csv has no column `text`; its columns are `i\\u{0}d\\u{0}`, `\\u{0}t\\u{0}e\\u{0}x\\u{0}t\\u{0}`",
        ),
        ("in.csv", b"id,body\n1,x\n".to_vec(), "in.csv has no column `text`; its columns are `id`, `body`"),
        ("in.csv", b"text,text\n1,x\n".to_vec(), "in.csv has two columns `text`"),
        (
            "in.csv",
            b"id,\"text\n1,x\n".to_vec(),
            "in.csv:1: a quote is opened in this row and never closed: the rest of the file cannot be read \
             (--quote none takes quotation marks for characters)",
        ),
        (
            "in.tsv.gz",
            gzip(b"id\ttext\n1\tx\n")[..11].to_vec(),
            "in.tsv.gz:1: cannot be unpacked behind byte 0: incomplete deflate stream",
        ),
    ];
    for (name, content, message) in cases {
        let sandbox = Sandbox::with(name, content);
        for skip in ["", " --on-error skip"] {
            let words = sandbox.refuse_in_a_line(&format!("dedup {name} -o out{skip}"));
            let next_step = words.strip_prefix(message).unwrap_or_else(|| panic!("{words}"));
            assert!(next_step.is_empty() || next_step.starts_with("; "), "{words}");
        }
    }
    let sandbox = Sandbox::with("a/in.jsonl", good(1));
    sandbox.write("b/in.jsonl", good(1));
    sandbox.refused(
        "dedup a/*.jsonl b/in.jsonl -o out --on-error skip",
        "inputs a/in.jsonl and b/in.jsonl would both be written as ...in.jsonl; rename one, or run the job once for \
         each",
    );
}

#[test]
fn empty_files_are_files_without_records() {
    for name in ["in.jsonl", "in.csv", "in.tsv", "in.warc"] {
        Broken::new(name, "", "", &[]).check();
    }
    Broken::new("in.jsonl", "\u{feff}\n\n", "", &[]).check();
    Broken::new("in.csv", "\u{feff}id,text\r\n", "\u{feff}id,text\r\n", &[]).check();
    for name in ["in.txt", "in.html"] {
        let sandbox = Sandbox::with(name, "");
        sandbox.writes(&format!("dedup {name} -o out"), &format!("out/{name}"), "");
    }
}

/// 256 MiB of zeros, packed into as many kilobytes.
fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let piece = vec![0; 1 << 20];
    (0..256).for_each(|_| encoder.write_all(&piece).unwrap());
    encoder.finish().unwrap()
}

#[test]
fn what_unpacks_to_far_too_much_is_never_held() {
    let too_long = "longer than 1,048,576 bytes (--max-document)";
    let bomb = bomb();
    let with_header = [gzip(b"id,text\n1,one\n"), bomb.clone()].concat();
    let with_record = [gzip(good(1).as_bytes()), bomb.clone(), gzip(format!("\n{}", good(2)).as_bytes())].concat();
    for (name, content, message) in [
        ("in.jsonl.gz", with_record, format!("in.jsonl.gz:2: {too_long}")),
        ("in.csv.gz", with_header, format!("in.csv.gz:3: {too_long}")),
        ("in.warc.gz", bomb.clone(), "in.warc.gz:1: not a WARC record: no header of a record".to_owned()),
        ("in.txt.gz", bomb.clone(), format!("in.txt.gz: {too_long}")),
        ("in.html.gz", bomb.clone(), format!("in.html.gz: {too_long}")),
    ] {
        let sandbox = Sandbox::with(name, content);
        // One that can be read, so that there is an answer.
        sandbox.write("good.jsonl", good(3));
        let inputs = format!("{name} good.jsonl");
        let run = sandbox.run(&format!("dedup {inputs} -o out --max-document 1MiB --on-error skip --summary s.json"));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("left out {message}\n")), "{}", run.stderr);
        let summary = sandbox.json("s.json");
        let peak = summary["peak_bytes"].as_u64();
        assert!(peak.is_none_or(|peak| peak < 48 << 20), "{name}: {peak:?} bytes");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_are_not_followed() {
    let sandbox = Sandbox::with("in/a.txt", "one");
    std::os::unix::fs::symlink("nowhere", sandbox.path("in/link.txt")).unwrap();
    sandbox.says("dedup in -o out", "...\n1 symbolic link not followed\n...");
    sandbox.refused("dedup in/link.txt -o x", "cannot read in/link.txt: No such file or directory");
}
