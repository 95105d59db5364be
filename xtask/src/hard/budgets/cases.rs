//! The jobs, with what they may take.

/// A job on the files of [`super::files`].
pub(super) struct BudgetCase {
    /// Limit on the job: the beginning of a shell command.
    pub(super) limit: String,
    pub(super) arguments: String,
    pub(super) max_mib: u64,
    pub(super) max_seconds: f64,
    /// `true` if an error is right, too.
    pub(super) may_be_refused: bool,
}

/// Three times a document of 61 MB, and the budget of 64 MiB.
const LONG_MIB: u64 = 3 * 59 + 64;

/// Jobs of the search; those in a control group only if there is one.
pub(super) fn all(has_group: bool) -> Vec<BudgetCase> {
    let mut cases = Vec::new();
    for shingle in ["char:1", "char:9", "word:1", "word:5", "word:5 --bag", "char:1 --bag", "char:9 --bag"] {
        let arguments = format!("dedup long.jsonl --dry-run --memory 64MiB --shingle {shingle}");
        cases.push(BudgetCase { max_seconds: 90.0, ..case(arguments, LONG_MIB) });
    }
    cases.push(case("dedup fields.jsonl -o fields.csv --memory 64MiB".to_owned(), 70));
    cases.push(case("dedup fields.jsonl -o fields.parquet --memory 64MiB".to_owned(), 200));
    let wide = case("dedup wide.jsonl -o wide.parquet --memory 64MiB".to_owned(), 70);
    cases.push(BudgetCase { may_be_refused: true, ..wide });
    cases.push(case("snapshot pages.jsonl -o pages.snapshot --memory 64MiB".to_owned(), 64 + 48));
    cases.push(case("dedup few.jsonl --against pages.snapshot --dry-run --memory 32MiB".to_owned(), 36));
    for (file, flags) in [
        ("lines.jsonl", ""),
        ("lines.jsonl", "--items"),
        ("lines.csv", ""),
        ("lines.tsv", ""),
        ("lines.warc", ""),
        ("lines.txt", "--on-error skip"),
        ("zeros.jsonl.gz", "--on-error skip"),
        ("zeros.warc.gz", "--on-error skip"),
        ("zeros.txt.gz", "--on-error skip"),
    ] {
        let arguments = format!("dedup {file} --dry-run --memory 64MiB {flags}");
        // A record above the limit is held up to it; where no record can be read, that is an error.
        let may_be_refused = flags == "--on-error skip";
        cases.push(BudgetCase { max_seconds: 10.0, may_be_refused, ..case(arguments, 64 + 64) });
    }
    for mebibytes in [100, 300, 500, 1000, 2000] {
        let arguments = "dedup few.jsonl --dry-run --threads 64".to_owned();
        let limit = format!("ulimit -v {} && ", mebibytes * 1024);
        cases.push(BudgetCase { limit, may_be_refused: mebibytes < 1000, ..case(arguments, mebibytes) });
    }
    for flags in ["", "--memory 64GiB"].iter().filter(|_| has_group) {
        let arguments = format!("dedup pages.jsonl --dry-run {flags}");
        let limit = "echo $$ > group/cgroup.procs && ".to_owned();
        cases.push(BudgetCase { limit, ..case(arguments, 150) });
    }
    cases
}

fn case(arguments: String, max_mib: u64) -> BudgetCase {
    BudgetCase { limit: String::new(), arguments, max_mib, max_seconds: 60.0, may_be_refused: false }
}
