//! The workflow of releases builds for the systems whose dependencies `cargo deny` checks, and says no other version.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

/// The names of targets, as `x86_64-apple-darwin`, in a text.
fn targets(text: &str) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric() && !"-_".contains(character));
    let is_target = |word: &&str| word.starts_with("x86_64-") || word.starts_with("aarch64-");
    words.filter(is_target).map(str::to_owned).collect()
}

#[test]
fn released_targets_are_those_whose_dependencies_are_checked() {
    let workflow = read(".github/workflows/release.yml");
    let released = targets(&workflow);
    assert_eq!(released.len(), 5);
    for file in ["deny.toml", "about.toml"] {
        assert_eq!(targets(&read(file)), released, "{file}");
    }
    // So many archives have to be there before anything is uploaded.
    assert!(workflow.contains(&format!("-eq {}\n          sha256sum", released.len())));
}

#[test]
fn licences_that_are_collected_are_those_that_are_allowed() {
    let list = |file: &str, name: &str| {
        let text = read(file);
        let list = text.split_once(&format!("\n{name} = [")).unwrap().1.split_once(']').unwrap().0.to_owned();
        list.split(',').map(|licence| licence.trim().to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(list("about.toml", "accepted"), list("deny.toml", "allow"));
}
