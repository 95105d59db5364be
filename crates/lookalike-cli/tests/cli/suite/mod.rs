//! One suite for all measures and methods: each must find what brute force finds, and write the same bytes always.
//!
//! A row of [`CASES`] is a measure with its definition ([`world`]) and the methods that find its candidates. A new
//! measure or method is a new row.

mod world;

use crate::common::{Random, Sandbox, rows};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};
use world::{
    World, cosine, cosine_of_vectors, differing, jaccard_of_counts, jaccard_of_sets, larger_share, number_of_common,
    sum_of,
};

/// A measure, how the command line says it, and the methods that serve it.
struct Case {
    /// The file of documents and all flags that say what is compared.
    flags: &'static str,
    /// The field of rows that shows what is counted.
    figure: &'static str,
    /// Minimum of what `similarity` returns; more than 50 pairs of each world reach it.
    limit: f64,
    similarity: fn(&World, usize, usize) -> f64,
    /// Whether the largest documents are decided about first.
    largest_first: bool,
    /// Methods with their flags, and the recall they promise.
    methods: &'static [(&'static str, f64)],
}

const CASES: [Case; 12] = [
    Case {
        flags: "sets.txt --items -t 0.6",
        figure: "similarity",
        limit: 0.6,
        similarity: jaccard_of_sets,
        largest_first: false,
        methods: &[("auto", 1.0), ("exact", 1.0), ("minhash --recall 0.9", 0.9)],
    },
    Case {
        flags: "counts.txt --items --item-counts -t 0.6",
        figure: "similarity",
        limit: 0.6,
        similarity: jaccard_of_counts,
        largest_first: false,
        methods: &[("exact", 1.0), ("minhash --recall 0.9", 0.9)],
    },
    Case {
        flags: "sets.txt --items --measure dice -t 0.75",
        figure: "similarity",
        limit: 0.75,
        similarity: |world, a, b| 2.0 / (1.0 + 1.0 / jaccard_of_sets(world, a, b)),
        largest_first: false,
        methods: &[("auto", 1.0), ("exact", 1.0), ("minhash --recall 0.9", 0.9)],
    },
    Case {
        flags: "sets.txt --items --measure containment -t 0.8",
        figure: "similarity",
        limit: 0.8,
        similarity: larger_share,
        largest_first: true,
        methods: &[
            ("exact", 1.0),
            // All elements are fingerprints.
            ("fingerprint --select mod:1", 1.0),
            ("fingerprint --select mod:3 --recall 0.9", 0.9),
        ],
    },
    Case {
        flags: "sets.txt --items --measure overlap --min-common 8",
        figure: "common",
        limit: 8.0,
        similarity: number_of_common,
        largest_first: false,
        methods: &[("exact", 1.0)],
    },
    Case {
        flags: "sets.txt --items --measure cosine --weights binary -t 0.7",
        figure: "similarity",
        limit: 0.7,
        similarity: |world, a, b| cosine(world, a, b, |_, _| 1.0),
        largest_first: false,
        methods: &[("exact", 1.0), ("minhash --recall 0.9", 0.9), ("simhash --recall 0.9", 0.9)],
    },
    Case {
        flags: "counts.txt --items --item-counts --measure cosine --weights tf -t 0.7",
        figure: "similarity",
        limit: 0.7,
        similarity: |world, a, b| cosine(world, a, b, |_, count| count),
        largest_first: false,
        methods: &[("exact", 1.0), ("simhash --recall 0.9", 0.9)],
    },
    Case {
        flags: "counts.txt --items --item-counts --measure cosine --weights tfidf -t 0.7",
        figure: "similarity",
        limit: 0.7,
        similarity: |world, a, b| cosine(world, a, b, |item, count| count * world.idf(item)),
        largest_first: false,
        methods: &[("exact", 1.0), ("simhash --recall 0.9", 0.9)],
    },
    Case {
        flags: "bits.jsonl --bits bits --measure hamming --distance 6",
        figure: "distance",
        limit: -6.0,
        similarity: |world, a, b| -differing(world, a, b),
        largest_first: false,
        methods: &[("exact", 1.0), ("bit-sampling --recall 0.9", 0.9)],
    },
    Case {
        flags: "vectors.jsonl --vector emb --measure cosine -t 0.9",
        figure: "similarity",
        limit: 0.9,
        similarity: cosine_of_vectors,
        largest_first: false,
        methods: &[("auto", 1.0), ("exact", 1.0), ("hyperplanes --recall 0.9", 0.9)],
    },
    Case {
        flags: "vectors.jsonl --vector emb --measure euclidean --distance 14",
        figure: "euclidean_distance",
        limit: -14.0,
        similarity: |world, a, b| -sum_of(world, [a, b], |a, b| (a - b).powi(2)).sqrt(),
        largest_first: false,
        methods: &[("exact", 1.0), ("p-stable --recall 0.9", 0.9)],
    },
    Case {
        flags: "vectors.jsonl --vector emb --measure manhattan --distance 38",
        figure: "manhattan_distance",
        limit: -38.0,
        similarity: |world, a, b| -sum_of(world, [a, b], |a, b| (a - b).abs()),
        largest_first: false,
        methods: &[("auto", 1.0), ("exact", 1.0)],
    },
];

/// More than rounding, and less than what two similarities of small documents differ by.
const ROUNDING: f64 = 1e-12;

/// Two documents, the earlier first.
type Pair = (usize, usize);

impl Case {
    /// All near-duplicates with their similarities, by the definition.
    fn brute_force(&self, world: &World) -> BTreeMap<Pair, f64> {
        let pairs = (0..world.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let rated = pairs.map(|(a, b)| ((a, b), (self.similarity)(world, a, b)));
        rated.filter(|(_, similarity)| *similarity >= self.limit - ROUNDING).collect()
    }

    /// Each removed document with what is kept in its place, by the definition of the keepers rule.
    fn keepers(&self, world: &World, pairs: &BTreeMap<Pair, f64>) -> BTreeMap<usize, usize> {
        let mut order: Vec<usize> = (0..world.len()).collect();
        if self.largest_first {
            order.sort_by_key(|&document| std::cmp::Reverse(world.size(document)));
        }
        let (mut kept, mut removed): (Vec<usize>, BTreeMap<usize, usize>) = Default::default();
        for &document in &order {
            let similarity = |other: usize| pairs.get(&(other.min(document), other.max(document))).copied();
            // Documents with equal features share what is kept in their place.
            let is_equal = |other: usize| similarity(other).is_some() && world.are_equal(self.flags, [other, document]);
            let mut earlier = order.iter().take_while(|&&other| other != document);
            if let Some(equal) = earlier.find(|&&other| is_equal(other)) {
                removed.insert(document, removed.get(equal).copied().unwrap_or(*equal));
                continue;
            }
            let near = kept.iter().filter_map(|&keeper| Some((keeper, similarity(keeper)?)));
            let closest = near.reduce(|best, next| if next.1 > best.1 + ROUNDING { next } else { best });
            match closest {
                Some((keeper, _)) => drop(removed.insert(document, keeper)),
                None => kept.push(document),
            }
        }
        removed
    }

    fn pairs(&self, sandbox: &Sandbox, method: &str) -> BTreeMap<Pair, f64> {
        let listed = sandbox.succeed(&format!("pairs {} --method {method}", self.flags)).stdout;
        let pair = |row: serde_json::Value| {
            let figure = row[self.figure].as_f64().unwrap();
            let similarity = if self.figure.ends_with("distance") { -figure } else { figure };
            ((number(&row["a"]), number(&row["b"])), similarity)
        };
        rows(&listed).into_iter().map(pair).collect()
    }

    fn removed(&self, sandbox: &Sandbox, method: &str) -> BTreeMap<usize, usize> {
        let removed = sandbox.succeed(&format!("dedup {} --method {method} -n --removed -", self.flags)).stdout;
        let removal = |row: serde_json::Value| (number(&row["id"]), number(&row["kept"]));
        rows(&removed).into_iter().map(removal).collect()
    }

    /// Each document of the second half with the closest one of the first half, if one is near.
    fn nearest_references(&self, world: &World, pairs: &BTreeMap<Pair, f64>) -> BTreeMap<usize, usize> {
        let mut nearest: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for (&(a, b), &similarity) in
            pairs.iter().filter(|((a, b), _)| world.is_reference(*a) && !world.is_reference(*b))
        {
            let best = nearest.entry(b).or_insert((a, similarity));
            // Equal features are closest, also where a similarity of others is as high.
            let is_equal = |reference| world.are_equal(self.flags, [reference, b]);
            if !is_equal(best.0) && (is_equal(a) || similarity > best.1 + ROUNDING) {
                *best = (a, similarity);
            }
        }
        nearest.into_iter().map(|(document, (reference, _))| (document, reference)).collect()
    }

    fn removed_against(&self, sandbox: &Sandbox, method: &str) -> BTreeMap<usize, usize> {
        let (file, flags) = self.flags.split_once(' ').unwrap();
        let command = format!("dedup new-{file} --against old-{file} {flags} --method {method} -n --removed -");
        let removal = |row: serde_json::Value| (number(&row["id"]), number(&row["kept"]));
        rows(&sandbox.succeed(&command).stdout).into_iter().map(removal).collect()
    }

    fn clusters(&self, sandbox: &Sandbox, method: &str) -> BTreeSet<BTreeSet<usize>> {
        let listed = sandbox.succeed(&format!("clusters {} --method {method}", self.flags)).stdout;
        let mut clusters: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
        for row in rows::<serde_json::Value>(&listed) {
            clusters.entry(row["cluster"].as_u64().unwrap()).or_default().insert(number(&row["id"]));
        }
        clusters.into_values().collect()
    }

    /// Checks all methods against brute force.
    fn check(&self, world: &World, sandbox: &Sandbox) {
        let expected = self.brute_force(world);
        assert!(expected.len() > 50, "{}: {} pairs", self.flags, expected.len());
        for &(method, recall) in self.methods {
            let name = format!("{} --method {method}", self.flags);
            let found = self.pairs(sandbox, method);
            for (pair, similarity) in &found {
                let by_definition = expected.get(pair).unwrap_or_else(|| panic!("{name}: {pair:?} is no pair"));
                assert!((similarity - by_definition).abs() <= ROUNDING, "{name}: {similarity} {by_definition}");
            }
            // Pairs at the threshold are found with that probability, the others with a higher one.
            let all = expected.len() as f64;
            let found = found.len() as f64;
            let deviation = (recall * (1.0 - recall) / all).sqrt();
            assert!(found / all >= recall - 4.0 * deviation, "{name}: {found} of {all}");
            let removed = self.removed(sandbox, method);
            let clusters = self.clusters(sandbox, method);
            if recall == 1.0 {
                assert_eq!(removed, self.keepers(world, &expected), "{name}");
                assert_eq!(clusters, components(expected.keys().copied()), "{name}");
                let of_halves = |(new, old): (usize, usize)| (new + world.references(), old);
                let against = self.removed_against(sandbox, method).into_iter().map(of_halves);
                let against: BTreeMap<usize, usize> = against.collect();
                assert_eq!(against, self.nearest_references(world, &expected), "{name}");
            }
            // Whatever a method misses: who goes has a verified witness that stays.
            for (&document, &keeper) in &removed {
                assert!(expected.contains_key(&(document.min(keeper), document.max(keeper))), "{name}");
                assert!(!removed.contains_key(&keeper), "{name}");
            }
        }
    }
}

/// The connected components of pairs.
fn components(pairs: impl Iterator<Item = Pair>) -> BTreeSet<BTreeSet<usize>> {
    let mut all: Vec<BTreeSet<usize>> = Vec::new();
    for (a, b) in pairs {
        let (touched, mut others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|members| members.contains(&a) || members.contains(&b));
        others.push(touched.into_iter().flatten().chain([a, b]).collect());
        all = others;
    }
    all.into_iter().collect()
}

/// The number of a document by its id: those of fingerprints are numbers, those of items name a line.
fn number(id: &serde_json::Value) -> usize {
    let id = id.as_str().unwrap();
    match id.rsplit_once(':') {
        Some((_, line)) => line.parse::<usize>().unwrap() - 1,
        None => id.parse().unwrap(),
    }
}

#[test]
fn every_method_finds_what_brute_force_finds_on_generated_documents() {
    for seed in [1, 2] {
        let world = World::generated(seed, 260);
        let sandbox = world.sandbox();
        CASES.iter().for_each(|case| case.check(&world, &sandbox));
    }
}

#[test]
fn every_method_finds_what_brute_force_finds_on_real_documents() {
    let Some(world) = World::of_licenses(420) else { return };
    let sandbox = world.sandbox();
    CASES.iter().for_each(|case| case.check(&world, &sandbox));
}

/// The commands of a case with their outputs.
const COMMANDS: [(&str, &[&str]); 3] = [
    ("pairs FLAGS -o out-pairs.csv", &["out-pairs.csv"]),
    ("clusters FLAGS -o out-clusters.csv", &["out-clusters.csv"]),
    ("dedup FLAGS -o out-kept --removed out-removed.csv", &["out-kept", "out-removed.csv"]),
];

fn take(sandbox: &Sandbox, outputs: &[&str]) -> Vec<Vec<u8>> {
    let taken = outputs.iter().map(|name| sandbox.bytes(name)).collect();
    outputs.iter().for_each(|name| std::fs::remove_file(sandbox.path(name)).unwrap());
    taken
}

#[test]
fn every_method_writes_the_same_bytes_with_any_resources() {
    let world = World::generated(3, 400);
    let sandbox = world.sandbox();
    for case in &CASES {
        for (method, _) in case.methods {
            for (command, outputs) in COMMANDS {
                let command = command.replace("FLAGS", &format!("{} --method {method}", case.flags));
                sandbox.succeed(&format!("{command} --threads 2"));
                let expected = take(&sandbox, outputs);
                for resources in ["--threads 1", "--threads 5", "--threads 2 --memory 32MiB", "--work-dir work"] {
                    sandbox.succeed(&format!("{command} {resources}"));
                    assert_eq!(take(&sandbox, outputs), expected, "{command} {resources}");
                }
                let run = sandbox.command(&command).env("LOOKALIKE_KERNEL", "scalar").output().unwrap();
                assert!(run.status.success(), "{run:?}");
                assert_eq!(take(&sandbox, outputs), expected, "{command} with the scalar kernel");
                std::fs::remove_dir_all(sandbox.path("work")).unwrap();
            }
        }
    }
}

#[test]
fn every_method_goes_on_after_kills_to_the_same_bytes() {
    let world = World::generated(4, 3000);
    let sandbox = world.sandbox();
    let mut random = Random(9);
    for case in &CASES {
        for (method, _) in case.methods {
            let (command, outputs) = COMMANDS[2];
            let command = command.replace("FLAGS", &format!("{} --method {method}", case.flags));
            let begun = Instant::now();
            sandbox.succeed(&command);
            let whole = begun.elapsed().as_millis() as u64;
            let expected = take(&sandbox, outputs);
            for _ in 0..3 {
                let resumed = format!("{command} --work-dir work --progress never");
                let mut child = sandbox.command(&resumed).stderr(Stdio::null()).spawn().unwrap();
                sleep(Duration::from_millis(random.below(whole + 1)));
                child.kill().unwrap();
                child.wait().unwrap();
            }
            sandbox.succeed(&format!("{command} --work-dir work"));
            assert_eq!(take(&sandbox, outputs), expected, "{command}");
            std::fs::remove_dir_all(sandbox.path("work")).unwrap();
        }
    }
}
