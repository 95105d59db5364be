//! The values of a field by which documents are ordered: numbers, times, or texts.
//!
//! A table has no types, and JSON often has numbers and dates in strings: as texts "9" is above "10", and
//! "10:00+02:00" above "09:30Z". So the values of all documents together say what they are:
//!
//! ```text
//! all are numbers, or strings that spell such        numbers
//! the same with a decimal comma                      numbers, if one of them can be read in no other way (9,50):
//!                                                    1,234 may stand for 1234 as well
//! all are dates and times, or all times of a day     instants; what has no offset is taken as UTC
//! all are other strings                              texts, which is said
//! numbers and other strings                          no order: an error
//! ```
//!
//! Dates and times are those of ISO 8601, read by `jiff`; months (2026-05) are among them.

use crate::corpus::Listing;
use crate::ground::{Error, Progress, Result, TextOrder};
use jiff::civil::Time;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use lookalike_core::DocId;
use lookalike_io::{Number, Score};
use std::borrow::Cow;

/// What a document is ordered by. All keys of a field are of one kind.
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
/// [`Error::NoScores`] if no document has the field, [`Error::MixedScores`] if its values have no order.
pub(super) fn keys_of<'l>(
    (field, number): (&str, usize),
    documents: &[DocId],
    listing: &'l Listing,
    progress: &dyn Progress,
) -> Result<Vec<Option<Key<'l>>>> {
    let scores: Vec<Option<&Score>> = documents.iter().map(|&document| listing.score(document, number)).collect();
    if !scores.is_empty() && scores.iter().all(Option::is_none) {
        return Err(Error::NoScores { field: field.to_owned() });
    }
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
    let is_number = |score: &Score| matches!(score, Score::Number(_));
    let first = scores.iter().flatten().next().is_some_and(|score| is_number(score));
    let other = scores.iter().position(|score| score.is_some_and(|score| is_number(score) != first));
    let id = other.map_or("", |rank| listing.ids.get(documents[rank])).to_owned();
    Err(Error::MixedScores { field: field.to_owned(), id })
}

/// The keys of all values; `None` if one of them cannot be read so.
fn all_by<'a>(scores: &[Option<&'a Score>], read: fn(&'a Score) -> Option<Key<'a>>) -> Option<Vec<Option<Key<'a>>>> {
    scores.iter().map(|score| score.map_or(Some(None), |score| read(score).map(Some))).collect()
}

fn text(score: &Score) -> Option<Key<'_>> {
    match score {
        Score::Text(text) => Some(Key::Text(text)),
        Score::Number(_) => None,
    }
}

fn plain_number(score: &Score) -> Option<Key<'_>> {
    match score {
        Score::Number(number) => Some(Key::Number(*number)),
        Score::Text(text) => Number::of_text(text).map(Key::Number),
    }
}

/// A number with a decimal comma, or a whole one.
fn comma_number(score: &Score) -> Option<Key<'_>> {
    match score {
        Score::Number(number) => number.whole().map(|_| Key::Number(*number)),
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

/// Whether the comma in a value can only be that of a decimal number: groups of thousands have three digits, and the
/// first of them begins with none that is 0.
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
        Score::Number(_) => None,
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
    let bytes = text.as_bytes();
    let is_month = bytes.len() == 7 && bytes[4] == b'-' && bytes[..4].iter().chain(&bytes[5..]).all(u8::is_ascii_digit);
    let text = if is_month { Cow::Owned(format!("{text}-01")) } else { Cow::Borrowed(text) };
    let pieces = Pieces::parse(&*text).ok()?;
    let civil = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
    let offset = pieces.offset().map_or(Offset::UTC, |offset| offset.to_numeric_offset());
    Some(offset.to_timestamp(civil).ok()?.as_nanosecond())
}

fn text_order(field: &str, scores: &[Option<&Score>]) -> TextOrder {
    let texts = scores.iter().flatten().filter_map(|score| match score {
        Score::Text(text) => Some((text, *score)),
        Score::Number(_) => None,
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
mod tests {
    use super::*;
    use crate::decide::order_of;
    use crate::ground::Silent;
    use std::sync::Mutex;

    /// Keeps what is said of texts.
    #[derive(Default)]
    struct Notes(Mutex<Vec<TextOrder>>);

    impl Progress for Notes {
        fn ordered_as_text(&self, order: &TextOrder) {
            self.0.lock().unwrap().push(order.clone());
        }
    }

    fn listing(scores: Vec<Option<Score>>) -> Listing {
        let ids: Vec<String> = (0..scores.len()).map(|number| format!("d{number}")).collect();
        let mut listing = Listing::of_ids(ids.iter().map(String::as_str).collect());
        listing.scores = scores;
        listing
    }

    fn highest(values: &[&str]) -> Vec<usize> {
        let scores = values.iter().map(|value| Some(Score::Text((*value).to_owned()))).collect();
        let order = order_of(&listing(scores), &"max:field".parse().unwrap(), &Silent).unwrap();
        order.into_iter().map(|document| document.index()).collect()
    }

    fn note(values: &[&str]) -> Option<(u64, String)> {
        let (notes, scores) = (Notes::default(), values.iter().map(|value| Some(Score::Text((*value).to_owned()))));
        order_of(&listing(scores.collect()), &"max:field".parse().unwrap(), &notes).unwrap();
        notes.0.into_inner().unwrap().pop().map(|order| (order.documents, order.example))
    }

    #[test]
    fn strings_that_are_all_numbers_are_ordered_as_such() {
        assert_eq!(highest(&["9", "10", " 9.5 ", "-1"]), [1, 2, 0, 3]);
        assert_eq!(highest(&["9007199254740992", "9007199254740993"]), [1, 0]);
        let long = ["100000000000000000000000000000000000001", "100000000000000000000000000000000000002"];
        assert_eq!(highest(&long), [1, 0]);
        assert_eq!(highest(&["9,50", "10,50", "10"]), [1, 2, 0]);
        assert_eq!(highest(&["0,125", "0,25"]), [1, 0]);
        assert_eq!(note(&["9", "10"]), None);
        assert_eq!(note(&["9,50", "10,50"]), None);
    }

    #[test]
    fn commas_that_may_part_thousands_are_left_to_the_reader() {
        assert_eq!(highest(&["1,234", "999"]), [1, 0]);
        assert_eq!(note(&["1,234", "2,000"]), Some((2, "1,234".to_owned())));
        assert_eq!(note(&["9,50", "1.5"]), Some((2, "9,50".to_owned())));
        assert_eq!(note(&["1,234,567", "9,50"]), Some((2, "1,234,567".to_owned())));
    }

    #[test]
    fn dates_and_times_are_ordered_as_instants() {
        assert_eq!(highest(&["10:00+02:00", "09:30Z"]), [1, 0]);
        assert_eq!(highest(&["2026-01-01T10:00+02:00", "2026-01-01T09:30Z"]), [1, 0]);
        assert_eq!(highest(&["2026-01-01 23:00:00-05:00", "2026-01-02", "2026-01-01T12:00:00.5Z"]), [0, 1, 2]);
        assert_eq!(highest(&["2026-02", "2026-02-03", "2026-01-31"]), [1, 0, 2]);
        assert_eq!(highest(&["09:30", "10:00"]), [1, 0]);
        assert_eq!(note(&["2026-01-02", "2025-12-31T00:00:00Z"]), None);
    }

    #[test]
    fn other_strings_are_ordered_as_texts_and_that_is_said() {
        assert_eq!(highest(&["beta", "alpha"]), [0, 1]);
        assert_eq!(note(&["2026-01-02", "12 May 2026", "soon"]), Some((3, "12 May 2026".to_owned())));
        assert_eq!(note(&["2026-02-30", "2026-03-01"]), Some((2, "2026-02-30".to_owned())));
        assert_eq!(note(&["10:00", "2026-01-02"]), Some((2, "2026-01-02".to_owned())));
        let order = TextOrder { field: "due".to_owned(), documents: 2, example: "soon".to_owned() };
        let expected = "ordered as text: 2 values of `due`, neither all numbers nor all dates or times of ISO 8601, as \
                        `soon`";
        assert_eq!(order.to_string(), expected);
    }

    #[test]
    fn further_fields_and_lengths_decide_among_ties() {
        let number = |value| Some(Score::Number(Number::of_integer(value)));
        let text = |value: &str| Some(Score::Text(value.to_owned()));
        let scores = vec![number(1), text("9"), number(2), None, number(2), text("10"), number(2), text("10")];
        let listing = Listing { scores, ..listing(vec![None; 4]) };
        let order = |keep: &str| -> Vec<usize> {
            let order = order_of(&listing, &keep.parse().unwrap(), &Silent).unwrap();
            order.into_iter().map(|document| document.index()).collect()
        };
        assert_eq!(order("max:a,max:b"), [2, 3, 1, 0]);
        assert_eq!(order("max:a,max:b,last"), [3, 2, 1, 0]);
        assert_eq!(order("max:a,last"), [3, 2, 1, 0]);
        assert_eq!(order("min:a,min:b"), [0, 2, 3, 1]);
    }
}
