//! The texts of some documents, read once more, by all threads and in the order of the documents.

use crate::base::{Result, Stage};
use crate::corpus::records::{RecordPlace, Records};
use crate::run::Session;
use crate::spill::Share;
use crate::threads::{Gate, Passed, ordered_map};
use lookalike_core::DocId;
use lookalike_core::comparison::Features;
use lookalike_core::documents::Content;
use lookalike_io::{Block, Blocks, Inputs, Source, sources::FieldNames};
use std::ops::Range;

/// A block, unpacked, with its texts.
const BYTES_PER_BLOCK: usize = 3 << 18;

/// Documents whose texts are read once more, and how they were read.
#[derive(Clone, Copy)]
pub(crate) struct TextsAgain<'a> {
    /// The name of the stage in which they are read.
    pub(crate) stage: &'static str,
    pub(crate) records: &'a Records,
    pub(crate) inputs: &'a Inputs,
    pub(crate) features: &'a Features,
    /// Ascending.
    pub(crate) wanted: &'a [DocId],
}

impl TextsAgain<'_> {
    /// The stage in which texts are read.
    pub(crate) fn stage(&self) -> Stage {
        Stage::over_bytes(self.stage, self.records.sources[self.sources()].iter().map(Source::bytes).sum())
    }

    /// [`Self::read`], as a stage.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn for_each<S, T: Send>(
        &self,
        session: &Session<'_>,
        new: impl Fn() -> S + Sync,
        look: impl Fn(&mut S, DocId, &Content<'_>) -> Result<T> + Sync,
        take: impl FnMut(DocId, T) -> Result<()> + Send,
    ) -> Result<()> {
        session.stage(self.stage(), || self.read(session, new, look, take))
    }

    /// Calls `look` with what is compared of each document, on any thread, and `take` with what it returns, document by
    /// document.
    ///
    /// # Errors
    /// Those of `look` and `take`; if an input cannot be read, or has changed since it was read first; if the job is
    /// cancelled.
    pub(crate) fn read<S, T: Send>(
        &self,
        session: &Session<'_>,
        new: impl Fn() -> S + Sync,
        look: impl Fn(&mut S, DocId, &Content<'_>) -> Result<T> + Sync,
        mut take: impl FnMut(DocId, T) -> Result<()> + Send,
    ) -> Result<()> {
        let Self { records, inputs, features, wanted, .. } = *self;
        let range = self.sources();
        let sources = &records.sources[range.clone()];
        let fields = inputs.fields_compared(features);
        let blocks = Blocks::new(sources, &fields, inputs.max_document_bytes).of_texts();
        // What was left out when it was read first is so again.
        let blocks = blocks.on_bad_file(inputs.on_error);
        let gate = Gate::new(session.spill.budget().share(Share::InFlight) as u64);
        let blocks = gate.items(blocks, |block| block.as_ref().map_or(0, Block::bytes));
        let work = |state: &mut S, passed: Passed<'_, lookalike_io::Result<Block>>| {
            session.stages.check()?;
            let Passed { item: block, pass: _pass } = passed;
            let mut block = block?;
            let mut looked = Ok(Vec::new());
            block.source += range.start;
            each_wanted(records, &block, &fields, wanted, |document, content| {
                if let Ok(found) = &mut looked {
                    match look(state, document, &content) {
                        Ok(one) => found.push((document, one)),
                        Err(error) => looked = Err(error),
                    }
                }
            });
            Result::Ok((looked?, block.input_bytes))
        };
        let mut left = wanted.iter();
        let mut missing = None;
        let consume = |looked: Result<(Vec<(DocId, T)>, u64)>| {
            let (looked, input_bytes) = looked?;
            for (document, one) in looked {
                missing = missing.or(left.next().copied().filter(|&next| next != document));
                take(document, one)?;
            }
            session.stages.progress.advance(input_bytes);
            Result::Ok(())
        };
        ordered_map(blocks, session.pace_for(BYTES_PER_BLOCK), new, work, consume)?;
        match missing.or(left.next().copied()) {
            None => Ok(()),
            Some(document) => {
                let source = records.place(document).source as usize;
                Err(lookalike_io::Error::Changed { path: records.sources[source].path.to_path_buf() }.into())
            }
        }
    }

    /// The sources that have wanted documents, and those between.
    fn sources(&self) -> Range<usize> {
        let source = |document: &DocId| self.records.place(*document).source as usize;
        match self.wanted {
            [] => 0..0,
            [only] => source(only)..source(only) + 1,
            [first, .., last] => source(first)..source(last) + 1,
        }
    }
}

/// Calls `visit` with each of the `wanted` documents, which ascend, that a block has, and what is compared.
fn each_wanted(
    records: &Records,
    block: &Block,
    fields: &FieldNames,
    wanted: &[DocId],
    mut visit: impl FnMut(DocId, Content<'_>),
) {
    let place_of = |document: &DocId| {
        let RecordPlace { source, number, .. } = records.place(*document);
        (source, number)
    };
    let mut left = None;
    block.for_each_document(fields, |document| {
        let Ok(document) = document else { return };
        let place = (block.source as u64, document.number);
        // Documents of a block ascend, as the wanted ones do: only the first is searched for.
        let left = left.get_or_insert_with(|| {
            let first = wanted.partition_point(|document| place_of(document) < place);
            wanted[first..].iter().peekable()
        });
        while left.next_if(|document| place_of(document) < place).is_some() {}
        if let Some(&wanted) = left.next_if(|document| place_of(document) == place) {
            visit(wanted, document.content.into_compared());
        }
    });
}
