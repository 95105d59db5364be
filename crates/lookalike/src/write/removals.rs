//! Removals as rows.

use super::row_names::RowNames;
use crate::ground::Result;
use crate::run::Session;
use lookalike_core::comparison::Measure;
use lookalike_core::rule::Decision;
use lookalike_io::{
    RowWriter,
    outputs::Sealed,
    rows::{Figures, RemovalRow, Verified},
};

/// Writes a row for each removed document, in input order.
pub(crate) fn write_removed(
    mut writer: RowWriter,
    names: &RowNames<'_>,
    (decisions, measure): (&[Decision], Measure),
    session: &Session<'_>,
) -> Result<Sealed> {
    for (document, decision) in names.documents().zip(decisions) {
        session.stages.check_sometimes(document.0.into())?;
        if let Decision::Removed { kept, similarity, reason } = *decision {
            let documents = [document, kept];
            let figures = Figures::new(measure.figure(), Verified::from_similarity(similarity));
            let row = RemovalRow::new(documents.map(|document| names.id(document)), figures, reason);
            writer.write(&RemovalRow { sources: documents.map(|document| names.source(document)), ..row })?;
        }
    }
    Ok(writer.seal()?)
}
