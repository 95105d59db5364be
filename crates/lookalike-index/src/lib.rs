//! The stored index of lookalike: documents that come and go in a folder, and verified questions about them.
//!
//! The modules are listed in dependency order: each imports only earlier ones.
//!
//! ```text
//! base      errors, documents, bytes of numbers
//! disk      the folder: files that are written, synced, mapped into memory          -> Disk, Map
//! segment   an immutable part of an index: its documents, their keys, their ids     -> Segment
//! log       changes that are acknowledged before they are in a segment              -> Change
//! view      the segments at one moment: questions and their answers                 -> View, Searcher
//! store     the folder as a whole: manifest, writer, merging, recovery, backup      -> Index, IndexWriter
//! ```
//!
//! ```text
//! put, delete --Change--> log (synced) --> segment in memory --flush--> segment in a file --merge--> fewer segments
//!                                                 \                          |                     /
//!                                                  `------------ View, one for each change -------'
//! ```
//!
//! A store of others would hold the postings at a tenth of the speed: a document of 250 shingles has 51 keys, so 20,000
//! documents a second are a million postings. So postings and sets stand in segments of ours, sorted once and never
//! changed, and the log is a file of groups with checksums.
//!
//! ```
//! use lookalike_core::DocId;
//! use lookalike_core::comparison::{Features, Measure, Method};
//! use lookalike_core::documents::ElementSets;
//! use lookalike_core::kernel::Kernel;
//! use lookalike_index::{Change, IndexDocument, Durability, IndexWriter, Question, Settings};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("idx");
//! let settings = Settings::new(Features::default(), Measure::default(), Method::Exact);
//! let mut writer = IndexWriter::create(&path, settings, Durability::PowerLoss)?;
//! let elements = vec![1, 2, 3, 4, 5];
//! writer.commit(vec![Change::Put(IndexDocument::of_set("first", elements))])?;
//!
//! let index = writer.index();
//! let mut searcher = index.searcher();
//! let question = Question { elements: &[1, 2, 3, 4, 5, 6], ..index.question() };
//! let answers = searcher.search(&index.view(), &question)?;
//! assert_eq!(answers[0].similarity, 5.0 / 6.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod base;
mod disk;
mod log;
mod segment;
mod store;
mod view;

pub use base::{Error, IndexDocument, PackedText, Result, SetBuffer, details};
pub use disk::{check_free, sync_folder};
pub use log::{Change, Durability};
pub use segment::{Documents, Facts};
pub use store::{
    GroupCheck, Index, IndexInfo, IndexProblem, IndexWriter, Inserted, Insertion, MANIFEST, Prepared, SegmentInfo,
    Settings, Storage, backup, interrupted_write_note, settings, verify,
};
pub use view::{Answer, DocAddress, Finding, Question, Searcher, View};
