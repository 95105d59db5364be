//! Texts without what is cut out of them.

use super::cuts::Cuts;
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_core::kernel::Kernel;
use lookalike_core::passages::{TokenSpans, cut_edges, cut_runs, text_without};
use lookalike_core::sets::Shingler;
use lookalike_core::{DocId, Pool};
use std::ops::Range;

/// Cuts texts; any number of threads may do so.
pub(crate) struct TextCutter<'a> {
    cuts: &'a Cuts,
    features: &'a Features,
    kernel: Kernel,
    separator: Option<&'a str>,
    unused: Pool<Shingler>,
}

impl<'a> TextCutter<'a> {
    /// A cutter of texts whose tokens are those of `features`; `separator` stands in the place of each cut between two
    /// tokens.
    pub(crate) fn new(
        cuts: &'a Cuts,
        features: &'a Features,
        separator: Option<&'a str>,
        session: &Session<'_>,
    ) -> Self {
        Self { cuts, features, kernel: session.kernel(), separator, unused: Pool::default() }
    }

    /// The text of a document without its cuts.
    pub(crate) fn text_left(&self, document: DocId, text: &str) -> String {
        let mut shingler = self.unused.take().unwrap_or_else(|| self.features.shingler(self.kernel));
        let runs = cut_runs(self.cuts.pieces(document));
        let spans = spans_of(text, &mut shingler, self.features, cut_edges(&runs));
        self.unused.put(shingler);
        text_without(text, &spans, &runs, self.separator)
    }
}

/// Places of the tokens of a text in these ranges, which ascend: those that are text units as wholes.
pub(super) fn spans_of(
    text: &str,
    shingler: &mut Shingler,
    features: &Features,
    ranges: impl IntoIterator<Item = Range<usize>>,
) -> TokenSpans {
    TokenSpans::of_ranges(text, shingler, ranges).widened(text, features.shingle().size.unit)
}
