use super::*;
use std::fs;

struct World {
    root: tempfile::TempDir,
}

impl World {
    fn with(files: &[(&str, &str)]) -> Self {
        let world = Self { root: tempfile::tempdir().unwrap() };
        for (name, content) in files {
            let path = world.root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        world
    }

    fn path(&self, name: &str) -> String {
        self.root.path().join(name).display().to_string()
    }

    fn load(&self, name: &str) -> Result<String> {
        self.load_among(&[], &self.path(name))
    }

    fn load_among(&self, inputs: &[&str], name: &str) -> Result<String> {
        let inputs = inputs.iter().map(|input| self.root.path().join(input)).collect();
        let inputs = Inputs { inputs, ..Inputs::default() };
        let content = Finder::new(&inputs, inputs.fields()).and_then(|finder| finder.content_of(name))?;
        Ok(content.stored().into_owned())
    }
}

fn record(id: &str, text: &str) -> String {
    format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")
}

#[test]
fn documents_are_found_in_files_folders_and_json_lines() {
    let bad = "oops\n{\"id\":\"k:1\",\"text\":\"three\"}\n{\"text\":\"four\"}\n";
    let world = World::with(&[("a.txt", "one two"), ("x:y.jsonl", bad), ("folder/b.txt", "b")]);
    let load = |name: &str| world.load(name);
    assert_eq!(load("a.txt").unwrap(), "one two");
    assert_eq!(world.load_among(&[], &format!("{}:a.txt", world.root.path().display())).unwrap(), "one two");
    for (name, text) in [
        ("x:y.jsonl:k:1", "three"),
        ("x:y.jsonl:x:y.jsonl:3", "four"),
        ("x:y.jsonl:3", "four"),
        ("x:y.jsonl:k:1@x:y.jsonl:2", "three"),
        ("x:y.jsonl:k:1@folder/x:y.jsonl", "three"),
    ] {
        assert_eq!(load(name).unwrap(), text, "{name}");
    }
    let unknown = load("x:y.jsonl:none").unwrap_err();
    assert!(matches!(unknown, Error::NoneButUnusable { count: 1, .. }), "{unknown}");
    assert!(matches!(load("x:y.jsonl:x:y.jsonl:1"), Err(Error::Unusable { .. })));
    for id in ["../a.txt", "../folder/../a.txt", &world.path("a.txt")] {
        let error = load(&format!("folder:{id}")).unwrap_err();
        assert!(matches!(error, Error::Io(_) | Error::NoSuchDocument { .. }), "{error}");
    }
    assert!(matches!(load("none"), Err(Error::NotADocument { .. })));
    assert!(matches!(load("x:y.jsonl"), Err(Error::IdNeeded { .. })));
}

/// An id of a job stands for one record, and the same one where its file is named alone.
#[test]
fn ids_that_occur_again_mean_one_record() {
    let a = record("x", "1") + &record("x", "2") + &record("x@d.jsonl:3", "3");
    let b = record("x", "4");
    let d = record("x", "5") + &record("x", "6") + &record("x", "7");
    let world = World::with(&[("a.jsonl", &a), ("b.jsonl", &b), ("d.jsonl", &d)]);
    let all = ["a.jsonl", "b.jsonl", "d.jsonl"];
    for (id, text) in [
        ("x", "1"),
        ("x@a.jsonl:2", "2"),
        ("x@b.jsonl", "4"),
        ("x@d.jsonl", "5"),
        ("x@d.jsonl:2", "6"),
        ("x@d.jsonl:3", "3"),
        ("x@d.jsonl:3 (2)", "7"),
    ] {
        assert_eq!(world.load_among(&all, id).unwrap(), text, "{id}");
    }
    for (name, text) in [
        ("a.jsonl:x@a.jsonl:2", "2"),
        ("b.jsonl:x@b.jsonl", "4"),
        ("d.jsonl:x@d.jsonl", "5"),
        ("d.jsonl:x@d.jsonl:2", "6"),
        ("d.jsonl:x@d.jsonl:3", "7"),
    ] {
        assert_eq!(world.load(name).unwrap(), text, "{name}");
    }
}

#[test]
fn names_of_a_job_of_more_inputs_are_understood() {
    let world = World::with(&[("x/f/a.txt", "one"), ("x/f/b.jsonl", &record("7", "two")), ("y/f/a.txt", "three")]);
    let all = ["x/f", "y/f"];
    for (id, text) in [("x/f/a.txt", "one"), ("7", "two"), ("y/f/a.txt", "three")] {
        assert_eq!(world.load_among(&all, id).unwrap(), text, "{id}");
    }
    assert_eq!(world.load("x/f:x/f/a.txt").unwrap(), "one");
    assert_eq!(world.load("x/f:b.jsonl:7").unwrap(), "two");
    let Err(error) = world.load_among(&all, "y/f/b.txt") else { panic!("found") };
    assert!(error.to_string().ends_with("; the nearest: `y/f/a.txt`, `x/f/a.txt`"), "{error}");
}
