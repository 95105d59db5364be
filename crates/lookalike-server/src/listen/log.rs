//! The log: a JSON object a line, to standard error.

use crate::body::is_reading_a_stream;
use tracing_subscriber::EnvFilter;

/// Writes what happens to standard error, a JSON object a line, from now on; `filter` is one of tracing-subscriber, as
/// `info` or `warn`. Of a panic
/// only the place is told from then on. False if the log is written already, or the filter cannot be used.
pub fn log_to_stderr(filter: &str) -> bool {
    let Ok(filter) = EnvFilter::try_new(filter) else { return false };
    let log = tracing_subscriber::fmt().json().flatten_event(true).with_target(false).with_current_span(false);
    let is_first = log.with_span_list(false).with_env_filter(filter).with_writer(std::io::stderr).try_init().is_ok();
    if is_first {
        // What a panic says may quote a text: only its place is told.
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
