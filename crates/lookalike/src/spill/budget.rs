//! The memory of a job, reserved by name: every share stands in this file, and a test adds them up.
//!
//! Not all shares are in use at once. A job goes through phases, and in each phase the shares in use sum to at most the
//! whole:
//!
//! ```text
//! 256ths                    reading  counting  dealing  numbering  comparing  writing
//! Corpus            <= 160     x        x         x         x          x         x
//! MappedPages           16     x        x         x         x          x         x
//! InFlight              32     x        x         x                              x
//!   Chunk                2                                  x                             within InFlight
//! Beside (counters) <=  64              x         x         x                             sets in memory, or else
//!   CountersAlone       96              x         x         x                               sets in a file
//! Beside (keys)     <=  64                        x         x          x                  keys in memory, or else
//!   PartBuffers         16              x         x         x                               elements or keys in files
//!   Parts               32                                  x
//!   KeyStarts            8                                  x          x
//! Index                 32                                             x                  sets in memory, or else
//!   IndexAlone          96                                             x                  sets in a file
//! Pairs                 16                                             x         x
//! PairChunks             8                                             x
//! Sketches               8                                             x
//! Texts                  8                                             x                (InFlight, too, then)
//! PairsBothWays         16                                                       x
//! Windows               32                                             x                  of `cut`
//! ```
//!
//! Of `cut`, the corpus is the tokens of all documents; superwindows are in memory beside it as counters are, repeats
//! as pairs.
//!
//! The whole is the budget without the program itself and what is in memory of every document.
//!
//! Blocking keys stand there twice while `auto` weighs exact ones against those of MinHash, and after a search by the
//! first was given up: in place of the counters.
//!
//! The budget is half of the least limit on the process (base/limits.rs), or what the user says, lowered to what that
//! limit allows. Of it the program takes some 12 MiB and each document 64 bytes; the shares have the rest, but at least
//! half. Beyond that the budget is exceeded: a million documents do not fit into 64 MiB.

use crate::base::{Error, LimitKind, MemoryLimit, Result, address_bytes, memory_limits};

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
/// The smallest budget of a job under a limit.
const MIN_BYTES: u64 = 32 << 20;
/// Addresses that are taken for a byte of the budget, at most: the allocator alone reserves 64 MiB for a thread.
const ADDRESSES_PER_BYTE: u64 = 6;
/// Pages of the program and its libraries that are in memory in every job, and count as its own.
const PROGRAM_BYTES: u64 = 12 << 20;
/// Offsets, groups, ranks, decisions and the seen ids of a document, which are in memory in every job.
const BYTES_PER_DOCUMENT: u64 = 64;
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
    /// Write buffers of the files into which elements, later blocking keys, are dealt.
    PartBuffers,
    /// Parts of dealt blocking keys that threads number at a time.
    Parts,
    /// Starts of numbered keys whose keys are in files.
    KeyStarts,
    /// Counters of elements over sets that are in a file.
    CountersAlone,
    /// The index of blocking keys beside sets in memory.
    Index,
    /// The index of blocking keys over sets that are in a file.
    IndexAlone,
    /// Verified pairs before they are sorted.
    Pairs,
    /// Verified pairs of the chunks in flight.
    PairChunks,
    /// Verified pairs turned round, before they are sorted.
    PairsBothWays,
    /// Odd sketches, by which candidates are refused; before there are any, the map of contained elements.
    Sketches,
    /// Texts on which answers are checked.
    Texts,
    /// Tables of windows and the places where they stood first.
    Windows,
}

impl Share {
    /// Number of 256ths of the budget.
    const fn units(self) -> u64 {
        match self {
            Self::CountersAlone | Self::IndexAlone => 96,
            Self::InFlight | Self::Parts | Self::Index | Self::Windows => 32,
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

/// A budget, and the limit because of which it is less than was asked for.
#[derive(Debug)]
pub(crate) struct Granted {
    pub(crate) budget: Budget,
    pub(crate) lowered_by: Option<MemoryLimit>,
}

impl Budget {
    /// A budget of `bytes`.
    pub(crate) fn new(bytes: u64) -> Self {
        Self { bytes }
    }

    /// The budget of a job that was given `asked` bytes, within the limits on this process.
    ///
    /// More than a limit allows is lowered instead of refused: no answer depends on it, and a command that was written
    /// for a large machine does its job on a small one.
    ///
    /// # Errors
    /// [`Error::TooLittleMemory`] if a limit leaves less than any job needs.
    pub(crate) fn within_limits(requested: Option<u64>) -> Result<Granted> {
        let limits = memory_limits();
        let has_addresses = limits.iter().any(|limit| limit.kind == LimitKind::AddressSpace);
        let address_bytes = if has_addresses { address_bytes() } else { None };
        Self::within(requested, &limits, address_bytes.unwrap_or(0))
    }

    fn within(requested: Option<u64>, limits: &[MemoryLimit], address_bytes: u64) -> Result<Granted> {
        let available = limits.iter().map(|&limit| (limit, AvailableMemory::under(limit, address_bytes)));
        let Some((limit, most)) = available.clone().min_by_key(|(_, memory)| memory.max_bytes) else {
            return Ok(Granted { budget: Self::new(requested.unwrap_or(MIN_BYTES)), lowered_by: None });
        };
        if most.max_bytes < MIN_BYTES {
            return Err(Error::TooLittleMemory { limit, usable_bytes: most.max_bytes, needed_bytes: MIN_BYTES });
        }
        let default = available.map(|(_, memory)| memory.default_bytes).min().unwrap_or(0).max(MIN_BYTES);
        let bytes = requested.unwrap_or(default);
        let lowered_by = (bytes > most.max_bytes).then_some(limit);
        Ok(Granted { budget: Self::new(bytes.min(most.max_bytes)), lowered_by })
    }

    /// The whole budget in bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.bytes
    }

    /// Budget that the program and each of `documents` leave for shares; at least half of the whole.
    pub(crate) fn beside_documents(self, documents: u64) -> Self {
        let taken = documents.saturating_mul(BYTES_PER_DOCUMENT).saturating_add(PROGRAM_BYTES);
        Self { bytes: self.bytes - taken.min(self.bytes / 2) }
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

    /// Returns whether a job is expected to need files whose corpus, counters and blocking keys are predicted to take
    /// `bytes`.
    pub(crate) fn expects_files_for(self, bytes: u64) -> bool {
        bytes >= self.units(MIN_SPILLED)
    }

    /// Maximum number of threads, at least 1.
    pub(crate) fn max_threads(self) -> usize {
        usize::try_from(self.bytes / BYTES_PER_THREAD).unwrap_or(usize::MAX).max(1)
    }
}

/// Memory that a limit leaves for a budget.
#[derive(Debug, Clone, Copy)]
struct AvailableMemory {
    default_bytes: u64,
    max_bytes: u64,
}

impl AvailableMemory {
    /// Half of a limit by default. At most a whole machine, but not a whole group: the kernel ends what exceeds that.
    /// Addresses go also to maps of files, stacks and what the allocator reserves for each thread, and data to what it
    /// has freed.
    fn under(limit: MemoryLimit, address_bytes: u64) -> Self {
        let MemoryLimit { kind, bytes } = limit;
        let max_bytes = match kind {
            LimitKind::Machine => bytes,
            LimitKind::ControlGroup | LimitKind::ResidentSize => bytes / 4 * 3,
            LimitKind::Data => bytes / 2,
            LimitKind::AddressSpace => bytes.saturating_sub(address_bytes) / ADDRESSES_PER_BYTE,
        };
        Self { default_bytes: max_bytes.min(bytes / 2), max_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares in use in a phase beside the corpus and the pages of mapped files.
    struct Phase {
        name: &'static str,
        corpus: CorpusLocation,
        shares: &'static [Share],
        /// Number of times that [`Budget::max_bytes_beside`] is in use: for counters, for blocking keys, for both or
        /// for neither.
        beside: u64,
    }

    #[derive(PartialEq, Eq)]
    enum CorpusLocation {
        InMemory,
        InFile,
    }

    const fn phase(name: &'static str, shares: &'static [Share], beside: u64) -> Phase {
        Phase { name, corpus: CorpusLocation::InMemory, shares, beside }
    }

    const fn phase_over_file(name: &'static str, shares: &'static [Share], beside: u64) -> Phase {
        Phase { name, corpus: CorpusLocation::InFile, shares, beside }
    }

    /// The table above.
    const PHASES: &[Phase] = &[
        phase("reading", &[Share::InFlight], 0),
        phase("counting", &[Share::InFlight, Share::PartBuffers], 1),
        phase_over_file("counting", &[Share::InFlight, Share::PartBuffers, Share::CountersAlone], 0),
        phase("dealing, keys in memory", &[Share::Sketches, Share::InFlight], 2),
        phase_over_file("dealing, keys in memory", &[Share::Sketches, Share::CountersAlone, Share::InFlight], 1),
        phase("dealing, keys in files", &[Share::Sketches, Share::InFlight, Share::PartBuffers], 1),
        phase_over_file(
            "dealing, keys in files",
            &[Share::Sketches, Share::CountersAlone, Share::InFlight, Share::PartBuffers],
            0,
        ),
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
        phase_over_file(
            "comparing, keys in memory",
            &[Share::IndexAlone, Share::Pairs, Share::PairChunks, Share::Sketches],
            1,
        ),
        phase_over_file(
            "comparing, keys in files",
            &[Share::KeyStarts, Share::IndexAlone, Share::Pairs, Share::PairChunks, Share::Sketches],
            0,
        ),
        phase("comparing by second keys", &[Share::Index, Share::Sketches], 2),
        phase_over_file("comparing by second keys", &[Share::IndexAlone, Share::Sketches], 2),
        phase("measuring recall", &[Share::Pairs, Share::Sketches], 1),
        phase("checking texts", &[Share::InFlight, Share::Pairs, Share::Texts, Share::Sketches], 1),
        phase("connecting", &[Share::Pairs, Share::Sketches], 1),
        phase("reading for a cut", &[Share::InFlight], 1),
        phase("comparing for a cut", &[Share::Windows, Share::Pairs], 1),
        phase("looking for sources", &[Share::InFlight, Share::Windows], 0),
        phase("comparing with sources", &[Share::Windows, Share::Pairs], 0),
        phase("writing pairs", &[Share::Pairs, Share::PairsBothWays, Share::InFlight], 0),
        phase("writing records", &[Share::InFlight], 0),
    ];

    /// Shares in use in every phase.
    const ALWAYS: &[Share] = &[Share::MappedPages];
    /// Shares that are parts of others: (part, whole).
    const WITHIN: &[(Share, Share)] = &[(Share::Chunk, Share::InFlight)];

    /// Every share. The match has no other use than to name each of them: where a new one is missing there, it is
    /// missing in the array, too.
    fn all_shares() -> impl Iterator<Item = Share> {
        use Share::{
            Chunk, CountersAlone, InFlight, Index, IndexAlone, KeyStarts, MappedPages, PairChunks, Pairs,
            PairsBothWays, PartBuffers, Parts, Sketches, Texts, Windows,
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
            IndexAlone,
            Pairs,
            PairChunks,
            PairsBothWays,
            Sketches,
            Texts,
            Windows,
        ];
        all.into_iter().inspect(|share| match share {
            MappedPages | InFlight | Chunk | PartBuffers | Parts | KeyStarts | CountersAlone | Index | IndexAlone
            | Pairs | PairChunks | PairsBothWays | Sketches | Texts | Windows => {}
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
            let budget = Budget::new(megabytes << 20);
            let max_corpus = budget.max_corpus_bytes();
            for corpus in [0, max_corpus / 3, max_corpus / 2, max_corpus] {
                for Phase { name, shares, beside, .. } in
                    PHASES.iter().filter(|phase| phase.corpus == CorpusLocation::InMemory || corpus == 0)
                {
                    let in_use = shares.iter().chain(ALWAYS).map(|&share| budget.share(share) as u64).sum::<u64>();
                    let total = corpus + in_use + beside * budget.max_bytes_beside(corpus) as u64;
                    assert!(total <= budget.bytes(), "{name}: {total} of {megabytes} MiB with a corpus of {corpus}");
                }
            }
        }
    }

    #[test]
    fn the_program_and_many_documents_leave_less_for_shares() {
        let budget = Budget::new(32 << 20);
        assert_eq!(budget.beside_documents(0).bytes(), 20 << 20);
        assert_eq!(budget.beside_documents(1 << 15).bytes(), 18 << 20);
        assert_eq!(budget.beside_documents(u64::MAX).bytes(), 16 << 20);
    }

    #[test]
    fn small_budgets_have_few_threads_and_files() {
        let budget = Budget::new(64 << 20);
        assert_eq!(budget.max_threads(), 4);
        assert_eq!(Budget::new(1).max_threads(), 1);
        assert!(budget.expects_files_for(16 << 20) && !budget.expects_files_for((16 << 20) - 1));
    }

    #[test]
    fn large_budgets_hold_more_of_the_corpus_in_memory() {
        assert_eq!(Budget::new(64 << 20).max_corpus_bytes(), 32 << 20);
        let gigabytes = 12u64 << 30;
        let large = Budget::new(gigabytes).max_corpus_bytes();
        assert!(gigabytes / 2 < large && large < gigabytes / 8 * 5);
        assert!(Budget::within_limits(None).unwrap().budget.bytes() > 0);
    }

    const GROUP: MemoryLimit = MemoryLimit { kind: LimitKind::ControlGroup, bytes: 160 << 20 };
    const MACHINE: MemoryLimit = MemoryLimit { kind: LimitKind::Machine, bytes: 16 << 30 };

    fn granted(requested: Option<u64>, limits: &[MemoryLimit]) -> (u64, Option<MemoryLimit>) {
        let Granted { budget, lowered_by } = Budget::within(requested, limits, 100 << 20).unwrap();
        (budget.bytes() >> 20, lowered_by)
    }

    #[test]
    fn the_least_limit_gives_the_default_and_bounds_what_was_asked_for() {
        assert_eq!(granted(None, &[MACHINE]), (8 << 10, None));
        assert_eq!(granted(None, &[MACHINE, GROUP]), (80, None));
        assert_eq!(granted(Some(12 << 30), &[MACHINE]), (12 << 10, None));
        assert_eq!(granted(Some(20 << 30), &[MACHINE]), (16 << 10, Some(MACHINE)));
        assert_eq!(granted(Some(64 << 30), &[MACHINE, GROUP]), (120, Some(GROUP)));
        assert_eq!(granted(Some(100 << 20), &[GROUP, MACHINE]), (100, None));
        assert_eq!(granted(None, &[]), (32, None));
    }

    #[test]
    fn a_limit_on_addresses_leaves_less() {
        let addresses = |mebibytes: u64| MemoryLimit { kind: LimitKind::AddressSpace, bytes: mebibytes * (1 << 20) };
        assert_eq!(granted(None, &[MACHINE, addresses(700)]), (100, None));
        assert_eq!(granted(Some(1 << 30), &[MACHINE, addresses(700)]), (100, Some(addresses(700))));
        let refused = Budget::within(None, &[MACHINE, addresses(250)], 100 << 20);
        assert!(matches!(refused, Err(Error::TooLittleMemory { usable_bytes, .. }) if usable_bytes == 25 << 20));
    }

    #[test]
    fn a_small_group_has_the_smallest_budget() {
        let small = MemoryLimit { bytes: 50 << 20, ..GROUP };
        assert_eq!(granted(None, &[MACHINE, small]), (32, None));
    }
}
