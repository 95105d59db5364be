//! The sources of a text as a part of a page: the same as in the report of `sources`.

use super::passages::{TextSource, TextSources};
use crate::ground::Result;
use crate::html::{
    AttributedDocument, AttributedText, COLORS, MarkedPlace, ShownPassage, ShownSource, passage_about, percent,
    shown_part,
};
use lookalike_core::counted;
use lookalike_io::PassageRow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Characters of the text that are shown, about.
const MAX_CHARACTERS: usize = 1_200_000;
/// Passages of a source that are shown.
const SHOWN_PASSAGES: usize = 100;
/// Passages of a source that are coloured in the text.
const MARKED_PASSAGES: usize = 2000;
/// The name of the document in links.
const ANCHOR: &str = "d1";

/// A text, called `name`, with its passages coloured, and its sources beside it. Nothing in it is markup of the texts.
///
/// # Errors
/// If the page cannot be made.
pub fn attributed_html(name: &str, found: &TextSources) -> Result<String> {
    let places = (1..).zip(&found.sources).flat_map(|(rank, source)| {
        let listed: BTreeSet<usize> = longest(source).map(|(number, _)| number).collect();
        let marked = (1..).zip(source.passages.iter().take(MARKED_PASSAGES));
        marked.map(move |(number, passage)| MarkedPlace {
            place: passage.start as usize..passage.end as usize,
            rank,
            number: listed.contains(&number).then_some(number),
        })
    });
    let places: Vec<MarkedPlace> = places.collect();
    let text = AttributedText::new((&found.text, 0), &places, ANCHOR, MAX_CHARACTERS);
    let anchors: BTreeSet<&str> = text.anchors().collect();
    let sources =
        (1..).zip(&found.sources).map(|(rank, source)| shown_source((rank, source), found.tokens, &anchors)).collect();
    let document = AttributedDocument {
        anchor: ANCHOR.to_owned(),
        name: name.to_owned(),
        share: format!(
            "{} covered by {}",
            percent(found.covered_tokens, found.tokens),
            counted(found.sources.len() as u64, "source")
        ),
        beside: format!("Sources of {name}"),
        text,
        sources,
        left_out: 0,
    };
    document.to_html()
}

fn shown_source((rank, source): (usize, &TextSource), found_tokens: u64, anchors: &BTreeSet<&str>) -> ShownSource {
    ShownSource {
        anchor: format!("there-{ANCHOR}-{rank}"),
        rank,
        color: (rank - 1) % COLORS,
        name: shown_part(&source.document.id),
        percent: percent((source.share * found_tokens as f64).round() as u64, found_tokens),
        width: 100.0 * source.share,
        passages: longest(source)
            .map(|(number, passage)| {
                let link = format!("{ANCHOR}-{rank}-{number}");
                let here = Some(format!("here-{link}")).filter(|here| anchors.contains(&here[..]));
                let part = source.text.get(passage.source_start as usize..passage.source_end as usize);
                ShownPassage {
                    anchor: format!("there-{link}"),
                    here,
                    about: passage_about(
                        passage.tokens,
                        [passage.line, passage.end_line],
                        [passage.source_line, passage.source_end_line],
                    ),
                    text: shown_part(part.unwrap_or_default()),
                }
            })
            .collect(),
        left_out: source.passages.len().saturating_sub(SHOWN_PASSAGES),
    }
}

/// The longest passages of a source, with their numbers from 1, in the order of the text.
fn longest(source: &TextSource) -> impl Iterator<Item = (usize, &PassageRow<'static>)> {
    let mut passages: Vec<(usize, &PassageRow<'static>)> = (1..).zip(&source.passages).collect();
    passages.sort_by_key(|(_, passage)| Reverse(passage.tokens));
    passages.truncate(SHOWN_PASSAGES);
    passages.sort_by_key(|&(number, _)| number);
    passages.into_iter()
}
