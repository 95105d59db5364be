//! The chain of all stages over random batches against the pipeline over the same texts.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a test that fails")]

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, Float64Array, Int32Array, LargeListArray, LargeStringArray, ListArray, StringArray,
    StringViewArray, UInt32Array,
};
use lookalike::jobs::{self, Answers};
use lookalike::{
    Cluster, Data, Decision, DocId, Features, InMemory, Job, Kernel, Measure, Method, Order, Reason, Resources, Rule,
    Silent, inputs::MemoryTexts, methods::MinHash, texts::ShingleOptions,
};
use lookalike_batch::{
    Components, Extents, Frequencies, Kept, Pairs, SearchPlan, blocking_keys, element_sets, keepers, may_reach, verify,
};
use lookalike_core::hash::SplitMix64;
use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Another engine: cuts rows into batches, stores what the stages give by document, and joins it.
struct Engine {
    random: SplitMix64,
    features: Features,
    measure: Measure,
    method: Method,
}

type Pair = (u32, u32, f64);

impl Engine {
    /// Random consecutive ranges of some rows; some of them are empty.
    fn batches(&mut self, rows: usize) -> Vec<Range<usize>> {
        let mut cuts: Vec<usize> = (0..4).map(|_| self.random.next_below(rows as u64 + 1) as usize).collect();
        cuts.extend([0, rows]);
        cuts.sort_unstable();
        cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()
    }

    /// Slices of a column, or arrays that begin with their first row.
    fn texts(&mut self, texts: &[Option<String>]) -> Vec<ArrayRef> {
        let whole: ArrayRef = match self.random.next_below(3) {
            0 => Arc::new(StringArray::from_iter(texts)),
            1 => Arc::new(LargeStringArray::from_iter(texts)),
            _ => Arc::new(StringViewArray::from_iter(texts)),
        };
        let batches = self.batches(texts.len());
        batches.into_iter().map(|rows| whole.slice(rows.start, rows.len())).collect()
    }

    /// Sets, by batch, also as Spark has them.
    fn sets(&mut self, texts: &[Option<String>]) -> Vec<ArrayRef> {
        let batches = self.texts(texts);
        let set_of = |texts: ArrayRef| -> ArrayRef {
            let sets = element_sets(&texts, &self.features, Kernel::detect()).unwrap();
            match self.random.next_below(2) {
                0 => Arc::new(sets.into_parts().0),
                _ => Arc::new(small_list(&sets.into_signed().0)),
            }
        };
        batches.into_iter().map(set_of).collect()
    }

    /// The frequencies of all batches, each counted apart and sent as bytes.
    fn frequencies(batches: &[ArrayRef]) -> Frequencies {
        let mut all = Frequencies::sized_for(1000);
        for sets in batches {
            let mut counted = Frequencies::sized_for(1000);
            counted.count(sets).unwrap();
            all.merge(&Frequencies::from_bytes(&counted.to_bytes().unwrap()).unwrap()).unwrap();
        }
        all
    }

    /// Verified pairs, a before b, in order.
    fn pairs(&mut self, texts: &[Option<String>]) -> Vec<Pair> {
        let batches = self.sets(texts);
        let frequencies = Self::frequencies(&batches);
        let plan = SearchPlan::new(self.measure, self.method).unwrap();
        let mut rows = Vec::new();
        let mut sets = Vec::new();
        for batch in &batches {
            let keys = blocking_keys(batch, plan, Some(&frequencies), Kernel::detect()).unwrap();
            let own: Vec<Option<Vec<u64>>> = elements(batch);
            assert_eq!(own.len(), keys.len());
            for (set, keys) in own.iter().zip(keys.iter()) {
                assert_eq!(keys.is_none(), set.as_ref().is_none_or(Vec::is_empty));
                let size = set.as_ref().map_or(0, Vec::len);
                rows.extend(keys.iter().flat_map(key_rows).map(|key| (key, sets.len() as u32, size)));
                sets.push(set.clone());
            }
        }
        let candidates: Vec<(u32, u32)> = self.join(&rows).into_iter().collect();
        let mut pairs = Vec::new();
        for rows in self.batches(candidates.len()) {
            let candidates = &candidates[rows];
            let take = |documents: Vec<u32>| lists(documents.iter().map(|&document| sets[document as usize].clone()));
            let left = take(candidates.iter().map(|pair| pair.0).collect());
            let right = take(candidates.iter().map(|pair| pair.1).collect());
            let verified = verify(&left, &right, self.measure, Kernel::detect()).unwrap();
            let found = candidates.iter().zip(verified.similarity.iter());
            pairs.extend(found.filter_map(|(&(a, b), similarity)| Some((a, b, similarity?))));
        }
        pairs
    }

    /// Distinct pairs with a common key that pass the filter.
    fn join(&mut self, rows: &[((i64, i32), u32, usize)]) -> BTreeSet<(u32, u32)> {
        let mut by_key: HashMap<i64, Vec<Row>> = HashMap::new();
        for &((key, position), document, size) in rows {
            by_key.entry(key).or_default().push((document, size, position));
        }
        let mut left = Vec::new();
        let mut right = Vec::new();
        for same in by_key.values() {
            for (second, &row) in same.iter().enumerate() {
                left.extend(&same[..second]);
                right.extend(vec![row; second]);
            }
        }
        let sizes = |rows: &[Row]| UInt32Array::from_iter_values(rows.iter().map(|row| row.1 as u32));
        let positions = |rows: &[Row]| Int32Array::from_iter_values(rows.iter().map(|row| row.2));
        let passes = may_reach(
            Extents { sizes: &sizes(&left), positions: &positions(&left) },
            Extents { sizes: &sizes(&right), positions: &positions(&right) },
            self.measure,
        );
        let passes = passes.unwrap();
        let passed = left.iter().zip(&right).zip(passes.iter()).filter(|(_, passes)| passes.unwrap());
        passed.map(|((left, right), _)| (left.0.min(right.0), left.0.max(right.0))).collect()
    }
}

/// A document under a key: its number, the size of its set, the position of the key.
type Row = (u32, usize, i32);

fn key_rows(keys: &ArrayRef) -> Vec<(i64, i32)> {
    let columns = keys.as_struct();
    let keys = columns.column(0).as_primitive::<Int64Type>().values().iter();
    keys.copied().zip(columns.column(1).as_primitive::<Int32Type>().values().iter().copied()).collect()
}

/// Lists with 32-bit offsets in place of 64.
fn small_list(lists: &LargeListArray) -> ListArray {
    let values = |list: ArrayRef| list.as_primitive::<Int64Type>().iter().collect::<Vec<_>>();
    ListArray::from_iter_primitive::<Int64Type, _, _>(lists.iter().map(|list| list.map(values)))
}

fn elements(sets: &ArrayRef) -> Vec<Option<Vec<u64>>> {
    match sets.as_list_opt::<i64>() {
        Some(sets) => sets.iter().map(|set| Some(set?.as_primitive::<UInt64Type>().values().to_vec())).collect(),
        None => {
            let signed = |set: ArrayRef| set.as_primitive::<Int64Type>().values().iter().map(|&e| e as u64).collect();
            sets.as_list::<i32>().iter().map(|set| set.map(signed)).collect()
        }
    }
}

fn lists(sets: impl Iterator<Item = Option<Vec<u64>>>) -> LargeListArray {
    let options = |set: Vec<u64>| set.into_iter().map(Some).collect::<Vec<_>>();
    LargeListArray::from_iter_primitive::<UInt64Type, _, _>(sets.map(|set| set.map(options)))
}

/// Texts of few words, of which some are equal, empty or null.
fn texts(random: &mut SplitMix64, count: usize) -> Vec<Option<String>> {
    let mut texts: Vec<Option<String>> = Vec::new();
    for number in 0..count {
        let earlier = texts.get(random.next_below(number.max(1) as u64) as usize).cloned().flatten();
        let mut words: Vec<String> = match earlier {
            Some(earlier) if random.next_below(3) > 0 => earlier.split(' ').map(str::to_owned).collect(),
            _ => (0..random.next_below(14)).map(|_| format!("w{}", random.next_below(60))).collect(),
        };
        if random.next_below(2) == 0 && !words.is_empty() {
            let at = random.next_below(words.len() as u64) as usize;
            words[at] = format!("w{}", random.next_below(60));
        }
        texts.push((random.next_below(12) > 0).then(|| words.join(" ")));
    }
    texts
}

/// A job over texts in memory.
struct Expected {
    texts: Arc<Vec<String>>,
    job: Job,
}

impl Expected {
    fn answers(&self, rule: Rule) -> Answers {
        let inputs = Some(InMemory::Texts(MemoryTexts::new(self.texts.clone())));
        let data = Data { inputs, ..Data::default() };
        let job = Job { rule, ..self.job.clone() };
        jobs::answer(&job, &data, &Resources::default(), &Silent).unwrap().answers
    }

    /// Pairs, a before b, in order.
    fn pairs(&self) -> Vec<Pair> {
        let Answers::Pairs(found) = self.answers(Rule::Pairs) else { panic!("a rule of pairs") };
        let row = |pair: &jobs::FoundPair| {
            let a = pair.a.0.min(pair.b.0);
            let b = pair.a.0.max(pair.b.0);
            (a, b, pair.verified.similarity)
        };
        let mut pairs: Vec<Pair> = found.iter().map(row).collect();
        pairs.sort_by_key(|&(a, b, _)| (a, b));
        pairs
    }

    fn decisions(&self, keep: Order) -> Vec<Decision> {
        let Answers::Decisions(decisions) = self.answers(Rule::Keepers { keep }) else { panic!("a rule of keepers") };
        decisions
    }

    fn clusters(&self) -> Vec<Cluster> {
        let Answers::Clusters(clusters) = self.answers(Rule::Clusters) else { panic!("a rule of clusters") };
        clusters
    }

    /// Place in an order, by document.
    fn ranks(&self, keep: &Order) -> UInt32Array {
        let mut order: Vec<usize> = (0..self.texts.len()).collect();
        match keep {
            Order::Last => order.reverse(),
            Order::Longest => order.sort_by_key(|&document| Reverse(self.texts[document].chars().count())),
            _ => {}
        }
        let mut ranks = vec![0; order.len()];
        (0..).zip(order).for_each(|(rank, document)| ranks[document] = rank);
        UInt32Array::from(ranks)
    }
}

fn decisions(kept: &Kept) -> Vec<Decision> {
    let columns = kept.kept.iter().zip(kept.similarity.iter()).zip(kept.reason.iter());
    let decision = |((kept, similarity), reason): ((Option<u32>, Option<f64>), Option<&str>)| match kept {
        None => {
            assert_eq!((similarity, reason), (None, None));
            Decision::Kept
        }
        Some(kept) => {
            let reason = Reason::of_name(reason.unwrap()).unwrap();
            Decision::Removed { kept: DocId(kept), similarity: similarity.unwrap(), reason }
        }
    };
    columns.map(decision).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_batches_give_the_answers_of_the_pipeline(
        seed in any::<u64>(),
        count in 0usize..90,
        of_words in any::<bool>(),
        exact in any::<bool>(),
        level in 30u32..=100,
    ) {
        let mut random = SplitMix64::new(seed);
        let texts = texts(&mut random, count);
        let features = if of_words { Features::shingles(ShingleOptions::words(1)) } else { Features::default() };
        let method = if exact { Method::Exact } else { Method::MinHash(MinHash { recall: 0.7, ..MinHash::default() }) };
        let measure = Measure::jaccard((f64::from(level) / 100.0).try_into().unwrap());
        let mut engine = Engine { random, features: features.clone(), measure, method };
        let pairs = engine.pairs(&texts);

        let expected = Expected {
            texts: Arc::new(texts.iter().map(|text| text.clone().unwrap_or_default()).collect()),
            job: Job { features, measure, method, ..Job::default() },
        };
        prop_assert_eq!(&pairs, &expected.pairs());

        let a = UInt32Array::from_iter_values(pairs.iter().map(|pair| pair.0));
        let b = UInt32Array::from_iter_values(pairs.iter().map(|pair| pair.1));
        let similarity = Float64Array::from_iter_values(pairs.iter().map(|pair| pair.2));
        for keep in [Order::First, Order::Last, Order::Longest] {
            let found = keepers(&expected.ranks(&keep), Pairs { a: &a, b: &b }, &similarity).unwrap();
            // Batches hold no texts, by which identical ones are known.
            let without_texts = |decision: Decision| match decision {
                Decision::Removed { kept, reason: Reason::Identical, .. } => Decision::equal_to(kept, 1.0),
                other => other,
            };
            let expected_decisions: Vec<Decision> = expected.decisions(keep).into_iter().map(without_texts).collect();
            prop_assert_eq!(decisions(&found), expected_decisions);
        }

        let mut components = Components::new(count).unwrap();
        for rows in engine.batches(pairs.len()) {
            let part = |column: &UInt32Array| column.slice(rows.start, rows.len());
            let mut alone = Components::new(count).unwrap();
            alone.add(Pairs { a: &part(&a), b: &part(&b) }).unwrap();
            components.add_roots(&alone.roots()).unwrap();
        }
        let mut roots: Vec<u32> = (0..count as u32).collect();
        for cluster in expected.clusters() {
            cluster.members.iter().for_each(|member| roots[member.index()] = cluster.members[0].0);
        }
        prop_assert_eq!(components.roots(), UInt32Array::from(roots));
    }
}
