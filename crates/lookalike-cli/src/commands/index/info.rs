//! `lookalike index info`: what an index is and holds.

use crate::args::local_name;
use crate::messages::thousands;
use anyhow::Result;
use bytesize::ByteSize;
use clap::Args;
use lookalike::doors::escaped;
use lookalike::index::{IndexInfo, Settings, Storage};
use lookalike::jobs::notation_of;
use std::io::{self, Write};
use std::path::PathBuf;

/// Arguments of `lookalike index info`.
#[derive(Debug, Args)]
pub(super) struct InfoArgs {
    /// Folder of the index
    #[arg(value_name = "IDX", value_parser = local_name())]
    pub(super) index: PathBuf,
    /// Tell it as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Words for a complete recall.
const ALL_FOUND: &str = "exact: none is missed";

/// Prints what an index is and holds, as JSON if that is asked for.
pub(super) fn print_info(info: &IndexInfo, as_json: bool) -> Result<()> {
    let mut stdout = io::stdout().lock();
    if as_json {
        writeln!(stdout, "{}", serde_json::to_string(info)?)?;
        return Ok(());
    }
    let IndexInfo { settings, keyed, documents, gone, segments, bytes } = info;
    let keys: u64 = segments.iter().map(|segment| segment.keys).sum();
    let per_document = bytes.checked_div(*documents).unwrap_or(0);
    let stored = match settings.storage {
        Storage::Sets => "sets: answers are verified",
        Storage::Signatures => "signatures: answers are estimates",
    };
    let recall = settings.expected_recall()?;
    let method = if recall < 1.0 { format!("not exact, expected recall {recall:.3}") } else { ALL_FOUND.to_owned() };
    let mut lines = vec![
        ("documents", thousands(*documents)),
        ("removed, not yet written anew", thousands(*gone)),
        ("measure", format!("{} {}", settings.measure.kind(), settings.measure.limit())),
        ("method", method),
        ("shingles", settings.features.shingle().size.to_string() + if *keyed { ", hashed by a secret" } else { "" }),
        ("documents are read as", notation_of(settings)?.to_string()),
        ("stored", stored.to_owned()),
        ("stored beside them", stored_beside(settings)),
        ("size", format!("{}, {per_document} bytes a document", ByteSize(*bytes).display().iec())),
        ("segments", thousands(segments.len() as u64)),
        ("keys", thousands(keys)),
    ];
    if !matches!(settings.features, lookalike::Features::Set { .. }) {
        lines.retain(|(name, _)| *name != "shingles");
    }
    for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(stdout, "{name:<30} {value}")?;
    }
    Ok(())
}

/// Texts and fields that an index stores beside the sets; empty if it stores neither.
fn stored_beside(settings: &Settings) -> String {
    let texts = settings.texts.then(|| "texts".to_owned());
    let fields = (!settings.fields.is_empty()).then(|| format!("fields {}", escaped(&settings.fields.join(", "))));
    texts.into_iter().chain(fields).collect::<Vec<_>>().join("; ")
}
