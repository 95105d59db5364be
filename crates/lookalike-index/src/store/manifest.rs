//! The manifest: which files belong to an index, and the names of files.

use super::Settings;
use crate::base::{Error, IndexId, Result};
use crate::disk::{Disk, Map, MappedArray};
use crate::log::LogFile;
use crate::segment::{Deleted, KIND, Part, Segment, check_sections, open_directory};
use lookalike_core::Array;
use lookalike_core::keys::ElementOrder;
use lookalike_core::stored::{Damage, Directory, INDEX_MANIFEST, Provenance, Writer};
use lookalike_core::terms::DocumentFrequencies;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The file by which a folder is known as an index.
pub const MANIFEST: &str = INDEX_MANIFEST;
/// A manifest that is not in force yet.
pub(super) const NEW_MANIFEST: &str = "manifest.new";
const MANIFEST_KIND: &str = "index 3";
/// Version of the layout of an index, and the kinds of the manifests of earlier ones.
const LAYOUT: u32 = 3;
const EARLIER_KINDS: [(&str, u32); 2] = [("index", 1), ("index 2", 2)];
const ORDER_KIND: &str = "order of elements";
const FREQUENCIES_KIND: &str = "document frequencies";

pub(super) fn segment_name(number: u64) -> String {
    format!("segment-{number:06}")
}

pub(super) fn order_name(number: u64) -> String {
    format!("order-{number:06}")
}

pub(super) fn log_name(number: u64) -> String {
    format!("log-{number:06}")
}

/// Returns whether a file is one that an index writes by number.
pub(super) fn is_numbered(name: &str) -> bool {
    let digits = ["segment-", "order-", "log-"].into_iter().find_map(|kind| name.strip_prefix(kind));
    digits.is_some_and(|digits| digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

const FREQUENCIES: &str = "frequencies";

/// Content of a manifest beside the deleted documents.
///
/// It names each file with the checksum of its directory, so that a file of another index or an older copy is refused.
/// An older manifest is refused because a file is missing: each but that of a writer that ends takes the place of one
/// of which a log or a segment is removed. That one only says how long the log has become.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IndexManifest {
    pub(super) index: IndexId,
    pub(super) settings: Settings,
    pub(super) segments: Vec<SegmentFile>,
    /// Number of the order by which new documents get their keys, and of the documents that it was learned from; 0 for
    /// the one by hash.
    pub(super) order: u64,
    pub(super) learned_from: u64,
    /// Orders that segments and new documents use, but the one by hash.
    pub(super) orders: Vec<OrderFile>,
    /// The logs. What the first ones say becomes a segment while the last is written to.
    pub(super) logs: Vec<LogFile>,
    /// The number that the next file gets.
    pub(super) next: u64,
    /// Checksum of the directory of the document frequencies, if there are any.
    pub(super) frequencies: Option<u64>,
}

/// A segment that belongs to an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentFile {
    pub(super) number: u64,
    /// Checksum of its directory.
    pub(super) directory: u64,
    /// Number of the order by which its keys were chosen.
    pub(super) order: u64,
    pub(super) documents: u64,
    /// Words of 64 documents that say which are deleted.
    pub(super) deleted_words: u64,
}

/// An order of elements that belongs to an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderFile {
    pub(super) number: u64,
    /// Checksum of its directory.
    pub(super) directory: u64,
}

/// A file of an index that is a container.
#[derive(Debug)]
pub(super) struct ContainerFile {
    pub(super) name: String,
    kind: &'static str,
    /// Checksum of its directory.
    directory: u64,
}

impl IndexManifest {
    /// The names of all files that it names.
    pub(super) fn files(&self) -> Vec<String> {
        let containers = self.containers().map(|file| file.name);
        containers.chain(self.logs.iter().map(|log| log_name(log.number))).collect()
    }

    /// The files that it names but for the logs.
    pub(super) fn containers(&self) -> impl Iterator<Item = ContainerFile> + '_ {
        let file = |name, kind, directory| ContainerFile { name, kind, directory };
        let segments = self.segments.iter().map(move |it| file(segment_name(it.number), KIND, it.directory));
        let orders = self.orders.iter().map(move |it| file(order_name(it.number), ORDER_KIND, it.directory));
        let frequencies = self.frequencies.map(|directory| file(FREQUENCIES.to_owned(), FREQUENCIES_KIND, directory));
        segments.chain(orders).chain(frequencies)
    }

    /// The numbers of the orders that are in use.
    pub(super) fn orders_in_use(&self) -> impl Iterator<Item = u64> + '_ {
        self.segments.iter().map(|segment| segment.order).chain([self.order])
    }

    /// Names an order that segments may use.
    pub(super) fn add_order(&mut self, file: OrderFile) {
        let number = file.number;
        // 0 is the order by hash, which has no file.
        if number > 0 && self.orders.iter().all(|known| known.number != number) {
            self.orders.push(file);
        }
    }

    /// Opens a container and checks that it is the one that is named.
    pub(super) fn open_container(&self, disk: &dyn Disk, file: &ContainerFile) -> Result<(Arc<Map>, Directory)> {
        let map = disk.map(&file.name)?;
        let path = disk.path_of(&file.name);
        let directory = open_directory(&map, file.kind, &path)?;
        self.index.check(&directory, file.directory, &path)?;
        Ok((map, directory))
    }

    /// Writes a manifest that is not in force yet, with the deleted documents of each segment.
    pub(super) fn write(&self, disk: &dyn Disk, deleted: &[Arc<Deleted>]) -> Result<()> {
        // Another writer may have written its own, which is not in force yet.
        disk.check_lock()?;
        let mut file = disk.create(NEW_MANIFEST)?;
        let mut writer = Writer::new(|bytes: &[u8]| file.write(bytes))?;
        writer.section("deleted", deleted.iter().map(|deleted| bytemuck::cast_slice::<_, u8>(deleted.words())))?;
        writer.finish(MANIFEST_KIND, &Provenance::new().with_features(&self.settings.features)?, self)?;
        file.sync()?;
        // The files that it names have their names before it has its own.
        disk.sync_names()?;
        disk.check_lock()
    }

    /// Replaces the manifest by the one that was written. After an error either of them may be in force.
    pub(super) fn replace(disk: &dyn Disk) -> Result<()> {
        disk.rename(NEW_MANIFEST, MANIFEST)?;
        disk.sync_names()
    }

    /// Reads the manifest of a disk, and the deleted documents of each segment.
    ///
    /// # Errors
    /// [`Error::NotAnIndex`]; [`Error::Damaged`].
    pub(super) fn read(disk: &dyn Disk) -> Result<(Self, Vec<Arc<Deleted>>)> {
        let map = disk.map(MANIFEST).map_err(|error| {
            // A folder with files of an index has lost its manifest.
            let is_none = error.is_missing() && !disk.names().is_ok_and(|names| names.iter().any(|it| is_numbered(it)));
            if is_none { Error::NotAnIndex { path: disk.path().to_owned() } } else { error }
        })?;
        let path = disk.path_of(MANIFEST);
        let directory = open_directory(&map, MANIFEST_KIND, &path).map_err(name_version)?;
        let damaged = |damage| Error::damaged(&path, damage);
        let manifest: Self = directory.about().map_err(damaged)?;
        let words: MappedArray<u64> = MappedArray::open(&map, &directory, "deleted", &path)?;
        let section = directory.section("deleted").map_err(damaged)?;
        section.check_all(bytemuck::cast_slice(&words)).map_err(damaged)?;
        let mut rest: &[u64] = &words;
        let mut deleted = Vec::new();
        for segment in &manifest.segments {
            let (some, others) =
                rest.split_at_checked(segment.deleted_words as usize).ok_or_else(|| damaged(Damage::Directory))?;
            deleted.push(Arc::new(Deleted::from_words(some.to_vec())));
            rest = others;
        }
        let present = Provenance::new().with_features(&manifest.settings.features)?;
        if let Some(difference) = present.difference(directory.provenance()) {
            return Err(Error::OtherFeatures { difference });
        }
        Ok((manifest, deleted))
    }

    /// Writes the frequencies of an index that is made, and names them.
    pub(super) fn write_frequencies(&mut self, disk: &dyn Disk, frequencies: &DocumentFrequencies) -> Result<()> {
        let mut file = disk.create(FREQUENCIES)?;
        let mut writer = Writer::new(|bytes: &[u8]| file.write(bytes))?;
        writer.section("terms", frequencies.terms().chunks().map(bytemuck::cast_slice::<_, u8>))?;
        writer.section("counts", frequencies.counts().chunks().map(bytemuck::cast_slice::<_, u8>))?;
        let about = AboutFrequencies { documents: frequencies.documents() };
        writer.finish(FREQUENCIES_KIND, &self.index.provenance(), &about)?;
        file.sync()?;
        self.frequencies = Some(checksum_of_directory(disk, FREQUENCIES, FREQUENCIES_KIND)?);
        Ok(())
    }

    /// The document frequencies, if there are any.
    pub(super) fn read_frequencies(&self, disk: &dyn Disk) -> Result<Option<DocumentFrequencies>> {
        let Some(file) = self.containers().find(|file| file.kind == FREQUENCIES_KIND) else { return Ok(None) };
        let (map, directory) = self.open_container(disk, &file)?;
        let path = disk.path_of(FREQUENCIES);
        let about: AboutFrequencies = directory.about().map_err(|damage| Error::damaged(&path, damage))?;
        let terms: MappedArray<u64> = MappedArray::open(&map, &directory, "terms", &path)?;
        let counts: MappedArray<u32> = MappedArray::open(&map, &directory, "counts", &path)?;
        check_sections(&map, &directory, &path)?;
        let terms = Array::Owned(terms.to_vec());
        let counts = Array::Owned(counts.to_vec());
        Ok(Some(DocumentFrequencies::new(about.documents, terms, counts)?))
    }

    fn read_order(&self, disk: &dyn Disk, number: u64) -> Result<ElementOrder> {
        let name = order_name(number);
        let path = disk.path_of(&name);
        let not_named = || Error::damaged(&disk.path_of(MANIFEST), Damage::Directory);
        let file = self.containers().find(|file| file.name == name).ok_or_else(not_named)?;
        let (map, directory) = self.open_container(disk, &file)?;
        let classes: MappedArray<u8> = MappedArray::open(&map, &directory, "classes", &path)?;
        check_sections(&map, &directory, &path)?;
        ElementOrder::from_classes(classes.to_vec())
            .map_err(|_| Error::damaged(&path, Damage::Section { name: "classes".to_owned() }))
    }

    /// Opens all segments.
    pub(super) fn open_segments(
        &self,
        disk: &dyn Disk,
        deleted: Vec<Arc<Deleted>>,
        orders: &mut Orders,
    ) -> Result<Vec<Part>> {
        let open = |(file, deleted): (&SegmentFile, Arc<Deleted>)| {
            let name = segment_name(file.number);
            let path = disk.path_of(&name);
            let segment = Segment::open(&disk.map(&name)?, &path, |number| orders.get(disk, self, number))?;
            self.index.check(&segment.directory, file.directory, &path)?;
            if segment.len() as u64 != file.documents || deleted.count() > segment.len() {
                return Err(Error::damaged(&path, Damage::Directory));
            }
            Ok(Part { segment: Arc::new(segment), deleted })
        };
        self.segments.iter().zip(deleted).map(open).collect()
    }
}

/// The error of a manifest of an earlier version says which it is.
fn name_version(error: Error) -> Error {
    match error {
        Error::Damaged { path, damage: Damage::Kind { expected, found } } => {
            let earlier = EARLIER_KINDS.iter().find(|(kind, _)| *kind == found);
            let damage = match earlier {
                Some(&(_, version)) => Damage::Version { expected: LAYOUT, found: version },
                None => Damage::Kind { expected, found },
            };
            Error::Damaged { path, damage }
        }
        other => other,
    }
}

/// The orders of an index that are in use, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Orders(pub(super) BTreeMap<u64, Arc<ElementOrder>>);

impl Orders {
    /// An order by its number; 0 is the one by hash.
    pub(super) fn get(&mut self, disk: &dyn Disk, manifest: &IndexManifest, number: u64) -> Result<Arc<ElementOrder>> {
        if let Some(order) = self.0.get(&number) {
            return Ok(Arc::clone(order));
        }
        let order = Arc::new(if number == 0 { ElementOrder::by_hash() } else { manifest.read_order(disk, number)? });
        self.0.insert(number, Arc::clone(&order));
        Ok(order)
    }
}

/// Writes an order of an index.
pub(super) fn write_order(disk: &dyn Disk, index: IndexId, number: u64, order: &ElementOrder) -> Result<OrderFile> {
    let name = order_name(number);
    let mut file = disk.create(&name)?;
    let mut writer = Writer::new(|bytes: &[u8]| file.write(bytes))?;
    writer.section("classes", [order.classes()])?;
    writer.finish(ORDER_KIND, &index.provenance(), &())?;
    file.sync()?;
    Ok(OrderFile { number, directory: checksum_of_directory(disk, &name, ORDER_KIND)? })
}

fn checksum_of_directory(disk: &dyn Disk, name: &str, kind: &'static str) -> Result<u64> {
    Ok(open_directory(&*disk.map(name)?, kind, &disk.path_of(name))?.checksum())
}

/// Content of the file of document frequencies beside its sections.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct AboutFrequencies {
    documents: u64,
}
