//! Paths in unparsed tokens: the arguments of macros and attributes.

use proc_macro2::{Ident, TokenStream, TokenTree};

/// All runs of identifiers joined by `::`, also within brackets; those that begin with `::` name other crates and are
/// left out.
///
/// A macro may give its tokens any meaning, so this is an estimate: what it takes for a path might not become one, and
/// what a macro puts together from pieces is not seen.
pub(super) fn paths_in(tokens: TokenStream) -> Vec<Vec<Ident>> {
    let mut paths = Vec::new();
    let mut open: Option<Vec<Ident>> = None;
    let mut colons = 0;
    for token in tokens {
        if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':') {
            colons += 1;
            continue;
        }
        match token {
            TokenTree::Ident(ident) if colons == 2 => {
                if let Some(path) = &mut open {
                    path.push(ident);
                }
            }
            TokenTree::Ident(ident) => paths.extend(open.replace(vec![ident])),
            TokenTree::Group(group) => {
                paths.extend(open.take());
                paths.extend(paths_in(group.stream()));
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => paths.extend(open.take()),
        }
        colons = 0;
    }
    paths.extend(open);
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long_paths(tokens: &str) -> Vec<String> {
        let paths = paths_in(tokens.parse().unwrap()).into_iter().filter(|path| path.len() > 1);
        paths.map(|path| path.iter().map(Ident::to_string).collect::<Vec<_>>().join("::")).collect()
    }

    #[test]
    fn paths_are_found_between_other_tokens_and_in_groups() {
        let found = long_paths("x, crate::a::B | super::C { d: e::F(1), g }, vec![$crate::h::I]");
        assert_eq!(found, ["crate::a::B", "super::C", "e::F", "crate::h::I"]);
    }

    #[test]
    fn other_crates_generic_arguments_and_types_after_a_colon_are_no_part_of_a_path() {
        assert_eq!(long_paths("::std::mem::swap, a::B::<c::D>::new(), e: f::G"), ["a::B", "c::D", "f::G"]);
    }
}
