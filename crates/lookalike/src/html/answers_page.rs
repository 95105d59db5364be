//! What a search has found, as a page: figures, the histogram, tables, and a sample of pairs with their texts.

use super::pieces::Mark;
use super::rows::Row;
use crate::ground::{Error, Result};
use askama::Template;

/// What a page of answers shows.
#[derive(Debug, Default, Template)]
#[template(path = "answers.html")]
pub struct AnswersPage {
    /// The heading: what was found.
    pub title: String,
    /// What was asked, in sentences.
    pub about: Vec<String>,
    /// Counts with their nouns.
    pub figures: Vec<[String; 2]>,
    /// What may be wrong.
    pub alarms: Vec<String>,
    /// The histogram as SVG.
    pub chart: Option<String>,
    /// What the histogram shows, in a sentence.
    pub chart_text: String,
    /// Tables.
    pub tables: Vec<Table>,
    /// By which rule pairs are shown with their texts.
    pub shown_rule: String,
    /// Pairs with their texts.
    pub shown: Vec<ShownPair>,
    /// Pairs without their texts.
    pub list: Option<PairList>,
    /// All that the answer depends on, as JSON.
    pub parameters: String,
}

impl AnswersPage {
    /// Whether texts are shown, whose colours need a legend.
    fn shows_texts(&self) -> bool {
        self.shown.iter().any(|pair| pair.images.is_none())
    }

    /// The page.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn to_html(&self) -> Result<String> {
        self.render().map_err(|reason| Error::NoPage { reason: reason.to_string() })
    }
}

/// A table of a page.
#[derive(Debug)]
pub struct Table {
    /// What it shows.
    pub heading: String,
    /// What is said of it.
    pub about: String,
    /// The headings of its columns: numbers, then a text.
    pub columns: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<TableRow>,
}

/// A row of a table.
#[derive(Debug)]
pub struct TableRow {
    /// Its numbers.
    pub numbers: Vec<String>,
    /// What they are of.
    pub name: String,
    /// The beginning of a text; empty without one.
    pub excerpt: String,
}

/// Two documents with their texts.
#[derive(Debug)]
pub struct ShownPair {
    /// How similar they are, and why they are a pair.
    pub heading: String,
    /// The documents.
    pub names: [String; 2],
    /// The texts.
    pub rows: Vec<Row>,
    /// Small copies of the images, as URIs that hold them, if documents are such.
    pub images: Option<[String; 2]>,
}

/// Pairs without their texts, in pages.
#[derive(Debug)]
pub struct PairList {
    /// By which rule pairs are listed.
    pub rule: String,
    /// The headings of the columns.
    pub columns: Vec<&'static str>,
    /// Page by page: what it holds, and the rows.
    pub pages: Vec<(String, Vec<Vec<String>>)>,
}
