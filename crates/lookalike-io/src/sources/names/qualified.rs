//! Ids that occur again: qualified by the source, then by the line.
//!
//! No record is lost for its id. Of the documents `7` in a.jsonl, `7` in b.jsonl and once more `7` in b.jsonl at line
//! 9, the first is `7`, the second `7@b.jsonl`, the third `7@b.jsonl:9`.

/// The first of the names of a document, given by its id, the label of its source and its number there, that is not
/// taken.
///
/// # Errors
/// That of `is_taken`.
pub fn qualified_id<E>(
    id: &str,
    (label, number): (&str, u64),
    mut is_taken: impl FnMut(&str) -> Result<bool, E>,
) -> Result<String, E> {
    let by_source = format!("{id}@{label}");
    if !is_taken(&by_source)? {
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

/// Whether `id` is the qualified name of a document, given by its own id, the label of its source, of which folders may
/// be missing, and its number there.
pub fn is_qualified(id: &str, own: &str, (label, number): (&str, u64)) -> bool {
    let Some(qualifier) = id.strip_prefix(own).and_then(|rest| rest.strip_prefix('@')) else { return false };
    let is_label = |name: &str| {
        let before = name.strip_suffix(label);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    is_label(qualifier) || qualifier.strip_suffix(&format!(":{number}")).is_some_and(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::convert::Infallible;

    #[test]
    fn names_are_new_whatever_was_taken() {
        let mut taken: HashSet<String> = ["7".to_owned()].into();
        let mut next = || {
            let found = qualified_id("7", ("b.jsonl", 9), |name| Ok::<_, Infallible>(taken.contains(name)));
            let Ok(name) = found;
            assert!(taken.insert(name.clone()));
            name
        };
        let names = [(); 4].map(|()| next());
        assert_eq!(names, ["7@b.jsonl", "7@b.jsonl:9", "7@b.jsonl:9 (2)", "7@b.jsonl:9 (3)"]);
    }

    #[test]
    fn a_qualified_name_is_recognized() {
        let is = |id: &str| is_qualified(id, "7", ("b.jsonl", 9));
        assert!(is("7@b.jsonl") && is("7@b.jsonl:9") && is("7@x/b.jsonl:9"));
        assert!(!is("7") && !is("7@a.jsonl") && !is("7@ab.jsonl") && !is("7@b.jsonl:8") && !is("8@b.jsonl"));
    }
}
