//! Everything a user can choose about a job.

use crate::error::Error;
use lookalike_core::Threshold;
use lookalike_core::equal_sets::EmptyPolicy;
use lookalike_core::kernel::Kernel;
use lookalike_core::shingle::ShingleOptions;
use lookalike_core::sketch::Banding;
use lookalike_core::text::TextOptions;
use lookalike_io::{Aside, Discovered, Discovery, FieldNames, RecordFormat, Texts, discover_with};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The parameters of finding near-duplicates.
#[derive(Debug, Clone)]
pub struct Options {
    /// Treatment of the text.
    pub text: TextOptions,
    /// Shingles.
    pub shingle: ShingleOptions,
    /// Least Jaccard similarity of near-duplicates, inclusive.
    pub threshold: Threshold,
    /// How candidates are found.
    pub method: Method,
    /// Bands and rows, for the methods that use them.
    pub minhash: MinHashOptions,
    /// What happens to documents without tokens.
    pub empty: EmptyPolicy,
    /// Layout of standard input and of files whose ending says nothing; `None` if their content is to tell.
    pub input_format: Option<RecordFormat>,
    /// Names of the fields of JSON records.
    pub fields: FieldNames,
    /// What happens at a bad record.
    pub on_error: OnError,
    /// Longest record that is taken, in bytes; longer ones are bad records.
    pub most_record_bytes: u64,
    /// Memory and what to do when it ends.
    pub memory: MemoryOptions,
    /// A folder where the job keeps what it has finished, and finds it again after an interruption.
    pub work_folder: Option<PathBuf>,
    /// Number of threads; `None` for one a core.
    pub threads: Option<NonZeroUsize>,
    /// Version of the inner loops; it changes the speed and nothing else.
    pub kernel: Kernel,
}

impl Options {
    /// Finds the inputs: text files are one document each, or hold a set of items a line, if documents are such sets.
    ///
    /// # Errors
    /// As [`lookalike_io::discover_with`].
    pub fn discover(&self, inputs: &[PathBuf]) -> crate::Result<Discovered> {
        self.discover_while(&|| true, inputs)
    }

    /// Finds the inputs, as long as it goes on.
    pub(crate) fn discover_while(&self, goes_on: &dyn Fn() -> bool, inputs: &[PathBuf]) -> crate::Result<Discovered> {
        if self.work_folder.is_some() && inputs.iter().any(|input| input == Path::new("-")) {
            return Err(Error::StdinCannotResume);
        }
        let texts = if self.fields.items.is_some() { Texts::ItemLines } else { Texts::Documents };
        let (format, temporary_folder) = (self.input_format, self.temporary_folder());
        Ok(discover_with(inputs, &Discovery { texts, format, temporary_folder, goes_on })?)
    }

    /// Where outputs are until they are finished; those of a job with a work folder are found again when it goes on.
    pub fn aside(&self) -> Aside {
        let job = self.work_folder.as_deref().map(|folder| {
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            xxh3_64(folder.as_os_str().as_encoded_bytes())
        });
        Aside { temporary_folder: self.temporary_folder(), job }
    }

    /// Where temporary files go.
    pub fn temporary_folder(&self) -> PathBuf {
        self.memory.folder(self.work_folder.as_deref())
    }
}

impl Default for Options {
    /// The defaults of the command line.
    fn default() -> Self {
        Self {
            text: TextOptions::default(),
            shingle: ShingleOptions::default(),
            threshold: Threshold::default(),
            method: Method::Auto,
            minhash: MinHashOptions::default(),
            empty: EmptyPolicy::Keep,
            input_format: None,
            fields: FieldNames::default(),
            on_error: OnError::Stop,
            most_record_bytes: 64 << 20,
            memory: MemoryOptions::default(),
            work_folder: None,
            threads: None,
            kernel: Kernel::detect(),
        }
    }
}

/// The memory of a job. It changes where data is kept, and no answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryOptions {
    /// Resident size that the process should stay within, in bytes; `None` for half of what the machine or its container
    /// has.
    pub budget_bytes: Option<u64>,
    /// Where what does not fit is kept, and copies of what is behind URLs; `None` for the system's folder of temporary files.
    pub temporary_folder: Option<PathBuf>,
}

impl MemoryOptions {
    /// Where temporary files go: to the work folder of the job if no other is named.
    pub(crate) fn folder(&self, work_folder: Option<&Path>) -> PathBuf {
        self.temporary_folder.as_deref().or(work_folder).map_or_else(std::env::temp_dir, Path::to_owned)
    }
}

/// How candidates are found; all are verified alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Exact, unless it would cost far more than MinHash.
    Auto,
    /// Prefix-filter join: misses nothing.
    Exact,
    /// MinHash bands: finds a pair at the threshold with the wanted recall.
    MinHash,
}

/// Parameters of the MinHash method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinHashOptions {
    /// Most components of a signature.
    pub permutations: usize,
    /// Bands and rows; `None` to choose them for `recall`.
    pub banding: Option<Banding>,
    /// Wanted probability of finding a pair whose similarity is the threshold.
    pub recall: f64,
    /// Seed of the permutations.
    pub seed: u64,
}

impl Default for MinHashOptions {
    fn default() -> Self {
        Self { permutations: 128, banding: None, recall: 0.99, seed: 1 }
    }
}

/// What happens at a bad record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// The job ends before any output appears.
    Stop,
    /// The record is reported, counted and left out.
    Skip,
}

/// Which of several near-duplicates is kept: the first in this order; ties are broken by input order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeepPolicy {
    /// Input order.
    First,
    /// Reverse input order.
    Last,
    /// Most characters of text.
    Longest,
    /// Fewest characters of text.
    Shortest,
    /// Largest value of the score field ([`FieldNames::score`]); documents without it come last.
    HighestScore,
    /// Smallest value of the score field; documents without it come last.
    LowestScore,
    /// Order of the inputs on the command line: the same as input order.
    Source,
}

/// What belongs together when duplicates are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterRule {
    /// A document goes only if it is a near-duplicate of one that stays.
    Keepers,
    /// One document stays of each connected component, though others may be far from it.
    Connected,
    /// A document goes only if it is a near-duplicate of a reference; documents are not compared with each other.
    Against,
}
