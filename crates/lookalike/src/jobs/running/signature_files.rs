//! Whether files of signatures can be compared with each other, and with texts: Parquet and Arrow files say how theirs
//! were made.

use crate::ground::{Result, SignatureError};
use crate::job::Job;
use lookalike_core::features::Features;
use lookalike_io::{ItemCounts, Source, basis_inside};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// What a file that `signatures` has written says of them.
#[derive(Debug, Deserialize)]
struct BasisOfSignatures {
    signatures: Family,
    /// Those of texts are among them.
    parameters: Map<String, Value>,
}

/// The family of the components.
#[derive(Debug, Deserialize)]
struct Family {
    scheme: String,
    seed: u64,
}

/// Parameters that decide about the shingles, under their names as nouns of a job.
const OF_SHINGLES: [&str; 16] = [
    "tokens",
    "nfkc",
    "lowercase",
    "strip_html",
    "stop_words",
    "stem",
    "keywords",
    "mask",
    "strip_marks",
    "main_content",
    "shingle",
    "stride",
    "bag",
    "hash_bits",
    "items",
    "item_counts",
];

impl BasisOfSignatures {
    /// The parameters by which signatures can be compared, as a message says them: scheme and seed, and of the others
    /// those that differ from `other`.
    fn described(&self, other: &Self) -> String {
        let Family { scheme, seed } = &self.signatures;
        let differing = OF_SHINGLES.iter().filter(|&&name| self.parameters.get(name) != other.parameters.get(name));
        let value = |name: &&str| match self.parameters.get(*name) {
            Some(value) => format!(", {name} {value}"),
            None => format!(", {name} not set"),
        };
        format!("scheme {scheme}, seed {seed}") + &differing.map(value).collect::<String>()
    }

    /// Whether the signatures can be compared with those of another file.
    fn fits(&self, other: &Self) -> bool {
        let [mine, others] = [self, other].map(|of| (&of.signatures.scheme, of.signatures.seed));
        mine == others && OF_SHINGLES.iter().all(|&name| self.parameters.get(name) == other.parameters.get(name))
    }
}

/// The options of the texts of a job, by their names.
fn options_of(job: &Job) -> Result<Map<String, Value>> {
    let Value::Object(mut options) = serde_json::to_value(&job.features)? else { return Ok(Map::new()) };
    options.insert("items".to_owned(), serde_json::to_value(job.inputs.items)?);
    if job.inputs.item_counts != ItemCounts::Absent {
        options.insert("item_counts".to_owned(), serde_json::to_value(job.inputs.item_counts)?);
    }
    Ok(options)
}

/// Checks that texts are cut as those were of which the signatures were made.
fn check_texts(basis: &BasisOfSignatures, texts: &Map<String, Value>, path: &Path) -> Result<()> {
    let differing = OF_SHINGLES.iter().find(|&&name| basis.parameters.get(name) != texts.get(name));
    let Some(&name) = differing else { return Ok(()) };
    let told =
        |value: Option<&Value>| value.map_or_else(|| format!("{name} not set"), |value| format!("{name} {value}"));
    let (found, expected) = (told(basis.parameters.get(name)), told(texts.get(name)));
    Err(SignatureError::OfOtherTexts { path: path.to_owned(), found, expected }.into())
}

/// Checks that the files of a job over signatures were made alike, as far as they say how they were made.
///
/// # Errors
/// [`SignatureError::OfOtherFamily`]; [`crate::Error::Io`] if a file cannot be read.
pub(in crate::jobs) fn check_signatures<'s>(sources: impl Iterator<Item = &'s Source>, job: &Job) -> Result<()> {
    if job.features != Features::Signature && job.signatures.is_none() {
        return Ok(());
    }
    let of_texts = job.signatures.as_ref().map(|_| options_of(job)).transpose()?;
    let mut first: Option<(PathBuf, BasisOfSignatures)> = None;
    for source in sources {
        let format = source.record_format();
        let told = format.map(|format| basis_inside(&source.file, format)).transpose()?;
        let Some(json) = told.flatten() else { continue };
        let Ok(basis) = serde_json::from_str::<BasisOfSignatures>(&json) else { continue };
        let path = source.path.to_path_buf();
        if let Some(texts) = &of_texts {
            check_texts(&basis, texts, &path)?;
        }
        match &first {
            None => first = Some((path, basis)),
            Some((_, other)) if basis.fits(other) => {}
            Some((known, other)) => {
                let (found, expected) = (basis.described(other), other.described(&basis));
                return Err(SignatureError::OfOtherFamily { path, found, first: known.clone(), expected }.into());
            }
        }
    }
    Ok(())
}
