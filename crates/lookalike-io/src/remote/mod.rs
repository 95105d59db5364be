//! Inputs and outputs in object stores (`s3://`, `gs://`, `az://`) and inputs from `https://`.
//!
//! Records are read twice, once to be compared and once to be written, so objects are copied to temporary files and
//! read there: the records that are written are those that were compared, even if the store changes meanwhile, and
//! readers need no network code. Outputs are written to temporary files and uploaded when they are published. Reading
//! ranges from the store instead would save the disk space and cost a request per record.
//!
//! ```text
//! address   RemoteUrl   store, key, pattern
//! stores    Transfers   connections, and errors of stores as one line
//! fetch     Fetched     objects, folders and patterns as local files
//! upload    Upload      complete files on their way to their keys
//! ```
//!
//! Everything but the addresses needs the feature `remote`: without it a URL is refused.
//!
//! A `Source` knows both the URL (`path`) and the copy (`file`), whose name keeps the shape of the key. All that is
//! asynchronous stays in this module, on one thread.

mod address;
#[cfg(feature = "remote")]
mod fetch;
mod object;
#[cfg(feature = "remote")]
mod stores;
#[cfg(feature = "remote")]
mod upload;
#[cfg(not(feature = "remote"))]
mod without;

pub(crate) use address::{RemoteUrl, is_url};
pub use address::{local_path, url_covers};
#[cfg(feature = "remote")]
pub(crate) use fetch::fetch;
pub(crate) use object::{CopiedObject, Fetched};
#[cfg(feature = "remote")]
pub(crate) use upload::{Upload, UploadTarget};
#[cfg(not(feature = "remote"))]
pub(crate) use without::{Upload, UploadTarget, fetch};
