//! Every path that is written in a module: in `use` trees, expressions, types, patterns, attributes and macro calls.
//!
//! Not collected: what is compiled for tests only, paths that begin with `::` (other crates), paths inside
//! visibilities, and paths of one segment outside `use`, because a path that is collected brought them into scope.

use super::test_only::{is_test_only, is_test_only_in_impl};
use super::tokens::paths_in;
use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item, ItemMod, ItemUse, Macro, MetaList, UseTree, Visibility};

/// A path as it is written; imports of a group are written out one by one.
pub(super) struct WrittenPath {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
    pub(super) role: Role,
}

/// What a path stands for in its module.
pub(super) enum Role {
    /// Names an item.
    Mention,
    /// Private `use`: gives the item a name in this module.
    Import { name: String },
    /// `use` with a visibility: gives the item a name that other modules may use.
    Reexport { name: String },
    /// `use path::*`: brings all names of the path into scope.
    Glob,
}

impl WrittenPath {
    /// The name that this path gives to its item, if it is an import.
    pub(super) fn imported_name(&self) -> Option<&str> {
        match &self.role {
            Role::Import { name } | Role::Reexport { name } => Some(name),
            Role::Mention | Role::Glob => None,
        }
    }
}

/// All paths written in `items`, those of modules among the items excepted.
pub(super) fn written_paths(items: &[Item]) -> Vec<WrittenPath> {
    let mut collector = Collector { paths: Vec::new() };
    items.iter().for_each(|item| collector.visit_item(item));
    collector.paths
}

/// An identifier without `r#`.
pub(super) fn name_of(ident: &Ident) -> String {
    ident.unraw().to_string()
}

struct Collector {
    paths: Vec<WrittenPath>,
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test_only(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !is_test_only_in_impl(item) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            let role: fn(String) -> Role = match item.vis {
                Visibility::Inherited => |name| Role::Import { name },
                Visibility::Public(_) | Visibility::Restricted(_) => |name| Role::Reexport { name },
            };
            self.add_use(&item.tree, role, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.add_mention(&path.segments.iter().map(|segment| &segment.ident).collect::<Vec<_>>());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        visit::visit_macro(self, call);
        self.add_tokens(&call.tokens);
    }

    fn visit_meta_list(&mut self, list: &'ast MetaList) {
        self.add_tokens(&list.tokens);
    }
}

impl Collector {
    fn add_tokens(&mut self, tokens: &TokenStream) {
        for path in paths_in(tokens.clone()) {
            self.add_mention(&path.iter().collect::<Vec<_>>());
        }
    }

    fn add_mention(&mut self, path: &[&Ident]) {
        if let [_, .., last] = path {
            self.add(path.iter().map(|ident| name_of(ident)).collect(), last.span(), Role::Mention);
        }
    }

    fn add_use(&mut self, tree: &UseTree, role: fn(String) -> Role, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(name_of(&path.ident));
                self.add_use(&path.tree, role, prefix);
                prefix.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_use(tree, role, prefix)),
            UseTree::Glob(glob) => self.add(prefix.clone(), glob.star_token.span, Role::Glob),
            UseTree::Name(leaf) => self.add_import(prefix, &leaf.ident, &leaf.ident, role),
            UseTree::Rename(leaf) => self.add_import(prefix, &leaf.ident, &leaf.rename, role),
        }
    }

    /// `prefix::leaf as alias`, where a leaf `self` is `prefix` itself.
    fn add_import(&mut self, prefix: &[String], leaf: &Ident, alias: &Ident, role: fn(String) -> Role) {
        let mut segments = prefix.to_vec();
        if leaf != "self" {
            segments.push(name_of(leaf));
        }
        let name = if alias == "self" { segments.last().cloned().unwrap_or_default() } else { name_of(alias) };
        self.add(segments, leaf.span(), role(name));
    }

    fn add(&mut self, segments: Vec<String>, span: Span, role: Role) {
        self.paths.push(WrittenPath { segments, line: span.start().line, role });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `line path`, with `as name` for imports.
    fn found(source: &str) -> Vec<String> {
        let paths = written_paths(&syn::parse_file(source).unwrap().items);
        let shown = paths.iter().map(|path| match path.imported_name() {
            Some(name) => format!("{} {} as {name}", path.line, path.segments.join("::")),
            None => format!("{} {}", path.line, path.segments.join("::")),
        });
        shown.collect()
    }

    #[test]
    fn groups_are_written_out_with_lines_and_names() {
        let source = "use a::{\n    b::{self, C as D},\n    super_e::*,\n};\npub use f as g;";
        assert_eq!(found(source), ["2 a::b as b", "2 a::b::C as D", "3 a::super_e", "5 f as g"]);
    }

    #[test]
    fn types_patterns_macros_and_attributes_are_searched() {
        let source = "#[derive(a::A)] struct S { b: Vec<b::B> }\n\
            fn f(x: &dyn c::C) -> bool { let d::D(y) = x; matches!(y, e::E) && g::<h::H>() }";
        assert_eq!(found(source), ["1 a::A", "1 b::B", "2 c::C", "2 d::D", "2 e::E", "2 h::H"]);
    }

    #[test]
    fn comments_strings_visibilities_tests_and_other_crates_are_left_out() {
        let source = "/// a::A\npub(in crate::b) struct B;\n// c::C\nconst D: &str = \"d::D\";\nuse ::e::E;\n\
            #[cfg(test)] use f::F;\nimpl B { #[cfg(test)] fn g() { g::G } }\nmod h { use i::I; }";
        assert!(found(source).is_empty());
    }
}
