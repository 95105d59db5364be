//! Where the text of a record stands in its bytes.

use super::text::unescape_to_end;
use sonic_rs::{JsonValueTrait, LazyValue};
use std::borrow::Cow;
use std::ops::Range;

/// The text in a field, or in a field of objects in it (`doc.text`), and the place of its string with the quotation
/// marks; `None` if it is no string.
pub(crate) fn text_place<'a>(record: &'a str, field: &str) -> Option<(Cow<'a, str>, Range<usize>)> {
    let place = value_place(record, field)?;
    let rest = record.get(place.clone())?.strip_prefix('"')?;
    let (text, end) = unescape_to_end(rest)?;
    (end + 2 == place.len()).then_some((text, place))
}

/// The place of the value of a field; one whose own name is the path is taken first.
fn value_place(object: &str, path: &str) -> Option<Range<usize>> {
    let place_of = |name: &str| {
        let value: LazyValue<'_> = sonic_rs::get(object, &[name]).ok()?;
        let start = value.as_raw_str().as_ptr().addr().checked_sub(object.as_ptr().addr())?;
        let place = start..start + value.as_raw_str().len();
        (object.get(place.clone())? == value.as_raw_str()).then_some((place, value.is_object()))
    };
    if let Some((place, _)) = place_of(path) {
        return Some(place);
    }
    let (outer, inner) = path.split_once('.')?;
    let (place, _) = place_of(outer).filter(|&(_, is_object)| is_object)?;
    let inner = value_place(&object[place.clone()], inner)?;
    Some(place.start + inner.start..place.start + inner.end)
}
