//! The next step after an error: the library says what is wrong, only the command line knows its flags.

use lookalike::{BadRecord, Error, FileInUse, OutputKind, Problem};

/// What to try, as the end of the line that says what is wrong; empty if the line says it already. The flag for the
/// output of records depends on the command.
pub(crate) fn hint(error: &anyhow::Error, records_flag: &'static str) -> String {
    let hint = match error.downcast_ref() {
        Some(&Error::OutputInUse { output, ref other, .. }) => {
            let flag = |output| output_flag(output, records_flag);
            return match *other {
                FileInUse::Input { .. } => format!(" ({})", flag(output)),
                FileInUse::Output { output: other, .. } => format!(" ({}, {})", flag(other), flag(output)),
            };
        }
        Some(Error::BadRecord { record }) => {
            return format!("{} (--on-error skip leaves such records out)", hint_for_record(record));
        }
        Some(Error::Unusable { record }) => hint_for_record(record),
        Some(Error::CannotAnnotate { .. }) => {
            ": --annotate needs JSON Lines, CSV, TSV, Parquet or Arrow; --format makes them"
        }
        Some(Error::NoRecords { .. }) => ": --dry-run with --removed says which would go",
        Some(Error::TooLittleDisk { .. }) => "; name another folder (--temp-dir), or allow more memory (--memory)",
        Some(Error::TextsNeeded { .. }) => " (--check-texts)",
        Some(Error::StdinCannotResume) => ": name files, or leave out --work-dir",
        Some(Error::DocumentsNeeded { .. }) => "; name the --documents for another choice",
        Some(Error::TextIsId { .. }) => " (--text-field, --id-field)",
        Some(Error::OrderedByText { .. }) => " (--keep)",
        _ => "",
    };
    hint.to_owned()
}

/// The flag that names an output.
fn output_flag(output: OutputKind, records_flag: &'static str) -> &'static str {
    match output {
        OutputKind::Records => records_flag,
        OutputKind::Rows | OutputKind::Snapshot => "--output",
        OutputKind::Removed => "--removed",
        OutputKind::Summary => "--summary",
        OutputKind::Checkpoints => "--work-dir",
    }
}

/// The same for a bad record.
pub(crate) fn hint_for_record(record: &BadRecord) -> &'static str {
    if matches!(record.problem, Problem::TooLarge { .. }) { " (--max-document)" } else { "" }
}
