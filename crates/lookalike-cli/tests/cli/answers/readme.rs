//! Every command at a console of the README runs, and answers what stands below it.
//!
//! A block is one session: its commands run one after the other in one folder, with the examples and the inputs that
//! the README only names. The lines below a command are all that it says, on standard output and then on standard
//! error; a last line `...` leaves the rest out, and without any line only its success counts.

use crate::common::Sandbox;
use std::fs;
use std::path::Path;

/// Commands that set up or check the project itself: they are not run from inside its tests.
const NOT_RUN: [&str; 3] =
    ["cargo install --locked --path crates/lookalike-cli", "cargo xtask test", "pip install ./crates/lookalike-python"];

/// A command, and the lines below it.
struct Shown {
    command: String,
    lines: Vec<String>,
}

fn repository_file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).unwrap()
}

/// The sessions at a console, in order.
fn sessions(markdown: &str) -> Vec<Vec<Shown>> {
    let blocks = markdown.split("```console\n").skip(1);
    blocks.map(|block| shown(block.split_once("```").unwrap().0)).collect()
}

fn shown(block: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push(Shown { command: command.to_owned(), lines: Vec::new() }),
            None => commands.last_mut().unwrap().lines.push(line.to_owned()),
        }
    }
    commands
}

/// A folder with all inputs that the commands of the README name.
fn inputs() -> Sandbox {
    let sandbox = Sandbox::with("examples/press.jsonl", repository_file("examples/press.jsonl"));
    for name in ["crawl/a.jsonl", "train.jsonl", "questions.jsonl", "news.jsonl"] {
        sandbox.write(name, repository_file("examples/press.jsonl"));
    }
    for (name, text) in [
        ("src/a/A.java", "int a = 1;"),
        ("homework/a.py", "a = 1"),
        ("logs/a.log", "10:01 start\n"),
        ("essays/a.txt", "an essay"),
    ] {
        sandbox.write(name, text);
    }
    sandbox
}

/// What a command says: the program's own, or the head of a file.
fn answer(sandbox: &Sandbox, command: &str) -> String {
    if let Some((count, file)) = command.strip_prefix("head -").and_then(|rest| rest.split_once(' ')) {
        return sandbox.read(file).split_inclusive('\n').take(count.parse().unwrap()).collect();
    }
    let arguments = ["lookalike ", "cargo run --release -- "].iter().find_map(|prefix| command.strip_prefix(prefix));
    let arguments = arguments.unwrap_or_else(|| panic!("no test knows how to run `{command}`"));
    // Patterns of file names stand between quotation marks for a shell, and there is none here.
    let run = sandbox.succeed(&arguments.replace('\'', ""));
    run.stdout + &run.stderr
}

fn check(sandbox: &Sandbox, shown: &Shown) {
    let said = answer(sandbox, &shown.command);
    let said: Vec<&str> = said.lines().collect();
    match shown.lines.as_slice() {
        [] => {}
        [start @ .., last] if last == "..." => {
            assert!(said.len() > start.len(), "{}: `...` stands for nothing", shown.command);
            assert_eq!(said[..start.len()], *start, "{}", shown.command);
        }
        all => assert_eq!(said, *all, "{}", shown.command),
    }
}

#[test]
fn commands_of_the_readme_answer_what_it_shows() {
    let mut count = 0;
    for session in sessions(&repository_file("README.md")) {
        let sandbox = inputs();
        for shown in session.iter().filter(|shown| !NOT_RUN.contains(&shown.command.as_str())) {
            check(&sandbox, shown);
            count += 1;
        }
    }
    assert!(count >= 10, "{count} commands were found");
}

#[test]
fn readme_begins_with_two_commands_that_need_no_other() {
    let first: Vec<String> =
        sessions(&repository_file("README.md")).into_iter().flatten().take(2).map(|s| s.command).collect();
    assert_eq!(first, ["cargo run --release -- dedup examples/press.jsonl -o deduplicated.jsonl", "cargo xtask test"]);
}

#[test]
#[should_panic(expected = "lookalike recluster")]
fn answer_that_differs_is_noticed() {
    let sandbox = inputs();
    sandbox.succeed("pairs examples/press.jsonl -t 0.5 -o pairs.jsonl");
    let command = "lookalike recluster pairs.jsonl -t 0.9 -o clusters.jsonl".to_owned();
    check(&sandbox, &Shown { command, lines: vec!["10 pairs at 0.9 or above".to_owned()] });
}
