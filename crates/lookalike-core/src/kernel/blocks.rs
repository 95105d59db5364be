//! The data that all versions of the inner loops read and write.
//!
//! Numbers of many documents stand side by side ([`LaneRow`]) for one document that is compared with all of them:
//!
//! ```text
//! row 0    number 0 to 3 of document 0, of document 1, ... of document 63
//! row 1    number 4 to 7 of document 0, ...
//! ```
//!
//! A lane of a register belongs to one document, so that sums of products need no sum over lanes. Turned down: the
//! numbers of each document behind each other, where that sum costs more than the products of 64 numbers.

/// Component of the signature of an empty set; every component of another set is smaller.
pub const EMPTY_COMPONENT: u32 = u32::MAX;

/// Choice whether ASCII capitals are mapped to lower case while a text is classified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LetterCase {
    Lower,
    AsIs,
}

/// Choice whether signs that look like an apostrophe become one while a text is classified. In ASCII that is the grave
/// accent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Apostrophes {
    Alike,
    AsIs,
}

/// Form that ASCII text takes while it is classified. The classes are those of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AsciiForm {
    pub(crate) case: LetterCase,
    pub(crate) apostrophes: Apostrophes,
}

impl AsciiForm {
    /// The bits that differ between a grave accent and what it becomes.
    pub(super) fn difference_of_grave(self) -> u8 {
        match self.apostrophes {
            Apostrophes::Alike => b'`' ^ b'\'',
            Apostrophes::AsIs => 0,
        }
    }

    /// The bits that differ between a capital and what it becomes.
    pub(super) fn difference_of_capitals(self) -> u8 {
        match self.case {
            LetterCase::Lower => b'A' ^ b'a',
            LetterCase::AsIs => 0,
        }
    }
}

/// Bytes per block; each is one bit of a mask.
pub(crate) const BLOCK: usize = 64;
/// Bytes after the last block that must be readable; their content is arbitrary.
pub(crate) const PADDING: usize = 16;

/// A text in the requested form, and the classes of its bytes as bit masks, one set of masks per 64 bytes.
#[derive(Debug, Default, Clone)]
pub(crate) struct AsciiBlocks {
    /// The text, followed by at least [`PADDING`] bytes of arbitrary content, such as the rest of an earlier text.
    pub(crate) bytes: Vec<u8>,
    /// The classes of each block, in order.
    pub(crate) masks: Vec<ByteClasses>,
}

/// One mask per class: bit i tells whether byte i of the block belongs to it. Bytes after the text belong to none.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByteClasses {
    pub(crate) letters: u64,
    pub(crate) digits: u64,
    pub(crate) underscores: u64,
    /// `.` `'` `:`, which join the letter before them to the letter after them.
    pub(crate) between_letters: u64,
    /// `.` `'` `,` `;`, which join the digit before them to the digit after them.
    pub(crate) between_digits: u64,
    /// Bytes that start a word even directly after another word. No ASCII byte does: kernels leave this mask empty.
    pub(crate) starts: u64,
}

impl AsciiBlocks {
    /// Reserves memory for a text of `length` bytes and removes the masks of the previous text.
    pub(super) fn prepare(&mut self, length: usize) {
        let needed = length.next_multiple_of(BLOCK) + PADDING;
        if self.bytes.len() < needed {
            self.bytes.resize(needed, 0);
        }
        self.masks.clear();
    }
}

/// Documents side by side.
pub(crate) const LANES: usize = 64;

/// Four consecutive numbers of each of [`LANES`] documents, of which none is negative.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct LaneRow(pub(crate) [[i8; 4]; LANES]);

impl LaneRow {
    /// Zeros.
    pub(crate) const ZERO: Self = Self([[0; 4]; LANES]);
}
