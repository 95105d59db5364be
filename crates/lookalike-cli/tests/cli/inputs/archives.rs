//! Archives, and files that hold no text.

use crate::common::{Sandbox, gzip, words, zip};

/// A tar archive of files.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // `set_path` refuses paths that a hostile archive may hold.
        header.as_ustar_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

/// A zip archive with a name twice.
fn twice_in_zip() -> Vec<u8> {
    let mut bytes = zip(&[("a.txt", b"x"), ("b.txt", b"y")]);
    for at in 0..bytes.len() - 5 {
        if bytes[at..].starts_with(b"b.txt") {
            bytes[at] = b'a';
        }
    }
    bytes
}

#[test]
fn members_of_archives_are_documents_by_their_paths() {
    let text = words(0..20);
    let copy = words(0..21);
    let lines = "{\"id\":\"l\",\"text\":\"of a line\"}\n";
    let members: [(&str, &[u8]); 3] =
        [("in/a.txt", text.as_bytes()), ("in/deep/b.txt", copy.as_bytes()), ("in/c.jsonl", lines.as_bytes())];
    for (name, bytes) in [
        ("x.tar", tar(&members)),
        ("x.tar.gz", gzip(&tar(&members))),
        ("x.tgz", gzip(&tar(&members))),
        ("x.tar.zst", zstd::encode_all(&tar(&members)[..], 0).unwrap()),
        ("x.zip", zip(&members)),
        ("x", zip(&members)),
    ] {
        let sandbox = Sandbox::with(name, bytes);
        sandbox.succeed(&format!("dedup {name} -o out --removed r.csv -t 0.7"));
        assert_eq!(
            sandbox.read("r.csv").lines().nth(1).unwrap().split(',').take(2).collect::<Vec<_>>(),
            ["in/deep/b.txt", "in/a.txt"]
        );
        let names = sandbox.names_in("out/");
        assert_eq!(names, ["out/in/a.txt", "out/in/c.jsonl"], "{name}");
        assert_eq!(sandbox.read("out/in/a.txt"), text);
        assert_eq!(sandbox.succeed(&format!("dedup {name} -o - --format jsonl")).stdout.lines().count(), 2);
    }
}

#[test]
fn tar_archives_that_were_put_together_are_read_to_the_end_of_the_last() {
    let both = [tar(&[("a.txt", b"one")]), tar(&[("b.txt", b"two")])];
    for (name, bytes) in [("x.tar", both.concat()), ("x.tar.gz", both.map(|archive| gzip(&archive)).concat())] {
        let sandbox = Sandbox::with(name, bytes);
        sandbox.says(&format!("dedup {name}"), "2 documents...");
    }
}

#[test]
fn bad_files_in_archives_are_named_by_archive_and_member() {
    for (member, content, words) in [
        ("r.jsonl.gz", &b"{}"[..], "x.zip/r.jsonl.gz is not compressed with gzip"),
        ("r.parquet", b"PAR1 and no more", "cannot read x.zip/r.parquet as Parquet"),
        ("r.parquet", b"", "x.zip/r.parquet is empty"),
    ] {
        let sandbox = Sandbox::with("x.zip", zip(&[(member, content), ("a.txt", b"x y z")]));
        sandbox.refused("dedup x.zip", &format!("{words}..."));
        let run = sandbox.succeed("dedup x.zip --on-error skip");
        assert!(run.stderr.contains(&format!("left out x.zip/{member}: left out as a whole: {words}")), "{run:?}");
    }
}

#[test]
fn archives_that_would_write_elsewhere_or_lose_something_are_refused() {
    let sandbox = Sandbox::new();
    for (name, bytes, words) in [
        ("up.tar", tar(&[("a/../../b.txt", b"x")]), "`a/../../b.txt` has a path that leads out of it"),
        ("root.tar", tar(&[("/tmp/b.txt", b"x")]), "`/tmp/b.txt` has a path that leads out of it"),
        ("twice.tar", tar(&[("b.txt", b"x"), ("b.txt", b"y")]), "`b.txt` is there twice"),
        ("one.tar", tar(&[("a", b"x"), ("a/b.txt", b"y")]), "`a/b.txt` and another member are a file and a folder"),
        ("other.tar", tar(&[("a/b.txt", b"x"), ("a", b"y")]), "`a` and another member are a file and a folder"),
        ("one.zip", zip(&[("a", b"x"), ("a/b.txt", b"y")]), "`a/b.txt` and another member are a file and a folder"),
        ("twice.zip", twice_in_zip(), "`a.txt` is there twice"),
        ("both.zip", [zip(&[("a.txt", b"x")]), zip(&[("b.txt", b"y")])].concat(), "several archives put together"),
        ("up.zip", zip(&[("../b.txt", b"x")]), "`../b.txt` has a path that leads out of it"),
        ("cut.zip", zip(&[("b.txt", b"x")])[..40].to_vec(), "cannot be read"),
    ] {
        sandbox.write(name, bytes);
        let refused = sandbox.refuse_in_a_line(&format!("dedup {name} -o out"));
        assert!(refused.starts_with(&format!("archive {name}")) && refused.contains(words), "{refused}");
    }
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    archive.append_link(&mut header, "a.txt", "/etc/passwd").unwrap();
    sandbox.write("link.tar", archive.into_inner().unwrap());
    sandbox.refused("dedup link.tar -o out", "...`a.txt` is a link or no file...");
    // The flag of encryption of the member, in its header and in the directory.
    let mut locked = zip(&[("b.txt", b"x")]);
    let directory = locked.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    locked[6] |= 1;
    locked[directory + 8] |= 1;
    sandbox.write("locked.zip", locked);
    sandbox.refused("dedup locked.zip -o out", "...`b.txt` is encrypted...");
}

#[test]
fn archives_obey_their_own_gitignore_files_alone() {
    let members: [(&str, &[u8]); 3] = [("a.txt", b"one two"), ("b.log", b"three four"), (".gitignore", b"*.log\n")];
    let sandbox = Sandbox::with("x.zip", zip(&members));
    sandbox.write("tmp/.gitignore", "*\n");
    sandbox.says("dedup x.zip --gitignore --temp-dir tmp -o out", "...1 entry left out by .gitignore files...");
    assert_eq!(sandbox.read("out/a.txt"), "one two");
    // In a folder an archive is a file like others; one that was read by its name is not copied once more.
    sandbox.write("az/a.zip", zip(&[("m.txt", b"five six")]));
    sandbox.write("az/b.txt", "seven eight");
    let run = sandbox.succeed("dedup az az/a.zip -o o");
    assert!(!run.stderr.contains("without a document"), "{}", run.stderr);
    let names = sandbox.names_in("o/");
    assert!(!names.contains(&"o/az/a.zip".to_owned()) && names.iter().any(|name| name.ends_with("m.txt")), "{names:?}");
}

#[test]
fn archives_of_which_nothing_is_left_and_damaged_ones_do_not_end_a_job_of_others() {
    let sandbox = Sandbox::with("a.txt", words(0..20));
    sandbox.write("d/b.txt", words(30..50));
    sandbox.write("pt.zip", zip(&[("x.md", b"x")]));
    sandbox.says("dedup pt.zip a.txt --exclude *.md", "...1 entry left out by --exclude...");
    sandbox.write("none.zip", zip(&[]));
    sandbox.write("none.tar", vec![0; 10_240]);
    sandbox.refuse_all("inputs/archives_of_which_nothing_is_left_and_damaged_ones_do_not_end_a_job_of_others");
    sandbox.write("cut.zip", &zip(&[("b.txt", b"x")])[..40]);
    sandbox.refuse_all("inputs/damaged_archives");
    sandbox.says("dedup cut.zip d -o out --on-error skip", "...cut.zip: left out as a whole...1 bad record...");
    assert!(sandbox.bytes("out/cut.zip") == sandbox.bytes("cut.zip"));
}

#[test]
fn a_bomb_is_one_long_document() {
    let bomb = zip(&[("bomb.txt", &vec![b'x'; 3_000_000]), ("ok.txt", b"ok")]);
    let sandbox = Sandbox::with("bomb.zip", bomb);
    sandbox.refused("dedup bomb.zip -o out --max-document 1MB", "bomb.zip/bomb.txt: longer than 1,000,000 bytes...");
    sandbox.says("dedup bomb.zip --max-document 1MB --on-error skip", "...1 bad record...");
}

#[test]
fn binary_files_are_refused_by_name_and_kind() {
    let sandbox = Sandbox::with("in/paper.pdf", "%PDF-1.4\nplain characters");
    sandbox.write("in/a.txt", words(0..20));
    sandbox.refused("dedup in -o out", "in/paper.pdf: is a PDF document, not text...");
    sandbox.says("dedup in -o out --on-error skip", "...1 bad record left out...");
    sandbox.write("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    sandbox.refused("dedup picture -o x", "picture: is an image (image/png), not text...");
    sandbox.write("in/x.zip", zip(&[("b.txt", b"x")]));
    sandbox.says(
        "dedup in -o more --on-error skip",
        "...in/x.zip: is an archive or compressed file (application/zip), not text...",
    );
}

#[test]
fn archives_with_rare_compressions_name_them() {
    let mut rare = zip(&[("b.txt", b"x")]);
    // The method stands in the header of the member and in the directory.
    let directory = rare.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    for (method, name) in [(9, "Deflate64"), (12, "bzip2"), (14, "LZMA"), (93, "Zstandard"), (6, "a rare method")] {
        (rare[8], rare[directory + 10]) = (method, method);
        let sandbox = Sandbox::with("rare.zip", &rare);
        assert_eq!(
            sandbox.refuse_in_a_line("dedup rare.zip"),
            format!(
                "archive rare.zip: `b.txt` is compressed with {name}, which is not read in zip archives; unpack it, \
                 and name the folder"
            )
        );
    }
}

#[test]
fn archives_with_extensions_of_records_are_named_by_kind() {
    let zipped = zip(&[("b.txt", b"x")]);
    let tarred = tar(&[("b.txt", b"x")]);
    for (name, bytes, kind) in [
        ("data.jsonl", zipped.clone(), "an archive or compressed file (application/zip)"),
        ("data.json", zipped.clone(), "an archive or compressed file (application/zip)"),
        ("data.csv", tarred.clone(), "a tar archive"),
        ("data.tsv.gz", gzip(&tarred), "a tar archive"),
    ] {
        let sandbox = Sandbox::with(name, bytes);
        sandbox.refused(&format!("dedup {name}"), &format!("{name} is {kind}, not text; unpack or convert it first"));
        sandbox.write("in/good.jsonl", "{\"text\":\"x\"}\n");
        sandbox.write(&format!("in/{name}"), sandbox.bytes(name));
        sandbox.says("dedup in --on-error skip", "...1 bad record left out...");
    }
}
