//! The pictures of the README and the guide: the one of peers shows the table that it was drawn from, each tool once,
//! and in none does a text lie upon another.
//!
//! Widths of texts are estimated from their characters: a browser may use another font than the one that was there when
//! it was drawn.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use roxmltree::{Document, Node};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Width of a character in sizes of the font, on average: that of DejaVu Sans, which is a wide one.
const CHARACTER_WIDTH: f64 = 0.6;

/// A text of the picture and where it stands: the left and right end, and the base line.
struct Placed {
    text: String,
    left: f64,
    right: f64,
    base: f64,
    size: f64,
}

impl Placed {
    fn new(node: Node) -> Self {
        let text = node.text().unwrap_or_default().trim().to_owned();
        let number = |name| node.attribute(name).and_then(|value| value.parse::<f64>().ok());
        let style = |name: &str| {
            let rules = node.attribute("style").unwrap_or_default().split(';');
            rules.filter_map(|rule| rule.split_once(':')).find(|rule| rule.0.trim() == name).map(|rule| rule.1.trim())
        };
        let styled = |name| style(name).or_else(|| node.attribute(name));
        let size: f64 = styled("font-size").unwrap().trim_end_matches("px").parse().unwrap();
        let x = number("x").unwrap();
        let width = text.chars().count() as f64 * size * CHARACTER_WIDTH;
        let left = match styled("text-anchor") {
            Some("end") => x - width,
            Some("middle") => x - width / 2.0,
            _ => x,
        };
        Self { text, left, right: left + width, base: number("y").unwrap(), size }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let is_beside = self.right <= other.left || other.right <= self.left;
        !is_beside && (self.base - other.base).abs() < self.size.max(other.size)
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

fn placed(picture: &str) -> Vec<Placed> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = Document::parse_with_options(picture, options).unwrap();
    document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        // Titles of axes that are turned stand beside all others.
        .filter(|node| {
            !node
                .attribute("transform")
                .is_some_and(|change| change.starts_with("rotate(90") || change.starts_with("rotate(270"))
        })
        .map(Placed::new)
        .collect()
}

/// Pairs of texts that lie upon each other.
fn overlaps(texts: &[Placed]) -> Vec<(&str, &str)> {
    let pairs =
        texts.iter().enumerate().flat_map(|(number, one)| texts[number + 1..].iter().map(move |two| (one, two)));
    pairs.filter(|(one, two)| one.overlaps(two)).map(|(one, two)| (one.text.as_str(), two.text.as_str())).collect()
}

/// The rows of the first table of a file of results, as cells: tool, seconds, and all others.
fn rows(table: &str) -> Vec<Vec<&str>> {
    let section = table.split("\n## ").nth(1).unwrap();
    let lines = section.lines().filter(|line| line.starts_with('|')).skip(2);
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn texts_of_the_picture_lie_apart() {
    let picture = read("bench/results/peers.svg");
    let texts = placed(&picture);
    assert!(texts.len() > 50, "{} texts", texts.len());
    assert!(overlaps(&texts).is_empty(), "{:?}", overlaps(&texts));
}

#[test]
fn histogram_of_the_guide_is_whole_and_legible() {
    assert_eq!(read("docs/threshold.md").matches("](../bench/results/histogram.svg)").count(), 1);
    let picture = read("bench/results/histogram.svg");
    let texts = placed(&picture);
    assert!(overlaps(&texts).is_empty(), "{:?}", overlaps(&texts));
    for wanted in ["18,374 verified pairs", "S-curve of 49 bands x 2 rows", "threshold 0.3", "Jaccard similarity"] {
        assert!(texts.iter().any(|placed| placed.text == wanted), "{wanted}");
    }
}

#[test]
fn texts_that_are_drawn_twice_are_noticed() {
    let text = |x: u32, y: u32| format!("<text style='font-size: 9px' x='{x}' y='{y}'>2.42</text>");
    let picture = |second: String| format!("<svg xmlns='http://www.w3.org/2000/svg'>{}{second}</svg>", text(100, 50));
    assert_eq!(overlaps(&placed(&picture(text(104, 52)))).len(), 1);
    assert!(overlaps(&placed(&picture(text(104, 62)))).is_empty());
    assert!(overlaps(&placed(&picture(text(124, 52)))).is_empty());
}

#[test]
fn picture_shows_each_tool_of_the_table_once() {
    let readme = read("README.md");
    for link in ["](bench/results/peers.svg)", "](bench/results/peers.md)"] {
        assert_eq!(readme.matches(link).count(), 1, "{link}");
    }
    let table = read("bench/results/peers.md");
    let picture = read("bench/results/peers.svg");
    let texts = placed(&picture);
    let shown = |text: &str| texts.iter().filter(|placed| placed.text == text).count();
    let rows = rows(&table);
    assert!(rows.len() > 10, "{} rows", rows.len());
    for row in &rows {
        let tool = row[0].replace("**", "");
        assert_eq!(shown(&tool), 1, "{tool}");
        assert!(shown(row[1]) > 0, "{tool}: {} s", row[1]);
    }
    let tools: BTreeSet<_> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(tools.len(), rows.len());
}
