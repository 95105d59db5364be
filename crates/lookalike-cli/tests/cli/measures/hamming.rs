//! Given fingerprints, compared by their Hamming distance.

use crate::common::{Random, Sandbox, fits, rows};
use serde_json::{Value, json};

const SEARCH: &str = "--bits phash --measure hamming --distance 3";

/// Fingerprints of 64 bits in families of near copies.
fn fingerprints() -> Vec<u64> {
    let mut random = Random(11);
    let mut all: Vec<u64> = Vec::new();
    for _ in 0..400 {
        let base = if all.is_empty() || random.below(2) == 0 {
            random.below(1 << 32) << 32 | random.below(1 << 32)
        } else {
            all[random.below(all.len() as u64) as usize]
        };
        let flips = random.below(5);
        all.push((0..flips).fold(base, |bits, _| bits ^ 1 << random.below(64)));
    }
    all
}

fn lines(bits: &[u64], value: impl Fn(u64) -> Value) -> String {
    bits.iter()
        .zip(0..)
        .map(|(&bits, id)| json!({"id": format!("d{id}"), "phash": value(bits)}).to_string() + "\n")
        .collect()
}

fn hex(bits: u64) -> Value {
    format!("{bits:016x}").into()
}

fn sandbox() -> Sandbox {
    Sandbox::with("in.jsonl", lines(&fingerprints(), hex))
}

/// The rows of `a,b,distance,reason` within `distance` bits, by brute force.
fn brute_force(bits: &[u64], distance: u32) -> String {
    let mut rows = String::from("a,b,distance,reason\n");
    for (a, left) in bits.iter().enumerate() {
        for (b, right) in bits.iter().enumerate().skip(a + 1) {
            let differing = (left ^ right).count_ones();
            if differing <= distance {
                let reason = if differing == 0 { "identical" } else { "near" };
                rows += &format!("d{a},d{b},{differing},{reason}\n");
            }
        }
    }
    rows
}

#[test]
fn methods_and_pairs_of_fingerprints_are_told() {
    let sandbox = sandbox();
    let run = sandbox.succeed(&format!("pairs in.jsonl {SEARCH}"));
    assert!(fits(
        "... pairs within 3 bits...exact (4 tables, each of 1 of 4 blocks of bits): complete...",
        &run.stderr
    ));
    let row = rows::<Value>(&run.stdout).remove(0);
    assert!(row["distance"].is_u64() && row.get("similarity").is_none(), "{row}");
    let sampling = "...bit-sampling, 8 bands x 16 bits: expected recall 0.9932...recall: ...sampled documents...";
    sandbox.says(&format!("pairs in.jsonl {SEARCH} --method bit-sampling -o p.csv"), sampling);
    sandbox.write("few.csv", "a,b,distance,reason\nx,y,2,near\n");
    let note = "...note: the maximum in the file is 2: does it hold all pairs within 3 bits?...";
    sandbox.says("recluster few.csv --measure hamming --distance 3", note);
}

#[test]
fn every_spelling_of_a_fingerprint_is_read() {
    let bits = fingerprints();
    let sandbox = sandbox();
    let expected = brute_force(&bits, 3);
    sandbox.write("prefixed.jsonl", lines(&bits, |bits| format!("0x{bits:016X}").into()));
    sandbox.write("unsigned.jsonl", lines(&bits, |bits| bits.into()));
    sandbox.write("signed.jsonl", lines(&bits, |bits| bits.cast_signed().into()));
    sandbox.write("nested.jsonl", lines(&bits, |bits| json!({"hash": hex(bits)})));
    let table = |value: &dyn Fn(u64) -> String| {
        let rows = bits.iter().zip(0..).map(|(&bits, id)| format!("d{id},{}\n", value(bits)));
        String::from("id,phash\n") + &rows.collect::<String>()
    };
    sandbox.write("hex.csv", table(&|bits| format!("{bits:016x}")));
    sandbox.write("decimal.csv", table(&|bits| bits.cast_signed().to_string()));
    for from in ["unsigned", "in"] {
        sandbox.write("nothing.jsonl", "");
        let to = format!("{from}.parquet");
        sandbox.succeed(&format!("dedup {from}.jsonl {SEARCH} --against nothing.jsonl -o {to}"));
    }
    for (input, search) in [
        ("prefixed.jsonl", SEARCH),
        ("unsigned.jsonl", SEARCH),
        ("signed.jsonl", SEARCH),
        ("nested.jsonl", "--bits phash.hash --measure hamming --distance 3"),
        ("hex.csv", SEARCH),
        ("decimal.csv", "--bits phash --digits decimal --measure hamming --distance 3"),
        ("unsigned.parquet", SEARCH),
        ("in.parquet", SEARCH),
    ] {
        sandbox.writes(&format!("pairs {input} {search} -o p.csv"), "p.csv", &expected);
    }
}

#[test]
fn equal_fingerprints_are_identical_only_if_they_are_spelled_alike() {
    let sandbox = Sandbox::with(
        "in.jsonl",
        "{\"id\":\"a\",\"h\":\"00ff\"}\n{\"id\":\"b\",\"h\":\"00FF\"}\n{\"id\":\"c\",\"h\":\"00ff\"}\n",
    );
    let run = sandbox.succeed("dedup in.jsonl --bits h --width 16 --measure hamming --distance 0 -o - --removed r.csv");
    assert_eq!(run.stdout.lines().count(), 1);
    assert_eq!(sandbox.read("r.csv"), "id,kept,distance,reason\nb,a,0,equal\nc,a,0,identical\n");
}

#[test]
fn wide_fingerprints_are_compared_in_all_their_bits() {
    let wide = |bits: u64| Value::from(format!("{bits:016x}{:048x}", bits.rotate_left(9)));
    let bits: Vec<u64> = fingerprints();
    let sandbox = Sandbox::with("in.jsonl", lines(&bits, wide));
    sandbox.succeed("pairs in.jsonl --bits phash --width 256 --measure hamming --distance 6 -o p.csv");
    let expected = brute_force(&bits, 3);
    let doubled = |row: &str| {
        let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
        cells[2] = cells[2].parse::<u32>().map_or_else(|_| cells[2].clone(), |distance| (2 * distance).to_string());
        cells.join(",") + "\n"
    };
    assert_eq!(sandbox.read("p.csv"), expected.lines().map(doubled).collect::<String>());
}

#[test]
fn hot_bits_cost_no_square() {
    // All agree in three of four quarters: one key of each of three tables would be that of all documents.
    let mut random = Random(3);
    let bits: Vec<u64> = (0..6000).map(|_| 0xAAAA_BBBB_0000_0000 | random.below(1 << 32)).collect();
    let sandbox = Sandbox::with("in.jsonl", lines(&bits, hex));
    let run = sandbox.succeed(&format!("pairs in.jsonl {SEARCH} -o p.csv -v"));
    assert_eq!(sandbox.read("p.csv"), brute_force(&bits, 3));
    let verified = run.stderr.lines().find_map(|line| line.strip_prefix("verified: ")).unwrap().to_owned();
    let candidates: u64 = verified.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap();
    assert!(candidates < 6000 * 400, "{candidates} of 18 million");
}

#[test]
fn a_family_with_far_more_pairs_than_documents_is_decided_alike() {
    // More than half of all two million pairs are within 8 of 16 bits.
    let mut random = Random(5);
    let bits: Vec<u64> = (0..2000).map(|_| random.below(1 << 16)).collect();
    let mut kept: Vec<(usize, u64)> = Vec::new();
    let mut expected = String::from("id,kept,distance,reason\n");
    for (document, &fingerprint) in bits.iter().enumerate() {
        let near = kept.iter().map(|&(keeper, other)| ((fingerprint ^ other).count_ones(), keeper));
        match near.filter(|&(differing, _)| differing <= 8).min() {
            Some((0, keeper)) => expected += &format!("d{document},d{keeper},0,identical\n"),
            Some((differing, keeper)) => expected += &format!("d{document},d{keeper},{differing},near\n"),
            None => kept.push((document, fingerprint)),
        }
    }
    let sandbox = Sandbox::with("in.jsonl", lines(&bits, |bits| format!("{bits:04x}").into()));
    let search = "--bits phash --width 16 --measure hamming --distance 8";
    for more in ["--threads 1", "--threads 3", "--work-dir work", "--work-dir work"] {
        let run = sandbox.succeed(&format!("dedup in.jsonl {search} -n --removed r.csv -v {more}"));
        assert_eq!(sandbox.read("r.csv"), expected, "{more}");
        // By an index of keepers: few documents are compared with more than a few of them.
        let verified = run.stderr.lines().find_map(|line| line.strip_prefix("verified: ")).unwrap().to_owned();
        let candidates: u64 = verified.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap();
        assert!(candidates < 200_000, "{candidates} of 2 million pairs");
    }
}

#[test]
fn a_record_of_another_width_is_named_by_its_line() {
    let sandbox = Sandbox::with("in.jsonl", lines(&[1, 2], hex) + "{\"id\":\"x\",\"phash\":\"fff\"}\n");
    sandbox.refused(
        "pairs in.jsonl --bits phash --measure hamming --distance 3",
        "in.jsonl:3: field `phash`: 3 hexadecimal digits have 12 bits; a fingerprint of 64 bits has 16 (--width, \
         --digits; --on-error skip leaves such records out)",
    );
    sandbox.says(&format!("pairs in.jsonl {SEARCH} --on-error skip"), "...in.jsonl:3: field `phash`...");
    for (value, found) in [
        ("\"xyz\"", "is not hexadecimal"),
        ("1.5", "is a number, expected a string of digits or an integer (--bits; --on-error skip"),
        ("18446744073709551616", "phash"),
        ("null", "is null"),
        ("\"\"", "is not hexadecimal"),
    ] {
        sandbox.write("bad.jsonl", format!("{{\"id\":\"x\",\"phash\":{value}}}\n"));
        sandbox.refused(&format!("pairs bad.jsonl {SEARCH}"), &format!("bad.jsonl:1: ...{found}..."));
    }
}

#[test]
fn flags_that_do_not_fit_fingerprints_are_refused() {
    let sandbox = sandbox();
    sandbox.succeed("snapshot in.jsonl --bits phash -o s.snapshot");
    for pairs in ["pairs.csv", "pairs.parquet"] {
        sandbox.succeed(&format!("pairs in.jsonl {SEARCH} -o {pairs} --work-dir work"));
    }
    sandbox.refuse_all("measures/flags_that_do_not_fit_fingerprints_are_refused");
}

#[test]
fn two_fingerprints_are_shown_with_the_bits_that_differ() {
    let sandbox = Sandbox::with("in.jsonl", lines(&[0xF0, 0xF5], hex));
    let run = sandbox.succeed("compare in.jsonl:d0 in.jsonl:d1 --bits phash");
    assert_eq!(
        run.stdout,
        "A  00000000000000f0  in.jsonl:d0\nB  00000000000000f5  in.jsonl:d1\n                  ^\n\n\
         distance  2  of 64 bits\ndiffering bits, the last digit has 0 to 3:  0 2\n"
    );
    let run = sandbox.succeed("compare 0x00f0 80f1 --bits phash --width 16 --format json");
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let expected = json!({
        "left": {"name": "0x00f0", "bits": "00f0"}, "right": {"name": "80f1", "bits": "80f1"},
        "width": 16, "distance": 2, "similarity": 0.875, "differing_bits": [0, 15],
    });
    assert_eq!(found, expected);
    sandbox.refused(
        "compare 0x00f0 in.jsonl:d1 --bits phash",
        "...4 hexadecimal digits have 16 bits; a fingerprint of 64 bits has 16...",
    );
}
