//! Attribution of one text to a few others, which are at hand: nothing is read, and nothing waits in files.

use super::attribute::attribution;
use super::hashes::hashes_of;
use super::read::{PassageQueries, content_of};
use super::shared::{Attribution, FoundPassage, shared_sources};
use crate::base::Result;
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_core::passages::{TokenSpans, WindowIndex, passages_while};
use lookalike_core::{Array, DocId, Ragged};

/// Attribution of a text to sources, which are documents from 0 on; the text is the one behind them. Tokens between
/// passages that are shown as one are at most `gap`.
pub(crate) fn attribute_text(
    text: &str,
    sources: &[&str],
    features: &Features,
    gap: usize,
    session: &Session<'_>,
) -> Result<Attribution> {
    let mut shingler = features.shingler(session.kernel());
    let hashes = hashes_of(text, &mut shingler, Array::default(), session)?;
    let spans = TokenSpans::new(text, &mut shingler);
    let contents = vec![content_of(hashes.as_slice())];
    let tokens = Ragged::from_parts(vec![0, hashes.len() as u64], hashes)?;
    let tokenizer = features.tokenizer(session.kernel());
    let index = WindowIndex::new(features.shingle().size.tokens, tokenizer.key(), tokens)?;
    let queries = PassageQueries { documents: vec![DocId(sources.len() as u32)], index, spans: vec![spans], contents };
    let counts = queries.index.counts(u32::MAX);
    let goes_on = || session.stages.check().is_ok();
    let mut found = Vec::new();
    for (source, text) in DocId::all(sources.len()).zip(sources) {
        session.stages.check()?;
        let hashes = hashes_of(text, &mut shingler, Array::default(), session)?;
        let mut runs = Vec::new();
        queries.index.find_runs(hashes.as_slice(), &counts, &mut runs);
        let tokens = runs.iter().map(|run| run.tokens(queries.index.size()));
        let there = TokenSpans::of_ranges(text, &mut shingler, tokens);
        for of_query in passages_while(&queries.index, &counts, &runs, &goes_on) {
            let passage = |passage| FoundPassage::new(of_query.query, source, passage, &there);
            found.extend(of_query.passages.iter().map(passage));
        }
    }
    session.stages.check()?;
    found.sort_unstable();
    let shared = shared_sources(found.into_iter(), &queries.spans[0], gap);
    Ok(attribution(&queries, 0, &counts, shared))
}
