//! Circles in made-up crates.

use super::*;

/// The circles of a crate of these files and texts.
fn circles(files: &[(&str, &str)]) -> Vec<String> {
    let sources = files.iter().map(|&(file, text)| (file.to_owned(), text.to_owned())).collect();
    circles_of("made-up", &sources).unwrap()
}

#[track_caller]
fn assert_one(files: &[(&str, &str)], expected: &[&str]) {
    let found = circles(files);
    assert_eq!(found, [expected.join("\n")]);
}

#[test]
fn files_that_use_each_other_are_a_circle_with_a_line_for_each_arrow() {
    let a = "use super::b::B;\npub struct A;";
    let b = "pub struct B;\nfn f() {\n    crate::room::a::A;\n}";
    assert_one(
        &[("lib.rs", "mod room;"), ("room.rs", "mod a; mod b;"), ("room/a.rs", a), ("room/b.rs", b)],
        &[
            "files of made-up use each other in a circle: room/a.rs -> room/b.rs -> room/a.rs",
            "    room/a.rs:1 uses room/b.rs: super::b::B",
            "    room/b.rs:3 uses room/a.rs: crate::room::a::A",
        ],
    );
}

#[test]
fn a_parent_whose_own_item_its_child_imports_is_a_circle() {
    assert_one(
        &[
            ("lib.rs", "pub mod room;"),
            ("room/mod.rs", "mod child;\npub struct Own;\nfn f() { child::g() }"),
            ("room/child.rs", "use super::Own;\npub fn g() {}"),
        ],
        &[
            "files of made-up use each other in a circle: room/child.rs -> room/mod.rs -> room/child.rs",
            "    room/child.rs:1 uses room/mod.rs: super::Own",
            "    room/mod.rs:3 uses room/child.rs: child::g",
        ],
    );
}

#[test]
fn the_root_of_a_crate_is_a_parent_too() {
    let found = circles(&[("main.rs", "mod a;\nstruct Own;\nuse a::A;"), ("a.rs", "pub struct A(crate::Own);")]);
    assert!(found[0].contains("a.rs -> main.rs -> a.rs"), "{found:?}");
}

#[test]
fn a_parent_that_only_opens_and_reexports_is_in_no_circle_with_children_that_use_each_other_through_it() {
    let parent =
        "mod a; mod b; mod c;\npub use a::A;\npub(crate) use self::b::{B, C as D};\npub(super) use c::{E, made};";
    let a = "use super::{B, D, c};\nuse crate::E;\nuse crate::room::made;\npub struct A; fn f() { c::E; }";
    let b = "use super::E;\npub struct B; pub struct C;";
    let c = "pub struct E; pub fn made() {}";
    let files = [
        ("lib.rs", "mod room; pub use room::{A, E};"),
        ("room.rs", parent),
        ("room/a.rs", a),
        ("room/b.rs", b),
        ("room/c.rs", c),
    ];
    assert_eq!(circles(&files), [""; 0]);
}

#[test]
fn a_circle_through_reexports_is_found() {
    let files = [
        ("lib.rs", "mod room;"),
        ("room.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
        ("room/a.rs", "use super::B; pub struct A;"),
        ("room/b.rs", "use crate::room as r; pub struct B(r::A);"),
    ];
    let found = circles(&files);
    assert!(found[0].contains("room/a.rs -> room/b.rs -> room/a.rs"), "{found:?}");
    assert!(found[0].contains("room/b.rs:1 uses room/a.rs: r::A"), "{found:?}");
}

#[test]
fn a_glob_import_uses_the_file_of_its_module() {
    let found = circles(&[("lib.rs", "mod a; pub use a::A;"), ("a.rs", "use super::*; pub struct A;")]);
    assert!(found[0].contains("a.rs:1 uses lib.rs: super\n"), "{found:?}");
}

#[test]
fn a_name_behind_a_glob_import_is_followed() {
    let a = "use super::*;\npub struct A;\nfn f() { b::g() }";
    let b = "use super::a::A;\npub fn g() {}";
    let found = circles(&[("lib.rs", "mod room;"), ("room.rs", "mod a; mod b;"), ("room/a.rs", a), ("room/b.rs", b)]);
    assert!(found.iter().any(|circle| circle.contains("room/a.rs:3 uses room/b.rs")), "{found:?}");
}

#[test]
fn a_variant_that_only_tests_have_ends_at_its_comma() {
    let b = "pub enum B {\n#[cfg(test)]\nOnly(super::c::C),\nAll(super::a::A),\n}";
    assert_eq!(
        circles(&[
            ("lib.rs", "mod room;"),
            ("room.rs", "mod a; mod b; mod c;"),
            ("room/a.rs", "use super::b::B; pub struct A;"),
            ("room/b.rs", b),
            ("room/c.rs", "use super::b::B; pub struct C;"),
        ])
        .len(),
        1
    );
}

#[test]
fn what_only_tests_use_is_left_out() {
    let a = "use crate::b::B; pub struct A;";
    let b = "pub struct B;\n#[cfg(test)] use crate::a::A;\n#[cfg(test)] mod tests;\n\
        #[cfg(test)] mod more { use super::super::a::A; }\nimpl B { #[cfg(test)] fn f() { crate::a::A; } }";
    let files =
        [("lib.rs", "mod a; mod b;"), ("a.rs", a), ("b.rs", b), ("b/tests.rs", "use crate::a::A; use super::*;")];
    assert_eq!(circles(&files), [""; 0]);
}

#[test]
fn nested_groups_climb_with_super() {
    let deep = "use super::super::{other::{self, x::{X, Y as Z}}, side};\nfn f() { side::f(); other::g(); }";
    let files = [
        ("lib.rs", "mod room;"),
        ("room/mod.rs", "mod inner; mod other; mod side;"),
        ("room/inner/mod.rs", "pub mod deep;"),
        ("room/inner/deep.rs", deep),
        ("room/other/mod.rs", "pub mod x; pub fn g() {}"),
        ("room/other/x.rs", "pub struct X(super::super::inner::deep::D); pub struct Y;"),
        ("room/side.rs", "pub fn f() {} use crate::room::inner::deep;"),
    ];
    let found = circles(&files);
    assert!(found[0].contains("a circle: room/inner/deep.rs -> room/other/x.rs -> room/inner/deep.rs"), "{found:?}");
    assert!(found[0].contains("room/inner/deep.rs:1 uses room/other/x.rs: super::super::other::x::X"), "{found:?}");
}

#[test]
fn rooms_can_be_a_circle_when_their_files_are_not() {
    assert_one(
        &[
            ("lib.rs", "mod one; mod two;"),
            ("one.rs", "pub mod a; pub mod b;"),
            ("one/a.rs", "use crate::two::c::C;"),
            ("one/b.rs", "pub struct B;"),
            ("two/mod.rs", "pub mod c; pub mod d;"),
            ("two/c.rs", "pub struct C;"),
            ("two/d.rs", "\nuse crate::one::b::B;"),
        ],
        &[
            "rooms of made-up use each other in a circle: one -> two -> one",
            "    one/a.rs:1 uses two/c.rs: crate::two::c::C",
            "    two/d.rs:2 uses one/b.rs: crate::one::b::B",
        ],
    );
}

#[test]
fn a_name_that_is_module_and_function_is_the_function_at_the_end_of_a_path() {
    let files = [
        ("lib.rs", "mod compare; mod inner; pub use inner::compare;"),
        ("compare.rs", "pub struct Compared; fn f() { crate::compare() }"),
        ("inner.rs", "use crate::compare::Compared; pub fn compare() {}"),
    ];
    let found = circles(&files);
    assert!(found.iter().any(|text| text.contains("compare.rs:1 uses inner.rs: crate::compare\n")), "{found:?}");
}

#[test]
fn imports_under_different_conditions_are_all_followed() {
    let parent =
        "mod with; mod without; mod user;\n#[cfg(unix)] pub use with::f;\n#[cfg(not(unix))] pub use without::f;";
    let files = [
        ("lib.rs", "mod room;"),
        ("room.rs", parent),
        ("room/user.rs", "use super::f; pub struct User;"),
        ("room/with.rs", "pub fn f() {}"),
        ("room/without.rs", "use super::user::User; pub fn f() {}"),
    ];
    assert!(circles(&files)[0].contains("room/user.rs -> room/without.rs -> room/user.rs"));
}

#[test]
fn paths_in_macros_lead_to_their_files() {
    let a = "macro_rules! say { () => { $crate::b::hear() } }";
    let b = "pub fn hear() { println!(\"{}\", [crate::a::B, ::std::c::D]) }";
    let found = circles(&[("lib.rs", "mod a; mod b;"), ("a.rs", a), ("b.rs", b)]);
    assert!(found.iter().any(|text| text.contains(" a.rs -> b.rs -> a.rs")), "{found:?}");
}

#[test]
fn modules_within_a_file_belong_to_it() {
    let a = "mod inner { pub use super::super::b::B; pub struct I; } pub use inner::I;";
    let found = circles(&[("lib.rs", "mod a; mod b;"), ("a.rs", a), ("b.rs", "pub struct B(crate::a::I);")]);
    assert!(found.iter().any(|text| text.contains(" a.rs -> b.rs -> a.rs")), "{found:?}");
}

#[test]
fn other_crates_are_no_part_of_the_graph_even_under_names_of_ours() {
    let a = "use std::{self, io}; use io::Read; use lookalike_io as b; fn f() { b::read(); std::fs::read(); ::b::g() }";
    let files = [
        ("lib.rs", "mod a; mod b; pub use lookalike_core as core;"),
        ("a.rs", a),
        ("b.rs", "use crate::a;\nuse crate::core::X; fn f() { a::f() }"),
    ];
    assert_eq!(circles(&files), [""; 0]);
}

#[test]
fn a_file_that_cannot_be_parsed_is_an_error_with_its_name_and_line() {
    let sources = [("lib.rs", "mod a;"), ("a.rs", "fn f() {}\nfn \"")].map(|(file, text)| (file.into(), text.into()));
    let error = circles_of("made-up", &sources.into()).unwrap_err();
    assert!(error.to_string().starts_with("a.rs:2: "), "{error}");
}

#[test]
fn a_module_without_a_file_is_an_error_with_the_file_that_declares_it() {
    let error = circles_of("made-up", &[("lib.rs".into(), "mod a;".into())].into()).unwrap_err();
    assert_eq!(error.to_string(), "lib.rs: no file for module a");
}

#[test]
fn only_conditions_that_need_tests_leave_an_item_out() {
    for (condition, is_circle) in [
        ("test", false),
        ("all(unix, test)", false),
        ("unix", true),
        ("not(test)", true),
        ("any(test, unix)", true),
        ("all(unix, not(test))", true),
    ] {
        let b = format!("pub struct B;\n#[cfg({condition})]\n#[inline]\npub fn f() {{ crate::a::A; }}");
        let files = [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B; pub struct A;"), ("b.rs", &b)];
        assert_eq!(!circles(&files).is_empty(), is_circle, "{condition}");
    }
}

#[test]
fn comments_strings_and_visibilities_are_no_paths() {
    let b = "/// crate::a::A\npub(in crate::a) struct B;\n// crate::a::A\nconst D: &str = \"crate::a::A\";";
    let files = [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", b)];
    assert_eq!(circles(&files), [""; 0]);
}

#[test]
fn types_patterns_and_attributes_are_searched() {
    for use_of_a in [
        "#[derive(crate::a::A)] struct S;",
        "struct S { b: Vec<crate::a::A> }",
        "fn f(x: &dyn crate::a::A) {}",
        "fn f() { let crate::a::A(y) = x; }",
        "fn f() { g::<crate::a::A>() }",
    ] {
        let files = [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", use_of_a)];
        assert_eq!(circles(&files).len(), 2, "{use_of_a}");
    }
}
