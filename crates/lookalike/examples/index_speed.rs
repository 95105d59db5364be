//! Speed at which an index takes documents and answers, and its change as it grows: single documents in groups, each
//! group synced; the same with the question first; questions in the process, from the text on.
//!
//! `cargo run --release --package lookalike --example index_speed -- FILE.jsonl FOLDER [DOCUMENTS...]`: the records of
//! a file of JSON Lines with `text`, repeated in rounds as in `bench/index/million.py` (its first round is what is read
//! here), go into folders that are not there yet; what is asked for is told whenever so many documents are there.
//! `bench/results` has what it said.

use lookalike::index::{Change, Durability, IndexDocument, IndexWriter, Question, Settings};
use lookalike::{Features, Kernel, Measure, Method};
use lookalike_core::DocId;
use lookalike_core::comparison::Extractor;
use lookalike_core::documents::ElementSets;
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
/// Records of the first round of `million.py`.
const ROUND: usize = 92_257;
/// Documents that are asked about before they are added.
const ASKED: usize = 200_000;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, folder, rest @ ..] = &arguments[..] else { return Err("FILE.jsonl FOLDER [DOCUMENTS...]".into()) };
    let counts = rest.iter().map(|count| count.parse()).collect::<std::result::Result<Vec<usize>, _>>()?;
    let corpus = Rounds::read(Path::new(file))?;
    let folder = Path::new(folder);
    insert_unless_near(&folder.join("asked"), &corpus)?;
    insert(&folder.join("inserts"), &corpus, if counts.is_empty() { &[ASKED] } else { &counts })
}

/// The records of the first round, and those of the others.
struct Rounds {
    texts: Vec<String>,
    extractor: Extractor,
}

impl Rounds {
    fn read(file: &Path) -> Result<Self> {
        let mut texts = Vec::new();
        for line in BufReader::new(File::open(file)?).lines().take(ROUND) {
            let record: serde_json::Value = serde_json::from_str(&line?)?;
            texts.push(record["text"].as_str().unwrap_or_default().to_owned());
        }
        Ok(Self { texts, extractor: Features::default().extractor(Kernel::detect()) })
    }

    /// A text by its number: in a round from 1 on, some words are replaced by words of their own.
    fn text(&self, number: usize) -> String {
        let turn = number / self.texts.len();
        let place = number % self.texts.len();
        let text = &self.texts[place];
        if turn == 0 {
            return text.clone();
        }
        let word = |(place, word): (usize, &str)| match (7 * place + turn) % 12 {
            0 => format!("r{turn}x{place}"),
            _ => word.to_owned(),
        };
        text.split(' ').enumerate().map(word).collect::<Vec<_>>().join(" ")
    }

    /// Documents by their numbers.
    fn documents(&self, numbers: std::ops::Range<usize>) -> Result<Vec<IndexDocument>> {
        let mut extractor = self.extractor.clone();
        let mut sets = ElementSets::new();
        numbers.clone().try_for_each(|number| extractor.push(&self.text(number), &mut sets).map(|_| ()))?;
        let document = |(number, set)| IndexDocument::of_set(format!("n{number}"), sets.get(set).to_vec());
        Ok(numbers.zip(DocId::all(sets.len())).map(document).collect())
    }
}

fn create(path: &Path) -> Result<IndexWriter> {
    let settings = Settings::new(Features::default(), Measure::default(), Method::Exact);
    Ok(IndexWriter::create(path, settings, Durability::PowerLoss)?)
}

/// Groups of documents until there are `count`, and the time that they take altogether and at most; without the time in
/// which they are made.
fn timed_groups(
    corpus: &Rounds,
    numbers: std::ops::Range<usize>,
    mut work: impl FnMut(Vec<IndexDocument>) -> Result<()>,
) -> Result<(Duration, Duration)> {
    let mut total = Duration::ZERO;
    let mut slowest = Duration::ZERO;
    for begin in numbers.clone().step_by(GROUP) {
        let documents = corpus.documents(begin..numbers.end.min(begin + GROUP))?;
        let start = Instant::now();
        work(documents)?;
        (total, slowest) = (total + start.elapsed(), slowest.max(start.elapsed()));
    }
    Ok((total, slowest))
}

fn insert(path: &Path, corpus: &Rounds, counts: &[usize]) -> Result<()> {
    let mut writer = create(path)?;
    let mut begin = 0;
    for &count in counts {
        let commit =
            |documents: Vec<IndexDocument>| Ok(writer.commit(documents.into_iter().map(Change::Put).collect())?);
        let (total, slowest) = timed_groups(corpus, begin..count, commit)?;
        let info = writer.index().info();
        println!(
            "inserts {begin} to {count} in groups of {GROUP}: {:.0} a second, the slowest group {:.0} ms; {} segments, \
             {} bytes a document",
            (count - begin) as f64 / total.as_secs_f64(),
            slowest.as_secs_f64() * 1e3,
            info.segments.len(),
            info.bytes / info.documents.max(1)
        );
        begin = count;
        ask(&writer, corpus, count)?;
    }
    Ok(())
}

fn insert_unless_near(path: &Path, corpus: &Rounds) -> Result<()> {
    let mut writer = create(path)?;
    let add = |documents| Ok(writer.add_unless_near(documents, Measure::default()).map(|_| ())?);
    let (total, _) = timed_groups(corpus, 0..ASKED, add)?;
    let rate = ASKED as f64 / total.as_secs_f64();
    let added = writer.index().info().documents;
    println!("inserts, asked first: {rate:.0} a second; {added} of {ASKED} added");
    Ok(())
}

fn ask(writer: &IndexWriter, corpus: &Rounds, count: usize) -> Result<()> {
    let index = writer.index();
    let view = writer.index().view();
    let mut searcher = index.searcher();
    let mut extractor = corpus.extractor.clone();
    let mut sets = ElementSets::new();
    let mut times = Vec::new();
    let mut answers = 0;
    // The first pass warms what the second one is timed on.
    for is_timed in [false, true] {
        for number in (0..count).step_by((count / QUESTIONS).max(1)) {
            let text = corpus.text(number);
            let start = Instant::now();
            sets.clear();
            extractor.push(&text, &mut sets)?;
            let elements = sets.get(DocId(0)).elements();
            let question = Question { elements, limit: NonZeroUsize::new(10), ..index.question() };
            let found = searcher.search(&view, &question)?.len();
            if is_timed {
                times.push(start.elapsed());
                answers += found;
            }
        }
    }
    times.sort_unstable();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1e6;
    println!(
        "questions to {} documents, {} segments: p50 {:.0} us, p99 {:.0} us; {answers} answers to {}",
        index.info().documents,
        index.info().segments.len(),
        at(0.5),
        at(0.99),
        times.len()
    );
    Ok(())
}
