//! One search over one corpus: its stages, each with its name, the nouns it depends on, and its checkpoint.

use super::join::{Joined, join};
use super::keep::{Attempt, Kept, Trial, keep, keep_against};
use crate::candidates::{KeySource, MadeKeys, MeasuredRecall, MethodUsed, measure_recall};
use crate::corpus::Corpus;
use crate::ground::{Result, Stage};
use crate::run::{Checkpoint, Session, Stored};
use lookalike_core::DocId;
use lookalike_core::measure::{EqualSets, Measure, Verifier};
use lookalike_core::method::{self, Meeting, Method};
use lookalike_core::rule::{Order, Rule};
use lookalike_core::stored::{Damage, Provenance};

/// The checkpoint of the decisions that were made after a trial was given up.
const AFTER_TRIAL: &str = "decisions-after-trial";

/// Which documents are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    /// Each document with those that are kept.
    WithKeepers,
    /// Each input with each reference.
    WithReferences,
}

/// A search for near-duplicates in a corpus.
pub(crate) struct Search<'a> {
    corpus: &'a Corpus,
    groups: EqualSets,
    measure: Measure,
    method: method::Search,
    /// The nouns that blocking keys depend on.
    provenance: Provenance,
    session: &'a Session<'a>,
}

impl<'a> Search<'a> {
    /// Groups the documents with equal sets, each group under its first document in `order`, which follows from `keep`.
    pub(crate) fn group(
        corpus: &'a Corpus,
        (order, keep): (Vec<DocId>, &Order),
        measure: Measure,
        method: Method,
        session: &'a Session<'a>,
    ) -> Result<Self> {
        let stage = Stage::over_documents("grouping", corpus.len());
        let groups = session.stage(stage, || Ok(EqualSets::group(&corpus.sets, order, measure.empty())))?;
        let provenance = Provenance::new()
            .with(&measure)?
            .with(&method)?
            .with_fact("keep", keep.to_string())
            .with_fact("the corpus", format!("{:016x}", corpus.checksum));
        Ok(Self { corpus, groups, measure, method: method.search(measure)?, provenance, session })
    }

    /// Makes the blocking keys by which documents meet.
    pub(crate) fn keys(&self, meeting: Meeting) -> Result<MadeKeys> {
        let Self { corpus, groups, measure, method, provenance, session } = self;
        let name = match meeting {
            Meeting::All => "keys-for-all",
            Meeting::Keepers => "keys-for-keepers",
        };
        let stage = Stage::over_documents("sketching", corpus.len());
        session.checkpointed(stage, name, provenance, || {
            let source = KeySource { sets: &corpus.sets, groups, measure: *measure, session };
            source.make_keys(*method, meeting)
        })
    }

    /// Decides which documents stay. A trial that follows too many postings is given up, and the keys are made again
    /// for documents that meet all others. Returns the decisions and the keys that led to them.
    pub(crate) fn decide(&self, compare: Compare, rule: &Rule, keys: MadeKeys) -> Result<(Kept, MadeKeys)> {
        match self.attempt(compare, rule, &keys, "decisions")? {
            Attempt::Decided(kept) => Ok((kept, keys)),
            Attempt::GivenUp => {
                let keys = MadeKeys { max_postings: None, ..self.keys(Meeting::All)? };
                match self.attempt(compare, rule, &keys, AFTER_TRIAL)? {
                    Attempt::Decided(kept) => Ok((kept, keys)),
                    // Without a limit no attempt is given up: a stored one that says so was not written by this program.
                    Attempt::GivenUp => Err(Damage::Section { name: AFTER_TRIAL.to_owned() }.into()),
                }
            }
        }
    }

    fn attempt(&self, compare: Compare, rule: &Rule, keys: &MadeKeys, name: &str) -> Result<Attempt> {
        let Self { corpus, groups, session, .. } = self;
        let provenance = self.provenance.clone().with(rule)?;
        let trial = Trial::new(self.verifier(), groups, keys, session);
        match compare {
            Compare::WithKeepers => keep(trial, (name, &provenance)),
            Compare::WithReferences => keep_against(corpus.references, trial, (name, &provenance)),
        }
    }

    /// Finds all pairs of representatives.
    pub(crate) fn join(&self, keys: &MadeKeys) -> Result<Joined> {
        join(self.verifier(), &self.groups, &keys.keys, self.session, &self.provenance)
    }

    /// Measures the recall of a method that promises less than all.
    pub(crate) fn recall(&self, keys: &MadeKeys) -> Result<Option<MeasuredRecall>> {
        let (MethodUsed::MinHash { .. }, method::Search::MinHash { seed, .. } | method::Search::Cheapest { seed, .. }) =
            (keys.method, self.method)
        else {
            return Ok(None);
        };
        let stage = Stage::over_documents("measuring recall", self.groups.representatives().len());
        let recall = self.session.checkpointed(stage, "recall", &self.provenance, || {
            measure_recall(self.verifier(), &self.groups, &keys.keys, seed, self.session)
        })?;
        Ok(Some(recall))
    }

    /// The exact check of pairs.
    pub(crate) fn verifier(&self) -> Verifier<'a> {
        self.session.verifier(&self.corpus.sets, self.measure)
    }

    /// The groups of equal documents.
    pub(crate) fn into_groups(self) -> EqualSets {
        self.groups
    }
}

impl Checkpoint for MeasuredRecall {
    type About = Self;

    fn about(&self) -> Self {
        *self
    }

    fn load(about: Self, _: &Stored<'_>) -> Result<Option<Self>> {
        Ok(Some(about))
    }
}
