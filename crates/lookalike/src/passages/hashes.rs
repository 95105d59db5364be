//! The hashes of the tokens of one text: in memory, or of a long text in a file.

use crate::base::Result;
use crate::run::Session;
use crate::spill::{Share, SpillColumn};
use lookalike_core::Array;
use lookalike_core::passages::{token_hashes, token_hashes_in_pieces};
use lookalike_core::sets::Shingler;

/// Hashes of a long text that are written at a time, at least.
const PIECE_TOKENS: usize = 1 << 15;

/// The hashes of the tokens of a text. Those of a text that may have more than fit into the share of a thread go to a
/// file as they are made. The memory of `unused` is taken for others.
pub(super) fn hashes_of(
    text: &str,
    shingler: &mut Shingler,
    unused: Array<u64>,
    session: &Session<'_>,
) -> Result<Array<u64>> {
    let spill = &session.spill;
    let max_bytes = spill.budget().share(Share::InFlight) / session.threads();
    let mut hashes = if unused.is_in_memory() { unused.into_vec() } else { Vec::new() };
    hashes.clear();
    if text.len() <= max_bytes / size_of::<u64>() {
        token_hashes(text, shingler, &mut hashes);
        return Ok(Array::Owned(hashes));
    }
    let mut column = SpillColumn::in_file(spill)?;
    token_hashes_in_pieces(text, shingler, &mut hashes, |piece| {
        if piece.len() < PIECE_TOKENS {
            return Ok(());
        }
        column.extend(piece, spill)?;
        piece.clear();
        Result::Ok(())
    })?;
    column.extend(&hashes, spill)?;
    column.finish(spill)
}
