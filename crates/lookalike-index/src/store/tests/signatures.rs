//! Indexes with the keys of MinHash signatures.

use crate::base::{Error, IndexDocument, SetBuffer};
use crate::disk::simulated::SimulatedDisk;
use crate::log::{Change, Durability};
use crate::store::verify::verify_disk;
use crate::store::{Index, IndexWriter, Settings, Storage};
use crate::view::{Finding, Question};
use lookalike_core::comparison::{Features, Measure, Method, MinHash, SearchPlan, SetSearch};
use lookalike_core::hash::mix64;
use lookalike_core::kernel::Kernel;
use lookalike_core::signatures::{ByteSignatures, JaccardEstimate};
use std::sync::Arc;

fn minhash_index(disk: &SimulatedDisk, storage: Storage) -> IndexWriter {
    let settings = Settings::new(Features::default(), Measure::default(), Method::MinHash(MinHash::default()));
    let settings = Settings { storage, ..settings };
    IndexWriter::create_disk(Arc::new(disk.clone()), settings, None, Durability::PowerLoss).unwrap()
}

/// Documents in pairs of which 225 of 275 elements are common.
fn pairs_of_documents() -> Vec<IndexDocument> {
    let document = |number: u64| {
        let own = (0..25).map(|place| mix64((number + 1) * 1_000_000 + place));
        let mut elements: Vec<u64> = (0..225).map(|place| mix64(number / 2 * 1000 + place)).chain(own).collect();
        elements.sort_unstable();
        IndexDocument::of_set(format!("n{number}"), elements)
    };
    (0..400).map(document).collect()
}

#[test]
fn signatures_take_little_space_and_give_estimates() {
    let disk = SimulatedDisk::new();
    let documents = pairs_of_documents();
    let mut writer = minhash_index(&disk, Storage::Signatures);
    writer.load(&documents[..300].to_vec()).unwrap();
    writer.commit(documents[300..].iter().cloned().map(Change::Put).collect()).unwrap();
    writer.commit(vec![Change::Delete("n7".to_owned())]).unwrap();
    writer.compact().unwrap();
    let index = Index::open_disk(Arc::new(disk.clone())).unwrap();
    let info = index.info();
    assert!((1..=400 * info.documents).contains(&info.bytes), "{} bytes a document", info.bytes / info.documents);
    let by_bands = SearchPlan::new(Measure::default(), index.settings().method).unwrap();
    let SearchPlan::Sets { by: SetSearch::MinHash(bands), .. } = by_bands else { panic!() };
    let mut signatures = ByteSignatures::new(bands.banding, bands.seed, Kernel::Scalar);
    let mut signature_of = |document: &IndexDocument| {
        let mut bytes = Vec::new();
        signatures.append(&document.elements, &mut bytes);
        bytes
    };
    let view = index.view();
    let mut searcher = index.searcher();
    let mut found = 0;
    let mut within = 0;
    for (number, document) in documents.iter().enumerate().filter(|&(number, _)| number != 7) {
        let question = Question { elements: &document.elements, ..index.question() };
        let answers = searcher.search(&view, &question).unwrap();
        assert!(answers.iter().any(|answer| view.id(answer.place) == document.id && answer.similarity == 1.0));
        for answer in answers.iter().filter(|answer| view.id(answer.place) != document.id) {
            let other = &documents[number ^ 1];
            assert_eq!(view.id(answer.place), other.id, "strangers are far below the threshold");
            let estimate = JaccardEstimate::new(&signature_of(document), &signature_of(other));
            assert_eq!(
                (answer.similarity, answer.found),
                (estimate.estimated_jaccard(), Finding::Estimated(estimate.interval()))
            );
            let (low, high) = estimate.interval();
            found += 1;
            within += u64::from((low..=high).contains(&(225.0 / 275.0)));
        }
    }
    // Of 398 questions with a partner at 0.818, about half are estimated above 0.8, and of nearly all the interval
    // reaches it.
    let promised = index.settings().expected_recall().unwrap();
    assert!((0.965..0.975).contains(&promised), "{promised}");
    assert!(found as f64 >= 0.95 * 398.0 && within > found * 9 / 10, "{within} of {found}");
    let mut set = SetBuffer::default();
    assert!(matches!(view.read_set(view.find("n1").unwrap(), &mut set), Err(Error::SignaturesOnly)));
    assert!(matches!(writer.add_unless_near(documents, Measure::default()), Err(Error::SignaturesOnly)));
    assert_eq!(verify_disk(&disk).unwrap(), []);
    let exact = Settings::new(Features::default(), Measure::default(), Method::Exact);
    let exact = Settings { storage: Storage::Signatures, ..exact };
    let refused = IndexWriter::create_disk(Arc::new(SimulatedDisk::new()), exact, None, Durability::PowerLoss);
    assert!(matches!(refused, Err(Error::NoSignatures)));
}

#[test]
fn a_question_to_every_document_misses_nothing() {
    let disk = SimulatedDisk::new();
    let documents = pairs_of_documents();
    let mut writer = minhash_index(&disk, Storage::Sets);
    writer.load(&documents).unwrap();
    let index = writer.index();
    let view = index.view();
    let mut searcher = index.searcher();
    let mut found = 0;
    for document in &documents {
        let question = Question { elements: &document.elements, ..index.question() };
        let every = searcher.search_every(&view, &question).unwrap();
        assert_eq!(every.iter().map(|answer| answer.similarity).collect::<Vec<_>>(), [1.0, 225.0 / 275.0]);
        let by_keys = searcher.search(&view, &question).unwrap();
        assert!(by_keys.iter().all(|answer| every.contains(answer)));
        found += by_keys.len();
    }
    // At 0.818 the promised recall is above 0.99.
    assert!((780..=800).contains(&found), "{found} of 800");
}
