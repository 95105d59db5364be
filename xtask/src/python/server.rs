//! Holds the running server to the document of its interface: schemathesis makes requests of it, right and wrong ones.

use super::environments::Environment;
use crate::run::{root, run};
use crate::server::{ServerProcess, empty_folder};
use anyhow::Result;

const TOKEN: &str = "write-write-write-write";
/// Checks of each answer. Left out is that every request which fits the schema is accepted: that one of two
/// fields is given, or that a document is there, no schema says.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
                      response_schema_conformance,negative_data_rejection,missing_required_header,unsupported_method,\
                      ignored_auth";

/// Requests of each kind for each operation in the checks of a change.
pub(crate) const FEW_EXAMPLES: u32 = 10;

/// Starts a server of an example, and lets schemathesis ask it.
pub(crate) fn test(examples: u32) -> Result<()> {
    let folder = empty_folder("schemathesis-server")?;
    let file = root().join("examples/press.jsonl").display().to_string();
    let server =
        ServerProcess::start(&folder, &file, &["--store", "source", "-t", "0.2"], &format!("write {TOKEN}\n"))?;
    let interface = format!("http://{}/openapi.json", server.address);
    let mut tests = Environment::shared()?.module(&["schemathesis.cli", "run", &interface, "--checks", CHECKS]);
    tests.args(["--max-examples", &examples.to_string(), "--generation-deterministic"]);
    tests.args(["--no-color", "--continue-on-failure", "--header", &format!("Authorization: Bearer {TOKEN}")]);
    tests.env("SCHEMATHESIS_HOOKS", "hooks").env("PYTHONPATH", root().join("crates/lookalike-server/conformance"));
    run(tests.current_dir(&folder))
}
