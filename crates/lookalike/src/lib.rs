//! Finds near-duplicate documents, verifies every answer and explains it.
//!
//! Three ways in, from short to full:
//!
//! ```
//! // Texts in, decisions out.
//! let decisions = lookalike::dedup(["one two three four five", "One two three four five!", "something else"], 0.8)?;
//! assert_eq!(decisions.iter().filter(|decision| decision.is_kept()).count(), 2);
//! # Ok::<(), lookalike::Error>(())
//! ```
//!
//! ```no_run
//! // A whole job, from files to published files.
//! use lookalike::{Inputs, Job, Outputs, Resources, Silent, jobs};
//!
//! let job = Job {
//!     inputs: Inputs { inputs: vec!["news.jsonl".into()], ..Inputs::default() },
//!     outputs: Outputs { records: Some("clean.jsonl".into()), ..Outputs::default() },
//!     ..Job::default()
//! };
//! let report = jobs::run(&job, &Resources::default(), &Silent)?;
//! println!("{} documents, {} removed", report.corpus.documents, report.found.count());
//! # Ok::<(), lookalike::Error>(())
//! ```
//!
//! ```
//! // The stages, with every choice.
//! use lookalike::{Corpus, Decision, Features, Measure, Method, Order, Resources, Session, Silent, pipeline};
//!
//! let session = Session::new(&Resources::default(), &Silent)?;
//! let corpus = Corpus::from_texts(&Features::default(), [
//!     ("wire", "the harbour of Lunden stays closed until Friday after the storm"),
//!     ("copy", "The harbour of Lunden stays closed until Friday, after the storm."),
//! ])?;
//! let measure = Measure::jaccard("0.5".parse()?);
//! let result = pipeline::dedup(&corpus, measure, Method::Exact, &Order::First, &session)?;
//! assert_eq!(result.decisions[0], Decision::Kept);
//! assert!(matches!(result.decisions[1], Decision::Removed { similarity: 1.0, .. }));
//! # Ok::<(), lookalike::Error>(())
//! ```
//!
//! The rooms stand in this order; each imports earlier ones only:
//!
//! ```text
//! ground       errors, progress
//! threads      how threads share the work of a stage
//! spill        data that exceeds the memory; the budget
//! run          a run: resources, stages, checkpoints
//! corpus       from inputs to documents
//! candidates   blocking keys for all documents
//! decide       from blocking keys to answers
//! passages     runs of tokens that documents share with sources
//! pipeline     the searches, one call a stage: begin here
//! job          what a job is
//! write        from answers to files
//! tools        answers without a search
//! drawing      histograms as SVG
//! html         answers as pages to read in a browser
//! search       documents near to queries
//! jobs         whole jobs, from inputs to published outputs
//! live         an index that stays open, asked text by text
//! measure_words  what a user says of a measure, and the measure that is meant
//! batch        stages over Arrow batches, for other engines
//! short        the short way for programs: `dedup` and `pairs`
//! ```

pub mod batch;
mod candidates;
mod corpus;
mod decide;
pub mod drawing;
mod ground;
pub mod html;
mod job;
pub mod jobs;
pub mod live;
mod measure_words;
mod passages;
pub mod pipeline;
mod run;
mod search;
mod short;
mod spill;
#[cfg(test)]
mod testing;
mod threads;
mod tools;
mod write;

pub use candidates::{MeasuredRecall, MethodUsed, UsedFingerprints, UsedProjections};
pub use corpus::{Corpus, Ids, Listing, keywords, keywords_file, stop_words, stop_words_file};
pub use decide::Joined;
pub use ground::{
    Contradiction, Error, FileInUse, LeftOutFate, LeftOutReport, LimitKind, MemoryLimit, OutputKind, Progress, Result,
    Said, SignatureError, Silent, Stage, StageNumber, StageTime, TextOrder, Unit, WorkFolderError, peak_bytes,
    resident_bytes,
};
pub use job::{
    Check, ClusterLayout, Data, ExistingFiles, Job, LeftOut, Outputs, RecordMode, SideFiles, SnapshotTokens,
};
pub use measure_words::{MeasureRefusal, MeasureWords, Subject};
pub use run::Session;
pub use short::{TextPair, dedup, pairs};
pub use tools::{
    Compared, ComparedAs, ComparedBits, ComparedDocument, ComparedSets, ComparedTerms, ComparedVectors, Comparing,
};

pub use lookalike_index as index;

/// Values that errors carry; those of an index are in [`index::details`].
pub mod details {
    pub use crate::ground::details::{
        GroupConflict, IndexParameter, InsteadOfPoints, JobSide, MemoryConflict, OfTexts, SignatureConflict,
        StoredScores, Textless, WholeTextConflict,
    };
    pub use lookalike_core::comparison::MeasureKind;
    pub use lookalike_core::details::{Instead, KeysOfAll, MethodKind, Unordered};
    pub use lookalike_io::details::{
        Action, BinaryKind, ColumnShape, ColumnTypes, DataForm, ExpectedValue, FoundValue, NonFinite, PointKind,
        Remedy, UrlFault, WarcFault,
    };
    pub use lookalike_io::{Compression, NamesFound, NearestNames};
}

/// Signatures for programs that keep them, and their index by bands.
pub mod signatures {
    pub use lookalike_core::hash::{HashKey, HashSecret};
    pub use lookalike_core::signatures::{
        Additions, BandTables, BloomFilter, ConsistentSampler, DatasketchMinHash, DatasketchScheme, EMPTY_COMPONENT,
        PrefixTrees, Sha1Hasher, sha1_hash32,
    };
}

pub use lookalike_core::bits::{Hamming, Pixels};
pub use lookalike_core::comparison::{EqualSets, Features, Measure, MeasureName, Method, MinHash, VerifiedPair};
pub use lookalike_core::documents::{Counts, Multiplicity};
pub use lookalike_core::evidence::{
    Aligned, ChecksumAlgorithm, CommonTerm, ComparedItem, Comparison, Passage, TermComparison, TextDifference, Verdict,
    aligned, paired_lines,
};
pub use lookalike_core::kernel::Kernel;
pub use lookalike_core::keys::{Banding, bits_within, plan};
pub use lookalike_core::passages::TokenSpan;
pub use lookalike_core::rule::{Cluster, Decision, Order, Reason, Rule};
pub use lookalike_core::sets::{
    CommonElements, Containment, Fingerprint, FingerprintEstimate, FingerprintPlan, HashBits, Jaccard, Selection,
    ShingleOptions, ShingleSize, Side,
};
pub use lookalike_core::signatures::{DatasketchScheme, SignatureAgreement, SignatureScheme};
pub use lookalike_core::similarity::{
    Agreement, DifferingBits, Distance, EmptyPolicy, Figure, Limit, LimitForm, Overlap, Threshold, Weights, distance_of,
};
pub use lookalike_core::terms::{Cosine, DocumentFrequencies, SimHash, differing_bit, probability_by_tables};
pub use lookalike_core::text::{Items, Mask, StemLanguage, TextOptions, TextUnit, TokenKind, TokenUnit};
pub use lookalike_core::vectors::{
    Euclidean, Projected, ProjectionPlan, Projections, VectorCosine, cell_agreement, plane_agreement,
};
pub use lookalike_core::{
    ContentKind, DocId, Error as ParameterError, MAX_WIDTH, Resources, counted, percent, printed_path, thousands,
    with_number,
};
#[doc(hidden)]
pub use lookalike_io::panic_becomes_error;
pub use lookalike_io::{
    AnswerFields, AnswerRow, AtomicFile, BadRecord, Carried, Cell, ClusterRow, Column, ColumnKind, Digits,
    Error as IoError, Figures, Fingerprints, GitignoreFiles, GivenVectors, ImageFeatures, InMemory, Inputs, ItemCounts,
    ItemSeparator, JsonFiles, Layout, MemoryTable, MemoryTexts, NotAVector, Noted, NumberedRow, OnError, PairRow,
    PassageRow, PassedOver, Place, Position, Problem, Quotes, RecordFormat, RemovalRow, RepeatedIds, Row, RowFormat,
    RowSources, SourceRow, StoredFields, TableRemarks, TextEncoding, TextList, Value, Verified, all_columns, escaped,
    local_path, numbered, push_object, remove_leftovers, serialize_row, shown, table_of_rows, without_mark,
};
