//! Where rows say what they depend on.

use std::path::{Path, PathBuf};

/// The entry of the metadata of Parquet and Arrow files that holds the basis.
pub const BASIS_KEY: &str = "lookalike";

/// The file beside a file of rows in text that says what they depend on: `pairs.csv.about.json` beside `pairs.csv`.
pub fn side_file(rows: &Path) -> PathBuf {
    let mut name = rows.as_os_str().to_owned();
    name.push(".about.json");
    name.into()
}
