//! The tokens of queries, and what sources have of them.

use crate::corpus::{SavedTokens, StoredPlaces, TextsAgain, TokenChunk, TokensToSave, open_tokens, saved_places};
use crate::ground::{Result, Stage};
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::features::{Features, Shingler};
use lookalike_core::hash::hash_sequence;
use lookalike_core::passages::{TokenSpans, WindowCounts, WindowIndex, WindowIndexBuilder, WindowRun, token_hashes};

/// Documents whose sources are looked for.
pub(super) struct Queries {
    pub(super) index: WindowIndex,
    /// By query: where its tokens stand.
    pub(super) spans: Vec<TokenSpans>,
    /// By query: what all its tokens are.
    pub(super) contents: Vec<u64>,
}

/// What a source has of the queries.
pub(super) struct SourceHits {
    pub(super) source: DocId,
    pub(super) runs: Vec<WindowRun>,
    /// Where the tokens of the runs stand.
    pub(super) spans: TokenSpans,
    /// What all its tokens are, if it stands in a snapshot.
    pub(super) stored_content: Option<u64>,
}

/// A number that two documents have in common if their tokens are the same.
fn content_of(tokens: &[u64]) -> u64 {
    hash_sequence(tokens.len() as u64, tokens.iter().copied())
}

/// What all sources have of the queries.
#[derive(Default)]
pub(super) struct FoundHits {
    pub(super) hits: Vec<SourceHits>,
    /// References with fewer tokens than a window.
    pub(super) short_references: u64,
}

impl FoundHits {
    fn extend(&mut self, other: Self) {
        self.hits.extend(other.hits);
        self.short_references += other.short_references;
    }
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
    let mut contents = Vec::with_capacity(texts.wanted.len());
    texts.for_each(
        session,
        || Buffers::of(texts.features, session),
        |buffers, _, text| {
            buffers.hash(text);
            Ok((buffers.hashes.clone(), TokenSpans::of(text, &mut buffers.shingler)))
        },
        |_, (hashes, of_tokens)| {
            builder.push(&hashes)?;
            contents.push(content_of(&hashes));
            spans.push(of_tokens);
            Ok(())
        },
    )?;
    Ok(Queries { index: builder.finish(), spans, contents })
}

/// Looks for the windows of queries in the wanted documents, as a stage that begins anew for each snapshot.
pub(super) fn find_hits(
    texts: TextsAgain<'_>,
    index: &WindowIndex,
    counts: &WindowCounts,
    session: &Session<'_>,
) -> Result<FoundHits> {
    let source_of = |document: &DocId| texts.records.place(*document).source as usize;
    let is_stored = |document: &DocId| texts.records.sources[source_of(document)].is_stored();
    let (stored, with_texts): (Vec<DocId>, Vec<DocId>) = texts.wanted.iter().copied().partition(is_stored);
    let mut all = FoundHits::default();
    if !with_texts.is_empty() || stored.is_empty() {
        all.extend(find_in_texts(TextsAgain { wanted: &with_texts, ..texts }, index, counts, session)?);
    }
    for of_source in stored.chunk_by(|a, b| source_of(a) == source_of(b)) {
        let snapshot = &texts.records.sources[source_of(&of_source[0])];
        let (tokens, places) = open_tokens(&snapshot.file, texts.features)?;
        if tokens.documents() != of_source.len() {
            return Err(lookalike_io::Error::Changed { path: snapshot.path.to_path_buf() }.into());
        }
        let stage = Stage::over_bytes(texts.stage, tokens.bytes());
        let found = session.stage(stage, || find_in_tokens((tokens, &places), of_source, (index, counts), session))?;
        all.extend(found);
    }
    all.hits.sort_by_key(|hits| hits.source);
    Ok(all)
}

/// A chunk of a snapshot, while it is read.
const BYTES_PER_CHUNK: usize = 1 << 21;

/// Looks for the windows of queries in the documents of a snapshot, which are these references.
fn find_in_tokens(
    (tokens, places): (impl Iterator<Item = Result<TokenChunk>> + Send, &StoredPlaces),
    documents: &[DocId],
    (index, counts): (&WindowIndex, &WindowCounts),
    session: &Session<'_>,
) -> Result<FoundHits> {
    let look = |(): &mut (), chunk: Result<TokenChunk>| -> Result<(FoundHits, u64)> {
        session.stages.check()?;
        let (chunk, mut found) = (chunk?, FoundHits::default());
        for (number, tokens) in chunk.iter() {
            found.short_references += u64::from(tokens.len() < index.size());
            let mut runs = Vec::new();
            index.find_runs(tokens, counts, &mut runs);
            if let Some(&source) = documents.get(number).filter(|_| !runs.is_empty()) {
                let spans = places.of(number)?.only(runs.iter().map(|run| run.tokens(index.size())));
                found.hits.push(SourceHits { source, runs, spans, stored_content: Some(content_of(tokens)) });
            }
        }
        Ok((found, chunk.bytes()))
    };
    let mut all = FoundHits::default();
    let take = |found: Result<(FoundHits, u64)>| {
        let (found, bytes) = found?;
        all.extend(found);
        session.stages.progress.advance(bytes);
        Result::Ok(())
    };
    ordered_map(tokens, session.pace_for(BYTES_PER_CHUNK), || (), look, take)?;
    Ok(all)
}

/// Reads the tokens of the wanted documents with their places, to be saved: of texts, or of snapshots that have them.
pub(crate) fn save_tokens(texts: TextsAgain<'_>, session: &Session<'_>) -> Result<SavedTokens> {
    let source_of = |document: &DocId| texts.records.place(*document).source as usize;
    let mut saved = TokensToSave::new(session)?;
    // Sources are in the order of their documents.
    for of_source in texts.wanted.chunk_by(|a, b| source_of(a) == source_of(b)) {
        let source = &texts.records.sources[source_of(&of_source[0])];
        if source.is_stored() {
            let (tokens, places) = open_tokens(&source.file, texts.features)?;
            let stage = Stage::over_bytes(texts.stage, tokens.bytes());
            session.stage(stage, || copy_tokens((tokens, &places), &mut saved, session))?;
        } else {
            read_tokens(TextsAgain { wanted: of_source, ..texts }, &mut saved, session)?;
        }
    }
    saved.finish(session)
}

/// Copies all tokens of a snapshot.
fn copy_tokens(
    (tokens, places): (impl Iterator<Item = Result<TokenChunk>>, &StoredPlaces),
    saved: &mut TokensToSave,
    session: &Session<'_>,
) -> Result<()> {
    for chunk in tokens {
        session.stages.check()?;
        let chunk = chunk?;
        for (number, tokens) in chunk.iter() {
            saved.push(tokens, &saved_places(&places.of(number)?), session)?;
        }
        session.stages.progress.advance(chunk.bytes());
    }
    Ok(())
}

fn read_tokens(texts: TextsAgain<'_>, saved: &mut TokensToSave, session: &Session<'_>) -> Result<()> {
    texts.for_each(
        session,
        || Buffers::of(texts.features, session),
        |buffers, _, text| {
            buffers.hash(text);
            Ok((buffers.hashes.clone(), saved_places(&TokenSpans::of(text, &mut buffers.shingler))))
        },
        |_, (hashes, places)| saved.push(&hashes, &places, session),
    )
}

fn find_in_texts(
    texts: TextsAgain<'_>,
    index: &WindowIndex,
    counts: &WindowCounts,
    session: &Session<'_>,
) -> Result<FoundHits> {
    let mut all = FoundHits::default();
    texts.for_each(
        session,
        || Buffers::of(texts.features, session),
        |buffers, source, text| {
            buffers.hash(text);
            let is_short = buffers.hashes.len() < index.size() && texts.records.is_reference(source);
            let mut runs = Vec::new();
            index.find_runs(&buffers.hashes, counts, &mut runs);
            // Where tokens stand is asked of few sources.
            let hits = (!runs.is_empty()).then(|| {
                let tokens = runs.iter().map(|run| run.tokens(index.size()));
                let spans = TokenSpans::of(text, &mut buffers.shingler).only(tokens);
                SourceHits { source, runs, spans, stored_content: None }
            });
            Ok((hits, is_short))
        },
        |_, (hits, is_short)| {
            all.hits.extend(hits);
            all.short_references += u64::from(is_short);
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
