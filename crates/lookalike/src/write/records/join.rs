//! The records of several inputs in one file.
//!
//! ```text
//! all of the format of the file, without columns    appended byte for byte, a header once
//! others, to JSON Lines                             one after the other: copied, or turned into lines
//! others                                            rows of common columns (lookalike_io::rewrite::rewrite)
//! ```
//!
//! That is decided before the search, but for JSON Lines as input of a table: its types are those of all its records
//! together, so a difference to other sources is known only after it. Parquet files of exactly one schema are copied
//! value by value, row group by row group.

use crate::base::{Error, Result};
use lookalike_io::{
    Inputs, Source,
    formats::{RecordFormat, RowFormat},
    read::{check_usable, header_names},
    rewrite::{Annotations, Rewrite, check_join},
    sources::{Discovered, OnError},
};
use std::path::Path;

/// Way in which the records of several inputs become one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// Their bytes are appended.
    Append,
    /// The elements of their arrays become one array.
    Array,
    /// Sources are appended to lines of JSON, one after the other.
    JsonLines,
    /// Records are turned into rows of one schema.
    Rows(RowFormat),
}

/// Returns whether the records of several inputs are to go to one file at `path`, not to a folder: standard output, or
/// a name with a known extension of records.
pub(super) fn is_one_file(path: &Path) -> bool {
    let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir();
    path == Path::new("-") || !names_folder && RecordFormat::of_name(path).is_some()
}

/// Plans how the records become one file at `path`, in the format `wanted`, or else the one that the extension says or
/// that all have.
///
/// # Errors
/// [`Error::NotOneFormat`]; [`lookalike_io::Error::SchemasDiffer`], as far as schemas are known before the search.
pub(super) fn plan(found: &Discovered, path: &Path, wanted: Option<RowFormat>, inputs: &Inputs) -> Result<Join> {
    // Others are left out as a whole, or end the job when they are read.
    let sources: Vec<&Source> = found.sources.iter().filter(|source| is_taken(source, inputs)).collect();
    if sources.is_empty() {
        // Nothing would be left.
        found.sources.iter().try_for_each(|source| check_usable(source, &inputs.fields()))?;
    }
    let own = common_format(&sources);
    let named = RecordFormat::of_name(path).filter(|_| wanted.is_none());
    let rows = wanted.or(named.and_then(RecordFormat::as_rows));
    // `.json` names arrays and lines, `.csv` tables of any separator.
    let is_decoded = wanted.is_some() && inputs.encoding.is_some_and(|encoding| !encoding.is_utf8());
    let is_own = |format: RecordFormat| match wanted {
        Some(_) if is_decoded => false,
        Some(rows) => format.as_rows() == Some(rows),
        None => named.is_none() || format.has_extension_of(path),
    };
    let join = match (own.filter(|&format| is_own(format)), rows) {
        (Some(RecordFormat::JsonArray), _) => Join::Array,
        (Some(format), _) if !format.has_columns() => Join::Append,
        (_, Some(RowFormat::JsonLines)) => Join::JsonLines,
        (_, Some(format)) => Join::Rows(format),
        (Some(format), None) => match format.as_rows() {
            Some(format) => Join::Rows(format),
            None => Join::Append,
        },
        (None, None) => return Err(Error::NotOneFormat { path: path.to_owned() }),
    };
    check(&sources, join, inputs)?;
    Ok(join)
}

/// Returns whether a source takes part: where bad records are skipped, one that cannot be opened is left out.
fn is_taken(source: &Source, inputs: &Inputs) -> bool {
    inputs.on_error == OnError::Stop || check_usable(source, &inputs.fields()).is_ok()
}

/// The format that all sources have, tables with the same quotes.
fn common_format(sources: &[&Source]) -> Option<RecordFormat> {
    let first = sources.first()?.record_format()?;
    let is_alike = |source: &&Source| source.record_format() == Some(first) && source.dialect() == sources[0].dialect();
    sources.iter().all(is_alike).then_some(first)
}

/// Checks that the sources have the same columns, where one file needs that.
fn check(sources: &[&Source], join: Join, inputs: &Inputs) -> Result<()> {
    match join {
        Join::Array | Join::JsonLines => {}
        Join::Append => check_headers(sources)?,
        Join::Rows(format) => {
            let fields = inputs.fields();
            let limit = inputs.max_document_bytes;
            check_join(Rewrite {
                sources,
                fields: &fields,
                limit,
                format,
                annotations: Annotations::Omit,
                edit: None,
                basis: None,
            })?;
        }
    }
    Ok(())
}

/// Checks that tables have the same columns in the same order; files without a header have no rows.
fn check_headers(sources: &[&Source]) -> Result<()> {
    let mut first: Option<(&Source, Vec<String>)> = None;
    for source in sources {
        let names = header_names(source)?;
        match &first {
            _ if names.is_empty() => {}
            None => first = Some((source, names)),
            Some((_, expected)) if *expected == names => {}
            Some((first, expected)) => {
                return Err(Error::HeadersDiffer {
                    first: first.path.to_path_buf(),
                    path: source.path.to_path_buf(),
                    expected: expected.clone(),
                    found: names,
                });
            }
        }
    }
    Ok(())
}
