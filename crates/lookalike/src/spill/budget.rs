//! The memory of a job, reserved by name: every share stands in this file, and a test adds them up.
//!
//! Not all shares are in use at once. A job goes through phases, and in each phase the shares in use sum to at most the
//! whole:
//!
//! ```text
//! 256ths                    reading  counting  dealing  numbering  comparing  writing
//! Corpus            <= 160     x        x         x         x          x         x
//! MappedPages           16     x        x         x         x          x         x
//! InFlight              32     x                  x                              x
//!   Chunk                2                        x                                       within InFlight
//! Beside (counters) <=  64              x         x         x                             sets in memory, or else
//!   CountersAlone       96              x         x         x                               sets in a file
//! Beside (keys)     <=  64                        x         x          x                  keys in memory, or else
//!   PartBuffers         16                        x         x                               keys in files
//!   Parts               32                                  x
//!   KeyStarts            8                                  x          x
//! Index                 32                                             x
//! Pairs                 16                                             x         x
//! PairChunks             8                                             x
//! Sketches               8                                             x
//! Texts                  8                                             x                (InFlight, too, then)
//! PairsBothWays         16                                                       x
//! ```
//!
//! Blocking keys stand there twice while `auto` weighs exact ones against those of MinHash, and after a search by the
//! first was given up: in place of the counters.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Shares are given in 256ths of the budget.
const UNITS: u64 = 256;
/// Maximum 256ths of the corpus, of a large budget.
const MAX_CORPUS: u64 = 160;
/// Maximum 256ths of the corpus, of a small budget.
const MAX_CORPUS_OF_SMALL: u64 = 128;
/// Maximum 256ths of the counters, and again of the blocking keys, beside a corpus in memory.
const MAX_BESIDE: u64 = 64;
/// 256ths from which on corpus, counters and blocking keys together are expected to need files.
const MIN_SPILLED: u64 = 64;
/// Budget that each thread must have: allocators hold for a thread what it has freed.
const BYTES_PER_THREAD: u64 = 16 << 20;
/// Blocks, tables and the program itself have at least this beside a corpus of more than half of the budget.
const MIN_BESIDE_CORPUS_BYTES: u64 = 512 << 20;

/// A named share of the memory of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// Resident pages of mapped files.
    MappedPages,
    /// Items between the thread that reads them and the one that consumes them.
    InFlight,
    /// One item in flight that consists of consecutive documents: a part of `InFlight`.
    Chunk,
    /// Write buffers of the files into which blocking keys are dealt.
    PartBuffers,
    /// Parts of dealt blocking keys that threads number at a time.
    Parts,
    /// Starts of numbered keys whose keys are in files.
    KeyStarts,
    /// Counters of elements over sets that are in a file.
    CountersAlone,
    /// The index of blocking keys.
    Index,
    /// Verified pairs before they are sorted.
    Pairs,
    /// Verified pairs of the chunks in flight.
    PairChunks,
    /// Verified pairs from both sides, before they are sorted.
    PairsBothWays,
    /// Odd sketches, by which candidates are refused.
    Sketches,
    /// Texts on which answers are checked.
    Texts,
}

impl Share {
    /// Number of 256ths of the budget.
    const fn units(self) -> u64 {
        match self {
            Self::CountersAlone => 96,
            Self::InFlight | Self::Parts | Self::Index => 32,
            Self::MappedPages | Self::PartBuffers | Self::Pairs | Self::PairsBothWays => 16,
            Self::KeyStarts | Self::PairChunks | Self::Sketches | Self::Texts => 8,
            Self::Chunk => 2,
        }
    }
}

/// The memory that the process should stay within.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    bytes: u64,
}

impl Budget {
    /// A budget of `bytes`; `None` for half of what the machine has, or the container that the process runs in.
    pub(crate) fn new(bytes: Option<u64>) -> Self {
        Self { bytes: bytes.unwrap_or_else(default_bytes) }
    }

    /// The whole budget in bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.bytes
    }

    /// The bytes of a share.
    pub(crate) fn share(self, share: Share) -> usize {
        usize::try_from(self.units(share.units())).unwrap_or(usize::MAX)
    }

    fn units(self, units: u64) -> u64 {
        // Exact for budgets below 2^56 bytes.
        self.bytes / UNITS * units + self.bytes % UNITS * units / UNITS
    }

    /// Maximum bytes of the corpus in memory: half of a small budget, and more of one that leaves enough beside it.
    pub(crate) fn max_corpus_bytes(self) -> u64 {
        let large = Self { bytes: self.bytes.saturating_sub(MIN_BESIDE_CORPUS_BYTES) }.units(MAX_CORPUS);
        large.max(self.units(MAX_CORPUS_OF_SMALL))
    }

    /// Maximum bytes of the counters, and again of the blocking keys, that are made beside a corpus of `corpus_bytes`
    /// in memory.
    pub(crate) fn max_bytes_beside(self, corpus_bytes: u64) -> usize {
        let taken = [Share::MappedPages, Share::InFlight, Share::PartBuffers].map(Share::units).iter().sum::<u64>();
        let rest = self.units(UNITS - taken).saturating_sub(corpus_bytes);
        usize::try_from((rest / 2).min(self.units(MAX_BESIDE))).unwrap_or(usize::MAX)
    }

    /// Whether a job is expected to need files whose corpus, counters and blocking keys are predicted to take `bytes`.
    pub(crate) fn expects_files_for(self, bytes: u64) -> bool {
        bytes >= self.units(MIN_SPILLED)
    }

    /// Maximum number of threads, at least 1.
    pub(crate) fn max_threads(self) -> usize {
        usize::try_from(self.bytes / BYTES_PER_THREAD).unwrap_or(usize::MAX).max(1)
    }
}

fn default_bytes() -> u64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let machine = system.total_memory();
    let container = system.cgroup_limits().map_or(machine, |limits| limits.total_memory);
    machine.min(container) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is in use in a phase beside the corpus and the pages of mapped files.
    struct Phase {
        name: &'static str,
        corpus: Corpus,
        shares: &'static [Share],
        /// How often [`Budget::max_bytes_beside`] is in use: for counters, for blocking keys, for both or for neither.
        beside: u64,
    }

    #[derive(PartialEq, Eq)]
    enum Corpus {
        InMemory,
        InFile,
    }

    const fn phase(name: &'static str, shares: &'static [Share], beside: u64) -> Phase {
        Phase { name, corpus: Corpus::InMemory, shares, beside }
    }

    const fn phase_over_file(name: &'static str, shares: &'static [Share], beside: u64) -> Phase {
        Phase { name, corpus: Corpus::InFile, shares, beside }
    }

    /// The table above.
    const PHASES: &[Phase] = &[
        phase("reading", &[Share::InFlight], 0),
        phase("counting", &[], 1),
        phase_over_file("counting", &[Share::CountersAlone], 0),
        phase("dealing, keys in memory", &[Share::InFlight], 2),
        phase_over_file("dealing, keys in memory", &[Share::CountersAlone, Share::InFlight], 1),
        phase("dealing, keys in files", &[Share::InFlight, Share::PartBuffers], 1),
        phase_over_file("dealing, keys in files", &[Share::CountersAlone, Share::InFlight, Share::PartBuffers], 0),
        phase("numbering, keys in memory", &[], 2),
        phase_over_file("numbering, keys in memory", &[Share::CountersAlone], 1),
        phase("numbering, keys in files", &[Share::PartBuffers, Share::Parts, Share::KeyStarts], 1),
        phase_over_file(
            "numbering, keys in files",
            &[Share::CountersAlone, Share::PartBuffers, Share::Parts, Share::KeyStarts],
            0,
        ),
        phase("comparing, keys in memory", &[Share::Index, Share::Pairs, Share::PairChunks, Share::Sketches], 1),
        phase(
            "comparing, keys in files",
            &[Share::KeyStarts, Share::Index, Share::Pairs, Share::PairChunks, Share::Sketches],
            0,
        ),
        phase("comparing by second keys", &[Share::Index, Share::Sketches], 2),
        phase("measuring recall", &[Share::Pairs, Share::Sketches], 1),
        phase("checking texts", &[Share::InFlight, Share::Pairs, Share::Texts, Share::Sketches], 1),
        phase("connecting", &[Share::Pairs, Share::Sketches], 1),
        phase("writing pairs", &[Share::Pairs, Share::PairsBothWays], 0),
        phase("writing records", &[Share::InFlight], 0),
    ];

    /// In use in every phase.
    const ALWAYS: &[Share] = &[Share::MappedPages];
    /// Shares that are parts of others: (part, whole).
    const WITHIN: &[(Share, Share)] = &[(Share::Chunk, Share::InFlight)];

    /// All shares. The match has no other use than to name each of them: where a new one is missing there, it is
    /// missing in the array, too.
    fn all_shares() -> impl Iterator<Item = Share> {
        use Share::{
            Chunk, CountersAlone, InFlight, Index, KeyStarts, MappedPages, PairChunks, Pairs, PairsBothWays,
            PartBuffers, Parts, Sketches, Texts,
        };
        let all = [
            MappedPages,
            InFlight,
            Chunk,
            PartBuffers,
            Parts,
            KeyStarts,
            CountersAlone,
            Index,
            Pairs,
            PairChunks,
            PairsBothWays,
            Sketches,
            Texts,
        ];
        all.into_iter().inspect(|share| match share {
            MappedPages | InFlight | Chunk | PartBuffers | Parts | KeyStarts | CountersAlone | Index | Pairs
            | PairChunks | PairsBothWays | Sketches | Texts => {}
        })
    }

    #[test]
    fn every_share_is_in_use_in_some_phase() {
        let in_phases = PHASES.iter().flat_map(|phase| phase.shares).chain(ALWAYS);
        let in_use: Vec<Share> = in_phases.chain(WITHIN.iter().map(|(part, _)| part)).copied().collect();
        for share in all_shares() {
            assert!(in_use.contains(&share), "{share:?} is in no phase");
        }
        for (part, whole) in WITHIN {
            assert!(part.units() <= whole.units() && in_use.contains(whole), "{part:?} is no part of {whole:?}");
        }
    }

    #[test]
    fn the_shares_of_every_phase_sum_to_at_most_the_whole() {
        for megabytes in [1, 32, 64, 150, 512, 1000, 1024, 1100, 2048, 4096, 12_345, 1 << 20] {
            let budget = Budget::new(Some(megabytes << 20));
            let max_corpus = budget.max_corpus_bytes();
            for corpus in [0, max_corpus / 3, max_corpus / 2, max_corpus] {
                for Phase { name, shares, beside, .. } in
                    PHASES.iter().filter(|phase| phase.corpus == Corpus::InMemory || corpus == 0)
                {
                    let in_use = shares.iter().chain(ALWAYS).map(|&share| budget.share(share) as u64).sum::<u64>();
                    let total = corpus + in_use + beside * budget.max_bytes_beside(corpus) as u64;
                    assert!(total <= budget.bytes(), "{name}: {total} of {megabytes} MiB with a corpus of {corpus}");
                }
            }
        }
    }

    #[test]
    fn small_budgets_have_few_threads_and_files() {
        let budget = Budget::new(Some(64 << 20));
        assert_eq!(budget.max_threads(), 4);
        assert_eq!(Budget::new(Some(1)).max_threads(), 1);
        assert!(budget.expects_files_for(16 << 20) && !budget.expects_files_for((16 << 20) - 1));
    }

    #[test]
    fn large_budgets_hold_more_of_the_corpus_in_memory() {
        assert_eq!(Budget::new(Some(64 << 20)).max_corpus_bytes(), 32 << 20);
        let gigabytes = 12u64 << 30;
        let large = Budget::new(Some(gigabytes)).max_corpus_bytes();
        assert!(gigabytes / 2 < large && large < gigabytes / 8 * 5);
        assert!(Budget::new(None).bytes() > 0);
    }
}
