//! One suite for all measures and methods: each finds what brute force finds, also from snapshots, indexes and saved
//! pairs, and writes the same bytes with any resources ([`resources`]) and after kills.
//!
//! A row of [`CASES`] is a measure with its definition ([`world`]) and the methods that find its candidates. A new
//! measure or method is a new row.

mod resources;
mod world;

use crate::common::{Random, Sandbox, rows};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, Instant};
use world::{
    World, cosine, cosine_of_vectors, differing, jaccard_of_counts, jaccard_of_sets, larger_share, number_of_common,
    share_of, sum_of,
};

/// A measure, how the command line says it, and the methods that serve it.
struct Case {
    /// File of documents, and the flags of their features, of the measure and of its limit.
    flags: [&'static str; 4],
    /// Limit that fewer pairs reach.
    stricter: &'static str,
    /// Field of rows that shows what is counted.
    figure: &'static str,
    /// Minimum of what `similarity` returns; more than 50 pairs of each world reach it.
    limit: f64,
    similarity: fn(&World, usize, usize) -> f64,
    /// Methods with their flags, and the recall they promise.
    methods: &'static [(&'static str, f64)],
}

const CASES: &[Case] = &[
    Case {
        flags: ["sets.jsonl", "--items", "", "-t 0.6"],
        stricter: "-t 0.8",
        figure: "similarity",
        limit: 0.6,
        similarity: jaccard_of_sets,
        methods: &[("auto", 1.0), ("exact", 1.0), ("minhash --recall 0.9", 0.9)],
    },
    Case {
        flags: ["counts.txt", "--items --item-counts", "", "-t 0.6"],
        stricter: "-t 0.8",
        figure: "similarity",
        limit: 0.6,
        similarity: jaccard_of_counts,
        methods: &[("exact", 1.0), ("minhash --recall 0.9", 0.9)],
    },
    Case {
        flags: ["texts.jsonl", "--shingle word:1 --bag", "", "-t 0.5"],
        stricter: "-t 0.7",
        figure: "similarity",
        limit: 0.5,
        similarity: jaccard_of_counts,
        methods: &[("exact", 1.0), ("minhash --recall 0.9", 0.9)],
    },
    Case {
        flags: ["sets.jsonl", "--items", "--measure dice", "-t 0.75"],
        stricter: "-t 0.9",
        figure: "similarity",
        limit: 0.75,
        similarity: |world, a, b| 2.0 / (1.0 + 1.0 / jaccard_of_sets(world, a, b)),
        methods: &[("auto", 1.0), ("exact", 1.0), ("minhash --recall 0.9", 0.9)],
    },
    Case {
        flags: ["sets.jsonl", "--items", "--measure containment", "-t 0.8"],
        stricter: "-t 0.95",
        figure: "similarity",
        limit: 0.8,
        similarity: larger_share,
        methods: &[
            ("exact", 1.0),
            // All elements are fingerprints.
            ("fingerprint --select mod:1", 1.0),
            ("fingerprint --select mod:3 --recall 0.9", 0.9),
        ],
    },
    Case {
        flags: ["sets.jsonl", "--items", "--measure overlap", "--min-common 8"],
        stricter: "--min-common 12",
        figure: "common",
        limit: 8.0,
        similarity: number_of_common,
        methods: &[("exact", 1.0)],
    },
    Case {
        flags: ["sets.jsonl", "--items", "--measure cosine --weights binary", "-t 0.7"],
        stricter: "-t 0.9",
        figure: "similarity",
        limit: 0.7,
        similarity: |world, a, b| cosine(world, a, b, |_, _| 1.0),
        methods: &[("exact", 1.0), ("minhash --recall 0.9", 0.9), ("simhash --recall 0.9", 0.9)],
    },
    Case {
        flags: ["counts.txt", "--items --item-counts", "--measure cosine --weights tf", "-t 0.7"],
        stricter: "-t 0.9",
        figure: "similarity",
        limit: 0.7,
        similarity: |world, a, b| cosine(world, a, b, |_, count| count),
        methods: &[("exact", 1.0), ("simhash --recall 0.9", 0.9)],
    },
    Case {
        flags: ["texts.jsonl", "--shingle word:1", "--measure cosine --weights tf", "-t 0.55"],
        stricter: "-t 0.8",
        figure: "similarity",
        limit: 0.55,
        similarity: |world, a, b| cosine(world, a, b, |_, count| count),
        methods: &[("exact", 1.0)],
    },
    Case {
        flags: ["texts.jsonl", "--shingle word:1", "--measure cosine --weights tfidf", "-t 0.4"],
        stricter: "-t 0.8",
        figure: "similarity",
        limit: 0.4,
        similarity: |world, a, b| cosine(world, a, b, |item, count| count * world.idf(item)),
        methods: &[("exact", 1.0), ("simhash --recall 0.9", 0.9)],
    },
    Case {
        flags: ["bits.jsonl", "--bits bits", "--measure hamming", "--distance 6"],
        stricter: "--distance 3",
        figure: "distance",
        limit: -6.0,
        similarity: |world, a, b| -differing(world, a, b),
        methods: &[("exact", 1.0), ("bit-sampling --recall 0.9", 0.9)],
    },
    Case {
        flags: ["vectors.jsonl", "--vector emb", "--measure cosine", "-t 0.9"],
        stricter: "-t 0.97",
        figure: "similarity",
        limit: 0.9,
        similarity: cosine_of_vectors,
        methods: &[("auto", 1.0), ("exact", 1.0), ("hyperplanes --recall 0.9", 0.9)],
    },
    Case {
        flags: ["vectors.jsonl", "--vector emb", "--measure euclidean", "--distance 14"],
        stricter: "--distance 8",
        figure: "euclidean_distance",
        limit: -14.0,
        similarity: |world, a, b| -sum_of(world, [a, b], |a, b| (a - b).powi(2)).sqrt(),
        methods: &[("exact", 1.0), ("p-stable --recall 0.9", 0.9)],
    },
    Case {
        flags: ["vectors.jsonl", "--vector emb", "--measure manhattan", "--distance 38"],
        stricter: "--distance 20",
        figure: "manhattan_distance",
        limit: -38.0,
        similarity: |world, a, b| -sum_of(world, [a, b], |a, b| (a - b).abs()),
        methods: &[("auto", 1.0), ("exact", 1.0)],
    },
];

/// More than rounding, and less than what two similarities of small documents differ by.
const ROUNDING: f64 = 1e-12;

/// Two documents, the earlier first.
type Pair = (usize, usize);

impl Case {
    fn flags(&self) -> String {
        self.flags.join(" ")
    }

    /// Flags behind the file.
    fn all_but_file(&self) -> String {
        self.flags[1..].join(" ")
    }

    fn are_equal(&self, world: &World, documents: [usize; 2]) -> bool {
        world.are_equal(self.flags[0], documents)
    }

    /// Near-duplicates with their similarities, by the definition.
    fn brute_force(&self, world: &World) -> BTreeMap<Pair, f64> {
        let pairs = (0..world.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let rated = pairs.map(|(a, b)| ((a, b), (self.similarity)(world, a, b)));
        rated.filter(|(_, similarity)| *similarity >= self.limit - ROUNDING).collect()
    }

    /// Removed documents, each with the one kept in its place, by the definition of the keepers rule.
    fn keepers(&self, world: &World, pairs: &BTreeMap<Pair, f64>) -> BTreeMap<usize, usize> {
        let mut order: Vec<usize> = (0..world.len()).collect();
        // The largest documents are decided about first.
        if self.flags().contains("containment") {
            order.sort_by_key(|&document| std::cmp::Reverse(world.size(document)));
        }
        let (mut kept, mut removed): (Vec<usize>, BTreeMap<usize, usize>) = Default::default();
        for &document in &order {
            let similarity = |other: usize| pairs.get(&(other.min(document), other.max(document))).copied();
            // Documents with equal features share what is kept in their place.
            let is_equal = |other: usize| similarity(other).is_some() && self.are_equal(world, [other, document]);
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
        let listed = sandbox.succeed(&format!("pairs {} --method {method}", self.flags())).stdout;
        let pair = |row: serde_json::Value| {
            let figure = row[self.figure].as_f64().unwrap();
            let similarity = if self.figure.ends_with("distance") { -figure } else { figure };
            ((number(&row["a"]), number(&row["b"])), similarity)
        };
        rows(&listed).into_iter().map(pair).collect()
    }

    fn removed(&self, sandbox: &Sandbox, method: &str) -> BTreeMap<usize, usize> {
        let removed = sandbox.succeed(&format!("dedup {} --method {method} -n --removed -", self.flags())).stdout;
        let removal = |row: serde_json::Value| (number(&row["id"]), number(&row["kept"]));
        rows(&removed).into_iter().map(removal).collect()
    }

    /// Documents of the second half, each with the closest one of the first half, if one is near.
    fn nearest_references(&self, world: &World, pairs: &BTreeMap<Pair, f64>) -> BTreeMap<usize, usize> {
        let mut nearest: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for (&(a, b), &similarity) in
            pairs.iter().filter(|((a, b), _)| world.is_reference(*a) && !world.is_reference(*b))
        {
            let best = nearest.entry(b).or_insert((a, similarity));
            // Equal features are closest, also where a similarity of others is as high.
            let is_equal = |reference| self.are_equal(world, [reference, b]);
            if !is_equal(best.0) && (is_equal(a) || similarity > best.1 + ROUNDING) {
                *best = (a, similarity);
            }
        }
        nearest.into_iter().map(|(document, (reference, _))| (document, reference)).collect()
    }

    fn removed_against(&self, sandbox: &Sandbox, method: &str) -> BTreeMap<usize, usize> {
        let file = self.flags[0];
        let flags = self.all_but_file();
        let command = format!("dedup new-{file} --against old-{file} {flags} --method {method} -n --removed -");
        let removal = |row: serde_json::Value| (number(&row["id"]), number(&row["kept"]));
        rows(&sandbox.succeed(&command).stdout).into_iter().map(removal).collect()
    }

    fn clusters(&self, sandbox: &Sandbox, method: &str) -> BTreeSet<BTreeSet<usize>> {
        let listed = sandbox.succeed(&format!("clusters {} --method {method}", self.flags())).stdout;
        let mut clusters: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
        for row in rows::<serde_json::Value>(&listed) {
            clusters.entry(row["cluster"].as_u64().unwrap()).or_default().insert(number(&row["id"]));
        }
        clusters.into_values().collect()
    }

    /// Checks all methods against brute force.
    fn check(&self, world: &World, sandbox: &Sandbox) {
        let expected = self.brute_force(world);
        assert!(expected.len() > 50, "{}: {} pairs", self.flags(), expected.len());
        for &(method, recall) in self.methods {
            let name = format!("{} --method {method}", self.flags());
            let found = self.pairs(sandbox, method);
            for (pair, similarity) in &found {
                let by_definition = expected.get(pair).unwrap_or_else(|| panic!("{name}: {pair:?} is no pair"));
                assert!((similarity - by_definition).abs() <= ROUNDING, "{name}: {similarity} {by_definition}");
            }
            // Pairs at the threshold are found with that probability, the others with a higher one.
            let all = expected.len() as f64;
            let count = found.len() as f64;
            let deviation = (recall * (1.0 - recall) / all).sqrt();
            assert!(count / all >= recall - 4.0 * deviation, "{name}: {count} of {all}");
            let removed = self.removed(sandbox, method);
            assert_eq!(self.clusters(sandbox, method), components(found.into_keys()), "{name}");
            if recall == 1.0 {
                assert_eq!(removed, self.keepers(world, &expected), "{name}");
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
        self.check_stored(world, sandbox, &expected);
    }

    /// Checks that snapshots and indexes stand for documents, and saved pairs for a new search.
    fn check_stored(&self, world: &World, sandbox: &Sandbox, expected: &BTreeMap<Pair, f64>) {
        let [file, features, measure, limit] = self.flags;
        let flags = self.all_but_file();
        // Few queries are compared with all documents, many are asked of an index.
        let few: String = sandbox.read(&format!("new-{file}")).split_inclusive('\n').take(9).collect();
        sandbox.write(&format!("few-{file}"), few);
        let answers = |place: &str| {
            ["new", "few"].map(|queries| {
                let command = format!("search {queries}-{file} --in {place} {flags} -k 999");
                rows::<serde_json::Value>(&sandbox.succeed(&command).stdout)
            })
        };
        let answers_of_documents = answers(&format!("old-{file}"));
        // Inverse document frequencies are those of the corpus, which is another one here.
        if !measure.contains("tfidf") {
            let of_halves = expected.keys().filter(|(a, b)| world.is_reference(*a) && !world.is_reference(*b));
            let of_halves: Vec<Pair> = of_halves.map(|&(old, new)| (new - world.references(), old)).collect();
            for (answers, count) in answers_of_documents.iter().zip([world.len(), 9]) {
                let found = answers.iter().map(|row| (number(&row["query"]), number(&row["id"])));
                let expected = of_halves.iter().copied().filter(|pair| pair.0 < count);
                assert_eq!(found.collect::<BTreeSet<_>>(), expected.collect(), "{flags}");
            }
        }
        let pairs = sandbox.succeed(&format!("pairs {file} {flags}")).stdout;
        let counts = if measure.contains("--weights tf") { "--counts" } else { "" };
        let mut stored = vec![format!("snapshot FILE {features} {counts} -o stored")];
        // An index knows lines, which have no ids, by their content.
        if file != "counts.txt" {
            stored.push(format!("index create stored FILE {flags}"));
        }
        for make in stored {
            let remove = || {
                let path = sandbox.path("stored");
                if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
            };
            sandbox.succeed(&make.replace("FILE", file));
            // The features follow.
            assert_eq!(sandbox.succeed(&format!("pairs stored {measure} {limit}")).stdout, pairs, "{make}");
            remove();
            sandbox.succeed(&make.replace("FILE", &format!("old-{file}")));
            assert_eq!(answers("stored"), answers_of_documents, "{make}");
            remove();
        }
        let stricter = format!("{measure} {}", self.stricter);
        sandbox.succeed(&format!("clusters {file} {features} {stricter} -o out-clusters.csv"));
        sandbox.succeed(&format!("dedup {file} {features} {stricter} -n --removed out-removed.csv"));
        let expected = take(sandbox, &["out-clusters.csv", "out-removed.csv"]);
        assert!(expected[1].len() > 100, "{flags}");
        for name in ["pairs.parquet", "pairs.csv"] {
            sandbox.succeed(&format!("pairs {file} {flags} -o {name}"));
            // Texts are not compared again.
            let features = if features.starts_with("--shingle") { "" } else { features };
            let documents = format!("--documents {file} {features}");
            sandbox.succeed(&format!(
                "recluster {name} {stricter} {documents} -o out-clusters.csv --removed out-removed.csv"
            ));
            assert_eq!(take(sandbox, &["out-clusters.csv", "out-removed.csv"]), expected, "{name} {stricter}");
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
        let world = World::generated(seed, 260, 17);
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

#[test]
fn clusters_of_documents_that_are_nearly_all_alike_are_what_all_pairs_connect() {
    let world = World::generated(7, 400, 3);
    let sandbox = world.sandbox();
    for case in CASES {
        for (method, _) in case.methods {
            let found = case.pairs(&sandbox, method);
            assert!(found.len() > 1000, "{}: {}", case.flags(), found.len());
            assert_eq!(case.clusters(&sandbox, method), components(found.into_keys()), "{} {method}", case.flags());
        }
    }
}

#[test]
fn references_are_contained_or_contain_as_asked() {
    let world = World::generated(5, 260, 17);
    let sandbox = world.sandbox();
    type Share = fn(f64, f64) -> f64;
    let sides: [(&str, Share); 3] = [
        ("in-reference", |of_new, _| of_new),
        ("of-reference", |_, of_old| of_old),
        ("either", |of_new, of_old| of_new.max(of_old)),
    ];
    for (side, share) in sides {
        let is_near = |new, old| share(share_of(&world, new, old), share_of(&world, old, new)) >= 0.8;
        let old = || 0..world.references();
        let new = world.references()..world.len();
        let pairs: BTreeSet<Pair> =
            new.flat_map(|new| old().map(move |old| (new, old))).filter(|&(new, old)| is_near(new, old)).collect();
        let pairs: BTreeSet<Pair> = pairs.into_iter().map(|(new, old)| (new - world.references(), old)).collect();
        let flags = format!("--items --measure containment -t 0.8 --containment {side}");
        let removed = sandbox.succeed(&format!("dedup new-sets.jsonl --against old-sets.jsonl -n --removed - {flags}"));
        let removed = rows::<serde_json::Value>(&removed.stdout);
        let removed: BTreeSet<usize> = removed.iter().map(|row| number(&row["id"])).collect();
        assert_eq!(removed, pairs.iter().map(|pair| pair.0).collect(), "{side}");
        assert!(removed.len() > 20 && removed.len() < world.references(), "{side}");
        let answers = sandbox.succeed(&format!("search new-sets.jsonl --in old-sets.jsonl -k 999 {flags}"));
        let answers = rows::<serde_json::Value>(&answers.stdout);
        let answers: BTreeSet<Pair> = answers.iter().map(|row| (number(&row["query"]), number(&row["id"]))).collect();
        assert_eq!(answers, pairs, "{side}");
    }
}

fn take(sandbox: &Sandbox, outputs: &[&str]) -> Vec<Vec<u8>> {
    let taken = outputs.iter().map(|name| sandbox.bytes(name)).collect();
    outputs.iter().for_each(|name| fs::remove_file(sandbox.path(name)).unwrap());
    taken
}

#[test]
fn every_method_goes_on_after_kills_to_the_same_bytes() {
    let world = World::generated(4, 3000, 154);
    let sandbox = world.sandbox();
    let mut random = Random(9);
    for case in CASES {
        for (method, _) in case.methods {
            let outputs = &["out-kept", "out-removed.csv"];
            let command = format!("dedup {} --method {method} -o out-kept --removed out-removed.csv", case.flags());
            let begun = Instant::now();
            sandbox.succeed(&command);
            let whole = begun.elapsed().as_millis() as u64;
            let expected = take(&sandbox, outputs);
            for _ in 0..3 {
                let resumed = format!("{command} --work-dir work --progress never");
                sandbox.kill_after(&resumed, Duration::from_millis(random.below(whole + 1)));
            }
            sandbox.succeed(&format!("{command} --work-dir work"));
            assert_eq!(take(&sandbox, outputs), expected, "{command}");
            let is_staging = |name: &String| name.ends_with(".partial");
            assert!(!sandbox.names().iter().any(is_staging), "{command}: staging of killed jobs is left");
            fs::remove_dir_all(sandbox.path("work")).unwrap();
        }
    }
}
