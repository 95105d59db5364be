//! The fields that records have, where one that is asked for is missing.

use lookalike_io::{BadRecord, Blocks, FieldNames, NamesFound, Problem, Source};

/// The fields of the first record, in place of `wanted`, which no record has; `None` if records of its kind have none.
pub(crate) fn fields_of_first(
    sources: &[Source],
    fields: &FieldNames,
    max_document_bytes: Option<u64>,
    wanted: &str,
) -> Option<NamesFound> {
    // The fields of a record are told where one of them is missing.
    let fields = FieldNames { text: wanted.to_owned(), ..fields.clone() };
    let mut found = None;
    match Blocks::new(sources, &fields, max_document_bytes).of_texts().next() {
        Some(Err(lookalike_io::Error::NoColumn { found: names, .. })) => found = Some(names),
        Some(Ok(block)) => {
            block.for_each_document(&fields, |document| {
                if let Err(BadRecord { problem: Problem::NoField { found: names, .. }, .. }) = document {
                    found.get_or_insert(names);
                }
            });
        }
        _ => {}
    }
    found
}
