//! Two documents side by side, as a page and its file.

use super::shown::{render, visible};
use super::side_by_side::{Mark, RowLimits, SideRow, rows};
use crate::base::{OutputKind, Result};
use crate::tools::{
    Compared, ComparedAs, ComparedBits, ComparedDocument, ComparedSets, ComparedTerms, ComparedVectors, Comparing,
    existing_path,
};
use crate::write::check_outputs;
use askama::Template;
use lookalike_core::evidence::ComparedItem;
use lookalike_core::{counted, thousands};
use lookalike_io::{AtomicFile, base::FileSelection};
use std::path::{Path, PathBuf};

/// Bytes of both texts up to which all of them is shown, and characters that are shown of longer ones.
const MAX_CHARACTERS: usize = 1_000_000;
/// Characters that are shown on each side of a difference of longer texts.
const CONTEXT: usize = 500;
/// Items or terms of a list that a page shows.
const MAX_LISTED: usize = 2000;

#[derive(Template)]
#[template(path = "comparison.html")]
struct ComparisonPage<'a> {
    title: &'a str,
    names: [String; 2],
    facts: Vec<Fact>,
    lists: Vec<List>,
    rows: Option<Vec<SideRow>>,
}

/// A figure of two documents.
struct Fact {
    name: &'static str,
    figure: String,
    explanation: String,
}

impl Fact {
    fn new(name: &'static str, figure: String, explanation: impl Into<String>) -> Self {
        Self { name, figure, explanation: explanation.into() }
    }
}

struct List {
    heading: String,
    lines: Vec<String>,
}

/// The page of two documents that were compared, under a title that says what was found.
///
/// # Errors
/// If the page cannot be made.
pub fn comparison_page(title: &str, compared: &Compared) -> Result<String> {
    let (facts, lists) = match &compared.found {
        ComparedAs::Sets(sets) => (facts_of_sets(sets), items_of(sets)),
        ComparedAs::Terms(terms) => (facts_of_terms(terms), vec![terms_of(terms)]),
        ComparedAs::Bits(bits) => (facts_of_bits(bits), Vec::new()),
        ComparedAs::Vectors(vectors) => (facts_of_vectors(vectors), Vec::new()),
    };
    let rows = match &compared.found {
        ComparedAs::Sets(sets) if sets.comparison.items.is_none() => {
            let is_long = sets.comparison.left_text.len() + sets.comparison.right_text.len() > MAX_CHARACTERS;
            let limits = RowLimits { context: is_long.then_some(CONTEXT), max_characters: MAX_CHARACTERS };
            Some(rows(&sets.comparison, limits))
        }
        ComparedAs::Sets(_) | ComparedAs::Terms(_) | ComparedAs::Bits(_) | ComparedAs::Vectors(_) => None,
    };
    let names = compared.names.each_ref().map(|name| visible(name));
    let page = ComparisonPage { title, names, facts, lists, rows };
    render(&page)
}

/// Writes the page of two documents that were compared, under a title that says what was found. A file that is there
/// is replaced when the page is complete.
///
/// # Errors
/// If the path is that of a document, or the page cannot be written.
pub fn write_comparison(request: &Comparing, compared: &Compared, title: &str, path: &Path) -> Result<()> {
    let mut inputs = request.inputs.inputs.clone();
    inputs.extend(request.sides.iter().flat_map(files_of));
    let spared: Vec<PathBuf> = request.spared.iter().chain(&request.idf).cloned().collect();
    check_outputs(&inputs, &FileSelection::default(), &spared, [(OutputKind::Report, &path.to_owned())])?;
    let mut file = AtomicFile::create(path)?;
    file.write(comparison_page(title, compared)?.as_bytes())?;
    Ok(file.finish()?)
}

/// The files that the name of a document may mean.
fn files_of(document: &ComparedDocument) -> Vec<PathBuf> {
    let ComparedDocument::Named(name) = document else { return Vec::new() };
    let ends = name.match_indices(':').map(|(at, _)| at).chain([name.len()]);
    ends.map(|end| existing_path(&name[..end])).filter(|path| path.exists()).collect()
}

fn facts_of_sets(sets: &ComparedSets) -> Vec<Fact> {
    let found = &sets.comparison;
    let (noun, token) = if found.items.is_some() { ("common item", "item") } else { ("common shingle", "token") };
    let [of_a, of_b] = found.overlap.containments();
    let share = |share: f64| format!("{share:.4}");
    let of = counted(found.overlap.common as u64, noun);
    let union = thousands(found.overlap.union() as u64);
    let mut facts = vec![
        Fact::new("Jaccard", share(found.overlap.jaccard()), format!("{of} of {union}")),
        Fact::new("containment of A", share(of_a), "share of A that is in B"),
        Fact::new("containment of B", share(of_b), "share of B that is in A"),
    ];
    for (name, counts) in [("A", &found.left), ("B", &found.right)] {
        let shingles = found.items.is_none().then(|| counted(counts.elements as u64, "shingle"));
        facts.push(Fact::new(name, counted(counts.tokens as u64, token), shingles.unwrap_or_default()));
    }
    if found.items.is_none() {
        let count = |all: usize| thousands(all as u64);
        facts.push(Fact::new("passages", count(found.passages.len()), "that stand in both"));
        facts.push(Fact::new("differences", count(found.differences.len()), "in words or signs"));
    }
    facts
}

fn items_of(sets: &ComparedSets) -> Vec<List> {
    let Some(items) = &sets.comparison.items else { return Vec::new() };
    let is_of = |wanted: [bool; 2]| move |item: &&ComparedItem| [item.left > 0, item.right > 0] == wanted;
    let line = |item: &ComparedItem| match (item.left, item.right) {
        (0 | 1, 0 | 1) => visible(&item.item),
        (left, right) => format!("{} ({left} in A, {right} in B)", visible(&item.item)),
    };
    let list = |heading: &str, wanted| {
        let all: Vec<&ComparedItem> = items.iter().filter(is_of(wanted)).collect();
        let lines = all.iter().take(MAX_LISTED).map(|item| line(item));
        let lines = lines.chain(rest(all.len())).collect();
        List { heading: format!("{heading}: {}", thousands(all.len() as u64)), lines }
    };
    vec![list("Common items", [true, true]), list("Only in A", [true, false]), list("Only in B", [false, true])]
}

/// Note that a list goes on.
fn rest(all: usize) -> Option<String> {
    let rest = all.checked_sub(MAX_LISTED).filter(|&rest| rest > 0)?;
    Some(format!("... and {} more (--format json has all)", thousands(rest as u64)))
}

fn facts_of_terms(terms: &ComparedTerms) -> Vec<Fact> {
    let found = &terms.found;
    let weights = format!("weights {}", terms.weights.name());
    let [a, b] = found.fingerprints.map(|fingerprint| format!("{fingerprint:016x}"));
    vec![
        Fact::new("cosine", format!("{:.4}", found.cosine()), weights),
        Fact::new("SimHash of A", a, ""),
        Fact::new("SimHash of B", b, format!("{} of 64 bits differ", found.differing_bits())),
    ]
}

fn terms_of(terms: &ComparedTerms) -> List {
    let found = &terms.found;
    let dot = found.dot_product().max(1) as f64;
    let line = |term: &lookalike_core::evidence::CommonTerm| {
        format!("{:.4}  {}", term.product() as f64 / dot, visible(&term.text))
    };
    List {
        heading: format!(
            "Common terms, with their shares of the dot product: {}",
            thousands(found.common.len() as u64)
        ),
        lines: found.common.iter().take(MAX_LISTED).map(line).chain(rest(found.common.len())).collect(),
    }
}

fn facts_of_vectors(vectors: &ComparedVectors) -> Vec<Fact> {
    let figure = |figure: f64| format!("{figure:.6}");
    let dimensions = format!("in {}", counted(vectors.dimensions as u64, "dimension"));
    vec![
        Fact::new("cosine", figure(vectors.cosine), dimensions),
        Fact::new("distance", figure(vectors.distance), ""),
        Fact::new("norm of A", figure(vectors.norms[0]), ""),
        Fact::new("norm of B", figure(vectors.norms[1]), ""),
    ]
}

fn facts_of_bits(bits: &ComparedBits) -> Vec<Fact> {
    let [a, b] = bits.digits.clone();
    let differing = bits.differing.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let figure = format!("{} of {}", bits.differing.len(), bits.width);
    vec![Fact::new("A", a, ""), Fact::new("B", b, ""), Fact::new("differing bits", figure, differing)]
}
