//! Figures of similarity in answers, by every measure.

use crate::setup::{TestServer, text};
use lookalike::index::{Settings, Storage};
use lookalike::{
    Features, Measure, Method,
    measures::{CommonElements, Containment, EmptyPolicy, Euclidean, Side, VectorCosine},
    methods::MinHash,
};
use serde_json::{Value, json};

/// Checks that two documents that are near are told with these figures: as an answer, as members of a family, and when
/// one of them is not inserted.
async fn check(settings: Settings, documents: [Value; 2], figures: Value) {
    let server = TestServer::with_settings(settings);
    for (id, content) in ["a", "b"].into_iter().zip(&documents) {
        let put = server.ask("PUT", &format!("/v1/documents/{id}"), Some(content.clone())).await;
        assert_eq!(put.status, 201, "{}", put.text());
    }
    let interface = server.ask("GET", "/openapi.json", None).await.json();
    let schemas = &interface["components"]["schemas"];
    let described_as = |schema: &str, row: &Value, known: &[&str]| {
        let figures = row.as_object().unwrap().iter().filter(|(name, _)| !known.contains(&name.as_str()));
        for (name, _) in row.as_object().unwrap() {
            assert!(schemas[schema]["properties"][name].is_object(), "{schema} has no {name}: {row}");
        }
        Value::Object(figures.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    let of_answers = ["id", "rank", "reason"];
    let found = server.ask("POST", "/v1/search", Some(json!({"id": "a"}))).await.json();
    assert_eq!(described_as("Answer", &found["answers"][0], &of_answers), figures, "{found}");
    let mut new = documents[0].clone();
    new["id"] = json!("new");
    server.ask("DELETE", "/v1/documents/a", None).await;
    let inserted = server.ask("POST", "/v1/insert", Some(new)).await.json();
    assert_eq!(described_as("Answer", &inserted["near"], &of_answers), figures, "{inserted}");
    assert_eq!(server.ask("PUT", "/v1/documents/a", Some(documents[0].clone())).await.status, 201);
    let family = server.ask("GET", "/v1/families/a", None).await.json();
    let mut main = figures;
    main.as_object_mut().unwrap().retain(|name, _| !name.starts_with("containment"));
    assert_eq!(described_as("Member", &family["members"][1], &["id", "near_to"]), main, "{family}");
    assert_eq!(described_as("Member", &family["members"][0], &[]), json!({"id": "a"}));
}

#[tokio::test]
async fn the_figure_of_every_measure_is_told() {
    let empty = EmptyPolicy::default();
    // 40 words have 36 shingles of five words, their first 20 have 16.
    let half = text(2).split(' ').take(20).collect::<Vec<_>>().join(" ");
    let texts = || [json!({"text": text(2)}), json!({"text": half})];
    let of_texts = |measure| Settings::new(Features::default(), measure, Method::Exact);
    let jaccard = Measure::jaccard("0.4".parse().unwrap());
    check(of_texts(jaccard), texts(), json!({"similarity": 16.0 / 36.0})).await;
    let contained = Side::Either;
    let containment = Measure::Containment(Containment { threshold: "0.9".parse().unwrap(), contained, empty });
    let shares = json!({
        "similarity": 1.0, "containment_of_query": 16.0 / 36.0, "containment_of_id": 1.0
    });
    check(of_texts(containment), texts(), shares).await;
    let overlap = Measure::Overlap(CommonElements { min_common: 10, empty });
    check(of_texts(overlap), texts(), json!({"common": 16})).await;
    let vectors = || [json!({"vector": [3, 4]}), json!({"vector": [3, 4.5]})];
    let of_vectors = |measure| Settings::new(Features::Vector, measure, Method::Exact);
    let euclidean = Measure::Euclidean(Euclidean { distance: "1".parse().unwrap() });
    check(of_vectors(euclidean), vectors(), json!({"euclidean_distance": 0.5})).await;
    let cosine = Measure::VectorCosine(VectorCosine { threshold: "0.9".parse().unwrap() });
    let same = [json!({"vector": [3, 4]}), json!({"vector": [6, 8]})];
    check(of_vectors(cosine), same, json!({"similarity": 1.0})).await;
}

#[tokio::test]
async fn an_estimate_is_told_as_one() {
    let measure = Measure::jaccard("0.5".parse().unwrap());
    let method = Method::MinHash(MinHash::default());
    let settings = Settings { storage: Storage::Signatures, ..Settings::new(Features::default(), measure, method) };
    let copy = || json!({"text": text(2)});
    let server = TestServer::with_settings(settings);
    assert_eq!(server.ask("PUT", "/v1/documents/a", Some(copy())).await.status, 201);
    let found = server.ask("POST", "/v1/search", Some(copy())).await.json();
    let answer = found["answers"][0].as_object().unwrap();
    let names: Vec<&str> = answer.keys().map(String::as_str).collect();
    assert_eq!(names, ["estimated_similarity", "id", "interval_high", "interval_low", "rank", "reason"], "{found}");
}
