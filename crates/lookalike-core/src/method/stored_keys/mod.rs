//! Blocking keys for an index that is stored: each document has its own, whatever other documents there are.
//!
//! The keys of a batch are those that two documents share; singletons are dropped. An index does not know yet which
//! documents will come and what will be asked, so it keeps the singletons, and orders elements by what it has seen.

mod element_order;
#[expect(clippy::module_inception, reason = "the type of this room has a file of its own")]
mod stored_keys;

pub use element_order::ElementOrder;
pub use stored_keys::StoredKeys;
