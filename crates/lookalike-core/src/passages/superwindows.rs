//! Superwindows: consecutive windows with one minimizer, so that few things are looked at in place of many.
//!
//! The *minimizer* of a window of m tokens is, of its runs of k tokens, one with the least hash. Equal windows have
//! equal minimizers, and neighbours mostly share one:
//!
//! ```text
//! tokens          a b c d e f g h i j      m = 6, k = 3, least hash: c d e, then f g h
//! windows         [a     f] [b     g] [c     h] | [d     i] [e     j]
//! superwindows    a ... h, minimizer c d e        d ... j, minimizer f g h
//! ```
//!
//! Of several runs with the least hash it is that of the window before, or else the last: in a text that repeats a few
//! tokens each window would have one of its own otherwise.
//!
//! A window whose minimizer stands nowhere else is a singleton, and so are all windows of its superwindow: of texts
//! that share nothing, some two runs in m - k + 2 tokens are counted instead of every window. Minimizers are those of
//! Roberts et al., "Reducing storage requirements for biological sequence comparison" (2004), section 2, and of
//! Schleimer et al., "Winnowing" (2003); a superwindow is the super-k-mer of Li et al., "Memory efficient minimum
//! substring partitioning" (2013), section 3.

use crate::base::hash::{HashKey, ShingleHasher};
use std::collections::VecDeque;

/// Consecutive windows of m tokens with one minimizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Superwindow {
    /// Hash of the minimizer. Its lower bits are uniform; its upper ones are not, because it is a minimum.
    pub minimizer: u64,
    /// Number of the first token.
    pub at: u32,
    /// Number of windows, at least 1.
    pub windows: u32,
    /// Tokens before the minimizer.
    pub offset: u32,
}

/// Cuts documents into superwindows. Owns buffers: create one per thread.
#[derive(Debug)]
pub struct Superwindows {
    /// Number of tokens of a window.
    size: usize,
    /// Hasher of runs of k tokens.
    hasher: ShingleHasher,
    /// Runs from the current window on of which each has a greater hash than the one before.
    least: VecDeque<(u32, u64)>,
}

impl Superwindows {
    /// Makes a maker for windows of `size` tokens, whose minimizers are hashed with `key`.
    pub fn new(size: usize, key: &HashKey) -> Self {
        Self { size, hasher: ShingleHasher::new(Self::run_tokens(size), key), least: VecDeque::new() }
    }

    /// The number k of tokens of a minimizer: half a window. Shorter ones are met more often in other windows, longer
    /// ones make shorter superwindows.
    fn run_tokens(size: usize) -> usize {
        size.div_ceil(2).max(1)
    }

    /// Calls `visit` with the superwindows of a document, given by the hashes of its tokens, in order. Each window is
    /// in one.
    pub fn each(&mut self, tokens: &[u64], mut visit: impl FnMut(Superwindow)) {
        let Self { size, hasher, least } = self;
        if tokens.len() < *size {
            return;
        }
        // The last run of a window begins so many tokens behind its first one.
        let last_run = (*size - Self::run_tokens(*size)) as u32;
        let mut open: Option<Superwindow> = None;
        let mut run = 0u32;
        least.clear();
        hasher.roll(tokens, |hash| {
            while least.back().is_some_and(|&(_, other)| other > hash) {
                least.pop_back();
            }
            least.push_back((run, hash));
            run += 1;
            // The window that ends with this run.
            let Some(at) = (run - 1).checked_sub(last_run) else { return };
            while least.front().is_some_and(|&(first, _)| first < at) {
                least.pop_front();
            }
            let Some(&(_, minimizer)) = least.front() else { return };
            match &mut open {
                Some(open) if open.minimizer == minimizer && open.at + open.offset >= at => open.windows += 1,
                _ => {
                    let equal = least.iter().take_while(|&&(_, hash)| hash == minimizer);
                    let first = equal.last().map_or(at, |&(first, _)| first);
                    let next = Superwindow { minimizer, at, windows: 1, offset: first - at };
                    open.replace(next).into_iter().for_each(&mut visit);
                }
            }
        });
        open.into_iter().for_each(visit);
    }
}
