//! `recluster`: what a new run would say, from saved pairs.

use crate::common::{Random, Sandbox, chain, record, words};
use std::collections::BTreeSet;

/// A chain, a pair of equal records, one alone; their pairs at 0.5.
fn saved() -> Sandbox {
    let more = record("x", &words(100..130)) + &record("alone", &words(200..220)) + &record("y", &words(100..130));
    let sandbox = Sandbox::with("in.jsonl", chain() + &more);
    for pairs in ["p.jsonl", "p.csv", "p.tsv"] {
        sandbox.succeed(&format!("pairs in.jsonl --threshold 0.5 -o {pairs}"));
    }
    sandbox
}

#[test]
fn every_output_is_that_of_a_new_run() {
    let sandbox = saved();
    for threshold in ["0.5", "0.8", "0.875", "0.9", "1"] {
        sandbox.succeed(&format!("clusters in.jsonl --threshold {threshold} -o c.json"));
        for pairs in ["p.jsonl", "p.csv", "p.tsv"] {
            for keep in ["first", "last", "longest", "shortest"] {
                sandbox.succeed(&format!(
                    "dedup in.jsonl -o d.jsonl --removed r.csv --threshold {threshold} --keep {keep}"
                ));
                let outputs = "-o c2.json --removed r2.csv --records d2.jsonl";
                sandbox.succeed(&format!(
                    "recluster {pairs} --documents in.jsonl --threshold {threshold} --keep {keep} {outputs}"
                ));
                for (new, old) in [("c2.json", "c.json"), ("r2.csv", "r.csv"), ("d2.jsonl", "d.jsonl")] {
                    assert_eq!(sandbox.read(new), sandbox.read(old), "{threshold} {pairs} {keep} {new}");
                }
            }
        }
    }
}

#[test]
fn saved_containments_decide_as_a_new_run() {
    let mut random = Random(23);
    let line = |number: u64| {
        let family = number % 40;
        let shared = (0..3 + random.below(12)).map(|item| format!("f{family}i{item}"));
        let own = (0..random.below(3)).map(|item| format!("o{number}i{item}"));
        shared.chain(own).collect::<Vec<_>>().join(" ") + "\n"
    };
    let sandbox = Sandbox::with("in.txt", (0..200).map(line).collect::<String>());
    sandbox.succeed("pairs in.txt --items --measure containment -t 0.3 -o pairs.csv");
    for (threshold, keep) in [("0.3", "first"), ("0.5", "last"), ("0.9", "first"), ("1", "last")] {
        let flags = format!("--measure containment -t {threshold} --keep {keep}");
        sandbox.succeed(&format!("dedup in.txt --items {flags} --removed new.csv -o new.txt"));
        sandbox.succeed(&format!("recluster pairs.csv {flags} --removed alone.csv"));
        let documents = "--documents in.txt --items --removed named.csv --records named.txt";
        sandbox.succeed(&format!("recluster pairs.csv {flags} {documents}"));
        let new = sandbox.read("new.csv");
        assert!(new.lines().count() > 5, "{new}");
        assert_eq!(sandbox.read("named.csv"), new, "{flags}");
        assert_eq!(sandbox.read("named.txt"), sandbox.read("new.txt"), "{flags}");
        // Without the documents their order is one that the pairs allow.
        let sorted = |text: String| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(sorted(sandbox.read("alone.csv")), sorted(new), "{flags}");
    }
}

#[test]
fn pairs_alone_give_groups_and_removals() {
    let sandbox = saved();
    let run = sandbox.succeed("recluster p.jsonl --threshold 0.8");
    assert_eq!(
        run.stdout,
        "{\"cluster\":0,\"id\":\"a\"}\n{\"cluster\":0,\"id\":\"b\"}\n{\"cluster\":0,\"id\":\"c\"}\n\
         {\"cluster\":1,\"id\":\"x\"}\n{\"cluster\":1,\"id\":\"y\"}\n"
    );
    assert_eq!(
        run.stderr,
        "3 pairs at 0.8 or above: 2 clusters with 5 documents\n\
         recall of the pairs: not known, the file does not say how they were found\n"
    );
    let run = sandbox.succeed("recluster p.jsonl --threshold 0.8 --keep last --removed -");
    assert_eq!(
        run.stdout,
        "{\"id\":\"b\",\"kept\":\"c\",\"similarity\":0.875,\"reason\":\"near\"}\n\
         {\"id\":\"x\",\"kept\":\"y\",\"similarity\":1.0,\"reason\":\"identical\"}\n"
    );
}

#[test]
fn a_threshold_below_that_of_the_pairs_is_pointed_out() {
    let sandbox = Sandbox::with("p.jsonl", "{\"a\":\"x\",\"b\":\"y\",\"similarity\":0.75}\n");
    sandbox.says(
        "recluster p.jsonl --threshold 0.5",
        "...the minimum in the file is 0.75: does it hold all pairs at 0.5 or above?...",
    );
}

#[test]
fn documents_are_read_as_the_flags_of_pairs_say() {
    let texts = [("a", 0..40), ("b", 0..41), ("c", 50..90)].map(|(id, numbers)| format!("{id},{}\n", words(numbers)));
    let sandbox = Sandbox::with("docs.dat", format!("name,body\n{}", texts.concat()));
    let flags = "--input-format csv --text-field body --id-field name --max-document 1MiB";
    sandbox.succeed(&format!("pairs docs.dat --threshold 0.5 -o p.jsonl {flags}"));
    let arguments = format!("p.jsonl --threshold 0.8 --documents docs.dat --keep longest --removed - {flags}");
    let removed = sandbox.succeed(&format!("recluster {arguments}")).stdout;
    assert!(removed.starts_with("{\"id\":\"a\",\"kept\":\"b\"") && removed.lines().count() == 1, "{removed}");
}

#[test]
fn what_cannot_be_is_refused_in_a_line() {
    let sandbox = saved();
    sandbox.write("other.jsonl", record("a", &words(0..9)));
    sandbox.write("bad.jsonl", "{\"a\":\"x\",\"b\":\"y\"}\n");
    sandbox.refuse_all("decisions/what_cannot_be_is_refused_in_a_line");
}

#[test]
fn pairs_say_with_which_threshold_and_recall_they_were_found() {
    let sandbox = saved();
    let refused = |pairs: &str| {
        let words = sandbox.refuse_in_a_line(&format!("recluster {pairs} -t 0.4"));
        let expected = "holds the pairs at 0.5 or above: what else is at 0.4 or above is not known; \
                        run `pairs` once more with the lower threshold";
        assert_eq!(words, format!("{pairs} {expected}"));
    };
    for (name, flags) in [("x.parquet", ""), ("x.arrow", ""), ("x.csv", "--about"), ("x.jsonl", "--about")] {
        sandbox.succeed(&format!("pairs in.jsonl -t 0.5 -o {name} --method minhash --recall 0.9 {flags}"));
        let run = sandbox.succeed(&format!("recluster {name} -t 0.8 --removed {name}.r.parquet -o c.csv"));
        let line = "the pairs were found at 0.5 or above: expected recall 0.9";
        assert!(run.stderr.contains(line) && run.stderr.contains("recall: "), "{name}: {}", run.stderr);
        refused(name);
        sandbox.succeed(&format!("pairs in.jsonl -t 0.5 -o {name} {flags}"));
        sandbox
            .says(&format!("recluster {name} -t 0.5 -o c.csv"), "...the pairs were found at 0.5 or above: complete...");
    }
    assert!(!sandbox.names().contains(&"x.parquet.about.json".to_owned()));
    let about = sandbox.json("x.csv.about.json");
    assert_eq!((&about["command"], &about["parameters"]["threshold"]), (&"pairs".into(), &0.5.into()));
    assert_eq!((&about["parameters"]["shingle"], &about["method"]["name"]), (&"word:5".into(), &"exact".into()));
    sandbox.succeed("dedup in.jsonl -o d.jsonl --removed r.csv --about");
    let about = sandbox.json("r.csv.about.json");
    assert_eq!((&about["command"], &about["parameters"]["keep"]), (&"dedup".into(), &"first".into()));
}

#[test]
fn pairs_of_earlier_programs_say_no_reason_and_count_as_equal() {
    let sandbox = Sandbox::with("pairs.csv", "a,b,similarity\nx,y,1.0\nx,z,0.9\n");
    sandbox.write(
        "pairs.jsonl",
        "{\"a\":\"x\",\"b\":\"y\",\"similarity\":1.0}\n{\"a\":\"x\",\"b\":\"z\",\"similarity\":0.9}\n",
    );
    for name in ["pairs.csv", "pairs.jsonl"] {
        sandbox.succeed(&format!("recluster {name} -t 0.8 --removed r.csv"));
        assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\ny,x,1.0,equal\nz,x,0.9,near\n", "{name}");
    }
}
