//! Sets of documents so long that what is made of them on the way is too much to be held at once.
//!
//! The set of a text of one hundred megabytes may take eight hundred, and the hashes of its shingles with all their
//! repetitions as much again. They are made piece by piece here, sorted within a limit and merged from files, so that
//! there is little of them in memory beside the text. A short text is faster done by [`Shingler::push`].

use crate::base::Result;
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share, Spill, SpillColumn};
use bytemuck::Pod;
use lookalike_core::documents::{Content, ElementSets, Multiplicity};
use lookalike_core::hash::hash_occurrence;
use lookalike_core::sets::Shingler;
use lookalike_core::{Array, Ragged};
use std::fmt::Debug;

/// Bytes of a shingle hash and of its place in the buffer that sorts them.
const BYTES_PER_TOKEN: u64 = 16;
/// Threads share the room for items in flight with the texts themselves.
const OWN_PART: usize = 2;

/// Limits of what a thread holds of a set while it is made.
#[derive(Clone, Copy)]
pub(super) struct LongSets<'a> {
    session: &'a Session<'a>,
    available_bytes: usize,
}

impl<'a> LongSets<'a> {
    /// The limits of a job.
    pub(super) fn new(session: &'a Session<'a>) -> Self {
        let available_bytes = session.spill.budget().share(Share::InFlight) / session.threads() / OWN_PART;
        Self { session, available_bytes }
    }

    /// Returns whether the set of a content may need more than the room of a thread.
    pub(super) fn is_long(&self, shingler: &Shingler, content: &Content<'_>) -> bool {
        shingler.max_tokens(content) > self.available_bytes as u64 / BYTES_PER_TOKEN
    }

    /// Returns whether sets take more than the room of a thread: short texts of items with large counts have large
    /// ones.
    pub(super) fn are_too_large(&self, sets: &ElementSets) -> bool {
        sets.memory_bytes() > self.available_bytes
    }

    /// Copy of the sets in a file.
    ///
    /// # Errors
    /// [`crate::Error::Io`].
    pub(super) fn in_file(&self, sets: &ElementSets) -> Result<ElementSets> {
        let spill = &self.session.spill;
        let mut column = SpillColumn::in_file(spill)?;
        sets.elements().values().chunks().try_for_each(|chunk| column.extend(chunk, spill))?;
        let elements = Ragged::from_parts(sets.elements().offsets().to_vec(), column.finish(spill)?)?;
        let moved = ElementSets::from_parts(elements, sets.hashes().to_vec());
        let Some(counts) = sets.all_weights() else { return Ok(moved) };
        let mut column = SpillColumn::in_file(spill)?;
        counts.chunks().try_for_each(|chunk| column.extend(chunk, spill))?;
        Ok(moved.with_weights(column.finish(spill)?, None)?)
    }

    /// The set of one long content, in a file if it is large, and the number of tokens.
    ///
    /// # Errors
    /// [`crate::Error::Interrupted`]; [`crate::Error::Io`] for a temporary file.
    pub(super) fn make(&self, shingler: &mut Shingler, content: &Content<'_>) -> Result<(ElementSets, usize)> {
        let Self { session, available_bytes } = *self;
        // Beside a text there may be as much again. The copies of a bag are sorted beside the shingles.
        let sorts = match shingler.multiplicity() {
            Multiplicity::Set | Multiplicity::Counted => 1,
            Multiplicity::Bag => 2,
        };
        let limit_bytes = available_bytes.max(content.stored().len() / sorts);
        let check = || session.stages.check();
        let LongSet { elements, counts, tokens } =
            make_set(shingler, content, &Within { spill: &session.spill, limit_bytes, check: &check })?;
        let elements = keep_within(available_bytes, elements, &session.spill)?;
        let counts = counts.map(|counts| keep_within(available_bytes, counts, &session.spill)).transpose()?;
        Ok((ElementSets::of_one(elements, counts)?, tokens))
    }
}

/// Limits of the making of a set.
struct Within<'a> {
    spill: &'a Spill,
    limit_bytes: usize,
    check: &'a dyn Fn() -> Result<()>,
}

/// A set that was made.
struct LongSet {
    elements: Array<u64>,
    /// Counts by element, if they matter.
    counts: Option<Array<u32>>,
    tokens: usize,
}

fn make_set(shingler: &mut Shingler, content: &Content<'_>, within: &Within<'_>) -> Result<LongSet> {
    let Within { spill, limit_bytes, check } = *within;
    let multiplicity = shingler.multiplicity();
    let repeats = match multiplicity {
        Multiplicity::Set => Repeats::Dropped,
        Multiplicity::Bag | Multiplicity::Counted => Repeats::Kept,
    };
    let mut sort = ExternalSort::new(spill, repeats, limit_bytes);
    let mut hashes = Vec::new();
    let tokens = shingler.hash_shingles(content, &mut hashes, |hashes| {
        check()?;
        sort.extend(hashes.drain(..))
    })?;
    sort.extend(hashes)?;
    let (elements, counts) = match multiplicity {
        Multiplicity::Set => (sort.finish()?, None),
        Multiplicity::Bag => (number_copies(sort, within)?, None),
        Multiplicity::Counted => {
            let (elements, counts) = count_copies(sort, within)?;
            (elements, Some(counts))
        }
    };
    Ok(LongSet { elements, counts, tokens })
}

/// The distinct elements of the sorted hashes of shingles, with the number of copies of each.
fn count_copies(sorted: ExternalSort<'_, u64>, within: &Within<'_>) -> Result<(Array<u64>, Array<u32>)> {
    let spill = within.spill;
    let mut elements = SpillColumn::in_file(spill)?;
    let mut counts = SpillColumn::in_file(spill)?;
    let mut last: Option<(u64, u64)> = None;
    let mut append = |(element, found): (u64, u64)| {
        let count = u32::try_from(found).map_err(|_| lookalike_core::Error::CountTooLarge { found })?;
        elements.extend(&[element], spill)?;
        counts.extend(&[count], spill)
    };
    sorted.for_each_sorted(|shingle| {
        match &mut last {
            Some((element, count)) if *element == shingle => *count += 1,
            last => last.replace((shingle, 1)).into_iter().try_for_each(&mut append)?,
        }
        Ok(())
    })?;
    last.into_iter().try_for_each(append)?;
    (within.check)()?;
    Ok((elements.finish(spill)?, counts.finish(spill)?))
}

/// The elements of a bag, of the sorted hashes of its shingles: the i-th copy is an element of its own.
fn number_copies(sorted: ExternalSort<'_, u64>, within: &Within<'_>) -> Result<Array<u64>> {
    let mut bag = ExternalSort::new(within.spill, Repeats::Dropped, within.limit_bytes);
    let mut last = None;
    let mut occurrence = 0;
    sorted.for_each_sorted(|shingle| {
        occurrence = if last == Some(shingle) { occurrence + 1 } else { 1 };
        last = Some(shingle);
        bag.extend([if occurrence == 1 { shingle } else { hash_occurrence(shingle, occurrence) }])
    })?;
    (within.check)()?;
    bag.finish()
}

/// Elements, moved to a file if they take more than the room of a thread: they may have to wait for their turn.
fn keep_within<T: Pod + Debug + Send + Sync>(
    available_bytes: usize,
    elements: Array<T>,
    spill: &Spill,
) -> Result<Array<T>> {
    match elements {
        Array::Owned(items) if size_of_val(&items[..]) > available_bytes => {
            let mut column = SpillColumn::in_file(spill)?;
            column.extend(&items, spill)?;
            column.finish(spill)
        }
        elements => Ok(elements),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Error;
    use crate::spill::Budget;
    use lookalike_core::DocId;
    use lookalike_core::comparison::Features;
    use lookalike_core::kernel::Kernel;
    use lookalike_core::sets::ShingleOptions;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn shingler(options: ShingleOptions) -> Shingler {
        Features::shingles(options).shingler(Kernel::Scalar)
    }

    fn spill() -> Spill {
        Spill::new(Budget::new(32 << 20), std::env::temp_dir())
    }

    /// Long enough for several pieces and runs.
    fn text_of(words: &[u8]) -> String {
        let words: Vec<String> = words.iter().map(|word| format!("{word:x}")).collect();
        words.join(" ").repeat(1 + 300_000 / (3 * words.len().max(1)))
    }

    proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(12))]
        #[test]
        fn sets_made_piece_by_piece_are_those_made_at_once(
            words in proptest::collection::vec(0u8..200, 1..2000),
            size in 1usize..12,
            stride in 1usize..4,
            kind in 0usize..6,
        ) {
            let mut options = if kind < 3 { ShingleOptions::words(size) } else { ShingleOptions::characters(size) };
            options.stride = stride;
            options.multiplicity = [Multiplicity::Set, Multiplicity::Bag, Multiplicity::Counted][kind % 3];
            let mut shingler = shingler(options);
            let spill = spill();
            let text = text_of(&words);
            let mut at_once = ElementSets::new();
            shingler.push(&text, &mut at_once).unwrap();
            let expected = at_once.weighted(DocId(0));
            for limit_bytes in [0, 1 << 16, 1 << 30] {
                let within = Within { spill: &spill, limit_bytes, check: &|| Ok(()) };
                let LongSet { elements, counts, .. } = make_set(&mut shingler, &Content::from(&text), &within).unwrap();
                let made = ElementSets::of_one(elements, counts).unwrap();
                prop_assert!(made.weighted(DocId(0)).iter().eq(expected.iter()));
                prop_assert_eq!(made.hashes(), at_once.hashes());
            }
        }
    }

    #[test]
    fn cancelling_is_noticed_inside_a_document() {
        let cancelled = || Err(Error::Interrupted { is_resumable: false });
        let within = Within { spill: &spill(), limit_bytes: 0, check: &cancelled };
        let made = make_set(&mut shingler(ShingleOptions::words(3)), &Content::from(&text_of(&[1, 2, 3])), &within);
        assert!(matches!(made, Err(Error::Interrupted { .. })));
    }
}
