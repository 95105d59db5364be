//! When and from what an order of elements is learned.

use crate::ground::{Result, SetBuffer};
use crate::segment::{Documents, on_threads};
use lookalike_core::keys::{ElementOrder, FrequencyTable};
use std::sync::{Mutex, PoisonError};

/// Documents that an order is learned from, at least.
const MIN_DOCUMENTS: u64 = 64;
/// Growth of the documents that are written at once, from which on their order is learned again.
const GROWTH: u64 = 4;

/// Whether a segment of so many documents gets an order of its own: it is several times as large as the sample of the
/// last order.
pub(in crate::store) fn is_worth_learning(documents: u64, learned_from: u64) -> bool {
    documents >= MIN_DOCUMENTS && documents >= GROWTH * learned_from
}

/// The order by frequency in these documents, or in evenly chosen ones if they have very many elements.
pub(in crate::store) fn learn(documents: &dyn Documents, threads: usize) -> Result<ElementOrder> {
    let count = documents.len();
    let total: usize = (0..count).map(|document| documents.size(document)).sum();
    let step = total.div_ceil(ElementOrder::MAX_COUNTED).max(1);
    let mut table = FrequencyTable::sized_for(total / step);
    let partitions: Vec<Mutex<_>> = table.partitions(threads).map(Mutex::new).collect();
    on_threads(partitions.len(), |thread| {
        let (mut set, mut partition) =
            (SetBuffer::default(), partitions[thread].lock().unwrap_or_else(PoisonError::into_inner));
        for document in (0..count).step_by(step) {
            partition.count_set(documents.set(document, &mut set)?.0);
        }
        Ok(())
    })?;
    drop(partitions);
    let mut read = Ok(Vec::new());
    let order = ElementOrder::by_frequency(&table, |visit| {
        read = on_threads(threads, |thread| {
            let mut set = SetBuffer::default();
            for document in (0..count).step_by(step).skip(thread).step_by(threads) {
                visit(documents.set(document, &mut set)?.0);
            }
            Ok(())
        });
    });
    read.map(|_| order)
}
