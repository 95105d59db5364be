//! The documents of the suite, and the measures by their definitions.

use crate::common::{Random, Sandbox};
use std::collections::BTreeMap;

/// Items with their counts.
type Items = BTreeMap<u32, u32>;

/// Baskets of items, and a fingerprint and a vector of each.
pub(super) struct World {
    baskets: Vec<Items>,
    fingerprints: Vec<u64>,
    vectors: Vec<[f32; DIMENSIONS]>,
    /// Number of baskets that have each item.
    frequencies: BTreeMap<u32, u32>,
}

const DIMENSIONS: usize = 12;

/// A vector of a basket: each item has a random direction, and counts.
fn vector_of(basket: &Items) -> [f32; DIMENSIONS] {
    let mut vector = [0.0; DIMENSIONS];
    for (&item, &count) in basket {
        let mut random = Random(u64::from(item) * 2 + 1);
        vector.iter_mut().for_each(|sum| *sum += count as f32 * (random.below(2001) as f32 - 1000.0) / 1000.0);
    }
    vector
}

impl World {
    /// Baskets that share parts of others of their family, beside items that many have; fingerprints near some others.
    pub(super) fn generated(seed: u64, count: usize, families: u64) -> Self {
        let mut random = Random(seed);
        let base = |random: &mut Random| -> Items {
            (0..=random.below(40)).map(|_| (random.below(4000) as u32, 1 + random.below(4) as u32)).collect()
        };
        let bases: Vec<(Items, u64)> = (0..families).map(|_| (base(&mut random), random.below(u64::MAX))).collect();
        let mut baskets = Vec::new();
        let mut fingerprints = Vec::new();
        for _ in 0..count {
            let (mut basket, mut fingerprint) = bases[random.below(families) as usize].clone();
            let kept = 2 + random.below(9);
            basket.retain(|_, _| random.below(10) < kept);
            for _ in 0..random.below(4) {
                *basket.entry(random.below(5000) as u32).or_default() += 1 + random.below(3) as u32;
            }
            basket.insert(9000 + random.below(3) as u32, 1);
            (0..random.below(9)).for_each(|_| fingerprint ^= 1 << random.below(64));
            baskets.push(basket);
            fingerprints.push(fingerprint);
        }
        Self::new(baskets, fingerprints)
    }

    /// The runs of three words of the first license texts, where these are at hand. Their fingerprints are sums of bits
    /// of the runs, as SimHash has them.
    pub(super) fn of_licenses(count: usize) -> Option<Self> {
        let folder = std::env::var_os("LOOKALIKE_DATA").map_or_else(
            || std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
            std::path::PathBuf::from,
        );
        let Ok(file) = std::fs::read(folder.join("license_texts.jsonl.zst")) else {
            eprintln!("SKIPPED: no license_texts.jsonl.zst in the folder of real documents");
            return None;
        };
        let lines = String::from_utf8(zstd::decode_all(file.as_slice()).unwrap()).unwrap();
        let mut numbers = BTreeMap::new();
        let mut baskets = Vec::new();
        let mut fingerprints = Vec::new();
        for line in lines.lines().take(count) {
            let text =
                serde_json::from_str::<serde_json::Value>(line).unwrap()["text"].as_str().unwrap().to_lowercase();
            let words: Vec<&str> = text.split(|sign: char| !sign.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
            let mut basket = Items::new();
            let mut sums = [0i64; 64];
            for run in words.windows(3.min(words.len().max(1))) {
                let next = numbers.len() as u32;
                let item = *numbers.entry(run.join(" ")).or_insert(next);
                *basket.entry(item).or_default() += 1;
                let hash = Random(u64::from(item) * 2 + 1).below(u64::MAX);
                sums.iter_mut().zip(0..).for_each(|(sum, bit)| *sum += if hash >> bit & 1 == 1 { 1 } else { -1 });
            }
            baskets.push(basket);
            fingerprints.push(sums.iter().zip(0..).map(|(&sum, bit)| u64::from(sum > 0) << bit).sum());
        }
        Some(Self::new(baskets, fingerprints))
    }

    fn new(baskets: Vec<Items>, fingerprints: Vec<u64>) -> Self {
        let mut frequencies = BTreeMap::new();
        baskets.iter().flat_map(Items::keys).for_each(|&item| *frequencies.entry(item).or_default() += 1);
        let vectors = baskets.iter().map(vector_of).collect();
        Self { baskets, fingerprints, vectors, frequencies }
    }

    /// A folder with the baskets without and with counts and as texts, the fingerprints and the vectors.
    pub(super) fn sandbox(&self) -> Sandbox {
        let sandbox = Sandbox::new();
        let counted = |(item, count): (&u32, &u32)| format!("i{item}:{count}");
        let line = |basket: &Items| basket.iter().map(counted).collect::<Vec<_>>().join(" ") + "\n";
        let lines: Vec<String> = self.baskets.iter().map(line).collect();
        // All documents, and those of both halves apart.
        let (old, new) = lines.split_at(self.references());
        for (name, lines) in [("counts.txt", &lines[..]), ("old-counts.txt", old), ("new-counts.txt", new)] {
            sandbox.write(name, lines.concat());
        }
        let write_records = |name: &str, field: &str, values: Vec<String>| {
            let line = |id: usize, value: &str| format!("{{\"id\": \"{id}\", \"{field}\": {value}}}\n");
            let mut all = String::new();
            let mut halves = [String::new(), String::new()];
            for (number, value) in values.iter().enumerate() {
                // Ids begin anew with the second half, as those of lines do.
                let is_old = self.is_reference(number);
                let id = if is_old { number } else { number - self.references() };
                all += &line(number, value);
                halves[usize::from(!is_old)] += &line(id, value);
            }
            sandbox.write(name, all);
            sandbox.write(&format!("old-{name}"), &halves[0]);
            sandbox.write(&format!("new-{name}"), &halves[1]);
        };
        let list = |basket: &Items| basket.keys().map(|item| format!("\"i{item}\"")).collect::<Vec<_>>().join(", ");
        write_records("sets.jsonl", "text", self.baskets.iter().map(|basket| format!("[{}]", list(basket))).collect());
        let copies = |(item, &count): (&u32, &u32)| format!("i{item} ").repeat(count as usize);
        let texts = self.baskets.iter().map(|basket| format!("\"{}\"", basket.iter().map(copies).collect::<String>()));
        write_records("texts.jsonl", "text", texts.collect());
        let bits = self.fingerprints.iter().map(|bits| format!("\"{bits:016x}\""));
        write_records("bits.jsonl", "bits", bits.collect());
        write_records("vectors.jsonl", "emb", self.vectors.iter().map(|vector| format!("{vector:?}")).collect());
        sandbox
    }

    /// Number of documents in the first half, which are the references of the second one.
    pub(super) fn references(&self) -> usize {
        self.len() / 2
    }

    pub(super) fn is_reference(&self, document: usize) -> bool {
        document < self.references()
    }

    pub(super) fn len(&self) -> usize {
        self.baskets.len()
    }

    /// Returns whether two documents of a file are equal.
    pub(super) fn are_equal(&self, file: &str, [a, b]: [usize; 2]) -> bool {
        match file.split('.').next() {
            Some("sets") => self.baskets[a].keys().eq(self.baskets[b].keys()),
            Some("counts" | "texts") => self.baskets[a] == self.baskets[b],
            Some("vectors") => self.vectors[a] == self.vectors[b],
            _ => self.fingerprints[a] == self.fingerprints[b],
        }
    }

    /// Number of items of a basket.
    pub(super) fn size(&self, document: usize) -> usize {
        self.baskets[document].len()
    }

    /// The inverse document frequency of an item, in 1024ths.
    pub(super) fn idf(&self, item: u32) -> f64 {
        let ratio = (1.0 + self.len() as f64) / (1.0 + f64::from(self.frequencies[&item]));
        (1024.0 * (ratio.ln() + 1.0)).round()
    }

    fn common(&self, a: usize, b: usize) -> usize {
        self.baskets[a].keys().filter(|item| self.baskets[b].contains_key(item)).count()
    }
}

/// |A and B| / |A or B|.
pub(super) fn jaccard_of_sets(world: &World, a: usize, b: usize) -> f64 {
    let common = world.common(a, b);
    common as f64 / (world.size(a) + world.size(b) - common) as f64
}

/// The sum of the smaller counts over that of the larger ones.
pub(super) fn jaccard_of_counts(world: &World, a: usize, b: usize) -> f64 {
    let left = &world.baskets[a];
    let right = &world.baskets[b];
    let total = |basket: &Items| basket.values().sum::<u32>();
    let smaller: u32 = left.iter().map(|(item, &count)| count.min(right.get(item).copied().unwrap_or(0))).sum();
    f64::from(smaller) / f64::from(total(left) + total(right) - smaller)
}

/// The larger one of |A and B| / |A| and |A and B| / |B|.
pub(super) fn larger_share(world: &World, a: usize, b: usize) -> f64 {
    world.common(a, b) as f64 / world.size(a).min(world.size(b)) as f64
}

/// |A and B| / |A|.
pub(super) fn share_of(world: &World, a: usize, b: usize) -> f64 {
    world.common(a, b) as f64 / world.size(a) as f64
}

/// |A and B|.
pub(super) fn number_of_common(world: &World, a: usize, b: usize) -> f64 {
    world.common(a, b) as f64
}

/// The cosine of the vectors that `weight` makes of items and counts.
pub(super) fn cosine(world: &World, a: usize, b: usize, weight: impl Fn(u32, f64) -> f64) -> f64 {
    let weighed = |basket: &Items| -> BTreeMap<u32, f64> {
        basket.iter().map(|(&item, &count)| (item, weight(item, f64::from(count)))).collect()
    };
    let left = weighed(&world.baskets[a]);
    let right = weighed(&world.baskets[b]);
    let dot: f64 = left.iter().filter_map(|(item, weight)| Some(weight * right.get(item)?)).sum();
    let norm = |vector: &BTreeMap<u32, f64>| vector.values().map(|weight| weight * weight).sum::<f64>();
    dot / (norm(&left) * norm(&right)).sqrt()
}

/// The number of bits in which two fingerprints differ.
pub(super) fn differing(world: &World, a: usize, b: usize) -> f64 {
    f64::from((world.fingerprints[a] ^ world.fingerprints[b]).count_ones())
}

/// The sum of what `of` makes of the components of two vectors.
pub(super) fn sum_of(world: &World, [a, b]: [usize; 2], of: fn(f64, f64) -> f64) -> f64 {
    let pairs = world.vectors[a].iter().zip(&world.vectors[b]);
    pairs.map(|(&a, &b)| of(f64::from(a), f64::from(b))).sum()
}

/// The cosine of two vectors.
pub(super) fn cosine_of_vectors(world: &World, a: usize, b: usize) -> f64 {
    let dot = |both| sum_of(world, both, |a, b| a * b);
    dot([a, b]) / (dot([a, a]) * dot([b, b])).sqrt()
}
