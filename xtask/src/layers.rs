//! Who may use whom.
//!
//! Crates: the table below. Modules: within a crate the top modules may use each other in any way that has no circle, so
//! that each can be read after those it stands on. Uses are found in the source text: `crate::name`.

use crate::run::output;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Our crates and which of our crates each may depend on.
const ALLOWED: [(&str, &[&str]); 5] = [
    ("lookalike-core", &[]),
    ("lookalike-io", &["lookalike-core"]),
    ("lookalike", &["lookalike-core", "lookalike-io"]),
    ("lookalike-cli", &["lookalike"]),
    ("xtask", &[]),
];

/// Crates whose modules must have no circles.
const WITHOUT_CIRCLES: [&str; 4] = ["lookalike-core", "lookalike-io", "lookalike", "lookalike-cli"];

type Uses = BTreeMap<String, BTreeSet<String>>;

/// Checks the workspace at `root`.
pub(crate) fn check(root: &Path) -> Result<()> {
    check_crates()?;
    for name in WITHOUT_CIRCLES {
        let uses = module_uses(&root.join("crates").join(name).join("src"))?;
        if let Some(circle) = find_circle(&uses) {
            bail!("modules of {name} use each other in a circle: {}", circle.join(" -> "));
        }
    }
    println!("layers: crates and modules stand on earlier ones only");
    Ok(())
}

fn check_crates() -> Result<()> {
    let metadata = output(Path::new(env!("CARGO")), &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).context("cannot read cargo metadata")?;
    let packages = metadata["packages"].as_array().context("no packages in cargo metadata")?;
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            bail!("crate {name} has no place in the layers: add it to xtask/src/layers.rs");
        };
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        for dependency in dependencies.filter_map(|dependency| dependency["name"].as_str()) {
            let is_ours = ALLOWED.iter().any(|(known, _)| *known == dependency);
            if is_ours && !allowed.contains(&dependency) {
                bail!("crate {name} must not depend on {dependency}");
            }
        }
    }
    Ok(())
}

/// By top module: the other top modules that its files name. The root of the crate may name all.
fn module_uses(source: &Path) -> Result<Uses> {
    let mut uses = Uses::new();
    for file in rust_files(source)? {
        let relative = file.strip_prefix(source).unwrap_or(&file);
        let module = relative.iter().next().map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned());
        let Some(module) = module.filter(|module| module != "lib" && module != "main") else { continue };
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let named = named_modules(&text).into_iter().filter(|name| *name != module);
        uses.entry(module.clone()).or_default().extend(named);
    }
    let known: BTreeSet<String> = uses.keys().cloned().collect();
    uses.values_mut().for_each(|named| named.retain(|name| known.contains(name)));
    Ok(uses)
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "rs") && path.file_name() != Some("tests.rs".as_ref())
        {
            files.push(path);
        }
    }
    Ok(files)
}

/// Module names behind `crate::` in code: comments and what follows `#[cfg(test)]` do not count.
fn named_modules(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut names = BTreeSet::new();
    for (_, rest) in code.match_indices("crate::").map(|(at, found)| code.split_at(at + found.len())) {
        if let Some(list) = rest.strip_prefix('{') {
            let list = list.split('}').next().unwrap_or_default();
            names.extend(list.split(',').map(|item| leading_name(item.trim_start())));
        } else {
            names.insert(leading_name(rest));
        }
    }
    names
}

fn leading_name(text: &str) -> String {
    text.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect()
}

/// A list of modules each of which uses the next one, the last one the first.
fn find_circle(uses: &Uses) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    uses.keys().find_map(|module| visit(module, uses, &mut Vec::new(), &mut done))
}

fn visit(module: &str, uses: &Uses, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
    if let Some(start) = path.iter().position(|earlier| earlier == module) {
        return Some(path[start..].iter().chain([&path[start]]).cloned().collect());
    }
    if done.contains(module) {
        return None;
    }
    path.push(module.to_owned());
    let circle = uses.get(module).into_iter().flatten().find_map(|next| visit(next, uses, path, done));
    path.pop();
    done.insert(module.to_owned());
    circle
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(edges: &[(&str, &[&str])]) -> Uses {
        let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
        edges.iter().map(|(from, to)| ((*from).to_owned(), names(to))).collect()
    }

    #[test]
    fn circles_are_found_and_trees_are_not() {
        assert_eq!(find_circle(&uses(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])), None);
        let circle = find_circle(&uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])])).unwrap();
        assert_eq!(circle, ["b", "c", "b"]);
    }

    #[test]
    fn uses_are_found_in_code_only() {
        let text = "//! crate::doc\nuse crate::{one, two::Two};\nfn f() { crate::three::g() }\n#[cfg(test)]\nmod tests { use crate::four; }";
        let expected = ["one", "two", "three"].map(str::to_owned).into();
        assert_eq!(named_modules(text), expected);
    }
}
