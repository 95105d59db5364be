//! Choice of the files that are read: patterns, folders, doubles, what is left out, and names that are no UTF-8.

use crate::common::{Removed, Sandbox, record, rows, words};

/// The ids of all records that an annotated job writes: each document that was read is one.
fn read(sandbox: &Sandbox, arguments: &str) -> (Vec<String>, String) {
    let run = sandbox.succeed(&format!("dedup {arguments} -o - --annotate --format jsonl"));
    let ids = rows::<serde_json::Value>(&run.stdout).into_iter().map(|row| row["id"].as_str().unwrap().to_owned());
    (ids.collect(), run.stderr)
}

fn tree() -> Sandbox {
    let sandbox = Sandbox::with("d/a.txt", words(0..20));
    sandbox.write("d/b/c.txt", words(30..50));
    sandbox.write("d/b/e/f.txt", words(60..80));
    sandbox.write("d/.hidden.txt", "h");
    sandbox
}

#[test]
fn patterns_read_each_file_once() {
    let sandbox = tree();
    for pattern in ["d/**", "d/**/*", "d/*", "d/**/*.txt", "d/**/**"] {
        let (ids, words) = read(&sandbox, pattern);
        assert_eq!(ids, ["a.txt", "b/c.txt", "b/e/f.txt"], "{pattern}");
        assert!(words.contains("1 hidden file not read") && !words.contains("twice"), "{words}");
    }
    assert_eq!(read(&sandbox, "**/f.txt").0, ["d/b/e/f.txt"]);
    sandbox.succeed("index create i d/**/*");
    assert!(sandbox.succeed("index info i").stdout.contains('3'));
    sandbox.succeed("dedup d/** -o out");
    assert!(sandbox.read("out/b/e/f.txt") == words(60..80));
}

#[test]
fn what_is_left_out_is_counted_in_folders_patterns_and_among_names() {
    let sandbox = tree();
    sandbox.write("d/a.bak", "x");
    let (ids, said) = read(&sandbox, "d --exclude *.bak b/e");
    assert_eq!(ids, ["a.txt", "b/c.txt"]);
    assert!(said.contains("2 entries left out by --exclude"), "{said}");
    assert_eq!(read(&sandbox, "d --exclude d/b *.bak").0, ["a.txt"]);
    assert_eq!(read(&sandbox, "d/**/*.txt --exclude e/").0, ["a.txt", "b/c.txt"]);
    assert_eq!(read(&sandbox, "d/a.txt d/a.bak --exclude *.bak").0, ["a.txt"]);
    sandbox.write("d/.gitignore", "*.bak\n/b/\n");
    let (ids, said) = read(&sandbox, "d --gitignore");
    assert!(ids == ["a.txt"] && said.contains("2 entries left out by .gitignore files"), "{ids:?} {said}");
    assert_eq!(read(&sandbox, "d/* --gitignore").0, ["a.txt"]);
    assert_eq!(read(&sandbox, "d").0.len(), 4);
    sandbox.refused(
        "dedup d/a.txt --exclude *.txt",
        "nothing is left to read: patterns leave out all files; give fewer (--exclude)",
    );
    sandbox.write("e/.gitignore", "*\n");
    sandbox.write("e/x.txt", "x");
    sandbox.refuse_all("inputs/what_is_left_out_is_counted_in_folders_patterns_and_among_names");
}

#[test]
fn folders_that_are_left_out_hold_for_what_is_named_in_them() {
    let sandbox = tree();
    let root = format!("{}/", sandbox.path("").canonicalize().unwrap().display());
    sandbox.write("drafts/a.txt", words(0..20));
    sandbox.write("top.txt", words(0..20));
    for inputs in [
        "drafts/a.txt top.txt",
        "drafts/*.txt top.txt",
        "drafts/** top.txt",
        "*/a.txt top.txt --exclude d/",
        "./drafts/a.txt ./top.txt",
        "drafts top.txt",
    ] {
        let exclude = if inputs.contains("--exclude") { "drafts/" } else { "--exclude drafts/" };
        let (ids, said) = read(&sandbox, &format!("{inputs} {exclude}"));
        assert!(ids == ["top.txt"] && said.contains("left out by --exclude"), "{inputs}: {ids:?} {said}");
    }
    assert_eq!(read(&sandbox, &format!("file://{root}drafts/a.txt top.txt --exclude drafts/")).0, ["top.txt"]);
    // From the current folder, however the input was typed.
    for input in ["d", "./d", "d/**", &format!("{root}d"), "d/../d"] {
        assert_eq!(read(&sandbox, &format!("{input} --exclude ./d/b")).0, ["a.txt"], "{input}");
        assert_eq!(read(&sandbox, &format!("{input} --exclude ./b")).0.len(), 3, "{input}");
    }
}

#[test]
fn what_was_read_once_is_never_without_a_document() {
    let sandbox = Sandbox::with("in/a.txt", words(0..20));
    sandbox.write("in/b.txt", words(0..20));
    sandbox.write("in/r.jsonl", record("1", &words(0..20)));
    let root = format!("{}/", sandbox.path("").canonicalize().unwrap().display());
    #[cfg(unix)]
    std::os::unix::fs::symlink("in", sandbox.path("again")).unwrap();
    let mut inputs = vec![
        "in/b.txt ./in".to_owned(),
        "./in/b.txt in".to_owned(),
        "in/** in/../in".to_owned(),
        format!("in/b.txt {root}in"),
        format!("file://{root}in/b.txt in"),
        "in/r.jsonl ./in".to_owned(),
        "./in/r.jsonl in/*".to_owned(),
    ];
    if cfg!(unix) {
        inputs.push("again/b.txt in".to_owned());
        inputs.push("in/b.txt again".to_owned());
    }
    for (number, inputs) in inputs.iter().enumerate() {
        let run = sandbox.succeed(&format!("dedup {inputs} -o o{number}"));
        assert!(!run.stderr.contains("without a document"), "{inputs}: {}", run.stderr);
        let folder = format!("o{number}/");
        let is_text = |name: &String| name.starts_with(&folder) && name.ends_with(".txt");
        let texts = sandbox.names().into_iter().filter(is_text).count();
        assert!(texts <= 1, "{inputs}: {texts} texts stay");
    }
}

#[test]
fn a_pattern_copies_what_it_passes_over_and_names_no_standard_input() {
    let sandbox = tree();
    for (number, pattern) in ["d/*", "d/**", "d"].into_iter().enumerate() {
        sandbox.says(
            &format!("dedup {pattern} -o o{number}"),
            "...1 file without a document, copied beside the records: .hidden.txt...",
        );
        assert_eq!(sandbox.read(&format!("o{number}/.hidden.txt")), "h");
        assert_eq!(sandbox.read(&format!("o{number}/b/c.txt")), words(30..50));
    }
    sandbox.refuse_all("inputs/a_pattern_copies_what_it_passes_over_and_names_no_standard_input");
    sandbox.succeed("dedup d/*.txt -o d/out");
    let sandbox = Sandbox::with("-", words(0..20));
    sandbox.write("b.txt", words(30..50));
    assert_eq!(read(&sandbox, "*").0, ["-", "b.txt"]);
}

#[cfg(unix)]
#[test]
fn pipes_are_read_only_by_their_names() {
    let sandbox = tree();
    let made = std::process::Command::new("mkfifo").arg(sandbox.path("d/pipe")).status();
    assert!(made.unwrap().success());
    for input in ["d", "d/*", "d/**"] {
        let (ids, said) = read(&sandbox, input);
        assert_eq!(ids, ["a.txt", "b/c.txt", "b/e/f.txt"], "{input}");
        assert!(said.contains("1 pipe or device not read"), "{input}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_skipped_and_named() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let sandbox = tree();
    let forbid = |name: &str| fs::set_permissions(sandbox.path(name), Permissions::from_mode(0o000)).unwrap();
    sandbox.write("d/x.jsonl", record("1", &words(80..99)));
    sandbox.write("d/z/c.txt", words(30..50));
    forbid("d/x.jsonl");
    forbid("d/z");
    // A superuser may read everything.
    if fs::read_dir(sandbox.path("d/z")).is_err() {
        let refused = sandbox.run("dedup d");
        assert!(refused.code == Some(2) && refused.stderr.contains("Permission denied"), "{refused:?}");
        let (ids, said) = read(&sandbox, "d --on-error skip");
        assert_eq!(ids, ["a.txt", "b/c.txt", "b/e/f.txt"]);
        assert!(said.contains("2 bad records left out") && said.contains("d/z: left out"), "{said}");
        let refused = sandbox.run("dedup d --on-error skip -o out");
        assert!(refused.code == Some(2) && refused.stderr.contains("which is in no document"), "{refused:?}");
        assert!(refused.stderr.contains("--left-out drop"), "{refused:?}");
        sandbox.succeed("dedup d --on-error skip -o out --left-out drop");
    }
    fs::set_permissions(sandbox.path("d/z"), Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_file_that_is_named_twice_is_read_once_with_a_note() {
    let sandbox = tree();
    for (arguments, named) in
        [("d d/a.txt", "d/a.txt"), ("d/a.txt d/a.txt", "d/a.txt"), ("d d", "d"), ("d/a.txt d", "d/a.txt")]
    {
        let run = sandbox.succeed(&format!("dedup {arguments} --removed -"));
        assert!(run.stdout.lines().count() <= 1, "{arguments}: {}", run.stdout);
        let note = format!("note: {named} is named twice, and read once");
        assert!(run.stderr.contains(&note), "{arguments}: {}", run.stderr);
    }
    sandbox.write("x.jsonl", record("1", &words(0..20)));
    let run = sandbox.succeed("dedup x.jsonl ./x.jsonl -o y.jsonl");
    assert!(sandbox.read("y.jsonl") == sandbox.read("x.jsonl") && run.stderr.contains("named twice"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_link_is_the_file_that_it_leads_to_and_a_hard_link_is_another() {
    let sandbox = tree();
    std::os::unix::fs::symlink("a.txt", sandbox.path("d/link.txt")).unwrap();
    std::os::unix::fs::symlink("d", sandbox.path("again")).unwrap();
    for arguments in ["d d/link.txt", "d/a.txt d/link.txt", "d/*.txt", "d again", "again d"] {
        let (ids, said) = read(&sandbox, arguments);
        assert!(said.contains("named twice, and read once"), "{arguments}: {said}");
        assert_eq!(ids.iter().filter(|id| id.ends_with("a.txt") || id.ends_with("link.txt")).count(), 1, "{ids:?}");
    }
    std::fs::hard_link(sandbox.path("d/a.txt"), sandbox.path("d/hard.txt")).unwrap();
    let removed = rows::<Removed>(&sandbox.succeed("dedup d -n --removed -").stdout);
    assert_eq!((&*removed[0].id, &*removed[0].reason), ("hard.txt", "identical"));
}

#[test]
fn an_input_that_is_a_reference_is_refused_by_its_name() {
    let sandbox = tree();
    sandbox.write("new.jsonl", record("1", &words(0..20)));
    sandbox.refuse_all("inputs/an_input_that_is_a_reference_is_refused_by_its_name");
    sandbox.succeed("dedup d/b --against d/a.txt");
    sandbox.succeed("search new.jsonl --in new.jsonl");
}

#[test]
fn no_document_is_its_own_source() {
    let shared = words(0..30);
    let sandbox = Sandbox::with("essays/ann.txt", format!("{shared} {}", words(100..110)));
    sandbox.write("essays/ben.txt", format!("{shared} {}", words(200..210)));
    sandbox.write("essays/cleo.txt", words(300..340));
    sandbox.write("library/book.txt", words(300..320));
    let pairs = |arguments: &str| -> Vec<(String, String)> {
        let found = sandbox.succeed(&format!("sources {arguments} --format jsonl")).stdout;
        let rows = rows::<serde_json::Value>(&found).into_iter();
        // A document without a source has a row, too.
        rows.filter_map(|row| Some((row["id"].as_str().unwrap().to_owned(), row["source"].as_str()?.to_owned())))
            .collect()
    };
    let pair = |id: &str, source: &str| (id.to_owned(), source.to_owned());
    let all = [pair("ann.txt", "ben.txt"), pair("ben.txt", "ann.txt"), pair("cleo.txt", "library/book.txt")];
    assert_eq!(pairs("essays --against essays library"), all);
    assert_eq!(pairs("essays --against essays"), all[..2]);
    // Only what is a reference is a source.
    assert_eq!(pairs("essays --against essays/ann.txt"), all[1..2]);
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_utf8_is_an_argument_and_an_id() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::with("d/a.txt", words(0..20));
    let odd = |name: &[u8]| sandbox.path("d").join(OsStr::from_bytes(name));
    std::fs::write(odd(b"caf\xe9.txt"), words(0..20)).unwrap();
    std::fs::write(odd(b"caf\xe8.txt"), words(40..60)).unwrap();
    let removed = rows::<Removed>(&sandbox.succeed("dedup d -n --removed -").stdout);
    assert_eq!(removed[0].id, r"caf\xe9.txt");
    for pattern in ["d/*.txt", "d/**"] {
        assert_eq!(read(&sandbox, pattern).0, ["a.txt", r"caf\xe8.txt", r"caf\xe9.txt"], "{pattern}");
    }
    // As an argument, with checkpoints, a summary, and rows that say what they depend on.
    let mut command = sandbox.command("dedup d/a.txt --work-dir work --summary s.json --removed r.csv --about -o out");
    let run = command.arg(odd(b"caf\xe9.txt")).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(sandbox.read("s.json").contains(r"caf\\xe9.txt") && sandbox.read("r.csv").contains(r"caf\xe9.txt"));
    // As a list of words; as text it is refused with its flag, and in errors it stands like in rows.
    let run = |arguments: &str, bytes: &[u8]| {
        let run = sandbox.command(arguments).arg(OsStr::from_bytes(bytes)).output().unwrap();
        (run.status.success(), String::from_utf8(run.stderr).unwrap())
    };
    assert!(run("dedup d -n --stop-words", b"d/caf\xe9.txt").0);
    let (succeeds, said) = run("dedup d -n --exclude", b"caf\xe9.txt");
    assert!(!succeeds && said.contains("--exclude") && said.contains("UTF-8"), "{said}");
    let (succeeds, said) = run("dedup d -n --text-field", b"caf\xe9");
    assert!(!succeeds && said.contains("--text-field") && said.contains("not UTF-8"), "{said}");
    assert!(run("dedup", b"none\xe9.txt").1.contains(r"none\xe9.txt"));
    // Its id is accepted, and so is the name itself.
    let named = [r"d/caf\xe9.txt".as_bytes(), b"d/caf\xe9.txt", br"d:caf\xe9.txt"];
    for name in named {
        let run = sandbox.command("compare d/a.txt").arg(OsStr::from_bytes(name)).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
    assert!(sandbox.succeed(r"compare a.txt caf\xe9.txt --in d").stdout.contains('1'));
    sandbox.succeed("index create i d");
    sandbox.succeed(r"index get i caf\xe9.txt");
    sandbox.succeed(r"index remove i caf\xe9.txt");
    sandbox.says(r"search --id caf\xe8.txt --in d -k 1", "...1 query...");
}

#[test]
fn folders_of_datasets_hold_their_records_alone() {
    let sandbox = Sandbox::with("in.jsonl", record("1", &words(0..20)) + &record("2", &words(30..50)));
    sandbox.succeed("dedup in.jsonl -o data-00000-of-00001.arrow");
    let arrow = sandbox.bytes("data-00000-of-00001.arrow");
    for split in ["train", "test"] {
        sandbox.write(&format!("ds/{split}/data-00000-of-00001.arrow"), &arrow);
        sandbox.write(&format!("ds/{split}/cache-1a2b.arrow"), "no records");
        sandbox.write(&format!("ds/{split}/state.json"), "{\"_data_files\": []}");
        sandbox.write(&format!("ds/{split}/dataset_info.json"), "{}");
    }
    sandbox.write("ds/dataset_dict.json", "{\"splits\": [\"train\", \"test\"]}");
    for input in ["ds", "ds/train ds/test", "ds/**"] {
        assert_eq!(read(&sandbox, input).0.len(), 4, "{input}");
    }
    // Alone they are texts like others.
    sandbox.write("plain/state.json", "{}");
    sandbox.says("dedup plain", "1 document...");
}

#[cfg(unix)]
#[test]
fn standard_input_that_is_a_reference_is_refused() {
    let sandbox = Sandbox::with("new.jsonl", record("1", &words(0..20)));
    sandbox.write("other.jsonl", record("2", &words(30..50)));
    let run = |arguments: &str| {
        let stdin = std::fs::File::open(sandbox.path("new.jsonl")).unwrap();
        crate::common::Run::from(sandbox.command(arguments).stdin(stdin).output().unwrap())
    };
    for arguments in
        ["dedup - --against new.jsonl -o -", "dedup new.jsonl --against - -o -", "dedup - --against . -o -"]
    {
        let refused = run(arguments);
        assert_eq!((refused.code, &*refused.stdout), (Some(2), ""), "{arguments}: {}", refused.stderr);
        assert!(refused.stderr.contains("new.jsonl is an input and a reference"), "{}", refused.stderr);
    }
    assert_eq!(run("dedup - --against other.jsonl -o -").stdout, sandbox.read("new.jsonl"));
    let rows = run("sources - --against new.jsonl --format jsonl").stdout;
    assert!(rows.contains("\"source\":null"), "{rows}");
}

#[test]
fn urls_of_files_are_paths_wherever_a_path_stands() {
    let sandbox = Sandbox::with("d.jsonl", record("1", &words(0..20)) + &record("2", &words(0..20)));
    let root = format!("file://{}", sandbox.path("").display());
    sandbox.succeed(&format!("index create {root}idx d.jsonl"));
    assert!(sandbox.path("idx").is_dir());
    sandbox.succeed(&format!("index info {root}idx"));
    sandbox.succeed(&format!("search d.jsonl --in {root}idx"));
    sandbox.succeed(&format!("compare {root}d.jsonl:1 {root}d.jsonl:2"));
    sandbox.succeed("pairs d.jsonl -o p.jsonl");
    sandbox.succeed(&format!("recluster {root}p.jsonl"));
    sandbox.succeed(&format!("dedup file:{}", sandbox.path("d.jsonl").display()));
    sandbox.refuse_all("inputs/urls_of_files_are_paths_wherever_a_path_stands");
}

#[test]
fn urls_of_files_are_paths_and_other_schemes_are_refused_with_those_that_are_known() {
    let sandbox = tree();
    sandbox.write("a b.jsonl", record("1", &words(0..20)));
    let root = sandbox.path("").display().to_string();
    let run = sandbox.succeed(&format!("dedup file://{root}a%20b.jsonl -o file://{root}out.jsonl"));
    assert!(sandbox.read("out.jsonl") == sandbox.read("a b.jsonl"), "{run:?}");
    assert_eq!(read(&sandbox, &format!("file://{root}d/**/*.txt")).0.len(), 3);
    sandbox.refuse_in_a_line(&format!("dedup d/a.txt -o file://{root}d/a.txt"));
    sandbox.refuse_all("inputs/urls_of_files_are_paths_and_other_schemes_are_refused_with_those_that_are_known");
}

#[test]
fn files_that_only_begin_like_json_are_told_how_to_be_texts() {
    let sandbox = Sandbox::with("notes/a.tex", "{\\bf Bold} words in TeX");
    sandbox.write("notes/b.ipynb", "{\n \"cells\": []\n}");
    sandbox.write("notes/c.j2", "{% if x %} words {% endif %}");
    sandbox.refuse_all("inputs/files_that_only_begin_like_json_are_told_how_to_be_texts");
    assert_eq!(read(&sandbox, "notes/* --input-format text").0.len(), 3);
    let sandbox = Sandbox::with("in.jsonl", "{\"n\":1e400,\"text\":\"one two\"}\n");
    sandbox.writes("dedup in.jsonl -o out.jsonl", "out.jsonl", &sandbox.read("in.jsonl"));
    sandbox.write("nan.jsonl", "{\"text\":\"x\",\"n\":NaN}\n");
    sandbox.refused("dedup nan.jsonl", "...NaN at column...");
}

#[test]
fn zstd_with_a_long_window_is_read_where_memory_allows() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(28).unwrap();
    std::io::Write::write_all(&mut encoder, record("1", &words(0..20)).as_bytes()).unwrap();
    let sandbox = Sandbox::with("in.jsonl.zst", encoder.finish().unwrap());
    sandbox.refused("dedup in.jsonl.zst --memory 128MiB", "...window of 256 MiB...--memory...zstd -dc...");
    sandbox.says("dedup in.jsonl.zst --memory 512MiB", "...1 document...");
}
