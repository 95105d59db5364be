//! The work of a search, estimated from a sample of its postings, and its cost.

use super::pair_sample::{DrawnPair, draw};
use crate::base::DocId;
use crate::comparison::Verifier;
use crate::documents::SideBySide;
use crate::keys::{Bounds, SharedKeys};
use std::collections::HashMap;

/// Cost of following one posting that the size and position filter refuses, in nanoseconds of one reference machine.
const POSTING: f64 = 2.0;
/// Cost of collecting a posting that passes.
const PASSING: f64 = 12.0;
/// Cost of a candidate that is refused by its odd sketch.
const SKETCHED_CANDIDATE: f64 = 40.0;
/// Cost of beginning the exact check: two sets that are not in the cache.
const CHECK: f64 = 100.0;
/// Cost of an element that the exact check reads.
const CHECKED_ELEMENT: f64 = 1.3;

/// The pairs that a search compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedPairs {
    /// Every pair with a common blocking key.
    All,
    /// Pairs of a document and an earlier keeper, whose number is unknown before a trial.
    Keepers,
    /// Pairs of one of the first `references` documents and a later one.
    References {
        /// Number of documents that the others are compared with.
        references: usize,
    },
}

impl ComparedPairs {
    /// Returns whether a search compares a pair, near-duplicates or not.
    fn has(self, pair: [DocId; 2], is_near: bool) -> bool {
        match self {
            Self::All => true,
            Self::Keepers => !is_near,
            Self::References { references } => {
                let [a, b] = pair.map(|document| document.index() < references);
                a != b
            }
        }
    }
}

/// The work of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Work {
    /// Number of postings that are followed.
    pub postings: f64,
    /// Number of those that pass the size and position filter.
    pub passing: f64,
    /// Number of distinct candidate pairs.
    pub candidates: f64,
    /// Number of those whose exact check takes place, because their odd sketches do not refuse them.
    pub checks: f64,
    /// Number of elements that these checks read.
    pub checked_elements: f64,
}

impl Work {
    /// Estimates the work of a search by `keys` from a sample of their postings, a function of documents, keys and
    /// seed. Of `ComparedPairs::Keepers`, near-duplicates are left out, because keepers are no near-duplicates of each
    /// other; all other pairs count as if every document were kept. The standard error is some percent of the number of
    /// postings.
    ///
    /// `check` is called now and then, and its error ends the work.
    pub fn estimate<E>(
        keys: &SharedKeys,
        verifier: Verifier<'_>,
        compared: ComparedPairs,
        seed: u64,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let sample = draw(keys, verifier.sets(), verifier.measure(), seed, &mut check)?;
        let mut sum = Self::default();
        let mut checks = Checks::new(verifier);
        for drawn in &sample {
            check()?;
            sum.add(drawn, compared, &mut checks);
        }
        let scale = keys.total_postings() as f64 / (sample.len() as f64).max(1.0);
        let Self { postings, passing, candidates, checks, checked_elements } = sum;
        let scaled = [postings, passing, candidates, checks, checked_elements].map(|number| number * scale);
        let [postings, passing, candidates, checks, checked_elements] = scaled;
        Ok(Self { postings, passing, candidates, checks, checked_elements })
    }

    fn add(&mut self, drawn: &DrawnPair, compared: ComparedPairs, checks: &mut Checks<'_>) {
        let DrawnPair { a, b, passes, passing_keys } = *drawn;
        if !passes {
            self.postings += f64::from(u8::from(compared.has([a, b], false)));
            return;
        }
        let check = checks.run([a, b]);
        if !compared.has([a, b], check.is_near) {
            return;
        }
        let pairs = 1.0 / f64::from(passing_keys);
        self.postings += 1.0;
        self.passing += 1.0;
        self.candidates += pairs;
        if !check.is_refused {
            self.checks += pairs;
            self.checked_elements += pairs * check.elements as f64;
        }
    }

    /// Cost of the work in nanoseconds.
    pub fn cost(&self) -> f64 {
        let Self { postings, passing, candidates, checks, checked_elements } = *self;
        let following = postings * POSTING + passing * PASSING;
        following + candidates * SKETCHED_CANDIDATE + checks * CHECK + checked_elements * CHECKED_ELEMENT
    }
}

/// The exact checks of pairs, each done once: long documents are few, and all their postings are of the same pairs.
struct Checks<'a> {
    verifier: Verifier<'a>,
    done: HashMap<[DocId; 2], ExactCheck>,
}

impl<'a> Checks<'a> {
    fn new(verifier: Verifier<'a>) -> Self {
        Self { verifier, done: HashMap::new() }
    }

    fn run(&mut self, pair: [DocId; 2]) -> ExactCheck {
        *self.done.entry(pair).or_insert_with(|| ExactCheck::run(pair, self.verifier))
    }
}

/// Progress of the exact check of a pair.
#[derive(Debug, Clone, Copy)]
struct ExactCheck {
    /// Elements of both sets that it passes.
    elements: usize,
    is_near: bool,
    /// True if it does not take place, because the sketches of the two refuse the pair.
    is_refused: bool,
}

impl ExactCheck {
    /// Merges the sets until the rest of the smaller one cannot reach the required number of common elements.
    fn run(pair: [DocId; 2], verifier: Verifier<'_>) -> Self {
        let sets = verifier.sets();
        let sizes = pair.map(|document| sets.size(document));
        let required = verifier.measure().required_overlap(sizes[0], sizes[1]);
        let is_refused = verifier.would_refuse(pair);
        let mut both = SideBySide::new(sets, pair);
        let mut i = 0;
        let mut j = 0;
        let mut common = 0;
        while let Some([mut left, mut right]) = both.next_pieces() {
            while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
                if common + (sizes[0] - i).min(sizes[1] - j) < required {
                    return Self { elements: i + j, is_near: false, is_refused };
                }
                common += usize::from(a == b);
                (i, left) = if a <= b { (i + 1, left_rest) } else { (i, left) };
                (j, right) = if b <= a { (j + 1, right_rest) } else { (j, right) };
            }
            (i, j) = (i + left.len(), j + right.len());
        }
        Self { elements: i + j, is_near: common >= required, is_refused }
    }
}
