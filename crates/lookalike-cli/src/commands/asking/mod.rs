//! What is asked about single documents: `search`, `index` for what is asked often, and `serve` for who asks over HTTP.

mod index;
mod search;
#[cfg_attr(not(feature = "server"), path = "no_server.rs")]
mod serve;

pub(crate) use index::{IndexArgs, run as run_index};
pub(crate) use search::{QueryArgs, run as run_search};
pub(crate) use serve::{ServeArgs, run as run_serve};
