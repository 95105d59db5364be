//! Checks that files of signatures can be compared with each other, and with texts: Parquet and Arrow files say how
//! theirs were made.

use crate::base::{Result, SignatureError};
use crate::job::Job;
use lookalike_core::comparison::Features;
use lookalike_io::{Source, read::basis_inside, sources::ItemCounts};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Basis of the signatures in a file that `signatures` has written.
#[derive(Debug, Deserialize)]
struct BasisOfSignatures {
    signatures: SignatureFamily,
    /// Parameters, those of texts among them.
    parameters: Map<String, Value>,
}

/// The family of the components.
#[derive(Debug, PartialEq, Deserialize)]
struct SignatureFamily {
    scheme: String,
    seed: u64,
}

/// Parameters that decide about the shingles, under their names as parameters of a job.
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
        let SignatureFamily { scheme, seed } = &self.signatures;
        let of_family = format!("scheme {scheme}, seed {seed}");
        differing(&self.parameters, &other.parameters)
            .fold(of_family, |all, name| format!("{all}, {}", parameter(name, &self.parameters)))
    }

    /// Returns whether the signatures can be compared with those of another file.
    fn fits(&self, other: &Self) -> bool {
        self.signatures == other.signatures && differing(&self.parameters, &other.parameters).next().is_none()
    }
}

/// Names of the parameters of shingles that differ.
fn differing<'a>(
    left: &'a Map<String, Value>,
    right: &'a Map<String, Value>,
) -> impl Iterator<Item = &'static str> + 'a {
    OF_SHINGLES.into_iter().filter(|&name| left.get(name) != right.get(name))
}

/// A parameter with its value.
fn parameter(name: &str, parameters: &Map<String, Value>) -> String {
    parameters.get(name).map_or_else(|| format!("{name} not set"), |value| format!("{name} {value}"))
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
    let Some(name) = differing(&basis.parameters, texts).next() else { return Ok(()) };
    let found = parameter(name, &basis.parameters);
    let expected = parameter(name, texts);
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
        let Some(json) = format.map(|format| basis_inside(&source.file, format)).transpose()?.flatten() else {
            continue;
        };
        let Ok(basis) = serde_json::from_str::<BasisOfSignatures>(&json) else { continue };
        let path = source.path.to_path_buf();
        if let Some(texts) = &of_texts {
            check_texts(&basis, texts, &path)?;
        }
        match &first {
            None => first = Some((path, basis)),
            Some((_, other)) if basis.fits(other) => {}
            Some((known, other)) => {
                let found = basis.described(other);
                let expected = other.described(&basis);
                return Err(SignatureError::OfOtherFamily { path, found, first: known.clone(), expected }.into());
            }
        }
    }
    Ok(())
}
