//! The classes of bytes as tables for vector instructions that look up sixteen bytes at once.
//!
//! The class of a byte is the AND of an entry for its upper half and an entry for its lower half, from two tables of 16
//! entries. Each bit of the class is one rectangle of the ASCII table:
//!
//! ```text
//! bit  halves                     bytes         bit  halves                 bytes
//!  0   high 4 6, low 1-f          A-O a-o        4   high 2, low 7 e        ' .
//!  1   high 5 7, low 0-a          P-Z p-z        5   high 3, low a          :
//!  2   high 3, low 0-9            0-9            6   high 3, low b          ;
//!  3   high 5, low f              _              7   high 2, low c          ,
//! ```

use super::blocks::{AsciiBlocks, BLOCK, ByteClasses};

const LETTERS: u8 = 0b0000_0011;
const DIGITS: u8 = 0b0000_0100;
const UNDERSCORES: u8 = 0b0000_1000;
const BETWEEN_LETTERS: u8 = 0b0011_0000;
const BETWEEN_DIGITS: u8 = 0b1101_0000;

/// Class bits by the lower half of a byte.
pub(super) const BY_LOW: [u8; 16] = {
    let mut table = [0b0000_0001u8; 16];
    table[0] = 0;
    let mut low = 0;
    while low < 16 {
        if low <= 0xA {
            table[low] |= 0b10;
        }
        if low <= 9 {
            table[low] |= 0b100;
        }
        low += 1;
    }
    table[0xF] |= 0b1000;
    table[0x7] |= 0b1_0000;
    table[0xE] |= 0b1_0000;
    table[0xA] |= 0b10_0000;
    table[0xB] |= 0b100_0000;
    table[0xC] |= 0b1000_0000;
    table
};

/// Class bits by the upper half of a byte; no bits for halves from 8 on, which are not ASCII.
pub(super) const BY_HIGH: [u8; 16] = {
    let mut table = [0u8; 16];
    table[2] = 0b1001_0000;
    table[3] = 0b0110_0100;
    table[4] = 0b0001;
    table[5] = 0b1010;
    table[6] = 0b0001;
    table[7] = 0b0010;
    table
};

/// The masks of a block; `members` returns the mask of the bytes whose class has any of the given bits.
#[inline(always)]
pub(super) fn by_class(members: impl Fn(u8) -> u64) -> ByteClasses {
    ByteClasses {
        letters: members(LETTERS),
        digits: members(DIGITS),
        underscores: members(UNDERSCORES),
        between_letters: members(BETWEEN_LETTERS),
        between_digits: members(BETWEEN_DIGITS),
        starts: 0,
    }
}

/// Calls `classify` with each block of the text; the last block is padded with zeros, which have no class.
#[inline(always)]
pub(super) fn for_each_block(
    text: &[u8],
    blocks: &mut AsciiBlocks,
    classify: impl Fn(&[u8; BLOCK], &mut [u8; BLOCK]) -> ByteClasses,
) {
    let (whole, rest) = text.as_chunks::<BLOCK>();
    let (out, _) = blocks.bytes.as_chunks_mut::<BLOCK>();
    for (block, out) in whole.iter().zip(out.iter_mut()) {
        blocks.masks.push(classify(block, out));
    }
    if let (false, Some(out)) = (rest.is_empty(), out.get_mut(whole.len())) {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        blocks.masks.push(classify(&last, out));
    }
}
