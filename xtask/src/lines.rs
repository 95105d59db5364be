//! Checks that no line of Rust or Markdown is longer than what the formatter makes of code, and no file of code longer
//! than can be read at once.
//!
//! rustfmt breaks code, but leaves comments, strings and Markdown as they are. Left as they are here: rows of tables,
//! links alone on a line and sessions at a console, which cannot be broken; the changelog and the results of
//! benchmarks, which are not edited once they are written.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// Maximum number of characters in a line; `max_width` in `rustfmt.toml`.
const MAX_CHARACTERS: usize = 120;

/// Maximum number of lines of a file of code.
const MAX_LINES: usize = 800;

/// Files and folders that may have longer lines.
const EXCEPTED: [&str; 2] = ["CHANGELOG.md", "bench/results"];

/// Checks the files below `root`.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut problems = Vec::new();
    check_below(root, "", &mut problems)?;
    if problems.is_empty() {
        println!(
            "lines: none of more than {MAX_CHARACTERS} characters, no file of code of more than {MAX_LINES} lines"
        );
        return Ok(());
    }
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    bail!("{} lines of more than {MAX_CHARACTERS} characters or files of more than {MAX_LINES} lines", problems.len());
}

/// Checks the files below `folder`, whose path below the root is `prefix`, with a `/` at its end unless it is empty.
fn check_below(folder: &Path, prefix: &str, problems: &mut Vec<String>) -> Result<()> {
    let failed = || format!("cannot read {}", folder.display());
    let mut entries = fs::read_dir(folder).with_context(failed)?.collect::<Result<Vec<_>, _>>().with_context(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let shown = format!("{prefix}{name}");
        if EXCEPTED.contains(&shown.as_str()) || name.starts_with('.') {
            continue;
        }
        let extension = path.extension().unwrap_or_default();
        if entry.file_type().with_context(failed)?.is_dir() {
            if name != "target" {
                check_below(&path, &format!("{shown}/"), problems)?;
            }
        } else if ["rs", "md", "py", "js", "scala"].iter().any(|known| extension == *known) {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            if extension == "rs" || extension == "md" {
                problems.extend(long_lines(&shown, &text));
            }
            let lines = text.lines().count();
            if extension != "md" && lines > MAX_LINES {
                problems.push(format!("{shown} has {lines} lines"));
            }
        }
    }
    Ok(())
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

/// Whether a line of Markdown or of a comment is a link and nothing else.
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
    fn files_below_folders_are_found_and_results_of_benchmarks_left_out() {
        let root = std::env::temp_dir().join(format!("lookalike-lines-{}", std::process::id()));
        let long = "a".repeat(121);
        for file in ["CHANGELOG.md", "bench/README.md", "bench/results/a.md", "target/a.rs", "src/b.txt", ".git/c.md"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &long).unwrap();
        }
        let mut problems = Vec::new();
        let checked = check_below(&root, "", &mut problems);
        fs::remove_dir_all(&root).unwrap();
        checked.unwrap();
        assert_eq!(problems, ["bench/README.md:1 has 121 characters"]);
    }
}
