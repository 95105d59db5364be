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
//! At the root stand the parameters of a job, its answers and the ways in; all else stands in a module by its subject.
//! These names and modules follow semantic versioning. The hidden module `doors`, which helps the command, the server
//! and the Python package, and the crates `lookalike-core` and `lookalike-io` may change in any release.
//!
//! The rooms stand in this order; each imports earlier ones only:
//!
//! ```text
//! base         errors, progress
//! threads      how threads share the work of a stage
//! word_lists   stop words and keywords, by language or from a file
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
//! report       what jobs tell
//! pages        answers as pages to read in a browser, histograms as SVG
//! jobs         whole jobs, from inputs to published outputs
//! measure_words  what a user says of a measure, and the measure that is meant
//! ask          documents near to queries: a job, or an index that stays open
//! short        the short way for programs: `dedup` and `pairs`
//! ```

pub mod ask;
mod base;
mod candidates;
mod corpus;
mod decide;
mod job;
pub mod jobs;
mod measure_words;
pub mod pages;
mod passages;
pub mod pipeline;
mod report;
mod run;
mod short;
mod spill;
#[cfg(test)]
mod testing;
mod threads;
mod tools;
mod word_lists;
mod write;

pub use base::{Error, Progress, Result, Silent};
pub use corpus::Corpus;
pub use job::{Data, Job, Outputs};
pub use lookalike_core::comparison::{Features, Measure, Method};
pub use lookalike_core::kernel::Kernel;
pub use lookalike_core::rule::{Cluster, Decision, Order, Reason, Rule};
pub use lookalike_core::{DocId, Resources};
pub use lookalike_io::{Inputs, sources::InMemory};
pub use run::Session;
pub use short::{TextPair, dedup, pairs};

pub use lookalike_index as index;

/// Similarity of two documents: measures, thresholds, and the numbers that rows show.
pub mod measures {
    pub use crate::job::Check;
    pub use crate::measure_words::{MeasureRefusal, MeasureWords, Subject};
    pub use lookalike_core::bits::{Hamming, Pixels};
    pub use lookalike_core::comparison::MeasureName;
    pub use lookalike_core::sets::{CommonElements, Containment, Dice, Jaccard, Side};
    pub use lookalike_core::signatures::SignatureAgreement;
    pub use lookalike_core::similarity::{
        Agreement, DifferingBits, Distance, EmptyPolicy, Figure, Limit, LimitForm, Metric, Overlap, Threshold, Weights,
        distance_of,
    };
    pub use lookalike_core::terms::{Cosine, DocumentFrequencies};
    pub use lookalike_core::vectors::{Euclidean, Manhattan, VectorCosine};
}

/// Methods by which candidate pairs are found, their parameters, their curves, and the report of a search.
pub mod methods {
    pub use crate::candidates::{MeasuredRecall, MethodUsed, UsedFingerprints, UsedProjections};
    pub use crate::decide::Joined;
    pub use lookalike_core::comparison::{Bands, EqualSets, MinHash, VerifiedPair};
    pub use lookalike_core::keys::{Banding, bits_within, plan};
    pub use lookalike_core::sets::{Fingerprint, FingerprintEstimate, FingerprintPlan, HashBits, Selection};
    pub use lookalike_core::terms::{SimHash, differing_bit, probability_by_tables};
    pub use lookalike_core::vectors::{Projected, ProjectionPlan, Projections, cell_agreement, plane_agreement};
}

/// Elements of texts and lists: shingles, tokens, items, stop words and keywords.
pub mod texts {
    pub use crate::word_lists::{keywords, keywords_file, stop_words, stop_words_file};
    pub use lookalike_core::documents::{Counts, Multiplicity};
    pub use lookalike_core::sets::{ShingleOptions, ShingleSize};
    pub use lookalike_core::text::{Items, Mask, StemLanguage, TextOptions, TextUnit, TokenKind, TokenUnit};
}

/// Documents as they are read: formats, fields, places, bad records, documents in memory.
pub mod inputs {
    pub use crate::corpus::{Ids, Listing};
    pub use lookalike_core::{ContentKind, MAX_WIDTH};
    pub use lookalike_io::{
        BadRecord, Place, Position, Problem,
        base::{GitignoreFiles, SkippedCounts},
        formats::{JsonFiles, Layout, Quotes, RecordFormat},
        read::{Noted, TableRemarks},
        sources::{
            Carried, Digits, Fingerprints, GivenVectors, ImageFeatures, ItemCounts, ItemSeparator, MemoryTable,
            MemoryTexts, OnError, RepeatedIds, TextEncoding, TextList,
        },
    };
}

/// Parameters of written records and rows.
pub mod outputs {
    pub use crate::base::{LeftOutFate, LeftOutReport};
    pub use crate::job::{ClusterLayout, ExistingFiles, LeftOut, RecordMode, SideFiles, SnapshotTokens};
    pub use lookalike_io::formats::RowFormat;
}

/// The rows of answers, with their columns.
pub mod rows {
    pub use lookalike_io::{
        columns::table_of_rows,
        rows::{
            AnswerFields, AnswerRow, Cell, ClusterRow, Column, ColumnKind, Figures, NumberedRow, PairRow, PassageRow,
            RemovalRow, Row, RowSources, SourceRow, StoredFields, Value, Verified, all_columns, numbered,
            serialize_row,
        },
    };
}

/// Two documents side by side: what they have in common, where they differ, checksums.
pub mod evidence {
    pub use crate::tools::{
        Compared, ComparedAs, ComparedBits, ComparedDocument, ComparedSets, ComparedTerms, ComparedVectors, Comparing,
    };
    pub use lookalike_core::evidence::{
        Aligned, ChecksumAlgorithm, CommonTerm, ComparedItem, Comparison, Passage, TermComparison, TextDifference,
        Verdict, aligned, paired_lines,
    };
    pub use lookalike_core::passages::TokenSpan;
}

/// Stages of a job, as its progress names them.
pub mod progress {
    pub use crate::base::{Stage, StageNumber, StageTime, Unit, UnusedSetting};
}

/// Errors of parts of a job, and the values that errors carry; those of an index are in [`index::details`].
pub mod details {
    pub use crate::base::details::{
        GroupConflict, IndexParameter, InsteadOfPoints, JobSide, MemoryConflict, OfTexts, SignatureConflict,
        StoredScores, Textless, WholeTextConflict,
    };
    pub use crate::base::{
        Contradiction, FileInUse, LimitKind, MemoryLimit, OutputKind, SignatureError, TextOrder, WorkFolderError,
    };
    pub use lookalike_core::Error as ParameterError;
    pub use lookalike_core::comparison::MeasureKind;
    pub use lookalike_core::details::{Instead, MethodKind};
    pub use lookalike_io::Error as IoError;
    pub use lookalike_io::base::details::{
        Action, BinaryKind, ColumnRole, ColumnShape, ColumnTypes, DataForm, ExpectedValue, FoundValue, NonFinite,
        PointKind, Remedy, UrlFault, WarcFault,
    };
    pub use lookalike_io::base::{Compression, NamesFound, NearestNames, NotAVector};
}

/// Signatures for programs that keep them, and their index by bands.
pub mod signatures {
    pub use lookalike_core::hash::{HashKey, HashSecret};
    pub use lookalike_core::signatures::{
        Additions, BandTables, BloomFilter, ConsistentSampler, DatasketchMinHash, DatasketchScheme, EMPTY_COMPONENT,
        PrefixTrees, Sha1Hasher, SignatureScheme, sha1_hash32,
    };
}

/// Helpers of the command, the server and the Python package. Not promised: any release may change or remove them.
#[doc(hidden)]
pub mod doors {
    pub use crate::base::resident_bytes;
    pub use lookalike_core::{counted, percent, printed_path, thousands};
    pub use lookalike_io::{
        AtomicFile,
        base::{escaped, shown, without_mark},
        columns::panic_becomes_error,
        outputs::remove_leftovers,
        remote::local_path,
        sources::push_object,
    };
}
