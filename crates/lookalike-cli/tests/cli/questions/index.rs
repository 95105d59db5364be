//! `index`: documents that come and go.

use crate::common::{Sandbox, record, words};
use std::fs;

fn sandbox() -> Sandbox {
    let texts = [("a", "one two three four five six"), ("b", "seven eight nine ten eleven twelve")];
    let sandbox = Sandbox::with("old.jsonl", texts.map(|(id, text)| record(id, text)).concat());
    let texts = [("a", "red green blue white black grey"), ("c", "One two three four five six!"), ("d", "c d e f g h")];
    sandbox.write("new.jsonl", texts.map(|(id, text)| record(id, text)).concat());
    sandbox
}

fn ids(sandbox: &Sandbox, index: &str) -> Vec<String> {
    // Each document is asked about, and those that are not there are refused.
    let is_there = |id: &&str| sandbox.command(&format!("index get {index} {id}")).output().unwrap().status.success();
    ["a", "b", "c", "d"].into_iter().filter(is_there).map(str::to_owned).collect()
}

#[test]
fn documents_come_and_go() {
    let sandbox = sandbox();
    sandbox.says("index create news.idx old.jsonl -t 0.5", "2 documents added; the index has 2, ...");
    sandbox.succeed("index add news.idx new.jsonl");
    assert_eq!(ids(&sandbox, "news.idx"), ["a", "b", "c", "d"]);
    let rows = sandbox.succeed("search old.jsonl --in news.idx --format csv").stdout;
    assert_eq!(rows, "query,rank,id,similarity,reason\na,1,c,1.0,equal\nb,1,b,1.0,identical\n");
    sandbox.succeed("index remove news.idx a c");
    assert_eq!(ids(&sandbox, "news.idx"), ["b", "d"]);
    sandbox.succeed("index backup news.idx copy.idx");
    sandbox.says("index compact news.idx", "2 documents in 1 segment, ...");
    for index in ["news.idx", "copy.idx"] {
        assert_eq!(ids(&sandbox, index), ["b", "d"]);
        let run = sandbox.succeed(&format!("index verify {index}"));
        assert_eq!(run.stderr, format!("{index}: every byte is as it was written\n"));
    }
    let info = sandbox.succeed("index info news.idx --json").stdout;
    assert!(info.contains(r#""documents":2,"gone":0,"#), "{info}");
}

#[test]
fn what_is_near_is_reported_and_not_added() {
    let sandbox = sandbox();
    sandbox.succeed("index create news.idx old.jsonl -t 0.5");
    sandbox.says(
        "index add news.idx new.jsonl --unless-near 0.9 -o near.csv",
        "3 documents added, 1 of them in place of another with the same id; the index has 4, ...",
    );
    // The new a takes the place of the old one, so c is near to nothing.
    assert_eq!(sandbox.read("near.csv"), "query,rank,id,similarity,reason\n");
    sandbox.write("again.jsonl", record("e", "C D E F G H") + &record("f", "x y z") + &record("g", "X Y Z"));
    sandbox.says(
        "index add news.idx again.jsonl --unless-near -o near.csv",
        "1 document added, 2 not: another is near; the index has 5, ...",
    );
    let expected = "query,rank,id,similarity,reason\ne,1,d,1.0,equal\ng,1,f,1.0,equal\n";
    assert_eq!(sandbox.read("near.csv"), expected);
}

#[test]
fn an_index_is_made_of_a_snapshot() {
    let sandbox = sandbox();
    sandbox.succeed("snapshot old.jsonl new.jsonl -o all.snapshot");
    sandbox.succeed("index create all.idx all.snapshot");
    let rows = sandbox.succeed("search new.jsonl --in all.idx --format csv -k 1").stdout;
    let expected =
        "query,rank,id,similarity,reason\na,1,a@new.jsonl,1.0,identical\nc,1,a,1.0,equal\nd,1,d,1.0,identical\n";
    assert_eq!(rows, expected);
}

#[test]
fn an_index_is_an_input_of_every_job() {
    let sandbox = sandbox();
    sandbox.write("near.jsonl", record("e", "one two three four five six seven") + &record("f", "c d e f g h i"));
    sandbox.succeed("index create all.idx old.jsonl -t 0.9 --ttl 1d");
    sandbox.succeed("index add all.idx near.jsonl");
    sandbox.succeed("index remove all.idx b");
    sandbox.write("same.jsonl", record("a", "one two three four five six") + &sandbox.read("near.jsonl"));
    let words = |command: &str| sandbox.succeed(command).stdout;
    for command in
        ["pairs {} -t 0.5", "clusters {} -t 0.5", "dedup {} -t 0.5 --removed - -n", "pairs {} new.jsonl -t 0.4"]
    {
        let [of_index, of_records] = ["all.idx", "same.jsonl"].map(|input| words(&command.replace("{}", input)));
        assert_eq!(of_index, of_records, "{command}");
        assert!(of_index.contains("\"a\""), "{of_index}");
    }
    sandbox.succeed("snapshot all.idx -o all.snapshot");
    assert_eq!(words("pairs all.snapshot -t 0.5"), words("pairs all.idx -t 0.5"));
    assert_eq!(words("search new.jsonl --in all.idx old.jsonl -t 0.5 --format csv").lines().count(), 5);
    sandbox.succeed("index create again.idx all.idx");
    assert_eq!(words("pairs again.idx -t 0.5"), words("pairs all.idx -t 0.5"));
    sandbox.refuse_all("questions/an_index_is_an_input_of_every_job");
}

#[test]
fn a_keyed_index_is_no_input_and_its_secret_is_not_shown() {
    let sandbox = sandbox();
    sandbox.succeed("index create keyed.idx old.jsonl --keyed");
    sandbox.refuse_all("questions/a_keyed_index_is_no_input_and_its_secret_is_not_shown");
}

#[test]
fn a_nightly_job_is_one_command() {
    let sandbox = sandbox();
    sandbox.succeed("index create all.idx old.jsonl -t 0.5");
    sandbox.write("tonight.jsonl", sandbox.read("new.jsonl") + &record("e", "Seven eight nine ten eleven twelve"));
    let command = "dedup tonight.jsonl --against all.idx --add -o fresh.jsonl --removed why.csv --summary s.json";
    // What replaces a document is not compared with it, so the second run gives the same.
    for (added, replaced) in [("3 documents added", "1 of them"), ("3 documents added", "3 of them")] {
        let words = sandbox.succeed(command).stderr;
        let expected = format!(
            "{added}, {replaced} in place of another with the same id, 1 not: another is near; the index has 4, "
        );
        assert!(words.contains("4 documents: 3 kept, 1 removed") && words.contains(&expected), "{words}");
        assert_eq!(sandbox.read("fresh.jsonl"), sandbox.read("new.jsonl"));
        assert_eq!(sandbox.read("why.csv"), "id,kept,similarity,reason\ne,b,1.0,equal\n");
        assert_eq!(ids(&sandbox, "all.idx"), ["a", "b", "c", "d"]);
        assert!(sandbox.read("s.json").contains(r#""index":{"#), "{}", sandbox.read("s.json"));
    }
    for (command, words) in [
        ("dedup new.jsonl --against all.idx old.jsonl --add", "--add: expected one index behind --against"),
        ("dedup new.jsonl --against old.jsonl --add", "--add: expected one index behind --against"),
        ("dedup new.jsonl --against all.idx --add --shingle word:2", "all.idx does not fit this job: shingle"),
        ("dedup new.jsonl --against all.idx --add -o all.idx", "all.idx"),
    ] {
        let before = sandbox.succeed("index info all.idx --json").stdout;
        sandbox.refused(command, &format!("...{words}..."));
        assert_eq!(sandbox.succeed("index info all.idx --json").stdout, before);
    }
}

/// Counts of terms are stored, whatever they are weighed by where they are compared.
#[test]
fn counts_are_added_and_not_weights() {
    let sandbox = sandbox();
    let terms = "--shingle word:1 --measure cosine --weights tfidf -t 0.3";
    sandbox.succeed(&format!("index create all.idx old.jsonl {terms}"));
    sandbox.succeed(&format!("index create expected.idx old.jsonl {terms}"));
    sandbox.write("tonight.jsonl", record("z", "zebra zebra zebra lion"));
    sandbox.succeed(&format!("dedup tonight.jsonl --against all.idx --add {terms}"));
    sandbox.succeed("index add expected.idx tonight.jsonl");
    sandbox.write("query.jsonl", record("q", "zebra lion lion"));
    let answers = ["all.idx", "expected.idx"]
        .map(|index| sandbox.succeed(&format!("search query.jsonl --in {index} --format csv")).stdout);
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].contains("q,1,z,"), "{}", answers[0]);
}

#[test]
fn a_wrong_word_changes_nothing() {
    let sandbox = sandbox();
    sandbox.succeed("index create news.idx old.jsonl");
    let before = sandbox.succeed("index info news.idx --json").stdout;
    sandbox.refuse_all("questions/a_wrong_word_changes_nothing");
    assert_eq!(sandbox.succeed("index info news.idx --json").stdout, before);
    assert!(!sandbox.path("other.idx").exists());
}

#[test]
fn damage_is_found_and_said() {
    let sandbox = sandbox();
    sandbox.succeed("index create news.idx old.jsonl");
    let segment = fs::read_dir(sandbox.path("news.idx")).unwrap().filter_map(Result::ok).map(|entry| entry.path());
    let segment = segment.into_iter().find(|path| path.to_string_lossy().contains("segment-")).unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    bytes[100] ^= 4;
    fs::write(&segment, bytes).unwrap();
    assert!(sandbox.refuse("index verify news.idx").contains("news.idx has 1 problem"));
    fs::remove_file(segment).unwrap();
    sandbox.refused("search old.jsonl --in news.idx", "...No such file or directory...");
}

#[test]
fn damage_is_neither_copied_nor_written_over() {
    let text = |number: usize| (0..30).map(|word| format!("w{number}x{word} ")).collect::<String>();
    let records: String = (0..80).map(|n| format!("{{\"id\": \"d{n}\", \"text\": \"{}\"}}\n", text(n))).collect();
    let sandbox = Sandbox::with("in.jsonl", records);
    sandbox.write("one.jsonl", "{\"id\": \"one\", \"text\": \"one two three four five six\"}\n");
    sandbox.write("two.jsonl", "{\"id\": \"two\", \"text\": \"seven of them are nine, not ten\"}\n");
    let damage = |name: &str, at: &dyn Fn(usize) -> usize| {
        let mut bytes = sandbox.bytes(name);
        let at = at(bytes.len());
        bytes[at] ^= 1;
        sandbox.write(name, bytes);
    };
    // A group of the log, behind which another process has written one.
    sandbox.succeed("index create log.idx in.jsonl");
    sandbox.succeed("index add log.idx one.jsonl");
    sandbox.succeed("index add log.idx two.jsonl");
    let log = sandbox.names().into_iter().find(|name| name.starts_with("log.idx/log-")).unwrap();
    damage(&log, &|_| 50);
    let told = ["search one.jsonl --in log.idx", "index add log.idx one.jsonl", "index backup log.idx copy.idx"];
    for command in told {
        assert!(sandbox.refuse(command).contains("damaged"), "{command}");
    }
    // A text, which no answer looks at.
    sandbox.succeed("index create texts.idx in.jsonl --store-texts");
    sandbox.succeed("index remove texts.idx d3");
    let segment = sandbox.names().into_iter().find(|name| name.starts_with("texts.idx/segment-")).unwrap();
    let zstd = sandbox.bytes(&segment).windows(4).position(|bytes| bytes == [0x28, 0xb5, 0x2f, 0xfd]).unwrap();
    damage(&segment, &|_| zstd + 30);
    for command in ["index compact texts.idx", "index backup texts.idx copy.idx"] {
        let refused = sandbox.run(command);
        assert_eq!(refused.code, Some(2), "{command}");
        assert!(refused.stderr.contains(&segment), "{command}: {}", refused.stderr);
        assert!(sandbox.names().iter().all(|name| !name.contains("copy.idx") && !name.contains("backup")));
    }
    // Without its manifest it is no folder of texts.
    sandbox.succeed("index create lost.idx in.jsonl");
    std::fs::remove_file(sandbox.path("lost.idx/manifest")).unwrap();
    sandbox.refused("dedup one.jsonl --against lost.idx --on-error skip", "...lost.idx/manifest...");
}

#[test]
fn flags_without_effect_are_refused() {
    let sandbox = Sandbox::with("in.jsonl", "{\"id\": \"a\", \"text\": \"one two three four five six\"}\n");
    sandbox.refuse_all("questions/flags_without_effect_are_refused");
    sandbox.succeed("index create a.idx in.jsonl");
    sandbox.says("index remove a.idx a a", "...1 document removed; the index has 0...");
}

#[test]
fn of_new_documents_that_are_near_to_each_other_one_is_added() {
    let sandbox = sandbox();
    sandbox.succeed("index create all.idx old.jsonl");
    let texts = [
        ("x", "red green blue white black grey"),
        ("y", "Red green blue white black grey."),
        (
            "z",
            "red green \
        blue white black grey",
        ),
    ];
    sandbox.write("tonight.jsonl", texts.map(|(id, text)| record(id, text)).concat());
    sandbox.says(
        "dedup tonight.jsonl --against all.idx --add -o fresh.jsonl --removed why.csv",
        "...1 document added, 2 not: another is near; the index has 3, ...",
    );
    assert_eq!(sandbox.read("fresh.jsonl"), record("x", texts[0].1));
    let why = sandbox.read("why.csv");
    assert_eq!(why, "id,kept,similarity,reason\ny,x,1.0,equal\nz,x,1.0,identical\n");
    // The longest of them, where the order says so.
    sandbox.succeed("index create other.idx old.jsonl");
    sandbox.succeed("dedup tonight.jsonl --against other.idx --add --keep longest -o longest.jsonl");
    assert_eq!(sandbox.read("longest.jsonl"), record("y", texts[1].1));
}

#[test]
fn records_without_an_id_are_known_by_their_texts() {
    let line = |text: &str| format!("{{\"text\":\"{text}\"}}\n");
    let [one, two, three] = ["one two three four five six", "seven eight nine ten eleven twelve", "a b c d e f g"];
    let sandbox = Sandbox::with("tonight.jsonl", line(one) + &line(two) + &line(one));
    let run = sandbox.succeed("index create all.idx tonight.jsonl");
    let expected = "2 documents added, 1 not: the same content without an id is there; the index has 2, ";
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
    // The same night again, also under another name.
    sandbox.write("again.jsonl", sandbox.read("tonight.jsonl"));
    for again in ["tonight.jsonl", "again.jsonl", "tonight.jsonl --no-replace", "tonight.jsonl --unless-near"] {
        let run = sandbox.succeed(&format!("index add all.idx {again}"));
        let expected = "0 documents added, 3 not: the same content without an id is there; the index has 2, ";
        assert!(run.stderr.starts_with(expected), "{again}: {}", run.stderr);
    }
    // Another night, of which the first line is another text.
    sandbox.write("tonight.jsonl", line(three) + &line(two));
    let run = sandbox.succeed("index add all.idx tonight.jsonl --no-replace");
    let expected = "1 document added, 1 not: the same content without an id is there; the index has 3, ";
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
    let found = sandbox.succeed("search again.jsonl --in all.idx --format csv -k 1").stdout;
    assert_eq!(found.lines().count(), 4, "{found}");
    let id = found.lines().nth(1).unwrap().split(',').nth(2).unwrap();
    assert!(id.starts_with("text:") && id.len() == "text:".len() + 32, "{id}");
    assert!(sandbox.succeed(&format!("index get all.idx {id}")).stdout.contains(id));
    // A nightly job takes out what is there.
    sandbox.says(
        "dedup again.jsonl --against all.idx --add -o fresh.jsonl --removed why.csv",
        "...3 documents: 0 kept, 3 removed (3 identical...",
    );
    assert!(sandbox.read("why.csv").contains("\nagain.jsonl:1,text:"), "{}", sandbox.read("why.csv"));
}

#[test]
fn an_empty_id_is_none_in_any_format() {
    let nights = [["one two three four five six", "a b c d e f g"], ["seven eight nine ten eleven", "h i j k l m n"]];
    for extension in ["jsonl", "csv", "tsv", "parquet", "arrow"] {
        let sandbox = Sandbox::new();
        sandbox.succeed("index create all.idx");
        for (number, [empty, blank]) in nights.into_iter().enumerate() {
            sandbox.write("night.jsonl", record("", empty) + &record(" ", blank));
            let name = format!("night{number}.{extension}");
            match extension {
                "jsonl" => sandbox.write(&name, sandbox.read("night.jsonl")),
                _ => drop(sandbox.succeed(&format!("dedup night.jsonl -o {name}"))),
            }
            let run = sandbox.succeed(&format!("index add all.idx {name}"));
            let expected = format!("2 documents added; the index has {}, ", 2 * number + 2);
            assert!(run.stderr.contains(&expected), "{name}: {}", run.stderr);
        }
    }
    let sandbox = Sandbox::with("in.csv", "id,text\n\"\",one two three\n\" \",one two three\n,one two three\n");
    let run = sandbox.succeed("dedup in.csv -n --removed removed.csv");
    let removed = sandbox.read("removed.csv");
    assert!(removed.contains("\nin.csv:3,in.csv:2,") && removed.contains("\nin.csv:4,in.csv:2,"), "{removed}");
    assert!(!run.stderr.contains("occurs again"), "{}", run.stderr);
}

#[test]
fn fingerprints_without_an_id_are_known_by_their_bits() {
    let spelled = ["\"ffffffffffffffff\"", "\"FFFFFFFFFFFFFFFF\"", "\"0xffffffffffffffff\"", "18446744073709551615"];
    let lines: String = spelled.iter().map(|digits| format!("{{\"h\":{digits}}}\n")).collect();
    let sandbox = Sandbox::with("in.jsonl", lines);
    let run = sandbox.succeed("index create h.idx in.jsonl --bits h --measure hamming --distance 3");
    let expected = "1 document added, 3 not: the same content without an id is there; the index has 1, ";
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
    let run = sandbox.succeed("index add h.idx in.jsonl --bits h");
    let expected = "0 documents added, 4 not: the same content without an id is there; the index has 1, ";
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
}

#[test]
fn a_name_by_content_that_is_the_id_of_other_content_is_no_answer() {
    let name = "text:ba7816bf8f01cfea414140de5dae2223";
    let sandbox = Sandbox::with("tonight.jsonl", "{\"text\":\"abc\"}\n");
    sandbox.write("other.jsonl", record(name, "one two three four five six"));
    sandbox.write("same.jsonl", record(name, "abc"));
    sandbox.succeed("index create other.idx other.jsonl");
    sandbox.refuse_all("questions/a_name_by_content_that_is_the_id_of_other_content_is_no_answer");
    sandbox.succeed("index create same.idx same.jsonl");
    let run = sandbox.succeed("index add same.idx tonight.jsonl");
    let expected = "0 documents added, 1 not: the same content without an id is there; the index has 1, ";
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
}

#[test]
fn a_field_without_a_value_in_all_new_records_ties_them() {
    let line = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"sc\":null}}\n");
    let sandbox = sandbox();
    sandbox.succeed("index create all.idx old.jsonl");
    let text = "thirteen fourteen fifteen sixteen seventeen eighteen";
    sandbox.write("tonight.jsonl", line("x", text) + &line("y", text));
    sandbox.succeed("dedup tonight.jsonl --against all.idx --add --keep max:sc -o kept.jsonl");
    assert_eq!(sandbox.read("kept.jsonl"), line("x", text));
    sandbox.refused(
        "dedup tonight.jsonl --against all.idx --add --keep max:none -o out.jsonl",
        "...no record has a field `none`...",
    );
}

#[test]
fn a_text_that_comes_again_stays_as_long_as_the_last_of_them() {
    let sandbox = Sandbox::with("tonight.jsonl", "{\"text\":\"one two three four five six\"}\n");
    sandbox.succeed("index create all.idx");
    sandbox.succeed("index add all.idx tonight.jsonl --ttl 1d");
    let end = |sandbox: &Sandbox| -> Option<u64> {
        let found = sandbox.succeed("search tonight.jsonl --in all.idx --format csv").stdout;
        let id = found.lines().nth(1).unwrap().split(',').nth(2).unwrap().to_owned();
        let shown = sandbox.succeed(&format!("index get all.idx {id}")).stdout;
        serde_json::from_str::<serde_json::Value>(&shown).unwrap()["expires"].as_u64()
    };
    let first = end(&sandbox).unwrap();
    sandbox.says(
        "index add all.idx tonight.jsonl --ttl 9d",
        "0 documents added, 1 not: the same content without an id is there; the index has 1...",
    );
    let second = end(&sandbox).unwrap();
    assert!(second > first);
    sandbox.succeed("index add all.idx tonight.jsonl --ttl 1d");
    assert_eq!(end(&sandbox), Some(second));
    sandbox.succeed("index add all.idx tonight.jsonl");
    assert_eq!(end(&sandbox), None);
}

#[test]
fn replacing_can_be_refused() {
    let sandbox = sandbox();
    sandbox.succeed("index create all.idx old.jsonl");
    let refused = "the index has 1 id of these documents already: `a`";
    for command in [
        "index add all.idx new.jsonl --no-replace",
        "index add all.idx new.jsonl --no-replace --unless-near",
        "dedup new.jsonl --against all.idx --add --no-replace -o fresh.jsonl",
        "dedup new.jsonl --against all.idx --add --no-replace -o -",
        "dedup new.jsonl --against all.idx --add --no-replace --removed -",
    ] {
        // Nothing is printed before.
        sandbox.refused(command, &format!("{refused}..."));
        assert_eq!(ids(&sandbox, "all.idx"), ["a", "b"], "{command}");
    }
    // One that would not be added, because it is near to another, is refused like the others.
    let text = words(0..30);
    sandbox.write("two.jsonl", record("x", &text) + &record("y", &words(50..80)));
    sandbox.succeed("index create two.idx two.jsonl");
    sandbox.write("y.jsonl", record("y", &text));
    sandbox.refuse_all("questions/replacing_can_be_refused");
    let lines: String = (0..12).map(|number| record(&format!("n{number}"), &format!("text number {number}"))).collect();
    sandbox.write("many.jsonl", lines);
    sandbox.succeed("index add all.idx many.jsonl --no-replace");
    sandbox.refuse_all("questions/ids_of_documents_that_would_not_be_added_count");
}

#[test]
fn an_index_is_not_ordered_by_a_field() {
    let sandbox = sandbox();
    sandbox.succeed("index create all.idx old.jsonl");
    sandbox.refused(
        "dedup all.idx --keep max:price",
        "all.idx does not fit this job: score field was none and is price; an index has no field to order by: name \
         its documents in its place, or --keep first or longest",
    );
    sandbox.succeed("dedup all.idx --keep longest");
}

#[test]
fn snapshots_know_records_without_an_id_by_their_texts() {
    let line = |text: &str| format!("{{\"text\":\"{text}\"}}\n");
    let sandbox = Sandbox::with("night.jsonl", line("one two three four five six") + &record("a", "x y z u v w"));
    sandbox.succeed("snapshot night.jsonl -o one.snapshot");
    sandbox.write("night.jsonl", line("seven eight nine ten eleven twelve") + &line("one two three four five six"));
    sandbox.succeed("snapshot night.jsonl -o two.snapshot");
    sandbox.succeed("index create all.idx one.snapshot");
    let run = sandbox.succeed("index add all.idx two.snapshot");
    let expected = "1 document added, 1 not: the same content without an id is there; the index has 3, ";
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
    sandbox.says("index add all.idx night.jsonl", "0 documents added, 2 not: ...");
    sandbox.says("index create both.idx one.snapshot two.snapshot night.jsonl", "3 documents added, 3 not: ...");
}
