//! The modules of a crate as a tree, with the paths written in each, and the file in which a path ends.
//!
//! ```text
//! path  = crate | self | super | name of a module or import in scope, then names
//! name  -> child module, if more names follow
//!       -> import of the module: go on with what it imports, whatever its visibility
//!       -> child module
//!       -> unknown: an item of this module; at the start of a path: an own item, or another crate
//! ```
//!
//! The tree follows the `mod` declarations from the root of the crate, not the folders. What is compiled for tests only
//! is left out: a test may use whatever it tests. All other conditions (`cfg`) count as true, so that every system sees
//! the same tree; imports under different conditions may share a name, and all of them are followed. Imports inside
//! functions count for their whole module.

use super::circles::Graph;
use anyhow::{Context, Result, anyhow};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use std::collections::BTreeMap;

/// Texts of the source files of a crate by path below their folder, with `/` between folders.
pub(super) type SourceTexts = BTreeMap<String, String>;

/// Imports that are followed one after the other, because imports may lead in a circle.
const MAX_STEPS: usize = 16;

/// A module, in a file of its own or within the file of its parent; the root is its own parent.
struct Module {
    file: String,
    parent: usize,
    /// Modules in it by name, as indexes into the tree.
    children: BTreeMap<String, usize>,
    paths: Vec<WrittenPath>,
}

/// The name of an import of all items of a module.
const GLOB: &str = "*";

/// A path of two names or more, or of an import; imports of a group are written out one by one.
struct WrittenPath {
    names: Vec<String>,
    line: usize,
    /// The name that an import gives to its item, [`GLOB`] for all items; `None` for a path that uses the item.
    import: Option<String>,
}

/// Modules below one root; the root is the first one.
pub(super) struct ModuleTree<'a> {
    sources: &'a SourceTexts,
    modules: Vec<Module>,
}

/// The module in which a path ends: in one of its items, or in the module itself.
struct PathTarget {
    module: usize,
    is_module: bool,
}

impl<'a> ModuleTree<'a> {
    /// Reads the tree below the file `root`, such as `lib.rs`.
    pub(super) fn read(root: &str, sources: &'a SourceTexts) -> Result<Self> {
        let mut tree = Self { sources, modules: Vec::new() };
        tree.add_file(root, root.rfind('/').map_or("", |end| &root[..=end]), 0)?;
        Ok(tree)
    }

    /// Adds the uses of files by other files.
    pub(super) fn add_uses(&self, graph: &mut Graph) {
        for (at, module) in self.modules.iter().enumerate() {
            for WrittenPath { names, line, import } in &module.paths {
                for target in self.targets(at, names, MAX_STEPS) {
                    // An import of a module only gives it a name: what is used is in the paths that begin with it.
                    let names_module = import.as_ref().is_some_and(|name| name != GLOB);
                    if !(target.is_module && names_module) {
                        let file = &self.modules[target.module].file;
                        let place = format!("{}:{line} uses {file}: {}", module.file, names.join("::"));
                        graph.add(&module.file, file, &place);
                    }
                }
            }
        }
    }

    /// Reads a module in a file; `folder` is the one of its modules, ending in `/` unless empty.
    fn add_file(&mut self, file: &str, folder: &str, parent: usize) -> Result<usize> {
        let text = self.sources.get(file).with_context(|| format!("no file {file}"))?;
        let tokens: Result<TokenStream, _> = text.parse();
        let tokens = tokens.map_err(|error| anyhow!("{file}:{}: {error}", error.span().start().line))?;
        self.add(file, parent, |tree, at| tree.read_tokens(at, tokens, folder))
    }

    fn add(&mut self, file: &str, parent: usize, read: impl FnOnce(&mut Self, usize) -> Result<()>) -> Result<usize> {
        let at = self.modules.len();
        let file = file.to_owned();
        self.modules.push(Module { file, parent, children: BTreeMap::new(), paths: Vec::new() });
        read(self, at)?;
        Ok(at)
    }

    /// Collects the modules and paths in tokens of module `at`.
    fn read_tokens(&mut self, at: usize, tokens: TokenStream, folder: &str) -> Result<()> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        while let [_, after @ ..] = rest {
            rest = match rest {
                [mark, not, TokenTree::Group(attribute), ..]
                    if is(mark, '#') && is(not, '!') && needs_test(&attribute.stream()) =>
                {
                    return Ok(());
                }
                [mark, TokenTree::Group(attribute), item @ ..] if is(mark, '#') && needs_test(&attribute.stream()) => {
                    behind_item(item)
                }
                [TokenTree::Ident(word), next, ..] if word == "use" && !is(next, '<') => {
                    let end = after.iter().position(|token| is(token, ';')).unwrap_or(after.len());
                    self.add_imports(at, &after[..end], &[]);
                    &after[end..]
                }
                [TokenTree::Ident(word), TokenTree::Ident(name), body, behind @ ..] if word == "mod" => {
                    self.add_child(at, &name_of(name), body, folder)?;
                    behind
                }
                [TokenTree::Ident(word), TokenTree::Group(_), behind @ ..] if word == "pub" => behind,
                // What follows `::` is in another crate, or belongs to what stands before.
                [one, two, TokenTree::Ident(_), behind @ ..] if is(one, ':') && is(two, ':') => behind,
                [TokenTree::Ident(name), behind @ ..] => self.add_path(at, name, behind),
                [TokenTree::Group(group), ..] => {
                    self.read_tokens(at, group.stream(), folder)?;
                    after
                }
                _ => after,
            };
        }
        Ok(())
    }

    fn add_child(&mut self, parent: usize, name: &str, body: &TokenTree, folder: &str) -> Result<()> {
        let file = self.modules[parent].file.clone();
        let own_folder = format!("{folder}{name}/");
        let child = if let TokenTree::Group(body) = body {
            self.add(&file, parent, |tree, at| tree.read_tokens(at, body.stream(), &own_folder))?
        } else {
            let candidates = [format!("{folder}{name}.rs"), format!("{own_folder}mod.rs")];
            let own_file = candidates.iter().find(|file| self.sources.contains_key(*file));
            let own_file = own_file.with_context(|| format!("{file}: no file for module {name}"))?;
            self.add_file(own_file, &own_folder, parent)?
        };
        self.modules[parent].children.insert(name.to_owned(), child);
        Ok(())
    }

    /// Adds a path that begins with a name, and returns the tokens behind it.
    fn add_path<'t>(&mut self, at: usize, first: &Ident, mut rest: &'t [TokenTree]) -> &'t [TokenTree] {
        let mut names = vec![name_of(first)];
        while let [one, two, TokenTree::Ident(name), behind @ ..] = rest
            && is(one, ':')
            && is(two, ':')
        {
            names.push(name_of(name));
            rest = behind;
        }
        if names.len() > 1 {
            self.modules[at].paths.push(WrittenPath { names, line: first.span().start().line, import: None });
        }
        rest
    }

    /// Adds the imports of a `use` tree behind `prefix`.
    fn add_imports(&mut self, at: usize, tree: &[TokenTree], prefix: &[String]) {
        for branch in tree.split(|token| is(token, ',')) {
            let mut names = prefix.to_vec();
            let mut alias = None;
            let mut is_glob = false;
            let mut tokens = branch.iter();
            while let Some(token) = tokens.next() {
                match token {
                    TokenTree::Ident(word) if word == "as" => alias = tokens.next().map(TokenTree::to_string),
                    TokenTree::Ident(word) if word == "self" && !names.is_empty() => {}
                    TokenTree::Ident(name) => names.push(name_of(name)),
                    TokenTree::Group(group) => {
                        self.add_imports(at, &group.stream().into_iter().collect::<Vec<_>>(), &names);
                        names.clear();
                    }
                    token => is_glob |= is(token, '*'),
                }
            }
            if let (Some(last), Some(end)) = (names.last().cloned(), branch.last()) {
                let import = if is_glob { GLOB.to_owned() } else { alias.unwrap_or(last) };
                self.modules[at].paths.push(WrittenPath { names, line: end.span().start().line, import: Some(import) });
            }
        }
    }

    /// Modules to which a path written in module `at` leads; empty if to another crate.
    fn targets(&self, at: usize, path: &[String], steps: usize) -> Vec<PathTarget> {
        let Some((first, rest)) = path.split_first().filter(|_| steps > 0) else { return Vec::new() };
        match first.as_str() {
            "crate" => self.descend(0, rest, steps),
            "self" => self.descend(at, rest, steps),
            "super" => self.descend(at, path, steps),
            _ if self.modules[at].children.contains_key(first) => self.descend(at, path, steps),
            _ if self.imports(at, first).next().is_some() => self.descend(at, path, steps),
            _ => {
                let behind = |glob: &WrittenPath| self.targets(at, &[&glob.names[..], path].concat(), steps - 1);
                self.imports(at, GLOB).flat_map(behind).collect()
            }
        }
    }

    /// Follows a path from within module `at`.
    fn descend(&self, at: usize, path: &[String], steps: usize) -> Vec<PathTarget> {
        let Some((name, rest)) = path.split_first() else { return vec![PathTarget { module: at, is_module: true }] };
        let module = &self.modules[at];
        if name == "super" {
            return self.descend(module.parent, rest, steps);
        }
        let child = module.children.get(name);
        if let Some(child) = child.filter(|_| !rest.is_empty()) {
            return self.descend(*child, rest, steps);
        }
        if self.imports(at, name).next().is_none() {
            return vec![PathTarget { module: *child.unwrap_or(&at), is_module: child.is_some() }];
        }
        let follow = |import: &WrittenPath| self.targets(at, &[&import.names[..], rest].concat(), steps - 1);
        self.imports(at, name).flat_map(follow).collect()
    }

    /// The imports of a name; `use std::{self}` leads nowhere but to itself.
    fn imports(&self, at: usize, name: &str) -> impl Iterator<Item = &WrittenPath> {
        let paths = self.modules[at].paths.iter().filter(move |path| path.names[..] != [name]);
        paths.filter(move |path| path.import.as_deref() == Some(name))
    }
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn name_of(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

/// Returns whether an attribute is `cfg(test)` or `cfg(all(test, ...))`.
fn needs_test(attribute: &TokenStream) -> bool {
    let text = attribute.to_string().replace(' ', "");
    let parts = text.strip_prefix("cfg(all(").and_then(|rest| rest.strip_suffix("))"));
    text == "cfg(test)" || parts.is_some_and(|parts| parts.split(',').any(|part| part == "test"))
}

/// The tokens behind an item, which ends with its body or a semicolon, or behind a variant, a field or an expression,
/// which ends with a comma.
fn behind_item(tokens: &[TokenTree]) -> &[TokenTree] {
    const ITEMS: [&str; 14] = [
        "async",
        "const",
        "enum",
        "extern",
        "fn",
        "impl",
        "macro_rules",
        "mod",
        "pub",
        "static",
        "struct",
        "trait",
        "type",
        "use",
    ];
    let is_item = |token: &&TokenTree| matches!(token, TokenTree::Ident(word) if ITEMS.contains(&&*word.to_string()));
    let ends_with_comma =
        tokens.iter().find(|token| matches!(token, TokenTree::Ident(_))).is_none_or(|token| !is_item(&token));
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => is(token, ';') || ends_with_comma && is(token, ','),
    };
    tokens.iter().position(is_end).map_or(&[], |end| &tokens[end + 1..])
}
