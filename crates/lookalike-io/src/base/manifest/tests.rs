//! Removal of what a whole manifest names, and of nothing else.

use super::*;
use proptest::prelude::{any, prop_assert, proptest};
use tempfile::TempDir;

/// A work folder, and a folder of outputs with a staging file and a staging folder that a killed run has left.
fn killed() -> (TempDir, TempDir, [PathBuf; 2]) {
    let work = tempfile::tempdir().unwrap();
    let out = tempfile::tempdir().unwrap();
    let manifest = Manifest::take_up(work.path()).unwrap();
    let place = |kind| out.path().join(manifest.announce(out.path(), TemporaryName::STAGING, kind).unwrap());
    let left = [place(TemporaryKind::File), place(TemporaryKind::Folder)];
    fs::write(&left[0], "half").unwrap();
    fs::create_dir(&left[1]).unwrap();
    fs::write(left[1].join("a.txt"), "half").unwrap();
    (work, out, left)
}

#[test]
fn the_next_run_removes_what_was_left_and_nothing_else() {
    let (work, out, left) = killed();
    let mine = [out.path().join(".lookalike-mine.partial"), work.path().join("lookalike-clean.jsonl")];
    mine.iter().for_each(|path| fs::write(path, "do not touch").unwrap());
    Manifest::take_up(work.path()).unwrap();
    assert!(left.iter().all(|path| !path.exists()));
    assert!(mine.iter().all(|path| path.exists()));
}

#[cfg(unix)]
#[test]
fn links_and_things_of_another_kind_stay() {
    use std::os::unix::fs::symlink;
    let (work, out, left) = killed();
    let mine = out.path().join("mine");
    fs::create_dir(&mine).unwrap();
    fs::write(mine.join("thesis.txt"), "do not touch").unwrap();
    fs::remove_file(&left[0]).unwrap();
    symlink(mine.join("thesis.txt"), &left[0]).unwrap();
    fs::remove_dir_all(&left[1]).unwrap();
    symlink(&mine, &left[1]).unwrap();
    Manifest::take_up(work.path()).unwrap();
    assert!(left.iter().all(|path| fs::symlink_metadata(path).unwrap().is_symlink()));
    assert_eq!(fs::read_to_string(mine.join("thesis.txt")).unwrap(), "do not touch");
    // The manifest itself is not followed either.
    fs::remove_file(work.path().join(NAME)).unwrap();
    symlink(mine.join("thesis.txt"), work.path().join(NAME)).unwrap();
    assert!(matches!(Manifest::take_up(work.path()), Err(Error::NotOwnFile { .. })));
}

#[test]
fn a_damaged_manifest_names_nothing() {
    let (work, _out, left) = killed();
    let path = work.path().join(NAME);
    let whole = fs::read(&path).unwrap();
    for place in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 4;
        assert_eq!(parse(&damaged), None, "{place}");
        assert_eq!(parse(&whole[..place]), None, "{place}");
    }
    fs::write(&path, &whole[1..]).unwrap();
    Manifest::take_up(work.path()).unwrap();
    assert!(left.iter().all(|path| path.exists()));
}

#[test]
fn names_that_a_job_does_not_give_are_refused() {
    let entry = |folder: &str, name: &str| TemporaryEntry {
        folder: folder.into(),
        name: name.into(),
        kind: TemporaryKind::Folder,
    };
    let absolute = std::env::temp_dir().display().to_string();
    assert_eq!(parse(&format(&[entry(&absolute, "lookalike-7")]).unwrap()).unwrap().len(), 1);
    for forged in [
        entry(&absolute, "thesis"),
        entry(&absolute, "lookalike-/../thesis"),
        entry(&absolute, "lookalike-\\..\\thesis"),
        entry("relative", "lookalike-7"),
    ] {
        assert_eq!(parse(&format(&[forged]).unwrap()), None);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_manifest_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(parse(&bytes).is_none());
    }
}
