//! Indexes and requests for the tests.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use lookalike::ask::{Asker, NewDocument, RawContent};
use lookalike::index::{Durability, IndexWriter, Settings};
use lookalike::{Features, Measure, Method};
use lookalike_server::{AccessRights, App, Config, app};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tower::ServiceExt;

pub(crate) const READ: &str = "read-read-read-read";
pub(crate) const WRITE: &str = "write-write-write-write";

/// A text of words that no other has, and of some that depend on `number`.
pub(crate) fn text(number: usize) -> String {
    (0..40).map(|at| format!("word{}", number * 30 + at)).collect::<Vec<_>>().join(" ")
}

pub(crate) fn settings() -> Settings {
    let measure = Measure::jaccard("0.1".parse().unwrap());
    let settings = Settings::new(Features::default(), measure, Method::Exact);
    Settings { texts: true, fields: vec!["url".to_owned()], ..settings }
}

/// An index of `documents` texts, called d0, d1, ...
pub(crate) fn index(folder: &Path, documents: usize) -> PathBuf {
    let path = folder.join("test.idx");
    let mut writer = IndexWriter::create(&path, settings(), Durability::Process).unwrap();
    let mut asker = Asker::new(&writer.index());
    let new = |number| NewDocument {
        id: format!("d{number}"),
        content: RawContent::Text(text(number)),
        fields: String::new(),
        expires: None,
    };
    let changes = (0..documents).map(|number| lookalike::index::Change::Put(asker.document(new(number)).unwrap()));
    writer.commit(changes.collect()).unwrap();
    path
}

pub(crate) fn config(folder: &Path, documents: usize) -> Config {
    let mut config = Config::new(index(folder, documents), "127.0.0.1:0".parse().unwrap());
    config.durability = Durability::Process;
    assert!(config.tokens.add(AccessRights::Read, READ) && config.tokens.add(AccessRights::Write, WRITE));
    config
}

/// A server without a socket.
pub(crate) struct TestServer {
    pub(crate) router: Router,
    folder: TempDir,
}

/// An answer.
pub(crate) struct TestResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl TestResponse {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl TestServer {
    pub(crate) fn new(documents: usize) -> Self {
        Self::with(documents, |_| {})
    }

    pub(crate) fn with(documents: usize, change: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = config(folder.path(), documents);
        change(&mut config);
        let router = app(&Arc::new(App::start(&config).unwrap()));
        Self { router, folder }
    }

    /// Server over an empty index with these settings.
    pub(crate) fn with_settings(settings: Settings) -> Self {
        Self::with(0, |config| {
            std::fs::remove_dir_all(&config.index).unwrap();
            IndexWriter::create(&config.index, settings, Durability::Process).unwrap();
        })
    }

    /// The folder of the index.
    pub(crate) fn index(&self) -> PathBuf {
        self.folder.path().join("test.idx")
    }

    /// Sends a request as it is.
    pub(crate) async fn send(&self, request: Request<Body>) -> TestResponse {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        TestResponse { status: parts.status, headers: parts.headers, bytes }
    }

    /// Sends JSON with the token to write.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> TestResponse {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {WRITE}"));
        let request = match body {
            None => request.body(Body::empty()),
            Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
        };
        self.send(request.unwrap()).await
    }

    /// Sends bytes of a type with the token to write.
    pub(crate) async fn post(&self, path: &str, kind: &str, body: impl Into<Body>) -> TestResponse {
        self.post_as("POST", path, kind, body).await
    }

    /// Sends a body as `post`, by another method.
    pub(crate) async fn post_as(&self, method: &str, path: &str, kind: &str, body: impl Into<Body>) -> TestResponse {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let request = request.header("content-type", kind);
        self.send(request.header("authorization", format!("Bearer {WRITE}")).body(body.into()).unwrap()).await
    }
}
