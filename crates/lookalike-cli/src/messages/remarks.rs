//! Names and values of other programs that have no flag here which means the same: what to do in their place.

use clap::Command;

/// Names of flags, with the flag of another meaning that must be there, and what to say of them; the first one whose
/// flag the command has is said, one without a flag by any command.
const REMARKS: &[(&[&str], &str, &str)] = &[
    (
        &["force", "overwrite", "yes", "y", "clobber"],
        "no-clobber",
        "an output that is there is replaced, unless --no-clobber is given",
    ),
    (&["force", "overwrite", "yes", "y", "clobber"], "", "an index that is there stays: remove its folder first"),
    (&["recursive", "r", "R"], "", "folders are read with all that is below them"),
    (
        &["in-place", "inplace", "delete", "remove", "apply"],
        "output",
        "inputs never change: -o OUT writes what stays, and `mv` puts it in their place",
    ),
    (
        &["limit", "max-results", "head", "sample", "max-records"],
        "",
        "all documents are read: `head -n N FILE | lookalike ...` reads the first N lines",
    ),
    (&["fuzzy", "approximate"], "", "near-duplicates are found anyhow; --threshold T says how alike they are"),
    (&["help-all", "full-help"], "", "--help explains all flags, -h the common ones"),
];

/// Values of flags in other programs, with the flag and the value that is meant here.
const MEANT_VALUES: &[(&str, &[&str], &str)] = &[
    ("--method", &["lsh", "minhash-lsh", "minhashlsh", "min-hash"], "minhash"),
    ("--method", &["brute-force", "bruteforce", "all-pairs", "ppjoin", "prefix"], "exact"),
    ("--method", &["sim-hash"], "simhash"),
    ("--measure", &["resemblance", "tanimoto", "iou"], "jaccard"),
    ("--measure", &["l2", "euclid"], "euclidean"),
    ("--measure", &["tf-idf", "tfidf"], "cosine --weights tfidf"),
    ("--weights", &["tf-idf"], "tfidf"),
    ("--on-error", &["ignore", "continue", "warn", "drop"], "skip"),
    ("--on-error", &["fail", "abort", "raise", "error"], "stop"),
    ("--format", &["json", "ndjson", "jsonlines"], "jsonl"),
    ("--format", &["xlsx", "xls", "excel"], "csv"),
    ("--format", &["feather", "ipc"], "arrow"),
    ("--format", &["pq"], "parquet"),
    ("--input-format", &["ndjson", "jsonlines"], "jsonl"),
    ("--input-format", &["txt", "html", "plain"], "text"),
    ("--color", &["yes", "true", "on"], "always"),
    ("--color", &["no", "false", "off"], "never"),
    ("--progress", &["yes", "true", "on"], "always"),
    ("--progress", &["no", "false", "off"], "never"),
    ("<SHELL>", &["sh", "dash"], "bash"),
    ("<SHELL>", &["pwsh"], "powershell"),
];

/// The next step in place of a flag that only other programs have.
pub(super) fn remark_on(name: &str, command: &Command) -> Option<&'static str> {
    let has = |flag: &str| flag.is_empty() || command.get_arguments().any(|known| known.get_long() == Some(flag));
    let mut remarks = REMARKS.iter().filter(|(names, flag, _)| names.contains(&name) && has(flag));
    remarks.next().map(|(.., remark)| *remark)
}

/// The value of an argument that is meant by one of another program.
pub(super) fn meant_value(argument: &str, value: &str) -> Option<&'static str> {
    let is_of = |flag: &str| argument.split([' ', '=']).next() == Some(flag);
    let value = value.to_ascii_lowercase();
    let mut meant = MEANT_VALUES.iter().filter(|(flag, values, _)| is_of(flag) && values.contains(&&*value));
    meant.next().map(|(.., meant)| *meant)
}
