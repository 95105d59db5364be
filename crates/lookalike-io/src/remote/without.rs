//! The stand-in for object stores in a build without the feature `remote`: every URL is an error.

use super::address::RemoteUrl;
use super::object::FetchedAll;
use crate::base::details::UrlFault;
use crate::base::{Error, FileSelection, Result};
use std::convert::Infallible;
use std::path::Path;
use tempfile::{NamedTempFile, TempDir};

fn refuse<T>(url: &RemoteUrl) -> Result<T> {
    Err(Error::Url { url: url.text(), fault: UrlFault::NotBuilt })
}

pub(crate) fn fetch(
    urls: &[RemoteUrl],
    _folder: &Path,
    _selection: &FileSelection,
    _goes_on: &dyn Fn() -> bool,
) -> Result<FetchedAll> {
    urls.first().map_or_else(|| Ok(FetchedAll::default()), refuse)
}

/// Never constructed: every URL is refused.
#[derive(Debug)]
pub(crate) struct UploadTarget(Infallible);

impl UploadTarget {
    pub(crate) fn file(url: RemoteUrl) -> Result<Self> {
        refuse(&url)
    }

    pub(crate) fn folder(url: RemoteUrl) -> Result<Self> {
        refuse(&url)
    }

    pub(crate) fn of_file(self, _file: NamedTempFile) -> Upload {
        match self.0 {}
    }

    pub(crate) fn of_folder(self, _folder: TempDir) -> Upload {
        match self.0 {}
    }
}

/// Never constructed: every URL is refused.
#[derive(Debug)]
pub(crate) struct Upload(Infallible);

impl Upload {
    pub(crate) fn stage(&mut self) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn publish(self) -> Result<()> {
        match self.0 {}
    }
}
