//! The tokens of queries, and what sources have of them.

use crate::corpus::TextsAgain;
use crate::ground::Result;
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::features::{Features, Shingler};
use lookalike_core::passages::{TokenSpans, WindowCounts, WindowIndex, WindowIndexBuilder, WindowRun, token_hashes};

/// Documents whose sources are looked for.
pub(super) struct Queries {
    pub(super) index: WindowIndex,
    /// By query: where its tokens stand.
    pub(super) spans: Vec<TokenSpans>,
}

/// What a source has of the queries.
pub(super) struct SourceHits {
    pub(super) source: DocId,
    pub(super) runs: Vec<WindowRun>,
    /// Where the tokens of the runs stand.
    pub(super) spans: TokenSpans,
}

/// Buffers of a thread.
struct Buffers {
    shingler: Shingler,
    hashes: Vec<u64>,
}

impl Buffers {
    fn of(features: &Features, session: &Session<'_>) -> Self {
        Self { shingler: features.shingler(session.kernel()), hashes: Vec::new() }
    }

    fn hash(&mut self, text: &str) {
        self.hashes.clear();
        token_hashes(text, &mut self.shingler, &mut self.hashes);
    }
}

/// Reads the tokens of the wanted documents, as a stage.
pub(super) fn read_queries(texts: TextsAgain<'_>, session: &Session<'_>) -> Result<Queries> {
    let tokenizer = texts.features.tokenizer(session.kernel());
    let mut builder = WindowIndexBuilder::new(texts.features.shingle().size.tokens, tokenizer.key());
    let mut spans = Vec::with_capacity(texts.wanted.len());
    texts.for_each(
        session,
        || Buffers::of(texts.features, session),
        |buffers, _, text| {
            buffers.hash(text);
            Ok((buffers.hashes.clone(), TokenSpans::of(text, &mut buffers.shingler)))
        },
        |_, (hashes, of_tokens)| {
            builder.push(&hashes)?;
            spans.push(of_tokens);
            Ok(())
        },
    )?;
    Ok(Queries { index: builder.finish(), spans })
}

/// Looks for the windows of queries in the wanted documents, as a stage.
pub(super) fn find_hits(
    texts: TextsAgain<'_>,
    index: &WindowIndex,
    counts: &WindowCounts,
    session: &Session<'_>,
) -> Result<Vec<SourceHits>> {
    let mut all = Vec::new();
    texts.for_each(
        session,
        || Buffers::of(texts.features, session),
        |buffers, source, text| {
            buffers.hash(text);
            let mut runs = Vec::new();
            index.find_runs(&buffers.hashes, counts, &mut runs);
            // Where tokens stand is asked of few sources.
            Ok((!runs.is_empty()).then(|| {
                let tokens = runs.iter().map(|run| run.tokens(index.size()));
                let spans = TokenSpans::of(text, &mut buffers.shingler).only(tokens);
                SourceHits { source, runs, spans }
            }))
        },
        |_, hits| {
            all.extend(hits);
            Ok(())
        },
    )?;
    Ok(all)
}

/// Makes the windows of the wanted documents common, as a stage: templates, and quotations.
pub(super) fn ignore(
    texts: TextsAgain<'_>,
    index: &WindowIndex,
    counts: &WindowCounts,
    session: &Session<'_>,
) -> Result<()> {
    texts.for_each(
        session,
        || Buffers::of(texts.features, session),
        |buffers, _, text| {
            buffers.hash(text);
            index.ignore(&buffers.hashes, counts);
            Ok(())
        },
        |_, ()| Ok(()),
    )
}
