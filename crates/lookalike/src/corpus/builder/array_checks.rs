//! Checks of arrays that an earlier run has left in the work folder: can they be those of a corpus? A checksum says
//! nothing about who made it.
//!
//! What is checked here is what later stages rely on without looking again: ends ascend, sets strictly ascend, and
//! records stand in their sources in the order of the documents. It is checked while the checksums are made, so no file
//! is read twice for it. Arrays that are refused were never saved.

use crate::corpus::records::RecordPlace;
use lookalike_core::documents::{ElementSet, Form};
use lookalike_io::{Source, sources::SourceKind};

/// No system has larger files; sums of two such lengths are numbers.
const MAX_FILE_BYTES: u64 = i64::MAX as u64;

/// A check of the elements of all sets, by where the sets end.
pub(super) struct SetsCheck<'a> {
    /// Ends of the current set and of those behind it.
    ends: &'a [u64],
    /// Number of elements that were looked at.
    looked_at: u64,
    /// The last element of the set that is looked at; `None` at its begin.
    last: Option<u64>,
    form: Form,
    /// The words of the vector that is looked at, so far.
    vector: Vec<u64>,
    is_right: bool,
}

impl<'a> SetsCheck<'a> {
    pub(super) fn new(ends: &'a [u64], form: Form) -> Self {
        Self { ends, looked_at: 0, last: None, form, vector: Vec::new(), is_right: ends.is_sorted() }
    }

    /// Looks at the next elements.
    pub(super) fn look_at(&mut self, mut elements: &[u64]) {
        while self.is_right && !elements.is_empty() {
            self.skip_ended();
            let Some(end) = self.ends.first() else {
                self.is_right = false;
                return;
            };
            let of_set = usize::try_from(end - self.looked_at).map_or(elements.len(), |left| left.min(elements.len()));
            let (piece, rest) = elements.split_at(of_set);
            self.looked_at += of_set as u64;
            self.is_right = match self.form {
                Form::Elements => self.ascends(piece),
                Form::Vector => self.is_part_of_vector(piece, *end),
            };
            elements = rest;
        }
    }

    /// Returns whether the next elements of a set ascend.
    fn ascends(&mut self, piece: &[u64]) -> bool {
        let follows = self.last.is_none_or(|last| piece.first().is_some_and(|&first| last < first));
        self.last = piece.last().copied();
        follows && ElementSet::new(piece).is_ok()
    }

    /// Returns whether the next words can be those of the vector that is looked at and ends at `end`: known at its end.
    fn is_part_of_vector(&mut self, piece: &[u64], end: u64) -> bool {
        self.vector.extend_from_slice(piece);
        if self.looked_at < end {
            return true;
        }
        let is_vector = self.form.checked(&self.vector).is_ok();
        self.vector.clear();
        is_vector
    }

    fn skip_ended(&mut self) {
        while let Some((_, later)) = self.ends.split_first().filter(|(end, _)| **end <= self.looked_at) {
            self.ends = later;
            self.last = None;
        }
    }

    /// Returns whether all sets are sets, and end where the elements do.
    pub(super) fn finish(mut self) -> bool {
        self.skip_ended();
        self.is_right && self.ends.is_empty()
    }
}

/// A check of where the records of all documents stand.
pub(super) struct PlacesCheck<'a> {
    sources: &'a [Source],
    /// Number of sources, and of documents, that are references.
    reference_sources: usize,
    references: usize,
    last: Option<RecordPlace>,
    is_right: bool,
}

impl<'a> PlacesCheck<'a> {
    /// Check of documents of these sources, the first `reference_sources` of which hold references.
    pub(super) fn new(sources: &'a [Source], reference_sources: usize) -> Self {
        Self { sources, reference_sources, references: 0, last: None, is_right: true }
    }

    /// Looks at the places of the next documents.
    pub(super) fn look_at(&mut self, places: &[RecordPlace]) {
        for place in places {
            self.is_right = self.is_right && self.may_be_next(place);
            self.references += usize::from(place.source < self.reference_sources as u64);
            self.last = Some(*place);
        }
    }

    fn may_be_next(&self, place: &RecordPlace) -> bool {
        let source = usize::try_from(place.source).ok().and_then(|source| self.sources.get(source));
        let end = place.offset.checked_add(place.length).filter(|&end| end <= MAX_FILE_BYTES);
        let (Some(source), Some(_)) = (source, end) else { return false };
        let before = match self.last {
            Some(last) if last.source > place.source => return false,
            last => last.filter(|last| last.source == place.source),
        };
        let is_later = before.is_none_or(|before| before.number < place.number);
        match &source.kind {
            SourceKind::TextFiles { files } => is_later && place.number < files.len() as u64,
            // Records that are copied by their bytes.
            SourceKind::Records { format, .. } if !format.has_columns() && !source.is_stored() => {
                place.number > 0
                    && before.is_none_or(|before| before.number <= place.number && before.span().end() <= place.offset)
            }
            SourceKind::Records { .. } | SourceKind::Index { .. } => is_later && place.number > 0,
            // Documents in memory are in no work folder.
            SourceKind::Memory { .. } => false,
        }
    }

    /// Returns whether all records can stand there, and `references` of them are those of references.
    pub(super) fn finish(self, references: usize) -> bool {
        self.is_right && self.references == references
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_io::sources::discover;
    use std::fs;

    fn are_sets(ends: &[u64], chunks: &[&[u64]]) -> bool {
        let mut check = SetsCheck::new(ends, Form::Elements);
        chunks.iter().for_each(|chunk| check.look_at(chunk));
        check.finish()
    }

    #[test]
    fn sets_ascend_and_end_where_their_elements_do() {
        for chunks in [&[&[1, 5, 9, 2, 3][..]][..], &[&[1, 5], &[9, 2], &[3]], &[&[1], &[], &[5, 9, 2, 3]]] {
            assert!(are_sets(&[0, 3, 3, 5, 5], chunks));
            assert!(!are_sets(&[0, 4, 4, 5], chunks), "9 and 2 in one set");
            assert!(!are_sets(&[3, 4], chunks), "an element of no set");
            assert!(!are_sets(&[3, 6], chunks), "an element that is missing");
            assert!(!are_sets(&[3, u64::MAX], chunks));
            assert!(!are_sets(&[3, 0, 5], chunks));
        }
        assert!(!are_sets(&[2], &[&[7], &[7]]));
        assert!(are_sets(&[], &[]) && are_sets(&[0, 0], &[]));
    }

    #[test]
    fn vectors_are_whole_and_end_where_their_words_do() {
        let one = [2, 2f64.to_bits(), 0x3F80_0000_3F80_0000];
        let are_vectors = |ends: &[u64], chunks: &[&[u64]]| {
            let mut check = SetsCheck::new(ends, Form::Vector);
            chunks.iter().for_each(|chunk| check.look_at(chunk));
            check.finish()
        };
        assert!(are_vectors(&[3, 6], &[&[one, one].concat()]));
        assert!(are_vectors(&[3, 6], &[&one[..1], &one[1..], &one[..2], &one[2..]]));
        assert!(!are_vectors(&[3, 5], &[&one, &one[..2]]));
        assert!(!are_vectors(&[3], &[&[2, 0, one[2]]]), "another norm");
        assert!(!are_vectors(&[3, 6], &[&one]));
    }

    #[test]
    fn places_are_in_their_sources_and_ascend() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.jsonl", "b.txt", "c.txt"] {
            fs::write(folder.path().join(name), "{}\n{}\n").unwrap();
        }
        let found = discover(&[folder.path().to_owned()]).unwrap();
        let of_texts = found.sources.iter().position(|source| source.record_format().is_none()).unwrap() as u64;
        let of_lines = 1 - of_texts;
        let place = |source, number, offset, length| RecordPlace { source, number, offset, length };
        let are_right = |places: &[RecordPlace], references| {
            let mut check = PlacesCheck::new(&found.sources, 0);
            places.iter().for_each(|place| check.look_at(&[*place]));
            check.finish(references)
        };
        let first = place(of_lines, 1, 0, 3);
        let second = place(of_lines, 2, 3, 3);
        let texts = [place(of_texts, 0, 0, 6), place(of_texts, 1, 0, 6)];
        assert!(are_right(&[first, second], 0) && are_right(&texts, 0) && are_right(&[second], 0));
        assert!(!are_right(&[first, second], 1));
        assert!(!are_right(&[second, first], 0) && !are_right(&[first, first], 0));
        assert!(!are_right(&[texts[1], texts[0]], 0) && !are_right(&[texts[0], texts[0]], 0));
        let later_source_first = [place(1, 1, 0, 3), place(0, 1, 0, 3)];
        assert!(!are_right(&later_source_first, 0));
        for wrong in [place(2, 1, 0, 3), place(u64::MAX, 1, 0, 3), place(of_lines, 0, 0, 3), place(of_texts, 2, 0, 6)] {
            assert!(!are_right(&[wrong], 0), "{wrong:?}");
        }
        assert!(!are_right(&[place(of_lines, 1, u64::MAX, 1)], 0));
    }
}
