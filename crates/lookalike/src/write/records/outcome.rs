//! Outcome of records: some stay and some go, or their texts are cut.

use crate::passages::{CutSpans, Cuts, Fate, TextCutter};
use lookalike_core::DocId;
use lookalike_core::rule::Decision;
use lookalike_core::similarity::Figure;
use lookalike_io::rows::{Annotation, AnnotationKind, Figures, Verified};

/// Outcome of the records of documents.
pub(crate) enum Outcome<'a> {
    /// Near-duplicates go.
    Decided(DecidedRecords<'a>),
    /// Texts are cut.
    Cut(CutRecords<'a>),
}

/// Decisions on records.
pub(crate) struct DecidedRecords<'a> {
    decisions: &'a [Decision],
    /// Size of its family, by document.
    sizes: Vec<u32>,
    figure: Figure,
}

/// Cuts in the texts of records.
pub(crate) struct CutRecords<'a> {
    pub(crate) cuts: &'a Cuts,
    pub(crate) cutter: TextCutter<'a>,
    /// Places of the cuts, if records have them.
    pub(crate) spans: Option<&'a CutSpans>,
}

impl<'a> Outcome<'a> {
    /// Outcome by decisions of a measure that counts `figure`.
    pub(crate) fn of_decisions(decisions: &'a [Decision], figure: Figure) -> Self {
        Self::Decided(DecidedRecords { decisions, sizes: family_sizes(decisions), figure })
    }

    /// Returns whether the record of a document stays.
    pub(super) fn is_kept(&self, document: DocId) -> bool {
        match self {
            Self::Decided(decided) => decided.decisions[document.index()].is_kept(),
            Self::Cut(cut) => cut.cuts.fate(document) != Fate::Dropped,
        }
    }

    /// Returns whether the text of a document changes.
    pub(super) fn is_cut(&self, document: DocId) -> bool {
        match self {
            Self::Decided(_) => false,
            Self::Cut(cut) => cut.cuts.fate(document) == Fate::Cut,
        }
    }

    /// The text that stays of a document; `None` if all of it does.
    pub(super) fn text_left(&self, document: DocId, text: &str) -> Option<String> {
        match self {
            Self::Cut(cut) if self.is_cut(document) => Some(cut.cutter.text_left(document, text)),
            Self::Cut(_) | Self::Decided(_) => None,
        }
    }

    /// Kind of annotations.
    pub(super) fn annotation_kind(&self) -> AnnotationKind {
        match self {
            Self::Decided(decided) => AnnotationKind::Decision(decided.figure),
            Self::Cut(_) => AnnotationKind::Cut,
        }
    }

    /// The annotation of the record of a document; `id_of` names documents.
    pub(super) fn annotation<'i>(&'i self, document: DocId, id_of: impl Fn(DocId) -> &'i str) -> Annotation<'i> {
        match self {
            Self::Decided(decided) => decided.annotation(document, id_of),
            Self::Cut(CutRecords { cuts, spans, .. }) => Annotation::Cut {
                spans: spans.map_or(&[], |spans| spans.get(document)),
                cut_tokens: cuts.cut_tokens(document).into(),
                tokens: cuts.tokens(document).into(),
            },
        }
    }
}

impl DecidedRecords<'_> {
    fn annotation<'i>(&'i self, document: DocId, id_of: impl Fn(DocId) -> &'i str) -> Annotation<'i> {
        let (kept, figures, duplicate) = match self.decisions[document.index()] {
            Decision::Kept => (document, Figures::of_document_itself(self.figure), false),
            Decision::Removed { kept, similarity, .. } => {
                (kept, Figures::new(self.figure, Verified::from_similarity(similarity)), true)
            }
        };
        Annotation::Decision { duplicate, kept: id_of(kept), figures, cluster_size: self.sizes[document.index()] }
    }
}

/// Size of the family that each document is kept for or removed from.
pub(crate) fn family_sizes(decisions: &[Decision]) -> Vec<u32> {
    let mut sizes = vec![1; decisions.len()];
    let kept_for = |decision: &Decision| match decision {
        Decision::Removed { kept, .. } => Some(kept.index()),
        Decision::Kept => None,
    };
    decisions.iter().filter_map(kept_for).for_each(|kept| sizes[kept] += 1);
    for (index, decision) in decisions.iter().enumerate() {
        if let Some(kept) = kept_for(decision) {
            sizes[index] = sizes[kept];
        }
    }
    sizes
}
