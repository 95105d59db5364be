//! Writes a segment: section after section, to memory or to a file.

use super::documents::{Documents, Facts, checksum_of};
use super::key_entries::{KeyEntries, MIN_SHARED, id_table, on_threads};
use super::key_table::KeyTableEntry;
use super::live::SegmentContent;
use super::maker::SegmentMaker;
use super::packed_sets::SetForm;
use super::scheme::Scheme;
use super::segment::{About, KIND, Segment};
use crate::base::{Result, SetBuffer};
use crate::disk::Map;
use bytemuck::Pod;
use lookalike_core::keys::{Bounds, ElementOrder};
use lookalike_core::stored::{Provenance, Writer};
use std::ops::Range;
use std::sync::Arc;

/// Documents of which a chunk of a section is made.
const CHUNK_DOCUMENTS: usize = 1 << 10;
/// Keys of a document by methods other than the prefix filter, about.
const USUAL_KEYS: usize = 32;
/// Bytes of a document beside its set and its keys, and of what a segment has beside documents, about.
const USUAL_BYTES: usize = 128;

impl<'a> SegmentMaker<'a> {
    /// A maker of segments in memory, by one thread.
    pub(crate) fn in_memory_by(scheme: &'a Scheme, order: &'a ElementOrder, order_number: u64) -> Self {
        Self { scheme, order, order_number, threads: 1, memory_bytes: usize::MAX }
    }

    /// Returns whether a segment of this index has the keys that this maker would make.
    pub(super) fn has_keys_of(&self, segment: &Segment) -> bool {
        !self.scheme.keys.are_ordered() || std::ptr::eq(&*segment.order, self.order)
    }

    /// A segment in memory.
    pub(crate) fn in_memory(&self, content: SegmentContent<'_>, order: &Arc<ElementOrder>) -> Result<Segment> {
        let mut map = Map::with_capacity(self.expected_bytes(content.documents()));
        self.write(content, &Provenance::new(), &mut |some: &[u8]| {
            map.append(some);
            Ok(())
        })?;
        Segment::open(&Arc::new(map), "memory".as_ref(), |_| Ok(Arc::clone(order)))
    }

    /// About as many bytes as a segment of documents has, those of texts not counted.
    fn expected_bytes(&self, documents: &dyn Documents) -> usize {
        let sizes = (0..documents.len()).map(|document| documents.size(document));
        let of_document = |size| {
            let keys = self.expected_keys(size) * (size_of::<KeyTableEntry>() + size_of::<u32>());
            self.scheme.form.bytes_of(size) + keys + USUAL_BYTES
        };
        sizes.map(of_document).sum::<usize>() + USUAL_BYTES
    }

    /// Writes a segment to a sink.
    pub(crate) fn write(
        &self,
        content: SegmentContent<'_>,
        provenance: &Provenance,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let documents = content.documents();
        let mut sections = Sections { writer: Writer::new(sink)?, documents };
        let count = documents.len();
        let checksums = sections.sets(content, self)?;
        sections.strings(["ids", "id offsets"], |document| documents.id(document).as_bytes().to_vec())?;
        let facts = |range: Range<usize>| {
            let with = |document: usize| Facts { checksum: checksums[document], ..documents.facts(document) };
            Ok(range.map(with).collect::<Vec<_>>())
        };
        sections.by_document("facts", facts)?;
        sections.optional_strings(["fields", "field offsets"], |document| documents.fields(document).to_vec())?;
        sections.optional_strings(["texts", "text offsets"], |document| documents.text(document))?;
        let expected = (0..count).map(|document| self.expected_keys(documents.size(document))).sum();
        let mut keys = KeyEntries::new(content, self, expected);
        sections.chunks("keys", std::iter::from_fn(|| keys.next().transpose()))?;
        sections.one("key cells", keys.cells.finish()?)?;
        let (entries, cells) = id_table(documents)?;
        sections.one("id entries", entries)?;
        sections.one("id cells", cells)?;
        let expires = (0..count).any(|document| documents.facts(document).expires().is_some());
        let order = self.order_number;
        let signature_bytes = self.scheme.form.signature_bytes();
        let words = self.scheme.form.words();
        let about = About { documents: count, order, signature_bytes, words, expires };
        sections.writer.finish(KIND, provenance, &about)
    }

    fn expected_keys(&self, size: usize) -> usize {
        if !self.scheme.keys.are_ordered() {
            return USUAL_KEYS;
        }
        let has_all = self.scheme.measure.contained().is_some();
        if has_all { size } else { self.scheme.measure.prefix_length(size) }
    }
}

/// Writes the sections of a segment.
struct Sections<'a, S> {
    writer: Writer<S>,
    documents: &'a dyn Documents,
}

/// Chunk of a section.
struct Chunk<T>(Vec<T>);

impl<T: Pod> AsRef<[u8]> for Chunk<T> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

impl<S: FnMut(&[u8]) -> Result<()>> Sections<'_, S> {
    fn chunks<T: Pod>(&mut self, name: &str, chunks: impl Iterator<Item = Result<Vec<T>>>) -> Result<()> {
        let mut error = None;
        let some = chunks.map_while(|chunk| chunk.map_err(|found| error = Some(found)).ok());
        self.writer.section(name, some.map(Chunk))?;
        error.map_or(Ok(()), Err)
    }

    fn one<T: Pod>(&mut self, name: &str, items: Vec<T>) -> Result<()> {
        self.chunks(name, std::iter::once(Ok(items)))
    }

    fn by_document<T: Pod>(&mut self, name: &str, read: impl Fn(Range<usize>) -> Result<Vec<T>>) -> Result<()> {
        let count = self.documents.len();
        let starts = (0..count).step_by(CHUNK_DOCUMENTS);
        self.chunks(name, starts.map(|start| read(start..count.min(start + CHUNK_DOCUMENTS))))
    }

    /// Sizes, sets and counts; returns a checksum for each document.
    fn sets(&mut self, content: SegmentContent<'_>, maker: &SegmentMaker<'_>) -> Result<Vec<u64>> {
        let documents = self.documents;
        let count = documents.len();
        self.by_document("sizes", |range| Ok(range.map(|document| documents.size(document) as u32).collect()))?;
        let lengths = (0..count).map(|document| maker.scheme.form.bytes_of(documents.size(document)) as u64);
        self.one("set offsets", offsets(lengths))?;
        let mut checksums = Vec::with_capacity(count);
        let mut counts = Vec::new();
        let mut packed = packed_chunks(content, maker);
        let chunks = std::iter::from_fn(|| packed.next()).map(|chunk| {
            let PackedSets { bytes, checksums: some, counts: lengths } = chunk?;
            checksums.extend(some);
            counts.extend(lengths);
            Ok(bytes)
        });
        self.chunks("sets", chunks)?;
        let has_counts = counts.iter().any(|&count| count > 0);
        self.one("count offsets", if has_counts { offsets(counts.into_iter()) } else { Vec::new() })?;
        self.by_document("counts", |range| {
            let mut all = Vec::new();
            let mut set = SetBuffer::default();
            for document in range.filter(|_| has_counts) {
                all.extend_from_slice(documents.set(document, &mut set)?.1);
            }
            Ok(all)
        })?;
        Ok(checksums)
    }

    /// A string for each document, and where each begins.
    fn strings(&mut self, names: [&str; 2], of: impl Fn(usize) -> Vec<u8>) -> Result<()> {
        let mut lengths = Vec::new();
        let mut read = |document| {
            let string = of(document);
            lengths.push(string.len() as u64);
            string
        };
        let count = self.documents.len();
        let starts = (0..count).step_by(CHUNK_DOCUMENTS);
        let chunks = starts.map(|start| {
            let range = start..count.min(start + CHUNK_DOCUMENTS);
            Ok(range.flat_map(&mut read).collect())
        });
        self.chunks(names[0], chunks)?;
        self.one(names[1], offsets(lengths.into_iter()))
    }

    /// Writes a string for each document, or two empty sections if all strings are empty.
    fn optional_strings(&mut self, names: [&str; 2], of: impl Fn(usize) -> Vec<u8>) -> Result<()> {
        if (0..self.documents.len()).any(|document| !of(document).is_empty()) {
            return self.strings(names, of);
        }
        names.into_iter().try_for_each(|name| self.one::<u8>(name, Vec::new()))
    }
}

/// The packed sets of some documents, one after the other.
#[derive(Debug, Default)]
struct PackedSets {
    bytes: Vec<u8>,
    checksums: Vec<u64>,
    /// Number of counts of each document.
    counts: Vec<u64>,
}

/// The packed sets of all documents, a chunk at a time, made by all threads.
fn packed_chunks<'a>(
    content: SegmentContent<'a>,
    maker: &'a SegmentMaker<'_>,
) -> impl Iterator<Item = Result<PackedSets>> + 'a {
    let count = content.documents().len();
    let threads = if count < MIN_SHARED { 1 } else { maker.threads.max(1) };
    let step = threads * CHUNK_DOCUMENTS;
    let chunks = (0..count).step_by(step).map(move |start| start..count.min(start + step));
    chunks.flat_map(move |chunk| {
        let range_of = |thread: usize| {
            let at = |thread| chunk.start + chunk.len() * thread / threads;
            at(thread)..at(thread + 1)
        };
        let packed = on_threads(threads, |thread| packed_sets(content, maker.scheme.form.clone(), range_of(thread)));
        match packed.and_then(|packed| content.documents().advance(chunk.len()).map(|()| packed)) {
            Ok(packed) => packed.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        }
    })
}

fn packed_sets(content: SegmentContent<'_>, mut form: SetForm, range: Range<usize>) -> Result<PackedSets> {
    let mut packed = PackedSets::default();
    let mut set = SetBuffer::default();
    for document in range {
        let (checksum, counts) = match content {
            SegmentContent::New(documents) => {
                let (elements, counts) = documents.set(document, &mut set)?;
                let begin = packed.bytes.len();
                form.append(form.words().checked(elements)?, &mut packed.bytes);
                (checksum_of(documents.id(document), &packed.bytes[begin..], counts), counts)
            }
            SegmentContent::Merged(live) => {
                let stored = live.stored_set(document)?;
                packed.bytes.extend_from_slice(stored.packed);
                (stored.checksum, stored.counts)
            }
        };
        packed.checksums.push(checksum);
        packed.counts.push(counts.len() as u64);
    }
    Ok(packed)
}

/// Begins of items of these lengths, and the end of the last.
fn offsets(lengths: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut end = 0;
    let ends = lengths.map(|length| {
        end += length;
        end
    });
    std::iter::once(0).chain(ends).collect()
}
