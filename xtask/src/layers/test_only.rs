//! What is compiled for tests only, which the layers leave alone: a test may use whatever it tests.

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, ImplItem, ImplItemConst, ImplItemFn, ImplItemMacro, ImplItemType, Item, ItemConst, ItemEnum,
    ItemExternCrate, ItemFn, ItemForeignMod, ItemImpl, ItemMacro, ItemMod, ItemStatic, ItemStruct, ItemTrait,
    ItemTraitAlias, ItemType, ItemUnion, ItemUse, Meta,
};

/// Whether an item is compiled for tests only.
pub(super) fn is_test_only(item: &Item) -> bool {
    needs_test(match item {
        Item::Const(ItemConst { attrs, .. })
        | Item::Enum(ItemEnum { attrs, .. })
        | Item::ExternCrate(ItemExternCrate { attrs, .. })
        | Item::Fn(ItemFn { attrs, .. })
        | Item::ForeignMod(ItemForeignMod { attrs, .. })
        | Item::Impl(ItemImpl { attrs, .. })
        | Item::Macro(ItemMacro { attrs, .. })
        | Item::Mod(ItemMod { attrs, .. })
        | Item::Static(ItemStatic { attrs, .. })
        | Item::Struct(ItemStruct { attrs, .. })
        | Item::Trait(ItemTrait { attrs, .. })
        | Item::TraitAlias(ItemTraitAlias { attrs, .. })
        | Item::Type(ItemType { attrs, .. })
        | Item::Union(ItemUnion { attrs, .. })
        | Item::Use(ItemUse { attrs, .. }) => attrs,
        _ => &[],
    })
}

/// Whether an item of an `impl` block is compiled for tests only.
pub(super) fn is_test_only_in_impl(item: &ImplItem) -> bool {
    needs_test(match item {
        ImplItem::Const(ImplItemConst { attrs, .. })
        | ImplItem::Fn(ImplItemFn { attrs, .. })
        | ImplItem::Macro(ImplItemMacro { attrs, .. })
        | ImplItem::Type(ImplItemType { attrs, .. }) => attrs,
        _ => &[],
    })
}

/// Whether `cfg(test)` or `cfg(all(test, ...))` is among the attributes.
pub(super) fn needs_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && is_test_condition(list.tokens.clone()),
        _ => false,
    })
}

fn is_test_condition(condition: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(parts)] if name == "all" => {
            let parts: Vec<TokenTree> = parts.stream().into_iter().collect();
            let mut parts = parts.split(|token| matches!(token, TokenTree::Punct(_)));
            parts.any(|part| is_test_condition(part.iter().cloned().collect()))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_left_out(source: &str) -> bool {
        is_test_only(&syn::parse_str(source).unwrap())
    }

    #[test]
    fn only_conditions_that_need_tests_leave_an_item_out() {
        assert!(is_left_out("#[cfg(test)] mod tests;"));
        assert!(is_left_out("#[cfg(all(unix, test))] fn f() {}"));
        assert!(!is_left_out("#[cfg(unix)] fn f() {}"));
        assert!(!is_left_out("#[cfg(not(test))] use a::b;"));
        assert!(!is_left_out("#[cfg(any(test, unix))] struct A;"));
        assert!(!is_left_out("mod tests;"));
    }
}
