//! Strings of JSON without their escapes: a block is copied whole, and its escapes are looked for in the copy.
//!
//! ```text
//! string   a b c \\ n d e \\ u 0 0 e 9 "
//! mask     0 0 0 1 0 0 0 1 ...               backslashes and quotation marks
//! text     a b c                             the copy is cut off at the first one,
//!                LF                          the character of the escape takes its place,
//!                   d e                      and the next block begins behind it
//! ```

#![expect(unsafe_code, reason = "bytes of a string, which is UTF-8 whenever it is seen")]

/// One entry for each byte behind a backslash: its character, or 0 where the escape has none of its own.
pub(super) const ESCAPED: [u8; 256] = {
    let mut escaped = [0; 256];
    let pairs = *b"\"\"\\\\//b\x08f\x0cn\nr\rt\t";
    let mut at = 0;
    while at < pairs.len() {
        escaped[pairs[at] as usize] = pairs[at + 1];
        at += 2;
    }
    escaped
};

/// The scalar version.
pub(super) fn unescape(rest: &str, at: usize, text: &mut String) -> usize {
    const WORD: usize = size_of::<u64>();
    unescape_inline::<WORD>(rest, at, text, |word| {
        const ONES: u64 = u64::from_le_bytes([1; WORD]);
        const UPPER_BITS: u64 = u64::from_le_bytes([0x80; WORD]);
        let word = u64::from_le_bytes(*word);
        // Subtracting 1 from each byte sets the upper bit of those that are zero, and perhaps of some above them.
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & UPPER_BITS;
        let equal_to = |byte: u8| zeros(word ^ u64::from_le_bytes([byte; WORD]));
        (equal_to(b'"') | equal_to(b'\\')).trailing_zeros() as usize / WORD
    })
}

/// The body of all versions; `first_special` returns the index of the first quotation mark or backslash of a block, or
/// the length of the block.
#[inline(always)]
pub(super) fn unescape_inline<const BLOCK: usize>(
    rest: &str,
    mut at: usize,
    text: &mut String,
    first_special: impl Fn(&[u8; BLOCK]) -> usize,
) -> usize {
    if !rest.is_char_boundary(at) {
        return at;
    }
    let rest = rest.as_bytes();
    // SAFETY: the bytes are those of a string from one character to another, a quotation mark, a backslash or its end,
    // and characters of ASCII, whenever this function returns.
    let text = unsafe { text.as_mut_vec() };
    loop {
        let before = text.len();
        match rest[at..].first_chunk::<BLOCK>() {
            Some(block) => {
                text.extend_from_slice(block);
                let plain = first_special(block);
                at += plain;
                if plain == BLOCK {
                    continue;
                }
                text.truncate(before + plain);
            }
            None => {
                let plain = rest[at..].iter().take_while(|&&byte| byte != b'"' && byte != b'\\').count();
                text.extend_from_slice(&rest[at..at + plain]);
                at += plain;
            }
        }
        let escaped = match rest.get(at..at + 2) {
            Some(&[b'\\', escaped]) => ESCAPED[usize::from(escaped)],
            _ => 0,
        };
        if escaped == 0 {
            return at;
        }
        text.push(escaped);
        at += 2;
    }
}
