//! The inputs of the cases, some six gigabytes.

use crate::run::run;
use anyhow::Result;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

const LONG_BYTES: usize = 61_000_000;
const PAGES_BYTES: usize = 500_000_000;
const FEW_BYTES: usize = 20_000_000;
const EMPTY_BYTES: usize = 1 << 30;
/// Words of a page: few documents, so that what is held of each is little beside a budget of 32 MiB.
const PAGE_WORDS: usize = 8000;

pub(super) fn write_all(folder: &Path) -> Result<()> {
    let mut words = Words(1);
    let create = |name: &str| Ok::<_, anyhow::Error>(BufWriter::new(File::create(folder.join(name))?));
    let mut long = create("long.jsonl")?;
    write_record(&mut long, 0, &words.text(|text| text.len() >= LONG_BYTES, usize::MAX))?;
    long.flush()?;
    for (name, bytes) in [("pages.jsonl", PAGES_BYTES), ("few.jsonl", FEW_BYTES)] {
        let mut file = create(name)?;
        let mut written = 0;
        let mut number = 0;
        while written < bytes {
            let text = words.text(|_| false, PAGE_WORDS);
            write_record(&mut file, number, &text)?;
            written += text.len();
            number += 1;
        }
        file.flush()?;
    }
    write_fields(create("fields.jsonl")?, 250, |_| 0..5000)?;
    write_fields(create("wide.jsonl")?, 200, |record| record * 100..record * 100 + 100)?;
    for (name, header) in [("jsonl", ""), ("csv", "id,text\n"), ("tsv", "id\ttext\n"), ("warc", ""), ("txt", "")] {
        write_repeated(create(&format!("lines.{name}"))?, header, b'\n')?;
    }
    write_repeated(create("zeros.jsonl")?, "", 0)?;
    run(Command::new("gzip").args(["-1", "-f", "zeros.jsonl"]).current_dir(folder))?;
    for name in ["zeros.warc.gz", "zeros.txt.gz"] {
        std::fs::copy(folder.join("zeros.jsonl.gz"), folder.join(name))?;
    }
    Ok(())
}

fn write_record(file: &mut impl Write, number: usize, text: &str) -> Result<()> {
    Ok(writeln!(file, "{{\"id\":\"{number}\",\"text\":\"{text}\"}}")?)
}

/// Records with the fields whose numbers `fields` gives.
fn write_fields(mut file: impl Write, records: usize, fields: impl Fn(usize) -> std::ops::Range<usize>) -> Result<()> {
    for record in 0..records {
        write!(file, "{{\"id\":\"{record}\",\"text\":\"record {record} of many\"")?;
        fields(record).try_for_each(|field| write!(file, ",\"f{field}\":{field}"))?;
        writeln!(file, "}}")?;
    }
    Ok(file.flush()?)
}

fn write_repeated(mut file: impl Write, header: &str, byte: u8) -> Result<()> {
    file.write_all(header.as_bytes())?;
    let bytes = vec![byte; 1 << 20];
    (0..EMPTY_BYTES / bytes.len()).try_for_each(|_| file.write_all(&bytes))?;
    Ok(file.flush()?)
}

/// Words by chance, the same in every run (xorshift64: Marsaglia 2003).
struct Words(u64);

impl Words {
    fn text(&mut self, is_enough: impl Fn(&str) -> bool, max_words: usize) -> String {
        let mut text = String::new();
        for _ in 0..max_words {
            if is_enough(&text) {
                break;
            }
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            // Of a vocabulary of 100,000. Writing to a string cannot fail.
            let _ = write!(text, "{:x} ", (self.0 % 100_000).wrapping_mul(2_654_435_761) % (1 << 28));
        }
        text
    }
}
