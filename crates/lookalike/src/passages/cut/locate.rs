//! Places of cuts in their texts, and where what is cut stays: texts are read once more for it.
//!
//! ```text
//! pieces, by document --places where they stay, sorted by document--> SoughtPiece...
//! texts of both --read once--> LocatedPiece...  --sorted by number--> for each piece both sides
//! ```

use super::cuts::{Cuts, Fate};
use super::cutter::spans_of;
use crate::base::Result;
use crate::corpus::TextsAgain;
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share, SpillColumn};
use bytemuck::{Pod, Zeroable};
use lookalike_core::passages::{CutPiece, TokenPlace, TokenSpan, TokenSpans, cut_bytes, cut_edges, cut_runs};
use lookalike_core::{Array, DocId, Ragged};
use std::ops::Range;

/// Bytes that are cut out of its text, by document.
#[derive(Debug)]
pub(crate) struct CutSpans(Ragged<[u64; 2]>);

impl CutSpans {
    /// First bytes of the cuts of a document, and the bytes behind their last ones.
    pub(crate) fn get(&self, document: DocId) -> &[[u64; 2]] {
        self.0.get(document.index())
    }
}

/// A piece that is cut, and where it stays.
pub(crate) struct LocatedCut {
    pub(crate) document: DocId,
    /// Number of its tokens.
    pub(crate) tokens: u32,
    pub(crate) here: TokenSpan,
    /// The document in which it stays, and where there; `None` if it goes because it stands between two cuts.
    pub(crate) kept: Option<(DocId, TokenSpan)>,
    /// `true` if its document goes as a whole.
    pub(crate) is_dropped: bool,
}

/// Tokens whose place is asked for, where the piece with this number stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct SoughtPiece {
    document: u32,
    token: u32,
    number: u64,
    tokens: u64,
}

/// The place of a piece, here or there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct LocatedPiece {
    number: u64,
    /// 0 where it is cut, 1 where it stays.
    side: u64,
    span: TokenSpan,
}

/// Reads, as a stage, where the cuts of all documents stand.
pub(crate) fn cut_spans(cuts: &Cuts, texts: TextsAgain<'_>, session: &Session<'_>) -> Result<CutSpans> {
    let mut spans = SpillColumn::default();
    let mut offsets = vec![0];
    let wanted: Vec<DocId> = DocId::all(cuts.len()).filter(|&document| cuts.fate(document) != Fate::Whole).collect();
    TextsAgain { wanted: &wanted, ..texts }.for_each(
        session,
        || texts.features.shingler(session.kernel()),
        |shingler, document, text| {
            let text = text.text()?;
            let runs = cut_runs(cuts.pieces(document));
            let spans = spans_of(text, shingler, texts.features, cut_edges(&runs));
            Ok(cut_bytes(text, &spans, &runs))
        },
        |document, of_document: Vec<Range<usize>>| {
            offsets.resize(document.index() + 1, spans.len() as u64);
            let of_document = of_document.iter().map(|bytes| [bytes.start as u64, bytes.end as u64]);
            spans.extend(&of_document.collect::<Vec<_>>(), &session.spill)?;
            if spans.memory_bytes() > session.spill.budget().share(Share::Pairs) {
                spans.move_to_file(&session.spill)?;
            }
            Ok(())
        },
    )?;
    offsets.resize(cuts.len() + 1, spans.len() as u64);
    Ok(CutSpans(Ragged::from_parts(offsets, spans.finish(&session.spill)?)?))
}

/// Reads, as a stage, where each piece is cut and where it stays, and calls `visit` with them in order.
pub(crate) fn locate_cuts(
    cuts: &Cuts,
    texts: TextsAgain<'_>,
    session: &Session<'_>,
    mut visit: impl FnMut(LocatedCut) -> Result<()>,
) -> Result<()> {
    let budget = session.spill.budget();
    let (firsts, sought) = sought_pieces(cuts, session)?;
    let mut located = ExternalSort::new(&session.spill, Repeats::Kept, budget.share(Share::PairsBothWays));
    TextsAgain { wanted: &documents_of(cuts, &sought), ..texts }.for_each(
        session,
        || texts.features.shingler(session.kernel()),
        |shingler, document, text| {
            let spans = spans_of(text.text()?, shingler, texts.features, std::iter::once(0..usize::MAX));
            let here = (firsts[document.index()]..).zip(cuts.pieces(document));
            let here = here.map(|(number, piece)| locate(&spans, number, 0, &piece.tokens));
            let there = sought_in(&sought, document).iter().map(|wanted| {
                let tokens = wanted.token..wanted.token + wanted.tokens as u32;
                locate(&spans, wanted.number, 1, &tokens)
            });
            Ok(here.chain(there).flatten().collect::<Vec<LocatedPiece>>())
        },
        |_, found| located.extend(found),
    )?;
    let located = located.finish()?;
    let mut places = located.chunks().flatten().copied();
    for document in DocId::all(cuts.len()) {
        for CutPiece { tokens, first } in cuts.pieces(document) {
            let Some(here) = places.next() else { return Ok(()) };
            let there = if first.is_some() { places.next() } else { None };
            visit(LocatedCut {
                document,
                tokens: tokens.len() as u32,
                here: here.span,
                kept: first.zip(there).map(|(first, there)| (DocId(first.document), there.span)),
                is_dropped: cuts.fate(document) == Fate::Dropped,
            })?;
        }
    }
    Ok(())
}

fn locate(spans: &TokenSpans, number: u64, side: u64, tokens: &Range<u32>) -> Option<LocatedPiece> {
    let tokens = tokens.start as usize..tokens.end as usize;
    spans.get(&tokens).map(|span| LocatedPiece { number, side, span })
}

/// Number of the first piece of each document; and where pieces stay, by document.
fn sought_pieces(cuts: &Cuts, session: &Session<'_>) -> Result<(Vec<u64>, Array<SoughtPiece>)> {
    let max_bytes = session.spill.budget().share(Share::Pairs);
    let mut firsts = Vec::with_capacity(cuts.len());
    let mut number = 0;
    let mut sought = ExternalSort::new(&session.spill, Repeats::Kept, max_bytes);
    for document in DocId::all(cuts.len()) {
        firsts.push(number);
        for CutPiece { tokens, first } in cuts.pieces(document) {
            if let Some(TokenPlace { document, token }) = first {
                sought.extend([SoughtPiece { document, token, number, tokens: tokens.len() as u64 }])?;
            }
            number += 1;
        }
        session.stages.check_sometimes(document.0.into())?;
    }
    Ok((firsts, sought.finish()?))
}

/// Sought pieces in a document.
fn sought_in(sought: &Array<SoughtPiece>, document: DocId) -> &[SoughtPiece] {
    let first_of = |document: u32| {
        let mut begin = 0;
        let mut end = sought.len();
        while begin < end {
            let middle = begin + (end - begin) / 2;
            match sought.slice(middle..middle + 1) {
                [wanted] if wanted.document < document => begin = middle + 1,
                _ => end = middle,
            }
        }
        begin
    };
    sought.slice(first_of(document.0)..first_of(document.0 + 1))
}

/// The documents that are cut, and those where what is cut stays.
fn documents_of(cuts: &Cuts, sought: &Array<SoughtPiece>) -> Vec<DocId> {
    let cut = DocId::all(cuts.len()).filter(|&document| cuts.fate(document) != Fate::Whole);
    let mut kept: Vec<DocId> = Vec::new();
    for wanted in sought.chunks().flatten() {
        if kept.last() != Some(&DocId(wanted.document)) {
            kept.push(DocId(wanted.document));
        }
    }
    let mut all: Vec<DocId> = cut.chain(kept).collect();
    all.sort_unstable();
    all.dedup();
    all
}
