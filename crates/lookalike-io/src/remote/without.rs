//! The stand-in for object stores in a build without the feature `remote`: every URL is an error.

use super::address::RemoteUrl;
use super::object::FetchedAll;
use crate::ground::details::UrlFault;
use crate::ground::{Error, Result, Selection};
use std::path::Path;
use tempfile::{NamedTempFile, TempDir};

fn refuse<T>(url: &RemoteUrl) -> Result<T> {
    Err(Error::Url { url: url.text(), fault: UrlFault::NotBuilt })
}

pub(crate) fn fetch(
    urls: &[RemoteUrl],
    _folder: &Path,
    _selection: &Selection,
    _goes_on: &dyn Fn() -> bool,
) -> Result<FetchedAll> {
    urls.first().map_or_else(|| Ok(FetchedAll::default()), refuse)
}

/// Never constructed.
#[derive(Debug)]
pub(crate) struct UploadTarget(());

impl UploadTarget {
    pub(crate) fn file(url: RemoteUrl) -> Result<Self> {
        refuse(&url)
    }

    pub(crate) fn folder(url: RemoteUrl) -> Result<Self> {
        refuse(&url)
    }

    pub(crate) fn of_file(self, _file: NamedTempFile) -> Upload {
        Upload(self)
    }

    pub(crate) fn of_folder(self, _folder: TempDir) -> Upload {
        Upload(self)
    }
}

/// Never constructed.
#[derive(Debug)]
pub(crate) struct Upload(UploadTarget);

impl Upload {
    pub(crate) fn stage(&mut self) -> Result<()> {
        Ok(())
    }

    pub(crate) fn publish(self) -> Result<()> {
        let UploadTarget(()) = self.0;
        Ok(())
    }
}
