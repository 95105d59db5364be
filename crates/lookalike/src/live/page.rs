//! The sources of a text as a part of a page: the same as in the report of `sources`.

use super::passages::{TextSource, TextSources};
use crate::ground::Result;
use crate::html::{AttributedDocument, AttributedText, COLORS, MarkedPlace, ShownPassage, ShownSource, shown_part};
use lookalike_core::counted;
use lookalike_io::PassageRow;
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
        source.passages.iter().take(MARKED_PASSAGES).enumerate().map(move |(number, passage)| MarkedPlace {
            place: passage.start as usize..passage.end as usize,
            rank,
            number: (number < SHOWN_PASSAGES).then_some(number + 1),
        })
    });
    let places: Vec<MarkedPlace> = places.collect();
    let text = AttributedText::new((&found.text, 0), &places, ANCHOR, MAX_CHARACTERS);
    let anchors: BTreeSet<&str> = text.anchors().collect();
    let sources = (1..).zip(&found.sources).map(|(rank, source)| shown_source(rank, source, &anchors)).collect();
    let document = AttributedDocument {
        anchor: ANCHOR.to_owned(),
        name: name.to_owned(),
        share: format!(
            "{} covered by {}",
            percent(found.covered_tokens as f64 / found.tokens.max(1) as f64),
            counted(found.sources.len() as u64, "source")
        ),
        text,
        sources,
        left_out: 0,
    };
    document.to_html()
}

fn shown_source(rank: usize, source: &TextSource, anchors: &BTreeSet<&str>) -> ShownSource {
    let shown = source.passages.iter().take(SHOWN_PASSAGES);
    ShownSource {
        anchor: format!("there-{ANCHOR}-{rank}"),
        rank,
        color: (rank - 1) % COLORS,
        name: shown_part(&source.document.id),
        percent: percent(source.share),
        width: 100.0 * source.share,
        passages: shown
            .zip(1..)
            .map(|(passage, number)| {
                let link = format!("{ANCHOR}-{rank}-{number}");
                let here = Some(format!("here-{link}")).filter(|here| anchors.contains(&here[..]));
                let part = source.text.get(passage.source_start as usize..passage.source_end as usize);
                ShownPassage {
                    anchor: format!("there-{link}"),
                    here,
                    about: about(passage),
                    text: shown_part(part.unwrap_or_default()),
                }
            })
            .collect(),
        left_out: source.passages.len().saturating_sub(SHOWN_PASSAGES),
    }
}

fn about(passage: &PassageRow<'_>) -> String {
    let PassageRow { tokens, line, end_line, source_line, source_end_line, .. } = *passage;
    let (here, there) = (lines(line, end_line), lines(source_line, source_end_line));
    format!("{}: {here}, there {there}", counted(tokens, "token"))
}

fn lines(line: u64, end_line: u64) -> String {
    if line == end_line { format!("line {line}") } else { format!("lines {line} to {end_line}") }
}

/// A share in percent, rounded down: all of it is all of it.
fn percent(share: f64) -> String {
    format!("{} %", (share * 100.0 + 1e-9).floor())
}
