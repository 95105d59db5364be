use super::RowState::{Kept, LeftOut, Removed};
use super::*;
use crate::base::details::MemoryConflict;
use crate::base::{Contradiction, Error, Silent};
use crate::job::{Check, Outputs};
use crate::testing::texts;
use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Float64Array, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray};
use lookalike_core::comparison::{Features, Measure, Method, MinHash};
use lookalike_core::documents::Multiplicity;
use lookalike_core::rule::Order;
use lookalike_core::sets::{Containment, Side};
use lookalike_core::similarity::{EmptyPolicy, Weights};
use lookalike_core::terms::Cosine;
use lookalike_io::{
    Inputs,
    sources::{MemoryTable, MemoryTexts, OnError, RepeatedIds, TextList},
};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

fn resources(threads: usize, memory_bytes: u64) -> Resources {
    Resources { threads: threads.try_into().ok(), memory_bytes: Some(memory_bytes), ..Resources::default() }
}

fn table(batches: Vec<RecordBatch>) -> InMemory {
    InMemory::Table(MemoryTable::new(batches[0].schema(), batches).unwrap())
}

fn data(inputs: InMemory) -> Data {
    Data { inputs: Some(inputs), references: None }
}

fn list(texts: &[&str]) -> InMemory {
    let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    InMemory::Texts(MemoryTexts::new(Arc::new(texts)))
}

fn run(job: &Job, inputs: InMemory) -> Result<Answered> {
    answer(job, &data(inputs), &Resources::default(), &Silent)
}

fn with_column(name: &str, column: ArrayRef) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([(name, column, true)]).unwrap()
}

fn columns(documents: &[(String, String)], scores: &[f64]) -> RecordBatch {
    let ids: ArrayRef = Arc::new(StringArray::from_iter_values(documents.iter().map(|(id, _)| id)));
    let texts: ArrayRef = Arc::new(LargeStringArray::from_iter_values(documents.iter().map(|(_, text)| text)));
    let scores: ArrayRef = Arc::new(Float64Array::from(scores.to_vec()));
    RecordBatch::try_from_iter([("id", ids), ("text", texts), ("score", scores)]).unwrap()
}

/// The rows of a job over a file of the same documents, and its report.
fn rows_of_file(job: &Job, folder: &TempDir, documents: &[(String, String)], scores: &[f64]) -> Vec<serde_json::Value> {
    let input = folder.path().join("data.jsonl");
    let rows = folder.path().join("rows.jsonl");
    write_lines(&input, documents, scores);
    let inputs = Inputs { inputs: vec![input], ..job.inputs.clone() };
    let outputs = match job.rule {
        Rule::Pairs | Rule::Clusters => Outputs { rows: Some(rows.clone()), ..Outputs::default() },
        _ => Outputs { removed: Some(rows.clone()), ..Outputs::default() },
    };
    super::super::run(&Job { inputs, outputs, ..job.clone() }, &Resources::default(), &Silent).unwrap();
    let lines = fs::read_to_string(rows).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write_lines(path: &Path, documents: &[(String, String)], scores: &[f64]) {
    let line = |((id, text), score): (&(String, String), &f64)| {
        serde_json::json!({ "id": id, "text": text, "score": score }).to_string() + "\n"
    };
    fs::write(path, documents.iter().zip(scores).map(line).collect::<String>()).unwrap();
}

/// Rows of a file with the same answers.
fn rows_of(answered: &Answered) -> Vec<serde_json::Value> {
    let id = |document| answered.documents().ids().get(document);
    match &answered.answers {
        Answers::Decisions(decisions) => DocId::all(decisions.len())
            .zip(decisions)
            .filter_map(|(document, decision)| match *decision {
                Decision::Kept => None,
                Decision::Removed { kept, similarity, reason } => Some(serde_json::json!({
                    "id": id(document), "kept": id(kept), "similarity": similarity, "reason": reason.name(),
                })),
            })
            .collect(),
        Answers::Pairs(pairs) => {
            let row = |pair: &FoundPair| {
                let reason = pair.reason.name();
                let similarity = pair.verified.similarity;
                serde_json::json!({ "a": id(pair.a), "b": id(pair.b), "similarity": similarity, "reason": reason })
            };
            pairs.iter().map(row).collect()
        }
        Answers::Clusters(clusters) => {
            let members = clusters.iter().enumerate().flat_map(|(cluster, found)| {
                found.members.iter().map(move |&member| serde_json::json!({ "cluster": cluster, "id": id(member) }))
            });
            members.collect()
        }
    }
}

#[test]
fn documents_in_memory_have_the_answers_of_a_file() {
    let documents = texts(3, 3000);
    let scores: Vec<f64> = (0..documents.len()).map(|number| (number * 7919 % 101) as f64).collect();
    let folder = tempfile::tempdir().unwrap();
    let all = columns(&documents, &scores);
    let chunked = [(0, 1000), (1000, 1), (1001, 1999)].map(|(start, length)| all.slice(start, length)).to_vec();
    let highest = Order::Highest { field: "score".to_owned() };
    let rules = [
        Rule::Keepers { keep: Order::First },
        Rule::Keepers { keep: highest },
        Rule::Connected { keep: Order::Longest },
        Rule::Pairs,
        Rule::Clusters,
    ];
    for rule in rules {
        let job = Job { rule, measure: Measure::jaccard("0.6".parse().unwrap()), ..Job::default() };
        let expected = rows_of_file(&job, &folder, &documents, &scores);
        assert!(expected.len() > 100, "{} rows", expected.len());
        for resources in [resources(1, 1 << 30), resources(3, 1 << 30), resources(2, 48 << 20)] {
            let answered = answer(&job, &data(table(chunked.clone())), &resources, &Silent).unwrap();
            assert_eq!(rows_of(&answered), expected);
        }
    }
}

#[test]
fn contained_short_texts_are_looked_for_in_memory() {
    let mut documents = texts(5, 300);
    let short = |number: usize| {
        let words: Vec<&str> = documents[number].1.split(' ').take(3).collect();
        (words.len() == 3).then(|| (format!("short{number}"), words.join(" ")))
    };
    let short: Vec<(String, String)> = (0..300).step_by(7).filter_map(short).collect();
    documents.extend(short);
    let folder = tempfile::tempdir().unwrap();
    let scores = vec![0.0; documents.len()];
    let threshold = "0.9".parse().unwrap();
    let contained = Side::Either;
    let empty = EmptyPolicy::Keep;
    let measure = Measure::Containment(Containment { threshold, contained, empty });
    let job = Job { measure, ..Job::default() };
    let expected = rows_of_file(&job, &folder, &documents, &scores);
    assert!(expected.iter().any(|row| row["id"].as_str().unwrap().starts_with("short")));
    for check in [Check::Hashes, Check::Texts] {
        let job = Job { check, ..job.clone() };
        assert_eq!(rows_of(&run(&job, table(vec![columns(&documents, &scores)])).unwrap()), expected);
    }
}

#[test]
fn references_in_memory_and_in_files_are_the_same() {
    let documents = texts(9, 800);
    let (references, inputs) = documents.split_at(400);
    let scores = vec![0.0; 400];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("references.jsonl");
    write_lines(&path, references, &scores);
    let of_file =
        Job { rule: Rule::Against, inputs: Inputs { against: vec![path], ..Inputs::default() }, ..Job::default() };
    let in_memory = Job { rule: Rule::Against, ..Job::default() };
    let inputs = Some(table(vec![columns(inputs, &scores)]));
    let references = Some(table(vec![columns(references, &scores)]));
    let first = Data { inputs: inputs.clone(), references: None };
    let first = answer(&of_file, &first, &Resources::default(), &Silent).unwrap();
    let both = Data { inputs, references };
    let second = answer(&in_memory, &both, &Resources::default(), &Silent).unwrap();
    assert!(first.report.found.count() > 10);
    assert_eq!(rows_of(&first), rows_of(&second));
    assert_eq!(first.rows(), second.rows());
    assert_eq!(first.rows().unwrap().len(), 400);
    let error = answer(&of_file, &both, &Resources::default(), &Silent).unwrap_err();
    assert_eq!(error.to_string(), "documents in memory do not go with files as references");
}

/// Texts with copies on both sides, of references too.
fn two_sides() -> [Vec<(String, String)>; 2] {
    let mut documents = texts(13, 900);
    for number in (0..900).step_by(9) {
        documents[number].1 = documents[(number * 7 + 400) % 900].1.clone();
    }
    let inputs = documents.split_off(500);
    [documents, inputs]
}

#[test]
fn pairs_beside_references_are_those_of_both_sides() {
    let [references, inputs] = two_sides();
    let threshold = "0.5".parse().unwrap();
    let empty = EmptyPolicy::Duplicate;
    let cosine = Measure::Cosine(Cosine { threshold, weights: Weights::Tf, empty });
    let contained = Measure::Containment(Containment { threshold, contained: Side::Either, empty });
    let minhash = MinHash { recall: 0.999_999, permutations: 1024, ..MinHash::default() };
    for (measure, method) in [
        (Measure::jaccard(threshold), Method::Exact),
        (Measure::jaccard(threshold), Method::MinHash(minhash)),
        (cosine, Method::Exact),
        (contained, Method::Exact),
    ] {
        let job = Job { rule: Rule::Pairs, measure, method, ..Job::default() };
        let all = [&references[..], &inputs].concat();
        let rows = rows_of(&run(&job, table(vec![columns(&all, &[0.0; 900])])).unwrap());
        let is_reference = |row: &serde_json::Value, side: &str| references.iter().any(|(id, _)| row[side] == **id);
        let expected: Vec<_> =
            rows.iter().filter(|row| is_reference(row, "a") && !is_reference(row, "b")).cloned().collect();
        assert!(expected.len() > 100 && rows.len() > 2 * expected.len(), "{} of {}", expected.len(), rows.len());
        let both = Data {
            inputs: Some(table(vec![columns(&inputs, &[0.0; 400])])),
            references: Some(table(vec![columns(&references, &[0.0; 500])])),
        };
        for resources in [resources(1, 1 << 30), resources(3, 40 << 20)] {
            let found = answer(&job, &both, &resources, &Silent).unwrap();
            assert_eq!(rows_of(&found), expected, "{} by {method:?}", measure.name());
            assert_eq!(found.report.corpus.references, 500);
        }
    }
}

#[test]
fn pairs_beside_references_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.jsonl");
    write_lines(&path, &texts(1, 10), &[0.0; 10]);
    let inputs = Inputs { inputs: vec![path.clone()], against: vec![path], ..Inputs::default() };
    let outputs = Outputs { rows: Some(folder.path().join("rows.jsonl")), ..Outputs::default() };
    let job = Job { rule: Rule::Pairs, inputs, outputs, ..Job::default() };
    let refused = super::super::run(&job, &Resources::default(), &Silent);
    assert!(matches!(refused, Err(Error::Contradiction(Contradiction::RuleAndReferences { rule: Rule::Pairs }))));
}

#[test]
fn all_types_of_strings_are_read_where_they_lie() {
    let texts = ["a b c d e f", "something else entirely", "A b c d e f!"];
    let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
    texts.iter().for_each(|text| dictionary.append_value(text));
    let arrays: [ArrayRef; 4] = [
        Arc::new(StringArray::from(texts.to_vec())),
        Arc::new(LargeStringArray::from(texts.to_vec())),
        Arc::new(StringViewArray::from(texts.to_vec())),
        Arc::new(dictionary.finish()),
    ];
    for array in arrays {
        let answered = run(&Job::default(), table(vec![with_column("text", array.clone())])).unwrap();
        assert_eq!(answered.rows().unwrap(), [Kept, Kept, Removed], "{}", array.data_type());
        let sliced = table(vec![with_column("text", array.slice(1, 2))]);
        assert_eq!(run(&Job::default(), sliced).unwrap().rows().unwrap(), [Kept, Kept]);
    }
}

#[test]
fn nulls_are_refused_by_row_or_left_out() {
    let array: ArrayRef = Arc::new(StringArray::from(vec![Some("a b c"), Some("a b c"), None, Some("d")]));
    let error = run(&Job::default(), table(vec![with_column("text", array.slice(1, 3))])).unwrap_err();
    assert_eq!(error.to_string(), "data, row 1: field `text` is null, expected a string");
    let inputs = Inputs { on_error: OnError::Skip, ..Inputs::default() };
    let answered = run(&Job { inputs, ..Job::default() }, table(vec![with_column("text", array)])).unwrap();
    assert_eq!(answered.report.corpus.bad_records, 1);
    assert_eq!(answered.rows().unwrap(), [Kept, Removed, LeftOut, Kept]);
}

#[test]
fn ids_are_rows_where_they_are_absent_and_qualified_where_they_repeat() {
    let ids = |answered: &Answered| answered.documents().ids().iter().map(str::to_owned).collect::<Vec<_>>();
    let texts = ["", "", "x"];
    assert_eq!(ids(&run(&Job::default(), list(&texts)).unwrap()), ["0", "1", "2"]);
    let batch = RecordBatch::try_from_iter([
        ("id", Arc::new(Int64Array::from(vec![7, 7, 7])) as ArrayRef),
        ("text", Arc::new(StringArray::from(texts.to_vec())) as ArrayRef),
    ])
    .unwrap();
    let answered = run(&Job::default(), table(vec![batch.clone()])).unwrap();
    assert_eq!(ids(&answered), ["7", "7@1", "7@2"]);
    let repeated = &answered.report.corpus.repeated_ids;
    assert_eq!((repeated.count, repeated.first.as_ref().unwrap().again.as_str()), (2, "data, row 1"));
    let inputs = Inputs { repeated_ids: RepeatedIds::Refused, ..Inputs::default() };
    let error = run(&Job { inputs, ..Job::default() }, table(vec![batch])).unwrap_err();
    assert_eq!(error.to_string(), "data, row 1: id `7` was used at data, row 0 already");
    let taken: Vec<String> = ["7", "7@1", "7", "7@2", "7"].map(str::to_owned).to_vec();
    let all = MemoryTexts::with_ids(Arc::new(vec!["a"; 5]), Arc::new(taken)).unwrap();
    assert_eq!(ids(&run(&Job::default(), InMemory::Texts(all)).unwrap()), ["7", "7@1", "7@2", "7@2@3", "7@4"]);
}

/// Ids of which some are missing.
#[derive(Debug)]
struct WithGaps([Option<&'static str>; 3]);

impl TextList for WithGaps {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, number: usize) -> Option<&str> {
        self.0.get(number).copied().flatten()
    }
}

#[test]
fn a_text_whose_id_is_missing_takes_that_of_no_other() {
    let gaps = WithGaps([Some("1"), None, Some("x")]);
    let texts = MemoryTexts::with_ids(Arc::new(vec!["a", "b", "c"]), Arc::new(gaps)).unwrap();
    let answered = run(&Job::default(), InMemory::Texts(texts)).unwrap();
    assert_eq!(answered.documents().ids().iter().collect::<Vec<_>>(), ["1", "data:1", "x"]);
    assert_eq!(answered.report.corpus.without_id, 1);
}

#[test]
fn empty_data_has_an_empty_answer() {
    let batch = with_column("text", Arc::new(StringArray::from(Vec::<&str>::new())));
    let schema = batch.schema();
    let without_batches = InMemory::Table(MemoryTable::new(schema, Vec::new()).unwrap());
    for inputs in [list(&[]), table(vec![batch]), without_batches] {
        let answered = run(&Job::default(), inputs).unwrap();
        assert_eq!((answered.report.corpus.documents, answered.rows()), (0, Some(Vec::new())));
    }
}

#[test]
fn a_missing_column_is_named_beside_those_there_are() {
    let batch = with_column("body", Arc::new(StringArray::from(vec!["a"])));
    let error = run(&Job::default(), table(vec![batch])).unwrap_err().to_string();
    assert!(error.contains("data") && error.contains("`text`") && error.contains("body"), "{error}");
}

#[test]
fn what_needs_files_is_refused() {
    let job = Job { inputs: Inputs { inputs: vec!["x.jsonl".into()], ..Inputs::default() }, ..Job::default() };
    assert!(matches!(
        run(&job, list(&[])),
        Err(Error::Contradiction(Contradiction::NotInMemory { found: MemoryConflict::Inputs }))
    ));
    let work_folder = Some(tempfile::tempdir().unwrap().path().to_owned());
    let resources = Resources { work_folder, ..Resources::default() };
    let found = answer(&Job::default(), &data(list(&[])), &resources, &Silent);
    assert!(matches!(
        found,
        Err(Error::Contradiction(Contradiction::NotInMemory { found: MemoryConflict::WorkFolder }))
    ));
}

/// Cancels after some work was done.
struct CancelAfter(AtomicU64);

impl Progress for CancelAfter {
    fn advance(&self, amount: u64) {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(amount), Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn a_cancelled_reading_ends() {
    let texts: Vec<String> = (0..20_000).map(|number| format!("word{number} ").repeat(20)).collect();
    let inputs = InMemory::Texts(MemoryTexts::new(Arc::new(texts)));
    let progress = CancelAfter(AtomicU64::new(1 << 20));
    let found = answer(&Job::default(), &data(inputs), &Resources::default(), &progress);
    assert!(matches!(found, Err(Error::Interrupted { .. })));
}

#[test]
fn answers_do_not_hold_the_documents() {
    let texts = Arc::new(vec!["a b c".to_owned(), "a b c".to_owned()]);
    let inputs = InMemory::Texts(MemoryTexts::new(texts.clone()));
    let answered = answer(&Job::default(), &data(inputs), &Resources::default(), &Silent).unwrap();
    assert_eq!((Arc::strong_count(&texts), answered.rows()), (1, Some(vec![Kept, Removed])));
}

#[test]
fn counts_without_weights_are_refused_before_features_follow_from_the_measure() {
    let features = Features::default().with_multiplicity(Multiplicity::Counted);
    let cosine = Cosine { threshold: "0.8".parse().unwrap(), weights: Weights::Binary, empty: EmptyPolicy::Keep };
    for measure in [Measure::default(), Measure::Cosine(cosine)] {
        let job = Job { features: features.clone(), measure, ..Job::default() };
        let refused = answer(&job, &data(list(&["a text"])), &resources(1, 1 << 26), &Silent);
        assert!(matches!(refused, Err(Error::Contradiction(Contradiction::CountsWithoutWeights))), "{refused:?}");
    }
}
