//! The page of `cut`: the documents of which the most goes, coloured by the documents in which it stays.

use super::attributions::{SourcesOf, SourcesSample};
use crate::ground::Result;
use crate::passages::{Attribution, Cuts, LocatedCut, SharedPassage, SharedSource};
use crate::run::Session;
use std::cmp::Reverse;

/// What a page of cuts is made of, taken from the cuts as they are located, document by document.
#[derive(Default)]
pub(in crate::jobs) struct CutSample {
    sample: SourcesSample,
    /// The document whose cuts come now.
    open: Option<Attribution>,
}

impl CutSample {
    /// Adds the next cut.
    pub(in crate::jobs) fn add(&mut self, cut: &LocatedCut, cuts: &Cuts) {
        let LocatedCut { document, tokens, here, kept, .. } = *cut;
        if self.open.as_ref().is_none_or(|open| open.document != document) {
            self.close();
        }
        let (tokens_of, covered) = (cuts.tokens(document) as usize, cuts.cut_tokens(document) as usize);
        let open = self.open.get_or_insert_with(|| Attribution {
            document,
            tokens: tokens_of,
            covered,
            common: 0,
            sources: Vec::new(),
        });
        let Some((source, there)) = kept else {
            // What goes between two cuts is shown with the one before it.
            let last = open.sources.iter_mut().filter_map(|source| source.passages.last_mut());
            if let Some(before) = last.max_by_key(|passage| passage.here.start) {
                (before.here.end, before.here.end_line) = (here.end, here.end_line);
            }
            return;
        };
        let passage = SharedPassage { tokens: tokens as usize, here, there };
        match open.sources.iter_mut().find(|known| known.source == source) {
            Some(known) => {
                known.covered += passage.tokens;
                known.passages.push(passage);
            }
            None => open.sources.push(SharedSource { source, covered: passage.tokens, passages: vec![passage] }),
        }
    }

    fn close(&mut self) {
        if let Some(mut found) = self.open.take() {
            found.sources.sort_by_key(|source| Reverse(source.covered));
            self.sample.offer(found);
        }
    }

    /// The page of so many documents, of which some are cut.
    pub(in crate::jobs) fn page(mut self, of: &SourcesOf<'_>, documents: u64, session: &Session<'_>) -> Result<String> {
        self.close();
        self.sample.among(documents).page(of, session)
    }
}
