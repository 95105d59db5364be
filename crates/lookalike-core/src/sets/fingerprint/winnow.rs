//! Winnowing (Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003).
//!
//! Of each window of W consecutive hashes the least is selected, of equal ones the last; the next window often selects
//! the same one, which counts once. What a window selects depends on its W hashes alone, so two texts with W
//! consecutive hashes in common select a common one. Candidates for later windows stand in a queue of ascending hashes:
//!
//! ```text
//! hashes    77 74 42 17 98 50 17 98 8 88 ...        W = 4
//! queue                     50 -> 17                98 was before 50 and is greater: it is the least of no window
//! ```

use crate::documents::Content;
use crate::ground::{Error, Result};
use crate::sets::Shingler;
use std::collections::VecDeque;
use std::num::NonZeroUsize;

/// Selects hashes of one text, which come one by one, in pieces of any length.
#[derive(Debug, Clone)]
pub struct Winnower {
    window: usize,
    /// Number of hashes so far.
    seen: usize,
    /// Places and hashes that may be the least of a window, ascending in both.
    waiting: VecDeque<(usize, u64)>,
    /// Place of the last selected hash.
    selected: Option<usize>,
}

impl Winnower {
    /// A winnower of windows of `window` hashes, of which none is there yet.
    pub fn new(window: NonZeroUsize) -> Self {
        Self { window: window.get(), seen: 0, waiting: VecDeque::new(), selected: None }
    }

    /// Forgets all hashes: the next one is the first of another text.
    pub fn clear(&mut self) {
        (self.seen, self.selected) = (0, None);
        self.waiting.clear();
    }

    /// Takes the next hash, and returns the one that the window that ends with it selects, unless the window before has
    /// selected the same place. `None` while no window is complete.
    pub fn select(&mut self, hash: u64) -> Option<u64> {
        while self.waiting.back().is_some_and(|&(_, other)| other >= hash) {
            self.waiting.pop_back();
        }
        self.waiting.push_back((self.seen, hash));
        self.seen += 1;
        let first = self.seen.checked_sub(self.window)?;
        while self.waiting.front().is_some_and(|&(place, _)| place < first) {
            self.waiting.pop_front();
        }
        let &(place, least) = self.waiting.front()?;
        (self.selected.replace(place) != Some(place)).then_some(least)
    }
}

/// The winnowed shingles of a text, ascending, each once. What is held of a long text is little.
///
/// # Errors
/// [`Error::OtherContent`].
pub fn winnow_text<'c>(
    text: impl Into<Content<'c>>,
    shingler: &mut Shingler,
    winnower: &mut Winnower,
) -> Result<Vec<u64>> {
    let mut hashes = Vec::new();
    let mut selected = Vec::new();
    winnower.clear();
    let mut take = |hashes: &mut Vec<u64>| selected.extend(hashes.drain(..).filter_map(|hash| winnower.select(hash)));
    shingler.hash_shingles(text, &mut hashes, |hashes| {
        take(hashes);
        Ok::<_, Error>(())
    })?;
    take(&mut hashes);
    selected.sort_unstable();
    selected.dedup();
    Ok(selected)
}
