//! How fast an index takes documents and answers: single documents in groups, each group synced; the same with the
//! question first; questions in the process, from the text on.
//!
//! `cargo run --release --package lookalike --example index_speed -- FILE.jsonl FOLDER [DOCUMENTS]`: the first
//! documents of a file of JSON Lines with `text`, into a folder that is not there yet. `bench/results` has what it
//! said.

use lookalike::index::{Change, Document, Durability, Index, IndexWriter, Question, Settings};
use lookalike::{Features, Kernel, Measure, Method};
use lookalike_core::DocId;
use lookalike_core::features::ElementSets;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Documents of a group, which is synced as a whole.
const GROUP: usize = 256;
/// Questions that are timed.
const QUESTIONS: usize = 20_000;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, folder, rest @ ..] = &arguments[..] else { return Err("FILE.jsonl FOLDER [DOCUMENTS]".into()) };
    let count = rest.first().map_or(Ok(200_000), |count| count.parse())?;
    let texts = read_texts(Path::new(file), count)?;
    let documents = documents_of(&texts)?;
    let elements: usize = documents.iter().map(|document| document.elements.len()).sum();
    println!("{} documents, {} elements each", documents.len(), elements / documents.len().max(1));
    let folder = Path::new(folder);
    insert(&folder.join("inserts"), &documents)?;
    insert_unless_near(&folder.join("asked"), &documents)?;
    ask(&Index::open(&folder.join("inserts"))?, &texts)
}

fn read_texts(file: &Path, count: usize) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for line in BufReader::new(File::open(file)?).lines().take(count) {
        let record: serde_json::Value = serde_json::from_str(&line?)?;
        texts.push(record["text"].as_str().unwrap_or_default().to_owned());
    }
    Ok(texts)
}

fn documents_of(texts: &[String]) -> Result<Vec<Document>> {
    let (mut extractor, mut sets) = (Features::default().extractor(Kernel::detect()), ElementSets::new());
    texts.iter().try_for_each(|text| extractor.push(text, &mut sets).map(|_| ()))?;
    let document = |(number, document)| Document::of_set(format!("n{number}"), sets.get(document).to_vec());
    Ok(DocId::all(sets.len()).enumerate().map(document).collect())
}

fn settings() -> Settings {
    Settings::new(Features::default(), Measure::default(), Method::Exact)
}

fn insert(path: &Path, documents: &[Document]) -> Result<()> {
    let mut writer = IndexWriter::create(path, settings(), Durability::PowerLoss)?;
    let (start, mut slowest) = (Instant::now(), Duration::ZERO);
    for group in documents.chunks(GROUP) {
        let before = Instant::now();
        writer.commit(group.iter().cloned().map(Change::Put).collect())?;
        slowest = slowest.max(before.elapsed());
    }
    let (seconds, info) = (start.elapsed().as_secs_f64(), writer.index().info());
    println!(
        "inserts in groups of {GROUP}: {:.0} a second, the slowest group {:.0} ms; {} segments, {} bytes a document",
        documents.len() as f64 / seconds,
        slowest.as_secs_f64() * 1e3,
        info.segments.len(),
        info.bytes / info.documents.max(1)
    );
    Ok(())
}

fn insert_unless_near(path: &Path, documents: &[Document]) -> Result<()> {
    let mut writer = IndexWriter::create(path, settings(), Durability::PowerLoss)?;
    let start = Instant::now();
    for group in documents.chunks(GROUP) {
        writer.add_unless_near(group.to_vec(), Measure::default())?;
    }
    let (seconds, info) = (start.elapsed().as_secs_f64(), writer.index().info());
    let rate = documents.len() as f64 / seconds;
    println!("the same, asked first: {rate:.0} a second; {} of them added", info.documents);
    Ok(())
}

fn ask(index: &Index, texts: &[String]) -> Result<()> {
    let (view, mut searcher) = (index.view(), index.searcher());
    let (mut extractor, mut sets) = (index.settings().features.extractor(Kernel::detect()), ElementSets::new());
    let (mut times, mut answers) = (Vec::new(), 0);
    let step = (texts.len() / QUESTIONS).max(1);
    for text in texts.iter().step_by(step) {
        let start = Instant::now();
        sets.clear();
        extractor.push(text, &mut sets)?;
        let elements = sets.get(DocId(0)).elements();
        if elements.is_empty() {
            continue;
        }
        let question = Question { elements, limit: NonZeroUsize::new(10), ..index.question() };
        answers += searcher.search(&view, &question)?.len();
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1e6;
    let (segments, documents) = (index.info().segments.len(), index.info().documents);
    println!(
        "questions to {documents} documents, {segments} segments: p50 {:.0} us, p99 {:.0} us; {answers} answers to {}",
        at(0.5),
        at(0.99),
        times.len()
    );
    Ok(())
}
