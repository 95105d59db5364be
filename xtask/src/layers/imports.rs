//! Who imports whom among the modules of a Python package.
//!
//! Every import counts, wherever it stands: one within a function, or for types only, hides a circle from Python and
//! not from a reader. Statements are found by their first word outside of texts in three quotes, which is all that code
//! as a formatter leaves it needs. A package is its `__init__.py`: who imports a module of it does not use what stands
//! there, who imports a name from it does.

use super::circles::{Graph, Use};
use super::sources::Sources;
use std::collections::BTreeMap;

/// The files of modules by their full names.
type Modules<'a> = BTreeMap<String, &'a str>;

/// An import statement on one line, without its comments.
struct Statement {
    line: usize,
    text: String,
}

/// Module uses module; `sources` are the files below the folder that holds the package.
pub(super) fn between_modules(sources: &Sources) -> Graph {
    let modules: Modules = sources.keys().map(|file| (module_of(file), file.as_str())).collect();
    let mut graph = Graph::default();
    for (from, text) in sources {
        for Statement { line, text } in statements(text) {
            for to in targets(&text, from, &modules) {
                let place = Use { from: from.clone(), line, to: to.to_owned(), path: text.clone() };
                graph.add(from, to, place);
            }
        }
    }
    graph
}

/// The full name of the module of a file.
fn module_of(file: &str) -> String {
    let path = file.rsplit_once('.').map_or(file, |(path, _)| path);
    path.strip_suffix("/__init__").unwrap_or(path).replace('/', ".")
}

/// The import statements of a file.
fn statements(text: &str) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut is_quoted = false;
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        let was_quoted = is_quoted;
        is_quoted ^= line.matches("\"\"\"").count() % 2 == 1;
        let code = line.split('#').next().unwrap_or_default().trim();
        if was_quoted || !(is_open || code.starts_with("import ") || code.starts_with("from ")) {
            continue;
        }
        if !is_open {
            found.push(Statement { line: number + 1, text: String::new() });
        }
        if let Some(last) = found.last_mut() {
            let space = if last.text.is_empty() { "" } else { " " };
            last.text = format!("{}{space}{}", last.text, code.trim_end_matches('\\').trim_end());
            is_open = code.ends_with('\\') || last.text.contains('(') && !last.text.contains(')');
        }
    }
    found
}

/// The files of the modules that a statement in the file `from` imports; those of other packages are left out.
fn targets<'a>(statement: &str, from: &str, modules: &Modules<'a>) -> Vec<&'a str> {
    let names = |list: &str| -> Vec<String> {
        let names = list.split([',', '(', ')']).filter_map(|name| name.split_whitespace().next());
        names.map(str::to_owned).collect()
    };
    let paths = match statement.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
        Some((written, list)) => {
            let package = full_name(written.trim(), from);
            names(list).iter().map(|name| format!("{package}.{name}")).collect()
        }
        None => statement.strip_prefix("import ").map(names).unwrap_or_default(),
    };
    paths.iter().filter_map(|path| module_on(path, modules)).collect()
}

/// A module as it is written after `from` in a file, with its full name.
fn full_name(written: &str, file: &str) -> String {
    let below = written.trim_start_matches('.');
    let mut package = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let dots = written.len() - below.len();
    if dots == 0 {
        return below.to_owned();
    }
    for _ in 1..dots {
        package = package.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
    let parts = [package.replace('/', "."), below.to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".")
}

/// The file of the longest beginning of a dotted path that is a module: what follows are names within it.
fn module_on<'a>(path: &str, modules: &Modules<'a>) -> Option<&'a str> {
    let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
    ends.filter_map(|end| modules.get(&path[..end]).copied()).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let sources = files.iter().map(|&(file, text)| (file.to_owned(), text.to_owned())).collect();
        between_modules(&sources).describe_circles("modules")
    }

    /// Whether `import`, on the second line of `p/room/a.py`, uses a file.
    #[track_caller]
    fn assert_uses(import: &str, files: &[&str]) {
        let mut sources: Sources = ["p/__init__.py", "p/b.py", "p/room/__init__.py", "p/room/c.py", "p/native.pyi"]
            .map(|file| (file.to_owned(), String::new()))
            .into();
        sources.insert("p/room/a.py".to_owned(), format!("\n{import}"));
        let graph = between_modules(&sources);
        assert!(graph.uses().all(|place| place.from == "p/room/a.py" && place.line == 2), "{import}");
        assert_eq!(graph.uses().map(|place| place.to.as_str()).collect::<Vec<_>>(), files, "{import}");
    }

    #[test]
    fn every_form_of_import_leads_to_its_module() {
        assert_uses("from .c import name", &["p/room/c.py"]);
        assert_uses("from . import c", &["p/room/c.py"]);
        assert_uses("from . import name", &["p/room/__init__.py"]);
        assert_uses("from ..b import name as other  # why", &["p/b.py"]);
        assert_uses("from .. import b, native", &["p/b.py", "p/native.pyi"]);
        assert_uses("from p.room import c as other", &["p/room/c.py"]);
        assert_uses("from p import *", &["p/__init__.py"]);
        assert_uses("import p.b as other, p.room.c", &["p/b.py", "p/room/c.py"]);
        assert_uses("from .c import (\n    one,  # why\n    two,\n)\nx = (1)", &["p/room/c.py"]);
        assert_uses("from .. import \\\n    b", &["p/b.py"]);
    }

    #[test]
    fn other_packages_and_texts_are_no_imports() {
        assert_uses("import os, pyarrow.parquet\nfrom b import x\nfrom p2.room import c", &[]);
        assert_uses("\"\"\"A text\nfrom .c import name\n\"\"\"\n# from ..b import x\n'from ..b import x'", &[]);
        assert_uses("yield from .5\nimportant = 1\nfrom_ = 2", &[]);
    }

    #[test]
    fn a_package_that_brings_names_is_in_no_circle_with_its_modules() {
        let files = [
            ("p/__init__.py", "from ._a import A\nfrom .room import b"),
            ("p/_a.py", "from .room import b\nimport p.c"),
        ];
        assert_eq!(circles(&[&files[..], &[("p/room/b.py", ""), ("p/c.py", "import os")]].concat()), [""; 0]);
    }

    #[test]
    fn late_imports_and_those_for_types_only_close_a_circle() {
        let a = "def f():\n    from .room.b import g\n    g()";
        let b = "if TYPE_CHECKING:\n    from .._a import A";
        let expected = [
            "modules: 2 use each other in circles: p/_a.py, p/room/b.py",
            "  p/_a.py -> p/room/b.py -> p/_a.py",
            "    p/_a.py:2 uses p/room/b.py: from .room.b import g",
            "    p/room/b.py:2 uses p/_a.py: from .._a import A",
        ];
        assert_eq!(circles(&[("p/__init__.py", ""), ("p/_a.py", a), ("p/room/b.py", b)]), [expected.join("\n")]);
    }

    #[test]
    fn a_module_that_takes_a_name_from_its_package_is_in_a_circle() {
        let found = circles(&[("p/__init__.py", "from ._a import A"), ("p/_a.py", "from . import B")]);
        assert!(found[0].contains("p/__init__.py -> p/_a.py -> p/__init__.py"), "{found:?}");
    }
}
