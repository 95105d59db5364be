//! A server that a page starts: a command with `&` at its end. It listens on a port that is free, and what the page
//! asks at its port is asked there. It ends with the session.

use super::console::Shown;
use crate::common::Sandbox;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Address at which the server of the pages listens.
const SHOWN: &str = "8080";

/// A server that runs.
pub(super) struct Served {
    child: Child,
    port: String,
}

impl Served {
    /// Starts what the command says; `None` for one that is no server.
    pub(super) fn start(sandbox: &Sandbox, shown: &Shown) -> Option<Self> {
        let command = shown.command.strip_suffix(" &")?;
        let arguments = command.strip_prefix("lookalike serve ").unwrap().split(' ');
        let mut program = Command::new(env!("CARGO_BIN_EXE_lookalike"));
        program.arg("serve").args(arguments).args(["--listen", "127.0.0.1:0"]).current_dir(sandbox.path(""));
        let mut child = program.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim_end().rsplit(':').next().unwrap().to_owned();
        assert_eq!(vec![line.trim_end().replace(&port, SHOWN)], shown.lines, "{command}");
        Some(Self { child, port })
    }

    /// The command, asking at the port of this server.
    pub(super) fn at_port(&self, shown: &Shown) -> Shown {
        let command = shown.command.replace(&format!("localhost:{SHOWN}"), &format!("localhost:{}", self.port));
        Shown { command, lines: shown.lines.clone() }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
