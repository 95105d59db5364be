//! When and from what an order of elements is learned.

use crate::ground::{Result, SetBuffer};
use crate::segment::Documents;
use lookalike_core::method::ElementOrder;

/// Documents that an order is learned from, at least.
const MIN_DOCUMENTS: u64 = 64;
/// Growth of the documents that are written at once, from which on their order is learned again.
const GROWTH: u64 = 4;

/// Whether documents that are written are so many more than those of the last order that theirs is learned.
pub(super) fn is_worth_learning(documents: u64, learned_from: u64) -> bool {
    documents >= MIN_DOCUMENTS && documents >= GROWTH * learned_from
}

/// The order by frequency in these documents, or in evenly chosen ones if they have very many elements.
pub(super) fn learn(documents: &dyn Documents) -> Result<ElementOrder> {
    let count = documents.len();
    let total: usize = (0..count).map(|document| documents.size(document)).sum();
    let step = total.div_ceil(ElementOrder::MAX_COUNTED).max(1);
    let (mut set, mut error) = (SetBuffer::default(), None);
    let order = ElementOrder::by_frequency(total / step, |visit| {
        for document in (0..count).step_by(step) {
            match documents.read_set(document, &mut set) {
                Ok(()) => visit(&set.elements),
                Err(found) => error = Some(found),
            }
        }
    });
    error.map_or(Ok(order), Err)
}
