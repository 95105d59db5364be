//! Repeated windows: the first occurrence of every window, from groups of superwindows with one minimizer.
//!
//! ```text
//! superwindows of all documents --sorted by minimizer, then by place--> groups
//! group   each content once: the windows of its first occurrence are looked up one by one
//!         later occurrences of a content: as those of the first, found by one comparison
//!         --> Repeat...     windows, and the place where each stood first
//! ```
//!
//! Boilerplate stands in a hundred thousand documents as the same superwindows, so that most of the work is one lookup
//! for a superwindow. Nothing rests on a hash: what is found under one is compared token by token (by their 64-bit
//! hashes).

use super::superwindows::Superwindow;
use crate::base::hash::{HashKey, ShingleHasher, mix64};
use bytemuck::{Pod, Zeroable};
use hashbrown::HashTable;
use std::collections::HashSet;
use std::ops::Range;

/// A token by the order of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct TokenPlace {
    /// Number of the document, in the order in which one is before another.
    pub document: u32,
    /// Number of the token in it.
    pub token: u32,
}

impl TokenPlace {
    /// The place of the token so many tokens further on in the same document.
    pub(super) fn behind(self, tokens: u32) -> Self {
        Self { token: self.token + tokens, ..self }
    }
}

/// A superwindow of a document. Sorted, those with one minimizer stand together, in the order of their places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Occurrence {
    /// Hash of the minimizer.
    pub minimizer: u64,
    /// Place where it begins.
    pub place: TokenPlace,
    windows: u32,
    offset: u32,
}

impl Occurrence {
    /// A superwindow of this document.
    pub fn new(document: u32, superwindow: Superwindow) -> Self {
        let Superwindow { minimizer, at, windows, offset } = superwindow;
        Self { minimizer, place: TokenPlace { document, token: at }, windows, offset }
    }
}

/// Consecutive windows of a document that occurred before, one behind the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Repeat {
    /// Place where the first window begins.
    pub place: TokenPlace,
    /// Place where it stood first.
    pub first: TokenPlace,
    /// Number of windows.
    pub windows: u32,
}

/// Condition for an earlier occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// One in an earlier document, or earlier in the same one without overlapping.
    Any,
    /// One in a document before this number, a reference. References have no repeats.
    InReferences(u32),
}

impl Earlier {
    /// Returns whether others may repeat what stands in a document.
    fn is_source(self, document: u32) -> bool {
        match self {
            Self::Any => true,
            Self::InReferences(references) => document < references,
        }
    }

    /// Returns whether its repeats are looked for.
    fn is_searched(self, document: u32) -> bool {
        match self {
            Self::Any => true,
            Self::InReferences(references) => document >= references,
        }
    }
}

/// Windows of a content, and where they stood first.
#[derive(Debug, Clone, Copy)]
struct FoundWindows {
    /// Windows before it.
    offset: u32,
    windows: u32,
    first: TokenPlace,
}

/// Hashes that are held to count windows, at least.
const MIN_COUNTED: usize = 1 << 10;

/// A content, by its first occurrence.
#[derive(Debug)]
struct SuperwindowContent {
    hash: u64,
    first: Occurrence,
    found: Range<usize>,
}

/// A window, by its first occurrence.
#[derive(Debug, Clone, Copy)]
struct FirstWindow {
    hash: u64,
    place: TokenPlace,
}

/// Finds repeats in groups of superwindows. Owns tables: create one per thread.
#[derive(Debug)]
pub struct RepeatFinder<T> {
    size: usize,
    earlier: Earlier,
    hasher: ShingleHasher,
    /// The tokens of a document from a place on, so many of them.
    tokens: T,
    /// Windows that a table has, at most.
    max_windows: usize,
    contents: HashTable<SuperwindowContent>,
    windows: HashTable<FirstWindow>,
    found: Vec<FoundWindows>,
}

impl<'t, T: Fn(TokenPlace, usize) -> &'t [u64]> RepeatFinder<T> {
    /// Makes a finder for windows of `size` tokens, which `tokens` shows by the place of the first. Groups with more
    /// than `max_windows` different windows are gone through several times, a part of their windows at a time.
    pub fn new(size: usize, earlier: Earlier, max_windows: usize, tokens: T) -> Self {
        Self {
            size,
            earlier,
            hasher: ShingleHasher::new(size, &HashKey::BATCH),
            tokens,
            max_windows: max_windows.max(1),
            contents: HashTable::new(),
            windows: HashTable::new(),
            found: Vec::new(),
        }
    }

    /// Calls `visit` with the repeats in a group: all superwindows with one minimizer, sorted. Windows of one document
    /// come in any order.
    pub fn find(&mut self, group: &[Occurrence], mut visit: impl FnMut(Repeat)) {
        if group.len() < 2 {
            return;
        }
        let windows: usize = group.iter().map(|occurrence| occurrence.windows as usize).sum();
        if windows <= self.max_windows {
            return self.find_by_contents(group, &mut visit);
        }
        // A text that repeats itself, or stands in many documents, has few different windows.
        let passes = self.different_windows(group).div_ceil(self.max_windows).max(1) as u64;
        (0..passes).for_each(|pass| self.find_by_windows(group, pass, passes, &mut visit));
    }

    /// Number of different windows of a group, about: those whose hashes begin with some zeros are counted, more of
    /// these the more there are.
    fn different_windows(&self, group: &[Occurrence]) -> usize {
        let max_counted = (2 * self.max_windows).max(MIN_COUNTED);
        let mut counted: HashSet<u64> = HashSet::new();
        let mut zeros = 0;
        for &occurrence in group {
            self.hasher.roll(self.tokens_of(occurrence), |hash| {
                if hash.leading_zeros() >= zeros {
                    counted.insert(hash);
                    while counted.len() > max_counted {
                        zeros += 1;
                        counted.retain(|hash| hash.leading_zeros() >= zeros);
                    }
                }
            });
        }
        counted.len() << zeros
    }

    /// Finds all windows in one pass.
    fn find_by_contents(&mut self, group: &[Occurrence], visit: &mut impl FnMut(Repeat)) {
        self.contents.clear();
        self.windows.clear();
        self.found.clear();
        for &occurrence in group {
            let tokens = self.tokens_of(occurrence);
            let hash = mix64(self.hasher.hash(tokens) ^ u64::from(occurrence.offset));
            let is_equal = |known: &SuperwindowContent| {
                known.hash == hash && known.first.offset == occurrence.offset && self.tokens_of(known.first) == tokens
            };
            let found = match self.contents.find(hash, is_equal) {
                Some(known) => known.found.clone(),
                None => {
                    let begin = self.found.len();
                    self.look_up(occurrence, |_| true);
                    let found = begin..self.found.len();
                    let content = SuperwindowContent { hash, first: occurrence, found: found.clone() };
                    self.contents.insert_unique(hash, content, |known| known.hash);
                    found
                }
            };
            self.found[found].iter().filter_map(|&found| self.repeat(occurrence, found)).for_each(&mut *visit);
        }
    }

    /// The windows whose hashes are of one class.
    fn find_by_windows(&mut self, group: &[Occurrence], class: u64, classes: u64, visit: &mut impl FnMut(Repeat)) {
        self.windows.clear();
        for &occurrence in group {
            self.found.clear();
            self.look_up(occurrence, |hash| hash % classes == class);
            self.found.iter().filter_map(|&found| self.repeat(occurrence, found)).for_each(&mut *visit);
        }
    }

    fn tokens_of(&self, occurrence: Occurrence) -> &'t [u64] {
        (self.tokens)(occurrence.place, occurrence.windows as usize + self.size - 1)
    }

    /// Appends the first occurrences of the selected windows to `found`, and enters those that are the first
    /// themselves.
    fn look_up(&mut self, occurrence: Occurrence, is_selected: impl Fn(u64) -> bool) {
        let Self { size, earlier, hasher, tokens: tokens_at, windows, found, .. } = self;
        let tokens = tokens_at(occurrence.place, occurrence.windows as usize + *size - 1);
        let begin = found.len();
        let is_source = earlier.is_source(occurrence.place.document);
        let mut offset = 0u32;
        hasher.roll(tokens, |hash| {
            let number = offset;
            offset += 1;
            if !is_selected(hash) {
                return;
            }
            let window = &tokens[number as usize..number as usize + *size];
            let is_equal = |known: &FirstWindow| known.hash == hash && tokens_at(known.place, *size) == window;
            let first = match windows.find(hash, is_equal) {
                Some(known) => known.place,
                None if is_source => {
                    let place = occurrence.place.behind(number);
                    windows.insert_unique(hash, FirstWindow { hash, place }, |known| known.hash);
                    place
                }
                None => return,
            };
            match found[begin..].last_mut() {
                Some(last) if last.offset + last.windows == number && last.first.behind(last.windows) == first => {
                    last.windows += 1;
                }
                _ => found.push(FoundWindows { offset: number, windows: 1, first }),
            }
        });
    }

    /// Returns the repeat of one occurrence of a content; `None` if it is the first itself or overlaps it.
    fn repeat(&self, occurrence: Occurrence, found: FoundWindows) -> Option<Repeat> {
        let FoundWindows { offset, windows, first } = found;
        let place = occurrence.place.behind(offset);
        let overlaps = first.document == place.document && place.token < first.token + self.size as u32;
        let is_repeat = self.earlier.is_searched(place.document) && !overlaps;
        is_repeat.then_some(Repeat { place, first, windows })
    }
}
