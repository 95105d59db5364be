//! A segment that is read: its sections where they lie.

use super::documents::{Facts, checksum_of};
use super::key_table::{KeyTable, KeyTableEntry, hash_of_id, hash_of_key};
use super::packed_sets::{sketch_of, unpack, unpack_words};
use crate::base::details::DocumentPart;
use crate::base::{Error, Result, SetBuffer, unpack_text};
use crate::disk::{Map, MappedArray};
use lookalike_core::documents::Form;
use lookalike_core::keys::ElementOrder;
use lookalike_core::stored::{Damage, Directory};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The kind of its container.
pub(crate) const KIND: &str = "index segment 2";

/// Content of a segment beside its sections.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About {
    pub(super) documents: usize,
    /// Number of the order by which its keys were chosen.
    pub(super) order: u64,
    /// Bytes of the signatures that stand for sets; 0 if sets are there.
    pub(super) signature_bytes: usize,
    /// Form of the words of documents.
    #[serde(default, skip_serializing_if = "Form::is_of_elements")]
    pub(super) words: Form,
    /// `true` if some documents are there for a time only.
    pub(super) expires: bool,
}

/// An immutable part of an index.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    pub(crate) sizes: MappedArray<u32>,
    signature_bytes: usize,
    words: Form,
    /// `true` if some documents are there for a time only.
    pub(crate) expires: bool,
    sets: Strings,
    count_offsets: MappedArray<u64>,
    counts: MappedArray<u32>,
    ids: Strings,
    facts: MappedArray<Facts>,
    fields: Strings,
    texts: Strings,
    pub(super) keys: KeyTable,
    id_table: KeyTable,
    pub(crate) order: Arc<ElementOrder>,
    map: Arc<Map>,
    pub(crate) directory: Arc<Directory>,
    path: PathBuf,
}

/// A set as it is packed in a segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredSet<'a> {
    pub(super) packed: &'a [u8],
    pub(super) counts: &'a [u32],
    pub(super) checksum: u64,
}

/// A string for each document.
#[derive(Debug, Clone)]
struct Strings {
    bytes: MappedArray<u8>,
    /// Begin of each string, and the end of the last; empty if all strings are.
    offsets: MappedArray<u64>,
}

impl Strings {
    fn get(&self, document: usize) -> &[u8] {
        let offsets = &*self.offsets;
        let range = match (offsets.get(document), offsets.get(document + 1)) {
            (Some(&begin), Some(&end)) => begin as usize..end as usize,
            _ => 0..0,
        };
        self.bytes.get(range).unwrap_or(&[])
    }

    fn is_for(&self, documents: usize) -> bool {
        let count = self.offsets.len();
        count == documents + 1 && self.offsets.last().is_some_and(|&end| end == self.bytes.len() as u64)
            || count == 0 && self.bytes.is_empty()
    }
}

impl Segment {
    /// The segment in a container at `path`; `order` finds an order by its number. Sections are not compared with their
    /// checksums: that is for `verify`, and documents have checksums of their own.
    ///
    /// # Errors
    /// [`Error::Damaged`] if it is no whole container of this version, or its sections do not fit each other.
    pub(crate) fn open(
        map: &Arc<Map>,
        path: &Path,
        order: impl FnOnce(u64) -> Result<Arc<ElementOrder>>,
    ) -> Result<Self> {
        let directory = open_directory(map, KIND, path)?;
        let About { documents, order: order_number, signature_bytes, words, expires } =
            directory.about().map_err(|damage| Error::damaged(path, damage))?;
        let strings = |bytes, offsets| {
            let bytes = MappedArray::open(map, &directory, bytes, path)?;
            let offsets = MappedArray::open(map, &directory, offsets, path)?;
            Result::Ok(Strings { bytes, offsets })
        };
        let table = |cells, entries| {
            let table = KeyTable::new(
                MappedArray::open(map, &directory, cells, path)?,
                MappedArray::open(map, &directory, entries, path)?,
            );
            table.ok_or_else(|| Error::damaged(path, Damage::Section { name: cells.to_owned() }))
        };
        let segment = Self {
            sizes: MappedArray::open(map, &directory, "sizes", path)?,
            signature_bytes,
            words,
            expires,
            sets: strings("sets", "set offsets")?,
            count_offsets: MappedArray::open(map, &directory, "count offsets", path)?,
            counts: MappedArray::open(map, &directory, "counts", path)?,
            ids: strings("ids", "id offsets")?,
            facts: MappedArray::open(map, &directory, "facts", path)?,
            fields: strings("fields", "field offsets")?,
            texts: strings("texts", "text offsets")?,
            keys: table("key cells", "keys")?,
            id_table: table("id cells", "id entries")?,
            order: order(order_number)?,
            map: Arc::clone(map),
            path: path.to_owned(),
            directory: Arc::new(directory),
        };
        let Self { sizes, sets, ids, facts, fields, texts, count_offsets, .. } = &segment;
        let have_all = [sets, ids, fields, texts].into_iter().all(|strings| strings.is_for(documents));
        let is_whole = have_all
            && sizes.len() == documents
            && facts.len() == documents
            && [0, documents + 1].contains(&count_offsets.len());
        if is_whole { Ok(segment) } else { Err(Error::damaged(path, Damage::Directory)) }
    }

    /// Compares all bytes with their checksums: before they are copied to where others will vouch for them.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub(crate) fn check_bytes(&self) -> Result<()> {
        check_sections(&self.map, &self.directory, &self.path)
    }

    /// Number of documents, those that were deleted included.
    pub(crate) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Size of the file, or of the memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    pub(crate) fn id(&self, document: usize) -> &str {
        std::str::from_utf8(self.ids.get(document)).unwrap_or("\u{fffd}")
    }

    pub(crate) fn size(&self, document: usize) -> usize {
        self.sizes[document] as usize
    }

    pub(crate) fn facts(&self, document: usize) -> &Facts {
        &self.facts[document]
    }

    pub(crate) fn fields(&self, document: usize) -> &[u8] {
        self.fields.get(document)
    }

    pub(crate) fn packed_text(&self, document: usize) -> &[u8] {
        self.texts.get(document)
    }

    /// The text of a document; empty if it is not stored.
    ///
    /// # Errors
    /// [`Error::DocumentDamaged`].
    pub(crate) fn text(&self, document: usize) -> Result<String> {
        unpack_text(self.texts.get(document)).ok_or(Error::DocumentDamaged { part: DocumentPart::Text })
    }

    /// The set of a document as it was written.
    ///
    /// # Errors
    /// [`Error::DocumentDamaged`] if it is another.
    pub(super) fn stored_set(&self, document: usize) -> Result<StoredSet<'_>> {
        let packed = self.sets.get(document);
        let checksum = self.facts(document).checksum;
        let counts = match (self.count_offsets.get(document), self.count_offsets.get(document + 1)) {
            (Some(&begin), Some(&end)) => self.counts.get(begin as usize..end as usize).unwrap_or(&[]),
            _ => &[],
        };
        if checksum != checksum_of(self.id(document), packed, counts) {
            return Err(Error::DocumentDamaged { part: DocumentPart::Elements });
        }
        Ok(StoredSet { packed, counts, checksum })
    }

    /// Puts the elements and counts of a document in place of those of `set`.
    ///
    /// # Errors
    /// [`Error::DocumentDamaged`] if they are not those that were written; [`Error::SignaturesOnly`].
    pub(crate) fn read_set(&self, document: usize, set: &mut SetBuffer) -> Result<()> {
        if self.signature_bytes > 0 {
            return Err(Error::SignaturesOnly);
        }
        let StoredSet { packed, counts, .. } = self.stored_set(document)?;
        set.counts.clear();
        set.counts.extend_from_slice(counts);
        let is_unpacked = match self.words {
            Form::Elements => unpack(packed, self.size(document), &mut set.elements),
            Form::Vector => unpack_words(packed, self.size(document), &mut set.elements),
        };
        if is_unpacked { Ok(()) } else { Err(Error::DocumentDamaged { part: DocumentPart::Elements }) }
    }

    /// Checks that the set of a document, or its signature, can be read.
    ///
    /// # Errors
    /// [`Error::DocumentDamaged`].
    pub(crate) fn check_set(&self, document: usize, set: &mut SetBuffer) -> Result<()> {
        match self.signature_bytes {
            0 => self.read_set(document, set),
            _ => self.signature(document).map(drop),
        }
    }

    /// The signature of a document; empty if it has no elements.
    ///
    /// # Errors
    /// [`Error::DocumentDamaged`].
    pub(crate) fn signature(&self, document: usize) -> Result<&[u8]> {
        let StoredSet { packed, .. } = self.stored_set(document)?;
        if !packed.is_empty() && packed.len() != self.signature_bytes {
            return Err(Error::DocumentDamaged { part: DocumentPart::Signature });
        }
        Ok(packed)
    }

    /// The odd sketch of a document; empty if it has none.
    #[inline]
    pub(crate) fn sketch(&self, document: usize) -> &[u64] {
        if self.signature_bytes > 0 || self.words == Form::Vector {
            return &[];
        }
        sketch_of(self.sets.get(document), self.size(document))
    }

    /// The documents under a blocking key, and some that are not.
    #[inline]
    pub(crate) fn postings(&self, key: u64) -> &[KeyTableEntry] {
        self.keys.get(hash_of_key(key))
    }

    /// Reads where the postings of a key begin, so that the processor fetches them.
    #[inline]
    pub(crate) fn touch(&self, key: u64) -> u32 {
        self.keys.touch(hash_of_key(key))
    }

    /// Number of postings.
    pub(crate) fn keys(&self) -> usize {
        self.keys.len()
    }

    /// The document with an id that `is_there`, if one has it.
    pub(crate) fn find(&self, id: &str, is_there: impl Fn(u32) -> bool) -> Option<u32> {
        let entries = self.id_table.get(hash_of_id(id));
        let documents = entries.iter().map(|entry| entry.document);
        documents.into_iter().find(|&document| {
            (document as usize) < self.len() && self.id(document as usize) == id && is_there(document)
        })
    }
}

/// Compares all sections of a container that is mapped with their checksums.
pub(crate) fn check_sections(map: &Map, directory: &Directory, path: &Path) -> Result<()> {
    for section in directory.sections() {
        let bytes = &map[section.offset() as usize..(section.offset() + section.bytes()) as usize];
        section.check_all(bytes).map_err(|damage| Error::damaged(path, damage))?;
    }
    Ok(())
}

/// The directory of a container that is mapped.
pub(crate) fn open_directory(map: &Map, kind: &'static str, path: &Path) -> Result<Directory> {
    let read = |range: std::ops::Range<u64>| Ok(map[range.start as usize..range.end as usize].to_vec());
    Directory::read::<Damage>(kind, map.len() as u64, read).map_err(|damage| Error::damaged(path, damage))
}
