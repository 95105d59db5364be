//! Which of our crates may depend on which.

use crate::run::output;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Our crates, present and planned, and which of our crates each may depend on.
const ALLOWED: [(&str, &[&str]); 9] = [
    ("lookalike-core", &[]),
    ("lookalike-io", &["lookalike-core"]),
    ("lookalike-index", &["lookalike-core"]),
    ("lookalike", &["lookalike-core", "lookalike-io", "lookalike-index"]),
    // The tests compare with the pipeline.
    ("lookalike-batch", &["lookalike-core", "lookalike-io", "lookalike"]),
    ("lookalike-server", &["lookalike"]),
    ("lookalike-python", &["lookalike", "lookalike-batch", "lookalike-cli"]),
    ("lookalike-cli", &["lookalike", "lookalike-server"]),
    ("xtask", &[]),
];

/// A crate of the workspace.
pub(super) struct Package {
    pub(super) name: String,
    /// The folder of its `Cargo.toml`.
    pub(super) folder: PathBuf,
    /// Names of all dependencies, ours and others, also those for tests and builds.
    pub(super) dependencies: Vec<String>,
}

/// All crates of the workspace, as cargo knows them: a new crate needs no entry here to be checked.
pub(super) fn packages() -> Result<Vec<Package>> {
    let metadata = output(Path::new(env!("CARGO")), &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).context("cannot read cargo metadata")?;
    let packages = metadata["packages"].as_array().context("no packages in cargo metadata")?;
    packages.iter().map(|package| read_package(package).context("incomplete cargo metadata")).collect()
}

fn read_package(package: &serde_json::Value) -> Option<Package> {
    let dependencies = package["dependencies"].as_array()?.iter();
    Some(Package {
        name: package["name"].as_str()?.to_owned(),
        folder: Path::new(package["manifest_path"].as_str()?).parent()?.to_owned(),
        dependencies: dependencies.filter_map(|one| one["name"].as_str()).map(str::to_owned).collect(),
    })
}

/// A description of each crate that the table does not know and of each dependency that it forbids.
pub(super) fn forbidden_dependencies(packages: &[Package]) -> Vec<String> {
    packages.iter().flat_map(forbidden_of).collect()
}

fn forbidden_of(package: &Package) -> Vec<String> {
    let name = &package.name;
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| known == name) else {
        return vec![format!("crate {name} has no place in the layers: add it to xtask/src/layers/crates.rs")];
    };
    let is_ours = |dependency: &&String| ALLOWED.iter().any(|(known, _)| known == dependency);
    let ours = package.dependencies.iter().filter(is_ours);
    let forbidden = ours.filter(|dependency| !allowed.contains(&dependency.as_str()));
    forbidden.map(|dependency| format!("crate {name} must not depend on {dependency}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forbidden(name: &str, dependencies: &[&str]) -> Vec<String> {
        let dependencies = dependencies.iter().map(|&name| name.to_owned()).collect();
        forbidden_dependencies(&[Package { name: name.to_owned(), folder: PathBuf::new(), dependencies }])
    }

    #[test]
    fn dependencies_on_lower_crates_and_on_others_are_allowed() {
        assert!(forbidden("lookalike", &["lookalike-core", "lookalike-io", "serde"]).is_empty());
    }

    #[test]
    fn a_dependency_on_a_higher_crate_is_forbidden() {
        let found = forbidden("lookalike-io", &["lookalike-core", "lookalike"]);
        assert_eq!(found, ["crate lookalike-io must not depend on lookalike"]);
    }

    #[test]
    fn an_unknown_crate_is_refused() {
        assert!(forbidden("lookalike-web", &[])[0].contains("lookalike-web has no place in the layers"));
    }
}
