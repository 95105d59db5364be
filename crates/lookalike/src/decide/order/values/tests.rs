use super::*;
use crate::base::Silent;
use crate::decide::order_of;
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
    let mut listing = Listing { ids: ids.iter().map(String::as_str).collect(), ..Listing::default() };
    listing.scores = scores;
    listing
}

fn highest(values: &[&str]) -> Vec<usize> {
    let scores = values.iter().map(|value| Some(Score::Text((*value).to_owned()))).collect();
    let order = order_of(&listing(scores), &"max:field".parse().unwrap(), &Silent).unwrap();
    order.into_iter().map(|document| document.index()).collect()
}

fn note(values: &[&str]) -> Option<(u64, String)> {
    let notes = Notes::default();
    let scores = values.iter().map(|value| Some(Score::Text((*value).to_owned())));
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
    assert_eq!(highest(&["20260102", "2026-01-03"]), [1, 0]);
    assert_eq!(highest(&["2025-12-31", "2026", "2026-01-02"]), [2, 1, 0]);
    assert_eq!(note(&["20260102", "2026-01-03"]), None);
    // A leap second is the second before it.
    assert_eq!(highest(&["2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z"]), [0, 1]);
}

#[test]
fn dates_reach_to_the_last_day_whatever_their_offset() {
    let days =
        ["9999-12-31", "2026-01-01", "9999-12-31T23:59:59.999999999-23:00", "-009999-01-01T00:00+23:00", "0001-01-01"];
    assert_eq!(highest(&days), [2, 0, 1, 4, 3]);
    assert_eq!(note(&days), None);
    assert_eq!(highest(&["2026-01-01T00:00:00.000000001", "1969-12-31T23:59:59.9", "1970-01-01"]), [0, 2, 1]);
}

#[test]
fn a_time_zone_without_an_offset_makes_no_instant() {
    let zoned = ["2026-01-01T10:00[America/New_York]", "2026-01-01T11:00Z"];
    assert_eq!(note(&zoned), Some((2, zoned[0].to_owned())));
    let with_offset = ["2026-01-01T10:00-05:00[America/New_York]", "2026-01-01T11:00Z"];
    assert_eq!((highest(&with_offset), note(&with_offset)), (vec![0, 1], None));
    assert_eq!(note(&["10:00[Europe/Berlin]", "09:00"]), Some((2, "10:00[Europe/Berlin]".to_owned())));
    assert_eq!(note(&["24:00", "09:00"]), Some((2, "24:00".to_owned())));
}

#[test]
fn numbers_of_many_digits_are_ordered_by_all_of_them() {
    for pair in [
        ["1700000000.123456788", "1700000000.123456789"],
        ["0.12345678901234567891", "0.12345678901234567892"],
        ["1000000000000000000000000000000000000000000001", "1000000000000000000000000000000000000000000002"],
        ["0,12345678901234567891", "0,12345678901234567892"],
    ] {
        assert_eq!((highest(&pair), note(&pair)), (vec![1, 0], None), "{pair:?}");
    }
}

#[test]
fn values_that_are_missing_come_last_either_way() {
    let text = |value: &str| Some(Score::Text(value.to_owned()));
    let scores = vec![text(""), text("2026-01-02"), Some(Score::Missing), text("2026-01-01"), None, text(" ")];
    for (keep, expected) in [("max:d", [1, 3, 0, 2, 4, 5]), ("min:d", [3, 1, 0, 2, 4, 5])] {
        let order = order_of(&listing(scores.clone()), &keep.parse().unwrap(), &Silent).unwrap();
        assert_eq!(order.iter().map(|document| document.index()).collect::<Vec<_>>(), expected, "{keep}");
    }
    let nothing = listing(vec![Some(Score::Missing), None, text("")]);
    assert_eq!(order_of(&nothing, &"max:d".parse().unwrap(), &Silent).unwrap().len(), 3);
    let absent = order_of(&listing(vec![None, None]), &"max:d".parse().unwrap(), &Silent);
    assert!(matches!(absent, Err(Error::NoScores { .. })));
}

#[test]
fn numbers_go_with_strings_that_spell_some() {
    let text = |value: &str| Some(Score::Text(value.to_owned()));
    let number = |value| Number::of_float(value).map(Score::Number);
    let order = |scores: Vec<Option<Score>>| order_of(&listing(scores), &"max:n".parse().unwrap(), &Silent);
    let ranks = |scores| order(scores).unwrap().iter().map(|document| document.index()).collect::<Vec<_>>();
    assert_eq!(ranks(vec![text("9,50"), number(10.5), text("10")]), [1, 2, 0]);
    assert_eq!(ranks(vec![text("9.5"), number(10.0)]), [1, 0]);
    for other in ["1,234", "N/A", "nan", "2026-01-01"] {
        let mixed = order(vec![text("7"), number(9.5), text(other)]);
        assert!(matches!(mixed, Err(Error::MixedScores { id, .. }) if id == "d2"), "{other}");
    }
    assert_eq!(note(&["9", "nan"]), Some((2, "nan".to_owned())));
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
