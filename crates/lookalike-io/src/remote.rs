//! Inputs and outputs in object stores (`s3://`, `gs://`, `az://`) and inputs behind `https://`.
//!
//! Records are read twice, once to be compared and once to be written, so objects are copied to temporary files and read there:
//! what was compared is then what is written, whatever happens in the store meanwhile, and no reader has to know of networks.
//! Outputs are written to temporary files and uploaded when they are published. Reading ranges out of the store instead would
//! spare the disk and cost a request a record.
//!
//! ```text
//! address   RemoteUrl   store, key, pattern
//! stores    Transfers   connections, and what stores say in a line
//! fetch     Fetched     objects, folders and patterns as local files
//! upload    Upload      files on their way to their keys
//! ```
//!
//! All of this but the addresses is behind the feature `remote`: without it a URL is refused.

mod address;
#[cfg(feature = "remote")]
mod fetch;
#[cfg(feature = "remote")]
mod stores;
#[cfg(feature = "remote")]
mod upload;
#[cfg(not(feature = "remote"))]
mod without;

pub use address::url_covers;
pub(crate) use address::{RemoteUrl, is_url};
#[cfg(feature = "remote")]
pub(crate) use fetch::fetch;
#[cfg(feature = "remote")]
pub(crate) use upload::{Upload, UploadTarget};
#[cfg(not(feature = "remote"))]
pub(crate) use without::{Upload, UploadTarget, fetch};

use std::path::PathBuf;

/// An object that was copied to a temporary file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedObject {
    /// Its URL.
    pub url: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// By which its store tells versions apart, if it does.
    pub e_tag: Option<String>,
    /// When it was changed last, in seconds since 1970 (UTC).
    pub modified: i64,
}

/// What a URL named, here.
#[derive(Debug)]
pub(crate) struct Fetched {
    /// Its own URL.
    pub(crate) url: PathBuf,
    /// The copy.
    pub(crate) file: PathBuf,
    /// Where its records go below an output folder.
    pub(crate) output_name: PathBuf,
    /// Whether it is a folder.
    pub(crate) is_folder: bool,
}

/// All that was fetched for some URLs.
#[derive(Debug, Default)]
pub(crate) struct FetchedAll {
    /// By URL.
    pub(crate) fetched: Vec<Vec<Fetched>>,
    /// The objects, by URL.
    pub(crate) objects: Vec<CopiedObject>,
    /// Hidden objects in folders, which were not copied.
    pub(crate) passed_over: u64,
}
