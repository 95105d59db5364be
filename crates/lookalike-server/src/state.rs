//! State that all requests share.

use crate::access::{AccessTokens, Client, Origins};
use crate::config::{Config, LoopbackAccess, ServerLimits};
use crate::memory::{Memory, Permit, Workspace};
use crate::metrics::Metrics;
use crate::problem::HttpProblem;
use crate::work::{Surveys, WorkerPool, WriterThread};
use lookalike::index::{self, Index, IndexWriter};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// State that all requests share.
#[derive(Debug)]
pub struct App {
    pub(crate) index: Index,
    pub(crate) pool: WorkerPool,
    /// `None` if no token allows to write: then another process may.
    pub(crate) writer: Option<WriterThread>,
    pub(crate) surveys: Arc<Surveys>,
    pub(crate) tokens: AccessTokens,
    pub(crate) origins: Origins,
    /// True if who asks without a token may read.
    pub(crate) is_open: bool,
    /// The memory for what is in flight.
    pub(crate) memory: Arc<Memory>,
    /// The memory for the work on large requests.
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) limits: ServerLimits,
    pub(crate) metrics: Metrics,
    /// Names this start of the server in the ids of requests.
    pub(crate) run: u64,
    pub(crate) requests: AtomicU64,
    is_stopping: AtomicBool,
    /// True while the index of another writer cannot be read anew: it may be about to be restored.
    is_stale: AtomicBool,
    /// Time of the last look at the disk, and its result.
    looked: Mutex<Option<(Instant, bool)>>,
}

/// Time for which a look at the disk counts.
const LOOK: Duration = Duration::from_secs(1);

/// Time for questions that are still worked on at the end.
const END: Duration = Duration::from_secs(2);

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// A server that others can reach, without tokens.
    #[error("a server at {listen} that others can reach needs tokens")]
    NoTokens {
        /// The address to listen on.
        listen: std::net::SocketAddr,
    },
    /// The system refuses.
    #[error("cannot {action}")]
    Io {
        /// The refused action.
        action: String,
        /// The cause.
        source: std::io::Error,
    },
    /// A certificate or key cannot be used.
    #[error("cannot use {}: {reason}", path.display())]
    Tls {
        /// The file.
        path: std::path::PathBuf,
        /// The reason.
        reason: String,
    },
}

impl App {
    /// Opens the index and starts the threads.
    ///
    /// # Errors
    /// [`StartError`]; the index is in use if another process writes to it, and a token allows to write here.
    pub fn start(config: &Config) -> Result<Self, StartError> {
        let is_open = config.listen.ip().is_loopback() && config.reading == LoopbackAccess::Open;
        if !is_open && config.tokens == AccessTokens::default() {
            return Err(StartError::NoTokens { listen: config.listen });
        }
        let limits = config.limits;
        let start = |source| StartError::Io { action: "start a thread".to_owned(), source };
        let (index, writer) = if config.tokens.allow(crate::access::AccessRights::Write) {
            let writer = IndexWriter::open(&config.index, config.durability)?;
            if writer.torn_bytes() > 0 {
                tracing::warn!(bytes = writer.torn_bytes(), "cut an interrupted write off the log");
            }
            (writer.index(), Some(WriterThread::start(writer, limits.queued.get()).map_err(start)?))
        } else {
            let index = Index::open(&config.index)?;
            if index.torn_bytes() > 0 {
                tracing::warn!(bytes = index.torn_bytes(), "the log ends with an interrupted write");
            }
            (index, None)
        };
        let pool = WorkerPool::start(&index, config.threads, limits.queued).map_err(start)?;
        Ok(Self {
            pool,
            writer,
            surveys: Arc::default(),
            tokens: config.tokens.clone(),
            origins: Origins::new(config.listen.ip(), &config.hosts, &config.origins),
            is_open,
            memory: Memory::new(&limits),
            workspace: Workspace::new(&limits),
            limits,
            metrics: Metrics::default(),
            run: run_number(),
            requests: AtomicU64::new(0),
            is_stopping: AtomicBool::new(false),
            is_stale: AtomicBool::new(false),
            looked: Mutex::default(),
            index,
        })
    }

    /// Waits in line for memory for the work on a large request; whoever waited for half of its time is told to come
    /// again.
    pub(crate) async fn permit(&self, client: Client, bytes: usize) -> Result<Permit, HttpProblem> {
        let permit = self.workspace.permit(client, bytes, self.limits.request_time / 2).await;
        permit.ok_or_else(HttpProblem::full)
    }

    /// Takes notice of what another process has changed, if this one does not write.
    pub(crate) fn refresh(&self) {
        if self.writer.is_some() {
            return;
        }
        let refreshed = self.index.refresh();
        self.is_stale.store(refreshed.is_err(), Ordering::Relaxed);
        if let Err(error) = refreshed {
            tracing::error!(cause = %error, "the index cannot be read anew");
        }
    }

    /// Marks the server as not ready for more.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Checks that questions and changes are answered.
    ///
    /// # Errors
    /// Why they are not.
    pub(crate) async fn check_ready(&self) -> Result<(), HttpProblem> {
        if self.is_stopping.load(Ordering::Relaxed) {
            return Err(HttpProblem::stopping());
        }
        if self.is_stale.load(Ordering::Relaxed) {
            return Err(HttpProblem::unavailable(
                "the index cannot be read as it is now; the log of the server says why",
            ));
        }
        let Some(writer) = &self.writer else { return Ok(()) };
        if writer.is_broken() {
            return Err(HttpProblem::broken());
        }
        let last = *self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let can_change = match last.filter(|(at, _)| at.elapsed() < LOOK) {
            Some((_, can_change)) => can_change,
            None => {
                let checked = writer.run(|writer| Ok(writer.check_disk().inspect_err(tell_disk).is_ok())).await;
                // A server with many changes before this look makes changes.
                let can_change = checked.unwrap_or_else(|problem| problem == HttpProblem::full());
                *self.looked.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), can_change));
                can_change
            }
        };
        if can_change { Ok(()) } else { Err(HttpProblem::unavailable("nothing can be changed now; the log says why")) }
    }

    /// Makes the changes that wait, and ends the threads. Questions that are still worked on nobody waits for.
    pub fn finish(&self) {
        if let Some(writer) = &self.writer {
            writer.finish();
        }
        self.pool.finish(END);
    }
}

fn tell_disk(error: &index::Error) {
    tracing::error!(cause = %error, "the index cannot be changed");
}

/// A number that no other start has, most likely.
fn run_number() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}
