//! Unicode normalization of one stretch of text, with the way back to the source.
//!
//! NFKC first, then lower case, character by character, with a final sigma written like any other sigma, so that the case
//! of a word never depends on its neighbours. The result carries the shifts between its byte offsets and those of the
//! source: evidence has to show the text as it was. Most stretches are in normal form already, and the shift is one.

use super::TextOptions;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// A normalized stretch; reused from stretch to stretch.
#[derive(Debug, Default, Clone)]
pub(super) struct Normalized {
    pub(super) text: String,
    anchors: Vec<Anchor>,
}

/// Says for the normal form from `here` to the next anchor where it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Anchor {
    here: usize,
    source: usize,
    /// Whether source and normal form advance together. If not, the stretch up to the next anchor is one piece that
    /// changed its length (a ligature, a composed accent), and an offset inside belongs to all of it.
    together: bool,
}

impl Normalized {
    /// Replaces the content by the normal form of `source`.
    pub(super) fn fill(&mut self, source: &str, options: &TextOptions) {
        self.text.clear();
        self.anchors.clear();
        let composed = !options.nfkc || is_nfkc_quick(source.chars()) == IsNormalized::Yes;
        let mut start = 0;
        for (offset, character) in source.char_indices().skip(1).chain([(source.len(), ' ')]) {
            if !composed && !begins_segment(character) {
                continue;
            }
            let segment = &source[start..offset];
            if composed {
                self.push(start, segment, segment.chars(), options.lowercase);
            } else {
                self.push(start, segment, segment.nfkc(), options.lowercase);
            }
            start = offset;
        }
        self.anchor(source.len(), true);
    }

    /// First source byte of the piece that the character at `offset` came from.
    pub(super) fn source_start(&self, offset: usize) -> usize {
        let next = self.anchors.partition_point(|anchor| anchor.here <= offset);
        self.anchors[..next]
            .last()
            .map_or(offset, |anchor| anchor.source + if anchor.together { offset - anchor.here } else { 0 })
    }

    /// End in the source of the piece that the character before `offset` came from.
    pub(super) fn source_end(&self, offset: usize) -> usize {
        let next = self.anchors.partition_point(|anchor| anchor.here < offset);
        match self.anchors[..next].last() {
            Some(anchor) if !anchor.together => self.anchors.get(next).map_or(anchor.source, |after| after.source),
            Some(anchor) => anchor.source + (offset - anchor.here),
            None => offset,
        }
    }

    fn push(&mut self, start: usize, segment: &str, characters: impl Iterator<Item = char>, lowercase: bool) {
        let here = self.text.len();
        let mut count = 0;
        for character in characters {
            count += 1;
            match character {
                'ς' if lowercase => self.text.push('σ'),
                _ if lowercase => self.text.extend(character.to_lowercase()),
                _ => self.text.push(character),
            }
        }
        let together = count == 1 && self.text.len() - here == segment.len();
        self.anchor_at(here, start, together);
    }

    /// Notes that the end of the text so far came from `source`.
    fn anchor(&mut self, source: usize, together: bool) {
        self.anchor_at(self.text.len(), source, together);
    }

    fn anchor_at(&mut self, here: usize, source: usize, together: bool) {
        let implied = match self.anchors.last() {
            None => here == source && together,
            Some(last) => together && last.together && last.source + (here - last.here) == source,
        };
        if !implied {
            self.anchors.push(Anchor { here, source, together });
        }
    }
}

/// Whether normalizing before and after this character separately gives the same as in one go: its decomposition starts
/// with a character that neither combines with what stands before nor is reordered (Unicode Standard Annex 15, section 9).
pub(super) fn begins_segment(character: char) -> bool {
    let mut first = None;
    decompose_compatible(character, |part| {
        first.get_or_insert(part);
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
        fn segments_normalize_like_the_whole(source in "[a-zA-Z ﬁ①é\u{301}\u{327}ＡｶﾞΣς한\u{1112}\u{1161}\u{11ab}ำกÅ-]{0,30}") {
            let whole: String = source.nfkc().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }).collect();
            prop_assert_eq!(&normalize(&source).text, &whole);
        }

        #[test]
        fn every_character_came_from_a_piece_of_the_source(source in any::<String>()) {
            let normalized = normalize(&source);
            let mut last = 0;
            for (offset, character) in normalized.text.char_indices() {
                let piece = normalized.source_start(offset)..normalized.source_end(offset + character.len_utf8());
                prop_assert!(piece.start >= last && source.get(piece.clone()).is_some_and(|text| !text.is_empty()));
                last = piece.start;
            }
        }
    }
}
