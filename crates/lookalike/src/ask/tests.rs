use super::{
    AnswersFrom, Asker, DocumentMaker, IndexQuestion, NewDocument, PassageQuestion, RawContent, Search, search, survey,
};
use crate::base::{Error, Silent};
use crate::job::{Data, Job};
use crate::jobs::{Found, IndexChange, Keying, create_index};
use crate::pages::attributed_html;
use lookalike_core::comparison::{Features, Measure, Method, MinHash};
use lookalike_core::documents::Multiplicity;
use lookalike_core::sets::{Containment, Jaccard, ShingleOptions, Side};
use lookalike_core::similarity::{EmptyPolicy, Threshold, Weights};
use lookalike_core::terms::Cosine;
use lookalike_core::text::TextOptions;
use lookalike_core::vectors::VectorCosine;
use lookalike_core::{ContentKind, Resources};
use lookalike_index::{Change, Durability, Index, IndexWriter, Settings};
use lookalike_io::{
    rows::AnswerRow,
    sources::{GivenVectors, InMemory, ItemCounts, ItemSeparator, MemoryTexts},
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Texts of few words, so that many are near to each other, some without any word.
fn texts(count: usize) -> Vec<String> {
    let word = |number: usize| ["red", "green", "blue", "black", "white", "grey"][number % 6];
    let text = |number: usize| {
        let words = (0..number % 23).map(|at| word(number.wrapping_mul(2_654_435_761) >> (at % 11) & 7));
        format!("{} {}", words.collect::<Vec<_>>().join(" "), ["", "<b>mark</b>", "!"][number % 3])
    };
    (0..count).map(text).collect()
}

fn documents(texts: &[String]) -> Data {
    let ids: Vec<String> = (0..texts.len()).map(|number| format!("d{number}")).collect();
    let texts = MemoryTexts::with_ids(Arc::new(texts.to_vec()), Arc::new(ids)).unwrap();
    Data { inputs: Some(InMemory::Texts(texts)), references: None }
}

fn made(folder: &Path, job: Job, texts: &[String]) -> (Index, PathBuf) {
    let path = folder.join("index");
    let change = IndexChange { job, index: path.clone(), ..IndexChange::default() };
    create_index(&change, &documents(texts), &Resources::default(), &Silent).unwrap();
    (Index::open(&path).unwrap(), path)
}

fn job_of(measure: Measure, method: Method) -> Job {
    let shingle = ShingleOptions { size: "word:2".parse().unwrap(), ..ShingleOptions::default() };
    let text = TextOptions { strip_html: true, ..TextOptions::default() };
    let mut job = Job { features: Features::Set { text, shingle }, measure, method, ..Job::default() };
    if measure.weighted().is_some() {
        job.features = job.features.with_multiplicity(Multiplicity::Counted);
    }
    job.inputs.carried.texts = true;
    job
}

fn measures() -> Vec<(Measure, Method)> {
    let threshold = |text: &str| text.parse::<Threshold>().unwrap();
    let jaccard = Measure::Jaccard(Jaccard { threshold: threshold("0.3"), empty: EmptyPolicy::Keep });
    let containment = Containment { threshold: threshold("0.4"), contained: Side::Either, empty: EmptyPolicy::Keep };
    let cosine = Cosine { threshold: threshold("0.5"), weights: Weights::Tf, empty: EmptyPolicy::Keep };
    vec![
        (jaccard, Method::Exact),
        (jaccard, Method::MinHash(MinHash::default())),
        (Measure::Containment(containment), Method::Exact),
        (Measure::Cosine(cosine), Method::Exact),
    ]
}

fn by_job(index: &Index, queries: &[String], question: &IndexQuestion, measure: Measure) -> Vec<AnswerRow<'static>> {
    let job = Job { measure, ..Job::default() };
    let from = if question.threshold.is_some() { AnswersFrom::Threshold } else { AnswersFrom::Lowest };
    let explicit = super::ExplicitParameters { measure: true, ..super::ExplicitParameters::default() };
    let requested =
        Search { job, index: Some(index.clone()), limit: question.limit, from, explicit, ..Search::default() };
    let report = search(&requested, &documents(queries), &Resources::default(), &Silent).unwrap();
    match report.found {
        Found::Search { listed, .. } => listed.into_iter().map(|row| AnswerRow { rows: [None; 2], ..row }).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn answers_are_those_of_the_job() {
    let stored = texts(300);
    let queries = texts(340);
    for (measure, method) in measures() {
        let folder = tempfile::tempdir().unwrap();
        let (index, _) = made(folder.path(), job_of(measure, method), &stored);
        let mut asker = Asker::new(&index);
        let raised = Some("0.7".parse().unwrap());
        let mut questions = vec![
            IndexQuestion::default(),
            IndexQuestion { threshold: raised, ..IndexQuestion::default() },
            IndexQuestion { limit: NonZeroUsize::new(3), ..IndexQuestion::default() },
        ];
        if measure.contained().is_some() {
            questions.push(IndexQuestion { contained: Some(Side::InReference), ..IndexQuestion::default() });
            questions.push(IndexQuestion { contained: Some(Side::OfReference), threshold: raised, ..questions[2] });
        }
        for question in questions {
            let requested = asker.measure_of(&question).unwrap();
            let expected = by_job(&index, &queries, &question, requested);
            assert!(expected.len() > 100, "{measure:?} {question:?}");
            let mut found = Vec::new();
            for (number, text) in queries.iter().enumerate() {
                let content = RawContent::Text(text.clone());
                found.extend(asker.search(&format!("d{number}"), &content, &question).unwrap());
            }
            assert_eq!(found, expected, "{measure:?} {method:?} {question:?}");
        }
    }
}

#[test]
fn documents_are_those_that_the_job_stores() {
    let stored = texts(200);
    for (measure, method) in measures() {
        let folder = tempfile::tempdir().unwrap();
        let (index, _) = made(folder.path(), job_of(measure, method), &stored);
        let settings: Settings = index.settings().clone();
        let mut writer = IndexWriter::create(&folder.path().join("other"), settings, Durability::Process).unwrap();
        let mut asker = Asker::new(&index);
        let new = |(number, text): (usize, &String)| NewDocument {
            id: format!("d{number}"),
            content: RawContent::Text(text.clone()),
            fields: String::new(),
            expires: None,
        };
        let puts = stored.iter().enumerate().map(|given| Change::Put(asker.document(new(given)).unwrap()));
        writer.commit(puts.collect()).unwrap();
        let left = index.view();
        let right = writer.index().view();
        for (a, b) in left.places().zip(right.places()) {
            let mut sets = [lookalike_index::SetBuffer::default(), lookalike_index::SetBuffer::default()];
            left.read_set(a, &mut sets[0]).unwrap();
            right.read_set(b, &mut sets[1]).unwrap();
            assert_eq!((&sets[0].elements, &sets[0].counts), (&sets[1].elements, &sets[1].counts));
            assert_eq!((left.id(a), left.facts(a)), (right.id(b), right.facts(b)));
            assert_eq!(left.text(a).unwrap(), right.text(b).unwrap());
        }
        assert_eq!((left.len(), right.len()), (200, 200));
    }
}

#[test]
fn families_are_clusters_and_the_survey_counts_them() {
    let stored = texts(120);
    let folder = tempfile::tempdir().unwrap();
    let (measure, method) = measures()[0];
    let (index, path) = made(folder.path(), job_of(measure, method), &stored);
    let mut asker = Asker::new(&index);
    let raised = IndexQuestion { threshold: Some("0.8".parse().unwrap()), ..IndexQuestion::default() };
    let requested = asker.measure_of(&raised).unwrap();
    let found = survey(&path, index.settings(), requested, &Resources::default(), &Silent).unwrap();
    assert!(found.counts.clusters > 3 && found.pairs > 20);
    assert!(found.histogram.unwrap().contains("<svg"));
    for cluster in &found.largest {
        let mut expected: Vec<String> = cluster.first.iter().map(|row| row.id.to_string()).collect();
        let family = asker.family(&expected[0], &raised, 1000, &Silent).unwrap().unwrap();
        assert!(family.is_whole);
        let mut members: Vec<String> = family.members.into_iter().map(|member| member.id).collect();
        members.sort();
        expected.sort();
        // Texts without words are near to those that are the same; nobody asks for them by elements.
        assert!(members == expected || members.len() == 1, "{members:?} {expected:?}");
        let some = asker.family(&expected[0], &raised, 1, &Silent).unwrap().unwrap();
        assert_eq!((some.members.len(), some.is_whole), (1, members.len() == 1));
    }
    assert_eq!(asker.family("nobody", &raised, 10, &Silent).unwrap(), None);
}

#[test]
fn sources_stand_in_stored_texts() {
    let folder = tempfile::tempdir().unwrap();
    let words = |range: std::ops::Range<usize>| range.map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    let stored = vec![words(0..100), format!("<p>{}</p>\n{}", words(90..150), words(0..15)), words(500..600)];
    let threshold = "0.1".parse().unwrap();
    let containment = Containment { threshold, contained: Side::Either, empty: EmptyPolicy::Keep };
    let (index, _) = made(folder.path(), job_of(Measure::Containment(containment), Method::Exact), &stored);
    let mut asker = Asker::new(&index);
    let requested = format!("my own & <i>words</i> {} and {}", words(20..60), words(100..120));
    let found = asker.sources(&requested, &PassageQuestion::default(), &Silent).unwrap();
    let listed: Vec<_> = found.sources.iter().map(|source| (&*source.document.id, source.passages.len())).collect();
    assert_eq!((listed, found.covered_tokens), (vec![("d0", 1), ("d1", 1)], 60));
    let passage = &found.sources[1].passages[0];
    assert_eq!(&found.text[passage.start as usize..passage.end as usize], words(100..120));
    let there = &found.sources[1].text[passage.source_start as usize..passage.source_end as usize];
    assert_eq!(there, words(100..120));
    let page = attributed_html("a < b", &found).unwrap();
    assert!(page.contains("a &#60; b") && page.contains("<mark class=\"p0\">") && !page.contains("style="), "{page}");
    let none = asker.sources("nothing of it", &PassageQuestion::default(), &Silent).unwrap();
    assert_eq!((none.sources.len(), none.tokens), (0, 3));
    assert!(attributed_html("text", &asker.sources("", &PassageQuestion::default(), &Silent).unwrap()).is_ok());
}

#[test]
fn an_index_with_a_secret_answers_the_same_and_tells_nobody() {
    let stored = texts(100);
    let folder = tempfile::tempdir().unwrap();
    let (measure, method) = measures()[0];
    let (public, _) = made(folder.path(), job_of(measure, method), &stored);
    let mut found = Vec::new();
    let mut sets = vec![lookalike_index::SetBuffer::default()];
    public.view().read_set(public.view().find("d22").unwrap(), &mut sets[0]).unwrap();
    for name in ["one.idx", "two.idx"] {
        let path = folder.path().join(name);
        let job = job_of(measure, method);
        let change = IndexChange { job, index: path.clone(), keying: Keying::Secret, ..IndexChange::default() };
        let report = create_index(&change, &documents(&stored), &Resources::default(), &Silent).unwrap();
        assert!(!report.summary.to_string().contains("hash_secret"));
        let index = Index::open(&path).unwrap();
        let info = serde_json::to_string(&index.info()).unwrap();
        assert!(info.contains(r#""keyed":true"#) && !info.contains("hash_secret"), "{info}");
        let mut set = lookalike_index::SetBuffer::default();
        index.view().read_set(index.view().find("d22").unwrap(), &mut set).unwrap();
        sets.push(set);
        let mut asker = Asker::new(&index);
        let ask = |text: &String| asker.search("", &RawContent::Text(text.clone()), &IndexQuestion::default()).unwrap();
        found.push(stored.iter().flat_map(ask).collect::<Vec<_>>());
        let question = IndexQuestion::default();
        assert_eq!(by_job(&index, &stored, &question, measure).len(), found[0].len());
    }
    let mut asker = Asker::new(&public);
    let ask = |text: &String| asker.search("", &RawContent::Text(text.clone()), &IndexQuestion::default()).unwrap();
    found.push(stored.iter().flat_map(ask).collect());
    assert!(found[0].len() > 100 && found[0] == found[1] && found[1] == found[2]);
    let all: std::collections::HashSet<u64> = sets.iter().flat_map(|set| set.elements.iter().copied()).collect();
    assert_eq!(all.len(), sets.iter().map(|set| set.elements.len()).sum::<usize>(), "secrets share an element");
}

#[test]
fn items_and_texts_are_not_mistaken_for_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (index, _) = made(folder.path(), job_of(measures()[0].0, Method::Exact), &texts(10));
    let mut asker = Asker::new(&index);
    let items = RawContent::Items(vec!["red".to_owned()]);
    let refused = asker.search("q", &items, &IndexQuestion::default()).unwrap_err();
    assert!(matches!(refused, Error::OtherContent { expected: ContentKind::Text, .. }), "{refused}");
    let below = IndexQuestion { threshold: Some("0.1".parse().unwrap()), ..IndexQuestion::default() };
    assert!(asker.search("q", &RawContent::Text("red".to_owned()), &below).is_err());
}

#[test]
fn items_have_counts_where_the_index_was_made_of_such() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = Job::default();
    job.inputs.items = Some(ItemSeparator::Blanks);
    job.inputs.item_counts = ItemCounts::Written;
    let (index, _) = made(folder.path(), job, &["x:3 y:1".to_owned(), "z:2".to_owned()]);
    let items = |items: &[&str]| RawContent::Items(items.iter().map(|&item| item.to_owned()).collect());
    let mut asker = Asker::new(&index);
    let mut found = |list: &[&str]| asker.search("q", &items(list), &IndexQuestion::default()).map(|rows| rows.len());
    assert_eq!((found(&["y:1", "x:3"]).unwrap(), found(&["x:1", "y:3"]).unwrap()), (1, 0));
    assert!(matches!(found(&["x"]), Err(Error::WrongItem { .. })));
    assert!(matches!(found(&["x\0:1"]), Err(Error::ItemEnd)));
    let many: Vec<String> = (0..5).map(|item| format!("{item}:65535")).collect();
    assert!(matches!(found(&many.iter().map(String::as_str).collect::<Vec<_>>()), Err(Error::WrongItem { .. })));
}

#[test]
fn vectors_are_asked_about_by_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = |row: usize| [row as f64 % 7.0 - 3.0, row as f64 % 5.0, 1.0 + (row % 3) as f64];
    let arrays: Vec<String> = (0..60).map(|row| format!("{:?}", numbers(row))).collect();
    let measure = Measure::VectorCosine(VectorCosine { threshold: "0.95".parse().unwrap() });
    let mut job = Job { measure, method: Method::Exact, ..Job::default() };
    job.inputs.vectors = GivenVectors::Any;
    let (index, _) = made(folder.path(), job, &arrays);
    let mut asker = Asker::new(&index);
    let cosine = |a: [f64; 3], b: [f64; 3]| {
        let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    let every = IndexQuestion { limit: None, ..IndexQuestion::default() };
    for row in 0..10 {
        let found = asker.search("q", &RawContent::Vector(numbers(row).into()), &every).unwrap();
        let near = (0..60).filter(|&other| cosine(numbers(row), numbers(other)) >= 0.95).count();
        assert_eq!(found.len(), near, "{row}");
    }
    let mut maker = DocumentMaker::new(index.settings());
    let new = |components: Vec<f64>| {
        let content = RawContent::Vector(components);
        NewDocument { id: "x".to_owned(), content, fields: String::new(), expires: None }
    };
    assert_eq!(maker.document(new(vec![1.0, 2.0, 3.0])).unwrap().elements.len(), 4);
    for wrong in [vec![0.0; 3], vec![f64::NAN], vec![], vec![1e300]] {
        assert!(matches!(maker.document(new(wrong)), Err(Error::WrongVector { .. })));
    }
    let refused = asker.search("q", &RawContent::Text("red".to_owned()), &every).unwrap_err();
    assert!(matches!(refused, Error::OtherContent { expected: ContentKind::Vector, .. }), "{refused}");
    assert!(asker.search("q", &RawContent::Vector(vec![1.0, 2.0]), &every).is_err());
}
