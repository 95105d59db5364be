//! `lookalike serve`: an index, asked over HTTP.

use super::index::durabilities;
use crate::args::{local_name, one_of, record_size, threads, top};
use crate::messages::Voice;
use crate::outcome::ExitStatus;
use anyhow::{Context, Result, ensure};
use bytesize::ByteSize;
use clap::Args;
use lookalike::index::Durability;
use lookalike_server::{
    AccessRights, AccessTokens, Config, LoopbackAccess, Server, ServerLimits, StartError, TlsFiles, log_to_stderr,
    stop_signal,
};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `lookalike serve`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike serve news.idx
  lookalike serve news.idx --tokens tokens.txt
  curl -d '{\"text\": \"The harbour stays closed\"}' -H 'Content-Type: application/json' localhost:8080/v1/search",
    after_long_help = "\
On loopback, which is the default, everybody on this machine may ask, and pages of other sites may not. To change the \
index takes a token of --tokens, and elsewhere than on loopback to ask takes one, too. The page is at /, the interface \
is described at /openapi.json, numbers for Prometheus are at /metrics. SIGTERM and Ctrl-C finish what was accepted; \
every change that was answered is there after kill -9, too.

Examples:
  lookalike serve news.idx
  lookalike serve news.idx --tokens tokens.txt          lines: read TOKEN, write TOKEN
  lookalike serve news.idx --listen 0.0.0.0:443 --tokens tokens.txt --tls-cert cert.pem --tls-key key.pem
  curl -d '{\"text\": \"The harbour stays closed\"}' -H 'Content-Type: application/json' localhost:8080/v1/search"
)]
pub(crate) struct ServeArgs {
    /// Folder of the index
    #[arg(value_name = "IDX", value_parser = local_name())]
    index: PathBuf,
    /// Address and port; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", help_heading = "Access")]
    listen: SocketAddr,
    /// File of tokens, lines of read TOKEN or write TOKEN [default: none, so nothing is changed]
    ///
    /// Tokens have 16 characters at least: letters, digits and -._~+/=. Clients send Authorization: Bearer TOKEN.
    #[arg(long, value_name = "FILE", help_heading = "Access")]
    tokens: Option<PathBuf>,
    /// Ask for a token to read on loopback, too
    ///
    /// For a proxy on this machine, which brings requests of others.
    #[arg(long, hide_short_help = true, requires = "tokens", help_heading = "Access")]
    require_token: bool,
    /// Names under which it is asked [default: those of this machine]
    ///
    /// On loopback localhost, 127.0.0.1 and ::1 are answered, and these; elsewhere any, unless some are given.
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Access")]
    host: Vec<String>,
    /// Other sites whose pages may ask, as SCHEME://NAME [default: none]
    #[arg(long, hide_short_help = true, value_name = "ORIGIN", value_delimiter = ',', help_heading = "Access")]
    origin: Vec<String>,
    /// Certificate for TLS, with those that lead to its root, PEM [default: none, plain HTTP]
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = "Access")]
    tls_cert: Option<PathBuf>,
    /// Private key of the certificate, PEM [default: none]
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Access")]
    tls_key: Option<PathBuf>,
    /// Threads that answer questions [default: all processors]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Limits")]
    threads: Option<NonZeroUsize>,
    /// Questions that wait; more are refused with 429
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerLimits::default().queued,
        value_parser = top,
        help_heading = "Limits"
    )]
    queue: NonZeroUsize,
    /// Largest body
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = record_size, help_heading = "Limits")]
    max_body: ByteSize,
    /// Longest time of a request, in seconds
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value = "30", help_heading = "Limits")]
    max_time: NonZeroUsize,
    /// Open connections; of more the longest idle one is closed
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value_t = ServerLimits::default().connections,
        value_parser = top,
        help_heading = "Limits"
    )]
    connections: NonZeroUsize,
    /// Event that an acknowledged change survives: the loss of power, or the end of the process
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WHAT",
        default_value = "power",
        value_parser = durabilities(),
        hide_possible_values = true,
        help_heading = "Limits"
    )]
    durability: Durability,
    /// Detail of the log: requests, warnings, or errors
    ///
    /// A JSON object a line to standard error. It tells route, status and time of a request, nothing of a document.
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "requests",
        hide_possible_values = true,
        help_heading = "Run",
        value_parser = one_of([
            ("requests", "Every request", "info"),
            ("warnings", "What is unusual", "warn"),
            ("errors", "Faults", "error"),
        ])
    )]
    log: &'static str,
}

/// Runs the command.
pub(crate) fn run(args: &ServeArgs, voice: Voice) -> Result<ExitStatus> {
    let config = args.config()?;
    let can_change = config.tokens.allow(AccessRights::Write);
    let server = Server::bind(&config).map_err(|error| match error {
        // The words and the next step are those of other commands that need an index.
        StartError::Index(error) => lookalike::Error::Index(error).into(),
        other => anyhow::Error::from(other),
    })?;
    ensure!(log_to_stderr(args.log), "the log is written already");
    let address = server.address().context("cannot tell the address")?;
    let scheme = if server.has_tls() { "https" } else { "http" };
    let remark = if can_change { "" } else { " (no token to write: nothing is changed)" };
    voice.say(format_args!("listening on {scheme}://{address}{remark}"));
    server.run(stop_signal()).context("the server ended")?;
    Ok(ExitStatus::Done)
}

impl ServeArgs {
    fn config(&self) -> Result<Config> {
        let tokens = self.tokens.as_deref().map(AccessTokens::from_file).transpose()?.unwrap_or_default();
        let files = self.tls_cert.clone().zip(self.tls_key.clone());
        let limits = ServerLimits {
            body_bytes: usize::try_from(self.max_body.as_u64()).unwrap_or(usize::MAX),
            request_time: Duration::from_secs(self.max_time.get() as u64),
            queued: self.queue,
            connections: self.connections,
            ..ServerLimits::default()
        };
        let config = Config::new(self.index.clone(), self.listen);
        Ok(Config {
            hosts: self.host.clone(),
            origins: self.origin.clone(),
            tokens,
            reading: if self.require_token { LoopbackAccess::WithToken } else { LoopbackAccess::Open },
            tls: files.map(|(certificate, key)| TlsFiles { certificate, key }),
            limits,
            threads: self.threads.unwrap_or(config.threads),
            durability: self.durability,
            ..config
        })
    }
}
