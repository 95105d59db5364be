use super::*;
use crate::base::Staging;
use crate::sources::FileState;
use crate::sources::names::{check_output_names, written_names};
use crate::testing::{file_with, folder_with};
use std::fs;

#[test]
fn folders_hold_text_files_and_json_lines() {
    let root =
        folder_with([("b.txt", "b"), ("a.txt", "a"), ("deep/c.md", "c"), ("deep/d.jsonl", "{}"), (".hidden", "x")]);
    let found = discover(&[root.path().to_owned()]).unwrap();
    assert_eq!(found.skipped_counts, SkippedCounts { hidden: 1, ..SkippedCounts::default() });
    assert_eq!(found.sources[0].output_name, PathBuf::from("deep/d.jsonl"));
    let SourceKind::TextFiles { files } = &found.sources[1].kind else { panic!("no text files") };
    let names: Vec<_> = files.iter().map(|(path, _)| path.clone()).collect();
    assert_eq!(names, ["a.txt", "b.txt", "deep/c.md"].map(PathBuf::from));
    assert_eq!(found.sources[1].bytes(), 3);
}

#[test]
fn inputs_that_cannot_be_used_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    assert!(matches!(discover(&[path("none")]), Err(Error::Io { .. })));
    fs::create_dir(path("empty")).unwrap();
    assert!(matches!(discover(&[path("empty")]), Err(Error::EmptyFolder { .. })));
    fs::write(path("x.jsonl.zst"), "{}").unwrap();
    assert!(matches!(discover(&[path("x.jsonl.zst")]), Err(Error::NotCompressed { .. })));
    assert!(matches!(discover(&[path("*.csv")]), Err(Error::NoMatch { .. })));
    assert!(matches!(discover(&[path("[.csv")]), Err(Error::Pattern { .. })));
    fs::write(path("y.jsonl"), "").unwrap();
    fs::write(path("empty").join("y.jsonl"), "").unwrap();
    let apart = discover(&[path("y.jsonl"), path("empty").join("y.jsonl")]).unwrap();
    assert!(check_output_names(&apart.sources, None).is_ok());
    let twice = discover(&[path("y.jsonl"), path("empty/../y.jsonl")]).unwrap();
    assert_eq!((twice.sources.len(), twice.skipped_counts.repeated), (1, 1));
    assert_eq!(twice.repeated, Some(path("empty/../y.jsonl")));
}

#[test]
fn patterns_fit_in_order_and_standard_input_is_kept() {
    let root = folder_with(["b.jsonl", "a.jsonl", "c.txt", "d.txt", "deep/c.txt"].map(|name| (name, "{}")));
    let found = discover(&[root.path().join("*.jsonl")]).unwrap();
    let names: Vec<_> = found.sources.iter().map(|source| source.output_name.clone()).collect();
    assert_eq!(names, ["a.jsonl", "b.jsonl"].map(PathBuf::from));
    assert!(!found.is_single_file);

    let texts = discover(&[root.path().join("*.txt"), root.path().join("deep/c.txt")]).unwrap();
    let files = |source: &Source| written_names(source, None).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(
        texts.sources.iter().map(files).collect::<Vec<_>>(),
        [vec!["c.txt", "d.txt"], vec!["c.txt"]].map(|names| names.into_iter().map(PathBuf::from).collect::<Vec<_>>())
    );
    assert!(
        matches!(check_output_names(&texts.sources, None), Err(Error::SameOutput { name, .. }) if name == *"c.txt")
    );
    assert!(!discover(&[root.path().join("c.txt")]).unwrap().is_single_file);

    let mut found = Discovered::nothing();
    let staging = Staging { temporary_folder: root.path().to_owned(), ..Staging::default() };
    found.spool(&mut &b"{}\n"[..], stdin(), &Discovery { staging, ..Discovery::default() }).unwrap();
    let kept = found.sources[0].file.clone();
    assert_eq!(fs::read(&kept).unwrap(), b"{}\n");
    drop(found);
    assert!(!kept.exists());
}

#[test]
fn changes_are_noticed() {
    let (_folder, path) = file_with("x", "one");
    let state = FileState::read(&path).unwrap();
    assert!(state.check(&path).is_ok());
    fs::write(&path, "three").unwrap();
    assert!(matches!(state.check(&path), Err(Error::Changed { .. })));
}
