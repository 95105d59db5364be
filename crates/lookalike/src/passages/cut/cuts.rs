//! Cuts of each document.

use crate::base::Result;
use crate::run::{Checkpoint, SectionWriter, Stored};
use lookalike_core::passages::{CutLimits, CutPiece, CutPieces, Repeat, cut_pieces};
use lookalike_core::{Array, DocId, Ragged};
use std::ops::Range;

/// Fate of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The document stays as it is.
    Whole,
    /// The document stays without some of its tokens.
    Cut,
    /// Too little would be left of it.
    Dropped,
}

/// The repeats of all documents. Places have the numbers of documents, not those of their order.
#[derive(Debug, Default)]
pub(crate) struct CorpusRepeats {
    /// Repeats by document, ascending.
    pub(super) repeats: Array<Repeat>,
    /// Number of its tokens, by document.
    pub(super) tokens: Vec<u32>,
    /// Numbers of words of its tokens, by document; of no document any where each token is a word or a character.
    pub(super) words: Ragged<u32>,
}

impl Checkpoint for CorpusRepeats {
    type About = ();

    fn about(&self) {}

    fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
        sections.array("repeats", &self.repeats)?;
        sections.slice("tokens", &self.tokens)?;
        sections.slice("word offsets", self.words.offsets())?;
        sections.array("words", self.words.values())
    }

    fn load((): (), stored: &Stored<'_>) -> Result<Option<Self>> {
        let repeats = stored.array("repeats")?;
        let tokens = stored.array::<u32>("tokens")?;
        let words = stored.ragged("word offsets", "words")?;
        let Some(((repeats, tokens), words)) = repeats.zip(tokens).zip(words) else { return Ok(None) };
        Ok(Some(Self { repeats, tokens: tokens.into_vec(), words }))
    }

    fn fits(&self, documents: usize) -> bool {
        let has_words = |(document, &tokens): (usize, &u32)| self.words.size(document) == tokens as usize;
        let are_words_known = || self.tokens.iter().enumerate().all(has_words);
        self.tokens.len() == documents
            && self.words.len() == documents
            && (self.words.values().is_empty() || are_words_known())
    }
}

/// Cuts of all documents.
#[derive(Debug)]
pub(crate) struct Cuts {
    /// Number of tokens of a window.
    size: usize,
    /// Repeats, by document.
    repeats: Ragged<Repeat>,
    /// Number of its tokens, by document.
    tokens: Vec<u32>,
    /// Number of tokens that are cut, by document.
    cut_tokens: Vec<u32>,
    /// Numbers of words of its tokens, by document; of no document any where each token counts as one.
    words: Ragged<u32>,
    limits: CutLimits,
    /// Words that have to be left of a document that is cut.
    min_left: u32,
}

impl Cuts {
    /// The cuts by these repeats of windows of `size` tokens, within limits; after them `min_left` words have to be
    /// left.
    ///
    /// # Errors
    /// If a repeat is of no document.
    pub(super) fn new(repeated: CorpusRepeats, size: usize, limits: CutLimits, min_left: u32) -> Result<Self> {
        let CorpusRepeats { repeats, tokens, words } = repeated;
        let mut offsets = vec![0; tokens.len() + 1];
        for repeat in repeats.chunks().flatten() {
            if let Some(count) = offsets.get_mut(repeat.place.document as usize + 1) {
                *count += 1;
            }
        }
        let mut total = 0;
        offsets.iter_mut().for_each(|offset| {
            total += *offset;
            *offset = total;
        });
        let repeats = Ragged::from_parts(offsets, repeats)?;
        let mut cuts = Self { size, repeats, tokens, cut_tokens: Vec::new(), words, limits, min_left };
        let documents = DocId::all(cuts.tokens.len());
        cuts.cut_tokens =
            documents.map(|document| cuts.pieces(document).map(|piece| piece.tokens.len() as u32).sum()).collect();
        Ok(cuts)
    }

    /// Number of documents, references included.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The pieces that are cut out of a document, in order.
    pub(crate) fn pieces(&self, document: DocId) -> Box<dyn Iterator<Item = CutPiece> + '_> {
        let repeated = self.repeated(document);
        if self.limits == CutLimits::default() {
            return Box::new(repeated);
        }
        let repeated: Vec<CutPiece> = repeated.collect();
        let words = |token| self.words_of(document, token);
        Box::new(self.limits.apply(&repeated, words, self.tokens(document)).into_iter())
    }

    /// Number of words of a token; 1 where each token is a word or a character.
    fn words_of(&self, document: DocId, token: u32) -> u32 {
        self.words.get(document.index()).get(token as usize).copied().unwrap_or(1)
    }

    /// Number of words that are left of a document.
    fn words_left(&self, document: DocId) -> u64 {
        let words_in = |tokens: Range<u32>| tokens.map(|token| u64::from(self.words_of(document, token))).sum::<u64>();
        let cut = self.pieces(document).map(|piece| words_in(piece.tokens)).sum::<u64>();
        words_in(0..self.tokens(document)) - cut
    }

    /// The pieces of a document that occurred before, within the limits or not.
    fn repeated(&self, document: DocId) -> CutPieces<'_> {
        cut_pieces(self.repeats.get(document.index()), self.size)
    }

    /// Number of tokens of a document that occurred before and stay, because they are too few to be cut.
    pub(crate) fn spared_tokens(&self, document: DocId) -> u64 {
        let tokens = |piece: CutPiece| piece.tokens.len() as u64;
        let repeated: u64 = self.repeated(document).map(tokens).sum();
        let cut: u64 = self.pieces(document).filter(|piece| piece.first.is_some()).map(tokens).sum();
        repeated - cut
    }

    /// Number of tokens of a document.
    pub(crate) fn tokens(&self, document: DocId) -> u32 {
        self.tokens[document.index()]
    }

    /// Number of tokens that are cut out of a document.
    pub(crate) fn cut_tokens(&self, document: DocId) -> u32 {
        self.cut_tokens[document.index()]
    }

    /// Fate of a document.
    pub(crate) fn fate(&self, document: DocId) -> Fate {
        match self.cut_tokens(document) {
            0 => Fate::Whole,
            _ if self.words_left(document) < self.min_left.into() => Fate::Dropped,
            _ => Fate::Cut,
        }
    }
}
