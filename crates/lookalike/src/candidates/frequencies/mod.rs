//! Frequencies of elements: how many documents have each, from which exact keys are made.
//!
//! ```text
//! table fits the memory     sets --> FrequencyTable --counts looked up--> prefix
//! it does not               sets --dealt--> streams --counted one by one--> counts in files --read in order--> prefix
//! ```

mod saved;
mod streams;

pub(super) use self::saved::SavedCounts;
use self::streams::ElementStreams;
use super::chunks::DocumentChunks;
use crate::ground::Result;
use crate::run::Session;
use crate::spill::ask_for_large_pages;
use crate::threads::try_each;
use lookalike_core::DocId;
use lookalike_core::features::ElementSets;
use lookalike_core::measure::EqualSets;
use lookalike_core::method::{Counting, FrequencyTable};

/// Documents after which a thread looks whether the job is cancelled.
const DOCUMENTS_PER_CHECK: usize = 1 << 12;

/// A table of the elements of the representatives' sets, in the order in which they lie, each thread for its part of
/// the counters.
pub(super) fn count_sets(sets: &ElementSets, groups: &EqualSets, session: &Session<'_>) -> Result<FrequencyTable> {
    let mut table = FrequencyTable::sized_for(sets.total_elements());
    ask_for_large_pages(table.untouched_memory());
    try_each(table.partitions(session.threads()), session.threads(), |mut partition| {
        partition.touch();
        let mut counting = Counting::new(partition);
        for document in DocId::all(sets.len()).filter(|&document| groups.is_representative(document)) {
            counting.add(&sets.get(document));
            if document.index().is_multiple_of(DOCUMENTS_PER_CHECK) {
                session.stages.check()?;
            }
        }
        counting.finish();
        Result::Ok(())
    })?;
    Ok(table)
}

/// Counts the elements of the representatives' sets, stream by stream, for documents that come in `chunks` afterwards.
pub(super) fn save_counts(
    sets: &ElementSets,
    groups: &EqualSets,
    chunks: &DocumentChunks<'_>,
    session: &Session<'_>,
) -> Result<SavedCounts> {
    ElementStreams::deal(sets, groups, chunks, session)?.count(session)
}
