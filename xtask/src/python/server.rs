//! Holds the running server to the document of its interface: schemathesis makes requests of it, right and wrong ones.

use super::environments::Environment;
use crate::run::{command, root, run};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

const TOKEN: &str = "write-write-write-write";
/// What is checked of each answer. Left out is that every request which fits the schema is accepted: that one of two
/// fields is given, or that a document is there, no schema says.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
                      response_schema_conformance,negative_data_rejection,missing_required_header,unsupported_method,\
                      ignored_auth";

/// A server that runs, until it is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Requests of each kind for each operation in the checks of a change.
pub(crate) const FEW_EXAMPLES: u32 = 10;
/// The same in a long search.
pub(crate) const MANY_EXAMPLES: u32 = 100;

/// Starts a server of an example, and lets schemathesis ask it.
pub(crate) fn test(examples: u32) -> Result<()> {
    let command = command()?;
    let folder = root().join("target/schemathesis-server");
    // What an earlier run left.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let create = ["index", "create", "test.idx", "--quiet", "--store-texts", "--store", "source", "-t", "0.2"];
    run(Command::new(&command).args(create).arg(root().join("examples/press.jsonl")).current_dir(&folder))?;
    fs::write(folder.join("tokens"), format!("write {TOKEN}\n"))?;
    let mut serve = Command::new(&command);
    serve.args(["serve", "test.idx", "--tokens", "tokens", "--listen", "127.0.0.1:0", "--log", "warnings"]);
    let mut server = Server(serve.current_dir(&folder).stderr(Stdio::piped()).spawn()?);
    let mut said = BufReader::new(server.0.stderr.take().context("no standard error")?).lines();
    let first = said.next().context("the server says nothing")??;
    let address = first.rsplit(' ').next().context("the server names no address")?.to_owned();
    ensure!(address.starts_with("http://127.0.0.1:"), "the server says {first}");
    let faults = std::thread::spawn(move || said.map_while(Result::ok).collect::<Vec<String>>());
    let mut tests = Environment::shared()?.module(&["schemathesis.cli", "run", &format!("{address}/openapi.json")]);
    tests.args([
        "--checks",
        CHECKS,
        "--max-examples",
        &examples.to_string(),
        "--generation-deterministic",
        "--no-color",
        "--continue-on-failure",
    ]);
    tests.arg("--header").arg(format!("Authorization: Bearer {TOKEN}"));
    tests.env("SCHEMATHESIS_HOOKS", "hooks").env("PYTHONPATH", root().join("crates/lookalike-server/conformance"));
    let done = run(tests.current_dir(&folder));
    drop(server);
    for line in faults.join().unwrap_or_default() {
        println!("the server: {line}");
    }
    done
}
