//! The routes.

use super::setup::{READ, TestResponse, TestServer, WRITE, text};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use axum::body::Body;
use axum::http::Request;
use lookalike::index::Settings;
use lookalike::{Features, Measure, Method, measures::VectorCosine};
use lookalike_server::LoopbackAccess;
use serde_json::{Value, json};
use std::sync::Arc;

#[tokio::test]
async fn documents_come_and_go() {
    let server = TestServer::new(3);
    let put = json!({"text": "one two three four five six seven", "fields": {"url": "http://a"}, "ttl": 1000});
    let response = server.ask("PUT", "/v1/documents/a%2Fb%20c", Some(put.clone())).await;
    assert_eq!((response.status.as_u16(), response.json()), (201, json!({"replaced": false})));
    let response = server.ask("PUT", "/v1/documents/a%2Fb%20c", Some(put)).await;
    assert_eq!((response.status.as_u16(), response.json()), (200, json!({"replaced": true})));
    let response = server.ask("GET", "/v1/documents/a%2Fb%20c", None).await.json();
    assert_eq!(response["text"], "one two three four five six seven");
    assert_eq!(
        (&response["id"], &response["elements"], &response["fields"]),
        (&json!("a/b c"), &json!(3), &json!({"url": "http://a"}))
    );
    assert!(response["expires"].as_u64().unwrap() > 1_700_000_000);
    assert_eq!(server.ask("GET", "/v1/stats", None).await.json()["documents"], 4);
    assert_eq!(server.ask("DELETE", "/v1/documents/a%2Fb%20c", None).await.status, 204);
    for method in ["GET", "DELETE"] {
        assert_eq!(server.ask(method, "/v1/documents/a%2Fb%20c", None).await.status, 404);
    }
}

#[tokio::test]
async fn what_is_near_is_found_by_text_and_by_id() {
    let server = TestServer::new(5);
    let response = server.ask("POST", "/v1/search", Some(json!({"text": text(2), "limit": 2}))).await.json();
    let found = |response: &Value| -> Vec<(String, f64)> {
        let answers = response["answers"].as_array().unwrap().iter();
        answers.map(|it| (it["id"].as_str().unwrap().to_owned(), it["similarity"].as_f64().unwrap())).collect()
    };
    // Neighbours have ten of forty words in common: 6 of 66 shingles are below the threshold.
    assert_eq!(found(&response), [("d2".to_owned(), 1.0)]);
    assert_eq!(response["answers"][0]["reason"], "identical");
    let response = server.ask("POST", "/v1/search", Some(json!({"id": "d2"}))).await.json();
    assert_eq!(found(&response), []);
    let half = text(2).split(' ').take(20).collect::<Vec<_>>().join(" ");
    let put = server.ask("PUT", "/v1/documents/half", Some(json!({"text": half}))).await;
    assert_eq!(put.status, 201);
    let response = server.ask("POST", "/v1/search", Some(json!({"id": "d2", "threshold": 0.4}))).await.json();
    assert_eq!(found(&response), [("half".to_owned(), 16.0 / 36.0)]);
    let family = server.ask("GET", "/v1/families/half?limit=10", None).await.json();
    assert_eq!((family["members"].as_array().unwrap().len(), &family["is_whole"]), (3, &json!(true)));
}

#[tokio::test]
async fn vectors_are_put_and_asked_about() {
    let measure = Measure::VectorCosine(VectorCosine { threshold: "0.9".parse().unwrap() });
    let server = TestServer::with_settings(Settings::new(Features::Vector, measure, Method::Exact));
    for (id, vector) in [("east", [1.0, 0.0]), ("north", [0.0, 1.0]), ("nearly", [1.0, 0.1])] {
        let response = server.ask("PUT", &format!("/v1/documents/{id}"), Some(json!({"vector": vector}))).await;
        assert_eq!(response.status, 201, "{}", response.text());
    }
    let lines = "{\"id\":\"far\",\"vector\":[-1,0]}\n{\"id\":\"long\",\"vector\":[9,0]}\n";
    assert_eq!(server.post("/v1/documents", "application/x-ndjson", lines.to_owned()).await.status, 200);
    let response = server.ask("POST", "/v1/search", Some(json!({"vector": [2, 0]}))).await.json();
    let ids: Vec<&str> = response["answers"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["east", "long", "nearly"]);
    let response = server.ask("POST", "/v1/search", Some(json!({"id": "east"}))).await.json();
    assert_eq!(response["answers"].as_array().unwrap().len(), 2);
    let inserted = server.ask("POST", "/v1/insert", Some(json!({"id": "again", "vector": [3, 0.1]}))).await.json();
    assert_eq!((&inserted["added"], &inserted["near"]["id"]), (&json!(false), &json!("east")), "{inserted}");
    for (body, expected) in [
        (json!({"vector": [1, 2, 3]}), "has 3 dimensions; those of the index have 2"),
        (json!({"vector": [0, 0]}), "has no direction"),
        (json!({"vector": []}), "without numbers"),
        (json!({"text": "east"}), "the index is one of vectors, and a text was given"),
        (json!({"vector": [1, 2], "text": "east"}), "expected one of `text`, `items` and `vector`"),
    ] {
        let response = server.ask("POST", "/v1/search", Some(body)).await;
        assert!(response.status == 400 && response.text().contains(expected), "{}", response.text());
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_change_is_told_to_no_other_one() {
    let measure = Measure::VectorCosine(VectorCosine { threshold: "0.9".parse().unwrap() });
    let server = Arc::new(TestServer::with_settings(Settings::new(Features::Vector, measure, Method::Exact)));
    assert_eq!(server.ask("PUT", "/v1/documents/first", Some(json!({"vector": [1, 0]}))).await.status, 201);
    // They come at once, and are committed in groups.
    let put = |number: usize| {
        let server = Arc::clone(&server);
        let vector = if number.is_multiple_of(3) { json!([1, 2, 3]) } else { json!([number, 1]) };
        tokio::spawn(async move {
            match number % 2 {
                0 => server.ask("PUT", &format!("/v1/documents/d{number}"), Some(json!({"vector": vector}))).await,
                _ => {
                    server.ask("POST", "/v1/insert", Some(json!({"id": format!("d{number}"), "vector": vector}))).await
                }
            }
        })
    };
    // As many as may wait of one client.
    let all: Vec<_> = (0..60).map(put).collect();
    for (number, one) in all.into_iter().enumerate() {
        let response = one.await.unwrap();
        if number.is_multiple_of(3) {
            let detail = response.json()["detail"].as_str().unwrap().to_owned();
            assert!(response.status == 400 && detail.contains(&format!("`d{number}`")), "{detail}");
        } else {
            assert!([200, 201].contains(&response.status.as_u16()), "{number}: {}", response.text());
        }
    }
}

#[tokio::test]
async fn what_an_insertion_replaced_is_told_by_the_writer() {
    let server = Arc::new(TestServer::new(0));
    let insert = |number: usize| {
        let server = Arc::clone(&server);
        let body = json!({"id": "one", "text": text(number)});
        tokio::spawn(async move { server.ask("POST", "/v1/insert", Some(body)).await.json() })
    };
    let all: Vec<_> = (0..30).map(|number| insert(3 * number)).collect();
    let mut replaced = 0;
    for one in all {
        let response = one.await.unwrap();
        assert_eq!(response["added"], true);
        replaced += usize::from(response["replaced"] == true);
    }
    assert_eq!(replaced, 29, "all but the first");
}

#[tokio::test]
async fn names_of_folders_are_no_ids() {
    let server = TestServer::new(1);
    for id in [".", ".."] {
        let response = server.ask("POST", "/v1/insert", Some(json!({"id": id, "text": text(9)}))).await;
        assert!(response.status == 400 && response.text().contains("neither . nor .."), "{}", response.text());
    }
}

#[tokio::test]
async fn lists_and_fields_have_limits() {
    let server = TestServer::new(1);
    let fields = |url: &str| format!(r#"{{"text":"{}","fields":{{"url":{url}}}}}"#, text(9));
    let put = |body: String| server.post_as("PUT", "/v1/documents/x", "application/json", body);
    let response = put(fields(r#"{"$serde_json::private::RawValue":"[1, 2"}"#)).await;
    assert_eq!(response.status, 201, "{}", response.text());
    let stored = server.ask("GET", "/v1/documents/x", None).await.text();
    assert!(stored.contains(r#""fields":{"url":{"$serde_json::private::RawValue":"[1, 2"}}"#), "{stored}");
    for (body, expected) in [
        (fields(r#"{"a":1,"a":2}"#), "the field `a` stands twice"),
        (fields(&format!("[{}0]", "0,".repeat(70_000))), "has another type or value"),
        (format!(r#"{{"vector":[{}0]}}"#, "0,".repeat(70_000)), "has another type or value"),
        (format!(r#"{{"items":[{}""]}}"#, "\"\",".repeat(1 << 20)), "has another type or value"),
    ] {
        let response = put(body).await;
        assert!(response.status == 400 && response.text().contains(expected), "{}", response.text());
    }
}

#[tokio::test]
async fn a_server_that_cannot_change_its_index_is_not_ready() {
    let server = TestServer::new(1);
    assert_eq!(server.ask("GET", "/readyz", None).await.status, 200);
    std::fs::remove_file(server.index().join("lock")).unwrap();
    // A look at the disk counts for a second.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let response = server.ask("GET", "/readyz", None).await;
    assert!(response.status == 503 && is_problem(&response), "{}", response.text());
    assert_eq!(server.ask("GET", "/v1/documents/d0", None).await.status, 200);
}

#[tokio::test]
async fn batches_of_lines_are_all_or_nothing() {
    let server = TestServer::new(2);
    let lines = format!("{}\n\n{}\n", json!({"id": "x", "text": text(10)}), json!({"id": "d0", "text": text(11)}));
    let response = server.post("/v1/documents", "application/x-ndjson", lines).await;
    assert_eq!((response.status.as_u16(), response.json()), (200, json!({"documents": 2, "replaced": 1})));
    for (bad, place) in [
        (r#"{"id": "y"}"#, "line 3: expected one of"),
        (r#"{"id": "y", "text": ""}"#, "line 3: the document has no tokens"),
        ("{", "line 3: it is no JSON"),
        (r#"{"id": "y", "text": "secret", "more": 1}"#, "line 3: unknown field `more`"),
    ] {
        let lines = format!("{}\n\n{bad}\n", json!({"id": "new", "text": text(12)}));
        let response = server.post("/v1/documents", "application/x-ndjson", lines).await;
        assert!(
            (400..500).contains(&response.status.as_u16()) && response.text().contains(place),
            "{}",
            response.text()
        );
        assert!(!response.text().contains("secret"));
        assert_eq!(server.ask("GET", "/v1/documents/new", None).await.status, 404);
    }
    let lines = format!("{}\n{}\n{}", json!({"text": text(10)}), json!({"text": "!"}), json!({"id": "d1"}));
    let response = server.post("/v1/search", "application/x-ndjson", lines).await;
    let response: Vec<Value> = response.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(response.len(), 3);
    assert_eq!(response[0]["answers"][0]["id"], "x");
    assert_eq!((&response[1]["answers"], &response[2]["answers"]), (&json!([]), &json!([])));
    let lines = format!("{}\n{}", json!({"text": text(10)}), json!({"id": "nobody"}));
    let response = server.post("/v1/search", "application/x-ndjson", lines).await;
    assert!(response.status == 404 && response.text().contains("line 2: no document"), "{}", response.text());
}

fn stream(columns: Vec<(&str, Vec<&str>)>) -> Vec<u8> {
    let columns = columns.into_iter().map(|(name, values)| (name, Arc::new(StringArray::from(values)) as ArrayRef));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

const ARROW: &str = "application/vnd.apache.arrow.stream";

#[tokio::test]
async fn tables_of_arrow_are_put_and_searched() {
    let server = TestServer::new(2);
    let one = text(20);
    let two = text(21);
    let urls = vec!["http://one", "http://two"];
    let table = stream(vec![("id", vec!["one", "two"]), ("text", vec![&one, &two]), ("url", urls)]);
    let response = server.post("/v1/documents", ARROW, table).await;
    assert_eq!(
        (response.status.as_u16(), response.json()),
        (200, json!({"documents": 2, "replaced": 0})),
        "{}",
        response.text()
    );
    let response = server.post("/v1/search", ARROW, stream(vec![("text", vec!["nothing", &two])])).await;
    let batches: Vec<RecordBatch> =
        StreamReader::try_new(&response.bytes[..], None).unwrap().map(Result::unwrap).collect();
    let ids = batches[0].column_by_name("id").unwrap().as_string::<i64>().clone();
    assert_eq!((ids.len(), ids.value(0)), (1, "two"));
    assert!(batches[0].column_by_name("fields").unwrap().as_string::<i64>().value(0).contains("http://two"));
    let tables = [
        (stream(vec![("text", vec![&one])]), "row 0 has no string in the column `id`"),
        (stream(vec![("id", vec!["a", "a"]), ("text", vec![&one, &two])]), "row 1 has the id of an earlier one"),
        (stream(vec![("id", vec![""]), ("text", vec![&one])]), "row 0: an id has"),
        (stream(vec![("id", vec!["a"]), ("body", vec![&one])]), "row 0 has no string in the column `text`"),
    ];
    for (table, sentence) in tables {
        let response = server.post("/v1/documents", ARROW, table).await;
        assert!(response.status == 400 && response.text().contains(sentence), "{}", response.text());
    }
    for broken in [b"no stream".to_vec(), Vec::new(), stream(vec![("body", vec!["a b c d e f"])])] {
        let response = server.post("/v1/search", ARROW, broken.clone()).await;
        assert!(response.status == 400 || broken.is_empty(), "{}", response.text());
        let response = server.post("/v1/documents", ARROW, broken).await;
        assert!(response.status == 400, "{} {}", response.status, response.text());
    }
}

#[tokio::test]
async fn of_equal_texts_that_come_at_once_one_is_added() {
    let server = Arc::new(TestServer::new(2));
    let insert = |number: usize| {
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            let body = json!({"id": format!("new{number}"), "text": text(50), "threshold": 0.9});
            server.ask("POST", "/v1/insert", Some(body)).await
        })
    };
    let all: Vec<_> = (0..40).map(insert).collect();
    let mut added = 0;
    for one in all {
        let response = one.await.unwrap();
        added += usize::from(response.status == 201);
        let near = response.json();
        assert_eq!(near["added"], response.status == 201);
        assert!(response.status == 201 || near["near"]["similarity"] == 1.0, "{near}");
    }
    assert_eq!(added, 1);
    assert_eq!(server.ask("GET", "/v1/stats", None).await.json()["documents"], 3);
}

#[tokio::test]
async fn sources_and_comparisons_have_passages() {
    let server = TestServer::new(3);
    let mixed = format!("my own words {} end", text(1));
    let response = server.ask("POST", "/v1/sources", Some(json!({"text": mixed}))).await.json();
    let source = &response["sources"][0];
    assert_eq!((&source["document"]["id"], &source["passages"][0]["tokens"]), (&json!("d1"), &json!(40)));
    assert_eq!((&response["tokens"], &response["covered_tokens"]), (&json!(44), &json!(40)));
    let part = server.ask("POST", "/page/sources", Some(json!({"text": mixed, "name": "<b>"}))).await;
    assert!(part.text().contains("<mark class=\"p0\">") && part.text().contains("&#60;b&#62;"), "{}", part.text());
    let response =
        server.ask("POST", "/v1/compare", Some(json!({"left": {"text": mixed}, "right": {"id": "d1"}}))).await.json();
    assert_eq!((&response["similarity"], &response["reason"]), (&json!(0.9), &json!("near")));
    assert_eq!(response["passages"][0]["right_start"], 0);
    let response = server.ask("POST", "/v1/compare", Some(json!({"left": {}, "right": {"id": "d1"}}))).await;
    assert_eq!(response.status, 400);
}

#[tokio::test]
async fn tokens_say_who_may_what() {
    let server = TestServer::with(2, |config| config.listen = "0.0.0.0:0".parse().unwrap());
    let send = async |method: &str, token: Option<&str>| {
        let mut request = Request::builder().method(method).uri("/v1/documents/d0").header("host", "any.example");
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        server.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
    };
    let read = format!("Bearer {READ}");
    let write = format!("bearer {WRITE}");
    assert_eq!((send("GET", None).await, send("DELETE", None).await), (401, 401));
    for wrong in ["Bearer", "Bearer wrong-wrong-wrong", "Basic read", READ] {
        assert_eq!(send("GET", Some(wrong)).await, 401, "{wrong}");
    }
    assert_eq!((send("GET", Some(&read)).await, send("DELETE", Some(&read)).await), (200, 403));
    assert_eq!((send("GET", Some(&write)).await, send("DELETE", Some(&write)).await), (200, 204));
    let open = TestServer::with(2, |config| config.tokens = Default::default());
    let get = Request::get("/v1/documents/d0").header("host", "localhost:1").body(Body::empty()).unwrap();
    assert_eq!(open.send(get).await.status, 200, "on loopback everybody reads");
    let put = Request::delete("/v1/documents/d0").header("host", "localhost:1").body(Body::empty()).unwrap();
    assert_eq!(open.send(put).await.status, 403, "and nobody writes without a token");
}

fn is_problem(response: &TestResponse) -> bool {
    let json = response.json();
    let sentence = json["detail"].as_str().unwrap_or_default();
    response.headers["content-type"] == "application/problem+json"
        && json["status"] == response.status.as_u16()
        && (10..200).contains(&sentence.len())
        && !sentence.contains("secret")
}

#[tokio::test]
async fn what_does_not_fit_is_refused_in_a_sentence() {
    let server = TestServer::new(2);
    let long = "x".repeat(1 << 20);
    let cases: Vec<(&str, &str, String, u16)> = vec![
        ("/v1/search", "application/json", "{".to_owned(), 400),
        ("/v1/search", "application/json", "[]".to_owned(), 400),
        ("/v1/search", "application/json", "{}".to_owned(), 400),
        ("/v1/search", "application/json", json!({"text": 7}).to_string(), 400),
        ("/v1/search", "application/json", json!({"text": "secret", "limits": 7}).to_string(), 400),
        ("/v1/search", "application/json", json!({"text": "secret", "limit": 0}).to_string(), 400),
        ("/v1/search", "application/json", json!({"text": "secret", "limit": 1001}).to_string(), 400),
        ("/v1/search", "application/json", json!({"text": "secret", "threshold": 0.05}).to_string(), 400),
        ("/v1/search", "application/json", json!({"text": "secret", "threshold": 2}).to_string(), 400),
        ("/v1/search", "application/json", json!({"text": "secret", "contained": "either"}).to_string(), 400),
        ("/v1/search", "application/json", json!({"items": ["secret"]}).to_string(), 400),
        ("/v1/search", "application/json", json!({"vector": [0.5, 1]}).to_string(), 400),
        ("/v1/search", "application/json", json!({"text": "secret", "id": "d0"}).to_string(), 400),
        ("/v1/search", "application/json", json!({"id": long}).to_string(), 400),
        ("/v1/search", "application/json", json!({"id": "nobody"}).to_string(), 404),
        ("/v1/search", "application/json", json!({"text": ""}).to_string(), 422),
        ("/v1/search", "text/plain", "secret".to_owned(), 415),
        ("/v1/search", "application/json; charset=latin1", "{}".to_owned(), 415),
        ("/v1/insert", "application/json", json!({"id": long, "text": "secret"}).to_string(), 400),
        ("/v1/insert", "application/json", json!({"id": "", "text": "secret"}).to_string(), 400),
        ("/v1/insert", "application/json", json!({"id": "a", "text": "..."}).to_string(), 422),
        ("/v1/insert", "application/json", json!({"id": "a", "text": "b", "ttl": 0}).to_string(), 400),
        ("/v1/insert", "application/json", json!({"id": "a", "text": "b", "fields": {"secret": 1}}).to_string(), 400),
        ("/v1/documents", "application/json", json!({"id": "a", "text": "b"}).to_string(), 415),
        ("/v1/sources", "application/json", json!({"text": "a", "min_match": 0}).to_string(), 400),
        ("/v1/sources", "application/json", json!({"text": "a", "name": long}).to_string(), 400),
        ("/v1/nothing", "application/json", "{}".to_owned(), 404),
        ("/healthz", "application/json", "{}".to_owned(), 405),
    ];
    for (path, kind, body, status) in cases {
        let shown: String = body.chars().take(80).collect();
        let response = server.post(path, kind, body).await;
        assert!(
            response.status == status && is_problem(&response),
            "{path} {shown}: {} {}",
            response.status,
            response.text()
        );
    }
    let response = server.ask("PUT", &format!("/v1/documents/{}", "x".repeat(2000)), Some(json!({"text": "a"}))).await;
    assert!(response.status == 400 && is_problem(&response));
    let response = server.ask("GET", &format!("/v1/documents/{}", "x".repeat(60_000)), None).await;
    assert!(response.status == 414 && is_problem(&response));
    let response = server.ask("GET", "/v1/families/d0?limit=many", None).await;
    assert!(response.status == 400 && is_problem(&response));
    let response = server.ask("GET", "/v1/documents/%FF%FE", None).await;
    assert!(response.status == 400 && is_problem(&response), "{} {}", response.status, response.text());
}

#[tokio::test]
async fn pages_of_a_named_origin_may_ask() {
    let server = TestServer::with(2, |config| config.origins = vec!["https://wiki.example".to_owned()]);
    let request = |method: &str, origin: &str| {
        let request = Request::builder().method(method).uri("/v1/search").header("host", "localhost");
        request.header("origin", origin).header("access-control-request-method", "POST").body(Body::empty()).unwrap()
    };
    let response = server.send(request("OPTIONS", "https://wiki.example")).await;
    assert_eq!(response.status, 204);
    assert_eq!(response.headers["access-control-allow-origin"], "https://wiki.example");
    assert!(response.headers["access-control-allow-headers"].to_str().unwrap().contains("Authorization"));
    let response = server.send(request("OPTIONS", "https://evil.example")).await;
    assert!(response.status == 403 && !response.headers.contains_key("access-control-allow-origin"));
    assert_eq!(server.send(request("OPTIONS", "http://localhost")).await.status, 405);
}

#[tokio::test]
async fn behind_a_proxy_a_token_is_asked_for_on_loopback_too() {
    let server = TestServer::with(2, |config| config.reading = LoopbackAccess::WithToken);
    let get = Request::get("/v1/stats").header("host", "localhost").body(Body::empty()).unwrap();
    assert_eq!(server.send(get).await.status, 401);
    assert_eq!(server.ask("GET", "/v1/stats", None).await.status, 200);
}

#[tokio::test]
async fn bodies_have_a_limit() {
    let server = TestServer::with(2, |config| config.limits.body_bytes = 1000);
    let response = server.post("/v1/search", "application/json", json!({"text": "a ".repeat(600)}).to_string()).await;
    assert!(response.status == 413 && is_problem(&response), "{}", response.text());
    let response = server.post("/v1/search", "application/json", json!({"text": "a ".repeat(400)}).to_string()).await;
    assert_eq!(response.status, 200);
}

#[tokio::test]
async fn pages_of_other_sites_may_not_ask() {
    let server = TestServer::new(2);
    for (host, origin, status) in [
        ("localhost:8080", "http://localhost:8080", 200),
        ("localhost:8080", "http://evil.example", 403),
        ("localhost:8080", "null", 403),
        ("evil.example", "http://evil.example", 421),
    ] {
        let request = Request::get("/v1/stats").header("host", host).header("origin", origin);
        let response = server.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status, status, "{host} {origin}");
        assert!(status == 200 || is_problem(&response));
    }
    let response = server.ask("GET", "/", None).await;
    let policy = response.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(!response.text().contains("<script>") && !response.text().contains("http://"), "{}", response.text());
}

#[tokio::test]
async fn the_document_tells_all_routes_and_numbers_are_counted() {
    let server = TestServer::new(2);
    let response = server.ask("GET", "/openapi.json", None).await.json();
    assert_eq!(response["openapi"].as_str().unwrap(), "3.1.0");
    let paths: Vec<&String> = response["paths"].as_object().unwrap().keys().collect();
    assert_eq!(paths.len(), 13, "{paths:?}");
    for (path, methods) in response["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let answers = operation["responses"].as_object().unwrap();
            assert!(answers.contains_key("429") && operation["operationId"].is_string(), "{method} {path}");
        }
    }
    let id = "my-request-7";
    let request = Request::get("/healthz").header("host", "localhost").header("x-request-id", id);
    let response = server.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.headers["x-request-id"], id);
    let request = Request::get("/healthz").header("host", "localhost").header("x-request-id", "two words");
    let response = server.send(request.body(Body::empty()).unwrap()).await;
    assert!(response.headers["x-request-id"].len() > 16);
    let numbers = server.ask("GET", "/metrics", None).await.text();
    assert!(numbers.contains(r#"lookalike_requests_total{route="/healthz",status="200"} 2"#), "{numbers}");
    assert!(numbers.contains("lookalike_documents 2"));
}

#[tokio::test]
async fn the_whole_index_is_looked_at_once_it_is_asked_for() {
    let server = TestServer::new(4);
    for copy in 0..3 {
        let put = server.ask("PUT", &format!("/v1/documents/copy{copy}"), Some(json!({"text": text(1)}))).await;
        assert_eq!(put.status, 201);
    }
    let mut response = server.ask("GET", "/v1/survey", None).await;
    for _ in 0..200 {
        if response.status != 202 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        response = server.ask("GET", "/v1/survey", None).await;
    }
    let response = response.json();
    assert_eq!((&response["pairs"], &response["clusters"]), (&json!(6), &json!(1)), "{response}");
    assert_eq!(response["largest"][0]["documents"], 4);
    assert!(response["histogram"].as_str().unwrap().starts_with("<svg"));
}
