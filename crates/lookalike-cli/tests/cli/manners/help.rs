//! The help of each command.

use crate::common::Sandbox;

const COMMANDS: [&str; 19] = [
    "dedup",
    "pairs",
    "clusters",
    "search",
    "index",
    "index create",
    "index add",
    "serve",
    "recluster",
    "sources",
    "cut",
    "snapshot",
    "fingerprint",
    "signatures",
    "compare",
    "plan",
    "checksum",
    "completions",
    "man",
];
/// Lines of a screen.
const SCREEN: usize = 45;

#[test]
fn short_help_of_each_command() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!("help", sandbox.succeed("-h").stdout);
    assert!(sandbox.refuse("").contains("Usage: lookalike [OPTIONS] <COMMAND>"));
    assert!(!sandbox.refuse("-v").contains("subcommand"));
    for command in COMMANDS {
        insta::assert_snapshot!(format!("help-{command}"), sandbox.succeed(&format!("{command} -h")).stdout);
    }
}

#[test]
fn short_help_fits_a_screen_and_shows_what_people_need_first() {
    let sandbox = Sandbox::new();
    for command in COMMANDS {
        let help = sandbox.command(&format!("{command} -h")).env("COLUMNS", "80").output().unwrap().stdout;
        let help = String::from_utf8(help).unwrap();
        assert!(help.lines().count() <= SCREEN, "{command}: {} lines\n{help}", help.lines().count());
        assert!(help.contains("\nExamples:\n  lookalike "), "{command} has no example");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
    let help = sandbox.succeed("dedup -h").stdout;
    for flag in ["--text-field", "--id-field", "-j, --threads", "-t, --threshold", "-o, --output", "-n, --dry-run"] {
        assert!(help.contains(flag), "{flag}: {help}");
    }
}

#[test]
fn every_option_with_a_value_shows_its_default_or_is_off() {
    // Options that are off unless given, and say so by what they do; and the one that must be given.
    let off =
        ["--output <OUT>", "--removed", "--summary", "--plot", "--low", "--low-rate", "--records", "--min-common"];
    let off = [&off[..], &["--output <FILE.snapshot>", "--in <CORPUS>"]].concat();
    let sandbox = Sandbox::new();
    for command in COMMANDS {
        let help = sandbox.succeed(&format!("{command} --help")).stdout;
        for option in help.split("\n\n").filter(|part| part.trim_start().starts_with('-')) {
            let name = option.lines().next().unwrap();
            let is_off = !name.contains('<') || off.iter().any(|off| name.contains(off));
            assert!(is_off || help_has_default(&help, option), "{command}: {option}");
        }
    }
}

/// The default stands in the option's paragraphs, which end where the next option begins.
fn help_has_default(help: &str, option: &str) -> bool {
    let behind = &help[help.find(option).unwrap() + option.len()..];
    let end = behind.find("\n      -").or_else(|| behind.find("\n  -")).unwrap_or(behind.len());
    option.contains("[default:") || behind[..end].contains("[default:")
}

#[test]
fn long_help_explains_with_examples_and_exit_status() {
    let sandbox = Sandbox::new();
    for command in COMMANDS {
        let help = sandbox.succeed(&format!("{command} --help")).stdout;
        assert!(help.contains(&format!("\n  lookalike {command}")), "{command} has no example");
    }
    let help = sandbox.succeed("--help").stdout;
    for status in ["0    done, also", "1    duplicates were found", "2    error", "130  interrupted"] {
        assert!(help.contains(status), "{help}");
    }
}

#[test]
fn the_version_is_that_of_the_crate() {
    let version = Sandbox::new().succeed("--version").stdout;
    let build = version.strip_prefix(concat!("lookalike ", env!("CARGO_PKG_VERSION"), " (")).unwrap();
    let (commit, platform) = build.trim_end().trim_end_matches(')').rsplit_once(", ").unwrap_or(("", build));
    assert!(commit.is_empty() || commit.len() >= 9 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{version}");
    assert!(platform.contains(std::env::consts::ARCH) && platform.contains(std::env::consts::OS), "{version}");
}
