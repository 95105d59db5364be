//! The modules of a crate as a tree, each with its file, its items and the paths written in it.
//!
//! The tree follows the `mod` declarations from the root of the crate, not the folders, so files that only tests
//! declare are no part of it. All other conditions (`cfg`) count as true, so that every system sees the same tree.

use super::paths::{WrittenPath, name_of, written_paths};
use super::sources::Sources;
use super::test_only::{is_test_only, needs_test};
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
use syn::{ForeignItem, Item, ItemMacro, ItemMod};

/// A module, in a file of its own or within the file of its parent.
pub(super) struct Module {
    pub(super) file: String,
    /// `None`: the root.
    pub(super) parent: Option<usize>,
    /// Its modules by name, as indexes into the tree.
    pub(super) children: BTreeMap<String, usize>,
    /// By name of each other item: the file that defines it, which is another one for exported macros in the root.
    pub(super) items: BTreeMap<String, String>,
    pub(super) paths: Vec<WrittenPath>,
}

/// All modules below one root; the root is the first one.
pub(super) struct ModuleTree {
    pub(super) modules: Vec<Module>,
}

/// Where a module stands.
struct Place {
    file: String,
    /// The folder of its modules, ending in `/` unless empty.
    folder: String,
    parent: Option<usize>,
}

impl ModuleTree {
    /// Reads the tree below the file `root`, such as `lib.rs`.
    pub(super) fn read(root: &str, sources: &Sources) -> Result<Self> {
        let mut tree = Self { modules: Vec::new() };
        let folder = root.rfind('/').map_or("", |end| &root[..=end]);
        tree.add_file(Place { file: root.to_owned(), folder: folder.to_owned(), parent: None }, sources)?;
        Ok(tree)
    }

    fn add_file(&mut self, place: Place, sources: &Sources) -> Result<usize> {
        let text = sources.get(&place.file).with_context(|| format!("no file {}", place.file))?;
        let parsed = syn::parse_file(text);
        let parsed = parsed.map_err(|error| anyhow!("{}:{}: {error}", place.file, error.span().start().line))?;
        // `#![cfg(test)]` in a file is as good as `#[cfg(test)]` before its declaration.
        let items = if needs_test(&parsed.attrs) { Vec::new() } else { parsed.items };
        self.add(place, &items, sources)
    }

    fn add(&mut self, place: Place, items: &[Item], sources: &Sources) -> Result<usize> {
        let index = self.modules.len();
        let compiled = items.iter().filter(|item| !is_test_only(item));
        self.modules.push(Module {
            file: place.file.clone(),
            parent: place.parent,
            children: BTreeMap::new(),
            items: compiled.clone().flat_map(defined_names).map(|name| (name, place.file.clone())).collect(),
            paths: written_paths(items),
        });
        for item in compiled {
            match item {
                Item::Mod(module) => self.add_child(index, &place, module, sources)?,
                Item::Macro(item) => self.add_exported(item, &place.file),
                _ => {}
            }
        }
        Ok(index)
    }

    fn add_child(&mut self, parent: usize, place: &Place, module: &ItemMod, sources: &Sources) -> Result<()> {
        let name = name_of(&module.ident);
        let folder = format!("{}{name}/", place.folder);
        let child = match &module.content {
            Some((_, items)) => {
                self.add(Place { file: place.file.clone(), folder, parent: Some(parent) }, items, sources)?
            }
            None => {
                let candidates = [format!("{}{name}.rs", place.folder), format!("{folder}mod.rs")];
                let file = candidates.iter().find(|file| sources.contains_key(*file));
                let file = file.with_context(|| format!("{}: no file for module {name}", place.file))?.clone();
                self.add_file(Place { file, folder, parent: Some(parent) }, sources)?
            }
        };
        self.modules[parent].children.insert(name, child);
        Ok(())
    }

    /// An exported macro is an item of the root, wherever it stands.
    fn add_exported(&mut self, item: &ItemMacro, file: &str) {
        let is_exported = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
        if let Some(ident) = item.ident.as_ref().filter(|_| is_exported) {
            self.modules[0].items.insert(name_of(ident), file.to_owned());
        }
    }
}

/// The names that an item defines in its module; modules and imports are kept elsewhere.
fn defined_names(item: &Item) -> Vec<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Macro(item) => return item.ident.iter().map(name_of).collect(),
        Item::ForeignMod(block) => return block.items.iter().filter_map(foreign_name).collect(),
        _ => return Vec::new(),
    };
    vec![name_of(ident)]
}

fn foreign_name(item: &ForeignItem) -> Option<String> {
    match item {
        ForeignItem::Fn(item) => Some(name_of(&item.sig.ident)),
        ForeignItem::Static(item) => Some(name_of(&item.ident)),
        ForeignItem::Type(item) => Some(name_of(&item.ident)),
        _ => None,
    }
}
