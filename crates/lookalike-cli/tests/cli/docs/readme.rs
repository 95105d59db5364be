//! The README: the two commands that it begins with, its commands at a console, its table of commands.

use super::console::{commands, run_all};
use super::page::Page;
use crate::common::Sandbox;

/// Maximum number of lines: all else has a page under docs/.
const MAX_LINES: usize = 190;

#[test]
fn commands_of_the_readme_answer_what_it_shows() {
    let count = run_all(&Page::read("README.md"));
    assert!(count >= 6, "{count} commands were found");
}

#[test]
fn readme_begins_with_two_commands_that_need_no_other() {
    let first: Vec<_> = commands(&Page::read("README.md")).into_iter().take(2).map(|shown| shown.command).collect();
    assert_eq!(first, ["cargo run --release -- dedup examples/press.jsonl -o deduplicated.jsonl", "cargo xtask test"]);
}

#[test]
fn readme_names_each_command_and_is_short() {
    let readme = Page::read("README.md");
    assert!(readme.text().lines().count() <= MAX_LINES, "more than {MAX_LINES} lines");
    let help = Sandbox::new().succeed("-h").stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    for command in listed.map(|line| line.split_whitespace().next().unwrap()).filter(|command| *command != "help") {
        assert!(readme.text().contains(&format!("`lookalike {command}")), "{command}");
    }
}
