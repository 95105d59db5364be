//! Places of the characters of a text that are not ASCII: found for many bytes at once, by a kernel. Looking for the
//! end of each run of ASCII would begin and end a loop for every umlaut.

use crate::kernel::Kernel;
use std::ops::Range;

/// Bytes that are searched at a time, so that the places fit the cache and 32 bits.
const SEARCHED_BYTES: usize = 1 << 14;

/// The places of the characters of a text that are not ASCII, in order. Owns a reusable buffer.
#[derive(Debug, Default, Clone)]
pub(in crate::text) struct OtherPlaces {
    /// The bytes of the text whose characters are known.
    searched: Range<usize>,
    /// Counted from the begin of those.
    places: Vec<u32>,
    /// Index of the place that comes next.
    next: usize,
}

impl OtherPlaces {
    /// Forgets an earlier text.
    pub(in crate::text) fn clear(&mut self) {
        (self.searched, self.next) = (0..0, 0);
        self.places.clear();
    }

    /// The next place is the first that is not before `at`.
    pub(in crate::text) fn seek(&mut self, text: &str, at: usize, kernel: Kernel) {
        if self.searched.contains(&at) {
            let from = at - self.searched.start;
            self.next = self.places.partition_point(|&place| (place as usize) < from);
        } else {
            self.search(text, at, kernel);
        }
    }

    /// The next place, if it is before `end`. Otherwise it stays the next. The text is that of `seek`.
    pub(in crate::text) fn next_before(&mut self, text: &str, end: usize, kernel: Kernel) -> Option<usize> {
        loop {
            if let Some(&place) = self.places.get(self.next) {
                let place = self.searched.start + place as usize;
                let found = (place < end).then_some(place);
                self.next += usize::from(found.is_some());
                return found;
            }
            if end <= self.searched.end {
                return None;
            }
            self.search(text, self.searched.end, kernel);
        }
    }

    fn search(&mut self, text: &str, from: usize, kernel: Kernel) {
        self.searched = from..text.len().min(from + SEARCHED_BYTES);
        self.places.clear();
        self.next = 0;
        kernel.append_non_ascii(&text.as_bytes()[self.searched.clone()], &mut self.places);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_from_anywhere() {
        // Characters lie across the ends of what is searched at a time.
        let text = format!("é{}漢字{}é", "x".repeat(SEARCHED_BYTES - 3), "y".repeat(SEARCHED_BYTES));
        let all: Vec<usize> =
            text.char_indices().filter(|(_, character)| !character.is_ascii()).map(|(place, _)| place).collect();
        for &kernel in Kernel::available() {
            let mut places = OtherPlaces::default();
            for at in [0, 1, 2, SEARCHED_BYTES, 1, text.len() - 1, SEARCHED_BYTES - 1, text.len(), 0] {
                places.seek(&text, at, kernel);
                let mut from = at;
                for end in [at, SEARCHED_BYTES, text.len()] {
                    let found = std::iter::from_fn(|| places.next_before(&text, end, kernel));
                    let expected = all.iter().copied().filter(|place| (from..end).contains(place));
                    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{from} to {end}, {kernel:?}");
                    from = from.max(end);
                }
            }
            places.clear();
            places.seek("xxé", 0, kernel);
            assert_eq!(places.next_before("xxé", 4, kernel), Some(2));
        }
    }
}
