//! Configuration of a server.

use crate::access::AccessTokens;
use lookalike::index::Durability;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Configuration of a server.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder of the index.
    pub index: PathBuf,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Names under which it is asked, beside those of the machine itself; of a server on loopback no other is answered.
    pub hosts: Vec<String>,
    /// Other origins whose pages may ask, as `https://example.org`; its own page may in any case.
    pub origins: Vec<String>,
    /// Who may read and write.
    pub tokens: AccessTokens,
    /// Rights of clients on loopback without a token.
    pub reading: LoopbackAccess,
    /// The certificate and its key; `None` for plain HTTP.
    pub tls: Option<TlsFiles>,
    /// Limits of requests.
    pub limits: ServerLimits,
    /// Threads that answer questions.
    pub threads: NonZeroUsize,
    /// Durability of acknowledged changes.
    pub durability: Durability,
}

/// Rights of clients on loopback without a token; elsewhere a token is needed in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LoopbackAccess {
    /// Every client on this machine.
    #[default]
    Open,
    /// No client: a proxy on this machine brings requests of others.
    WithToken,
}

/// Files for TLS, in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, and those that lead to its root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Limits of requests and clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerLimits {
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Bytes of all that is in flight: bodies, and answers that are not taken yet. A client has half of them at most.
    /// The work on large bodies has twelve times `body_bytes` more.
    pub memory_bytes: usize,
    /// Time from the first byte of a request to its answer.
    pub request_time: Duration,
    /// Time for the headers of a request, from the end of the last one on, and for the handshake of TLS.
    pub header_time: Duration,
    /// Time in which nothing of a body comes, or next to nothing of an answer is taken.
    pub idle_time: Duration,
    /// Questions that wait for a thread, quick ones and others each; more are refused, and half of them of one client.
    /// As many changes wait.
    pub queued: NonZeroUsize,
    /// Open connections; of more the one goes that has been idle for longest. An address has three quarters at most.
    pub connections: NonZeroUsize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            body_bytes: 16 << 20,
            memory_bytes: 512 << 20,
            request_time: Duration::from_secs(30),
            header_time: Duration::from_secs(15),
            idle_time: Duration::from_secs(60),
            queued: NonZeroUsize::MIN.saturating_add(127),
            connections: NonZeroUsize::MIN.saturating_add(4095),
        }
    }
}

impl Config {
    /// A server of an index on loopback, for reading.
    pub fn new(index: PathBuf, listen: SocketAddr) -> Self {
        Self {
            index,
            listen,
            hosts: Vec::new(),
            origins: Vec::new(),
            tokens: AccessTokens::default(),
            reading: LoopbackAccess::default(),
            tls: None,
            limits: ServerLimits::default(),
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            durability: Durability::default(),
        }
    }
}
