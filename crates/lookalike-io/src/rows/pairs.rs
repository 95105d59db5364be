//! The rows of pairs and removals.

use super::all_columns::{A, A_SOURCE, B, B_SOURCE, ID, KEPT, KEPT_SOURCE, REASON, SOURCE};
use super::column::{Cell, Column, Value};
use super::figures::{Figures, Verified};
use super::row::Row;
use lookalike_core::rule::Reason;
use lookalike_core::similarity::Figure;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Presence of the files of documents, in rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowSources {
    /// Documents are known by their ids alone.
    #[default]
    Absent,
    /// Files beside each id.
    Named,
}

impl RowSources {
    /// Files of a row of which only the columns matter.
    pub(super) fn blank<const N: usize>(self) -> [Option<Cow<'static, str>>; N] {
        std::array::from_fn(|_| (self == Self::Named).then_some(Cow::Borrowed("")))
    }
}

/// The cells of files, if rows name them.
pub(super) fn source_cells<'r, const N: usize>(
    sources: [(&'static Column, &'r Option<Cow<'_, str>>); N],
) -> impl Iterator<Item = Cell<'r>> {
    sources.into_iter().filter_map(|(column, source)| Some((column, Value::text(source.as_deref()?))))
}

/// A verified pair of documents, or of signatures an estimated one.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRow<'a> {
    /// Id of the earlier document.
    pub a: Cow<'a, str>,
    /// Id of the later document.
    pub b: Cow<'a, str>,
    /// Figures of the measure.
    pub figures: Figures,
    /// Reason of the pair: what they have in common. Files of version 0.1.0 do not say it.
    pub reason: Option<Reason>,
    /// The files of a and b, if rows name sources.
    pub sources: [Option<Cow<'a, str>>; 2],
}

/// Columns that a file of pairs may have. All but the ids may be missing.
pub(crate) static PAIR_COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let columns = [&A, &B].into_iter().chain(Figures::pair_columns()).chain([&REASON, &A_SOURCE, &B_SOURCE]);
    columns.copied().collect()
});

impl<'a> PairRow<'a> {
    /// A pair of the documents with these ids.
    pub fn new([a, b]: [&'a str; 2], figures: Figures, reason: Reason) -> Self {
        Self { a: a.into(), b: b.into(), figures, reason: Some(reason), sources: [None, None] }
    }

    /// Makes the pair own its ids and files.
    pub fn into_owned(self) -> PairRow<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let Self { a, b, figures, reason, sources } = self;
        PairRow { a: own(a), b: own(b), figures, reason, sources: sources.map(|source| source.map(own)) }
    }

    /// The columns of rows by a measure that counts `figure`, in order.
    pub fn header(figure: Figure, sources: RowSources) -> Vec<Column> {
        let row = PairRow::new(["", ""], Figures::new(figure, Verified::default()), Reason::Near);
        PairRow { sources: sources.blank(), ..row }.columns()
    }
}

impl Row for PairRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let [a_source, b_source] = &self.sources;
        [(&A, Value::text(&self.a)), (&B, Value::text(&self.b))]
            .into_iter()
            .chain(self.figures.cells())
            .chain(self.reason.map(|reason| (&REASON, Value::text(reason.name()))))
            .chain(source_cells([(&A_SOURCE, a_source), (&B_SOURCE, b_source)]))
    }
}

/// A removed document.
#[derive(Debug, Clone, PartialEq)]
pub struct RemovalRow<'a> {
    /// Id of the removed document.
    pub id: Cow<'a, str>,
    /// Id of its keeper.
    pub kept: Cow<'a, str>,
    /// Main figure of the measure; of a containment, the share of the removed document that is in the other.
    pub figures: Figures,
    /// Reason of the removal.
    pub reason: Reason,
    /// Files of the removed document and of its keeper, if rows name sources.
    pub sources: [Option<Cow<'a, str>>; 2],
}

impl<'a> RemovalRow<'a> {
    /// The removal of a document because of the `kept` one.
    pub fn new([id, kept]: [&'a str; 2], figures: Figures, reason: Reason) -> Self {
        Self { id: id.into(), kept: kept.into(), figures: figures.main(), reason, sources: [None, None] }
    }

    /// The columns of rows by a measure that counts `figure`, in order.
    pub fn header(figure: Figure, sources: RowSources) -> Vec<Column> {
        let row = RemovalRow::new(["", ""], Figures::new(figure, Verified::default()), Reason::Near);
        RemovalRow { sources: sources.blank(), ..row }.columns()
    }
}

impl Row for RemovalRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let [source, kept_source] = &self.sources;
        [(&ID, Value::text(&self.id)), (&KEPT, Value::text(&self.kept))]
            .into_iter()
            .chain(self.figures.cells())
            .chain([(&REASON, Value::text(self.reason.name()))])
            .chain(source_cells([(&SOURCE, source), (&KEPT_SOURCE, kept_source)]))
    }
}
