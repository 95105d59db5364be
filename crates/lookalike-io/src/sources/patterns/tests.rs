use super::*;
use crate::base::GitignoreFiles;
use crate::testing::folder_with;

fn world(names: &[&str]) -> tempfile::TempDir {
    folder_with(names.iter().map(|name| (name, "")))
}

fn below_with(root: &Path, pattern: &str, selection: &FileSelection) -> (Vec<String>, SkippedCounts) {
    let Expansion { found, skipped_counts, .. } = expand_all(&[root.join(pattern)], selection).unwrap();
    (found.into_iter().map(|found| found.below.unwrap().display().to_string()).collect(), skipped_counts)
}

fn below(root: &Path, pattern: &str) -> Vec<String> {
    below_with(root, pattern, &FileSelection::default()).0
}

#[test]
fn matches_are_called_by_their_paths_below_the_fixed_part() {
    let root = world(&["hw/ann/main.py", "hw/ben/main.py", "hw/ben/.git/x.py", "hw/.old/main.py", "hw/top.py"]);
    let below = |pattern: &str| below(root.path(), pattern);
    assert_eq!(below("hw/*/*.py"), ["ann/main.py", "ben/main.py"]);
    assert_eq!(below("hw/./*/../*/main.py").len(), 4);
    assert_eq!(below("hw/**/*.py"), ["ann/main.py", "ben/main.py", "top.py"]);
    assert_eq!(below("*/ben/.git/*.py"), ["hw/ben/.git/x.py"]);
    assert_eq!(below("**/.git/*.py"), ["hw/ben/.git/x.py"]);
    assert_eq!(below("hw/b*"), ["ben"]);
    assert_eq!(below("hw/*/"), ["ann", "ben"]);
    assert_eq!(below("hw/*/main.py"), ["ann/main.py", "ben/main.py"]);
}

#[test]
fn two_stars_are_any_number_of_folders_and_each_file_fits_once() {
    let root = world(&["d/a.txt", "d/b/c.txt", "d/b/e/f.txt", "d/.x/g.txt"]);
    let below = |pattern: &str| below(root.path(), pattern);
    // A pattern of all below a folder is the folder.
    for pattern in ["d/**", "d/**/*", "d/**/**", "d/**/**/*", "d/**/"] {
        assert_eq!(below(pattern), [""], "{pattern}");
    }
    assert_eq!(below("d/*/**"), ["b"]);
    assert_eq!(below("d/*"), ["a.txt", "b"]);
    assert_eq!(below("d/**/*.txt"), ["a.txt", "b/c.txt", "b/e/f.txt"]);
    assert_eq!(below("**/*.txt"), ["d/a.txt", "d/b/c.txt", "d/b/e/f.txt"]);
    assert_eq!(below("d/**/e/**"), ["b/e"]);
    assert_eq!(below("d/*/**/f.txt"), ["b/e/f.txt"]);
    let hidden = SkippedCounts { hidden: 1, ..SkippedCounts::default() };
    let found = expand_all(&[root.path().join("d/*")], &FileSelection::default()).unwrap();
    assert_eq!((found.skipped_counts, found.unread[0].below.as_deref()), (hidden, Some(Path::new(".x"))));
    assert!(matches!(
        expand_patterns(&[root.path().join("d/a.txt/**")], &FileSelection::default()),
        Err(Error::NoMatch { .. })
    ));
}

#[test]
fn what_could_fit_a_pattern_is_known_before_it_is_there() {
    let root = world(&["d/a.txt", "d/b/c.txt"]);
    let root = root.path().canonicalize().unwrap();
    for (pattern, path, expected) in [
        ("d/*", "d/out", true),
        ("d/*", "d/out/deep", true),
        ("d/*", "d/.out", false),
        ("d/*.txt", "d/out", false),
        ("d/*.txt", "d/out.txt", true),
        ("d/*/*.txt", "d/out", true),
        ("d/*/*.txt", "d/out/x.csv", false),
        ("d/**/*.txt", "d/out/deep", true),
        ("d/*/*.txt", "d/out.jsonl", false),
        ("d/**/*.txt", "d/out.jsonl", false),
        ("d/**/*.jsonl", "d/out.jsonl", true),
        ("d/**", "d/out.jsonl", true),
        ("d/**", "e", false),
        ("d/*", "e/out", false),
        ("d/a.txt", "d/a.txt", false),
    ] {
        assert_eq!(could_fit(&root.join(pattern), Path::new(path), &root.join(path)), expected, "{pattern} {path}");
    }
}

#[test]
fn letters_are_matched_as_such_and_names_with_brackets_are_themselves() {
    let root = world(&["in/ä.txt", "in/b.txt", "in/ß2.txt", "[x]/a.txt", "x/b.txt"]);
    let below = |pattern: &str| below(root.path(), pattern);
    assert_eq!(below("in/?.txt"), ["b.txt", "ä.txt"]);
    assert_eq!(below("in/[äö].txt"), ["ä.txt"]);
    assert_eq!(below("[x]/*.txt"), ["a.txt"]);
    assert_eq!(below("[xy]/*.txt"), ["x/b.txt"]);
}

#[test]
fn what_is_left_out_fits_no_pattern() {
    let root = world(&["d/a.txt", "d/b.txt", "d/old/c.txt"]);
    let selection = FileSelection::new(&["old/".to_owned(), "b.*".to_owned()], GitignoreFiles::Unread).unwrap();
    let (found, skipped_counts) = below_with(root.path(), "d/**/*.txt", &selection);
    assert_eq!((found, skipped_counts.excluded), (vec!["a.txt".to_owned()], 2));
    assert!(below_with(root.path(), "d/old/*.txt", &selection).0.is_empty());
    assert!(matches!(expand_patterns(&[root.path().join("x*")], &selection), Err(Error::NoMatch { .. })));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_utf8_fits_like_others() {
    use std::os::unix::ffi::OsStrExt;
    let root = world(&["d/a.txt"]);
    let odd = root.path().join("d").join(OsStr::from_bytes(b"caf\xe9.txt"));
    fs::write(&odd, "").unwrap();
    for pattern in ["d/*.txt", "d/**/*.txt", "d/caf?.txt"] {
        let Expansion { found, .. } = expand_all(&[root.path().join(pattern)], &FileSelection::default()).unwrap();
        assert!(found.iter().any(|found| found.path == odd), "{pattern}");
    }
}

#[cfg(unix)]
#[test]
fn links_fit_as_what_they_lead_to_but_not_below_any_folders() {
    use std::os::unix::fs::symlink;
    let root = world(&["d/a.txt", "other/b.txt"]);
    symlink(root.path().join("other"), root.path().join("d/link")).unwrap();
    symlink(root.path(), root.path().join("d/loop")).unwrap();
    assert_eq!(below(root.path(), "d/*/b.txt"), ["link/b.txt"]);
    symlink("nowhere", root.path().join("d/dangling")).unwrap();
    let (found, skipped_counts) = below_with(root.path(), "d/*", &FileSelection::default());
    assert_eq!((found, skipped_counts.links), (["a.txt", "link", "loop"].map(str::to_owned).to_vec(), 1));
    let (found, skipped_counts) = below_with(root.path(), "d/**/*.txt", &FileSelection::default());
    assert_eq!((found, skipped_counts.links), (vec!["a.txt".to_owned()], 0));
    assert_eq!(below(root.path(), "**/*.txt"), ["d/a.txt", "other/b.txt"]);
}
