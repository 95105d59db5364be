//! A number of one has a noun in the singular, in all that the command says.

use crate::common::{Sandbox, record};

/// The words behind a number of one in a line that are nouns in the plural.
fn plurals_of_one(line: &str) -> Vec<String> {
    let words: Vec<&str> =
        line.split_whitespace().map(|word| word.trim_matches(['(', ')', ',', ':', ';', '.', '<', '>'])).collect();
    let is_plural = |word: &str| {
        let is_noun = !["is", "was", "has", "does", "differs", "less"].contains(&word);
        is_noun && word.ends_with('s') && word.chars().all(char::is_alphabetic)
    };
    let is_adjective = |word: &str| ["common", "sampled", "hexadecimal", "verified", "consecutive"].contains(&word);
    let of_one = words.iter().zip(1..).filter(|(word, _)| **word == "1").map(|(_, behind)| &words[behind..]);
    let plural = of_one.filter(|words| match words {
        [adjective, noun, ..] if is_adjective(adjective) => is_plural(noun),
        [noun, ..] => is_plural(noun),
        [] => false,
    });
    plural.map(|words| words.iter().take(2).copied().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn one_has_a_singular_noun() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two three") + &record("b", "one two three!"));
    sandbox.write("one.jsonl", record("a", "one two three"));
    sandbox.write("two.txt", "one");
    sandbox.write("bits.csv", "id,phash\na,0\nb,1\n");
    sandbox.write("items.txt", "x\nx y\n");
    let bits = "--bits phash --width 4 --measure hamming --distance 1";
    let sampling = format!("{bits} --method bit-sampling");
    for command in [
        "dedup in.jsonl -v".to_owned(),
        "dedup one.jsonl -v".to_owned(),
        "dedup in.jsonl --against one.jsonl -v".to_owned(),
        "dedup in.jsonl --check-texts -v".to_owned(),
        "pairs in.jsonl -v -o pairs.csv".to_owned(),
        "pairs in.jsonl --method minhash --bands 1 --rows 1 -v".to_owned(),
        "pairs in.jsonl --measure containment -v --histogram h.svg".to_owned(),
        "pairs in.jsonl --measure containment --method fingerprint --select mod:1 -v --histogram h.svg".to_owned(),
        "pairs in.jsonl --measure overlap --min-common 1 -v".to_owned(),
        "pairs in.jsonl --measure cosine --method simhash --shingle word:1 -v".to_owned(),
        "clusters in.jsonl -v".to_owned(),
        "clusters one.jsonl -v".to_owned(),
        "recluster pairs.csv -t 0.9 -v".to_owned(),
        "recluster pairs.csv -t 0.9 --documents in.jsonl --removed r.csv -v".to_owned(),
        "snapshot one.jsonl -o s.snapshot -v".to_owned(),
        "snapshot two.txt -o t.snapshot -v".to_owned(),
        "checksum in.jsonl -v".to_owned(),
        "checksum one.jsonl -v".to_owned(),
        "fingerprint one.jsonl -o f.csv -v".to_owned(),
        "compare in.jsonl:a in.jsonl:b".to_owned(),
        "compare two.txt two.txt".to_owned(),
        "compare two.txt two.txt --measure cosine".to_owned(),
        "compare two.txt two.txt --select mod:1".to_owned(),
        "compare items.txt:items.txt:1 items.txt:items.txt:2 --items".to_owned(),
        "plan --bands 1 --rows 1 --permutations 1".to_owned(),
        "plan --select winnow:1".to_owned(),
        "plan --measure hamming --distance 1 --width 64".to_owned(),
        "plan --measure cosine -t 1".to_owned(),
        format!("dedup bits.csv {bits} -v"),
        format!("pairs bits.csv {sampling} --bands 1 --rows 1 -v --histogram h.svg"),
        "compare 0 1 --bits phash --width 1".to_owned(),
        "compare 1 1 --bits phash --width 8".to_owned(),
    ] {
        let run = sandbox.run(&command);
        let drawing = if command.contains("h.svg") { sandbox.read("h.svg") } else { String::new() };
        let lines = [&run.stdout, &run.stderr, &drawing].map(|text| text.lines());
        for line in lines.into_iter().flatten() {
            assert_eq!(plurals_of_one(line), Vec::<String>::new(), "{command}: {line}");
        }
    }
}
