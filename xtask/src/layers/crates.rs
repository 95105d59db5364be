//! Dependencies that our crates may have on each other.

use serde_json::Value;

/// Our crates, and which of our crates each may depend on.
const ALLOWED: [(&str, &[&str]); 9] = [
    ("lookalike-core", &[]),
    ("lookalike-io", &["lookalike-core"]),
    ("lookalike-index", &["lookalike-core"]),
    ("lookalike", &["lookalike-core", "lookalike-io", "lookalike-index"]),
    // The tests compare with the pipeline.
    ("lookalike-batch", &["lookalike-core", "lookalike-io", "lookalike"]),
    ("lookalike-server", &["lookalike"]),
    ("lookalike-python", &["lookalike", "lookalike-batch", "lookalike-cli"]),
    ("lookalike-cli", &["lookalike", "lookalike-server"]),
    ("xtask", &[]),
];

/// A description of each dependency of a crate that the table forbids, or of a crate that the table does not know.
/// Dependencies for tests and builds count.
pub(super) fn forbidden_dependencies(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        return vec![format!("crate {name} has no place in the layers: add it to xtask/src/layers/crates.rs")];
    };
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let ours = dependencies
        .filter_map(|dependency| dependency["name"].as_str())
        .filter(|dependency| ALLOWED.iter().any(|(known, _)| known == dependency));
    let forbidden = ours.filter(|dependency| !allowed.contains(dependency));
    forbidden.map(|dependency| format!("crate {name} must not depend on {dependency}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn forbidden(name: &str, dependencies: &[&str]) -> Vec<String> {
        let dependencies: Vec<Value> = dependencies.iter().map(|name| json!({"name": name})).collect();
        forbidden_dependencies(&json!({"name": name, "dependencies": dependencies}))
    }

    #[test]
    fn dependencies_on_lower_crates_and_on_others_are_allowed() {
        assert!(forbidden("lookalike", &["lookalike-core", "lookalike-io", "serde"]).is_empty());
    }

    #[test]
    fn a_dependency_on_a_higher_crate_is_forbidden() {
        let found = forbidden("lookalike-io", &["lookalike-core", "lookalike"]);
        assert_eq!(found, ["crate lookalike-io must not depend on lookalike"]);
    }

    #[test]
    fn an_unknown_crate_is_refused() {
        assert!(forbidden("lookalike-web", &[])[0].contains("lookalike-web has no place in the layers"));
    }
}
