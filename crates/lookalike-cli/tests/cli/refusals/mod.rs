//! Commands that are refused, in tables: `ROOM.txt` for tests that make the scene, `scenes/ROOM.txt` with all of it.
//!
//! A table stands below its name in brackets, and ends with an empty line. Its rows:
//!
//! ```text
//! # a comment
//! file NAME LINE                  a line of a file; the lines of one file follow each other
//! run COMMAND                     must succeed
//! COMMAND => WORDS                must be refused in one line that fits WORDS, in which `...` stands for any words
//! COMMAND                         the same in two lines
//!     => WORDS
//! ```
//!
//! `{a|b}` in a command stands for two commands. Each refusal is checked to write and change nothing.

use crate::common::Sandbox;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/refusals")
}

/// The tables of a text, each with its name and rows.
fn tables(text: &str) -> Vec<(&str, String)> {
    let mut tables = Vec::new();
    for part in text.trim_start_matches('[').split("\n\n[") {
        let (name, rows) = part.trim_end().split_once("]\n").unwrap();
        tables.push((name, rows.replace("\n    =>", " =>")));
    }
    tables
}

/// The commands that `{a|b}` in a command stands for.
fn alternatives(command: &str) -> Vec<String> {
    let braces = command.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (choices, behind))) = braces else { return vec![command.to_owned()] };
    choices.split('|').flat_map(|choice| alternatives(&format!("{before}{choice}{behind}"))).collect()
}

/// The name and a line of a file; `None` for a row of another kind.
fn line_of_file(row: &str) -> Option<(&str, &str)> {
    let file = row.strip_prefix("file ")?;
    Some(file.split_once(' ').unwrap_or((file, "")))
}

fn check(sandbox: &Sandbox, table: &str) {
    let rows: Vec<&str> = table.lines().filter(|row| !row.starts_with('#')).collect();
    let name = |row: &str| line_of_file(row).map(|(name, _)| name.to_owned());
    for rows in rows.chunk_by(|a, b| name(a).is_some() && name(a) == name(b)) {
        if let Some((name, line)) = line_of_file(rows[0]) {
            let is_empty = rows.len() == 1 && line.is_empty();
            let lines = rows.iter().map(|row| line_of_file(row).unwrap().1.to_owned() + "\n");
            sandbox.write(name, if is_empty { String::new() } else { lines.collect() });
        } else if let Some(command) = rows[0].strip_prefix("run ") {
            sandbox.succeed(command);
        } else {
            let (command, words) = rows[0].split_once(" => ").unwrap_or_else(|| panic!("no words in `{}`", rows[0]));
            alternatives(command).iter().for_each(|command| sandbox.refused(command, words));
        }
    }
}

impl Sandbox {
    /// Runs the refusals of a table, named by the room and its name, in this folder.
    pub(crate) fn refuse_all(&self, name: &str) {
        let (room, name) = name.split_once('/').unwrap();
        let text = fs::read_to_string(folder().join(format!("{room}.txt"))).unwrap();
        let tables = tables(&text);
        let (_, table) = tables.iter().find(|table| table.0 == name).unwrap_or_else(|| panic!("no table {name}"));
        check(self, table);
    }
}

#[test]
fn commands_of_the_scenes_are_refused() {
    let rooms: Vec<PathBuf> =
        fs::read_dir(folder().join("scenes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!rooms.is_empty());
    std::thread::scope(|scope| {
        for room in &rooms {
            scope.spawn(move || {
                for (name, table) in tables(&fs::read_to_string(room).unwrap()) {
                    eprintln!("{}: {name}", room.display());
                    check(&Sandbox::new(), &table);
                }
            });
        }
    });
}
