//! The documents of a segment that were deleted or replaced.

/// A set of the documents of a segment, one bit each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Deleted {
    words: Vec<u64>,
    count: usize,
}

impl Deleted {
    /// The set with stored bits.
    pub(crate) fn from_words(words: Vec<u64>) -> Self {
        let count = words.iter().map(|word| word.count_ones() as usize).sum();
        Self { words, count }
    }

    /// The first `count` documents.
    pub(crate) fn all(count: usize) -> Self {
        let mut all = Self::default();
        (0..count as u32).for_each(|document| {
            all.insert(document);
        });
        all
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn has(&self, document: u32) -> bool {
        self.words.get(document as usize / 64).is_some_and(|word| word >> (document % 64) & 1 == 1)
    }

    /// Adds a document; false if it was there already.
    pub(crate) fn insert(&mut self, document: u32) -> bool {
        let word = document as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = !self.has(document);
        self.words[word] |= 1 << (document % 64);
        self.count += usize::from(is_new);
        is_new
    }

    /// Takes a document out, if it is there.
    pub(crate) fn remove(&mut self, document: u32) {
        if self.has(document) {
            self.words[document as usize / 64] &= !(1 << (document % 64));
            self.count -= 1;
        }
    }
}
