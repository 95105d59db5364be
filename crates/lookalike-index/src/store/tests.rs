//! Random operations against a plain map, with crashes, reopening and merging; damage bit by bit; two writers.

mod mixtures;
mod signatures;

use super::backup::copy;
use super::verify::verify_disk;
use super::writer::{Limits, MergingTime};
use super::{Index, IndexWriter, Inserted, Settings};
use crate::base::{Error, IndexDocument, PackedText, Result, SetBuffer};
use crate::disk::Disk;
use crate::disk::simulated::SimulatedDisk;
use crate::log::{Change, Durability};
use crate::view::{Question, View};
use lookalike_core::bits::Hamming;
use lookalike_core::comparison::{Features, Measure, Method, PairCheck};
use lookalike_core::documents::{ElementSet, WeightedSet};
use lookalike_core::hash::{SplitMix64, mix64};
use lookalike_core::kernel::Kernel;
use lookalike_core::sets::{CommonElements, Containment, Dice, Side};
use lookalike_core::similarity::{CandidatePair, EmptyPolicy, Weights};
use lookalike_core::terms::{Cosine, DocumentFrequencies, weigh};
use lookalike_core::{Array, DocId};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The documents in the order in which they were put.
#[derive(Debug, Clone, Default)]
struct Model(Vec<IndexDocument>);

impl Model {
    fn apply(&mut self, change: Change) {
        self.0.retain(|document| document.id != change.id());
        if let Change::Put(document) = change {
            self.0.push(document);
        }
    }

    fn load(&mut self, documents: &[IndexDocument]) {
        documents.iter().for_each(|document| self.apply(Change::Put(document.clone())));
    }

    /// Adds documents one after the other unless another is near; which of them were added.
    fn add_unless_near(&mut self, documents: &[IndexDocument], measure: Measure) -> Vec<bool> {
        let mut is_added = |document: &IndexDocument| {
            let mut others = self.clone();
            others.0.retain(|other| other.id != document.id);
            let is_new = document.elements.is_empty() || near(document, measure, &others, Some(1)).is_empty();
            if is_new {
                self.apply(Change::Put(document.clone()));
            }
            is_new
        };
        documents.iter().map(&mut is_added).collect()
    }
}

fn are_added(inserted: &[Inserted]) -> Vec<bool> {
    inserted.iter().map(|one| matches!(one, Inserted::Added { .. })).collect()
}

fn measures() -> Vec<Measure> {
    let threshold = "0.5".parse().unwrap();
    let empty = EmptyPolicy::Keep;
    let mut all = vec![Measure::jaccard(threshold), Measure::Overlap(CommonElements { min_common: 4, empty })];
    all.push(Measure::Dice(Dice { threshold, empty }));
    all.extend(
        [Weights::Tf, Weights::TfIdf, Weights::Binary]
            .map(|weights| Measure::Cosine(Cosine { threshold, weights, empty })),
    );
    all.extend(
        [Side::Either, Side::InReference, Side::OfReference]
            .map(|contained| Measure::Containment(Containment { threshold, contained, empty })),
    );
    all.extend([3, 40].map(|distance| Measure::Hamming(Hamming { distance, width: 64 })));
    all
}

/// A document of one of some families.
fn random_document(random: &mut SplitMix64, measure: Measure) -> IndexDocument {
    let family = random.next_below(5);
    let mut document = IndexDocument { id: format!("document {}", random.next_below(60)), ..IndexDocument::default() };
    if measure.hamming().is_some() {
        let flipped = (0..random.next_below(5)).fold(0, |bits: u64, _| bits ^ 1 << random.next_below(64));
        document.elements = vec![mix64(family) ^ flipped];
        return document;
    }
    let size = if random.next_below(20) == 0 { 200 } else { random.next_below(30) };
    let mut elements: Vec<u64> = (0..size)
        .map(|number| if random.next_below(8) == 0 { random.next_below(3000) } else { family * 100 + number })
        .map(|number| mix64(number + 1))
        .collect();
    elements.sort_unstable();
    elements.dedup();
    if measure.weighted().is_some() {
        document.counts = elements.iter().map(|_| 1 + random.next_below(3) as u32).collect();
    }
    document.fields =
        if random.next_below(3) == 0 { format!(r#"{{"n":{}}}"#, random.next_below(9)) } else { String::new() };
    let text = if random.next_below(4) == 0 { "a text ".repeat(random.next_below(9) as usize) } else { String::new() };
    document.text = PackedText::new(&text).unwrap();
    IndexDocument { elements, characters: size, ..document }
}

fn frequencies() -> DocumentFrequencies {
    let mut terms: Vec<(u64, u32)> = (0..200).map(|number| (mix64(number + 1), number as u32 / 4 + 1)).collect();
    terms.sort_unstable();
    let (terms, counts) = terms.into_iter().unzip();
    DocumentFrequencies::new(100, Array::Owned(terms), Array::Owned(counts)).unwrap()
}

fn create(disk: &SimulatedDisk, measure: Measure) -> IndexWriter {
    let mut settings = Settings::new(Features::default(), measure, Method::Exact);
    settings.texts = true;
    let disk: Arc<dyn Disk> = Arc::new(disk.clone());
    let writer = IndexWriter::create_disk(disk, settings, Some(&frequencies()), Durability::PowerLoss).unwrap();
    writer.with_limits(low(MergingTime::AtOnce))
}

fn low(merging: MergingTime) -> Limits {
    Limits { documents: 40, elements: 4000, keys: 20_000, merging }
}

fn open(disk: &SimulatedDisk, merging: MergingTime) -> IndexWriter {
    let writer = IndexWriter::open_disk(Arc::new(disk.clone()), Durability::PowerLoss).unwrap();
    writer.with_limits(low(merging))
}

/// The weights of a document by a measure, as the index makes them.
fn weights_of(document: &IndexDocument, measure: Measure) -> Vec<u32> {
    let Some(cosine) = measure.weighted() else { return Vec::new() };
    let counted = WeightedSet::new(ElementSet::new(&document.elements).unwrap(), &document.counts).unwrap();
    let mut weights = Vec::new();
    let frequencies = frequencies();
    weigh(counted, (cosine.weights == Weights::TfIdf).then_some(&frequencies), &mut weights).unwrap();
    weights
}

fn near(question: &IndexDocument, measure: Measure, model: &Model, limit: Option<usize>) -> Vec<(String, f64)> {
    fn weighted<'a>(document: &'a IndexDocument, weights: &'a [u32]) -> WeightedSet<'a> {
        WeightedSet::new(ElementSet::new(&document.elements).unwrap(), weights).unwrap()
    }
    let query_weights = weights_of(question, measure);
    let mut all: Vec<(String, f64)> = Vec::new();
    for document in &model.0 {
        let weights = weights_of(document, measure);
        let documents = [weighted(question, &query_weights), weighted(document, &weights)];
        let pair = CandidatePair { a: DocId(0), b: DocId(1) };
        let found = PairCheck::new(measure).verify(Kernel::detect(), pair, documents);
        all.extend(found.map(|pair| (document.id.clone(), measure.similarity(pair.found))));
    }
    // Stable: of equally similar ones, those that were put first.
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.truncate(limit.unwrap_or(usize::MAX));
    all
}

fn check_view(view: &View, model: &Model) {
    let mut set = SetBuffer::default();
    let found: Vec<IndexDocument> = view
        .places()
        .map(|place| {
            view.read_set(place, &mut set).unwrap();
            let facts = view.facts(place);
            IndexDocument {
                id: view.id(place).to_owned(),
                elements: set.elements.clone(),
                counts: set.counts.clone(),
                text_hash: facts.text_hash,
                characters: facts.characters,
                expires: facts.expires(),
                fields: view.fields(place).to_owned(),
                text: PackedText::new(&view.text(place).unwrap()).unwrap(),
            }
        })
        .collect();
    assert_eq!(found, model.0);
    for document in &model.0 {
        assert_eq!(view.find(&document.id).map(|place| view.id(place).to_owned()), Some(document.id.clone()));
    }
    assert!(view.find("nobody").is_none());
}

fn check_answers(index: &Index, model: &Model, random: &mut SplitMix64) {
    let lowest = index.settings().measure;
    let view = index.view();
    let mut searcher = index.searcher();
    for _ in 0..3 {
        let question = random_document(random, lowest);
        for (measure, limit) in [(lowest, None), (lowest.raised_to(0.7), Some(3)), (lowest, Some(1))] {
            let IndexDocument { elements, counts, .. } = &question;
            let query = Question { elements, counts, measure, limit: limit.and_then(NonZeroUsize::new) };
            match searcher.search(&view, &query) {
                Err(Error::NoElements) => assert!(elements.is_empty()),
                answers => {
                    let named = |answer: &crate::Answer| (view.id(answer.place).to_owned(), answer.similarity);
                    let answers: Vec<_> = answers.unwrap().iter().map(named).collect();
                    assert_eq!(answers, near(&question, measure, model, limit), "{measure:?} {limit:?}");
                }
            }
        }
    }
}

/// An index on a disk that fails now and then, and what it should be.
struct Run {
    measure: Measure,
    merging: MergingTime,
    random: SplitMix64,
    disk: SimulatedDisk,
    writer: IndexWriter,
    model: Model,
}

impl Run {
    fn new(measure: Measure, merging: MergingTime, seed: u64) -> Self {
        let disk = SimulatedDisk::new();
        let writer = create(&disk, measure).with_limits(low(merging));
        Self { measure, merging, random: SplitMix64::new(seed), disk, writer, model: Model::default() }
    }

    fn document(&mut self) -> IndexDocument {
        random_document(&mut self.random, self.measure)
    }

    fn commit(&mut self, after: &mut Model) -> Result<()> {
        let count = 1 + self.random.next_below(6);
        let change = |_| match self.random.next_below(4) {
            0 => Change::Delete(format!("document {}", self.random.next_below(60))),
            _ => Change::Put(random_document(&mut self.random, self.measure)),
        };
        let changes: Vec<Change> = (0..count).map(change).collect();
        changes.iter().for_each(|change| after.apply(change.clone()));
        self.writer.commit(changes)
    }

    fn load(&mut self, after: &mut Model) -> Result<()> {
        let documents = (0..30).map(|_| self.document());
        let documents: BTreeMap<String, IndexDocument> =
            documents.map(|document| (document.id.clone(), document)).collect();
        let documents: Vec<IndexDocument> = documents.into_values().collect();
        after.load(&documents);
        self.writer.load(&documents)
    }

    fn add_unless_near(&mut self, after: &mut Model) -> Result<()> {
        let documents = (0..3).map(|_| self.document()).collect::<Vec<_>>();
        let measure = self.measure;
        let expected = after.add_unless_near(&documents, measure);
        let inserted = self.writer.add_unless_near(documents, measure)?;
        assert_eq!(are_added(&inserted), expected);
        Ok(())
    }

    /// Documents in several groups, of which nothing is there before all are; or never, if they are not committed.
    fn insert(&mut self, after: &mut Model) -> Result<()> {
        let groups: Vec<Vec<IndexDocument>> =
            (0..self.random.next_below(12)).map(|_| (0..5).map(|_| self.document()).collect()).collect();
        let before = after.clone();
        let index = self.writer.index();
        let is_committed = self.random.next_below(4) > 0;
        let mut insertion = self.writer.insertion(self.measure)?;
        for group in groups {
            let expected = after.add_unless_near(&group, self.measure);
            let (next, inserted) = insertion.insert(group)?;
            assert_eq!(are_added(&inserted), expected);
            insertion = next;
        }
        check_view(&index.view(), &before);
        let prepared = insertion.prepare()?;
        check_view(&index.view(), &before);
        assert_eq!(prepared.documents(), after.0.len() as u64);
        if is_committed {
            return prepared.commit();
        }
        drop(prepared);
        *after = before;
        Ok(())
    }

    /// One operation, which may fail; then a look at what became of it, perhaps after the machine stopped.
    fn step(&mut self) {
        let fails = self.random.next_below(4) == 0;
        self.disk.fail_after(fails.then(|| self.random.next_below(12)));
        let mut after = self.model.clone();
        let done = match self.random.next_below(11) {
            0..5 => self.commit(&mut after),
            5 => self.load(&mut after),
            6 => self.add_unless_near(&mut after),
            7 => self.writer.flush(),
            8 => self.writer.compact(),
            9 => self.insert(&mut after),
            _ => copy(&self.disk, &SimulatedDisk::new()).map(drop),
        };
        self.disk.fail_after(None);
        let before = std::mem::take(&mut self.model);
        // A failed operation may have taken effect, if its last sync failed; a successful one always has.
        let possible = if done.is_ok() { vec![after] } else { vec![before, after] };
        if done.is_err() || self.random.next_below(5) == 0 {
            let has_power = self.random.next_below(2) == 0;
            self.disk = if has_power { self.disk.killed() } else { self.disk.without_power(&mut self.random) };
            self.writer = open(&self.disk, self.merging);
        }
        let view = self.writer.index().view();
        let ids: Vec<String> = view.places().map(|place| view.id(place).to_owned()).collect();
        let is_it = |model: &Model| model.0.iter().map(|document| &document.id).eq(&ids);
        self.model = possible.into_iter().find(is_it).expect("all of a change, or nothing");
        check_view(&view, &self.model);
    }

    /// Looks at the index from all sides.
    fn check(&mut self) {
        check_answers(&self.writer.index(), &self.model, &mut self.random);
        assert_eq!(verify_disk(&self.disk).unwrap(), []);
        let reader = Index::open_disk(Arc::new(self.disk.clone())).unwrap();
        check_view(&reader.view(), &self.model);
        let copied = SimulatedDisk::new();
        copy(&self.disk, &copied).unwrap();
        check_view(&Index::open_disk(Arc::new(copied)).unwrap().view(), &self.model);
    }
}

#[test]
fn an_index_is_a_map_that_survives() {
    // More of it: LOOKALIKE_INDEX_SECONDS=600, which begins with other random numbers each time.
    let seconds = std::env::var("LOOKALIKE_INDEX_SECONDS").ok().map(|seconds| seconds.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(0));
    let first = seconds.map_or(0, |_| SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() * 1000);
    println!("the first seed is {first}");
    for seed in (first..).take_while(|&seed| seed < first + 3 || Instant::now() < end) {
        for (number, measure) in (0..).zip(measures()) {
            for merging in [MergingTime::AtOnce, MergingTime::Meanwhile] {
                let mut run = Run::new(measure, merging, seed * 100 + number);
                for step in 0..60 {
                    run.step();
                    if step % 3 == 0 {
                        run.check();
                    }
                }
            }
        }
    }
}

#[test]
fn an_insertion_of_any_size_is_one_change() {
    // A frame of the log; segments that are spilled by number, and by memory.
    for (documents, memory_bytes) in [(20, 1 << 29), (300, 1 << 29), (3000, 1 << 16), (300, 0)] {
        let disk = SimulatedDisk::new();
        let measure = Measure::jaccard("0.5".parse().unwrap());
        let mut writer = create(&disk, measure);
        writer.use_resources(2, memory_bytes);
        writer.commit(vec![Change::Put(IndexDocument::of_set("first", vec![1, 2, 3]))]).unwrap();
        // Of two neighbours the second is near to the first.
        let document = |number: u64| {
            let mut elements: Vec<u64> = (0..8).map(|place| mix64(number / 2 * 100 + place)).collect();
            elements.sort_unstable();
            IndexDocument::of_set(format!("n{number}"), elements)
        };
        let manifest = |disk: &SimulatedDisk| disk.read("manifest").unwrap();
        let mut insertion = writer.insertion(measure).unwrap();
        for begin in (0..documents).step_by(20) {
            let (next, inserted) = insertion.insert((begin..begin + 20).map(document).collect()).unwrap();
            assert_eq!(are_added(&inserted), [true, false].repeat(10));
            insertion = next;
        }
        let at_once = disk.killed();
        let prepared = insertion.prepare().unwrap();
        for killed in [at_once, disk.killed()] {
            assert_eq!(manifest(&killed), manifest(&disk));
            assert_eq!(open(&killed, MergingTime::Meanwhile).index().view().len(), 1);
            // Leftovers of a kill were removed.
            let left = ["manifest", "manifest.new", "log-000001"];
            assert!(killed.files().iter().all(|(name, _)| left.contains(&name.as_str())));
        }
        prepared.commit().unwrap();
        drop(writer);
        let writer = open(&disk, MergingTime::Meanwhile);
        assert_eq!(writer.index().view().len() as u64, 1 + documents / 2);
        assert_eq!(verify_disk(&disk).unwrap(), []);
    }
}

#[test]
fn the_files_are_frozen() {
    let disk = SimulatedDisk::new();
    let mut writer = create(&disk, Measure::default());
    let document = |number: u64, size: u64| {
        let mut elements: Vec<u64> = (0..size).map(|place| mix64(number / 2 * 1000 + place)).collect();
        elements.sort_unstable();
        // Not of texts: the bytes of another version of zstd may be others.
        IndexDocument { fields: "{}".to_owned(), ..IndexDocument::of_set(format!("d{number}"), elements) }
    };
    writer.load(&(0..80).map(|number| document(number, 100)).collect::<Vec<_>>()).unwrap();
    writer.commit(vec![Change::Delete("d3".to_owned()), Change::Put(document(100, 10))]).unwrap();
    let mut files: Vec<(String, u64)> =
        disk.files().into_iter().map(|(name, bytes)| (name, xxhash_rust::xxh3::xxh3_64(&bytes))).collect();
    files.sort_unstable();
    // A change of these numbers makes all stored indexes unreadable: give the kinds of containers new numbers.
    let frozen = [
        ("log-000004", 0x8e3d_1fe9_7329_53fe),
        ("manifest", 0x4a3d_5fda_6da0_5a0d),
        ("order-000003", 0x820d_4690_ce93_eb70),
        ("segment-000002", 0xd919_bc81_3247_274f),
    ];
    assert!(files.iter().map(|(name, hash)| (name.as_str(), *hash)).eq(frozen), "{files:#x?}");
}

#[test]
fn every_flipped_bit_is_found_or_harmless() {
    let disk = SimulatedDisk::new();
    let measure = Measure::jaccard("0.5".parse().unwrap());
    let mut writer = create(&disk, measure);
    let mut random = SplitMix64::new(7);
    let mut model = Model::default();
    let documents: Vec<IndexDocument> = (0..80)
        .map(|number| IndexDocument { id: format!("n{number}"), ..random_document(&mut random, measure) })
        .collect();
    model.load(&documents);
    writer.load(&documents).unwrap();
    let last = vec![
        Change::Put(IndexDocument { id: "last".to_owned(), ..documents[5].clone() }),
        Change::Delete("n3".to_owned()),
    ];
    last.iter().for_each(|change| model.apply(change.clone()));
    writer.commit(last).unwrap();
    drop(writer);
    for (name, bytes) in disk.files() {
        let bits = (0..bytes.len() * 8).step_by(if bytes.len() > 4096 { 37 } else { 3 });
        for bit in bits {
            let damaged = disk.killed();
            damaged.flip(&name, bit);
            let problems = verify_disk(&damaged);
            let is_found = problems.as_ref().map_or(true, |problems| !problems.is_empty());
            assert!(is_found, "bit {bit} of {name}");
            // Reading it is an error or what was there, never a panic.
            if bit % 11 == 0
                && let Ok(index) = Index::open_disk(Arc::new(damaged))
            {
                let view = index.view();
                let mut set = SetBuffer::default();
                view.places().for_each(|place| drop(view.read_set(place, &mut set)));
                let question = Question { elements: &documents[5].elements, ..index.question() };
                let _ = index.searcher().search(&view, &question);
            }
        }
    }
}

#[test]
fn what_is_expired_is_gone() {
    let disk = SimulatedDisk::new();
    let mut writer = create(&disk, Measure::default());
    let document = |id: &str, expires| IndexDocument { expires, ..IndexDocument::of_set(id, vec![1, 2, 3]) };
    disk.set_time(10);
    writer.commit(vec![Change::Put(document("a", Some(20))), Change::Put(document("b", None))]).unwrap();
    let index = writer.index();
    assert_eq!(index.view().len(), 2);
    disk.set_time(20);
    assert_eq!(index.view().len(), 1);
    assert!(index.view().find("a").is_none());
    writer.compact().unwrap();
    assert_eq!(index.info().gone, 0);
    disk.set_time(10);
    assert_eq!(index.view().len(), 1);
}

#[test]
fn questions_that_the_index_cannot_answer_are_refused() {
    let disk = SimulatedDisk::new();
    let writer = create(&disk, Measure::default());
    let index = writer.index();
    let elements = [1, 2];
    let ask = |measure| {
        let question = Question { elements: &elements, measure, ..index.question() };
        index.searcher().search(&index.view(), &question).unwrap_err().to_string()
    };
    let low = Measure::jaccard("0.7".parse().unwrap());
    assert_eq!(ask(low), "the index answers by jaccard at 0.8 or above, and jaccard at 0.7 or above was asked for");
    let question = index.question();
    assert!(matches!(index.searcher().search(&index.view(), &question), Err(Error::NoElements)));
    let other = Features::Bits { width: 64 };
    let error = index.settings().check_features(&other).unwrap_err().to_string();
    assert_eq!(error, "the index has features set, and bits was asked for");
}

#[test]
fn one_process_writes_and_readers_keep_their_view() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let settings = || Settings::new(Features::default(), Measure::default(), Method::Exact);
    let mut writer = IndexWriter::create(&path, settings(), Durability::Process).unwrap();
    assert!(matches!(IndexWriter::open(&path, Durability::Process), Err(Error::InUse { .. })));
    assert!(matches!(IndexWriter::create(&path, settings(), Durability::Process), Err(Error::IsThere { .. })));
    assert!(matches!(IndexWriter::open(folder.path(), Durability::Process), Err(Error::NotAnIndex { .. })));
    let reader = Index::open(&path).unwrap();
    writer.commit(vec![Change::Put(IndexDocument::of_set("a", vec![1, 2]))]).unwrap();
    let before = reader.view();
    reader.refresh().unwrap();
    assert_eq!((before.len(), reader.view().len()), (0, 1));
    let old = reader.view();
    for number in 0..10 {
        let document = IndexDocument::of_set(format!("n{number}"), vec![number, number + 100]);
        writer.commit(vec![Change::Put(document), Change::Delete("a".to_owned())]).unwrap();
        writer.compact().unwrap();
    }
    assert_eq!(old.find("a").map(|place| old.id(place)), Some("a"));
    reader.refresh().unwrap();
    assert_eq!(reader.view().len(), 10);
    let copied = folder.path().join("copy");
    super::backup(&path, &copied).unwrap();
    assert_eq!(Index::open(&copied).unwrap().view().len(), 10);
    assert_eq!(super::verify(&copied).unwrap(), []);
    std::fs::remove_file(path.join("lock")).unwrap();
    let lost = writer.commit(vec![Change::Delete("n1".to_owned())]).unwrap_err();
    assert!(matches!(lost, Error::LockLost { .. }), "{lost}");
    drop(writer);
    assert_eq!(Index::open(&path).unwrap().view().len(), 10);
}
