//! Documents of an input that is read as it arrives, batch by batch.
//!
//! A batch is what has arrived since the last one was worked on: one line, or some megabytes. Ids and places of all
//! documents stay, because an id that occurs again is qualified, as in a file; their sets go with the batch.

use super::read::{NAME, Reading};
use super::request::ReadRequest;
use crate::base::{Error, Result, Stage};
use crate::corpus::{Corpus, Records};
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_io::{
    Block, Blocks, Inputs,
    sources::{Arrived, Arriving, Discovered},
};

/// Blocks of a batch at most, each of a quarter of a megabyte: while it is worked on, the next one arrives.
const MAX_BLOCKS: usize = 16;

/// Reads the documents of an input that arrives. `visit` gets those of each batch with their records; what is returned
/// has the ids and records of all, and no sets.
///
/// # Errors
/// As [`super::read()`]; those of `visit`.
pub(crate) fn read_arriving(
    (found, arriving): (&Discovered, &Arriving),
    (inputs, features): (&Inputs, &Features),
    session: &Session<'_>,
    mut visit: impl FnMut(Corpus, Records) -> Result<()>,
) -> Result<(Corpus, Records)> {
    let sources = &found.sources[..];
    let fields = inputs.fields_compared(features);
    let unsaved = session.unsaved();
    let request = ReadRequest::new(inputs, Some(features), session);
    let mut reading = Reading::begin(0, sources, &fields, &unsaved, request)?;
    let mut blocks = Blocks::new(sources, &fields, inputs.max_document_bytes);
    loop {
        let arrived = arriving.wait(&|| session.stages.check().is_ok()).map_err(|error| match error {
            lookalike_io::Error::Cancelled => Error::Interrupted { is_resumable: false },
            error => error.into(),
        })?;
        let stage = Stage::over_bytes(NAME, 0);
        session.stage(stage, || reading.read_blocks(batch_of(&mut blocks, arriving, arrived), 0))?;
        let (corpus, records) = reading.builder.take_batch()?;
        visit(corpus, Records { sources: sources.to_vec(), ..records })?;
        if arrived == Arrived::End {
            break;
        }
    }
    reading.check_any()?;
    let (corpus, records) = reading.builder.finish()?;
    Ok((corpus, Records { sources: sources.to_vec(), skipped_counts: found.skipped_counts, ..records }))
}

/// The blocks that can be read without waiting.
fn batch_of<'b>(
    blocks: &'b mut Blocks<'_>,
    arriving: &'b Arriving,
    arrived: Arrived,
) -> impl Iterator<Item = lookalike_io::Result<Block>> + Send + 'b {
    let mut count = 0;
    std::iter::from_fn(move || {
        count += 1;
        let is_there = match arrived {
            Arrived::End => true,
            Arrived::Lines => count <= MAX_BLOCKS && arriving.has_lines(),
        };
        if is_there { blocks.next() } else { None }
    })
}
