//! How near-duplicates are found.

use anyhow::Result;
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use lookalike::{Banding, EmptyPolicy, Jaccard, Measure, Method, MinHash, Threshold};

/// How near-duplicates are found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Minimum similarity (>=) of near-duplicates
    #[arg(long, value_name = "T", default_value = "0.8", allow_negative_numbers = true)]
    threshold: Threshold,
    /// How candidates are found; every answer is verified
    #[arg(long, value_name = "METHOD", value_enum, default_value_t)]
    method: MethodArg,
    /// Maximum number of components of a MinHash signature
    #[arg(long, hide_short_help = true, value_name = "K", default_value_t = 128, value_parser = permutations())]
    permutations: usize,
    /// Bands of the signature; needs --rows [default: chosen for --recall]
    #[arg(long, hide_short_help = true, value_name = "B", requires = "rows")]
    bands: Option<usize>,
    /// Rows in a band; needs --bands [default: chosen for --recall]
    #[arg(long, hide_short_help = true, value_name = "R", requires = "bands")]
    rows: Option<usize>,
    /// Share of the pairs at the threshold that minhash must find
    #[arg(long, value_name = "R", default_value_t = 0.99, allow_negative_numbers = true)]
    recall: f64,
    /// Seed of the permutations
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Whether documents without tokens are duplicates of each other
    #[arg(long, hide_short_help = true, value_name = "WHAT", value_enum, default_value_t)]
    empty: EmptyArg,
}

/// Answers of `--method`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum MethodArg {
    /// Exact, unless it would be far slower than minhash; says which
    #[default]
    Auto,
    /// Prefix-filter join: misses nothing
    Exact,
    /// MinHash bands: misses at most 1 - recall of the pairs at the threshold, fewer above
    Minhash,
}

/// Answers of `--empty`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum EmptyArg {
    /// An empty document is no duplicate
    #[default]
    Keep,
    /// Empty documents are duplicates of each other
    Duplicate,
}

impl SearchArgs {
    /// What these flags mean by "alike".
    pub(crate) fn measure(&self) -> Measure {
        let empty = match self.empty {
            EmptyArg::Keep => EmptyPolicy::Keep,
            EmptyArg::Duplicate => EmptyPolicy::Duplicate,
        };
        Measure::Jaccard(Jaccard { threshold: self.threshold, empty })
    }

    /// How these flags want candidates found.
    pub(crate) fn method(&self) -> Result<Method> {
        let within = |(bands, rows)| Banding::within(bands, rows, self.permutations);
        let banding = self.bands.zip(self.rows).map(within).transpose().map_err(lookalike::Error::from)?;
        let minhash = MinHash { recall: self.recall, permutations: self.permutations, banding, seed: self.seed };
        Ok(match self.method {
            MethodArg::Auto => Method::Auto(minhash),
            MethodArg::Exact => Method::Exact,
            MethodArg::Minhash => Method::MinHash(minhash),
        })
    }
}

/// Maximum number of components of a signature: estimates then err by 0.005, and the rule of the peers, which tries all
/// bandings, would take seconds with more.
const MAX_PERMUTATIONS: u64 = 10_000;

/// A number of components of a signature.
pub(crate) fn permutations() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MAX_PERMUTATIONS)
}
