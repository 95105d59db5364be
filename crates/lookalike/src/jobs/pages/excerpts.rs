//! Texts of documents, and parts of them by their places, read once more.

use super::texts::first_bytes;
use crate::corpus::{Records, TextsAgain};
use crate::ground::Result;
use crate::html::shown_part;
use crate::job::Job;
use crate::run::Session;
use lookalike_core::DocId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Bytes of a text that are shown: fifty of them fit into the smallest budget.
const MAX_SHOWN_BYTES: usize = 1 << 19;

/// What of which documents is wanted.
#[derive(Default)]
pub(super) struct Wanted {
    documents: BTreeMap<DocId, WantedParts>,
}

#[derive(Default)]
struct WantedParts {
    whole: bool,
    /// Begin and end of each.
    parts: BTreeSet<(usize, usize)>,
}

/// The texts that were wanted.
#[derive(Default)]
pub(super) struct Excerpts {
    /// The beginning of each text, and the number of bytes behind it.
    whole: BTreeMap<DocId, (String, usize)>,
    parts: BTreeMap<(DocId, usize, usize), String>,
}

impl Wanted {
    /// The text of a document.
    pub(super) fn add_whole(&mut self, document: DocId) {
        self.documents.entry(document).or_default().whole = true;
    }

    /// Some bytes of the text of a document.
    pub(super) fn add(&mut self, document: DocId, part: Range<usize>) {
        self.documents.entry(document).or_default().parts.insert((part.start, part.end));
    }

    /// Reads what is wanted, as a stage.
    pub(super) fn read(self, job: &Job, records: &Records, session: &Session<'_>) -> Result<Excerpts> {
        // Of the documents of snapshots there are no texts.
        let has_text = |document: &DocId| !records.sources[records.place(*document).source as usize].is_stored();
        let wanted: Vec<DocId> = self.documents.keys().copied().filter(has_text).collect();
        let stage = "reading for the report";
        let again = TextsAgain { stage, records, inputs: &job.inputs, features: &job.features, wanted: &wanted };
        let mut read = Excerpts::default();
        again.for_each(
            session,
            || job.features.tokenizer(session.kernel()),
            |tokenizer, document, text| {
                let visible = tokenizer.visible_text(text.text()?);
                let wanted = self.documents.get(&document).map(|wanted| {
                    let begin = first_bytes(&visible, MAX_SHOWN_BYTES);
                    let whole = wanted.whole.then(|| (begin.to_owned(), visible.len() - begin.len()));
                    let part = |&(start, end): &(usize, usize)| {
                        ((start, end), shown_part(visible.get(start..end).unwrap_or_default()))
                    };
                    (whole, wanted.parts.iter().map(part).collect::<Vec<_>>())
                });
                Ok(wanted)
            },
            |document, found| {
                let Some((whole, parts)) = found else { return Ok(()) };
                read.whole.extend(whole.map(|text| (document, text)));
                read.parts.extend(parts.into_iter().map(|((start, end), text)| ((document, start, end), text)));
                Ok(())
            },
        )?;
        Ok(read)
    }
}

impl Excerpts {
    /// The text of a document, or its beginning and the number of bytes that are left out.
    pub(super) fn whole(&self, document: DocId) -> (&str, usize) {
        self.whole.get(&document).map_or(("", 0), |(text, rest)| (text, *rest))
    }

    /// The beginning of a part of a text.
    pub(super) fn part(&self, document: DocId, part: Range<usize>) -> String {
        self.parts.get(&(document, part.start, part.end)).cloned().unwrap_or_default()
    }
}
