//! Snapshots come back as they were saved; every change is noticed, wherever.

use super::*;
use lookalike_core::DocId;
use lookalike_io::base::Number;
use xxhash_rust::xxh3::xxh3_64;

const TEXTS: [(&str, &str); 4] = [
    ("a", "one two three four five six seven"),
    ("b", ""),
    ("ключ", "один два три четыре пять шесть"),
    ("d", "one two three four five six eight"),
];

/// Integers that no float holds, fractions, and what JSON has no number for.
fn score_of(number: usize) -> Score {
    let score = match number % 3 {
        0 => Number::of_integer((1 << 60) + number as i128),
        1 => Number::of_float(number as f64 + 0.5).unwrap(),
        _ => Number::of_float(f64::INFINITY).unwrap(),
    };
    Score::Number(score)
}

fn corpus(copies: usize) -> Corpus {
    let texts = (0..copies).flat_map(|copy| TEXTS.map(|(id, text)| (format!("{id}{copy}"), text)));
    let texts: Vec<(String, &str)> = texts.collect();
    let pairs = texts.iter().map(|(id, text)| (id.as_str(), *text));
    let mut corpus = Corpus::from_texts(&Features::default(), pairs).unwrap();
    corpus.listing.scores = (0..corpus.len()).map(|number| (number % 4 > 0).then(|| score_of(number))).collect();
    corpus
}

fn saved(corpus: &Corpus, path: &Path) {
    let file = AtomicFile::create(path).unwrap();
    let features = Features::default();
    let saved = SnapshotToSave {
        corpus,
        features: &features,
        score_field: Some("date"),
        notation: &Notation::default(),
        tokens: None,
    };
    write(saved, file, &crate::testing::session().spill).unwrap().publish().unwrap();
}

fn read(path: &Path) -> Result<Vec<Shard>> {
    SnapshotReader::open(path, 3, Some(&Features::default()), Some("date"), RecordNames::Skipped)?.collect()
}

#[test]
fn what_was_saved_comes_back_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.snapshot");
    for copies in [0, 1, SHARD_DOCUMENTS / 2 + 1] {
        let corpus = corpus(copies);
        saved(&corpus, &path);
        let shards = read(&path).unwrap();
        assert_eq!(shards.iter().map(|shard| shard.tokens).sum::<u64>(), corpus.tokens);
        assert!(shards.iter().flat_map(|shard| &shard.scores).eq(&corpus.listing.scores));
        let mut documents = corpus.documents();
        for shard in &shards {
            for (document, place) in DocId::all(shard.len()).zip(&shard.places) {
                let original = documents.next().unwrap();
                assert_eq!(shard.ids.get(document), corpus.listing.ids.get(original));
                assert_eq!(shard.sets.get(document), corpus.sets.get(original));
                assert_eq!(shard.characters[document.index()], corpus.listing.characters(original));
                assert_eq!(shard.text_hashes[document.index()], corpus.text_hash(original));
                assert_eq!((place.source, place.number), (3, u64::from(original.0) + 1));
            }
        }
        assert_eq!(documents.len(), 0);
    }
}

#[test]
fn a_snapshot_made_otherwise_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.snapshot");
    saved(&corpus(1), &path);
    let refused = |shingle, score| {
        let features = Features::shingles(shingle);
        SnapshotReader::open(&path, 0, Some(&features), score, RecordNames::Skipped).unwrap_err().to_string()
    };
    let words = refused(lookalike_core::sets::ShingleOptions::characters(9), None);
    assert!(words.contains("shingle was word:5 and is char:9"), "{words}");
    let words = refused(lookalike_core::sets::ShingleOptions::default(), Some("length"));
    assert!(words.contains("score field was date and is length"), "{words}");
}

#[test]
fn any_changed_or_missing_byte_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.snapshot");
    saved(&corpus(1), &path);
    let whole = std::fs::read(&path).unwrap();
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 0x11;
        std::fs::write(&path, changed).unwrap();
        let error = read(&path).expect_err("a changed byte");
        assert!(matches!(error, Error::NotReadable { .. }), "{place}: {error}");
    }
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(read(&path), Err(Error::NotReadable { .. })), "{length} bytes");
    }
}

#[test]
fn elements_that_do_not_ascend_are_refused_though_their_checksum_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.snapshot");
    let mut forged = corpus(1);
    let (offsets, elements) = forged.sets.elements().clone().into_parts();
    let mut elements = elements.into_vec();
    elements.swap(0, 1);
    let elements = lookalike_core::Ragged::from_parts(offsets, lookalike_core::Array::Owned(elements)).unwrap();
    forged.sets = lookalike_core::documents::ElementSets::from_parts(elements, forged.sets.hashes().to_vec());
    saved(&forged, &path);
    let words = read(&path).unwrap_err().to_string();
    assert!(words.contains("its section `elements` is damaged"), "{words}");
}

/// The layout is a promise: this is a snapshot of format 3, which must be read as long as that is the present one.
#[test]
fn the_bytes_of_format_3_are_frozen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.snapshot");
    let mut frozen = corpus(1);
    // When the format was frozen, all scores were floats: those are written as they were.
    let float = |number: usize| Number::of_float(number as f64).map(Score::Number);
    frozen.listing.scores = (0..frozen.len()).map(|number| (number % 3 > 0).then(|| float(number))?).collect();
    saved(&frozen, &path);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!((bytes.len(), xxh3_64(&bytes)), FROZEN);
}

const FROZEN: (usize, u64) = (1464, 15_847_831_822_872_314_963);
