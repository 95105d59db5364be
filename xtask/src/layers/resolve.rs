//! Finds the file that defines what a path names.
//!
//! ```text
//! path  = crate | self | super | name of a module, import or item in scope, then names
//! name  -> child module, if more names follow
//!       -> item of the module: found, the names after it are variants or associated items
//!       -> import of the module: go on with what it imports, whatever its visibility
//!       -> child module
//!       -> the same in each module whose names a glob import brings
//!       -> unknown, after `crate`, `self`, `super` or a module: an item that a macro makes in that module
//!       -> unknown, at the start of a path: another crate
//! ```
//!
//! A name may be a module and an item at once (`mod compare; pub use compare::compare;`): the module is meant if more
//! names follow. Imports under different conditions may share a name: all of them are followed. Imports inside
//! functions count for their whole module: a name that two functions import differently means both in both.

use super::modules::{Module, ModuleTree};
use super::paths::{Role, WrittenPath};
use std::collections::BTreeSet;

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target<'a> {
    /// An item that this file defines.
    Item { file: &'a str },
    /// A module itself, by index.
    Module(usize),
}

type Targets<'a> = BTreeSet<Target<'a>>;

/// What a path written in module `from` leads to; empty if to another crate.
pub(super) fn targets<'a>(tree: &'a ModuleTree, from: usize, path: &WrittenPath) -> Targets<'a> {
    Resolver { tree, followed: BTreeSet::new() }.start(from, &path.segments)
}

struct Resolver<'a> {
    tree: &'a ModuleTree,
    /// Imports (module, place among its paths) on the way, because imports may lead in a circle: `use std::{self}`.
    followed: BTreeSet<(usize, usize)>,
}

impl<'a> Resolver<'a> {
    fn start(&mut self, from: usize, path: &[String]) -> Targets<'a> {
        match path.split_first() {
            Some((first, rest)) if first == "crate" => self.descend(0, rest),
            Some((first, rest)) if first == "self" => self.descend(from, rest),
            Some((first, _)) if first == "super" => self.descend(from, path),
            _ => self.find(from, path).unwrap_or_default(),
        }
    }

    /// Follows `path` from within module `at`.
    fn descend(&mut self, at: usize, path: &[String]) -> Targets<'a> {
        let module = self.module(at);
        match path.split_first() {
            None => [Target::Module(at)].into(),
            Some((first, rest)) if first == "super" => self.descend(module.parent.unwrap_or(0), rest),
            Some(_) => self.find(at, path).unwrap_or_else(|| [Target::Item { file: &module.file }].into()),
        }
    }

    /// Follows a path that begins with a name in module `at`; `None` if the name is unknown there.
    fn find(&mut self, at: usize, path: &[String]) -> Option<Targets<'a>> {
        let (name, rest) = path.split_first()?;
        let module = self.module(at);
        let child = module.children.get(name).copied();
        if let Some(child) = child.filter(|_| !rest.is_empty()) {
            return Some(self.descend(child, rest));
        }
        if let Some(file) = module.items.get(name) {
            return Some([Target::Item { file }].into());
        }
        let imported = self.follow_imports(at, name, rest);
        imported.or(child.map(|child| [Target::Module(child)].into())).or_else(|| self.follow_globs(at, path))
    }

    fn follow_imports(&mut self, at: usize, name: &str, rest: &[String]) -> Option<Targets<'a>> {
        let mut found = None;
        for (place, import) in self.module(at).paths.iter().enumerate() {
            if import.imported_name() == Some(name) && self.followed.insert((at, place)) {
                let path: Vec<String> = import.segments.iter().chain(rest).cloned().collect();
                found.get_or_insert_with(Targets::new).extend(self.start(at, &path));
                self.followed.remove(&(at, place));
            }
        }
        found
    }

    fn follow_globs(&mut self, at: usize, path: &[String]) -> Option<Targets<'a>> {
        let mut found = None;
        for (place, glob) in self.module(at).paths.iter().enumerate() {
            if matches!(glob.role, Role::Glob) && self.followed.insert((at, place)) {
                let modules = self.start(at, &glob.segments).into_iter().filter_map(Target::module);
                let named: Vec<Targets<'a>> = modules.filter_map(|module| self.find(module, path)).collect();
                named.into_iter().for_each(|targets| found.get_or_insert_with(Targets::new).extend(targets));
                self.followed.remove(&(at, place));
            }
        }
        found
    }

    fn module(&self, index: usize) -> &'a Module {
        &self.tree.modules[index]
    }
}

impl Target<'_> {
    fn module(self) -> Option<usize> {
        match self {
            Target::Item { .. } => None,
            Target::Module(index) => Some(index),
        }
    }
}
