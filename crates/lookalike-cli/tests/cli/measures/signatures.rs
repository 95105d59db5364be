//! `signatures`: what is written, and that others can read it.

use crate::common::{Sandbox, rows};
use serde_json::{Value, json};

/// Signatures of the item `Hello` with 4 components and the seed 1, as the documentation of datasketch has them.
const PUBLISHED: [(&str, [u64; 4]); 2] = [
    ("legacy", [734_825_475, 960_773_806, 359_816_889, 342_714_745]),
    ("affine32", [3_231_258_861, 1_388_533_999, 831_950_533, 1_845_606_703]),
];

#[test]
fn signatures_of_datasketch_are_its_published_ones() {
    let sandbox = Sandbox::with("in.jsonl", "{\"id\":\"a\",\"e\":[\"Hello\"]}\n{\"id\":\"b\",\"e\":[]}\n");
    for (scheme, expected) in PUBLISHED {
        let run =
            sandbox.succeed(&format!("signatures in.jsonl --items --text-field e --scheme {scheme} --permutations 4"));
        let empty = json!({ "id": "b", "signature": [u32::MAX, u32::MAX, u32::MAX, u32::MAX] });
        assert_eq!(rows::<Value>(&run.stdout), [json!({ "id": "a", "signature": expected }), empty]);
    }
}

#[test]
fn rows_are_the_same_in_all_formats() {
    let lines = (0..300).map(|id| format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", "a b c d ".repeat(id % 7) + "e"));
    let sandbox = Sandbox::with("in.jsonl", lines.collect::<String>());
    for scheme in ["lookalike", "affine32"] {
        let command = format!("signatures in.jsonl --scheme {scheme} --bands 4 --rows 8 --permutations 40");
        let found = rows::<Value>(&sandbox.succeed(&command).stdout);
        assert_eq!(found.len(), 300);
        assert_eq!(found[0]["signature"].as_array().unwrap().len(), 40);
        assert_eq!(found[0]["band_keys"].as_array().unwrap().len(), 4);
        assert_eq!(found[3]["signature"], found[10]["signature"]);
        assert_ne!(found[3]["band_keys"], found[0]["band_keys"]);
        for name in ["s.parquet", "s.arrow"] {
            sandbox.succeed(&format!("{command} -q -o {name}"));
            // Read back, the lists are vectors; as such they are rounded.
            let run = sandbox.succeed(&format!("pairs {name} --vector signature --measure cosine -t 1"));
            assert!(run.stdout.contains(r#"{"a":"0","b":"7","#), "{}", run.stdout);
        }
    }
}

#[test]
fn arrays_have_their_ids_beside_them() {
    let sandbox = Sandbox::with("in.jsonl", "{\"id\":\"x\",\"text\":\"a b\"}\n{\"id\":\"y\",\"text\":\"c\"}\n");
    sandbox.writes("signatures in.jsonl --permutations 3 -o s.npy", "s.npy.ids", "x\ny\n");
    let bytes = std::fs::read(sandbox.path("s.npy")).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY") && (bytes.len() - 24).is_multiple_of(64));
    sandbox.refused("signatures in.jsonl --bands 1 --rows 2 -o other.npy", "...which has no place for band keys...");
}
