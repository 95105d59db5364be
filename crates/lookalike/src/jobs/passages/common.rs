//! How the passages begin that too many documents have.

use crate::corpus::{Listing, Records};
use crate::ground::Result;
use crate::job::Job;
use crate::pages::{WantedTexts, shown_id};
use crate::passages::CommonPlace;
use crate::report::CommonPassage;
use crate::run::Session;
use std::cmp::Reverse;

/// Passages that are named.
const NAMED: usize = 3;
/// Characters of each.
const CHARACTERS: usize = 60;

/// The longest of these passages, each once, with their beginnings, which are read once more.
pub(super) fn common_passages(
    found: &[CommonPlace],
    job: &Job,
    (listing, records): (&Listing, &Records),
    session: &Session<'_>,
) -> Result<Vec<CommonPassage>> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let mut longest = found.to_vec();
    longest.sort_by_key(|place| Reverse(place.tokens));
    let mut wanted = WantedTexts::default();
    longest.iter().for_each(|place| wanted.add_part(place.document, place.here.bytes()));
    session.stages.next_is_part();
    let texts = wanted.read(job, records, 0, session)?;
    let mut named: Vec<CommonPassage> = Vec::new();
    for place in longest {
        let passage = CommonPassage {
            tokens: place.tokens as u64,
            documents: place.documents.into(),
            id: shown_id(listing.ids.get(place.document)),
            line: place.here.line,
            end_line: place.here.end_line,
            text: beginning(&texts.part(place.document, place.here.bytes())),
        };
        // Several groups of inputs may have found it.
        let is_known = |known: &CommonPassage| (known.tokens, &known.text) == (passage.tokens, &passage.text);
        if named.len() < NAMED && !named.iter().any(is_known) {
            named.push(passage);
        }
    }
    Ok(named)
}

/// The first words of a passage, on one line.
fn beginning(passage: &str) -> String {
    let line = passage.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(CHARACTERS) {
        None => line,
        Some((end, _)) => format!("{} ...", line[..end].trim_end()),
    }
}
