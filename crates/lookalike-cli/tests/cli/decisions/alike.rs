//! Answers that would be too large.

use crate::common::{Sandbox, record, words};

#[test]
fn pairs_beyond_a_maximum_are_refused_before_they_are_written() {
    let equal: String = (0..20).map(|document| record(&format!("d{document}"), &words(0..9))).collect();
    let sandbox = Sandbox::with("equal.jsonl", equal);
    let near = (0..60).map(|document| record(&format!("d{document}"), &format!("{} own{document}", words(0..25))));
    sandbox.write("near.jsonl", near.collect::<String>());
    sandbox.refused(
        "pairs equal.jsonl --max-pairs 189 -o pairs.csv",
        "...the answer has at least 190 pairs; 189 are allowed; raise --max-pairs...",
    );
    sandbox.succeed("pairs equal.jsonl --max-pairs 190 -o pairs.csv");
    assert_eq!(sandbox.read("pairs.csv").lines().count(), 191);
    sandbox.refused("pairs near.jsonl -t 0.7 --max-pairs 5 -o near.csv", "...the answer has more than 5 pairs...");
    // Nothing was written.
    assert!(!sandbox.path("near.csv").exists());
    sandbox.succeed("pairs near.jsonl --identical --max-pairs 0 -o near.csv");
}
