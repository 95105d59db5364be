//! Checks the layers: which crate may use which, and that no files or rooms of a crate use each other in a circle.
//!
//! ```text
//! cargo metadata --crates--> may it depend on what it depends on?
//! src folder --sources--> SourceTexts --modules--> ModuleTree    modules, their imports and the paths written in them
//! ModuleTree --> Graph                                           file uses file, room uses room, one place for each
//! Graph --circles--> problems
//! ```
//!
//! A room is a top-level module of a crate. A file uses the file of the module in which a path ends, found through
//! re-exports: a parent that only opens modules and re-exports their items is therefore in no circle with children that
//! use each other through it, and a parent whose own items are used by a child that it uses itself is in one.
//!
//! Paths are read from tokens, not from a syntax tree: `use`, `mod`, attributes and `::` are all that is looked for,
//! and tokens look the same inside macro calls. No item is known by name, so an item that only a glob import brings is
//! taken for one of the module that has the import. All circles are printed, so that one run shows what is left to do.

mod circles;
mod crates;
mod modules;

#[cfg(test)]
mod tests;

use crate::run::{files_below, packages};
use anyhow::{Context, Result, bail};
use circles::Graph;
use modules::{ModuleTree, SourceTexts};
use std::fs;
use std::path::Path;

/// Checks the workspace.
pub(crate) fn check() -> Result<()> {
    let mut problems = Vec::new();
    for package in packages()? {
        let name = package["name"].as_str().context("no name in cargo metadata")?;
        let manifest = package["manifest_path"].as_str().context("no path in cargo metadata")?;
        problems.extend(crates::forbidden_dependencies(&package));
        let sources = read_sources(&Path::new(manifest).with_file_name("src"))?;
        problems.extend(circles_of(name, &sources).with_context(|| format!("in {name}"))?);
    }
    if problems.is_empty() {
        println!("layers: no circle between files or rooms, no crate uses one that it must not");
        return Ok(());
    }
    problems.iter().for_each(|problem| eprintln!("{problem}\n"));
    bail!("{} violations of the layers", problems.len());
}

/// The files of Rust in a folder of sources, with their texts.
fn read_sources(folder: &Path) -> Result<SourceTexts> {
    let files = files_below(folder)?.into_iter().filter(|file| file.ends_with(".rs"));
    let read = |file: String| {
        let path = folder.join(&file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((file, text))
    };
    files.map(read).collect()
}

/// A description of each circle of rooms and of files, below all roots of a crate: library and programs.
fn circles_of(crate_name: &str, sources: &SourceTexts) -> Result<Vec<String>> {
    let mut files = Graph::default();
    for root in sources.keys().filter(|file| is_root(file)) {
        ModuleTree::read(root, sources)?.add_uses(&mut files);
    }
    let mut rooms = Graph::default();
    for (from, to, place) in files.edges() {
        // The root is no room: it may use all rooms and be used by all, as long as no files do so in a circle.
        if !is_root(from) && !is_root(to) {
            rooms.add(room_of(from), room_of(to), place);
        }
    }
    let mut problems = rooms.describe_circles(&format!("rooms of {crate_name}"));
    problems.extend(files.describe_circles(&format!("files of {crate_name}")));
    Ok(problems)
}

fn is_root(file: &str) -> bool {
    matches!(file.split('/').collect::<Vec<_>>()[..], ["lib.rs" | "main.rs"] | ["bin", _] | ["bin", _, "main.rs"])
}

fn room_of(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}
