//! The inputs, of any number of items.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Content of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Documents that are equal.
    Equal,
    /// Documents that differ in one word.
    OneWordApart,
    /// One document: a word again and again.
    OneWord,
    /// One document: a character again and again.
    OneCharacter,
    /// Two documents: seven words again and again.
    Periodic,
    /// Vectors that are equal.
    EqualVectors,
    /// Vectors of one dimension.
    OneDimension,
    /// Vectors in one direction.
    OneDirection,
    /// Signatures that are equal.
    EqualSignatures,
    /// Documents that have nothing in common, as queries.
    Different,
}

/// Words of a document: so many that documents that differ in one of them are near.
const WORDS: u64 = 60;

impl Shape {
    /// The name of the file of so many items.
    pub(super) fn file(self, items: u64) -> String {
        format!("{self:?}-{items}.jsonl").to_lowercase()
    }

    /// Writes the file, unless it is there; returns the bytes of its longest line.
    pub(super) fn write(self, items: u64, folder: &Path) -> Result<u64> {
        let path = folder.join(self.file(items));
        let mut file = BufWriter::new(File::create(&path).with_context(|| format!("cannot write {}", path.display()))?);
        let mut longest = 0;
        for document in 0..self.documents(items) {
            let line = format!("{{\"id\":\"{document}\",{}}}\n", self.content(document, items));
            longest = longest.max(line.len() as u64);
            file.write_all(line.as_bytes())?;
        }
        file.flush()?;
        Ok(longest)
    }

    fn documents(self, items: u64) -> u64 {
        match self {
            Self::OneWord | Self::OneCharacter => 1,
            Self::Periodic => 2,
            _ => items,
        }
    }

    fn content(self, document: u64, items: u64) -> String {
        let text = |words: String| format!("\"text\":\"{words}\"");
        let words = |first: u64, count: u64| {
            let words: Vec<String> = (first..first + count).map(|word| format!("w{word}")).collect();
            words.join(" ")
        };
        match self {
            Self::Equal => text(words(0, WORDS)),
            Self::OneWordApart => text(format!("{} u{document} {}", words(0, WORDS / 2), words(WORDS, WORDS / 2))),
            Self::OneWord => text("word ".repeat(items as usize)),
            Self::OneCharacter => text("x".repeat(items as usize)),
            Self::Periodic => text(format!("{} ", words(0, 7)).repeat(items as usize)),
            Self::EqualVectors => "\"v\":[1.5,2.5,-3.5]".to_owned(),
            Self::OneDimension => format!("\"v\":[{}]", document + 1),
            Self::OneDirection => format!("\"v\":[{},{},-{}]", document + 1, 2 * (document + 1), 3 * (document + 1)),
            Self::EqualSignatures => "\"s\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]".to_owned(),
            Self::Different => text(words(document * WORDS, WORDS)),
        }
    }
}
