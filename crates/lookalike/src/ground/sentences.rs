//! Parts of the sentences of errors.

use lookalike_io::{RecordFormat, shown};
use std::path::Path;

/// An output as messages show it.
pub(super) fn stream_name(path: &Path) -> String {
    if path == Path::new("-") { "standard output".to_owned() } else { path.display().to_string() }
}

/// What an input lacks: a field, or texts.
pub(super) fn what_is_stored(field: Option<&str>) -> String {
    field.map_or_else(|| "texts".to_owned(), |field| format!("the field `{}`", shown(field)))
}

/// That queries have no elements, for [`super::Error::NoElements`].
pub(super) fn no_elements(id: &str, count: u64) -> String {
    match count {
        1 => format!("query `{}` has nothing to compare: no tokens", shown(id)),
        _ => format!("none of {count} queries has anything to compare: the first without tokens is `{}`", shown(id)),
    }
}

/// Names of columns as messages show them.
pub(super) fn names(columns: &[String]) -> String {
    columns.iter().map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(", ")
}

/// What a source holds, for [`super::Error::CannotAnnotate`].
pub(super) fn describe_content(format: Option<RecordFormat>) -> String {
    match format {
        None => "text files".to_owned(),
        Some(RecordFormat::ItemLines) => RecordFormat::ItemLines.name().to_owned(),
        Some(format) => format!("{} records", format.name()),
    }
}

/// That a file holds many documents, for [`super::Error::IdNeeded`].
pub(super) fn id_needed(path: &Path) -> String {
    match path.display() {
        _ if path == Path::new("-") => "standard input holds many documents; name one by its id".to_owned(),
        path => format!("{path} holds many documents; name one as {path}:ID"),
    }
}
