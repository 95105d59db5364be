//! Texts that a program lends for the time of a reading, read where they lie by all threads.
//!
//! The short way: they have no ids but their numbers, and no place to which anybody returns.

use super::Corpus;
use super::builder::CorpusBuilder;
use super::long_sets::LongSets;
use super::shard::{Depth, Shard};
use crate::base::{Result, Stage};
use crate::run::Session;
use crate::spill::Share;
use crate::threads::{Gate, Passed, ordered_map};
use lookalike_core::DocId;
use lookalike_core::comparison::Features;
use lookalike_io::{Document, Place, Span, sources::FieldNames};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Bytes of text that a thread reads at a time.
const CHUNK_BYTES: usize = 1 << 18;
/// Texts that a thread reads at a time, however short they are.
const CHUNK_TEXTS: usize = 1 << 14;
/// A chunk with the sets that are made of it.
const BYTES_PER_CHUNK: usize = 3 << 18;

impl Corpus {
    /// A corpus of texts, which are called by their numbers from 0, read by all threads of the session.
    ///
    /// # Errors
    /// If the features do not fit each other, for too many texts, or if the job is cancelled.
    pub(crate) fn read_texts(texts: &[&str], features: &Features, session: &Session<'_>) -> Result<Self> {
        features.check()?;
        let total = texts.iter().map(|text| text.len() as u64).sum();
        session.stage(Stage::over_bytes(Stage::READING, total), || {
            let mut builder = CorpusBuilder::new(&session.spill, None, total, None)?;
            let name: Arc<Path> = Path::new("data").into();
            let long_sets = LongSets::new(session);
            let work = |extractor: &mut _, passed: Passed<'_, Range<usize>>| -> Result<Shard> {
                let Passed { item: range, pass: _pass } = passed;
                let mut shard = Shard::default();
                let fields = FieldNames::default();
                let mut depth = Depth::Sets(extractor, long_sets, None);
                for number in range {
                    let document = document_of(number, texts[number], &name);
                    shard.input_bytes += document.span.length;
                    shard.push(document, 0, &mut depth, &fields)?;
                }
                Ok(shard)
            };
            let gate = Gate::new(session.spill.budget().share(Share::InFlight) as u64);
            let bytes_of = |range: &Range<usize>| texts[range.clone()].iter().map(|text| text.len() as u64).sum();
            let chunks = gate.items(chunks(texts), bytes_of);
            let extractor = || features.extractor(session.kernel());
            ordered_map(chunks, session.pace_for(BYTES_PER_CHUNK), extractor, work, |shard: Result<Shard>| {
                append(&mut builder, &shard?, session)
            })?;
            Ok(builder.finish()?.0)
        })
    }
}

fn document_of<'t>(number: usize, text: &'t str, name: &Arc<Path>) -> Document<'t> {
    Document {
        id: number.to_string().into(),
        has_own_id: false,
        content: text.into(),
        score: None,
        more_scores: Vec::new(),
        carried: Vec::new(),
        place: Place::row(name, number as u64),
        number: number as u64 + 1,
        span: Span { offset: 0, length: text.len() as u64 },
    }
}

/// Consecutive texts, some at a time.
fn chunks<'t>(texts: &'t [&str]) -> impl Iterator<Item = Range<usize>> + Send + 't {
    let mut start = 0;
    std::iter::from_fn(move || {
        let begin = start;
        let mut bytes = 0;
        while start < texts.len() && bytes < CHUNK_BYTES && start - begin < CHUNK_TEXTS {
            bytes += texts[start].len();
            start += 1;
        }
        (begin < start).then_some(begin..start)
    })
}

fn append(builder: &mut CorpusBuilder<'_>, shard: &Shard, session: &Session<'_>) -> Result<()> {
    session.stages.check()?;
    session.stages.progress.advance(shard.input_bytes);
    builder.counts.tokens += shard.tokens;
    builder.counts.short.inputs += shard.short;
    builder.counts.without_id += shard.without_id;
    for document in DocId::all(shard.len()) {
        // Numbers are not met twice.
        let id = shard.ids.get(document);
        let place = builder.place_of_id(id);
        builder.append(shard, document, id, place)?;
    }
    shard.for_each_sets(|sets| builder.append_sets(sets))?;
    session.spill.note_documents(builder.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{session_with, texts};

    #[test]
    fn all_threads_and_budgets_make_the_corpus_of_one_thread() {
        let owned = texts(7, 5000);
        let long = "a b c d e f g h i j ".repeat(60_000);
        let all: Vec<&str> = owned.iter().map(|(_, text)| text.as_str()).chain(["", &long, ""]).collect();
        let features = Features::default();
        let numbers: Vec<String> = (0..all.len()).map(|number| number.to_string()).collect();
        let expected = Corpus::from_texts(&features, numbers.iter().map(String::as_str).zip(all.iter().copied()));
        let expected = expected.unwrap();
        for (threads, memory) in [(1, 1 << 30), (3, 1 << 30), (2, 64 << 20)] {
            let found = Corpus::read_texts(&all, &features, &session_with(threads, memory)).unwrap();
            assert_eq!(found.len(), expected.len());
            assert!(found.listing.ids.iter().eq(expected.listing.ids.iter()));
            for document in found.documents() {
                assert_eq!(*found.sets.get(document), *expected.sets.get(document));
                assert_eq!(found.listing.characters(document), expected.listing.characters(document));
                assert_eq!(found.text_hash(document), expected.text_hash(document));
            }
            assert_eq!((found.tokens, found.empty), (expected.tokens, expected.empty));
        }
    }
}
