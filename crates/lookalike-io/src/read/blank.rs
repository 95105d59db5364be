//! Blank bytes, of which a file may have gigabytes: they are passed over many at a time.

/// Bytes that are compared at a time.
const BLOCK: usize = 64;

/// Number of bytes at the beginning that are all like `is_like`.
pub(super) fn prefix(bytes: &[u8], is_like: impl Fn(u8) -> bool) -> usize {
    if !bytes.first().is_some_and(|&byte| is_like(byte)) {
        return 0;
    }
    // Without an early end in a block the compiler compares all of it at once.
    let all = |block: &&[u8]| block.iter().fold(true, |all, &byte| all & is_like(byte));
    let whole = BLOCK * bytes.chunks_exact(BLOCK).take_while(all).count();
    whole + bytes[whole..].iter().take_while(|&&byte| is_like(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_ends_at_the_first_other_byte() {
        for length in [0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3] {
            let mut bytes = vec![b'\n'; length];
            assert_eq!(prefix(&bytes, |byte| byte == b'\n'), length);
            bytes.extend(b"x\n\n");
            assert_eq!(prefix(&bytes, |byte| byte == b'\n'), length);
        }
    }
}
