//! Flags that several commands share, and the parameters that they mean.

mod bits;
mod flags;
mod input;
mod job;
mod measure;
mod output;
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
pub(crate) use run::{ResourceArgs, VoiceArgs, When, follow_color};
pub(crate) use search::SearchArgs;
pub(crate) use text::{TextArgs, TextOptionArgs};
pub(crate) use values::{
    any_distance, count, count32, document_name, fingerprint_bits, gap, local_name, max_pairs, min_match, one_of,
    percent, permutations, probability, row_formats, seed, tokens_left, top, weights, width,
};
#[cfg(feature = "server")]
pub(crate) use values::{record_size, threads};
