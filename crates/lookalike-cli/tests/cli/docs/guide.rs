//! The pages of docs/: each is in the index, its commands answer what it shows, its flags and messages exist.

use super::console::run_all;
use super::page::{Page, pages_in, root};
use crate::common::Sandbox;
use crate::manners::every_flag::all_flags;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Languages of blocks: sessions that are run here, commands that cannot be, text, and code that other tests run.
const LANGUAGES: [&str; 6] = ["console", "sh", "text", "python", "pycon", "rust"];

/// Flags of cargo, curl and converters, which stand beside ours, and two that the page of messages shows to be refused.
const OTHER_FLAGS: [&str; 12] = [
    "--release",
    "--locked",
    "--path",
    "--no-default-features",
    "--config-settings",
    "--ngram",
    "--input",
    "--json",
    "--data-binary",
    "--headless",
    "--convert-to",
    "--to",
];

fn readme_and_guide() -> Vec<Page> {
    ["README.md".to_owned()].into_iter().chain(pages_in("docs")).map(|path| Page::read(&path)).collect()
}

#[test]
fn commands_of_the_guide_answer_what_it_shows() {
    let count: usize = pages_in("docs").iter().map(|path| run_all(&Page::read(path))).sum();
    assert!(count >= 40, "{count} commands were found");
}

#[test]
fn index_names_each_page_of_the_guide() {
    let links = Page::read("docs/README.md").links();
    let is_named = |path: &str| links.iter().any(|link| path.strip_prefix("docs/") == Some(link));
    let missing: Vec<_> = pages_in("docs").into_iter().filter(|path| !is_named(path)).collect();
    assert_eq!(missing, ["docs/README.md"]);
}

#[test]
fn blocks_of_readme_and_guide_say_what_they_hold() {
    for page in readme_and_guide() {
        for fence in page.fences() {
            assert!(LANGUAGES.contains(&fence.language), "{}: a block `{}`", page.path, fence.language);
        }
        let is_indented = |line: &&str| line.starts_with("    ") && !line.trim_start().starts_with(['-', '|']);
        assert_eq!(page.prose().into_iter().find(is_indented), None, "{}: a block without a fence", page.path);
    }
}

#[test]
fn flags_that_readme_and_guide_name_exist() {
    let sandbox = Sandbox::new();
    let commands = all_flags().into_iter().map(|(command, _)| command);
    let help: String = commands.map(|command| sandbox.succeed(&format!("{command} --help")).stdout).collect();
    let known: BTreeSet<&str> = flags_in(&help).into_iter().chain(OTHER_FLAGS).collect();
    // These name flags of `lookalike-spark` and of text-dedup.
    let with_others = ["docs/cluster.md", "docs/text-dedup.md"];
    for page in readme_and_guide().iter().filter(|page| !with_others.contains(&&*page.path)) {
        let named = page.text().lines().flat_map(flags_in);
        let unknown: Vec<_> = named.filter(|flag| !known.contains(flag)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", page.path);
    }
}

/// Words that begin with two hyphens and a letter.
fn flags_in(text: &str) -> Vec<&str> {
    let is_part = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    let words = text.split(|sign: char| !is_part(sign));
    words.filter(|word| word.starts_with("--") && word.trim_matches('-').starts_with(char::is_alphabetic)).collect()
}

/// Messages stand in the first cells of the rows of tables, with `...` for parts that differ.
#[test]
fn messages_that_the_guide_explains_exist() {
    let sources = sources_below(&root().join("crates"));
    let page = Page::read("docs/troubleshooting.md");
    let rows: Vec<_> = page.prose().into_iter().filter_map(|line| line.strip_prefix("| `")).collect();
    let messages = rows.iter().map(|row| row.split_once("` |").unwrap().0);
    let parts = messages.flat_map(|message| message.split("...")).map(|words| words.trim_matches([' ', '`']));
    let unknown: Vec<_> = parts.filter(|words| words.len() > 3 && !sources.contains(words)).collect();
    assert!(unknown.is_empty(), "no source has {unknown:?}");
    assert!(rows.len() >= 20, "{} messages were found", rows.len());
}

/// Sources below a folder, with strings that go on in the next line in one.
fn sources_below(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("tests") {
            all += &sources_below(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            let lines = source.split("\\\n").map(str::trim_start);
            lines.for_each(|part| all += part);
        }
    }
    all
}
