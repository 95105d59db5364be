//! A server that listens.

use super::connections::{ConnectionSlot, Connections};
use super::streams::{PacedStream, SharedStream};
use super::tls::Acceptor;
use crate::access::Peer;
use crate::config::{Config, ServerLimits};
use crate::routes::app;
use crate::state::{App, StartError};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

/// Bytes of the headers of a request.
const HEADER_BYTES: usize = 64 << 10;
/// Headers of a request.
const MAX_HEADERS: usize = 64;
/// An index that another process writes to is read anew so often.
const REFRESH: Duration = Duration::from_secs(5);
/// Time that a request may take beside its own, to be sent and to be answered.
const SLACK: Duration = Duration::from_secs(5);
/// Time for answers to a peer that sends no more, which may be gone.
const AFTER_THE_END: Duration = Duration::from_secs(2);
/// Files that are open beside connections: those of the index, of temporary folders.
const OTHER_FILES: u64 = 512;

/// A server that listens, and answers nobody yet.
#[derive(Debug)]
pub struct Server {
    app: App,
    listener: std::net::TcpListener,
    tls: Option<Acceptor>,
}

impl Server {
    /// Opens the index, and listens.
    ///
    /// # Errors
    /// [`StartError`]: the index cannot be used, the address is taken, a file cannot be read.
    pub fn bind(config: &Config) -> Result<Self, StartError> {
        let tls = config.tls.as_ref().map(Acceptor::new).transpose()?;
        let io = |action: String| move |source| StartError::Io { action, source };
        let listener =
            std::net::TcpListener::bind(config.listen).map_err(io(format!("listen on {}", config.listen)))?;
        listener.set_nonblocking(true).map_err(io(format!("listen on {}", config.listen)))?;
        let app = App::start(config)?;
        Ok(Self { app, listener, tls })
    }

    /// The address that it listens on, also if the port was left to the system.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// True if it answers by TLS alone.
    pub fn has_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// Answers until `stop` ends; then finishes what was accepted, and makes the changes that wait.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn run(self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let Self { app: state, listener, tls } = self;
        let state = Arc::new(state);
        runtime.block_on(serve(Arc::clone(&state), listener, tls, stop))?;
        runtime.shutdown_timeout(Duration::from_secs(1));
        state.finish();
        Ok(())
    }
}

/// Ends when the process is told to stop: by SIGTERM, or Ctrl-C. From the second time on it ends at once.
pub async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            tokio::spawn(async move {
                tokio::select! {
                    _ = terminated.recv() => {}
                    _ = tokio::signal::ctrl_c() => {}
                }
                // Acknowledged changes are on the disk.
                std::process::exit(130);
            });
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// State that all connections share.
#[derive(Clone)]
struct Serving {
    router: Router,
    limits: ServerLimits,
    tls: Option<Acceptor>,
    /// Changes when the server stops.
    stopping: watch::Receiver<bool>,
}

async fn serve(
    state: Arc<App>,
    listener: std::net::TcpListener,
    tls: Option<Acceptor>,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let limits = state.limits;
    let connections = Connections::new(limits.connections.get().min(file_limit()));
    let (stop_all, stopping) = watch::channel(false);
    let serving = Serving { router: app(&state), limits, tls, stopping };
    let mut open = JoinSet::new();
    let mut refresh = tokio::time::interval(REFRESH);
    let mut stop = std::pin::pin!(stop);
    // Signals are waited for before the first connection is: `select` looks in any order.
    let mut is_stopped = poll_fn(|context| Poll::Ready(stop.as_mut().poll(context).is_ready())).await;
    while !is_stopped {
        tokio::select! {
            () = &mut stop => is_stopped = true,
            _ = refresh.tick() => {
                let state = Arc::clone(&state);
                tokio::task::spawn_blocking(move || state.refresh());
            }
            Some(_) = open.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => {
                    // One that nobody has a place for is closed.
                    if let Some(slot) = connections.open(address.ip()) {
                        open.spawn(connection(stream, Peer(address.ip()), slot, serving.clone()));
                    }
                }
                Err(error) => {
                    tracing::warn!(cause = %error, "a connection cannot be accepted");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        }
        state.metrics.connections.set(i64::try_from(connections.count()).unwrap_or(i64::MAX));
    }
    drop(listener);
    state.stop();
    // Nobody hears it if there is no connection.
    let _ = stop_all.send(true);
    let all = async { while open.join_next().await.is_some() {} };
    if timeout(limits.request_time, all).await.is_err() {
        tracing::warn!(connections = connections.count(), "connections were cut to stop");
    }
    open.shutdown().await;
    Ok(())
}

async fn connection(stream: TcpStream, peer: Peer, slot: ConnectionSlot, serving: Serving) {
    // Without it answers wait for more to be sent with them.
    let _ = stream.set_nodelay(true);
    let limits = &serving.limits;
    let (stream, look) = SharedStream::new(stream);
    // While an answer is made nothing comes, for as long as a request may take.
    let stream = PacedStream::new(stream, limits.idle_time.max(limits.request_time + SLACK), limits.idle_time);
    let slot = Arc::new(slot);
    let served = async {
        match serving.tls.clone() {
            None => serve_http(stream, peer, &slot, &serving).await,
            Some(acceptor) => {
                if let Ok(Ok(stream)) = timeout(serving.limits.header_time, acceptor.accept(stream)).await {
                    serve_http(stream, peer, &slot, &serving).await;
                }
            }
        }
    };
    let evicted = async {
        loop {
            slot.evicted().await;
            if slot.is_idle() {
                return;
            }
        }
    };
    let left_alone = async {
        look.closed().await;
        sleep(AFTER_THE_END).await;
    };
    tokio::select! {
        () = served => {}
        () = evicted => {}
        () = left_alone => {}
    }
}

async fn serve_http(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: Peer,
    slot: &Arc<ConnectionSlot>,
    serving: &Serving,
) {
    let service = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        slot.becomes_busy();
        let router = serving.router.clone();
        let slot = Arc::clone(slot);
        async move {
            let Ok(answered) = router.oneshot(request).await;
            Ok::<_, Infallible>(answered.map(|body| Sent { body, slot }))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        // Who sends no more may wait for an answer.
        .half_close(true)
        .header_read_timeout(serving.limits.header_time)
        .max_headers(MAX_HEADERS)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let mut stopping = serving.stopping.clone();
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopping.wait_for(|stops| *stops) => connection.as_mut().graceful_shutdown(),
    }
    // What was accepted is answered; whatever ends it, it is over.
    let _ = connection.await;
}

/// The body of an answer: the connection is idle again when it was sent, or given up.
struct Sent {
    body: Body,
    slot: Arc<ConnectionSlot>,
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.slot.becomes_idle();
    }
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Connections for which the system has files, after it was asked for as many as it gives.
fn file_limit() -> usize {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
            let wanted = hard.min(1 << 20);
            // Without more there are fewer connections.
            let _ = setrlimit(Resource::RLIMIT_NOFILE, wanted, hard);
        }
        let given = getrlimit(Resource::RLIMIT_NOFILE).map_or(1024, |(soft, _)| soft);
        usize::try_from(given.saturating_sub(OTHER_FILES)).unwrap_or(usize::MAX).max(64)
    }
    #[cfg(not(unix))]
    {
        usize::MAX
    }
}
