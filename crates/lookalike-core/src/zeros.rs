//! Large arrays of bytes that are read and written all over the place.
//!
//! Each look into such an array also looks up where its page is in memory, and the processor remembers few pages. Systems that have
//! large pages (2 MiB instead of 4 KiB) lend them to those who ask.

use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};

/// Below this, ordinary pages do.
const LEAST_MAPPED_BYTES: usize = 8 << 20;

/// An array of bytes that were zero at first.
#[derive(Debug)]
pub(crate) enum Zeros {
    Owned(Vec<u8>),
    Mapped(MmapMut),
}

impl Zeros {
    /// So many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let mapped = (bytes >= LEAST_MAPPED_BYTES).then(|| MmapMut::map_anon(bytes));
        match mapped {
            Some(Ok(map)) => {
                // A wish: the array works without.
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                Self::Mapped(map)
            }
            _ => Self::Owned(vec![0; bytes]),
        }
    }
}

impl Default for Zeros {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl Clone for Zeros {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl Deref for Zeros {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

impl DerefMut for Zeros {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sizes_begin_with_zeros_and_keep_what_is_written() {
        for bytes in [0, 1, LEAST_MAPPED_BYTES - 1, LEAST_MAPPED_BYTES, LEAST_MAPPED_BYTES + 5] {
            let mut zeros = Zeros::new(bytes);
            assert!(zeros.len() == bytes && zeros.iter().all(|&byte| byte == 0));
            if let Some(last) = zeros.last_mut() {
                *last = 7;
            }
            assert_eq!(zeros.clone().last(), zeros.last());
        }
    }
}
