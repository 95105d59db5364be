//! Stages over Arrow batches, for other engines: the search without its plumbing.
//!
//! The engine, Spark or a Python program for example, does the batching, the joins and the grouping; this crate is what
//! runs in each task. The functions take parameters of [`lookalike_core::comparison`] (`Features`, `Measure`,
//! `SearchPlan`), arrays and a kernel, and no files, threads or sessions. A row's result depends neither on the other
//! rows of its batch nor on the kernel.
//!
//! ```text
//! element_sets    texts                                     -> sets and their hashes             map
//! item_sets       lists of items                            -> sets and their hashes             map
//! Frequencies     sets                                      -> counters, added up, bytes         aggregate
//! blocking_keys   sets, SearchPlan, Frequencies             -> lists of (key, position)          map
//!                                                              join on equal keys                (the engine)
//! deal, Buckets   keys of documents                         -> entries of shared keys           map, map (instead)
//! may_reach       sizes and positions on both sides         -> false: no near-duplicates         filter
//!                                                              distinct pairs, join their sets   (the engine)
//! verify          sets on both sides                        -> common elements, similarity       map
//! Components      pairs                                     -> root of each document             aggregate
//! keepers         ranks, pairs, similarities                -> kept document, reason             one task
//! ```
//!
//! Pairs, similarities and decisions equal those of `lookalike::pipeline` with the same method, bit by bit: a test
//! compares them. Two steps of the pipeline are left to the engine:
//!
//! - Equal sets share all keys, so a million copies would be 5 x 10^11 pairs. The pipeline groups them first; an engine
//!   groups by hash, sends one document of each group on, and proves with [`verify()`] that the others have its set
//!   (similarity 1), because a hash alone proves nothing.
//! - Documents without elements have no keys and are in no pair, whatever the
//!   [`EmptyPolicy`](lookalike_core::similarity::EmptyPolicy) says.
//!
//! Input columns may be slices and have nulls; lists may have 32-bit or 64-bit offsets, integers may be signed or
//! unsigned. Output lists are `LargeList`, the layout of our own arrays, and output integers are unsigned, except keys
//! (see [`blocking_keys`]). Spark reads 32-bit offsets and signed integers only: a door to it calls
//! [`Sets::into_signed`] and casts `LargeList` to `List`.
//!
//! # Example
//!
//! ```
//! use arrow_array::cast::AsArray;
//! use arrow_array::types::{Int64Type, UInt64Type};
//! use arrow_array::{Array, LargeListArray, StringArray, UInt32Array};
//! use lookalike::{Features, Kernel, Measure, Method};
//! use lookalike_batch::{Frequencies, Pairs, SearchPlan};
//! use std::collections::{BTreeSet, HashMap};
//!
//! let texts = [
//!     "the harbour of Lunden stays closed until Friday after the storm",
//!     "nobody knows why",
//!     "The harbour of Lunden stays closed until Friday, after the storm.",
//!     "the harbour of Lunden stays closed until Friday after the big storm",
//! ];
//! let (features, measure, kernel) = (Features::default(), Measure::jaccard("0.5".parse()?), Kernel::detect());
//!
//! // Map, and count.
//! let (sets, _) = lookalike_batch::element_sets(&StringArray::from(texts.to_vec()), &features, kernel)?.into_parts();
//! let mut frequencies = Frequencies::sized_for(sets.values().len());
//! frequencies.count(&sets)?;
//!
//! // Keys, and the join on them.
//! let plan = SearchPlan::new(measure, Method::Exact)?;
//! let keys = lookalike_batch::blocking_keys(&sets, plan, Some(&frequencies), kernel)?;
//! let (mut documents, mut candidates) = (HashMap::<i64, Vec<u32>>::new(), BTreeSet::new());
//! for (document, keys) in (0..).zip(keys.iter()) {
//!     let Some(keys) = keys else { continue };
//!     for &key in keys.as_struct().column(0).as_primitive::<Int64Type>().values() {
//!         let earlier = documents.entry(key).or_default();
//!         candidates.extend(earlier.iter().map(|&earlier| (earlier, document)));
//!         earlier.push(document);
//!     }
//! }
//!
//! // The sets of each pair side by side, and the exact check.
//! let a = UInt32Array::from_iter_values(candidates.iter().map(|pair| pair.0));
//! let b = UInt32Array::from_iter_values(candidates.iter().map(|pair| pair.1));
//! let take = |documents: &UInt32Array| {
//!     let set = |document: &u32| sets.value(*document as usize).as_primitive::<UInt64Type>().clone();
//!     LargeListArray::from_iter_primitive::<UInt64Type, _, _>(
//!         documents.values().iter().map(|document| Some(set(document).iter().collect::<Vec<_>>())),
//!     )
//! };
//! let verified = lookalike_batch::verify(&take(&a), &take(&b), measure, kernel)?;
//!
//! // The first of several stays, as `lookalike::dedup` decides.
//! let ranks = UInt32Array::from_iter_values(0..texts.len() as u32);
//! let found = lookalike_batch::keepers(&ranks, Pairs { a: &a, b: &b }, &verified.similarity)?;
//! assert_eq!(found.kept, UInt32Array::from(vec![None, None, Some(0), Some(0)]));
//! for (document, decision) in lookalike::dedup(texts, 0.5)?.into_iter().enumerate() {
//!     match decision {
//!         lookalike::Decision::Kept => assert!(found.kept.is_null(document)),
//!         lookalike::Decision::Removed { kept, similarity, reason } => {
//!             assert_eq!(found.kept.value(document), kept.0);
//!             assert_eq!(found.similarity.value(document), similarity);
//!             assert_eq!(found.reason.value(document), reason.name());
//!         }
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buckets;
mod components;
mod error;
mod filter;
mod frequencies;
mod keepers;
mod keys;
mod lists;
mod numbers;
mod pairs;
mod sets;
mod verify;

pub use buckets::{Buckets, Dealt, Entries, EntryColumns, deal};
pub use components::Components;
pub use error::{ArrayTypes, Error, Result, RowFault};
pub use filter::{Extents, may_reach};
pub use frequencies::Frequencies;
pub use keepers::{Kept, keepers};
pub use keys::blocking_keys;
pub use pairs::Pairs;
pub use sets::{Sets, element_sets, item_sets};
pub use verify::{VerifiedColumns, verify};

pub use lookalike_core::comparison::SearchPlan;
