//! Checks that no line of Rust or Markdown is longer than what the formatter makes of code, no file of code longer than
//! can be read at once, and that files of Rust named in comments and Markdown exist.
//!
//! rustfmt breaks code, but leaves comments, strings and Markdown as they are. Left as they are here: rows of tables,
//! links alone on a line and sessions at a console, which cannot be broken; the changelog and the results of
//! benchmarks, which are not edited once they are written.

use crate::run::files_below;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// Maximum number of characters in a line; `max_width` in `rustfmt.toml`.
const MAX_CHARACTERS: usize = 120;

/// Maximum number of lines of a file of code.
const MAX_LINES: usize = 800;

/// Files and folders that may have longer lines.
const EXCEPTED: [&str; 2] = ["CHANGELOG.md", "bench/results/"];

/// Checks the files below `root`, but hidden ones and those that are built.
pub(crate) fn check(root: &Path) -> Result<()> {
    let files = files_below(root)?;
    let mut problems = Vec::new();
    let is_there = |name: &str| files.iter().any(|file| names(name, file));
    for file in files.iter().filter(|file| !EXCEPTED.iter().any(|excepted| file.starts_with(excepted))) {
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        if ["rs", "md", "py", "js", "scala"].contains(&extension) {
            let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
            problems.extend(problems_of(file, extension, &text));
            if extension == "rs" || extension == "md" {
                let missing = named_files(extension, &text).filter(|(_, name)| !is_there(name));
                problems.extend(missing.map(|(line, name)| format!("{file}:{line} names {name}, which is not there")));
            }
        }
    }
    if problems.is_empty() {
        println!(
            "lines: none of more than {MAX_CHARACTERS} characters, no file of code of more than {MAX_LINES} lines, \
             all named files are there"
        );
        return Ok(());
    }
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    bail!("{} long lines, long files or names of files that are not there", problems.len());
}

fn problems_of(file: &str, extension: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if extension == "rs" || extension == "md" {
        problems.extend(long_lines(file, text));
    }
    let lines = text.lines().count();
    if extension != "md" && lines > MAX_LINES {
        problems.push(format!("{file} has {lines} lines"));
    }
    problems
}

/// Returns whether a name means a file: its path or the end of that.
fn names(name: &str, file: &str) -> bool {
    file.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Line number and name of each file of Rust that stands between backquotes in Markdown or in a comment.
fn named_files<'t>(extension: &str, text: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let is_markdown = extension == "md";
    let is_name = |part: &&str| {
        let stem = part.strip_suffix(".rs").unwrap_or_default();
        !stem.is_empty() && stem.chars().all(|character| character.is_alphanumeric() || "_/-".contains(character))
    };
    (1..).zip(text.lines()).flat_map(move |(number, line)| {
        let prose = if is_markdown { line } else { line.find("//").map_or("", |at| &line[at..]) };
        prose.split('`').skip(1).step_by(2).filter(is_name).map(move |name| (number, name))
    })
}

/// A description of each line that is too long.
fn long_lines(file: &str, text: &str) -> Vec<String> {
    let is_markdown = file.ends_with(".md");
    let mut is_console = false;
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if is_markdown && line.starts_with("```") {
            is_console = line == "```console";
        }
        let count = line.chars().count();
        let may_be_long = is_markdown && (is_console || line.trim_start().starts_with('|'));
        if count > MAX_CHARACTERS && !may_be_long && !is_only_link(line) {
            problems.push(format!("{file}:{} has {count} characters", index + 1));
        }
    }
    problems
}

/// Returns whether a line of Markdown or of a comment is a link and nothing else.
fn is_only_link(line: &str) -> bool {
    let link = line.trim_start_matches([' ', '/', '!', '-', '*', '<']).trim_end_matches(['.', ',', ';', ':', '>']);
    let is_address = link.starts_with("http") && !link.contains(' ');
    let is_inline = link.starts_with('[') && link.ends_with(')') && link.matches("](").count() == 1;
    let is_definition = link.starts_with('[') && link.split_once("]: ").is_some_and(|(_, url)| !url.contains(' '));
    is_address || is_inline || is_definition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_in_characters() {
        let fits = "ü".repeat(120);
        let too_long = "ü".repeat(121);
        assert!(long_lines("a.rs", &fits).is_empty());
        let text = format!("{fits}\n{too_long}\n");
        assert_eq!(long_lines("a.rs", &text), ["a.rs:2 has 121 characters"]);
        assert_eq!(long_lines("a.md", &text), ["a.md:2 has 121 characters"]);
    }

    #[test]
    fn what_cannot_be_broken_may_be_long() {
        let long = "long ".repeat(30);
        let table = format!("| {long} |");
        assert!(long_lines("a.md", &table).is_empty());
        assert_eq!(long_lines("a.rs", &table).len(), 1);

        let console = format!("```console\n$ {long}\n```\n{long}\n```text\n{long}\n```\n");
        assert_eq!(long_lines("a.md", &console), ["a.md:4 has 150 characters", "a.md:6 has 150 characters"]);

        let address = format!("https://example.org/{}", "a".repeat(120));
        for line in [format!("//! <{address}>"), format!("- [name]({address}),"), format!("[name]: {address}")] {
            assert!(long_lines("a.md", &line).is_empty(), "{line}");
        }
        assert_eq!(long_lines("a.md", &format!("See [name]({address})")).len(), 1);
    }

    #[test]
    fn files_are_named_by_the_end_of_their_paths() {
        let text = "let a = `no.rs`; // `lines.rs`, `src/main.rs` and `e::f`\n`lines.rs`\n";
        assert_eq!(named_files("rs", text).collect::<Vec<_>>(), [(1, "lines.rs"), (1, "src/main.rs")]);
        assert_eq!(named_files("md", "`a.rs` `b.rs`").count(), 2);
        assert!(names("d.rs", "c/d.rs") && names("c/d.rs", "c/d.rs") && !names("d.rs", "c/ad.rs"));
    }

    #[test]
    fn long_files_of_code_are_found_and_long_lines_of_python_left_to_others() {
        let many = "a\n".repeat(MAX_LINES + 1);
        assert_eq!(problems_of("a.py", "py", &many), ["a.py has 801 lines"]);
        assert!(problems_of("a.md", "md", &many).is_empty());
        assert!(problems_of("a.py", "py", &"a".repeat(MAX_CHARACTERS + 1)).is_empty());
    }
}
