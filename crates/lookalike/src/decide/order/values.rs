//! The values of a field by which documents are ordered: numbers, times, or texts.
//!
//! A table has no types, and JSON often has numbers and dates in strings: as texts "9" is above "10", and
//! "10:00+02:00" above "09:30Z". So the values of all documents together say what they are, those that are missing
//! aside:
//!
//! ```text
//! all are numbers, or strings that spell such        numbers
//! the same with a decimal comma                      numbers, if one of them can be read in no other way (9,50):
//!                                                    1,234 may stand for 1234 as well
//! all are dates and times, or all times of a day     instants; what has no offset is taken as UTC
//! all are other strings                              texts, which is said
//! numbers of a format that has them, other strings   no order: an error
//! ```
//!
//! Dates and times are those of ISO 8601, read by `jiff`; years and months (2026, 2026-05) are among them, and stand
//! for their first day. A time zone without an offset (`2026-01-01T10:00[America/New_York]`) makes no instant: its
//! rules change, and an answer may not depend on the machine that has them. Instants are counted here and not by
//! `jiff`, whose own end before the last day of 9999, and people write that day for "never".

use crate::base::{Error, Progress, Result, TextOrder};
use crate::corpus::Listing;
use jiff::civil::{DateTime, Time};
use jiff::fmt::temporal::Pieces;
use lookalike_core::DocId;
use lookalike_io::base::{Number, Score};
use std::borrow::Cow;

/// Sort key of a document. All keys of a field are of one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key<'a> {
    Number(Number),
    /// Nanoseconds since 1970.
    Instant(i128),
    Text(&'a str),
}

/// The keys of these documents by a field, given by its name and its number among the fields.
///
/// # Errors
/// [`Error::NoScores`] if no document has the field, be it without a value; [`Error::MixedScores`] if its values have
/// no order.
pub(super) fn keys_of<'l>(
    field: &str,
    number: usize,
    documents: &[DocId],
    listing: &'l Listing,
    progress: &dyn Progress,
) -> Result<Vec<Option<Key<'l>>>> {
    let scores: Vec<Option<&Score>> = documents.iter().map(|&document| listing.score(document, number)).collect();
    if !scores.is_empty() && scores.iter().all(Option::is_none) {
        return Err(Error::NoScores { field: field.to_owned() });
    }
    let scores: Vec<Option<&Score>> = scores.into_iter().map(|score| score.filter(|score| has_value(score))).collect();
    let is_decimal_comma = scores.iter().flatten().any(|score| needs_comma(score));
    let of_numbers = all_by(&scores, plain_number);
    let of_numbers = of_numbers.or_else(|| is_decimal_comma.then(|| all_by(&scores, comma_number)).flatten());
    let of_times = || all_by(&scores, instant).or_else(|| all_by(&scores, time_of_day));
    if let Some(keys) = of_numbers.or_else(of_times) {
        return Ok(keys);
    }
    if let Some(keys) = all_by(&scores, text) {
        progress.ordered_as_text(&text_order(field, &scores));
        return Ok(keys);
    }
    // There are numbers, and among them strings that are none.
    let other = scores.iter().position(|score| score.is_some_and(|score| plain_number(score).is_none()));
    let id = other.map_or("", |rank| listing.ids.get(documents[rank])).to_owned();
    Err(Error::MixedScores { field: field.to_owned(), id })
}

/// Returns whether a record has the field with a value; blanks are none, also in files of older programs.
fn has_value(score: &Score) -> bool {
    match score {
        Score::Number(_) => true,
        Score::Text(text) => !text.trim().is_empty(),
        Score::Missing => false,
    }
}

/// The keys of all values; `None` if one of them cannot be read so.
fn all_by<'a>(scores: &[Option<&'a Score>], read: fn(&'a Score) -> Option<Key<'a>>) -> Option<Vec<Option<Key<'a>>>> {
    scores.iter().map(|score| score.map_or(Some(None), |score| read(score).map(Some))).collect()
}

fn text(score: &Score) -> Option<Key<'_>> {
    match score {
        Score::Text(text) => Some(Key::Text(text)),
        Score::Number(_) | Score::Missing => None,
    }
}

fn plain_number(score: &Score) -> Option<Key<'_>> {
    match score {
        Score::Number(number) => Some(Key::Number(number.clone())),
        Score::Text(text) => Number::of_text(text).map(Key::Number),
        Score::Missing => None,
    }
}

/// A number of a format that has such, or a string with a decimal comma or a whole number.
fn comma_number(score: &Score) -> Option<Key<'_>> {
    match score {
        Score::Number(number) => Some(Key::Number(number.clone())),
        Score::Missing => None,
        Score::Text(text) => {
            let text = match parts_at_comma(text) {
                Some((whole, fraction)) => Cow::Owned(format!("{whole}.{fraction}")),
                None => Cow::Borrowed(text.as_str()),
            };
            let is_whole = || text.trim().strip_prefix(['+', '-']).unwrap_or(text.trim()).bytes().all(is_digit);
            let is_right = matches!(text, Cow::Owned(_)) || is_whole();
            Number::of_text(&text).filter(|_| is_right).map(Key::Number)
        }
    }
}

/// Returns whether the comma in a value can only be that of a decimal number: groups of thousands have three digits,
/// and the first of them begins with none that is 0.
fn needs_comma(score: &Score) -> bool {
    let Score::Text(text) = score else { return false };
    parts_at_comma(text).is_some_and(|(whole, fraction)| {
        let digits = whole.trim_start_matches(['+', '-']);
        fraction.len() != 3 || digits.len() > 3 || digits.starts_with('0')
    })
}

/// The digits before a comma, with their sign, and those behind it.
fn parts_at_comma(text: &str) -> Option<(&str, &str)> {
    let (whole, fraction) = text.trim().split_once(',')?;
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(is_digit);
    (are_digits(digits) && are_digits(fraction)).then_some((whole, fraction))
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// A date, or a date with a time.
fn instant(score: &Score) -> Option<Key<'_>> {
    match score {
        Score::Text(text) => parse_instant(text.trim()).map(Key::Instant),
        Score::Number(_) | Score::Missing => None,
    }
}

/// A time of a day, which is taken as one of the same day as all others.
fn time_of_day(score: &Score) -> Option<Key<'_>> {
    let Score::Text(text) = score else { return None };
    let time = text.trim();
    let is_time = time.len() >= 5 && time.as_bytes()[2] == b':';
    is_time.then(|| parse_instant(&format!("2000-01-01T{time}"))).flatten().map(Key::Instant)
}

/// Nanoseconds since 1970.
fn parse_instant(text: &str) -> Option<i128> {
    const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    let bytes = text.as_bytes();
    let is_year = bytes.len() == 4 && bytes.iter().all(u8::is_ascii_digit);
    let is_month = bytes.len() == 7 && bytes[4] == b'-' && bytes[..4].iter().chain(&bytes[5..]).all(u8::is_ascii_digit);
    let text = if is_year {
        Cow::Owned(format!("{text}-01-01"))
    } else if is_month {
        Cow::Owned(format!("{text}-01"))
    } else {
        Cow::Borrowed(text)
    };
    let pieces = Pieces::parse(&*text).ok()?;
    let offset = pieces.offset().map(|offset| offset.to_numeric_offset());
    if offset.is_none() && pieces.time_zone_annotation().is_some() {
        return None;
    }
    let civil = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
    let offset_seconds = offset.map_or(0, |offset| i128::from(offset.seconds()));
    Some(civil.duration_since(EPOCH).as_nanos() - offset_seconds * 1_000_000_000)
}

fn text_order(field: &str, scores: &[Option<&Score>]) -> TextOrder {
    let texts = scores.iter().flatten().filter_map(|score| match score {
        Score::Text(text) => Some((text, *score)),
        Score::Number(_) | Score::Missing => None,
    });
    let readings: [fn(&Score) -> Option<Key<'_>>; 3] = [plain_number, instant, time_of_day];
    let is_neither = |score: &Score| readings.iter().all(|read| read(score).is_none());
    let first_kind = texts.clone().next().and_then(|(_, score)| readings.iter().position(|read| read(score).is_some()));
    let is_other = |score: &Score| first_kind.is_some_and(|kind| readings[kind](score).is_none());
    let example =
        texts.clone().find(|(_, score)| is_neither(score)).or(texts.clone().find(|(_, score)| is_other(score)));
    let example = example.map(|(text, _)| text.clone()).unwrap_or_default();
    TextOrder { field: field.to_owned(), documents: texts.count() as u64, example }
}

#[cfg(test)]
mod tests;
