//! The server: a stored index, asked and changed over HTTP, with a page for people.
//!
//! ```text
//! problem    why a request was not answered
//! config     settings of a server
//! memory     the memory for bodies, the work on them, and answers
//! access     tokens; the hosts and origins that requests name
//! metrics    numbers for Prometheus
//! work       questions and changes on threads of their own
//! state      what all requests share
//! body       JSON, lines of JSON, Arrow
//! guard      what happens to every request before and behind its route
//! routes     the interface, and its document
//! listen     sockets, TLS, connections, a graceful stop
//! ```
//!
//! It is safe as it is started: on loopback, and not to be asked by pages of other sites; nothing is changed without a
//! token; what a request may take of time, memory and turns is limited, and who comes when all is taken is told to come
//! again (429), not put into a queue without end.

mod access;
mod body;
mod config;
mod guard;
mod listen;
mod memory;
mod metrics;
mod problem;
mod routes;
mod state;
mod work;

pub use access::{AccessRights, AccessTokens, TokenError};
pub use config::{Config, LoopbackAccess, ServerLimits, TlsFiles};
pub use listen::{Server, log_to_stderr, stop_signal};
pub use routes::app;
pub use state::{App, StartError};
