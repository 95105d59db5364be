//! Flags that several commands share, and the nouns that they mean.

mod bits;
mod format;
mod given;
mod input;
mod listing;
mod measure;
mod nouns;
mod page;
mod report;
mod resources;
mod rows;
mod search;
mod text;
mod values;
mod voice;

pub(crate) use format::{ClusterFormatArg, FormatArg};
pub(crate) use given::GivenFlags;
pub(crate) use input::{GroupArgs, InputArgs, ReadingArgs, RecordArgs, ReferenceFieldArgs, TextsArgs};
pub(crate) use listing::ListingArgs;
pub(crate) use measure::{MeasureArgs, References, WeightsArg};
pub(crate) use nouns::NounFlags;
pub(crate) use page::{PageArgs, check_page_name};
pub(crate) use report::{ExistingArgs, LeftOutArgs, ReportArgs};
pub(crate) use resources::{ResourceArgs, When};
pub(crate) use rows::RowArgs;
pub(crate) use search::SearchArgs;
pub(crate) use text::{TextArgs, TextOptionArgs};
pub(crate) use values::{
    any_distance, bands_or_rows, count32, document_name, documents, fingerprint_bits, gap, local_name, min_match,
    percent, permutations, probability, tokens_left, top, width,
};
#[cfg(feature = "server")]
pub(crate) use values::{record_size, threads};
pub(crate) use voice::{VoiceArgs, follow_color};
