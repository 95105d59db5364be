//! Every command on the shapes that it takes, with sizes at which it takes some tenths of a second.

use super::shapes::Shape;

/// A command on a shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct GrowthCase {
    pub(super) shape: Shape,
    /// Items of the smallest input; the others have twice and four times as many.
    pub(super) items: u64,
    /// The command; `{in}` stands for the input. Outputs are in `out`, which is empty before.
    pub(super) arguments: &'static str,
    /// A command that is run before, and not measured; its outputs are anywhere but in `out`.
    pub(super) before: Option<&'static str>,
    /// `true` if an error is right: the answer is too large.
    pub(super) is_refused: bool,
    /// The memory budget.
    pub(super) budget_mib: u64,
}

/// The memory budget of most commands.
const BUDGET_MIB: u64 = 64;
/// A budget that holds all queries of a `sources`, which reads the sources once for each part of them that fits.
const BUDGET_OF_SOURCES_MIB: u64 = 1024;

/// Commands that take texts, and how long they take in comparison: many take half the documents.
const OF_TEXTS: &[&str] = &[
    "dedup {in} -o out/kept.jsonl",
    "dedup {in} --cluster connected -o out/kept.jsonl",
    "clusters {in} -o out/clusters.csv",
    "clusters {in} --method minhash -o out/clusters.csv",
    "clusters {in} --measure cosine --shingle word:1 -o out/clusters.csv",
    "snapshot {in} -o out/all.snapshot",
    "snapshot {in} --passages -o out/all.snapshot",
    "fingerprint {in} -o out/bits.csv",
    "signatures {in} -o out/signatures.parquet",
    "checksum {in} -o out/copies.csv",
    "cut {in} -o out/cut.jsonl",
    "search --text w1 --in {in} -o out/near.csv",
    "index create out/index {in}",
    "index create out/index {in} --store-texts",
    "index create out/index {in} --method minhash",
];

/// Commands on one long document, or two.
const OF_LONG_TEXTS: &[&str] = &[
    "dedup {in} -o out/kept.jsonl",
    "dedup {in} --bag -o out/kept.jsonl",
    "clusters {in} -o out/clusters.csv",
    "snapshot {in} --passages -o out/all.snapshot",
    "cut {in} -o out/cut.jsonl",
    "cut {in} --shingle char:50 -o out/cut.jsonl",
    "sources {in} -o out/passages.csv",
    "index create out/index {in} --store-texts",
];

/// Commands on vectors.
const OF_VECTORS: &[&str] = &[
    "dedup {in} --vector v -t 0.9 -o out/kept.jsonl",
    "clusters {in} --vector v -t 0.9 -o out/clusters.csv",
    "clusters {in} --vector v -t 0.9 --method hyperplanes -o out/clusters.csv",
    "index create out/index {in} --vector v -t 0.9",
];

fn case(shape: Shape, items: u64, arguments: &'static str) -> GrowthCase {
    GrowthCase { shape, items, arguments, before: None, is_refused: false, budget_mib: BUDGET_MIB }
}

/// A command whose answer is quadratic, and refused before it is found or written.
fn refused(shape: Shape, items: u64, arguments: &'static str) -> GrowthCase {
    GrowthCase { is_refused: true, ..case(shape, items, arguments) }
}

pub(super) fn all() -> Vec<GrowthCase> {
    let mut cases = Vec::new();
    let mut add = |shape: Shape, items: u64, all: &[&'static str]| {
        cases.extend(all.iter().map(|arguments| case(shape, items, arguments)));
    };
    add(Shape::Equal, 20_000, OF_TEXTS);
    add(Shape::OneWordApart, 10_000, OF_TEXTS);
    add(Shape::OneWord, 500_000, OF_LONG_TEXTS);
    add(Shape::OneCharacter, 2_000_000, OF_LONG_TEXTS);
    add(Shape::Periodic, 50_000, OF_LONG_TEXTS);
    for shape in [Shape::EqualVectors, Shape::OneDimension, Shape::OneDirection] {
        add(shape, 20_000, OF_VECTORS);
    }
    add(Shape::EqualSignatures, 50_000, &["clusters {in} --signature s -o out/clusters.csv"]);
    cases.push(refused(Shape::Equal, 20_000, "pairs {in} --max-pairs 1000000 -o out/pairs.csv"));
    cases.push(refused(Shape::OneWordApart, 20_000, "pairs {in} --max-pairs 1000000 -o out/pairs.csv"));
    cases.push(refused(Shape::EqualVectors, 20_000, "pairs {in} --vector v --max-pairs 1000000 -o out/pairs.csv"));
    let of_signatures = "pairs {in} --signature s --max-pairs 1000000 -o out/pairs.csv";
    cases.push(refused(Shape::EqualSignatures, 50_000, of_signatures));
    for (shape, items) in [(Shape::Equal, 20_000), (Shape::OneWordApart, 10_000)] {
        let sources = case(shape, items, "sources {in} -o out/passages.csv");
        cases.push(GrowthCase { budget_mib: BUDGET_OF_SOURCES_MIB, ..sources });
    }
    for items in [64, 500] {
        let search = "search {in} --in asked.index -o out/near.csv";
        let before = Some("index create asked.index {in} --method minhash");
        cases.push(GrowthCase { before, ..case(Shape::Different, items, search) });
    }
    cases
}
