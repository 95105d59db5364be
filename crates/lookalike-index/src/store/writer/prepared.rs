//! How an index takes the place of its former state: all is written beside it, and the rename of the manifest decides.

use super::IndexWriter;
use crate::ground::Result;
use crate::log::LogWriter;
use crate::segment::{Deleted, Documents, Part, Segment, SegmentMaker};
use crate::store::files::{is_numbered, log_name, segment_name};
use crate::store::manifest::{Manifest, SegmentFile, write_order};
use crate::store::order::{is_worth_learning, learn};
use crate::view::View;
use lookalike_core::method::ElementOrder;
use std::sync::Arc;

/// What the files of an index that is not in force yet say.
#[derive(Debug)]
pub(super) struct Written {
    parts: Vec<Part>,
    manifest: Manifest,
    order: Arc<ElementOrder>,
    log: LogWriter,
}

/// Documents that are written to an index and not there yet. Dropped, they never are.
#[derive(Debug)]
pub struct Prepared<'a> {
    pub(super) writer: &'a mut IndexWriter,
    pub(super) replaced: u64,
    pub(super) written: Written,
}

impl Prepared<'_> {
    /// Number of documents that the index will have, those that expire included.
    pub fn documents(&self) -> u64 {
        self.written.parts.iter().map(|part| part.live() as u64).sum()
    }

    /// Number of documents of the index that others take the place of.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Size of the segments that the index will have, in bytes.
    pub fn bytes(&self) -> u64 {
        self.written.parts.iter().map(|part| part.segment.bytes()).sum()
    }

    /// Adds the documents.
    ///
    /// # Errors
    /// If the disk fails: then they are there, or none is, when the index is opened again. [`Error::LockLost`].
    pub fn commit(self) -> Result<()> {
        let Self { writer, replaced: _, written } = self;
        writer.check()?;
        writer.put_in_force(written)?;
        // The documents are there, whatever becomes of merging.
        let last = writer.files.saturating_sub(1);
        let begin = writer.begin_of_merged(last);
        if begin < last {
            let _ = writer.rewrite(begin);
        }
        Ok(())
    }
}

impl IndexWriter {
    /// Puts an index of these parts, which are in files, and of a new segment in the place of this one.
    pub(super) fn install(&mut self, parts: Vec<Part>, documents: &dyn Documents) -> Result<()> {
        let written = self.write_parts(parts, documents)?;
        self.put_in_force(written)
    }

    /// Writes an index of these parts, which are in files, and of a new segment beside this one.
    pub(super) fn write_parts(&mut self, mut parts: Vec<Part>, documents: &dyn Documents) -> Result<Written> {
        let mut next = self.manifest.next;
        let mut new_number = || {
            next += 1;
            next - 1
        };
        let mut manifest = self.manifest.clone();
        let count = documents.len() as u64;
        let mut order = Arc::clone(&self.order);
        if self.index.asking().keys.are_ordered() && is_worth_learning(count, manifest.learned_from) {
            order = Arc::new(learn(documents, self.threads)?);
            (manifest.order, manifest.learned_from) = (new_number(), count);
            write_order(&*self.disk, manifest.order, &order)?;
        }
        let segment = (count > 0).then(&mut new_number);
        manifest.segments.truncate(parts.len());
        if let Some(number) = segment {
            let maker = SegmentMaker {
                order: &order,
                order_number: manifest.order,
                memory_bytes: self.memory_bytes,
                ..self.maker()
            };
            let name = segment_name(number);
            maker.to_file(documents, &mut *self.disk.create(&name)?)?;
            let path = self.disk.path_of(&name);
            let segment = Segment::open(&self.disk.map(&name)?, &path, |_| Ok(Arc::clone(&order)))?;
            parts.push(Part { segment: Arc::new(segment), deleted: Arc::default() });
            manifest.segments.push(SegmentFile { number, order: manifest.order, documents: count, deleted_words: 0 });
        }
        manifest.log = new_number();
        let log = LogWriter::create(&*self.disk, &log_name(manifest.log), manifest.log)?;
        manifest.next = next;
        let deleted: Vec<Arc<Deleted>> = parts.iter().map(|part| Arc::clone(&part.deleted)).collect();
        for (file, deleted) in manifest.segments.iter_mut().zip(&deleted) {
            file.deleted_words = deleted.words().len() as u64;
        }
        manifest.write(&*self.disk, &deleted)?;
        Ok(Written { parts, manifest, order, log })
    }

    fn put_in_force(&mut self, written: Written) -> Result<()> {
        let Written { parts, manifest, order, log } = written;
        if let Err(error) = Manifest::replace(&*self.disk) {
            self.is_closed = true;
            return Err(error);
        }
        self.orders.insert(manifest.order, Arc::clone(&order));
        self.orders.retain(&manifest.orders().collect::<Vec<_>>());
        (self.manifest, self.order, self.log, self.files) = (manifest, order, log, parts.len());
        self.publish(View { parts, now: self.disk.now() });
        self.remove_others();
        Ok(())
    }

    /// Removes files that the manifest does not name; what cannot be removed is harmless.
    pub(super) fn remove_others(&self) {
        let named = self.manifest.files();
        let names = self.disk.names().unwrap_or_default();
        for name in names.iter().filter(|name| is_numbered(name) && !named.contains(name)) {
            let _ = self.disk.remove(name);
        }
    }
}
