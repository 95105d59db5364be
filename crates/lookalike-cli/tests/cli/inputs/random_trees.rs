//! Random trees of files, with links, odd names, doubles and archives: each readable file is read once, whatever
//! inputs name it, and each record is kept, removed or named.
//!
//! A record has a marker in its text that no other has, so that what was read can be counted. What should be read is
//! found by a walk of this file.

#![cfg(unix)]

use crate::common::{Random, Sandbox, rows, words, zip};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Trees of a run; `cargo xtask hard trees` asks for more.
const CASES: u64 = 6;

/// Beginnings of the names of files.
const NAMES: [&[u8]; 16] = [
    b"a",
    b"a b",
    "ä".as_bytes(),
    b"\xff",
    b"caf\xe9",
    b"two\nlines",
    b"[x]",
    b"{a}",
    b"*",
    b"?",
    b"#",
    b"%41",
    b"-",
    b"\\",
    b"\"'",
    "日本".as_bytes(),
];

/// A pattern that is typed in the folder `d`.
const HERE: &str = "*";

/// The markers of the records of a file, and the number of its records that cannot be used.
#[derive(Debug, Clone, Default)]
struct Content {
    /// Members of an archive that is named itself.
    markers: Vec<u64>,
    bad: usize,
}

fn extension(path: &Path) -> String {
    path.extension().map_or_else(String::new, |extension| format!(".{}", extension.to_string_lossy()))
}

/// A tree in a folder `d`, and what its files hold by their paths without links.
struct Tree {
    sandbox: Sandbox,
    random: Random,
    root: PathBuf,
    folders: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Content>,
    made: u64,
}

impl Tree {
    fn new(seed: u64) -> Self {
        let sandbox = Sandbox::with("d/first.txt", format!("m0 {}", words(0..20)));
        let root = sandbox.path("").canonicalize().unwrap();
        let files = [(root.join("d/first.txt"), Content { markers: vec![0], bad: 0 })].into();
        let folders = vec![root.join("d")];
        let mut tree = Self { sandbox, random: Random(seed * 2 + 1), root, folders, files, made: 0 };
        // A name that is standard input where it is typed.
        let (marker, text) = tree.text();
        fs::write(tree.root.join("d/-"), text).unwrap();
        tree.files.insert(tree.root.join("d/-"), Content { markers: vec![marker], bad: 0 });
        for _ in 0..12 + tree.random.below(20) {
            tree.grow();
        }
        tree
    }

    fn below(&mut self, end: usize) -> usize {
        self.random.below(end as u64) as usize
    }

    /// A new path in one of the folders.
    fn path(&mut self, extension: &str) -> PathBuf {
        self.made += 1;
        let folder = self.folders[self.random.below(self.folders.len() as u64) as usize].clone();
        let name = NAMES[self.random.below(NAMES.len() as u64) as usize];
        let dot: &[u8] = if self.random.below(8) == 0 { b"." } else { b"" };
        folder.join(OsStr::from_bytes(&[dot, name, self.made.to_string().as_bytes(), extension.as_bytes()].concat()))
    }

    /// A text with a marker of its own; one in four is the double of another, but for the marker.
    fn text(&mut self) -> (u64, String) {
        self.made += 1;
        let first = if self.below(4) == 0 { 0 } else { self.made as usize * 100 };
        (self.made, format!("m{} {}", self.made, words(first..first + 20)))
    }

    fn records(&mut self, count: usize, line: impl Fn(&str) -> String) -> (Vec<u64>, String) {
        let records: Vec<(u64, String)> = (0..count).map(|_| self.text()).collect();
        let lines = records.iter().map(|(_, text)| line(text)).collect();
        (records.into_iter().map(|(marker, _)| marker).collect(), lines)
    }

    /// Adds a file, folder or link.
    fn grow(&mut self) {
        let kind = self.below(12);
        match kind {
            0 | 1 => {
                let path = self.path("");
                fs::create_dir(&path).unwrap();
                self.folders.push(path);
            }
            2 => {
                let count = self.below(4);
                let (markers, mut lines) = self.records(count, |text| format!("{{\"text\":\"{text}\"}}\n"));
                let bad = self.below(2);
                lines.push_str(["", "{\"text\":\n"][bad]);
                self.write(".jsonl", lines.as_bytes(), Content { markers, bad });
            }
            3 => {
                let (markers, lines) = self.records(2, |text| format!("{text}\n"));
                self.write(".csv", format!("text\n{lines}").as_bytes(), Content { markers, bad: 0 });
            }
            4 => {
                let (marker, text) = self.text();
                self.write(
                    ".zip",
                    &zip(&[("in/member.txt", text.as_bytes())]),
                    Content { markers: vec![marker], bad: 0 },
                );
            }
            5 => self.write(".txt", b"x\xfd", Content { markers: Vec::new(), bad: 1 }),
            6 => {
                let target = self.any_file();
                let link = self.path(&extension(&target));
                symlink(target, link).unwrap();
            }
            7 => {
                let target = self.folders[self.random.below(self.folders.len() as u64) as usize].clone();
                let link = self.path("");
                symlink(target, link).unwrap();
            }
            8 => {
                let target = self.any_file();
                let link = self.path(&extension(&target));
                fs::hard_link(&target, &link).unwrap();
                let content = self.files[&target].clone();
                self.files.insert(link, content);
            }
            _ => {
                let (marker, text) = self.text();
                self.write(".txt", text.as_bytes(), Content { markers: vec![marker], bad: 0 });
            }
        }
    }

    fn write(&mut self, extension: &str, bytes: &[u8], content: Content) {
        let path = self.path(extension);
        fs::write(&path, bytes).unwrap();
        self.files.insert(path, content);
    }

    fn any_file(&mut self) -> PathBuf {
        let at = self.below(self.files.len());
        self.files.keys().nth(at).unwrap().clone()
    }

    /// The files below a folder that are read with it, by their paths without links.
    fn walk(&self, folder: &Path, found: &mut BTreeSet<PathBuf>) {
        let Ok(folder) = folder.canonicalize() else { return };
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name().as_bytes().starts_with(b".") || entry.file_type().unwrap().is_symlink() {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                self.walk(&entry.path(), found);
            } else {
                found.insert(entry.path());
            }
        }
    }

    /// Files that a pattern or argument names: one, or all that are read with a folder.
    fn name(&self, path: &Path, found: &mut BTreeSet<PathBuf>) {
        match path.canonicalize() {
            Ok(real) if real.is_dir() => self.walk(&real, found),
            Ok(real) => drop(found.insert(real)),
            Err(_) => {}
        }
    }

    /// Adds the files that `*` names in `d`; returns the archives that it names themselves.
    fn name_all(&self, found: &mut BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
        let mut archives = BTreeSet::new();
        for entry in fs::read_dir(self.root.join("d")).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().as_bytes().starts_with(b".") {
                continue;
            }
            self.name(&path, found);
            archives.extend(path.canonicalize().ok().filter(|path| extension(path) == ".zip"));
        }
        archives
    }

    /// Some inputs, the files that they name, and the archives among these that they name themselves.
    fn inputs(&mut self) -> (Vec<PathBuf>, BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
        let mut found = BTreeSet::new();
        let mut archives = BTreeSet::new();
        let d = self.root.join("d");
        let in_d = |pattern: &str| Path::new("d").join(pattern);
        self.walk(&d, &mut found);
        let inputs = match self.below(8) {
            0 => vec![d],
            1 => vec![in_d(""), d],
            2 => vec![d.join("**")],
            3 => vec![in_d("**/*")],
            4 | 7 => {
                found.clear();
                archives = self.name_all(&mut found);
                // The second is typed in the folder itself.
                vec![if self.below(2) == 0 { in_d("*") } else { PathBuf::from(HERE) }]
            }
            5 => {
                let folder = self.folders[self.random.below(self.folders.len() as u64) as usize].clone();
                let mut below = BTreeSet::new();
                self.walk(&folder, &mut below);
                let is_empty = below.is_empty();
                found.extend(below);
                if is_empty { vec![d] } else { vec![folder, d] }
            }
            _ => {
                symlink("d", self.root.join("link")).unwrap();
                vec![PathBuf::from("link"), in_d("first.txt"), d]
            }
        };
        (inputs, found, archives)
    }

    /// Runs a job over some inputs, and counts.
    fn check(&mut self, seed: u64) {
        let (inputs, files, archives) = self.inputs();
        let arguments = "dedup -o - --annotate --format jsonl --on-error skip -t 0.7";
        let mut command = self.sandbox.command(arguments);
        if inputs == [Path::new(HERE)] {
            command.current_dir(self.root.join("d"));
        }
        let run = command.arg("--").args(&inputs).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "seed {seed}, {inputs:?}: {said}");
        let rows = rows::<serde_json::Value>(std::str::from_utf8(&run.stdout).unwrap());
        let marker = |row: &serde_json::Value| {
            assert!(row["lookalike"]["status"].is_string() || row["lookalike"].is_object(), "{row}");
            row["text"].as_str().unwrap().split(' ').next().unwrap()[1..].parse::<u64>().unwrap()
        };
        let mut found: Vec<u64> = rows.iter().map(marker).collect();
        // An archive in a folder is no text, and named.
        let is_bad = |file: &&PathBuf| extension(file) == ".zip" && !archives.contains(*file);
        let read = files.iter().filter(|file| !is_bad(file));
        let mut expected: Vec<u64> = read.flat_map(|file| self.files[file].markers.clone()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "seed {seed}, {inputs:?}: {said}");
        let bad = files.iter().map(|file| self.files[file].bad + usize::from(is_bad(&file))).sum::<usize>();
        let named = said.lines().filter(|line| line.contains(": left out ") && !line.contains("bad record")).count();
        assert_eq!(named, bad, "seed {seed}, {inputs:?}: {said}");
        let ids: BTreeSet<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
        let texts = rows.iter().filter(|row| row["id"].is_string()).count();
        assert_eq!(ids.len(), texts, "seed {seed}: an id is there twice");
    }
}

#[test]
fn each_file_is_read_once_and_each_record_is_kept_removed_or_named() {
    let cases = std::env::var("LOOKALIKE_TREE_CASES").map_or(CASES, |text| text.parse().unwrap());
    for seed in 0..cases {
        Tree::new(seed).check(seed);
    }
}
