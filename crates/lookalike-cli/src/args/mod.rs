//! Flags that several commands share, and the parameters that they mean.
//!
//! ```text
//! input    files that are read, and the fields of their records
//! points   fingerprints, vectors, signatures and images in place of texts
//! text     normalization, tokens, shingles
//! measure  measure and threshold
//! search   method and its parameters
//! job      all of these together, as a job
//! output   files that are written
//! run      threads, memory, folders; amount and colors of messages
//! values   values of flags, parsed
//! flags    refusal of flags that need others
//! ```

mod flags;
mod input;
mod job;
mod measure;
mod output;
mod points;
mod run;
mod search;
mod text;
mod values;

pub(crate) use flags::PresentFlags;
pub(crate) use input::{GroupArgs, InputArgs, ReadingArgs, RecordArgs, ReferenceFieldArgs, TextsArgs};
pub(crate) use job::{JobArgs, JobInputs};
pub(crate) use measure::{MeasureArgs, References};
pub(crate) use output::{
    ClusterFormat, ExistingArgs, LeftOutArgs, ListingArgs, ReportArgs, check_page_name, cluster_formats, rows_file,
};
pub(crate) use run::{ResourceArgs, VoiceArgs, When, apply_color_choice};
pub(crate) use search::SearchArgs;
pub(crate) use text::{TextArgs, TextOptionArgs};
pub(crate) use values::{
    any_distance, count, count32, document_name, fingerprint_bits, gap, local_name, max_pairs, min_match, one_of,
    percent, permutations, probability, row_formats, seed, tokens_left, top, weights, width,
};
#[cfg(feature = "server")]
pub(crate) use values::{record_size, threads};
