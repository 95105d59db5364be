//! Checks that the crates that are published say all that a registry wants to know, and bring their licences.
//!
//! `cargo package --workspace` compiles each of them once more from its package, which takes minutes. What would make
//! it fail, or make a package that nobody can use, is found here in a second: missing metadata, a dependency of ours
//! without a version, another version or licence than the others, files that are missing or should be.

use crate::run::{self, output};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Keys that `Cargo.toml` of a published crate must have.
const METADATA: [&str; 7] =
    ["description", "license", "rust_version", "readme", "documentation", "keywords", "categories"];

/// Files that each package must hold.
const FILES: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// More files than any of our packages should have: a hint that a folder of data has slipped in.
const MAX_FILES: usize = 300;

/// crates.io takes five keywords and five categories.
const MAX_WORDS: usize = 5;

/// Checks all crates of the workspace that may be published; with the tag of a release, that it names their version.
pub(crate) fn check(root: &Path, tag: Option<&str>) -> Result<()> {
    let packages = run::packages()?;
    let published: Vec<&Value> = packages.iter().filter(|package| is_published(package)).collect();
    let mut problems = differences(&published);
    for package in &published {
        problems.extend(metadata_problems(package));
        problems.extend(file_problems(name(package), &files(root, name(package))?));
    }
    if let Some(tag) = tag {
        let changelog = fs::read_to_string(root.join("CHANGELOG.md")).context("cannot read CHANGELOG.md")?;
        let version = published.first().and_then(|package| package["version"].as_str()).unwrap_or_default();
        problems.extend(tag_problems(tag, version, &changelog));
    }
    if problems.is_empty() {
        println!("packages: {} can be published", published.len());
        return Ok(());
    }
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    bail!("{} problems of packages", problems.len());
}

/// `publish = false` is an empty list of registries.
fn is_published(package: &Value) -> bool {
    package["publish"].as_array().is_none_or(|registries| !registries.is_empty())
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap_or_default()
}

/// The files that the package of a crate would hold.
fn files(root: &Path, name: &str) -> Result<Vec<String>> {
    let manifest = root.join("Cargo.toml").display().to_string();
    let arguments = ["package", "--list", "--allow-dirty", "--manifest-path", &manifest, "--package", name];
    Ok(output(Path::new(env!("CARGO")), &arguments)?.lines().map(|file| file.replace('\\', "/")).collect())
}

/// Values that all crates share and that differ.
fn differences(packages: &[&Value]) -> Vec<String> {
    let mut problems = Vec::new();
    for field in ["version", "license", "rust_version"] {
        let values: BTreeSet<String> = packages.iter().map(|package| package[field].to_string()).collect();
        if values.len() > 1 {
            problems.push(format!("{field} differs: {}", values.into_iter().collect::<Vec<_>>().join(", ")));
        }
    }
    problems
}

/// Fields that `Cargo.toml` lacks, or that the registry refuses.
fn metadata_problems(package: &Value) -> Vec<String> {
    let name = name(package);
    let is_missing = |field: &str| match &package[field] {
        Value::Array(words) => words.is_empty() || words.len() > MAX_WORDS,
        value => value.as_str().is_none_or(str::is_empty),
    };
    let fields = METADATA.into_iter().filter(|field| is_missing(field));
    let mut problems: Vec<String> = fields.map(|field| format!("{name}: {field} is missing or too long")).collect();
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let unversioned = dependencies.filter(|dependency| {
        let is_ours = dependency["path"].is_string();
        is_ours && dependency["kind"] != "dev" && dependency["req"] == "*"
    });
    problems.extend(unversioned.map(|dependency| format!("{name}: {} has a path and no version", dependency["name"])));
    problems
}

/// Files that are missing in a package, or too many.
fn file_problems(name: &str, files: &[String]) -> Vec<String> {
    let missing = FILES.into_iter().filter(|wanted| !files.iter().any(|file| file == wanted));
    let mut problems: Vec<String> = missing.map(|file| format!("{name}: {file} is not in the package")).collect();
    let tests = files.iter().filter(|file| file.starts_with("tests/"));
    problems.extend(tests.map(|file| format!("{name}: {file} needs files that are in no package")));
    if files.len() > MAX_FILES {
        problems.push(format!("{name}: {} files in the package", files.len()));
    }
    problems
}

/// Contradictions to a release of `version` under `tag`.
fn tag_problems(tag: &str, version: &str, changelog: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if tag.strip_prefix('v') != Some(version) {
        problems.push(format!("the tag is {tag}, but the version in Cargo.toml is {version}"));
    }
    let is_heading =
        |line: &str| line.strip_prefix("## ").is_some_and(|heading| heading.split(' ').next() == Some(version));
    if !changelog.lines().any(is_heading) {
        problems.push(format!("CHANGELOG.md has no section `## {version}`"));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn complete() -> Value {
        json!({
            "name": "a", "version": "1.0.0", "description": "text", "license": "MIT", "rust_version": "1.89",
            "readme": "README.md", "documentation": "https://docs.rs/a", "keywords": ["k"], "categories": ["c"],
            "publish": null,
            "dependencies": [{"name": "ours", "path": "/ours", "kind": null, "req": "^1.0.0"},
                             {"name": "tests", "path": "/tests", "kind": "dev", "req": "*"}],
        })
    }

    #[test]
    fn complete_package_has_no_problems() {
        let files: Vec<String> = FILES.into_iter().chain(["src/lib.rs"]).map(str::to_owned).collect();
        assert!(metadata_problems(&complete()).is_empty());
        assert!(file_problems("a", &files).is_empty());
    }

    #[test]
    fn missing_metadata_is_named() {
        for field in METADATA {
            let mut package = complete();
            package[field] = Value::Null;
            assert_eq!(metadata_problems(&package), [format!("a: {field} is missing or too long")]);
        }
        let mut package = complete();
        package["keywords"] = json!(["1", "2", "3", "4", "5", "6"]);
        assert_eq!(metadata_problems(&package).len(), 1);
    }

    #[test]
    fn dependency_of_ours_needs_a_version() {
        let mut package = complete();
        package["dependencies"][0]["req"] = "*".into();
        assert_eq!(metadata_problems(&package), [r#"a: "ours" has a path and no version"#]);
    }

    #[test]
    fn tag_must_name_the_version_and_the_changelog_must_tell_of_it() {
        let changelog = "# Changelog\n\n## 1.2.0 (2026-11-22)\n\n## 1.1.0\n";
        assert!(tag_problems("v1.2.0", "1.2.0", changelog).is_empty());
        for tag in ["1.2.0", "v1.2.1", "v1.2"] {
            assert_eq!(tag_problems(tag, "1.2.0", changelog).len(), 1, "{tag}");
        }
        assert_eq!(tag_problems("v1.2", "1.2", changelog), ["CHANGELOG.md has no section `## 1.2`"]);
    }

    #[test]
    fn versions_must_agree_and_unpublished_crates_are_left_out() {
        let mut other = complete();
        let one = complete();
        assert!(differences(&[&one, &other]).is_empty());
        other["version"] = "1.0.1".into();
        assert_eq!(differences(&[&one, &other]), [r#"version differs: "1.0.0", "1.0.1""#]);
        other["publish"] = json!([]);
        assert!(is_published(&one) && !is_published(&other));
    }

    #[test]
    fn files_that_are_missing_or_do_not_belong_there_are_named() {
        let files = ["Cargo.toml", "LICENSE-MIT", "README.md", "tests/all.rs"].map(str::to_owned);
        assert_eq!(
            file_problems("a", &files),
            ["a: LICENSE-APACHE is not in the package", "a: tests/all.rs needs files that are in no package"]
        );
        assert_eq!(file_problems("a", &[&files[..], &vec![String::new(); MAX_FILES]].concat()).len(), 3);
    }
}
