//! The connections of a flood, as bytes on sockets.

use anyhow::{Context, Result};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The token of changes.
pub(super) const WRITE: &str = "write-write-write-write";

pub(super) type Address = SocketAddr;

/// Way in which a body is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sending {
    /// The whole body, with its length.
    Whole,
    /// The whole body, in chunks.
    Chunked,
    /// A megabyte a tenth of a second, with its length.
    Slow,
}

/// A request with a body, without its token.
pub(super) struct Posted {
    method: &'static str,
    path: &'static str,
    body: Vec<u8>,
}

/// A body of JSON with about so many bytes, which has many of one thing.
pub(super) fn body_of(what: &str, bytes: usize) -> Posted {
    let repeated = |unit: &str| unit.repeat((bytes - 200) / unit.len());
    let (method, path, body) = match what {
        "items" => ("POST", "/v1/search", format!(r#"{{"items":[{}"a"]}}"#, repeated("\"a\","))),
        "vector" => ("POST", "/v1/search", format!(r#"{{"vector":[{}0]}}"#, repeated("0,"))),
        "fields" => {
            ("PUT", "/v1/documents/flood", format!(r#"{{"text":"a","fields":{{"a":[{}0]}}}}"#, repeated("[],")))
        }
        _ => ("POST", "/v1/search", format!(r#"{{"text":"{}"}}"#, repeated("one two three four "))),
    };
    Posted { method, path, body: body.into_bytes() }
}

/// A comparison of two texts of so many bytes whose words are the same few in another order.
pub(super) fn compare(bytes: usize) -> Posted {
    let text = |step: usize| (0..bytes / 5).map(|at| format!("{:04} ", at * step % 997)).collect::<String>();
    let body = format!(r#"{{"left":{{"text":"{}"}},"right":{{"text":"{}"}}}}"#, text(7), text(11));
    Posted { method: "POST", path: "/v1/compare", body: body.into_bytes() }
}

/// Sends a request again and again. One that is refused, or cut, is sent anew.
pub(super) fn flood(address: Address, ends: &AtomicBool, posted: &Posted, sending: Sending) {
    while !ends.load(Ordering::Relaxed) {
        // What becomes of it is not the question.
        let _ = send(address, ends, posted, sending);
        thread::sleep(Duration::from_millis(20));
    }
}

fn send(address: Address, ends: &AtomicBool, posted: &Posted, sending: Sending) -> io::Result<()> {
    let mut stream = connect(address)?;
    let Posted { method, path, body } = posted;
    let length = match sending {
        Sending::Chunked => "Transfer-Encoding: chunked".to_owned(),
        Sending::Whole | Sending::Slow => format!("Content-Length: {}", body.len()),
    };
    let token = match *method {
        "PUT" => format!("Authorization: Bearer {}\r\n", WRITE),
        _ => String::new(),
    };
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{token}")?;
    write!(stream, "Content-Type: application/json\r\n{length}\r\n\r\n")?;
    for part in body.chunks(1 << 20) {
        if sending == Sending::Chunked {
            write!(stream, "{:x}\r\n", part.len())?;
        }
        stream.write_all(part)?;
        if sending == Sending::Chunked {
            stream.write_all(b"\r\n")?;
        }
        if sending == Sending::Slow {
            thread::sleep(Duration::from_millis(100));
        }
    }
    if sending == Sending::Chunked {
        stream.write_all(b"0\r\n\r\n")?;
    }
    read_until_the_end(&mut stream, ends)
}

fn read_until_the_end(stream: &mut TcpStream, ends: &AtomicBool) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    while !ends.load(Ordering::Relaxed) {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Err(error) if !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Err(error);
            }
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

/// Asks for a large answer, and takes none of it.
pub(super) fn stalled(address: Address, ends: &AtomicBool) {
    let Ok(mut stream) = connect(address) else { return };
    for _ in 0..4 {
        // One that is cut has been served.
        let _ = stream.write_all(b"GET /v1/documents/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    wait(ends);
}

/// Opens a connection, and sends nothing.
pub(super) fn silent(address: Address, ends: &AtomicBool) {
    let _stream = connect(address);
    wait(ends);
}

fn wait(ends: &AtomicBool) {
    while !ends.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50));
    }
}

fn connect(address: Address) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    let time = Some(Duration::from_millis(500));
    stream.set_read_timeout(time)?;
    stream.set_write_timeout(Some(Duration::from_secs(60)))?;
    Ok(stream)
}

/// The status and the body of an answer.
pub(super) fn get(address: Address, path: &str, token: Option<&str>) -> Result<(u16, String)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let token = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{token}\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.get(9..12).and_then(|status| status.parse().ok()).context("no answer")?;
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    Ok((status, body.to_owned()))
}
