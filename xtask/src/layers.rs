//! Checks the layers: which crate may use which, and that no files or rooms of a crate, and no modules of a Python
//! package, use each other in a circle.
//!
//! ```text
//! cargo metadata --crates--> Package     may it depend on what it depends on?
//! src folder --sources--> Sources        is a folder too large?
//! Sources --modules, paths--> ModuleTree modules, their items, every path written in them
//! ModuleTree --resolve, uses--> Graph    file uses file, room uses room, one piece of evidence each
//! python folder --sources--> Sources     the modules of a Python package
//! Sources --imports--> Graph             module imports module
//! Graph --circles--> problems
//! ```
//!
//! A room is a top-level module of a crate. A file uses the file that defines what it names, found through re-exports:
//! a parent that only opens modules and re-exports their items is therefore in no circle with children that use each
//! other through it, and a parent whose own items are used by a child that it uses itself is in one. `syn` parses the
//! sources, because a search of the text does not see nested groups, renames, `super::` and comments.
//!
//! All circles are printed, not only the first one, so that one run shows what is left to do.

mod circles;
mod crates;
mod imports;
mod modules;
mod paths;
mod resolve;
mod sources;
mod test_only;
mod tokens;
mod uses;

#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail};
use sources::Sources;
use std::path::Path;

/// Checks the workspace at `root`.
pub(crate) fn check(root: &Path) -> Result<()> {
    let packages = crates::packages()?;
    let mut problems = crates::forbidden_dependencies(&packages);
    for package in &packages {
        let folder = package.folder.join("src");
        let shown = folder.strip_prefix(root).unwrap_or(&folder).display().to_string();
        let sources = sources::read(&folder, &["rs"])?;
        problems.extend(sources::large_folders(&shown, &sources));
        problems.extend(circles_of(&package.name, &sources).with_context(|| format!("in {shown}"))?);
        let python = package.folder.join("python");
        if python.is_dir() {
            let modules = sources::read(&python, &["py", "pyi"])?;
            problems.extend(imports::between_modules(&modules).describe_circles("Python modules"));
        }
    }
    if problems.is_empty() {
        println!("layers: no circle between files, rooms or Python modules, no crate uses one that it must not");
        return Ok(());
    }
    problems.iter().for_each(|problem| eprintln!("{problem}\n"));
    bail!("{} violations of the layers", problems.len());
}

/// A description of each group of rooms and each group of files that use each other in circles.
fn circles_of(crate_name: &str, sources: &Sources) -> Result<Vec<String>> {
    let files = uses::between_files(sources)?;
    let rooms = uses::between_rooms(&files);
    let mut problems = rooms.describe_circles(&format!("rooms of {crate_name}"));
    problems.extend(files.describe_circles(&format!("files of {crate_name}")));
    Ok(problems)
}
