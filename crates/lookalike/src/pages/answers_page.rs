//! What a search has found, as a page: figures, the histogram, tables, and a sample of pairs with their texts.

use super::side_by_side::{Mark, Row};
use crate::ground::{Error, Result};
use askama::Template;

/// What a page of answers shows.
#[derive(Debug, Default, Template)]
#[template(path = "answers.html")]
pub(crate) struct AnswersPage {
    /// The heading: what was found.
    pub(crate) title: String,
    /// What was asked, in sentences.
    pub(crate) about: Vec<String>,
    /// Counts with their nouns.
    pub(crate) figures: Vec<[String; 2]>,
    /// What may be wrong.
    pub(crate) alarms: Vec<String>,
    /// The histogram as SVG.
    pub(crate) chart: Option<String>,
    /// What the histogram shows, in a sentence.
    pub(crate) chart_text: String,
    /// Tables.
    pub(crate) tables: Vec<Table>,
    /// By which rule pairs are shown with their texts.
    pub(crate) shown_rule: String,
    /// Pairs with their texts.
    pub(crate) shown: Vec<ShownPair>,
    /// Pairs without their texts.
    pub(crate) list: Option<PairList>,
    /// All that the answer depends on, as JSON.
    pub(crate) parameters: String,
}

impl AnswersPage {
    /// Whether texts are shown, whose colours need a legend.
    fn shows_texts(&self) -> bool {
        self.shown.iter().any(|pair| pair.images.is_none())
    }

    /// The page.
    pub(crate) fn to_html(&self) -> Result<String> {
        self.render().map_err(|reason| Error::NoPage { reason: reason.to_string() })
    }
}

/// A table of a page.
#[derive(Debug)]
pub(crate) struct Table {
    /// What it shows.
    pub(crate) heading: String,
    /// What is said of it.
    pub(crate) about: String,
    /// The headings of its columns: numbers, then a text.
    pub(crate) columns: Vec<&'static str>,
    /// Its rows.
    pub(crate) rows: Vec<TableRow>,
}

/// A row of a table.
#[derive(Debug)]
pub(crate) struct TableRow {
    /// Its numbers.
    pub(crate) numbers: Vec<String>,
    /// What they are of.
    pub(crate) name: String,
    /// The beginning of a text; empty without one.
    pub(crate) excerpt: String,
}

/// Two documents with their texts.
#[derive(Debug)]
pub(crate) struct ShownPair {
    /// How similar they are, and why they are a pair.
    pub(crate) heading: String,
    /// The documents.
    pub(crate) names: [String; 2],
    /// The texts.
    pub(crate) rows: Vec<Row>,
    /// Small copies of the images, as URIs that hold them, if documents are such.
    pub(crate) images: Option<[String; 2]>,
}

/// Pairs without their texts, in pages.
#[derive(Debug)]
pub(crate) struct PairList {
    /// By which rule pairs are listed.
    pub(crate) rule: String,
    /// The headings of the columns.
    pub(crate) columns: Vec<&'static str>,
    /// Page by page: what it holds, and the rows.
    pub(crate) pages: Vec<(String, Vec<Vec<String>>)>,
}
