use super::*;
use crate::base::Span;
use crate::read::context::BLOCK_BYTES;
use crate::sources::discover;
use crate::testing::{file_with, folder_with};
use std::io::Write;
use std::path::PathBuf;

fn read_all(paths: &[PathBuf]) -> (Vec<(String, String, Span)>, Vec<String>) {
    let found = discover(paths).unwrap();
    let mut documents = Vec::new();
    let mut bad = Vec::new();
    let names = FieldNames::default();
    for block in Blocks::new(&found.sources, &names, None) {
        block.unwrap().for_each_document(&names, |document| match document {
            Ok(document) => {
                documents.push((document.id.into_owned(), document.content.stored().into_owned(), document.span))
            }
            Err(record) => bad.push(record.to_string()),
        });
    }
    (documents, bad)
}

#[test]
fn records_of_any_length_come_whole_and_in_order() {
    let long = "w ".repeat(BLOCK_BYTES + 17);
    let texts = ["a", long.as_str(), "", "b", "c"];
    let lines = texts.map(|text| format!("{{\"text\":\"{text}\"}}"));
    let content = format!("\u{feff}{}\r\n{}\n\n{}\n  \n{}\n{}", lines[0], lines[1], lines[2], lines[3], lines[4]);
    let (_folder, path) = file_with("x.jsonl", &content);
    let (documents, bad) = read_all(std::slice::from_ref(&path));
    assert!(bad.is_empty());
    assert!(documents.iter().map(|(_, text, _)| text.as_str()).eq(texts));
    let ids: Vec<String> = [1, 2, 4, 6, 7].map(|line| format!("x.jsonl:{line}")).into();
    assert!(documents.iter().map(|(id, _, _)| id).eq(&ids));
    for ((_, _, span), line) in documents.iter().zip(&lines) {
        let record = &content[span.offset as usize..(span.offset + span.length) as usize];
        assert_eq!(record.trim_ascii(), line);
    }
}

#[test]
fn many_blocks_keep_count_of_the_lines() {
    let mut content: String = (0..100_000).map(|id| format!("{{\"id\":{id},\"text\":\"some words\"}}\n")).collect();
    content.push_str("oops\n");
    let (_folder, path) = file_with("x.jsonl", &content);
    let (documents, bad) = read_all(std::slice::from_ref(&path));
    assert_eq!(documents.len(), 100_000);
    assert_eq!(bad, [format!("{}:100001: not JSON: expected value at column 1", path.display())]);
}

#[test]
fn each_file_of_a_folder_is_a_document() {
    let folder = folder_with([("a.txt", &b"one"[..]), ("b.txt", b""), ("c.txt", b"\xFF"), ("sub/d", b"four")]);
    let (documents, bad) = read_all(&[folder.path().to_owned()]);
    let ids: Vec<&str> = documents.iter().map(|(id, _, _)| id.as_str()).collect();
    assert_eq!(ids, ["a.txt", "b.txt", "sub/d"]);
    assert_eq!(bad, [format!("{}: not UTF-8 (byte 1 of the record)", folder.path().join("c.txt").display())]);
}

#[test]
fn compressed_files_fill_a_block_by_their_decompressed_size() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(" ".repeat(BLOCK_BYTES / 2).as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    let packed_bytes = packed.len() as u64;
    let folder = folder_with((0..7).map(|number| (format!("{number}.txt.gz"), &packed)));
    let found = discover(&[folder.path().to_owned()]).unwrap();
    let names = FieldNames::default();
    let blocks: Vec<Block> = Blocks::new(&found.sources, &names, None).map(Result::unwrap).collect();
    let sizes: Vec<u64> = blocks.iter().map(Block::bytes).collect();
    let full = BLOCK_BYTES as u64;
    assert_eq!(sizes, [full, full, full, full / 2]);
    let input: Vec<u64> = blocks.iter().map(|block| block.input_bytes / packed_bytes).collect();
    assert_eq!(input, [2, 2, 2, 1], "progress counts what lies on the disk");
}

#[test]
fn blank_lines_are_counted_however_many_they_are() {
    for blank in ["\n", "\r\n", " \t\n", "\u{c}\n  \n"] {
        let count = 2 * BLOCK_BYTES / blank.len() + 3;
        let lines = count * blank.matches('\n').count();
        let gap = blank.repeat(count);
        let content = format!("{gap}{{\"text\":\"a\"}}\n{gap} {{\"text\":\"b\"}}\n{gap} ");
        let (_folder, path) = file_with("x.jsonl", content);
        let (documents, bad) = read_all(&[path]);
        assert!(bad.is_empty());
        let ids: Vec<String> = [lines + 1, 2 * lines + 2].map(|line| format!("x.jsonl:{line}")).into();
        assert!(documents.iter().map(|(id, ..)| id).eq(&ids), "{blank:?}");
        let starts: Vec<usize> = documents.iter().map(|(.., span)| span.offset as usize).collect();
        assert_eq!(starts, [gap.len(), 2 * gap.len() + "{\"text\":\"a\"}\n".len()]);
    }
}
