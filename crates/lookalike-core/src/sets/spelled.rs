//! Sets of hashes of spelled shingles, for signatures that other programs are to understand.
//!
//! Those programs know nothing of our hashes: to them an element is a string of bytes. A shingle is spelled as most
//! people do it: its words with a blank between them, its lines, sentences and paragraphs each on its line, its
//! characters without anything between them. Its hash has 32 bits, the first four bytes of the SHA-1 of the string,
//! little endian.

use super::ShingleOptions;
use super::shingle::sort_into_set;
use super::windows::shingle_ranges;
use crate::base::hash::sha1_hash32;
use crate::base::{Result, SetMaker};
use crate::documents::{Content, Counts, ElementSets};
use crate::text::{TokenUnit, Tokenizer};
use std::ops::Range;

/// Turns texts into sets of hashes of their spelled shingles. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct SpelledShingler {
    options: ShingleOptions,
    tokenizer: Tokenizer,
    /// The tokens of a text with what stands between them.
    joined: String,
    /// Places of the tokens in `joined`.
    places: Vec<Range<usize>>,
    maker: SetMaker,
}

impl SpelledShingler {
    /// A shingler of the tokens of `tokenizer`.
    pub fn new(options: ShingleOptions, tokenizer: Tokenizer) -> Self {
        Self { options, tokenizer, joined: String::new(), places: Vec::new(), maker: SetMaker::default() }
    }

    pub(crate) fn options(&self) -> &ShingleOptions {
        &self.options
    }

    /// The hash of the string that an element stands for.
    pub fn hash_of(element: u64) -> u32 {
        (element >> u32::BITS) as u32
    }

    /// Appends the set of a text, or of items, to `sets` as the next document: each hash in the upper half of an
    /// element, because sorting and frequency counters use the upper bits.
    ///
    /// # Errors
    /// [`crate::Error::TooManyDocuments`] if all document numbers are in use; [`crate::Error::OtherContent`].
    pub fn push<'c>(&mut self, content: impl Into<Content<'c>>, sets: &mut ElementSets) -> Result<Counts> {
        let content = content.into();
        let cut = content.to_cut(self.options.size.unit)?;
        sets.push_with(|elements| self.append(cut, elements))
    }

    fn append(&mut self, text: &str, elements: &mut Vec<u64>) -> Counts {
        let start = elements.len();
        self.spell(text);
        for tokens in shingle_ranges(self.places.len(), self.options) {
            let spelled = &self.joined.as_bytes()[self.places[tokens.start].start..self.places[tokens.end - 1].end];
            elements.push(u64::from(sha1_hash32(spelled)) << u32::BITS);
        }
        sort_into_set(elements, start, self.options.multiplicity, &mut self.maker);
        Counts { tokens: self.places.len(), elements: elements.len() - start }
    }

    fn spell(&mut self, text: &str) {
        let Self { options, tokenizer, joined, places, .. } = self;
        let between = match options.size.unit {
            TokenUnit::Word => " ",
            TokenUnit::TextUnit(_) => "\n",
            // Items are shingles by themselves.
            TokenUnit::Character | TokenUnit::Item => "",
        };
        joined.clear();
        places.clear();
        let visible = tokenizer.visible_text(text);
        tokenizer.tokenize(&visible, options.size.unit, |token| {
            if !places.is_empty() {
                joined.push_str(between);
            }
            let start = joined.len();
            joined.push_str(token.text);
            places.push(start..joined.len());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DocId;
    use crate::comparison::Features;
    use crate::documents::ElementSet;
    use crate::kernel::Kernel;
    use crate::text::Items;

    fn hashes<'c>(options: ShingleOptions, content: impl Into<Content<'c>>) -> Vec<u32> {
        let features = Features::shingles(options);
        let mut shingler = SpelledShingler::new(options, features.tokenizer(Kernel::detect()));
        let mut sets = ElementSets::new();
        sets.push(ElementSet::new(&[7]).unwrap()).unwrap();
        let counts = shingler.push(content, &mut sets).unwrap();
        let set = sets.get(DocId(1));
        assert_eq!(counts.elements, set.len());
        set.iter().map(|&element| SpelledShingler::hash_of(element)).collect()
    }

    fn of_strings(strings: &[&str]) -> Vec<u32> {
        let mut hashes: Vec<u32> = strings.iter().map(|string| sha1_hash32(string.as_bytes())).collect();
        hashes.sort_unstable();
        hashes
    }

    #[test]
    fn shingles_are_spelled_as_people_spell_them() {
        let strided = ShingleOptions { stride: 2, ..ShingleOptions::words(2) };
        for (options, text, strings) in [
            (
                ShingleOptions::words(2),
                "The  cat,\nsat down. The cat",
                &["the cat", "cat sat", "sat down", "down the"][..],
            ),
            (ShingleOptions::words(5), "Too short", &["too short"]),
            (ShingleOptions::words(1), "", &[]),
            (strided, "a b c", &["a b", "c"]),
            (ShingleOptions::characters(3), "Ärger", &["ärg", "rge", "ger"]),
        ] {
            assert_eq!(hashes(options, text), of_strings(strings), "{text}");
        }
        assert_eq!(hashes(ShingleOptions::items(), Items::from_stored("b c\0a\0")), of_strings(&["b c", "a"]));
    }
}
