//! What is saved comes back; what was changed is noticed, wherever.

use super::*;
use crate::options::Options;

const TEXTS: [(&str, &str); 4] = [
    ("a", "one two three four five six seven"),
    ("b", ""),
    ("ключ", "один два три четыре пять шесть"),
    ("d", "one two three four five six eight"),
];

fn facts(shingle: &str) -> Facts {
    let mut facts = Facts::default();
    facts.add("--shingle", shingle);
    facts
}

fn corpus(copies: usize) -> Corpus {
    let texts = (0..copies).flat_map(|copy| TEXTS.map(|(key, text)| (format!("{key}{copy}"), text)));
    let texts: Vec<(String, &str)> = texts.collect();
    let pairs = texts.iter().map(|(key, text)| (key.as_str(), *text));
    let mut corpus = Corpus::from_texts(&Options::default(), pairs).unwrap();
    corpus.scores = (0..corpus.len()).map(|number| (number % 3 > 0).then_some(Score::Number(number as f64))).collect();
    corpus
}

fn saved(corpus: &Corpus, path: &Path) {
    write(corpus, facts("word:5"), Some("date"), AtomicFile::create(path).unwrap()).unwrap().publish().unwrap();
}

fn read(path: &Path) -> Result<Vec<Corpus>> {
    SketchFile::open(path, 3, Some(&facts("word:5")), Some("date"))?.collect()
}

#[test]
fn what_was_saved_comes_back_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sketch");
    for copies in [0, 1, CHUNK_DOCUMENTS / 2 + 1] {
        let corpus = corpus(copies);
        saved(&corpus, &path);
        let chunks = read(&path).unwrap();
        assert_eq!(chunks.iter().map(|chunk| chunk.tokens).sum::<u64>(), corpus.tokens);
        assert!(chunks.iter().flat_map(|chunk| &chunk.scores).eq(&corpus.scores));
        let mut documents = corpus.ids();
        for chunk in &chunks {
            for document in chunk.ids() {
                let original = documents.next().unwrap();
                assert_eq!(chunk.keys.get(document), corpus.keys.get(original));
                assert_eq!(chunk.sets.get(document), corpus.sets.get(original));
                let (info, number) = (chunk.info(document), u64::from(original.0) + 1);
                assert_eq!(info.characters, corpus.info(original).characters);
                assert_eq!((info.source, info.number), (3, number));
            }
        }
        assert_eq!(documents.len(), 0);
    }
}

#[test]
fn a_sketch_made_otherwise_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sketch");
    saved(&corpus(1), &path);
    let refused = |shingle, score| SketchFile::open(&path, 0, Some(&facts(shingle)), score).unwrap_err().to_string();
    let words = refused("char:9", None);
    assert!(words.contains("--shingle was word:5 and is char:9"), "{words}");
    let words = refused("word:5", Some("length"));
    assert!(words.contains("the score field was date and is length"), "{words}");
}

#[test]
fn any_changed_or_missing_byte_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sketch");
    saved(&corpus(1), &path);
    let whole = std::fs::read(&path).unwrap();
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 0x11;
        std::fs::write(&path, changed).unwrap();
        let error = read(&path).expect_err("a changed byte");
        assert!(matches!(error, Error::NotASketch { .. }), "{place}: {error}");
    }
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(read(&path), Err(Error::NotASketch { .. })), "{length} bytes");
    }
}

/// The layout is a promise: this is a sketch of version 1, which must be read as long as there is one.
#[test]
fn the_bytes_of_version_1_are_frozen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sketch");
    saved(&corpus(1), &path);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!((bytes.len(), xxh3_64(&bytes)), FROZEN);
}

const FROZEN: (usize, u64) = (732, 4_433_028_678_874_826_591);
