//! The server as a process: what it says when it does not start, how it ends, and what is there when it was killed.

use crate::common::Sandbox;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

const TOKEN: &str = "write-write-write-write";

/// A server that runs, until it is dropped.
struct Running {
    child: Child,
    address: String,
}

impl Running {
    fn start(sandbox: &Sandbox) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike"));
        command.args(["serve", "test.idx", "--tokens", "tokens", "--listen", "127.0.0.1:0", "--log", "errors"]);
        let mut child = command.current_dir(sandbox.path("")).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().rsplit('/').next().unwrap().to_owned();
        Self { child, address }
    }

    /// The status and the body of an answer; `None` if the connection breaks off.
    fn ask(&self, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut told = String::new();
        stream.read_to_string(&mut told).ok()?;
        let status = told.get(9..12)?.parse().ok()?;
        Some((status, told.split_once("\r\n\r\n")?.1.to_owned()))
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), signal).unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn with_index() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("first.jsonl", r#"{"id": "first", "text": "one two three four five six"}"#);
    sandbox.write("tokens", format!("write {TOKEN}\n"));
    sandbox.succeed("index create test.idx first.jsonl -t 0.5");
    sandbox
}

/// Presence of each document by id, as far as the server has acknowledged it.
type Known = BTreeMap<String, bool>;

/// Puts, inserts and deletes documents until the server is gone; an id that it has not answered about is not known.
fn change_until_the_end(server: &Running, name: &str, known: &Mutex<Known>) {
    for number in 0.. {
        let id = format!("{name}n{number}");
        let body = json!({"id": id, "text": format!("{id} a{number} b{number} {name} d e f")});
        let earlier = format!("{name}n{}", number - number % 3);
        let answer = match number % 3 {
            0 => server.ask("POST", "/v1/insert", &body.to_string()),
            1 => server.ask("PUT", &format!("/v1/documents/{id}"), &json!({"text": body["text"]}).to_string()),
            _ => {
                known.lock().unwrap().remove(&earlier);
                server.ask("DELETE", &format!("/v1/documents/{earlier}"), "")
            }
        };
        let mut known = known.lock().unwrap();
        match answer {
            Some((201, _)) => known.insert(id, true),
            Some((204, _)) => known.insert(earlier, false),
            Some(other) => panic!("{other:?}"),
            None => return,
        };
    }
}

#[test]
fn what_was_acknowledged_is_there_after_a_kill() {
    for round in 0..4 {
        let sandbox = with_index();
        let server = Running::start(&sandbox);
        let known = Mutex::new(Known::new());
        thread::scope(|scope| {
            for client in 0..4 {
                let server = &server;
                let known = &known;
                scope.spawn(move || change_until_the_end(server, &format!("r{round}c{client}"), known));
            }
            let end = Instant::now() + Duration::from_millis(300 + 200 * round);
            while Instant::now() < end || known.lock().unwrap().len() < 20 {
                thread::sleep(Duration::from_millis(5));
            }
            server.signal(Signal::SIGKILL);
        });
        drop(server);
        let verified = sandbox.run("index verify test.idx");
        let is_torn = verified.stderr.contains("a write that did not come to its end");
        assert!(verified.code == Some(0) || is_torn, "{}", verified.stderr);
        let server = Running::start(&sandbox);
        let known = known.into_inner().unwrap();
        for (id, &is_there) in &known {
            let (status, body) = server.ask("GET", &format!("/v1/documents/{id}"), "").unwrap();
            assert_eq!(status, if is_there { 200 } else { 404 }, "{id} of {}: {body}", known.len());
        }
        let stats: Value = serde_json::from_str(&server.ask("GET", "/v1/stats", "").unwrap().1).unwrap();
        let documents = stats["documents"].as_u64().unwrap() as usize - 1;
        // Of each client one change may have been made that it never heard of.
        let expected = known.values().filter(|&&is_there| is_there).count();
        assert!((expected..=expected + 4).contains(&documents), "{documents} and not {expected}");
    }
}

#[test]
fn it_ends_well_when_it_is_told_to() {
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let sandbox = with_index();
        let mut server = Running::start(&sandbox);
        assert_eq!(server.ask("PUT", "/v1/documents/new", r#"{"text": "a b c d e"}"#).unwrap().0, 201);
        server.signal(signal);
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
        sandbox.succeed("index get test.idx new");
    }
}

#[test]
fn what_keeps_it_from_starting_is_said_in_a_line() {
    let sandbox = with_index();
    let server = Running::start(&sandbox);
    let port = server.address.clone();
    sandbox.write("short", "write secret\n");
    for (flags, told) in [
        ("serve test.idx --tokens tokens --listen 127.0.0.1:0", "is being written to by another process"),
        (&format!("serve test.idx --listen {port}"), "cannot listen on 127.0.0.1"),
        ("serve nothing.idx", "nothing.idx is no index"),
        ("serve test.idx --listen 0.0.0.0:0", "needs tokens"),
        ("serve test.idx --tokens short", "short, line 1: expected `read TOKEN` or `write TOKEN`"),
        ("serve test.idx --tokens absent", "cannot read absent"),
        ("serve test.idx --tls-cert tokens --tls-key tokens", "cannot use tokens"),
        ("serve test.idx --listen localhost", "invalid"),
    ] {
        let error = sandbox.refuse(flags);
        assert!(error.contains(told) && !error.contains("secret"), "{flags}: {error}");
        assert!(error.lines().count() < 5, "{error}");
    }
}
