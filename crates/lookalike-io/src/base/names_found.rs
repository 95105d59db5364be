//! The names that are there in place of one that is missing, for messages.

use super::message::{shown, shown_short};
use std::fmt;

/// Names that a message lists at most.
const MAX_SHOWN: usize = 20;
/// Names among which the nearest is looked for: a record may have thousands.
const MAX_COMPARED: usize = 1000;
/// Minimum Jaro-Winkler similarity of a name that may have been meant; "txt" and "text" have 0.93.
const MIN_SIMILARITY: f64 = 0.75;
/// The similarity of two names of which one contains the other, as `text` and `full_text`.
const PART_SIMILARITY: f64 = 0.9;
/// Names that are offered in place of a missing one.
const MAX_NEAREST: usize = 3;
/// Minimum length of a name that counts as a part of another.
const MIN_PART: usize = 3;

/// The fields of a record or the columns of a table in which a required one is missing.
///
/// ```
/// use lookalike_io::base::NamesFound;
///
/// let found = NamesFound::new("txt", ["id", "text"]);
/// assert_eq!(found.to_string(), "`id`, `text`; the nearest is `text`");
/// assert_eq!(NamesFound::new("txt", [""; 0]).to_string(), "none");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamesFound {
    listed: Vec<String>,
    has_more: bool,
    nearest: Option<String>,
}

impl NamesFound {
    /// The names that are there in place of `required`.
    pub fn new<S: AsRef<str>>(required: &str, names: impl IntoIterator<Item = S>) -> Self {
        let mut names = names.into_iter().take(MAX_COMPARED);
        let mut listed: Vec<S> = names.by_ref().take(MAX_SHOWN).collect();
        let more: Vec<S> = names.collect();
        let has_more = !more.is_empty();
        listed.extend(more);
        let similar = listed.iter().map(|name| (similarity(required, name.as_ref()), name.as_ref()));
        let similar = similar.filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
        // The first of equally similar ones.
        let nearest = similar.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let nearest = nearest.map(|(_, name)| shown(name));
        let listed = listed.iter().take(MAX_SHOWN).map(|name| shown_short(name.as_ref())).collect();
        Self { listed, has_more, nearest }
    }
}

/// The names nearest to one that is missing, among any number that are looked at one by one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NearestNames {
    /// The most similar first; of equally similar ones the first.
    nearest: Vec<(f64, String)>,
}

impl NearestNames {
    /// Looks at a name that is there in place of `required`.
    pub fn look_at(&mut self, required: &str, name: &str) {
        let similarity = similarity(required, name);
        let is_full = self.nearest.len() == MAX_NEAREST;
        let least = if is_full { self.nearest[MAX_NEAREST - 1].0 } else { MIN_SIMILARITY };
        let is_known = || self.nearest.iter().any(|(_, known)| known == name);
        if similarity < least || is_full && similarity == least || is_known() {
            return;
        }
        let place = self.nearest.partition_point(|(other, _)| *other >= similarity);
        self.nearest.insert(place, (similarity, shown(name)));
        self.nearest.truncate(MAX_NEAREST);
    }

    /// Returns whether no name may have been meant.
    pub fn is_empty(&self) -> bool {
        self.nearest.is_empty()
    }
}

impl fmt::Display for NearestNames {
    /// The end of a sentence that says which name is missing.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (_, name)) in self.nearest.iter().enumerate() {
            let before = if number == 0 { "; the nearest: " } else { ", " };
            write!(formatter, "{before}`{name}`")?;
        }
        Ok(())
    }
}

/// Similarity of two names, case aside.
fn similarity(one: &str, other: &str) -> f64 {
    let one = one.to_lowercase();
    let other = other.to_lowercase();
    let (short, long) = if one.len() < other.len() { (&one, &other) } else { (&other, &one) };
    let by_part = if short.len() >= MIN_PART && long.contains(short.as_str()) { PART_SIMILARITY } else { 0.0 };
    strsim::jaro_winkler(&one, &other).max(by_part)
}

impl fmt::Display for NamesFound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.listed.is_empty() {
            return formatter.write_str("none");
        }
        for (number, name) in self.listed.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(formatter, "{comma}`{name}`")?;
        }
        formatter.write_str(if self.has_more { ", ..." } else { "" })?;
        // A single name needs no choice.
        match &self.nearest {
            Some(nearest) if self.listed.len() > 1 => write!(formatter, "; the nearest is `{nearest}`"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_that_may_have_been_meant() {
        for (required, names, nearest) in [
            ("text", vec!["id", "Text", "tex"], Some("Text")),
            ("text", vec!["full_text", "body"], Some("full_text")),
            ("text", vec!["doc.text", "doc.id"], Some("doc.text")),
            ("date", vec!["id", "published"], None),
            ("txet", vec!["id", "text"], Some("text")),
        ] {
            assert_eq!(NamesFound::new(required, &names).nearest.as_deref(), nearest, "{required} among {names:?}");
        }
    }

    #[test]
    fn few_nearest_names_are_kept_the_most_similar_first() {
        let mut nearest = NearestNames::default();
        for name in ["wire-1", "post-001", "wire-002", "Wire-001", "wire-003", "wire-011", "wire-011"] {
            nearest.look_at("wire-001", name);
        }
        assert_eq!(nearest.to_string(), "; the nearest: `Wire-001`, `wire-1`, `wire-002`");
        assert_eq!(NearestNames::default().to_string(), "");
    }

    #[test]
    fn long_lists_are_cut_and_the_nearest_is_looked_for_behind_the_cut() {
        let names: Vec<String> = (0..30).map(|number| format!("x{number}")).chain(["text".to_owned()]).collect();
        let words = NamesFound::new("txt", &names).to_string();
        assert!(words.ends_with("`x19`, ...; the nearest is `text`"), "{words}");
        assert!(!NamesFound::new("a", ["b\u{1b}[2J", "c"]).to_string().contains(char::is_control));
    }
}
