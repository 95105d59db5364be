//! Unicode normalization of one stretch of text, with a map from its offsets back to the source.
//!
//! NFKC first, then lower case, character by character, with a final sigma mapped to the common sigma, so that the case
//! of a letter never depends on its neighbours. The result carries anchors, pairs of equivalent byte offsets in normal
//! form and source, because evidence shows the source text. Most stretches are in normal form already and need one
//! anchor.

use super::TextOptions;
use super::characters::is_point;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The normal form of a stretch; a buffer reused from stretch to stretch.
#[derive(Debug, Default, Clone)]
pub(super) struct Normalized {
    pub(super) text: String,
    /// Ascending; an anchor that follows from the previous one is left out.
    anchors: Vec<Anchor>,
}

/// The source of the normal form from `here` up to the next anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Anchor {
    /// Offset in the normal form.
    here: usize,
    /// Equivalent offset in the source.
    source: usize,
    step: Step,
}

/// How offsets map from an anchor up to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Source and normal form advance together.
    Together,
    /// One segment whose length changed (a ligature, a composed accent): an offset inside it maps to the whole segment.
    Whole,
}

impl Normalized {
    /// Replaces the content by the normal form of `source`. Segments are normalized one by one; see [`begins_segment`].
    pub(super) fn fill(&mut self, source: &str, options: &TextOptions) {
        self.text.clear();
        self.anchors.clear();
        let is_dropped = |character: char| options.strip_marks && is_point(character);
        let left = |text| str::chars(text).filter(|&character| !is_dropped(character));
        let composed = !options.nfkc || is_nfkc_quick(left(source)) == IsNormalized::Yes;
        let mut start = 0;
        for (offset, character) in source.char_indices().skip(1).chain([(source.len(), ' ')]) {
            // A mark behind a point that goes may compose with what stands before it.
            if is_dropped(character) || !composed && !begins_segment(character) {
                continue;
            }
            let segment = &source[start..offset];
            if composed {
                self.push(start, segment, left(segment), options);
            } else {
                let normal = left(segment).nfkc().filter(|&character| !is_dropped(character));
                self.push(start, segment, normal, options);
            }
            start = offset;
        }
        self.anchor_at(self.text.len(), source.len(), Step::Together);
    }

    /// First source byte of the segment that contains the character at `offset`.
    pub(super) fn source_start(&self, offset: usize) -> usize {
        let next = self.anchors.partition_point(|anchor| anchor.here <= offset);
        match self.anchors[..next].last() {
            Some(Anchor { here, source, step: Step::Together }) => source + (offset - here),
            Some(Anchor { source, step: Step::Whole, .. }) => *source,
            None => offset,
        }
    }

    /// End in the source of the segment that contains the character before `offset`.
    pub(super) fn source_end(&self, offset: usize) -> usize {
        let next = self.anchors.partition_point(|anchor| anchor.here < offset);
        match self.anchors[..next].last() {
            Some(Anchor { here, source, step: Step::Together }) => source + (offset - here),
            Some(Anchor { source, step: Step::Whole, .. }) => {
                self.anchors.get(next).map_or(*source, |after| after.source)
            }
            None => offset,
        }
    }

    /// Appends the normal form of a segment that starts at `start`.
    fn push(&mut self, start: usize, segment: &str, characters: impl Iterator<Item = char>, options: &TextOptions) {
        let here = self.text.len();
        let mut count = 0;
        for character in characters {
            count += 1;
            match character {
                'ς' if options.lowercase => self.text.push('σ'),
                _ if options.lowercase => self.text.extend(character.to_lowercase()),
                _ => self.text.push(character),
            }
        }
        let is_one_to_one = count == 1 && self.text.len() - here == segment.len();
        self.anchor_at(here, start, if is_one_to_one { Step::Together } else { Step::Whole });
    }

    fn anchor_at(&mut self, here: usize, source: usize, step: Step) {
        let implied = step == Step::Together
            && match self.anchors.last() {
                None => here == source,
                Some(last) => last.step == Step::Together && last.source + (here - last.here) == source,
            };
        if !implied {
            self.anchors.push(Anchor { here, source, step });
        }
    }
}

/// Whether a text may be split before this character and both halves normalized separately: the decomposition of the
/// character starts with one that neither combines with its predecessor nor is reordered (Unicode Standard Annex 15,
/// section 9).
pub(super) fn begins_segment(character: char) -> bool {
    let mut first = None;
    decompose_compatible(character, |decomposed| {
        first.get_or_insert(decomposed);
    });
    first.is_none_or(|first| {
        canonical_combining_class(first) == 0 && is_nfkc_quick([first].into_iter()) == IsNormalized::Yes
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    fn normalize(source: &str) -> Normalized {
        let mut normalized = Normalized::default();
        normalized.fill(source, &TextOptions::default());
        normalized
    }

    #[test]
    fn compatible_characters_become_one() {
        for (source, expected) in [
            ("ＡＢＣ", "abc"),
            ("ﬁne", "fine"),
            ("Cafe\u{301}", "café"),
            ("①②", "12"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδος", "οδοσ"),
            ("Straße", "straße"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("ｶﾞ", "ガ"),
        ] {
            assert_eq!(normalize(source).text, expected);
        }
    }

    #[test]
    fn offsets_lead_back_to_the_source() {
        let source = "ﬁve e\u{301}clairs";
        let normalized = normalize(source);
        assert_eq!(normalized.text, "five éclairs");
        let clairs = normalized.text.find("clairs").unwrap();
        assert_eq!(&source[normalized.source_start(clairs)..], "clairs");
        assert_eq!(normalized.source_end(normalized.text.len()), source.len());
        assert_eq!((normalized.source_start(1), normalized.source_end(1)), (0, "ﬁ".len()));
    }

    proptest! {
        #[test]
        fn segments_normalize_like_the_whole(
            source in "[a-zA-Z ﬁ①é\u{301}\u{327}ＡｶﾞΣς한\u{1112}\u{1161}\u{11ab}ำกÅ-]{0,30}",
        ) {
            let lower = source.nfkc().flat_map(char::to_lowercase);
            let whole: String = lower.map(|c| if c == 'ς' { 'σ' } else { c }).collect();
            prop_assert_eq!(&normalize(&source).text, &whole);
        }

        #[test]
        fn every_character_came_from_a_segment_of_the_source(source in any::<String>()) {
            let normalized = normalize(&source);
            let mut last = 0;
            for (offset, character) in normalized.text.char_indices() {
                let segment = normalized.source_start(offset)..normalized.source_end(offset + character.len_utf8());
                prop_assert!(segment.start >= last && source.get(segment.clone()).is_some_and(|text| !text.is_empty()));
                last = segment.start;
            }
        }
    }
}
