//! A server of an index, for tests from outside.

use crate::run::{command, root, run};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that runs, until it is dropped.
pub(crate) struct ServerProcess {
    process: Child,
    /// Host and port.
    pub(crate) address: String,
}

impl ServerProcess {
    /// Makes an index in an empty folder, of a file and with the flags of `index create`, and starts a server of it;
    /// what the server says later is printed.
    pub(crate) fn start(folder: &Path, file: &str, flags: &[&str], tokens: &str) -> Result<Self> {
        let command = command()?;
        let create = ["index", "create", "test.idx", file, "--quiet", "--store-texts"];
        run(Command::new(&command).args(create).args(flags).current_dir(folder))?;
        fs::write(folder.join("tokens"), tokens)?;
        let serve = ["serve", "test.idx", "--tokens", "tokens", "--listen", "127.0.0.1:0", "--log", "errors"];
        let mut process = Command::new(&command).args(serve).current_dir(folder).stderr(Stdio::piped()).spawn()?;
        let words = process.stderr.take().context("no standard error")?;
        let mut server = Self { process, address: String::new() };
        let mut lines = BufReader::new(words).lines();
        let first = lines.next().context("the server says nothing")??;
        first.rsplit('/').next().unwrap_or_default().clone_into(&mut server.address);
        ensure!(server.address.starts_with("127.0.0.1:"), "the server says {first}");
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| println!("the server: {line}")));
        Ok(server)
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A folder below `target`, without what an earlier run has left.
pub(crate) fn empty_folder(name: &str) -> Result<std::path::PathBuf> {
    let folder = root().join("target").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
