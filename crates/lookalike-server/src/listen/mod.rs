//! Sockets: connections in, TLS, and the end.
//!
//! ```text
//! accept -> Connections (a slot; the longest idle one goes if there are too many) -> PacedStream (cut if it stands
//! still) -> TLS -> HTTP/1 with a time for headers -> routes
//! ```

mod connections;
mod server;
mod streams;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
mod tls;

pub use server::{Server, stop_signal};

use crate::body::is_reading_a_stream;
use tracing::level_filters::LevelFilter;

/// Writes what happens to standard error, a JSON object a line, from now on; `level` is `info`, `warn` or `error`. Of a
/// panic only the place is logged from then on. False if the log is written already, or there is no such level.
pub fn log_to_stderr(level: &str) -> bool {
    let Ok(level) = level.parse::<LevelFilter>() else { return false };
    let log = tracing_subscriber::fmt().json().flatten_event(true).with_target(false).with_current_span(false);
    let is_first = log.with_span_list(false).with_max_level(level).with_writer(std::io::stderr).try_init().is_ok();
    if is_first {
        // What a panic says may quote a text: only its place is logged.
        std::panic::set_hook(Box::new(|panic| {
            if is_reading_a_stream() {
                return;
            }
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            tracing::error!(place, "a thread met a panic");
        }));
    }
    is_first
}
