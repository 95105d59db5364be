//! Ids that occur again: qualified by the source, and by the line if the source has the id before.
//!
//! ```text
//! a.jsonl  7    7              the first of all
//! b.jsonl  7    7@b.jsonl      the first of b.jsonl
//! b.jsonl  7    7@b.jsonl:9    at line 9
//! ```
//!
//! No record is lost for its id. A qualified id says by itself which record of a source is meant: it is found again in
//! that source alone, whatever else the job has read.

/// Place of an id that occurs again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdOccurrence<'a> {
    /// Label of the source.
    pub label: &'a str,
    /// Number of the document there.
    pub number: u64,
    /// True if no earlier document of the source has the id.
    pub is_first_of_source: bool,
}

/// The first of the names of a document with this id that is not taken.
///
/// # Errors
/// That of `is_taken`.
pub fn qualified_id<E>(
    id: &str,
    occurrence: &IdOccurrence<'_>,
    mut is_taken: impl FnMut(&str) -> Result<bool, E>,
) -> Result<String, E> {
    let IdOccurrence { label, number, is_first_of_source } = *occurrence;
    let by_source = format!("{id}@{label}");
    if is_first_of_source && !is_taken(&by_source)? {
        return Ok(by_source);
    }
    let by_line = format!("{by_source}:{number}");
    if !is_taken(&by_line)? {
        return Ok(by_line);
    }
    // Only ids that look like qualified ones come here; each of them is met once for each name that it takes.
    let mut copy = 2u64;
    loop {
        let numbered = format!("{by_line} ({copy})");
        if !is_taken(&numbered)? {
            return Ok(numbered);
        }
        copy += 1;
    }
}

/// Returns whether `id` is the qualified name of a document with the id `own` in a job of other sources: folders may be
/// missing in the label.
pub fn is_qualified(id: &str, own: &str, occurrence: &IdOccurrence<'_>) -> bool {
    let IdOccurrence { label, number, is_first_of_source } = *occurrence;
    let Some(qualifier) = id.strip_prefix(own).and_then(|rest| rest.strip_prefix('@')) else { return false };
    let is_label = |name: &str| {
        let before = name.strip_suffix(label);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    is_first_of_source && is_label(qualifier) || qualifier.strip_suffix(&format!(":{number}")).is_some_and(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::convert::Infallible;

    const FIRST: IdOccurrence<'_> = IdOccurrence { label: "b.jsonl", number: 9, is_first_of_source: true };

    #[test]
    fn names_are_new_whatever_was_taken() {
        let mut taken: HashSet<String> = ["7".to_owned()].into();
        let mut next = || {
            let found = qualified_id("7", &FIRST, |name| Ok::<_, Infallible>(taken.contains(name)));
            let Ok(name) = found;
            assert!(taken.insert(name.clone()));
            name
        };
        let names = [(); 4].map(|()| next());
        assert_eq!(names, ["7@b.jsonl", "7@b.jsonl:9", "7@b.jsonl:9 (2)", "7@b.jsonl:9 (3)"]);
    }

    #[test]
    fn a_later_one_of_its_source_is_named_by_its_line() {
        let taken = |name: &str| Ok::<_, Infallible>(name == "7");
        assert_eq!(
            qualified_id("7", &IdOccurrence { is_first_of_source: false, ..FIRST }, taken),
            Ok("7@b.jsonl:9".into())
        );
    }

    #[test]
    fn a_qualified_name_is_recognized() {
        let is = |id: &str| is_qualified(id, "7", &FIRST);
        assert!(is("7@b.jsonl") && is("7@b.jsonl:9") && is("7@x/b.jsonl:9"));
        assert!(!is_qualified("7@b.jsonl", "7", &IdOccurrence { is_first_of_source: false, ..FIRST }));
        assert!(!is("7") && !is("7@a.jsonl") && !is("7@ab.jsonl") && !is("7@b.jsonl:8") && !is("8@b.jsonl"));
    }
}
