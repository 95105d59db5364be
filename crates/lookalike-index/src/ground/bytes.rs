//! Numbers and strings of the log as bytes, and back. Everything is little-endian.

/// Appends a number.
pub(crate) fn put_number(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

/// Appends a string of bytes after its length.
pub(crate) fn put_bytes(bytes: &mut Vec<u8>, string: &[u8]) {
    put_number(bytes, string.len() as u64);
    bytes.extend_from_slice(string);
}

/// Reads what the functions above have written; `None` beyond the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BytesReader<'a>(pub(crate) &'a [u8]);

impl<'a> BytesReader<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length)
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    /// As many numbers of N bytes as it says.
    pub(crate) fn numbers<const N: usize, T>(&mut self, read: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let bytes = self.bytes()?;
        bytes.len().is_multiple_of(N).then(|| bytes.as_chunks::<N>().0.iter().map(|&chunk| read(chunk)).collect())
    }
}
