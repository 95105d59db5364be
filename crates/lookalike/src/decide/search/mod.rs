//! One search over one corpus: its stages, each with its name, the parameters it depends on, and its checkpoint.

mod answer_size;
mod answers;
mod refusals;

pub use answers::{Clusters, Dedup, FoldedPairs};

use super::bits_join::BitsJoining;
use super::decided::Decided;
use super::histogram::Refused;
use super::join::{Candidates, GroupSides, JoinGoal, Joined, Joining, PairsToJoin};
use super::keep::{Compare, KeepDecisions, KeepTrial, decide_for_equals};
use super::keep_all::KeepingAll;
use super::order::order_from;
use super::pair_limit::PairLimit;
use crate::base::{Contradiction, Result, Stage, random_number};
use crate::candidates::{
    KeySource, MeasuredRecall, MethodKeys, MethodUsed, UsedProjections, measure_recall, measure_recall_of_containment,
    plane_bits,
};
use crate::corpus::Corpus;
use crate::run::{Checkpoint, CheckpointOf, Session, Stored};
use crate::spill::Share;
use lookalike_core::comparison::{
    BitSearch, ComparedPairs, EqualSets, Measure, MeasuredSpace, Method, SearchPlan, SetSearch, TermSearch,
    VectorSearch, VerifiedPair, Verifier, cost,
};
use lookalike_core::rule::{
    Cluster, Decision, Order, RatedPair, Reason, Rule, clusters as connected_components, decide_by_clusters,
    decide_by_pairs,
};
use lookalike_core::similarity::SearchFilters;
use lookalike_core::stored::Provenance;
use lookalike_core::vectors::PlaneBits;
use std::cmp::Reverse;

/// A search for near-duplicates in a corpus.
pub(crate) struct DuplicateSearch<'a> {
    pub(super) corpus: &'a Corpus,
    pub(super) groups: EqualSets,
    pub(super) measure: Measure,
    plan: SearchPlan,
    /// The parameters that blocking keys depend on.
    provenance: Provenance,
    space: MeasuredSpace<'a>,
    /// Treatment of refused candidates.
    refused: Refused,
    /// Maximum number of pairs of documents.
    pub(super) pair_limit: PairLimit,
    /// Decisions by the references, if only the other documents are searched.
    by_references: Option<Vec<Decision>>,
    pub(super) session: &'a Session<'a>,
}

/// The order of documents, the measure and the method of a search.
#[derive(Clone, Copy)]
pub(crate) struct SearchParameters<'k> {
    pub(crate) keep: &'k Order,
    pub(crate) measure: Measure,
    pub(crate) method: Method,
}

/// The names of the checkpoints of a search for keepers.
struct CheckpointNames {
    keys: &'static str,
    decisions: &'static str,
    recall: &'static str,
}

impl CheckpointNames {
    const OF_ALL: Self = Self { keys: "keys-for-keepers", decisions: "decisions", recall: "recall" };
    const OF_INPUTS: Self = Self { keys: "keys-for-inputs", decisions: "input-decisions", recall: "input-recall" };
}

impl<'a> DuplicateSearch<'a> {
    /// Orders the documents as `keep` says, of containments by falling size first, and groups
    /// those with equal sets, each group under its first document in that order.
    pub(crate) fn group(
        corpus: &'a Corpus,
        keep: &Order,
        measure: Measure,
        method: Method,
        session: &'a Session<'a>,
    ) -> Result<Self> {
        Self::group_some(corpus, SearchParameters { keep, measure, method }, 0, session)
    }

    /// Groups the documents that are no references, beside what the references have decided.
    pub(crate) fn group_inputs(
        corpus: &'a Corpus,
        parameters: SearchParameters<'_>,
        by_references: Vec<Decision>,
        session: &'a Session<'a>,
    ) -> Result<Self> {
        let search = Self::group_some(corpus, parameters, corpus.listing.references, session)?;
        Ok(Self { by_references: Some(by_references), ..search })
    }

    /// A search over the documents from number `first` on.
    fn group_some(
        corpus: &'a Corpus,
        SearchParameters { keep, measure, method }: SearchParameters<'_>,
        first: usize,
        session: &'a Session<'a>,
    ) -> Result<Self> {
        let method = corpus.prepared.signatures().map_or(method, |given| given.within(method));
        let plan = SearchPlan::new(measure, method)?;
        if !corpus.is_weighed_for(measure) {
            return Err(Contradiction::NotWeighed.into());
        }
        let provenance = Provenance::new()
            .with(&measure)?
            .with(&method)?
            .with_fact("keep", serde_json::to_value(keep)?)
            .with_fact("the corpus", format!("{:016x}", corpus.checksum));
        let provenance = match corpus.prepared.signatures() {
            Some(given) => provenance.with_fact("signatures", format!("{:016x}", given.checksum)),
            None => provenance,
        };
        session.spill.note_documents(corpus.len());
        let filters = SearchFilters {
            max_sketch_bytes: Some(session.spill.budget().share(Share::Sketches)),
            short: corpus.prepared.short(),
        };
        let space = measure.space_with(&corpus.sets, session.kernel(), filters);
        let verifier = space.verifier();
        let groups = session.stage(Stage::over_documents(Stage::GROUPING, corpus.len() - first), || {
            let mut order = order_from(first, &corpus.listing, keep, session.stages.progress)?;
            let text = |document| corpus.text_hash(document);
            if measure.contained().is_some() && corpus.listing.references == first {
                // The whole before its parts; this sort is stable.
                order.sort_by_key(|&document| Reverse(verifier.extent(document)));
            }
            Ok(EqualSets::group(&corpus.sets, order, text, measure, random_number()))
        })?;
        Ok(Self {
            corpus,
            groups,
            measure,
            plan,
            provenance,
            space,
            refused: Refused::Forgotten,
            pair_limit: PairLimit::default(),
            by_references: None,
            session,
        })
    }

    fn checkpoint_names(&self) -> CheckpointNames {
        if self.by_references.is_some() { CheckpointNames::OF_INPUTS } else { CheckpointNames::OF_ALL }
    }

    /// Copy that samples refused candidates as `refused` says.
    pub(crate) fn with_refused(self, refused: Refused) -> Self {
        Self { refused, ..self }
    }

    /// Copy that ends when it has found more pairs than there may be.
    pub(crate) fn with_pair_limit(self, pair_limit: PairLimit) -> Self {
        Self { pair_limit, ..self }
    }

    /// Makes the blocking keys by which documents meet.
    pub(crate) fn keys(&self, meeting: ComparedPairs) -> Result<MethodKeys> {
        let name = match meeting {
            ComparedPairs::All => "keys-for-all",
            ComparedPairs::Keepers | ComparedPairs::References { .. } => self.checkpoint_names().keys,
        };
        let stage = Stage::over_documents(Stage::SKETCHING, self.corpus.len());
        if let Some(bits) = self.bits_joining().filter(|_| !matches!(meeting, ComparedPairs::References { .. })) {
            let method = MethodUsed::of_tables(bits.join().cut(), None);
            return self.session.stage(stage, || Ok(MethodKeys::without(method)));
        }
        let checkpoint = self.checkpoint(name, &self.provenance);
        let built = self.session.checkpointed(stage, checkpoint, || self.keys_unless_all_pairs(meeting))?;
        Ok(MethodKeys { planes: self.plane_bits(built.method)?, ..built })
    }

    /// The sides of planes by which candidates of projections are refused before their vectors are read.
    fn plane_bits(&self, method: MethodUsed) -> Result<Option<PlaneBits>> {
        let MethodUsed::Projections(UsedProjections { max_differing: Some(max_differing), .. }) = method else {
            return Ok(None);
        };
        let Some(seed) = self.plan.seed() else { return Ok(None) };
        plane_bits(&self.corpus.sets, seed, max_differing, self.session).map(Some)
    }

    /// The keys by which documents meet, or none: all pairs are compared where weights make most terms blocking keys.
    fn keys_unless_all_pairs(&self, meeting: ComparedPairs) -> Result<MethodKeys> {
        let documents = self.groups.representatives();
        let weighted = match self.plan {
            SearchPlan::Terms { cosine, by: TermSearch::Exact } => Some(cosine),
            _ => None,
        };
        if weighted.is_some_and(|cosine| cost::sample_prefers_all_pairs(&self.corpus.sets, documents, cosine)) {
            return Ok(MethodKeys::without(MethodUsed::AllPairs));
        }
        let built = self.key_source().make_keys(self.plan, meeting)?;
        // Of references, the shared keys of inputs with each other are counted, too, and never followed.
        let are_known = weighted.is_some() && !matches!(meeting, ComparedPairs::References { .. });
        let are_all = are_known && cost::prefers_all_pairs(built.keys.total_postings(), documents.len());
        Ok(if are_all { MethodKeys::without(MethodUsed::AllPairs) } else { built })
    }

    /// The join of short fingerprints, which needs no keys, if they are such and nothing is to be missed.
    fn bits_joining(&self) -> Option<BitsJoining<'_>> {
        let SearchPlan::Bits { hamming, by: BitSearch::Exact } = self.plan else { return None };
        if self.refused != Refused::Forgotten || self.by_references.is_some() {
            return None;
        }
        BitsJoining::new(hamming, self.space.verifier(), &self.groups, self.session)
    }

    fn checkpoint<'p>(&self, name: &'static str, provenance: &'p Provenance) -> CheckpointOf<'p> {
        CheckpointOf { name, provenance, documents: self.corpus.len() }
    }

    fn key_source(&self) -> KeySource<'_> {
        let Self { groups, session, corpus, .. } = self;
        KeySource { verifier: self.space.verifier(), groups, prepared: &corpus.prepared, session }
    }

    /// Decides which documents stay. A search that costs too much is given up for another, as the cost model says.
    /// Returns the decisions and the keys that led to them.
    pub(crate) fn decide(
        &self,
        compare: Compare,
        rule: &Rule,
        keys: MethodKeys,
    ) -> Result<(KeepDecisions, MethodKeys)> {
        let provenance = self.provenance.clone().with(rule)?;
        let checkpoint = self.checkpoint(self.checkpoint_names().decisions, &provenance);
        let decided = if let Some(joining) = self.bits_joining().filter(|_| compare == Compare::WithKeepers) {
            let stage = Stage::over_documents(Stage::COMPARING, joining.work());
            self.session.checkpointed(stage, checkpoint, || self.decide_by_join(joining))?
        } else if keys.method.is_of_all_pairs() {
            let keeping = KeepingAll::new(compare, self.space.verifier(), &self.groups, self.session)
                .starting_from(self.by_references.clone());
            let stage = Stage::over_documents(Stage::COMPARING, keeping.work());
            let decide = || Ok(Decided { kept: keeping.run()?, second: None });
            self.session.checkpointed(stage, checkpoint, decide)?
        } else {
            let goes_on = || self.accepts_in_full(&keys, compare);
            let trial = self.trial(compare, &keys).going_on_if(&goes_on);
            let stage = Stage::over_documents(Stage::COMPARING, trial.work());
            self.session.checkpointed(stage, checkpoint, || match trial.run()? {
                Some(kept) => Ok(Decided { kept, second: None }),
                None => self.decide_by_second_choice(compare, &keys),
            })?
        };
        Ok((decided.kept, decided.second.unwrap_or(keys)))
    }

    /// Returns whether `auto` goes on with exact keys whatever a trial has cost, because it accepts them even if every
    /// document is kept.
    fn accepts_in_full(&self, keys: &MethodKeys, compare: Compare) -> bool {
        let SearchPlan::Sets { by: SetSearch::Cheapest(bands), .. } = self.plan else { return false };
        self.key_source().accepts_in_full(keys, bands, compare.meeting())
    }

    /// Decides by the keepers rule from all pairs of short fingerprints; if there are too many, by an index of keepers.
    fn decide_by_join(&self, joining: BitsJoining<'_>) -> Result<Decided> {
        let Some(joined) = joining.for_keepers().run()? else {
            let keys = self.key_source().make_keys(self.plan, ComparedPairs::Keepers)?;
            let kept = self.new_trial(Compare::WithKeepers, &keys).run_to_the_end()?;
            return Ok(Decided { kept, second: Some(keys) });
        };
        let verifier = self.space.verifier();
        let rated = |pair: VerifiedPair| RatedPair {
            a: pair.a,
            b: pair.b,
            similarity: verifier.similarity(&pair),
            reason: Reason::Near,
        };
        let order = self.groups.representatives();
        let mut decisions = decide_by_pairs(self.corpus.len(), order, joined.pairs().map(rated));
        decide_for_equals(&mut decisions, &self.groups, verifier);
        Ok(Decided { kept: KeepDecisions { decisions, candidates: joined.candidates }, second: None })
    }

    /// Decides after a trial with the `first` keys was given up: by MinHash if it promises to be cheaper, until it has
    /// cost what exact would at most; else by the first keys to the end.
    fn decide_by_second_choice(&self, compare: Compare, first: &MethodKeys) -> Result<Decided> {
        let second = match self.plan {
            SearchPlan::Sets { by: SetSearch::Cheapest(bands), .. } => {
                self.key_source().cheaper_than(first, bands, compare.meeting())?
            }
            _ => None,
        };
        if let Some(keys) = second
            && let Some(kept) = self.new_trial(compare, &keys).run()?
        {
            return Ok(Decided { kept, second: Some(keys) });
        }
        Ok(Decided { kept: self.new_trial(compare, first).run_to_the_end()?, second: None })
    }

    /// A search for keepers, beside what the references have decided.
    fn trial<'s>(&'s self, compare: Compare, keys: &'s MethodKeys) -> KeepTrial<'s> {
        KeepTrial::new(compare, self.verifier(keys), &self.groups, keys, self.session)
            .starting_from(self.by_references.clone())
    }

    /// Another trial in the stage that compares.
    fn new_trial<'s>(&'s self, compare: Compare, keys: &'s MethodKeys) -> KeepTrial<'s> {
        let trial = self.trial(compare, keys);
        self.session.stages.extend(trial.work());
        trial
    }

    /// Finds all pairs of representatives.
    pub(crate) fn join(&self, keys: &MethodKeys) -> Result<Joined> {
        let wanted = match self.refused {
            Refused::Forgotten => JoinGoal::All,
            Refused::Sampled => JoinGoal::AllAndRefused,
        };
        self.join_wanted(keys, wanted)
    }

    /// Finds as many pairs of representatives as connect what all pairs connect; all where texts may refuse some of
    /// them, because the others have to connect what is left.
    pub(crate) fn connect(&self, keys: &MethodKeys) -> Result<Joined> {
        let wanted = if self.corpus.texts.is_some() { JoinGoal::All } else { JoinGoal::Connecting };
        self.join_wanted(keys, wanted)
    }

    fn join_wanted(&self, keys: &MethodKeys, wanted: JoinGoal) -> Result<Joined> {
        let name = match wanted {
            JoinGoal::All => "pairs",
            JoinGoal::AllAndRefused => "pairs-and-refused",
            JoinGoal::Connecting => "connecting-pairs",
        };
        if let Some(joining) = self.bits_joining() {
            let stage = Stage::over_documents(Stage::COMPARING, joining.work());
            let joining = if wanted == JoinGoal::Connecting { joining.for_components() } else { joining };
            return self.session.checkpointed(stage, self.checkpoint(name, &self.provenance), || {
                let limit = self.limit_of_found();
                let joining = joining.within(limit);
                match joining.run()? {
                    Some(joined) => Ok(joined),
                    None => limit.check_found(u64::MAX).map(|()| Joined::default()),
                }
            });
        }
        let are_all = keys.method.is_of_all_pairs();
        let candidates = if are_all { Candidates::All } else { Candidates::OfKeys(&keys.keys) };
        let sides = GroupSides::new(&self.groups, self.corpus.listing.references);
        let groups = &self.groups;
        let pairs = PairsToJoin { verifier: self.verifier(keys), groups, sides, candidates, wanted };
        let joining = Joining::new(pairs, self.session).within(self.limit_of_found());
        let stage = Stage::over_documents(Stage::COMPARING, joining.work());
        self.session.checkpointed(stage, self.checkpoint(name, &self.provenance), || joining.run())
    }

    /// The limit of pairs of groups: each is a pair of documents or more, unless texts refuse it.
    fn limit_of_found(&self) -> PairLimit {
        if self.corpus.texts.is_some() { PairLimit::default() } else { self.pair_limit }
    }

    /// Measures the recall of a method that promises less than all.
    pub(crate) fn recall(&self, keys: &MethodKeys) -> Result<Option<MeasuredRecall>> {
        let Some(seed) = self.plan.seed().filter(|_| !keys.method.is_complete()) else { return Ok(None) };
        // `auto` has chosen a method that is not complete: only the documents tell.
        if matches!(
            self.plan,
            SearchPlan::Sets { by: SetSearch::Cheapest(_), .. }
                | SearchPlan::Vectors { by: VectorSearch::Cheapest(_), .. }
        ) {
            self.session.stages.next_is_part();
        }
        let stage = Stage::over_documents(Stage::MEASURING_RECALL, self.groups.representatives().len());
        let checkpoint = self.checkpoint(self.checkpoint_names().recall, &self.provenance);
        let recall = self.session.checkpointed(stage, checkpoint, || {
            let verifier = self.verifier(keys);
            match verifier.measure().contained() {
                None => measure_recall(verifier, &self.groups, &keys.keys, seed, self.session),
                Some(_) => {
                    let references = if self.by_references.is_some() { 0 } else { self.corpus.listing.references };
                    measure_recall_of_containment((verifier, &keys.keys), &self.groups, references, seed, self.session)
                }
            }
        })?;
        Ok(Some(recall))
    }

    /// The exact check of the candidates that these keys give.
    fn verifier<'s>(&'s self, keys: &'s MethodKeys) -> Verifier<'s> {
        self.space.verifier().with_plane_bits(keys.planes.as_ref())
    }

    /// The connected components of the pairs and of the groups of equal documents.
    pub(crate) fn components(&self, joined: &Joined) -> Result<Vec<Cluster>> {
        let Self { corpus, groups, session, .. } = self;
        session.stage(self.connecting(), || {
            let near = joined.pairs().map(|pair| (pair.a, pair.b));
            let equal = corpus.documents().map(|document| (groups.representative(document), document));
            Ok(connected_components(corpus.len(), near.chain(equal)))
        })
    }

    /// Decides which documents stay: the first of each connected component of the pairs.
    pub(crate) fn decide_by_components(&self, joined: &Joined) -> Result<Vec<Decision>> {
        let Self { corpus, groups, session, .. } = self;
        session.stage(self.connecting(), || {
            let verifier = self.space.verifier();
            let clusters = connected_components(corpus.len(), joined.pairs().map(|pair| (pair.a, pair.b)));
            let similarity = |a, b| verifier.similarity_of(a, b);
            let mut decisions = decide_by_clusters(corpus.len(), groups.representatives(), &clusters, similarity);
            decide_for_equals(&mut decisions, groups, verifier);
            Ok(decisions)
        })
    }

    /// Tells removals for identical texts from those for equal features.
    pub(crate) fn compare_texts(&self, decisions: &mut [Decision]) {
        for (document, decision) in self.corpus.documents().zip(decisions) {
            *decision = decision.with_texts(|kept| self.corpus.is_same_text([document, kept]));
        }
    }

    fn connecting(&self) -> Stage {
        Stage::over_documents(Stage::CONNECTING, self.corpus.len())
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

#[cfg(test)]
mod tests;
