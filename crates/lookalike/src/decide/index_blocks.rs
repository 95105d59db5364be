//! Indexing more documents than memory holds: block by block.
//!
//! The postings of a block of documents fit into memory; all later documents pass by them before the next block comes.
//! Whether there is one block or many changes the time and nothing else: partners in earlier blocks are found before
//! those in later ones, as they would be in one index.

use crate::run::Session;
use crate::spill::Share;
use lookalike_core::comparison::RankedDocuments;
use lookalike_core::keys::KeyIndex;
use std::ops::Range;

/// Limits of blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockLimits {
    /// Documents of which a block has a multiple, but for the last one.
    pub(crate) step: u32,
    /// Bytes for each posting beside the index.
    pub(crate) bytes_beside: usize,
}

/// Cuts `ranks` into ranges, each at a multiple of the step from the begin, whose documents can be indexed together.
pub(crate) fn index_blocks(
    RankedDocuments { order, keys, verifier, .. }: RankedDocuments<'_>,
    ranks: Range<u32>,
    BlockLimits { step, bytes_beside }: BlockLimits,
    session: &Session<'_>,
) -> Vec<Range<u32>> {
    let share = if verifier.sets().memory_bytes() == 0 { Share::IndexAlone } else { Share::Index };
    let max_bytes = session.spill.budget().share(share);
    let mut blocks = Vec::new();
    let mut block = ranks.start..ranks.start;
    let mut total_keys = 0;
    for first in ranks.clone().step_by(step as usize) {
        let end = first.saturating_add(step).min(ranks.end);
        let documents = &order[first as usize..end as usize];
        let new_keys: usize = documents.iter().map(|&document| keys.count(document)).sum();
        let postings = total_keys + new_keys;
        let bytes = KeyIndex::bytes_for(keys.distinct_keys(), postings) + bytes_beside * postings;
        if !block.is_empty() && bytes > max_bytes {
            blocks.push(std::mem::replace(&mut block, first..first));
            total_keys = 0;
        }
        block.end = end;
        total_keys += new_keys;
    }
    blocks.push(block);
    blocks
}
