//! The search for near-duplicates: measure and method.

use super::measure::{MeasureArgs, References};
use super::values::{fingerprint_bits, permutations, probability, seed};
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use lookalike::ask::ExplicitParameters;
use lookalike::jobs::StoredParameters;
use lookalike::{
    Measure, Method,
    measures::{Check, Subject},
    methods::{Banding, Fingerprint, MinHash, Projections, Selection, SimHash},
};
use std::path::PathBuf;

/// The search for near-duplicates: measure and method.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    measure: MeasureArgs,
    /// auto, exact, minhash, simhash, ... [default: auto]
    ///
    /// Every answer is verified, by any method. exact, a prefix-filter join, misses nothing. minhash misses at most
    /// 1 - recall of the pairs at the threshold, fewer above. simhash is for --measure cosine and promises the same by
    /// the law of its bits; the recall is measured. fingerprint is for --measure containment: documents find each other
    /// by the elements that --select keeps, with the same promise; those with too few of them by all their elements.
    /// auto is exact, unless that would be far slower, and says which it takes. Of fingerprints in --bits, exact is by
    /// tables of blocks of bits, and bit-sampling misses at most 1 - recall of the pairs at the distance. Of vectors in
    /// --vector, exact compares all pairs; hyperplanes, for cosine, and p-stable, for euclidean, miss at most
    /// 1 - recall; auto is exact for up to some 100,000.
    #[arg(long, value_name = "METHOD", value_enum, hide_possible_values = true)]
    method: Option<MethodArg>,
    /// Elements that are fingerprints, for --method fingerprint: mod:P or winnow:W [default: mod:16]
    ///
    /// mod:P keeps the elements whose 64-bit hash is divisible by P, one in P. winnow:W keeps the least hash of each W
    /// consecutive shingles, about 2 in W + 1: texts with W shingles in a row in common find each other, always. It
    /// reads the texts twice.
    #[arg(long, hide_short_help = true, value_name = "SELECTION")]
    select: Option<Selection>,
    #[command(flatten)]
    minhash: MinHashArgs,
    /// Document frequencies for --weights tfidf, as --save-idf has saved them [default: those of the documents]
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with = "save_idf")]
    pub(crate) idf: Option<PathBuf>,
    /// Save the document frequencies for --idf, so that new documents are weighted like these [default: none]
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub(crate) save_idf: Option<PathBuf>,
    /// Check every pair and removal once more on the words themselves, in a second reading
    ///
    /// Texts can be made whose hashes collide, and so are found more alike than they are. An answer that the words
    /// refuse is named and left out: the record stays. Nothing is looked for in its place.
    #[arg(long, hide_short_help = true)]
    check_texts: bool,
}

/// Parameters of methods. Nothing has a default here, to tell what was given.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
struct MinHashArgs {
    /// Maximum number of components of a MinHash signature [default: 128]
    #[arg(long, hide_short_help = true, value_name = "K", value_parser = permutations)]
    permutations: Option<usize>,
    /// Bands of the signature; needs --rows [default: chosen for --recall]
    #[arg(long, hide_short_help = true, value_name = "B", requires = "rows", value_parser = permutations)]
    bands: Option<usize>,
    /// Rows in a band; needs --bands [default: chosen for --recall]
    #[arg(long, hide_short_help = true, value_name = "R", requires = "bands", value_parser = permutations)]
    rows: Option<usize>,
    /// Bits of SimHash, at most [default: as many as --recall asks for]
    #[arg(long, hide_short_help = true, value_name = "B", value_parser = fingerprint_bits)]
    fingerprint_bits: Option<usize>,
    /// Share of the pairs at the threshold that minhash, simhash or fingerprint must find [default: 0.99]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "R",
        value_parser = probability,
        conflicts_with_all = ["bands", "rows"]
    )]
    recall: Option<f64>,
    /// Seed of the permutations, of the bits of SimHash, and of the sample that measures a recall [default: 1]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = seed)]
    seed: Option<u64>,
}

/// Values of `--method`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum MethodArg {
    /// Exact, unless it would be far slower than minhash; says which
    #[default]
    Auto,
    /// Prefix-filter join: misses nothing
    Exact,
    /// MinHash bands: misses at most 1 - recall of the pairs at the threshold, fewer above
    Minhash,
    /// SimHash tables, for cosine: misses 1 - recall of the pairs at the threshold by the law of its bits
    Simhash,
    /// Selected elements, for containment: misses at most 1 - recall of the pairs at the threshold
    Fingerprint,
    /// Bands of sampled bits of fingerprints: misses at most 1 - recall of the pairs at the distance
    BitSampling,
    /// Bands of sides of random planes, for cosines of vectors: misses at most 1 - recall of the pairs at the threshold
    Hyperplanes,
    /// Bands of cells of random projections, for distances of vectors: misses at most 1 - recall of the pairs at the
    /// distance
    PStable,
}

impl SearchArgs {
    /// The measure that these flags mean.
    ///
    /// # Errors
    /// If flags do not fit each other.
    pub(super) fn measure(&self, references: References, subject: Subject, stored: Option<Measure>) -> Result<Measure> {
        self.measure.to_measure(references, subject, stored)
    }

    /// True if these flags give a limit of the measure.
    pub(crate) fn has_limit(&self) -> bool {
        self.measure.has_limit()
    }

    /// The parameters that are given for a search: the measure also if it follows from the index.
    pub(crate) fn explicit(&self, stored: Option<&StoredParameters>) -> ExplicitParameters {
        let measure = self.measure.is_given() || stored.is_some_and(|stored| stored.measure.is_some());
        ExplicitParameters { features: false, measure, method: self.method.is_some() }
    }

    /// Refuses flags that queries have no use for.
    ///
    /// # Errors
    /// If such a flag is given.
    pub(crate) fn check_to_ask(&self) -> Result<()> {
        ensure!(!self.check_texts, "--check-texts is for dedup, pairs and clusters");
        Ok(())
    }

    /// Refuses flags that a new index has no use for.
    ///
    /// # Errors
    /// If such a flag is given.
    pub(crate) fn check_to_make(&self) -> Result<()> {
        self.check_to_ask()?;
        ensure!(self.save_idf.is_none(), "--save-idf is for pairs, dedup and search; an index keeps them itself");
        ensure!(!self.measure.has_side(), "--containment is said by the search: an index is made for both directions");
        Ok(())
    }

    /// The check of answers.
    pub(crate) fn check(&self) -> Check {
        if self.check_texts { Check::Texts } else { Check::Hashes }
    }

    /// The method by which candidates are found.
    ///
    /// # Errors
    /// If flags of MinHash are given for the exact method, or do not fit each other.
    pub(crate) fn method(&self) -> Result<Method> {
        ensure!(
            self.select.is_none() || matches!(self.method, Some(MethodArg::Fingerprint)),
            "--select is for --method fingerprint"
        );
        Ok(match self.method.unwrap_or_default() {
            MethodArg::Auto => Method::Auto(self.minhash.minhash()?),
            MethodArg::Minhash => Method::MinHash(self.minhash.minhash()?),
            MethodArg::Simhash => Method::SimHash(self.minhash.simhash()?),
            MethodArg::Fingerprint => Method::Fingerprint(self.minhash.fingerprint(self.select)?),
            MethodArg::BitSampling => Method::BitSampling(self.minhash.minhash()?),
            MethodArg::Hyperplanes => Method::Hyperplanes(self.minhash.projections("hyperplanes")?),
            MethodArg::PStable => Method::PStable(self.minhash.projections("p-stable")?),
            MethodArg::Exact => {
                self.minhash.check_only("exact", &[], ": minhash and auto do")?;
                Method::Exact
            }
        })
    }
}

impl MinHashArgs {
    /// The parameters of MinHash, and of sampled bits.
    fn minhash(&self) -> Result<MinHash> {
        ensure!(self.fingerprint_bits.is_none(), "--fingerprint-bits is for --method simhash");
        let default = MinHash::default();
        Ok(MinHash {
            recall: self.recall.unwrap_or(default.recall),
            permutations: self.permutations.unwrap_or(default.permutations),
            banding: self.banding()?,
            seed: self.seed.unwrap_or(default.seed),
        })
    }

    /// The parameters of projections.
    fn projections(&self, method: &str) -> Result<Projections> {
        self.check_only(method, &["--bands", "--rows", "--recall", "--seed"], "")?;
        let default = Projections::default();
        Ok(Projections {
            recall: self.recall.unwrap_or(default.recall),
            banding: self.banding()?,
            seed: self.seed.unwrap_or(default.seed),
        })
    }

    /// The parameters of SimHash.
    fn simhash(&self) -> Result<SimHash> {
        self.check_only("simhash", &["--fingerprint-bits", "--recall", "--seed"], ": minhash does")?;
        let default = SimHash::default();
        Ok(SimHash {
            recall: self.recall.unwrap_or(default.recall),
            fingerprint_bits: self.fingerprint_bits,
            seed: self.seed.unwrap_or(default.seed),
        })
    }

    /// The parameters of fingerprints.
    fn fingerprint(&self, select: Option<Selection>) -> Result<Fingerprint> {
        self.check_only("fingerprint", &["--recall", "--seed"], "")?;
        let default = Fingerprint::default();
        let select = select.unwrap_or(default.select);
        ensure!(
            self.recall.is_none() || select.window().is_none(),
            "--recall does not fit --select {select}, which finds what has a whole window in common: mod:P takes it"
        );
        let recall = self.recall.unwrap_or(default.recall);
        Ok(Fingerprint { select, recall, seed: self.seed.unwrap_or(default.seed) })
    }

    fn banding(&self) -> Result<Option<Banding>> {
        let given = self.bands.zip(self.rows).map(|(bands, rows)| Banding::new(bands, rows));
        Ok(given.transpose().map_err(lookalike::Error::from)?)
    }

    /// Refuses flags that a method has no use for; `instead` is the end of the message.
    fn check_only(&self, method: &str, used: &[&str], instead: &str) -> Result<()> {
        let others: Vec<_> = self.given().into_iter().filter(|flag| !used.contains(flag)).collect();
        ensure!(others.is_empty(), "--method {method} has no use for {}{instead}", others.join(", "));
        Ok(())
    }

    /// The flags that were given.
    fn given(&self) -> Vec<&'static str> {
        let Self { permutations, bands, rows, fingerprint_bits, recall, seed } = self;
        let all = [
            ("--permutations", permutations.is_some()),
            ("--bands", bands.is_some()),
            ("--rows", rows.is_some()),
            ("--fingerprint-bits", fingerprint_bits.is_some()),
            ("--recall", recall.is_some()),
            ("--seed", seed.is_some()),
        ];
        all.into_iter().filter_map(|(flag, is_given)| is_given.then_some(flag)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        search: SearchArgs,
    }

    fn method(flags: &str) -> Result<Method> {
        Command::try_parse_from(["x"].into_iter().chain(flags.split_whitespace())).unwrap().search.method()
    }

    #[test]
    fn defaults_are_those_of_the_noun_and_of_the_help() {
        let default = MinHash::default();
        assert_eq!(method("").unwrap(), Method::Auto(default));
        let help = <Command as clap::CommandFactory>::command().render_long_help().to_string();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for (what, value) in [
            ("MinHash signature", default.permutations.to_string()),
            ("minhash, simhash or fingerprint must find", default.recall.to_string()),
            ("sample that measures a recall", default.seed.to_string()),
            ("mod:P or winnow:W", Fingerprint::default().select.to_string()),
        ] {
            assert!(help.contains(&format!("{what} [default: {value}]")), "{help}");
        }
    }

    #[test]
    fn flags_of_minhash_serve_auto_too_and_not_exact() {
        let flags = "--permutations 100 --bands 20 --rows 5 --seed 7";
        let banding = Banding::new(20, 5).ok();
        let expected = MinHash { permutations: 100, banding, seed: 7, ..MinHash::default() };
        assert_eq!(method(flags).unwrap(), Method::Auto(expected));
        assert_eq!(method(&format!("{flags} --method minhash")).unwrap(), Method::MinHash(expected));
        assert_eq!(method("--method exact").unwrap(), Method::Exact);
        let refused = method(&format!("{flags} --method exact")).unwrap_err().to_string();
        assert!(refused.contains("--permutations, --bands, --rows, --seed"), "{refused}");
        assert!(method("--recall 0.9 --method exact").unwrap_err().to_string().contains("--recall"));
    }
}
