//! Which file of a crate uses which other one, and which room.

use super::circles::{Graph, Use};
use super::modules::ModuleTree;
use super::paths::Role;
use super::resolve::{Target, targets};
use super::sources::Sources;
use anyhow::Result;

/// Which file uses which, below all roots of a crate: library, program and further programs.
pub(super) fn between_files(sources: &Sources) -> Result<Graph> {
    let mut graph = Graph::default();
    for root in sources.keys().filter(|file| is_root(file)) {
        add_uses(&ModuleTree::read(root, sources)?, &mut graph);
    }
    Ok(graph)
}

/// Which room uses which. The root of a crate is no room: it may use all rooms and be used by all, as long as no files
/// do so in a circle.
pub(super) fn between_rooms(files: &Graph) -> Graph {
    let mut graph = Graph::default();
    for place in files.uses() {
        if let (Some(from), Some(to)) = (room_of(&place.from), room_of(&place.to)) {
            graph.add(from, to, place.clone());
        }
    }
    graph
}

fn is_root(file: &str) -> bool {
    let parts: Vec<&str> = file.split('/').collect();
    matches!(parts.as_slice(), ["lib.rs" | "main.rs"] | ["bin", _] | ["bin", _, "main.rs"])
}

fn room_of(file: &str) -> Option<&str> {
    let first = file.split('/').next().unwrap_or(file);
    if is_root(file) { None } else { Some(first.trim_end_matches(".rs")) }
}

fn add_uses(tree: &ModuleTree, graph: &mut Graph) {
    for (index, module) in tree.modules.iter().enumerate() {
        for path in &module.paths {
            for target in targets(tree, index, path) {
                let Some(file) = used_file(tree, target, &path.role) else { continue };
                let text = path.segments.join("::");
                let text = if matches!(path.role, Role::Glob) { format!("{text}::*") } else { text };
                let place = Use { from: module.file.clone(), line: path.line, to: file.to_owned(), path: text };
                graph.add(&module.file, file, place);
            }
        }
    }
}

/// A private import of a module only gives it a name: what is used is in the paths that begin with this name.
fn used_file<'a>(tree: &'a ModuleTree, target: Target<'a>, role: &Role) -> Option<&'a str> {
    match (target, role) {
        (Target::Item { file }, _) => Some(file),
        (Target::Module(_), Role::Import { .. }) => None,
        (Target::Module(index), Role::Mention | Role::Reexport { .. } | Role::Glob) => Some(&tree.modules[index].file),
    }
}
