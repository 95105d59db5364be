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

use super::Selection;
use crate::base::{Error, Result};
use crate::documents::Content;
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

impl Selection {
    /// The fingerprints of a text, ascending, each once.
    ///
    /// # Errors
    /// Errors of [`Selection::check`]; [`crate::Error::OtherContent`].
    pub fn of_text<'c>(self, text: impl Into<Content<'c>>, shingler: &mut Shingler) -> Result<Vec<u64>> {
        self.check(*shingler.options())?;
        match self {
            Self::Winnow(window) => winnow_text(text, shingler, &mut Winnower::new(window)),
            Self::Mod(_) => {
                let mut elements = shingler.shingle(text)?;
                elements.retain(|&element| self.takes(element));
                Ok(elements)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Error;
    use crate::comparison::Features;
    use crate::kernel::Kernel;
    use crate::sets::ShingleOptions;
    use std::num::NonZeroUsize;

    /// A text that is shingled in several pieces has the fingerprints of all its windows together.
    #[test]
    fn a_long_text_is_winnowed_as_a_whole() {
        let words = (0..200_000u32).map(|number| format!("w{} ", number.wrapping_mul(2_654_435_761) % 5_000));
        let text: String = words.collect();
        let features = Features::shingles(ShingleOptions::words(3));
        let mut shingler = features.shingler(Kernel::detect());
        let mut winnower = Winnower::new(NonZeroUsize::new(20).unwrap());
        let mut hashes = Vec::new();
        let mut pieces = 0;
        let hashed = shingler.hash_shingles(&text, &mut hashes, |_| {
            pieces += 1;
            Ok::<_, Error>(())
        });
        let mut expected: Vec<u64> = hashes.windows(20).filter_map(|window| window.iter().min().copied()).collect();
        expected.sort_unstable();
        expected.dedup();
        assert!(hashed.is_ok() && pieces > 1, "{pieces}");
        assert_eq!(winnow_text(&text, &mut shingler, &mut winnower).unwrap(), expected);
        assert_eq!("winnow:20".parse::<Selection>().unwrap().of_text(&text, &mut shingler).unwrap(), expected);
        assert!(winnow_text("too few words here", &mut shingler, &mut winnower).unwrap().is_empty());
    }

    #[test]
    fn fingerprints_by_remainder_are_those_of_the_set() {
        let features = Features::shingles(ShingleOptions::words(1));
        let text = (0..2000).map(|number| format!("w{number} ")).collect::<String>();
        let mut shingler = features.shingler(Kernel::detect());
        let found = "mod:8".parse::<Selection>().unwrap().of_text(&text, &mut shingler).unwrap();
        assert!(found.iter().all(|hash| hash % 8 == 0));
        // 250 expected, with a standard deviation of 15.
        assert!((175..325).contains(&found.len()), "{}", found.len());
        let mut of_bags = features.in_bags().shingler(Kernel::detect());
        assert!("winnow:8".parse::<Selection>().unwrap().of_text(&text, &mut of_bags).is_err());
    }
}
