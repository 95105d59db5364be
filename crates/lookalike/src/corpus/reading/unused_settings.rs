//! Checks that what is said of inputs is about some of them: a user who says something for nothing has made a mistake.

use crate::base::{Error, Result, UnusedSetting};
use lookalike_core::comparison::Features;
use lookalike_io::base::details::ColumnRole;
use lookalike_io::{
    BadRecord, Blocks, Inputs, Problem, Source,
    base::{GitignoreFiles, NamesFound},
    formats::RecordFormat,
    read::is_page,
    sources::{FieldNames, SourceKind},
};

/// Checks that what is said of the inputs and references of a job is about some of them.
///
/// # Errors
/// [`Error::UnusedSetting`], [`Error::NoEncoding`].
pub(crate) fn check_settings_used<'s>(
    references: &'s [Source],
    sources: &'s [Source],
    inputs: &Inputs,
    features: &Features,
) -> Result<()> {
    let all = || references.iter().chain(sources);
    let refused = |setting| Err(Error::UnusedSetting { setting });
    let default = FieldNames::default();
    let are_fields = all().any(has_fields);
    let has_points = inputs.points().is_some();
    check_encoding(all(), inputs)?;
    if inputs.quotes.is_some() && !all().any(|source| source.dialect().is_some()) {
        return refused(UnusedSetting::Quotes);
    }
    if inputs.input_format.is_some() && all().all(is_no_file) {
        return refused(UnusedSetting::Format);
    }
    if inputs.text_field != default.text && !has_points && !are_fields {
        return refused(UnusedSetting::TextField(inputs.text_field.clone()));
    }
    if inputs.fingerprints.is_some() && inputs.images.is_none() && !are_fields && !all().all(Source::is_stored) {
        return refused(UnusedSetting::Fingerprints(inputs.text_field.clone()));
    }
    if ![&default.id, ""].contains(&&*inputs.id_field) && !are_fields && !all().any(is_crawl) {
        return refused(UnusedSetting::IdField(inputs.id_field.clone()));
    }
    if inputs.own_fields_of_references().is_some() && !references.iter().any(has_fields) {
        return refused(UnusedSetting::ReferenceFields);
    }
    let text = features.text();
    if text.strip_html && all().next().is_some() && all().all(has_only_pages) {
        return refused(UnusedSetting::Html);
    }
    if text.main_content && !text.strip_html && !all().any(may_have_pages) {
        return refused(UnusedSetting::MainContent);
    }
    Ok(())
}

/// Checks that `.gitignore` files were looked for, if these are obeyed.
///
/// # Errors
/// [`Error::UnusedSetting`].
pub(crate) fn check_gitignore(may_have_some: bool, inputs: &Inputs) -> Result<()> {
    if inputs.gitignore == GitignoreFiles::Obeyed && !may_have_some {
        return Err(Error::UnusedSetting { setting: UnusedSetting::Gitignore });
    }
    Ok(())
}

/// Checks that a field by which documents will be ordered can be in some.
///
/// # Errors
/// [`Error::UnusedSetting`].
pub(crate) fn check_score_field<'s>(sources: impl IntoIterator<Item = &'s Source>, inputs: &Inputs) -> Result<()> {
    match &inputs.score_field {
        Some(field) if !sources.into_iter().any(|source| has_fields(source) || source.is_stored()) => {
            Err(Error::UnusedSetting { setting: UnusedSetting::ScoreField(field.clone()) })
        }
        _ => Ok(()),
    }
}

/// Checks that an encoding which the user names is that of a table or a text at least.
fn check_encoding<'s>(mut sources: impl Iterator<Item = &'s Source>, inputs: &Inputs) -> Result<()> {
    let Some(encoding) = inputs.encoding.filter(|encoding| !encoding.is_utf8()) else { return Ok(()) };
    let Some(first) = sources.next() else { return Err(Error::UnusedSetting { setting: UnusedSetting::Encoding }) };
    match first.record_format() {
        _ if has_encoding(first) || sources.any(has_encoding) => Ok(()),
        Some(format) => Err(Error::NoEncoding { path: first.path.to_path_buf(), format, encoding }),
        None => Err(Error::UnusedSetting { setting: UnusedSetting::Encoding }),
    }
}

/// Returns whether the bytes of its texts may be in any encoding. Pages say which one is theirs.
fn has_encoding(source: &Source) -> bool {
    let is_text = matches!(source.kind, SourceKind::TextFiles { .. }) && !has_only_pages(source);
    is_text || source.dialect().is_some() || source.record_format() == Some(RecordFormat::ItemLines)
}

/// Returns whether its records have fields with names.
fn has_fields(source: &Source) -> bool {
    match &source.kind {
        SourceKind::Records { format, .. } => {
            // Lines of items have the names of the fields that their records get in other formats.
            !matches!(format, RecordFormat::Warc | RecordFormat::Snapshot)
        }
        // Whoever holds documents in memory knows their names.
        SourceKind::Memory { .. } => true,
        SourceKind::TextFiles { .. } | SourceKind::Index { .. } => false,
    }
}

fn is_crawl(source: &Source) -> bool {
    source.record_format() == Some(RecordFormat::Warc)
}

/// Returns whether a document of it may be an HTML page, or may have been one when it was stored.
fn may_have_pages(source: &Source) -> bool {
    let has_page =
        matches!(&source.kind, SourceKind::TextFiles { files } if files.iter().any(|(name, _)| is_page(name)));
    has_page || is_crawl(source) || source.is_stored()
}

/// Returns whether no bytes of it are read in a format that could be said.
fn is_no_file(source: &Source) -> bool {
    matches!(source.kind, SourceKind::Index { .. } | SourceKind::Memory { .. })
}

/// Returns whether all its documents are HTML files.
fn has_only_pages(source: &Source) -> bool {
    matches!(&source.kind, SourceKind::TextFiles { files } if files.iter().all(|(name, _)| is_page(name)))
}

/// The fields of the first record, in place of `wanted`, which no record has; `None` if records of its kind have none.
pub(crate) fn fields_of_first(
    sources: &[Source],
    fields: &FieldNames,
    max_document_bytes: Option<u64>,
    wanted: &str,
) -> Option<NamesFound> {
    // The fields of a record are listed where one of them is missing.
    let fields = FieldNames { text: wanted.to_owned(), ..fields.clone() };
    let mut found = None;
    match Blocks::new(sources, &fields, max_document_bytes).of_texts().next() {
        Some(Err(lookalike_io::Error::NoColumn { found: names, role: ColumnRole::Field, .. })) => found = Some(*names),
        Some(Ok(block)) => {
            block.for_each_document(&fields, |document| {
                if let Err(BadRecord { problem: Problem::NoField { found: names, points: None, .. }, .. }) = document {
                    found.get_or_insert(*names);
                }
            });
        }
        _ => {}
    }
    found
}
