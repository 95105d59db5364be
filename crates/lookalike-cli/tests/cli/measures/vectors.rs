//! Vectors: how they are read, what is wrong with them, and commands that the suite does not run.

use crate::common::{Sandbox, rows};

/// Vectors of which v0 and v1 are alike, v2 is v0 twice as long, and v3 is another.
const VECTORS: &str = r#"{"id":"v0","emb":[1,2,3]}
{"id":"v1","emb":[1,2,3.5]}
{"id":"v2","emb":"[2, 4, 6]"}
{"id":"v3","emb":[3,-1,0]}
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("v.jsonl", VECTORS);
    sandbox
}

#[test]
fn cosines_and_distances_are_told() {
    let sandbox = sandbox();
    let pairs = sandbox.succeed("pairs v.jsonl --vector emb -t 0.99").stdout;
    let pairs: Vec<serde_json::Value> = rows(&pairs);
    let names: Vec<(&str, &str)> =
        pairs.iter().map(|row| (row["a"].as_str().unwrap(), row["b"].as_str().unwrap())).collect();
    assert_eq!(names, [("v0", "v1"), ("v0", "v2"), ("v1", "v2")]);
    assert_eq!(pairs[1]["similarity"], 1.0);
    assert_eq!(pairs[1]["reason"], "near");
    let near = sandbox.succeed("pairs v.jsonl --vector emb --measure euclidean --distance 0.5").stdout;
    assert_eq!(near.trim_end(), r#"{"a":"v0","b":"v1","euclidean_distance":0.5,"reason":"near"}"#);
    sandbox.succeed("pairs v.jsonl --vector emb --measure euclidean --distance 9 -o p.csv");
    sandbox.says("recluster p.csv --measure euclidean --distance 0.5", "...1 pair within a distance of 0.5...");
}

#[test]
fn a_kept_record_is_annotated_with_its_distance_to_itself() {
    let sandbox = sandbox();
    let annotated = |flags: &str| -> Vec<serde_json::Value> {
        let run = sandbox.succeed(&format!("dedup v.jsonl --annotate -o - --format jsonl {flags}"));
        rows::<serde_json::Value>(&run.stdout).into_iter().map(|row| row["lookalike"].clone()).collect()
    };
    let distances = annotated("--vector emb --measure euclidean --distance 0.5");
    let distances: Vec<f64> = distances.iter().map(|row| row["euclidean_distance"].as_f64().unwrap()).collect();
    assert_eq!(distances, [0.0, 0.5, 0.0, 0.0]);
    assert!(distances[0].is_sign_positive(), "0, not -0");
    assert_eq!(annotated("--vector emb -t 0.99")[0]["similarity"], 1.0);
    sandbox.write("v.jsonl", "{\"id\":\"a\",\"h\":\"00ff\"}\n{\"id\":\"b\",\"h\":\"0fff\"}\n");
    let flags = "--bits h --width 16 --measure hamming --distance 4";
    let bits = annotated(flags);
    assert_eq!([&bits[0]["distance"], &bits[1]["distance"]], [0, 4]);
    sandbox.succeed(&format!("pairs v.jsonl {flags} --report page.html"));
    let page = sandbox.read("page.html");
    assert!(page.contains("4 bits of 16 differ") && !page.contains("element"), "bits are no elements");
}

#[test]
fn other_lengths_zeros_and_what_is_no_number_are_bad_records() {
    let sandbox = sandbox();
    let more = concat!(
        r#"{"id":"short","emb":[1,2]}"#,
        "\n",
        r#"{"id":"zero","emb":[0,0,0]}"#,
        "\n",
        r#"{"id":"null","emb":[1,null,3]}"#,
        "\n",
        r#"{"id":"large","emb":[1e300,0,0]}"#,
        "\n",
        r#"{"id":"word","emb":"far"}"#,
        "\n",
        r#"{"id":"none"}"#,
        "\n",
        r#"{"id":"empty","emb":[]}"#,
        "\n",
    );
    sandbox.write("bad.jsonl", format!("{VECTORS}{more}"));
    let skipped =
        sandbox.says("pairs bad.jsonl --vector emb --on-error skip", "...4 documents: ...7 bad records left out...");
    for (line, expected) in [
        (5, "has 2 components, the others have 3"),
        (6, "has no direction, and so no cosine with any other"),
        (7, "component 2 of the vector is no number"),
        (8, "component 1 of the vector is too large"),
        (9, "not a vector; expected an array of numbers"),
        (10, "no field `emb`"),
        (11, "an array without numbers"),
    ] {
        let line = format!("bad.jsonl:{line}: ");
        let told = skipped.stderr.lines().find(|told| told.contains(&line)).unwrap();
        assert!(told.contains(expected), "{told}");
    }
    sandbox
        .says("pairs bad.jsonl --vector emb --measure euclidean --distance 1 --on-error skip", "...5 documents: ...");
    // Whichever thread reads it: the first vector of the input says how many dimensions there are.
    let many: String = (0..20_000).map(|number| format!("{{\"emb\":[{number},1]}}\n")).collect();
    sandbox.write("many.jsonl", format!("{{\"emb\":[1,2,3]}}\n{many}"));
    sandbox.refused(
        "pairs many.jsonl --vector emb",
        "...many.jsonl:2: field `emb` has 2 components, the others have 3...",
    );
}

#[test]
fn snapshots_and_indexes_take_vectors_of_their_own_length() {
    let sandbox = sandbox();
    sandbox.succeed("snapshot v.jsonl --vector emb -o v.snapshot");
    sandbox.succeed("index create v.idx v.jsonl --vector emb -t 0.5");
    sandbox.succeed("index create h.idx v.jsonl --vector emb -t 0.9 --method hyperplanes");
    let found = sandbox.succeed("search v.jsonl --in h.idx --vector emb -t 0.99 -k 1 --format csv").stdout;
    let ids: Vec<&str> = found.lines().skip(1).map(|row| row.split(',').nth(2).unwrap()).collect();
    assert_eq!(ids, ["v0", "v1", "v0", "v3"]);
    sandbox.write("other.jsonl", "{\"id\":\"x\",\"emb\":[1,2]}\n");
    for command in ["search other.jsonl --in v.idx --vector emb", "index add v.idx other.jsonl --vector emb"] {
        let refused = sandbox.refuse_in_a_line(command);
        let expected = "other.jsonl:1: field `emb` has 2 components, the others have 3: all must have equally many";
        assert!(refused.contains(expected), "{command}: {refused}");
        sandbox.write("both.jsonl", "{\"id\":\"x\",\"emb\":[1,2]}\n{\"id\":\"y\",\"emb\":[1,2,3]}\n");
        sandbox.says(
            &format!("{} --on-error skip", command.replace("other", "both")),
            "...both.jsonl:1: field `emb` has 2 components...",
        );
    }
    sandbox.refused(
        "pairs other.jsonl v.snapshot --vector emb",
        "...v.snapshot have 3 components, those before them 2...",
    );
}

#[test]
fn two_vectors_are_compared() {
    let sandbox = sandbox();
    let compared = sandbox.succeed("compare v.jsonl:v0 [2,4,6] --vector emb -t 0.9").stdout;
    assert!(
        compared.contains("near-duplicates at 0.9: yes, cosine 1.000") && compared.contains("distance  3.741657"),
        "{compared}"
    );
    let json = sandbox.succeed("compare v.jsonl:v0 v.jsonl:v1 --vector emb --format json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["distance"], &json["dimensions"]), (&0.5.into(), &3.into()));
    assert_eq!(json["differences"][0]["dimension"], 2);
    sandbox.refused("compare [1,2] [1,2,3] --vector emb", "...2 and 3 dimensions...");
}

/// The bytes of an array of NumPy, version 1.0 of its format.
fn npy(descr: &str, order: &str, shape: &str, numbers: &[f32]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    header += &" ".repeat(63 - (10 + header.len()) % 64);
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}

#[test]
fn arrays_of_numpy_are_vectors() {
    let sandbox = Sandbox::new();
    let numbers = [1.0, 2.0, 3.0, 2.0, 4.0, 6.5, -1.0, 0.0, 1.0];
    sandbox.write("v.npy", npy("<f4", "False", "(3, 3)", &numbers));
    let unnamed = sandbox.succeed("pairs v.npy --vector vector -t 0.99").stdout;
    assert!(unnamed.contains(r#""a":"v.npy:1","b":"v.npy:2""#), "{unnamed}");
    sandbox.write("v.npy.ids", "a\nb\nc\n");
    sandbox.succeed("dedup v.npy --vector vector -t 0.99 -o kept.jsonl");
    let kept = sandbox.read("kept.jsonl");
    assert_eq!(kept, "{\"id\":\"a\",\"vector\":[1.0,2.0,3.0]}\n{\"id\":\"c\",\"vector\":[-1.0,0.0,1.0]}\n");
    for (bytes, expected) in [
        (npy(">f4", "False", "(3, 3)", &numbers), "the other byte order"),
        (npy("<i4", "False", "(3, 3)", &numbers), "expected floats of 16, 32 or 64 bits"),
        (npy("<f4", "True", "(3, 3)", &numbers), "Fortran order"),
        (npy("<f4", "False", "(9,)", &numbers), "an array of 1 dimension"),
        (npy("<f4", "False", "(3, 4)", &numbers), "are not those of 3 rows of 4 numbers"),
        (npy("<f4", "False", "(3, 3)", &numbers[1..]), "are not those of 3 rows of 3 numbers"),
        (b"\x93NUMPY\x01\x00\xff".to_vec(), "w.npy"),
    ] {
        sandbox.write("w.npy", bytes);
        sandbox.refused("pairs w.npy --vector vector", &format!("...{expected}..."));
    }
    for (ids, expected) in [("a\nb\n", "2 lines for 3 rows"), ("a\nb\nc\nd\n", "more lines than the 3 rows")] {
        sandbox.write("v.npy.ids", ids);
        sandbox.refused("pairs v.npy --vector vector", &format!("...{expected}..."));
    }
}

#[test]
fn projections_are_planned() {
    let sandbox = Sandbox::new();
    sandbox.answers("plan --vectors -t 0.9", "...same side of a random plane with probability 0.856...");
    let json = sandbox.succeed("plan --vectors --measure euclidean --distance 2 --format json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["recall_at_threshold"].as_f64().unwrap() >= 0.99 && json["method"] == "p-stable");
    sandbox.succeed("plan --vectors --measure euclidean --distance 2 --plot curve.svg");
    assert!(sandbox.read("curve.svg").contains("Euclidean distance"));
    sandbox.refused("plan --measure euclidean --distance 2", "...--vectors...");
}

#[test]
fn a_text_file_holds_the_array_of_a_vector_or_is_a_bad_record() {
    let sandbox = Sandbox::with("a.txt", "[1, 2]\n");
    sandbox.write("b.txt", "[9, 0]");
    let run = sandbox.succeed("pairs a.txt b.txt --vector v --measure cosine -t 0.4");
    assert!(run.stdout.contains("\"similarity\":0.44721359549995"), "{}", run.stdout);
    sandbox.write("c.txt", "12345");
    sandbox.refused("pairs a.txt c.txt --vector v", "c.txt: field `v`: not a vector...");
}

#[test]
fn an_index_of_vectors_takes_no_texts() {
    let sandbox = Sandbox::with("a.jsonl", "{\"id\":\"a\",\"v\":[5]}\n");
    sandbox.write("t.jsonl", "{\"id\":\"b\",\"text\":\"[9,0]\"}\n");
    sandbox.succeed("index create i.idx a.jsonl --vector v -t 0.5");
    sandbox.refuse_all("measures/an_index_of_vectors_takes_no_texts");
    assert!(sandbox.succeed("index info i.idx").stdout.contains('1'));
}

#[test]
fn rows_of_an_array_are_not_copied_to_an_array_and_its_ids_are_an_input() {
    let sandbox = Sandbox::with("in.txt", "a b\n");
    // Any array will do: this one has three equal rows.
    sandbox.write("a.npy", npy("<f4", "False", "(3, 2)", &[1.0, 2.0, 1.0, 2.0, 1.0, 2.0]));
    sandbox.write("a.npy.ids", "x\ny\nz\n");
    sandbox.refuse_all("measures/rows_of_an_array_are_not_copied_to_an_array_and_its_ids_are_an_input");
    assert_eq!(sandbox.read("a.npy.ids"), "x\ny\nz\n");
    sandbox.succeed("dedup a.npy --vector vector -q -o kept.jsonl");
    assert_eq!(sandbox.read("kept.jsonl").lines().count(), 1);
    sandbox.succeed("clusters a.npy --vector vector -q -o c.jsonl --work-dir work");
    sandbox.write("a.npy.ids", "u\nv\nw\n");
    let run = sandbox.run("clusters a.npy --vector vector -q -o d.jsonl --work-dir work");
    assert!(run.code != Some(0) || sandbox.read("d.jsonl").contains("\"u\""), "{}", run.stderr);
}

#[test]
fn the_ids_of_an_array_are_no_document_of_its_folder() {
    let sandbox = Sandbox::with("in.txt", "a b\n");
    std::fs::create_dir(sandbox.path("all")).unwrap();
    sandbox.write("all/a.npy", npy("<f4", "False", "(2, 2)", &[1.0, 2.0, 1.0, 2.0]));
    sandbox.write("all/a.npy.ids", "x\ny\n");
    for input in ["all", "all/*"] {
        let run = sandbox.succeed(&format!("pairs {input} --vector vector"));
        assert!(run.stdout.contains(r#""a":"x","b":"y""#), "{}", run.stdout);
    }
}

#[test]
fn cosines_of_vectors_are_chosen_from_again() {
    let sandbox = Sandbox::with("v.jsonl", "{\"id\":\"a\",\"v\":[1,2]}\n{\"id\":\"b\",\"v\":[1,2.2]}\n");
    sandbox.succeed("pairs v.jsonl --vector v -t 0.9 -o p.jsonl --about");
    let run = sandbox.succeed("recluster p.jsonl --measure cosine -t 0.95 -o -");
    assert!(run.stdout.contains('a'), "{}", run.stdout);
}
