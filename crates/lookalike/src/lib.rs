//! Finds near-duplicate documents, verifies every answer and explains it.
//!
//! Begin with [`pipeline`]: one function a job, one call a stage.
//!
//! ```
//! use lookalike::{Corpus, Decision, KeepPolicy, Options, Session, Silent};
//!
//! let options = Options { threshold: "0.5".parse()?, ..Options::default() };
//! let session = Session::new(&options, &Silent)?;
//! let corpus = Corpus::from_texts(&options, [
//!     ("wire", "the harbour of Lunden stays closed until Friday after the storm"),
//!     ("copy", "The harbour of Lunden stays closed until Friday, after the storm."),
//!     ("other", "nobody knows why the lighthouse keeper paints his boat green"),
//! ])?;
//! let result = lookalike::pipeline::dedup(&corpus, &KeepPolicy::First, &session)?;
//! assert_eq!(result.decisions[0], Decision::Kept);
//! assert!(matches!(result.decisions[1], Decision::Removed { similarity: 1.0, .. }));
//! assert_eq!(result.decisions[2], Decision::Kept);
//! # Ok::<(), lookalike::Error>(())
//! ```

mod answers;
mod checksum;
mod chunks;
mod compare;
mod copy_records;
mod corpus;
mod counted;
mod dedup_report;
mod error;
mod facts;
mod growing;
mod index_blocks;
mod join;
mod keep;
mod keys;
mod link;
mod method;
mod options;
pub mod pipeline;
mod priority;
mod progress;
mod published;
mod read;
mod recall;
mod recluster;
mod saved;
mod seen_keys;
mod session;
mod sketch_file;
mod spill;
mod stop_words;
mod threads;
mod timing;
mod work;
mod write_answers;
mod write_records;
mod write_warc;

pub use lookalike_core as core;
pub use lookalike_io as io;

pub use checksum::{COPIES_HEADER, ChecksumRow, CopyKind, checksums};
pub use compare::{Compared, compare};
pub use corpus::{Corpus, DocumentInfo, Keys};
pub use dedup_report::{DedupReport, Family, SourceCounts};
pub use error::{Error, Result};
pub use join::Joined;
pub use lookalike_core::decide::{Cluster, Decision, Reason};
pub use lookalike_core::equal_sets::EmptyPolicy;
pub use lookalike_core::kernel::Kernel;
pub use lookalike_core::{DocId, Threshold};
pub use lookalike_io::{Discovered, discover, publish_all};
pub use method::MethodChoice;
pub use options::{ClusterRule, KeepPolicy, MemoryOptions, Method, MinHashOptions, OnError, Options};
pub use pipeline::{Clusters, Dedup, Pairs};
pub use progress::{Progress, Silent, Stage, Unit};
pub use recall::MeasuredRecall;
pub use recluster::SavedPairs;
pub use session::Session;
pub use sketch_file::write_sketch;
pub use stop_words::stop_words;
pub use timing::{StageTime, peak_bytes, resident_bytes};
pub use write_answers::{CLUSTERS_HEADER, PAIRS_HEADER, write_cluster_groups, write_cluster_rows, write_pairs};
pub use write_records::{DedupOutputs, OutputPaths, RecordMode, check_outputs, write_dedup};
