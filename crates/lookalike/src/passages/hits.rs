//! Hits of queries in sources, until all sources are counted: in memory, or in a file.

use crate::base::Result;
use crate::spill::{Spill, SpillColumn};
use lookalike_core::passages::{TokenSpans, WindowRun};
use lookalike_core::{Array, DocId};

/// Hits of the queries in a source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SourceHits {
    pub(super) source: DocId,
    pub(super) runs: Vec<WindowRun>,
    /// Places of the tokens of the runs.
    pub(super) spans: TokenSpans,
    /// Hash of all its tokens, if it stands in a snapshot.
    pub(super) stored_content: Option<u64>,
}

/// Bytes of the length before each source.
const LENGTH_BYTES: usize = size_of::<u64>();

impl SourceHits {
    /// The hits as bytes, which take a tenth of the memory.
    pub(super) fn encode(&self) -> Vec<u8> {
        let Self { source, runs, spans, stored_content } = self;
        let mut bytes = vec![0; LENGTH_BYTES];
        bytes.extend(source.0.to_le_bytes());
        bytes.push(stored_content.is_some().into());
        bytes.extend(stored_content.unwrap_or(0).to_le_bytes());
        bytes.extend((runs.len() as u64).to_le_bytes());
        for &WindowRun { at, place, windows } in runs {
            [at, place, windows].into_iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        spans.append_to(&mut bytes);
        let length = (bytes.len() - LENGTH_BYTES) as u64;
        bytes[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    fn decode(mut bytes: &[u8]) -> Option<Self> {
        let bytes = &mut bytes;
        let source = DocId(take(bytes).map(u32::from_le_bytes)?);
        let [is_stored] = take(bytes)?;
        let content = take(bytes).map(u64::from_le_bytes)?;
        let count = take(bytes).map(u64::from_le_bytes)?;
        let mut runs = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let at = take(bytes).map(u32::from_le_bytes)?;
            let place = take(bytes).map(u32::from_le_bytes)?;
            let windows = take(bytes).map(u32::from_le_bytes)?;
            runs.push(WindowRun { at, place, windows });
        }
        let spans = TokenSpans::take_from(bytes)?;
        Some(Self { source, runs, spans, stored_content: (is_stored == 1).then_some(content) })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// Hits of the queries in all sources.
pub(super) struct FoundHits<'s> {
    spill: &'s Spill,
    max_bytes: usize,
    encoded: SpillColumn<u8>,
    /// References with fewer tokens than a window.
    pub(super) short_references: u64,
}

impl<'s> FoundHits<'s> {
    /// No hits yet; more than `max_bytes` go to a file.
    pub(super) fn new(spill: &'s Spill, max_bytes: usize) -> Self {
        Self { spill, max_bytes, encoded: SpillColumn::default(), short_references: 0 }
    }

    /// Adds a source, encoded.
    pub(super) fn push(&mut self, encoded: &[u8]) -> Result<()> {
        let bytes = self.encoded.len() + encoded.len();
        if bytes > self.max_bytes {
            self.encoded.move_to_file(self.spill)?;
        }
        self.encoded.extend(encoded, self.spill)
    }

    /// Sources, as they came.
    pub(super) fn finish(self) -> Result<StoredHits<'s>> {
        Ok(StoredHits { spill: self.spill, encoded: self.encoded.finish(self.spill)? })
    }
}

/// Hits of the queries in all sources, to be read once.
pub(super) struct StoredHits<'s> {
    spill: &'s Spill,
    encoded: Array<u8>,
}

impl StoredHits<'_> {
    /// Sources, as they came.
    pub(super) fn iter(&self) -> impl Iterator<Item = Result<SourceHits>> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let begin = at + LENGTH_BYTES;
            if at == self.encoded.len() {
                return None;
            }
            let mut length = self.encoded.slice(at..begin);
            let end = begin + take(&mut length).map(u64::from_le_bytes)? as usize;
            at = end;
            Some(SourceHits::decode(self.encoded.slice(begin..end)).ok_or_else(|| self.spill.changed()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::session_with;
    use lookalike_core::comparison::Features;
    use lookalike_core::sets::ShingleOptions;

    #[test]
    fn what_sources_have_comes_back_from_memory_and_from_a_file() {
        let session = session_with(1, 64 << 20);
        let features = Features::shingles(ShingleOptions::words(2));
        let mut shingler = features.shingler(session.kernel());
        let text = "one two\nthree four five six seven\n".repeat(20);
        let mut hits = |number: u32| SourceHits {
            source: DocId(number),
            runs: (0..number % 4).map(|run| WindowRun { at: 9 * run, place: number, windows: 1 + run }).collect(),
            spans: TokenSpans::of_ranges(&text, &mut shingler, [1..3, 2..4, 40..90 + number as usize % 9]),
            stored_content: number.is_multiple_of(2).then_some(u64::MAX - u64::from(number)),
        };
        let all: Vec<SourceHits> = (0..50).map(&mut hits).collect();
        for max_bytes in [usize::MAX, 1000, 0] {
            let mut found = FoundHits::new(&session.spill, max_bytes);
            all.iter().for_each(|hits| found.push(&hits.encode()).unwrap());
            assert_eq!(found.encoded.is_in_file(), max_bytes < usize::MAX);
            assert_eq!(found.finish().unwrap().iter().collect::<Result<Vec<_>>>().unwrap(), all);
        }
    }
}
