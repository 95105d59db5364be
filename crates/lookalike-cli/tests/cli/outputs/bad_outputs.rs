//! Outputs that cannot be written: refused in one clear line, inputs untouched, nothing half-written.

use crate::common::{Sandbox, record, words};
use std::process::Command;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..9)) + &record("b", &words(0..9)));
    sandbox.write("in/a.txt", "x");
    sandbox
}

/// Asserts that a command is refused in a line that contains all of `expected`.
fn assert_refused(sandbox: &Sandbox, arguments: &str, expected: &[&str]) {
    let input = sandbox.read("in.jsonl");
    let words = sandbox.refuse_in_a_line(arguments);
    assert!(expected.iter().all(|part| words.contains(part)), "{arguments}: {words}");
    assert!(!words.contains(".partial"), "{arguments} shows its inner life: {words}");
    assert_eq!(sandbox.read("in.jsonl"), input, "{arguments}");
}

#[test]
fn a_folder_is_no_output_file() {
    let sandbox = sandbox();
    sandbox.write("folder/x", "x");
    for command in ["dedup in.jsonl", "pairs in.jsonl", "clusters in.jsonl", "checksum in.jsonl"] {
        assert_refused(&sandbox, &format!("{command} -o folder"), &["folder is a folder"]);
    }
    assert_refused(&sandbox, "dedup in.jsonl -o out.jsonl --removed folder", &["folder is a folder"]);
}

#[test]
fn an_output_folder_must_be_new_or_empty() {
    let sandbox = sandbox();
    sandbox.write("full/x", "x");
    assert_refused(&sandbox, "dedup in -o full", &["full exists already"]);
    sandbox.write("more.jsonl", record("c", "z"));
    assert_refused(&sandbox, "dedup in.jsonl more.jsonl -o full/", &["exists already"]);
}

#[test]
fn an_output_is_never_an_input() {
    let sandbox = sandbox();
    for output in ["in.jsonl", "./in.jsonl", "in/../in.jsonl", ".//in.jsonl"] {
        assert_refused(&sandbox, &format!("dedup in.jsonl -o {output}"), &["same file as input in.jsonl"]);
        assert_refused(&sandbox, &format!("dedup in.jsonl -o x --removed {output}"), &["same file as input"]);
        assert_refused(&sandbox, &format!("dedup in.jsonl -o x --summary {output}"), &["same file as input"]);
        assert_refused(&sandbox, &format!("pairs ./in.jsonl -o {output}"), &["same file as input ./in.jsonl"]);
    }
    let absolute = sandbox.path("in.jsonl");
    assert_refused(&sandbox, &format!("dedup in.jsonl -o {}", absolute.display()), &["same file as input"]);
    assert_refused(&sandbox, "dedup in -o in", &["same"]);
}

#[cfg(unix)]
#[test]
fn links_to_an_input_are_that_input() {
    let sandbox = sandbox();
    std::os::unix::fs::symlink("in.jsonl", sandbox.path("link.jsonl")).unwrap();
    std::os::unix::fs::symlink(".", sandbox.path("here")).unwrap();
    assert_refused(&sandbox, "dedup in.jsonl -o link.jsonl", &["same file as input in.jsonl"]);
    assert_refused(&sandbox, "dedup link.jsonl -o in.jsonl", &["same file as input link.jsonl"]);
    let run = sandbox.run("dedup in.jsonl -o here/in.jsonl");
    assert!(run.code == Some(2) && run.stderr.contains("same file as input in.jsonl"), "{}", run.stderr);
    std::fs::hard_link(sandbox.path("in.jsonl"), sandbox.path("hard.jsonl")).unwrap();
    let input = sandbox.read("in.jsonl");
    sandbox.run("dedup in.jsonl -o hard.jsonl");
    assert_eq!(sandbox.read("in.jsonl"), input, "a hard link is replaced, not written through");
}

#[test]
fn outputs_stay_out_of_input_folders() {
    let sandbox = sandbox();
    for output in ["in/out", "in/new.jsonl", "./in/out", "in/../in/out"] {
        assert_refused(&sandbox, &format!("dedup in -o {output}"), &["lies in the input folder in"]);
    }
    assert_refused(&sandbox, "dedup in -o out --removed in/r.csv", &["lies in the input folder in"]);
    assert_refused(&sandbox, "dedup in --dry-run --summary in/s.json", &["lies in the input folder in"]);
    assert_refused(&sandbox, "pairs in -o in/pairs.csv", &["lies in the input folder in"]);
    assert_refused(&sandbox, "dedup in -o out --work-dir in/work", &["in/work lies in the input folder in"]);
    assert_refused(&sandbox, "pairs in -o out/", &["output out/ is a folder; name a file"]);
    assert_refused(&sandbox, "snapshot in -o in.snapshot.gz", &["in.snapshot.gz is compressed as a whole"]);
}

#[test]
fn outputs_stay_out_of_indexes() {
    let sandbox = sandbox();
    sandbox.succeed("index create in.idx in.jsonl");
    let search = "search in.jsonl --in in.idx";
    for command in [
        format!("{search} -o in.idx/manifest"),
        format!("{search} -o in.idx/answers.jsonl"),
        format!("{search} -o answers.jsonl --summary in.idx/s.json"),
        "index add in.idx in.jsonl --summary ./in.idx/s.json".to_owned(),
        "index add in.idx in.jsonl --unless-near 0.8 -o in.idx/near.jsonl".to_owned(),
        "dedup in.jsonl --against in.idx -o in.idx/out.jsonl".to_owned(),
        "pairs in.idx -o in.idx/pairs.jsonl".to_owned(),
        "snapshot in.idx -o in.idx/in.snapshot".to_owned(),
    ] {
        assert_refused(&sandbox, &command, &["lies in the input folder", "in.idx"]);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(sandbox.path("in.idx"), sandbox.path("link")).unwrap();
        assert_refused(&sandbox, &format!("{search} -o link/manifest"), &["lies in the input folder in.idx"]);
    }
    assert!(sandbox.succeed("index verify in.idx").stderr.contains("every byte is as it was written"));
}

#[test]
fn outputs_differ_from_each_other() {
    let sandbox = sandbox();
    for (arguments, expected) in [
        (
            "dedup in.jsonl -o out.jsonl --removed ./out.jsonl",
            "output ./out.jsonl of the removed records is the same file as output out.jsonl of the records; \
             name two files (--output, --removed)",
        ),
        (
            "pairs in.jsonl -o out.jsonl --summary out.jsonl",
            "output out.jsonl of the summary is the same file as output out.jsonl of the rows; \
             name two files (--output, --summary)",
        ),
        (
            "recluster in.jsonl --threshold 0.9 --documents a.jsonl --records x --removed x",
            "output x of the removed records is the same file as output x of the records; \
             name two files (--records, --removed)",
        ),
        ("dedup in.jsonl -o x --work-dir x", "output x of the checkpoints is the same file as output x of the records"),
        (
            "dedup in.jsonl -o - --removed -",
            "records and removed records cannot both go to standard output; name two files (--output, --removed)",
        ),
        (
            "pairs in.jsonl --summary -",
            "rows and summary cannot both go to standard output; name two files (--output, --summary)",
        ),
    ] {
        assert_refused(&sandbox, arguments, &[expected]);
    }
}

#[test]
fn files_of_several_formats_do_not_fit_into_standard_output() {
    let sandbox = sandbox();
    sandbox.write("more.csv", "id,text\nc,z\n");
    assert_refused(&sandbox, "dedup in.jsonl more.csv -o -", &["folder", "--format"]);
    assert_refused(&sandbox, "dedup in -o -", &["folder", "--format"]);
}

#[test]
fn extensions_that_mean_nothing_are_refused() {
    let sandbox = sandbox();
    for command in
        ["dedup in.jsonl -o out.jsonl --removed", "pairs in.jsonl -o", "clusters in.jsonl -o", "checksum in.jsonl -o"]
    {
        assert_refused(&sandbox, &format!("{command} x.txt"), &["x.txt", ".jsonl, .csv, .tsv, .parquet and .arrow"]);
        assert_refused(&sandbox, &format!("{command} x.parquet.gz"), &["x.parquet.gz", "compressed as a whole"]);
    }
}

#[test]
fn outputs_are_checked_before_anything_is_read() {
    let sandbox = sandbox();
    sandbox.write("bad.jsonl", "oops\n");
    sandbox.write("full/x", "x");
    for (arguments, expected) in [
        ("dedup bad.jsonl -o out.jsonl --removed x.txt", "x.txt"),
        ("checksum bad.jsonl -o x.txt", "x.txt"),
        ("dedup bad.jsonl -o full", "full is a folder"),
        ("dedup bad.jsonl in.jsonl -o full", "full exists already"),
        ("dedup bad.jsonl in -o out --annotate", "--annotate needs JSON Lines"),
    ] {
        assert_refused(&sandbox, arguments, &[expected]);
    }
}

#[test]
fn folders_on_the_way_must_be_there() {
    let sandbox = sandbox();
    for arguments in ["dedup in.jsonl -o none/out.jsonl", "dedup in -o none/out", "pairs in.jsonl -o none/out.csv"] {
        assert_refused(&sandbox, arguments, &["cannot write none/out", "No such file or directory"]);
    }
}

#[test]
fn one_output_that_fails_takes_the_others_with_it() {
    let sandbox = sandbox();
    for output in ["none/x.jsonl", "in.jsonl/x.jsonl"] {
        for flag in ["--removed", "--summary"] {
            assert_refused(&sandbox, &format!("dedup in.jsonl -o out.jsonl {flag} {output}"), &[output]);
        }
        assert_refused(&sandbox, &format!("pairs in.jsonl -o out.jsonl --summary {output}"), &[output]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let sandbox = sandbox();
    for arguments in [
        "dedup in.jsonl -o /dev/full",
        "dedup in.jsonl -o out.jsonl --removed /dev/full",
        "dedup in.jsonl -o out.jsonl --summary /dev/full",
        "pairs in.jsonl -o /dev/full",
        "clusters in.jsonl -o /dev/full",
        "checksum in.jsonl -o /dev/full",
    ] {
        assert_refused(&sandbox, arguments, &["cannot write /dev/full: No space left on device"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_called_so() {
    let sandbox = sandbox();
    for arguments in [
        "dedup in.jsonl -o -",
        "pairs in.jsonl",
        "clusters in.jsonl --format json",
        "checksum in.jsonl",
        "compare in/a.txt in/a.txt",
        "plan",
        "plan --format json",
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = sandbox.command(arguments).stdout(full).output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {words}");
        let expected = "lookalike: cannot write standard output: No space left on device";
        assert!(words.starts_with(expected) && words.lines().count() == 1, "{arguments}: {words}");
    }
}

/// A limit on the size of files stands for a disk that fills up while a staging file is written.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_finished_leaves_nothing() {
    let content: String = (0..2000).map(|n| record(&n.to_string(), &words(n * 20..n * 20 + 19))).collect();
    let sandbox = Sandbox::with("in.jsonl", content.clone() + &content.replace("{\"id\":\"", "{\"id\":\"copy"));
    for arguments in [
        "dedup in.jsonl -o out.jsonl",
        "dedup in.jsonl -o out.jsonl --removed r.jsonl",
        "dedup in.jsonl -o out.jsonl --annotate",
        "dedup in.jsonl --dry-run --removed r.jsonl",
        "pairs in.jsonl -o out.jsonl",
        "clusters in.jsonl -o out.csv",
    ] {
        let command = sandbox.command(arguments);
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -f 8; exec \"$0\" \"$@\""]);
        limited.arg(command.get_program()).args(command.get_args()).current_dir(sandbox.path(""));
        let output = limited.output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {words}");
        assert!(words.contains("cannot write ") && words.lines().count() == 1, "{arguments}: {words}");
        assert_eq!(sandbox.names(), ["in.jsonl"], "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("locked")).unwrap();
    std::fs::set_permissions(sandbox.path("locked"), std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(sandbox.path("locked/probe"), "").is_ok() {
        eprintln!("SKIPPED: this user may write anywhere");
        return;
    }
    assert_refused(&sandbox, "dedup in.jsonl -o locked/out.jsonl", &["locked/out.jsonl", "Permission denied"]);
    assert_refused(&sandbox, "dedup in -o locked/out", &["locked/out", "Permission denied"]);
}

#[test]
fn an_output_inside_another_one_is_refused_before_the_work() {
    let sandbox = Sandbox::with("in/a.jsonl", record("a", "one two three"));
    for (outputs, folder) in [
        ("-o out --removed out/why.csv", "out"),
        ("-o out --summary out/new/s.json", "out"),
        ("-o out --removed work/why.csv --work-dir work", "work"),
        ("-o work/out --work-dir work", "work"),
    ] {
        let words = sandbox.refuse_in_a_line(&format!("dedup in {outputs}"));
        let reason = format!("{folder}, which is the folder of another output; name a place outside of it");
        assert!(words.ends_with(&reason), "{outputs}: {words}");
    }
    sandbox.succeed("dedup in -o out --removed why.csv --work-dir work");
}

#[test]
fn no_output_lands_on_the_list_of_stop_words() {
    let sandbox = sandbox();
    sandbox.write("stop.txt", "the\n");
    let same = &["output ./stop.txt is the same file as input stop.txt"];
    let stop = "--stop-words stop.txt";
    for arguments in [
        "dedup in.jsonl -o ./stop.txt",
        "dedup in.jsonl -o out.jsonl --removed ./stop.txt",
        "dedup in.jsonl -o out.jsonl --summary ./stop.txt",
        "pairs in.jsonl -o ./stop.txt",
        "clusters in.jsonl -o ./stop.txt",
        "snapshot in.jsonl -o ./stop.txt",
    ] {
        assert_refused(&sandbox, &format!("{arguments} {stop}"), same);
    }
    assert_refused(&sandbox, "pairs in.jsonl -o ./stop.txt --tokens code --rename-blind --keywords stop.txt", same);
    assert_eq!(sandbox.read("stop.txt"), "the\n");
}

#[test]
fn a_snapshot_has_no_extension_of_records() {
    let sandbox = sandbox();
    for name in ["s.jsonl", "s.csv", "s.parquet"] {
        let words = &["a snapshot cannot be turned into what this extension says"];
        assert_refused(&sandbox, &format!("snapshot in.jsonl -o {name}"), words);
    }
    sandbox.succeed("snapshot in.jsonl -o saved");
}

#[test]
fn a_folder_does_not_get_the_name_of_a_file() {
    let sandbox = Sandbox::with("in/a.txt", "one two");
    for (name, folder) in [
        ("out.zip", "out"),
        ("out.tar", "out"),
        ("out.tar.gz", "out.tar"),
        ("out.tgz", "out"),
        ("out.xlsx", "out"),
        ("out.docx", "out"),
        ("out.txt", "out"),
        ("out.html", "out"),
        ("out.png", "out"),
    ] {
        assert_eq!(
            sandbox.refuse_in_a_line(&format!("dedup in -o {name}")),
            format!(
                "cannot write {name}: a folder of records cannot be turned into what this extension says; .jsonl, \
                 .csv, .tsv, .parquet and .arrow can be made, or a folder, as {folder}"
            )
        );
    }
    sandbox.succeed("dedup in -o out.v2");
    sandbox.succeed("dedup in -o out.zip/");
    assert_eq!(sandbox.read("out.zip/a.txt"), "one two");
}

/// The file beside the rows is an output like others.
#[test]
fn what_rows_depend_on_replaces_no_input_and_no_output() {
    let sandbox = Sandbox::with("x.csv.about.json", record("a", "one two three") + &record("b", "one two three"));
    let before = sandbox.read("x.csv.about.json");
    let words = sandbox.refuse_in_a_line("pairs x.csv.about.json -o x.csv --about");
    assert!(words.contains("output x.csv.about.json is the same file as input"), "{words}");
    sandbox.write("in.jsonl", &before);
    for other in ["--summary y.csv.about.json", "-o y.csv.about.json"] {
        let words = sandbox.refuse_in_a_line(&format!("dedup in.jsonl --removed y.csv --about {other}"));
        assert!(words.contains("y.csv.about.json of the basis of the rows is the same file as"), "{other}: {words}");
    }
    for arguments in ["pairs in.jsonl --about", "dedup in.jsonl --about"] {
        let words = sandbox.refuse_in_a_line(arguments);
        assert!(words.ends_with(": name one (-o, --removed), or leave out --about"), "{arguments}: {words}");
    }
    assert_eq!(sandbox.names(), ["in.jsonl", "x.csv.about.json"]);
    assert_eq!(sandbox.read("x.csv.about.json"), before);
}

#[test]
fn rows_are_not_left_beside_what_others_depended_on() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two three") + &record("b", "one two three"));
    sandbox.succeed("pairs in.jsonl -t 0.5 -o pairs.csv --about");
    let words = sandbox.refuse_in_a_line("pairs in.jsonl -t 0.9 -o pairs.csv");
    assert!(words.starts_with("pairs.csv.about.json says what") && words.ends_with(": add --about, or remove it"));
    sandbox.succeed("pairs in.jsonl -t 0.9 -o pairs.csv --about");
    assert!(sandbox.refuse_in_a_line("recluster pairs.csv -t 0.6").contains("at 0.9 or above"));
    assert!(sandbox.refuse_in_a_line("recluster pairs.csv -t 0.9 -o pairs.csv.about.json").contains("same file"));
}

#[test]
fn format_and_extension_say_the_same() {
    let sandbox = sandbox();
    for command in ["pairs in.jsonl --format parquet -o x.jsonl", "dedup in.jsonl --format parquet -o x.jsonl"] {
        let line =
            "cannot write Parquet to x.jsonl: its extension names another format; rename it, or leave out --format";
        assert_refused(&sandbox, command, &[line]);
    }
    assert_refused(&sandbox, "clusters in.jsonl --format json -o x.csv", &["cannot write JSON array to x.csv"]);
    assert_refused(&sandbox, "dedup in.jsonl -o out.xlsx", &["cannot write out.xlsx", ".jsonl, .csv, .tsv"]);
    assert_refused(&sandbox, "pairs in.jsonl -o out.xlsx", &["out.xlsx", ".jsonl, .csv, .tsv"]);
    sandbox.succeed("pairs in.jsonl --format csv -o x.txt");
}

#[test]
fn no_file_is_replaced_where_none_may_be() {
    let sandbox = sandbox();
    sandbox.write("old.jsonl", "old");
    sandbox.write("pairs.csv", "a,b,similarity\n");
    for arguments in [
        "dedup in.jsonl -o old.jsonl",
        "dedup in.jsonl --removed old.jsonl",
        "dedup in.jsonl -o new.jsonl --summary old.jsonl",
        "pairs in.jsonl -o old.jsonl",
        "clusters in.jsonl -o old.jsonl",
        "checksum in.jsonl -o old.jsonl",
        "fingerprint in.jsonl -o old.jsonl",
        "recluster pairs.csv -o old.jsonl",
    ] {
        let line = "old.jsonl exists already; name another one, or leave out --no-clobber";
        assert_refused(&sandbox, &format!("{arguments} --no-clobber"), &[line]);
        assert_eq!(sandbox.read("old.jsonl"), "old");
    }
    sandbox.write("old.snapshot", "old");
    assert_refused(&sandbox, "snapshot in.jsonl -o old.snapshot --no-clobber", &["old.snapshot exists already"]);
    sandbox.succeed("dedup in.jsonl -o new.jsonl --no-clobber");
    sandbox.succeed("dedup in.jsonl -o old.jsonl");
    assert_ne!(sandbox.read("old.jsonl"), "old");
}
