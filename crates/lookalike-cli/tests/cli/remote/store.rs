//! A store on this machine: as much of HTTP/1.1 and of the interface of S3 as is needed to read, list and write
//! objects.
//!
//! The name of an object decides how it fares: of `cut...` half is sent, without a tag by which it could be asked for
//! again; of `once...` half is sent the first time; `slow...` takes seconds; `denied...` may not be written.

use crate::common::{Run, Sandbox, fits};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// Objects by bucket and key, as `bucket/key`.
type Objects = BTreeMap<String, Vec<u8>>;

#[derive(Default)]
struct State {
    objects: Objects,
    /// Parts by the number of the upload and their own.
    uploads: BTreeMap<String, BTreeMap<usize, Vec<u8>>>,
    begun_uploads: usize,
    /// Objects that were sent in part.
    cut: Vec<String>,
}

/// A server that ends with the process.
pub(crate) struct Store {
    state: Arc<Mutex<State>>,
    pub(crate) address: String,
}

impl Store {
    pub(crate) fn with(objects: &[(&str, &[u8])]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        state.lock().unwrap().objects =
            objects.iter().map(|(name, content)| ((*name).to_owned(), content.to_vec())).collect();
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                thread::spawn(move || serve(&stream, &state));
            }
        });
        Self { state, address }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.state().objects[name].clone()).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.state().objects.keys().cloned().collect()
    }

    /// Waits until an object was asked for that takes long.
    pub(crate) fn wait_for_slow(&self) {
        while self.state().cut.is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Numbers of uploads in parts that were begun, and of those neither completed nor aborted.
    pub(crate) fn uploads(&self) -> (usize, usize) {
        let state = self.state();
        (state.begun_uploads, state.uploads.len())
    }

    /// The command with what it needs to find this store as S3; temporary files go to the folder `tmp`.
    pub(crate) fn command(&self, sandbox: &Sandbox, arguments: &str) -> Command {
        std::fs::create_dir_all(sandbox.path("tmp")).unwrap();
        let mut command = sandbox.command(arguments);
        command.env("AWS_ENDPOINT", &self.address).env("AWS_ALLOW_HTTP", "true").env("AWS_REGION", "us-east-1");
        command.env("AWS_ACCESS_KEY_ID", "open").env("AWS_SECRET_ACCESS_KEY", "sesame").env("NO_PROXY", "127.0.0.1");
        command.env("TMPDIR", sandbox.path("tmp"));
        command
    }

    pub(crate) fn run(&self, sandbox: &Sandbox, arguments: &str) -> Run {
        let run = Run::from(self.command(sandbox, arguments).output().unwrap());
        assert!(!run.stderr.contains("sesame"), "{}", run.stderr);
        assert!(
            std::fs::read_dir(sandbox.path("tmp")).unwrap().next().is_none(),
            "{arguments}: copies were left behind"
        );
        run
    }

    pub(crate) fn succeed(&self, sandbox: &Sandbox, arguments: &str) -> Run {
        let run = self.run(sandbox, arguments);
        assert_eq!(run.code, Some(0), "{arguments}: {}", run.stderr);
        run
    }

    /// Runs a command that must be refused in a line that fits `expected`, and write nothing here or in the store.
    pub(crate) fn refused(&self, sandbox: &Sandbox, arguments: &str, expected: &str) {
        let before = (self.names(), sandbox.names());
        let run = self.run(sandbox, arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{arguments}: {}", run.stderr);
        let after = sandbox.names().into_iter().filter(|name| name != "tmp/").collect::<Vec<_>>();
        let here = before.1.into_iter().filter(|name| name != "tmp/").collect::<Vec<_>>();
        assert_eq!((self.names(), after), (before.0, here), "{arguments}");
        let words = run.stderr.strip_prefix("lookalike: ").unwrap().trim_end();
        assert!(fits(expected, words), "{arguments}: expected {expected}, found {words}");
    }
}

struct Request {
    method: String,
    /// `bucket/key`.
    name: String,
    query: BTreeMap<String, String>,
    range: Option<(usize, Option<usize>)>,
    body: Vec<u8>,
}

impl Request {
    fn read(reader: &mut impl BufRead) -> Option<Self> {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|&read| read > 0)?;
        let mut words = line.split_whitespace();
        let method = words.next()?.to_owned();
        let target = words.next()?.to_owned();
        let mut length = 0;
        let mut range = None;
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).ok()?;
            let Some((name, value)) = header.trim_end().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap(),
                "range" => {
                    let (first, last) = value.trim().strip_prefix("bytes=").unwrap().split_once('-').unwrap();
                    range = Some((first.parse().unwrap(), last.parse().ok()));
                }
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let query = query.split('&').filter(|part| !part.is_empty()).map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (decoded(name), decoded(value))
        });
        Some(Self { method, name: decoded(path.trim_start_matches('/')), query: query.collect(), range, body })
    }
}

/// Undoes `%41`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&rest[..2]).unwrap(), 16).unwrap());
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn serve(stream: &TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream);
    while let Some(request) = Request::read(&mut reader) {
        let (head, body, sent) = state.lock().unwrap().answer(&request);
        let bytes = [head.as_bytes(), b"\r\n", &body[..sent]].concat();
        let mut writer = stream;
        if request.name.contains("slow") {
            state.lock().unwrap().cut.push(request.name.clone());
            let mut pieces = bytes.chunks(1 << 10);
            // Until nobody listens any more.
            while pieces.next().is_some_and(|piece| writer.write_all(piece).is_ok()) {
                thread::sleep(Duration::from_millis(5));
            }
            continue;
        }
        // Who has heard enough may hang up.
        if writer.write_all(&bytes).is_err() || sent < body.len() && request.method != "HEAD" {
            let _ = stream.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

/// Head and body of an answer, and how much of the body is really sent.
type Answer = (String, Vec<u8>, usize);

fn answer(status: &str, headers: &str, body: impl Into<Vec<u8>>) -> Answer {
    let body = body.into();
    let sent = body.len();
    (format!("HTTP/1.1 {status}\r\nContent-Length: {sent}\r\n{headers}"), body, sent)
}

fn refusal(status: &str, code: &str, message: &str) -> Answer {
    let body = format!("<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code>\n<Message>{message}</Message></Error>");
    answer(status, "", body)
}

const STATE: &str = "Last-Modified: Fri, 21 Nov 2025 08:00:00 GMT\r\n";
const TAG: &str = "ETag: \"tag\"\r\n";

impl State {
    fn answer(&mut self, request: &Request) -> Answer {
        let has = |name: &str| request.query.contains_key(name);
        match request.method.as_str() {
            "GET" if has("list-type") => {
                self.list(&request.name, request.query.get("prefix").map_or("", |prefix| prefix))
            }
            "HEAD" | "GET" => self.get(request),
            _ if request.name.contains("denied") && !has("uploads") && request.method != "DELETE" => {
                refusal("403 Forbidden", "AccessDenied", "Access\nDenied")
            }
            "PUT" => self.put(request),
            "POST" if has("uploads") => {
                self.begun_uploads += 1;
                let id = self.begun_uploads.to_string();
                self.uploads.insert(id.clone(), BTreeMap::new());
                answer("200 OK", "", format!("<R><Bucket>b</Bucket><Key>k</Key><UploadId>{id}</UploadId></R>"))
            }
            "POST" => {
                let parts = self.uploads.remove(&request.query["uploadId"]).unwrap();
                self.objects.insert(request.name.clone(), parts.into_values().collect::<Vec<_>>().concat());
                answer("200 OK", "", "<R><ETag>\"tag\"</ETag></R>")
            }
            "DELETE" => {
                self.uploads.remove(&request.query["uploadId"]).unwrap();
                answer("204 No Content", "", "")
            }
            _ => answer("405 Method Not Allowed", "", ""),
        }
    }

    fn put(&mut self, request: &Request) -> Answer {
        match request.query.get("uploadId") {
            Some(id) => {
                let number = request.query["partNumber"].parse().unwrap();
                self.uploads.get_mut(id).unwrap().insert(number, request.body.clone());
            }
            None => drop(self.objects.insert(request.name.clone(), request.body.clone())),
        }
        answer("200 OK", TAG, "")
    }

    fn get(&mut self, request: &Request) -> Answer {
        let Some(content) = self.objects.get(&request.name) else {
            return refusal("404 Not Found", "NoSuchKey", "The specified key does not exist.");
        };
        let tag = if request.name.contains("cut") { "" } else { TAG };
        let (mut head, body, mut sent) = match request.range {
            None => answer("200 OK", &format!("{STATE}{tag}"), content.clone()),
            Some((first, last)) => {
                let end = last.map_or(content.len(), |last| last + 1).min(content.len());
                let range = format!("Content-Range: bytes {first}-{}/{}\r\n", end - 1, content.len());
                answer("206 Partial Content", &format!("{STATE}{tag}{range}"), &content[first..end])
            }
        };
        let is_again = self.cut.contains(&request.name);
        if request.method == "HEAD" {
            sent = 0;
        } else if request.name.contains("cut") || request.name.contains("once") && !is_again {
            self.cut.push(request.name.clone());
            sent /= 2;
            head.push_str("Connection: close\r\n");
        }
        (head, body, sent)
    }

    fn list(&self, bucket: &str, prefix: &str) -> Answer {
        let mut list = String::from("<ListBucketResult>");
        for (name, content) in &self.objects {
            let Some((found, key)) = name.split_once('/') else { continue };
            if found == bucket.trim_end_matches('/') && key.starts_with(prefix) {
                let state = "<LastModified>2025-11-21T08:00:00Z</LastModified><ETag>\"tag\"</ETag>";
                write!(list, "<Contents><Key>{key}</Key><Size>{}</Size>{state}</Contents>", content.len()).unwrap();
            }
        }
        answer("200 OK", "", list + "</ListBucketResult>")
    }
}
