//! Sockets: slow, greedy and broken clients, and the end.

use super::setup::{WRITE, config, text};
use lookalike_server::{Config, Server, TlsFiles};
use serde_json::json;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A server with a socket, which stops when it is dropped.
struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    _folder: TempDir,
}

impl Running {
    fn with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = config(folder.path(), 3);
        change(&mut config);
        let server = Server::bind(&config).unwrap();
        let address = server.address().unwrap();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            server.run(async { drop(stopped.await) }).unwrap();
        });
        Self { address, stop: Some(stop), thread: Some(thread), _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// The status and the body of an answer to a request of its own connection.
    fn get(&self, path: &str) -> (u16, String) {
        let mut stream = self.connect();
        // A connection that was cut while we sent has no answer.
        let _ = write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        answer(&mut stream)
    }

    fn post(&self, path: &str, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        let head = head("POST", path, body.len());
        stream.write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes()).unwrap();
        answer(&mut stream)
    }

    fn stop(&mut self) {
        drop(self.stop.take());
        self.thread.take().map(JoinHandle::join).transpose().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

fn head(method: &str, path: &str, length: usize) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {WRITE}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n"
    )
}

fn answer(stream: &mut impl Read) -> (u16, String) {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => {}
        // A connection that was cut while we sent.
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("{error} after {}", String::from_utf8_lossy(&bytes)),
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
}

/// Returns whether the server ends the connection, and after what time.
fn is_cut(stream: &mut TcpStream) -> Duration {
    let start = Instant::now();
    let mut rest = Vec::new();
    if let Err(error) = stream.read_to_end(&mut rest) {
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
    }
    start.elapsed()
}

#[test]
fn what_was_accepted_is_answered_before_the_end() {
    let mut server = Running::with(|_| {});
    let body = json!({"text": text(7)}).to_string();
    let mut stream = server.connect();
    let head = head("PUT", "/v1/documents/late", body.len());
    stream.write_all(format!("{head}\r\n{}", &body[..10]).as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(200));
    drop(server.stop.take());
    thread::sleep(Duration::from_millis(200));
    stream.write_all(&body.as_bytes()[10..]).unwrap();
    assert_eq!(answer(&mut stream).0, 201);
    server.stop();
    assert!(TcpStream::connect(server.address).is_err());
}

#[test]
fn slow_clients_are_cut_and_others_are_served() {
    let server = Running::with(|config| {
        config.limits.header_time = Duration::from_millis(500);
        config.limits.request_time = Duration::from_millis(1500);
        config.limits.idle_time = Duration::from_millis(2500);
    });
    let mut slow = server.connect();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: local").unwrap();
    let mut endless = server.connect();
    let chunked = "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                   Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";
    endless.write_all(chunked.as_bytes()).unwrap();
    let mut idle = server.connect();
    assert_eq!(server.get("/healthz").0, 200);
    assert!(is_cut(&mut slow) < Duration::from_secs(5));
    let (status, body) = answer(&mut endless);
    assert_eq!(status, 408, "{body}");
    assert!(is_cut(&mut idle) < Duration::from_secs(8));
    assert_eq!(server.get("/healthz").0, 200);
}

#[test]
fn who_does_not_read_is_cut() {
    let server = Running::with(|config| config.limits.idle_time = Duration::from_millis(800));
    let big = "word ".repeat(3_000_000);
    assert_eq!(server.post("/v1/insert", &json!({"id": "big", "text": big}).to_string()).0, 201);
    let mut greedy = server.connect();
    for _ in 0..4 {
        greedy.write_all(b"GET /v1/documents/big HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    }
    thread::sleep(Duration::from_secs(3));
    assert_eq!(server.get("/healthz").0, 200);
    let mut bytes = Vec::new();
    let _ = greedy.read_to_end(&mut bytes);
    assert!(bytes.len() < 4 * big.len(), "all {} bytes were sent to one who did not read", bytes.len());
}

#[test]
fn who_is_refused_before_the_body_is_told_that_the_connection_ends() {
    let server = Running::with(|_| {});
    for _ in 0..20 {
        let mut stream = server.connect();
        let head = "PUT /v1/documents/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n\
                    Content-Type: application/json\r\nContent-Length: 2\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.1 401") && response.contains("connection: close"), "{response}");
    }
}

#[test]
fn bodies_that_do_not_come_take_no_memory() {
    let server = Running::with(|config| config.limits.memory_bytes = 64 << 20);
    // Each announces as much as a body may have, and sends nothing.
    let announced: Vec<TcpStream> = (0..64)
        .map(|number| {
            let mut stream = server.connect();
            let head = match number % 2 {
                0 => head("POST", "/v1/search", 16 << 20),
                _ => "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                      Transfer-Encoding: chunked\r\n"
                    .to_owned(),
            };
            stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
            stream
        })
        .collect();
    thread::sleep(Duration::from_millis(200));
    for _ in 0..20 {
        assert_eq!(server.post("/v1/search", &json!({"text": text(1)}).to_string()).0, 200);
    }
    drop(announced);
}

#[test]
fn bodies_of_one_client_leave_memory_to_others() {
    let server = Running::with(|config| config.limits.memory_bytes = 64 << 20);
    let chunk = vec![b' '; 1 << 20];
    let greedy: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = server.connect();
            stream
                .write_all(
                    "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 16777216\r\n\r\n"
                        .as_bytes(),
                )
                .unwrap();
            // One that is refused is cut.
            let _ = (0..15).try_for_each(|_| stream.write_all(&chunk));
            stream
        })
        .collect();
    let (status, response) = server.post("/v1/search", &json!({"text": text(1)}).to_string());
    assert_eq!(status, 200, "{response}");
    drop(greedy);
}

/// Bytes of memory in flight, as the server tells them.
fn in_flight_bytes(server: &Running) -> u64 {
    let (status, numbers) = server.get("/metrics");
    assert_eq!(status, 200, "{numbers}");
    numbers.lines().find_map(|line| line.strip_prefix("lookalike_in_flight_bytes ")).unwrap().parse().unwrap()
}

/// Looks for so long until it holds.
fn comes_true(holds: impl Fn() -> bool) -> bool {
    (0..600).any(|_| {
        let does_hold = holds();
        if !does_hold {
            thread::sleep(Duration::from_millis(50));
        }
        does_hold
    })
}

#[test]
fn answers_that_nobody_takes_are_counted_until_the_client_goes() {
    let server = Running::with(|config| config.limits.memory_bytes = 64 << 20);
    let big = "word ".repeat(2_400_000);
    assert_eq!(server.post("/v1/insert", &json!({"id": "big", "text": big}).to_string()).0, 201);
    assert!(comes_true(|| in_flight_bytes(&server) == 0));
    let greedy: Vec<TcpStream> = (0..34)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET /v1/documents/big HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            stream
        })
        .collect();
    assert!(comes_true(|| in_flight_bytes(&server) > 12 << 20), "an answer is in flight");
    // Half of the memory is theirs, and what three threads read of the document at a time.
    for _ in 0..20 {
        assert!(in_flight_bytes(&server) <= (32 << 20) + (192 << 20));
        assert_eq!(server.get("/v1/documents/d1").0, 200);
    }
    drop(greedy);
    assert!(comes_true(|| in_flight_bytes(&server) == 0), "{} bytes did not come back", in_flight_bytes(&server));
}

#[test]
fn large_bodies_at_once_are_answered_one_by_one() {
    let server = Running::with(|config| {
        // One body at a time is parsed.
        config.limits.body_bytes = 1 << 20;
        config.limits.memory_bytes = 32 << 20;
    });
    let texts = json!({"text": text(1)}).to_string();
    let body = format!("{}{texts}", " ".repeat((1 << 20) - texts.len()));
    let statuses: Vec<u16> = thread::scope(|scope| {
        let all: Vec<_> = (0..12).map(|_| scope.spawn(|| server.post("/v1/search", &body).0)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(statuses.iter().all(|&status| status == 200), "{statuses:?}");
    assert!(comes_true(|| in_flight_bytes(&server) == 0));
}

#[test]
fn a_body_that_is_on_its_way_does_not_block_one_that_is_there() {
    let server = Running::with(|config| {
        config.limits.body_bytes = 1 << 20;
        config.limits.memory_bytes = 8 << 20;
    });
    let half = vec![b' '; 512 << 10];
    let coming: Vec<TcpStream> = (0..2)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(format!("{}\r\n", head("POST", "/v1/search", 1 << 20)).as_bytes()).unwrap();
            stream.write_all(&half).unwrap();
            stream
        })
        .collect();
    assert!(comes_true(|| in_flight_bytes(&server) >= 1 << 20), "both have their bytes");
    let text = json!({"text": text(1)}).to_string();
    let body = format!("{}{text}", " ".repeat((900 << 10) - text.len()));
    assert_eq!(server.post("/v1/search", &body).0, 200);
    drop(coming);
    assert!(comes_true(|| in_flight_bytes(&server) == 0));
}

#[test]
fn a_client_leaves_places_of_the_queue_to_others() {
    let server = Running::with(|config| {
        config.threads = NonZeroUsize::MIN;
        config.limits.queued = NonZeroUsize::new(4).unwrap();
    });
    let word = |step: usize| (0..6000).map(|at| format!("w{} ", at * step % 997)).collect::<String>();
    let body = json!({"left": {"text": word(7)}, "right": {"text": word(11)}}).to_string();
    assert!(body.len() < 64 << 10);
    let other = json!({"left": {"text": "one two"}, "right": {"text": "one three"}}).to_string();
    let greedy = || {
        let mut stream = server.connect();
        let head = head("POST", "/v1/compare", body.len());
        let head = head.replace(&format!("Authorization: Bearer {WRITE}\r\n"), "");
        stream.write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes()).unwrap();
        answer(&mut stream).0
    };
    let statuses: Vec<u16> = thread::scope(|scope| {
        let all: Vec<_> = (0..24).map(|_| scope.spawn(|| (0..4).map(|_| greedy()).collect::<Vec<_>>())).collect();
        for _ in 0..10 {
            // It has the only place of this client: there is one in any case.
            assert_eq!(server.post("/v1/compare", &other).0, 200);
        }
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert!(statuses.iter().all(|status| [200, 429].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&429), "24 at once have two places: {statuses:?}");
}

#[test]
fn who_sends_no_more_is_answered() {
    let server = Running::with(|_| {});
    for number in 0..30 {
        let body = json!({"text": text(10 + number)}).to_string();
        let mut stream = server.connect();
        let head = head("PUT", &format!("/v1/documents/half{number}"), body.len());
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        assert_eq!(answer(&mut stream).0, 201);
    }
    assert_eq!(server.get("/v1/documents/half29").0, 200);
}

#[test]
fn quick_questions_do_not_wait_for_costly_ones() {
    const COSTLY: usize = 24;
    let server = Running::with(|config| config.threads = NonZeroUsize::MIN);
    let long: String = (0..150_000).map(|number| format!("w{} ", number * 7919 % 100_003)).collect();
    let body = json!({"left": {"text": long}, "right": {"text": long.replace("w7", "v7")}}).to_string();
    let finished = AtomicUsize::new(0);
    thread::scope(|scope| {
        let ask = || {
            let (status, _) = server.post("/v1/compare", &body);
            finished.fetch_add(1, Ordering::Relaxed);
            status
        };
        let costly: Vec<_> = (0..COSTLY).map(|_| scope.spawn(ask)).collect();
        thread::sleep(Duration::from_millis(100));
        let before = finished.load(Ordering::Relaxed);
        assert_eq!(server.get("/v1/documents/d1").0, 200);
        let after = finished.load(Ordering::Relaxed);
        assert!(after < COSTLY || before == COSTLY, "it waited for all others");
        let statuses: Vec<u16> = costly.into_iter().map(|one| one.join().unwrap()).collect();
        assert!(statuses.iter().all(|status| [200, 429, 503].contains(status)), "{statuses:?}");
    });
}

#[test]
fn headers_have_a_limit() {
    let server = Running::with(|_| {});
    let mut stream = server.connect();
    let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n");
    for number in 0..5000 {
        let header = format!("X-{number}: {}\r\n", "y".repeat(100));
        if stream.write_all(header.as_bytes()).is_err() {
            break;
        }
    }
    let (status, _) = answer(&mut stream);
    assert!(status == 431 || status == 0, "{status}");
    let mut stream = server.connect();
    stream.write_all(b"\x16\x03\x01\x02\x00garbage\r\n\r\n").unwrap();
    assert!([0, 400].contains(&answer(&mut stream).0));
    assert_eq!(server.get("/healthz").0, 200);
}

#[test]
fn idle_connections_keep_nobody_out() {
    let server = Running::with(|config| config.limits.connections = NonZeroUsize::new(64).unwrap());
    let idle: Vec<TcpStream> = (0..300).map(|_| server.connect()).collect();
    for _ in 0..20 {
        assert_eq!(server.get("/healthz").0, 200);
    }
    drop(idle);
}

#[test]
fn a_question_is_cancelled_when_nobody_waits_for_it() {
    let server = Running::with(|config| {
        config.threads = NonZeroUsize::MIN;
        config.limits.request_time = Duration::from_millis(400);
    });
    // All pairs of positions are passages of one word.
    let body = json!({"text": "word ".repeat(60_000), "min_match": 1}).to_string();
    assert_eq!(server.post("/v1/insert", &json!({"id": "same", "text": "word ".repeat(60_000)}).to_string()).0, 201);
    let start = Instant::now();
    let (status, response) = server.post("/v1/sources", &body);
    assert!([200, 503].contains(&status), "{response}");
    assert_eq!(server.get("/v1/stats").0, 200);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_full_server_says_so() {
    let server = Running::with(|config| {
        config.threads = NonZeroUsize::MIN;
        config.limits.queued = NonZeroUsize::MIN;
    });
    // Each is worked on for some milliseconds.
    let body = json!({"text": (0..60_000).map(|n| format!("w{n} ")).collect::<String>()}).to_string();
    let statuses: Vec<u16> = thread::scope(|scope| {
        let one = || (0..6).map(|_| server.post("/v1/search", &body).0).collect::<Vec<u16>>();
        let all: Vec<_> = (0..16).map(|_| scope.spawn(one)).collect();
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    let count = |status| statuses.iter().filter(|&&found| found == status).count();
    assert_eq!(count(200) + count(429), statuses.len(), "{statuses:?}");
    assert!(count(200) > 0 && count(429) > 0, "{statuses:?}");
    assert_eq!(server.get("/healthz").0, 200);
}

#[cfg(feature = "tls")]
#[test]
fn tls_is_spoken_with_the_given_certificate() {
    use rustls::pki_types::{CertificateDer, ServerName, pem::PemObject};
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let certificate = folder.path().join("cert.pem");
    let key = folder.path().join("key.pem");
    fs::write(&certificate, made.cert.pem()).unwrap();
    fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let files = TlsFiles { certificate: certificate.clone(), key };
    let server = Running::with(|config| config.tls = Some(files.clone()));
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&certificate).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let client = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let client = client.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let connection = rustls::ClientConnection::new(Arc::new(client), name).unwrap();
    let mut stream = rustls::StreamOwned::new(connection, server.connect());
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    assert_eq!(answer(&mut stream), (200, r#"{"status":"ok"}"#.to_owned()));
    // Who speaks no TLS gets nothing.
    assert_eq!(server.get("/healthz").0, 0);
    let broken = TlsFiles { certificate: files.key.clone(), key: files.key };
    let mut config = config(folder.path(), 1);
    config.tls = Some(broken);
    let error = Server::bind(&config).unwrap_err().to_string();
    assert!(error.contains("key.pem"), "{error}");
}

#[test]
fn nobody_else_is_let_in_without_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path(), 1);
    config.listen = "0.0.0.0:0".parse().unwrap();
    config.tokens = lookalike_server::AccessTokens::default();
    let error = Server::bind(&config).unwrap_err().to_string();
    assert!(error.contains("needs tokens"), "{error}");
}
