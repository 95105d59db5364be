//! Unicode normalization of one stretch of text, with a map from its offsets back to the source.
//!
//! With NFKC and lower case the form is toNFKC_Casefold of the Unicode Standard, section 3.13, of the decomposed text:
//! what cannot be seen goes ([`is_ignorable`]), compatible characters become one, and letters are folded in full.
//! Without lower case, letters stay as they are; without NFKC, letters are folded and nothing else changes. In words
//! and characters, not in code, NFKC also makes one of the signs that look like an apostrophe or a quotation mark
//! ([`plain_quote`]): before compatible characters change, since ´ would become a blank and an accent, and behind.
//!
//! ```text
//! L’été ﬁn\u{ad}al  --drop-->  L’été ﬁnal  --NFD, signs, NFKC-->  L'été final  --fold, NFKC, signs-->  l'été final
//! ```
//!
//! The result carries anchors, pairs of equivalent byte offsets in normal form and source, because evidence shows the
//! source text. Most stretches are in normal form already, but for their case, and need one anchor.

use super::TextOptions;
use super::characters::{is_ignorable, is_point, plain_quote, push_folded, push_folded_character};
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The normal form of a stretch; a buffer reused from stretch to stretch.
#[derive(Debug, Default, Clone)]
pub(super) struct Normalized {
    pub(super) text: String,
    /// Ascending; an anchor that follows from the previous one is left out.
    anchors: Vec<Anchor>,
    /// A segment while its normal form is made.
    composed: String,
    folded: String,
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

/// Map of offsets from an anchor up to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Source and normal form advance together.
    Together,
    /// One segment whose length changed (a ligature, a composed accent): an offset inside it maps to the whole segment.
    Whole,
}

impl Normalized {
    /// Replaces the content by the normal form of `source`.
    pub(super) fn fill(&mut self, source: &str, options: &TextOptions) {
        if !options.nfkc || is_nfkc_quick(left(source, options)) == IsNormalized::Yes {
            self.fill_by(source, options, |_| true, Self::push_character);
            // Folding may decompose.
            if !options.nfkc || is_nfkc_quick(self.text.chars()) == IsNormalized::Yes {
                return;
            }
        }
        self.fill_by(source, options, begins_segment, Self::push_segment);
    }

    /// Replaces the content by the normal forms of segments, each of which goes up to a character that begins one.
    fn fill_by(
        &mut self,
        source: &str,
        options: &TextOptions,
        begins: impl Fn(char) -> bool,
        push: impl Fn(&mut Self, &str, &TextOptions) -> usize,
    ) {
        self.text.clear();
        self.anchors.clear();
        let mut start = 0;
        for (offset, character) in source.char_indices().skip(1).chain([(source.len(), ' ')]) {
            // A mark behind a character that goes may compose with what stands before it.
            if is_dropped(character, options) || !begins(character) {
                continue;
            }
            let here = self.text.len();
            let count = push(self, &source[start..offset], options);
            let is_one_to_one = count == 1 && self.text.len() - here == offset - start;
            self.anchor_at(here, start, if is_one_to_one { Step::Together } else { Step::Whole });
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

    /// Appends the form of what is left of a segment, character by character; returns their number.
    fn push_character(&mut self, segment: &str, options: &TextOptions) -> usize {
        let here = self.text.len();
        for character in left(segment, options) {
            if options.lowercase {
                push_folded_character(character, &mut self.text);
            } else {
                self.text.push(character);
            }
        }
        self.text[here..].chars().count()
    }

    /// Appends the normal form of a segment; returns the number of its characters.
    fn push_segment(&mut self, segment: &str, options: &TextOptions) -> usize {
        let Self { text, composed, folded, .. } = self;
        let here = text.len();
        composed.clear();
        // Some accents that look like an apostrophe are the first of what a character decomposes to.
        composed.extend(left(segment, options).nfd().map(|sign| as_sign(sign, options)).nfkc());
        if options.lowercase {
            folded.clear();
            push_folded(composed, folded);
            composed.clear();
            composed.extend(folded.as_str().nfkc());
        }
        text.extend(left(composed, options));
        text[here..].chars().count()
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

/// The characters of a text that are not dropped, with one sign for those that look alike.
fn left(text: &str, options: &TextOptions) -> impl Iterator<Item = char> {
    text.chars().filter(|&character| !is_dropped(character, options)).map(|character| as_sign(character, options))
}

fn is_dropped(character: char, options: &TextOptions) -> bool {
    options.nfkc && is_ignorable(character) || options.strip_marks && is_point(character)
}

/// The sign that stands for a character and all that look like it.
fn as_sign(character: char, options: &TextOptions) -> char {
    if options.has_apostrophes_alike() { plain_quote(character) } else { character }
}

/// Returns whether a text may be split before this character and both halves normalized separately: the decomposition
/// of the character starts with one that neither combines with its predecessor nor is reordered (Unicode Standard Annex
/// 15, section 9).
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
            ("Straße", "strasse"),
            ("STRAẞE", "strasse"),
            ("so\u{ad}ft\u{200b} \u{200f}x", "soft x"),
            ("l’a l‘a lʼa l′a l`a l´a l＇a ŉ ‴", "l'a l'a l'a l'a l'a l'a l'a 'n '''"),
            ("צה״ל צה“ל ג׳", "צה\"ל צה\"ל ג'"),
            ("᾿\u{300} \u{1fcd}", "'\u{300} '\u{300}"),
            ("e\u{34f}\u{301} ǰ ẖ ᾳ α\u{345}\u{301}", "é ǰ ẖ αι άι"),
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
            source in "[a-zA-Z ﬁ①é\u{301}\u{327}ＡｶﾞΣς한\u{1112}\u{1161}\u{11ab}ำกÅßẞǰ\u{345}\u{ad}\u{1160}’´᾿-]{0,30}",
        ) {
            let mut whole = Normalized::default();
            whole.push_segment(&source, &TextOptions::default());
            prop_assert_eq!(normalize(&source).text, whole.text);
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
