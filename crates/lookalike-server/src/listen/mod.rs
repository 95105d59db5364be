//! Sockets: connections in, TLS, and the end.
//!
//! ```text
//! accept -> Connections (a slot; the longest idle one goes if there are too many) -> PacedStream (cut if it stands
//! still) -> TLS -> HTTP/1 with a time for headers -> routes
//! ```

mod connections;
mod log;
mod paced;
mod server;
mod shared;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
mod tls;

pub use log::log_to_stderr;
pub use server::{Server, stop_signal};
