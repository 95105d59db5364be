//! The manifest: which files belong to an index.

use super::Settings;
use super::files::{FREQUENCIES, is_numbered, log_name, order_name, segment_name};
use crate::disk::{Disk, Map, Section};
use crate::ground::{Error, Result};
use crate::segment::{Deleted, KIND, Part, Segment, open_directory};
use lookalike_core::Array;
use lookalike_core::measure::DocumentFrequencies;
use lookalike_core::method::ElementOrder;
use lookalike_core::stored::{Damage, Directory, INDEX_MANIFEST, Provenance, Writer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The file by which a folder is known as an index.
pub const MANIFEST: &str = INDEX_MANIFEST;
const NEW_MANIFEST: &str = "manifest.new";
const MANIFEST_KIND: &str = "index 2";
const ORDER_KIND: &str = "order of elements";
const FREQUENCIES_KIND: &str = "document frequencies";

/// What stands in a manifest beside the deleted documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) settings: Settings,
    pub(super) segments: Vec<SegmentFile>,
    /// The order by which new documents get their keys, and the documents that it was learned from; 0 for the one by
    /// hash.
    pub(super) order: u64,
    pub(super) learned_from: u64,
    /// Numbers of the logs. What the first ones say becomes a segment while the last is written to.
    pub(super) logs: Vec<u64>,
    /// The number that the next file gets.
    pub(super) next: u64,
    pub(super) has_frequencies: bool,
}

/// A segment that belongs to an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentFile {
    pub(super) number: u64,
    /// Number of the order by which its keys were chosen.
    pub(super) order: u64,
    pub(super) documents: u64,
    /// Words of 64 documents that say which are deleted.
    pub(super) deleted_words: u64,
}

impl Manifest {
    /// The names of all files that it speaks of.
    pub(super) fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = self.segments.iter().map(|segment| segment_name(segment.number)).collect();
        names.extend(self.logs.iter().copied().map(log_name));
        let mut orders: Vec<u64> = self.orders().filter(|&order| order > 0).collect();
        orders.sort_unstable();
        orders.dedup();
        names.extend(orders.into_iter().map(order_name));
        names.extend(self.has_frequencies.then(|| FREQUENCIES.to_owned()));
        names
    }

    /// The numbers of the orders that are in use.
    pub(super) fn orders(&self) -> impl Iterator<Item = u64> + '_ {
        self.segments.iter().map(|segment| segment.order).chain([self.order])
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
            // With files of an index, it has lost its manifest.
            let is_none = error.is_missing() && !disk.names().is_ok_and(|names| names.iter().any(|it| is_numbered(it)));
            if is_none { Error::NotAnIndex { path: disk.path().to_owned() } } else { error }
        })?;
        let path = disk.path_of(MANIFEST);
        let directory = open_directory(&map, MANIFEST_KIND, &path)?;
        let damaged = |damage| Error::damaged(&path, damage);
        let manifest: Self = directory.about().map_err(damaged)?;
        let words: Section<u64> = Section::open(&map, &directory, "deleted", &path)?;
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
            let segment = Segment::open(&disk.map(&name)?, &path, |number| orders.get(disk, number))?;
            if segment.len() as u64 != file.documents || deleted.count() > segment.len() {
                return Err(Error::damaged(&path, Damage::Directory));
            }
            Ok(Part { segment: Arc::new(segment), deleted })
        };
        self.segments.iter().zip(deleted).map(open).collect()
    }
}

/// The orders of an index that are in use, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Orders(BTreeMap<u64, Arc<ElementOrder>>);

impl Orders {
    /// An order by its number; 0 is the one by hash.
    pub(super) fn get(&mut self, disk: &dyn Disk, number: u64) -> Result<Arc<ElementOrder>> {
        if let Some(order) = self.0.get(&number) {
            return Ok(Arc::clone(order));
        }
        let order = Arc::new(if number == 0 { ElementOrder::by_hash() } else { read_order(disk, number)? });
        self.0.insert(number, Arc::clone(&order));
        Ok(order)
    }

    pub(super) fn insert(&mut self, number: u64, order: Arc<ElementOrder>) {
        self.0.insert(number, order);
    }

    /// Forgets all but these.
    pub(super) fn retain(&mut self, in_use: &[u64]) {
        self.0.retain(|number, _| in_use.contains(number));
    }
}

pub(super) fn write_order(disk: &dyn Disk, number: u64, order: &ElementOrder) -> Result<()> {
    let mut file = disk.create(&order_name(number))?;
    let mut writer = Writer::new(|bytes: &[u8]| file.write(bytes))?;
    writer.section("classes", [order.classes()])?;
    writer.finish(ORDER_KIND, &Provenance::new(), &())?;
    file.sync()
}

fn read_order(disk: &dyn Disk, number: u64) -> Result<ElementOrder> {
    let name = order_name(number);
    let (map, path) = (disk.map(&name)?, disk.path_of(&name));
    let directory = open_directory(&map, ORDER_KIND, &path)?;
    let classes: Section<u8> = Section::open(&map, &directory, "classes", &path)?;
    check_section(&map, "classes", &directory, &path)?;
    ElementOrder::from_classes(classes.to_vec())
        .map_err(|_| Error::damaged(&path, Damage::Section { name: "classes".to_owned() }))
}

fn check_section(map: &Map, name: &'static str, directory: &Directory, path: &Path) -> Result<()> {
    let checked = directory.section(name).and_then(|section| {
        section.check_all(&map[section.offset() as usize..(section.offset() + section.bytes()) as usize])
    });
    checked.map_err(|damage| Error::damaged(path, damage))
}

/// What stands in the file of document frequencies beside its sections.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct AboutFrequencies {
    documents: u64,
}

pub(super) fn write_frequencies(disk: &dyn Disk, frequencies: &DocumentFrequencies) -> Result<()> {
    let mut file = disk.create(FREQUENCIES)?;
    let mut writer = Writer::new(|bytes: &[u8]| file.write(bytes))?;
    writer.section("terms", frequencies.terms().chunks().map(bytemuck::cast_slice::<_, u8>))?;
    writer.section("counts", frequencies.counts().chunks().map(bytemuck::cast_slice::<_, u8>))?;
    let about = AboutFrequencies { documents: frequencies.documents() };
    writer.finish(FREQUENCIES_KIND, &Provenance::new(), &about)?;
    file.sync()
}

pub(super) fn read_frequencies(disk: &dyn Disk) -> Result<DocumentFrequencies> {
    let (map, path) = (disk.map(FREQUENCIES)?, disk.path_of(FREQUENCIES));
    let directory = open_directory(&map, FREQUENCIES_KIND, &path)?;
    let about: AboutFrequencies = directory.about().map_err(|damage| Error::damaged(&path, damage))?;
    let terms: Section<u64> = Section::open(&map, &directory, "terms", &path)?;
    let counts: Section<u32> = Section::open(&map, &directory, "counts", &path)?;
    for name in ["terms", "counts"] {
        check_section(&map, name, &directory, &path)?;
    }
    Ok(DocumentFrequencies::new(about.documents, Array::Owned(terms.to_vec()), Array::Owned(counts.to_vec()))?)
}

/// The kinds of containers by the beginning of a name.
pub(super) fn kind_of(name: &str) -> Option<&'static str> {
    match name {
        MANIFEST => Some(MANIFEST_KIND),
        FREQUENCIES => Some(FREQUENCIES_KIND),
        _ if name.starts_with("segment-") => Some(KIND),
        _ if name.starts_with("order-") => Some(ORDER_KIND),
        _ => None,
    }
}
