//! Finished files on their way to their keys.
//!
//! An object appears whole or not at all: that is what stores promise of a PUT, and of an upload in parts when it is completed.
//! No store promises it of several objects. So all that can fail for long is done before the first one appears: the parts of
//! large objects are at the store then, under no name, and only short requests remain.

use super::address::{RemoteUrl, StoreKind};
use super::stores::{Transfers, location, open, refused};
use crate::error::{Error, Result};
use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::{NamedTempFile, TempDir};
use walkdir::WalkDir;

/// Parts of this size, or larger ones where there would be too many; what is not larger goes in one piece.
const PART_BYTES: u64 = 8 << 20;
const MOST_PARTS: u64 = 9000;
/// Requests at the same time.
const MOST_TRANSFERS: usize = 4;

/// Where a file or folder is to be uploaded.
#[derive(Debug)]
pub(crate) struct UploadTarget {
    url: RemoteUrl,
    store: Arc<dyn ObjectStore>,
    transfers: Transfers,
}

impl UploadTarget {
    /// A place for one object. The store is asked for it, so that one that cannot be reached is known before any work.
    ///
    /// # Errors
    /// [`Error::OutputIsFolder`], [`Error::Store`].
    pub(crate) fn file(url: RemoteUrl) -> Result<Self> {
        if url.is_folder() {
            return Err(Error::OutputIsFolder { path: url.path() });
        }
        let target = Self::open(url)?;
        match target.transfers.wait(target.store.head(&location(&target.url)?)) {
            // A store may hide what is there, and still take new objects.
            Ok(_) | Err(object_store::Error::NotFound { .. } | object_store::Error::PermissionDenied { .. }) => {
                Ok(target)
            }
            Err(error) => Err(refused("write", &target.url, &error)),
        }
    }

    /// A place for a folder of objects, where there are none.
    ///
    /// # Errors
    /// [`Error::OutputExists`], [`Error::Store`].
    pub(crate) fn folder(url: RemoteUrl) -> Result<Self> {
        let target = Self::open(url)?;
        let place = location(&target.url)?;
        let mut found = target.store.list(Some(&place));
        match target.transfers.wait(found.next()) {
            None => Ok(target),
            Some(Ok(_)) => Err(Error::OutputExists { path: target.url.path() }),
            Some(Err(error)) => Err(refused("list", &target.url, &error)),
        }
    }

    fn open(url: RemoteUrl) -> Result<Self> {
        if url.kind == StoreKind::Http {
            return Err(Error::Url { url: url.text(), message: "outputs go to s3://, gs:// or az://, not to http(s)" });
        }
        Ok(Self { store: open(&url)?, url, transfers: Transfers::new()? })
    }

    /// An upload of one file.
    pub(crate) fn of_file(self, file: NamedTempFile) -> Upload {
        Upload { target: self, local: Local::File(file), objects: Vec::new() }
    }

    /// An upload of all files of a folder.
    pub(crate) fn of_folder(self, folder: TempDir) -> Upload {
        Upload { target: self, local: Local::Folder(folder), objects: Vec::new() }
    }
}

#[derive(Debug)]
enum Local {
    File(NamedTempFile),
    Folder(TempDir),
}

/// Complete local files that have not got their keys yet. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Upload {
    target: UploadTarget,
    local: Local,
    /// In the order of their keys; filled by [`Self::stage`].
    objects: Vec<Object>,
}

#[derive(Debug)]
struct Object {
    url: RemoteUrl,
    file: PathBuf,
    /// All parts are at the store, under no name.
    parts: Option<Box<dyn MultipartUpload>>,
}

impl Upload {
    /// Uploads what is large, without giving it its name.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Io`].
    pub(crate) fn stage(&mut self) -> Result<()> {
        self.objects = self.files()?;
        let UploadTarget { store, transfers, .. } = &self.target;
        transfers.wait(async {
            for object in &mut self.objects {
                let io = |source| Error::io("upload", &object.url.path(), source);
                let file = File::open(&object.file).map_err(io)?;
                let bytes = file.metadata().map_err(io)?.len();
                if bytes > PART_BYTES {
                    let begun = store.put_multipart(&location(&object.url)?).await;
                    let upload = object.parts.insert(begun.map_err(|error| refused("write", &object.url, &error))?);
                    upload_parts(upload.as_mut(), file, bytes, &object.url).await?;
                }
            }
            Ok(())
        })
    }

    /// Gives all objects their names.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Io`]; objects of a folder may have appeared then, and the message says how many.
    pub(crate) fn publish(mut self) -> Result<()> {
        let (mut written, all) = (0, self.objects.len());
        let UploadTarget { store, transfers, .. } = &self.target;
        let objects = self.objects.iter_mut();
        let published = transfers.wait(async {
            let mut running = stream::iter(objects).map(|object| object.publish(store)).buffered(MOST_TRANSFERS);
            while let Some(outcome) = running.next().await {
                outcome?;
                written += 1;
            }
            Ok(())
        });
        match published {
            Err(Error::Store { action, url, message }) if written > 0 => {
                let message = format!("{message}; {written} of {all} objects of this output are written already");
                Err(Error::Store { action, url, message })
            }
            other => other,
        }
    }

    /// The files that are to become objects.
    fn files(&self) -> Result<Vec<Object>> {
        let url = &self.target.url;
        let folder = match &self.local {
            Local::File(file) => {
                return Ok(vec![Object { url: url.clone(), file: file.path().to_owned(), parts: None }]);
            }
            Local::Folder(folder) => folder.path(),
        };
        let mut objects = Vec::new();
        for entry in WalkDir::new(folder).sort_by_file_name() {
            let entry = entry.map_err(|error| Error::io("upload", &url.path(), error.into()))?;
            if entry.file_type().is_file() {
                let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path());
                objects.push(Object { url: url.below(&key_of(relative)), file: entry.path().to_owned(), parts: None });
            }
        }
        Ok(objects)
    }
}

impl Drop for Upload {
    /// Parts without a name cost money until somebody removes them.
    fn drop(&mut self) {
        for upload in self.objects.iter_mut().filter_map(|object| object.parts.as_mut()) {
            let _ = self.target.transfers.wait(upload.abort());
        }
    }
}

impl Object {
    async fn publish(&mut self, store: &Arc<dyn ObjectStore>) -> Result<()> {
        let Self { url, file, parts } = self;
        let failed = |error: object_store::Error| refused("write", url, &error);
        if let Some(upload) = parts {
            upload.complete().await.map_err(failed)?;
            *parts = None;
        } else {
            let bytes = fs::read(file).map_err(|source| Error::io("upload", &url.path(), source))?;
            store.put(&location(url)?, PutPayload::from(bytes)).await.map_err(failed)?;
        }
        Ok(())
    }
}

/// Uploads all of a file in parts, a few at a time.
async fn upload_parts(upload: &mut dyn MultipartUpload, mut file: File, bytes: u64, url: &RemoteUrl) -> Result<()> {
    let part_bytes = PART_BYTES.max(bytes.div_ceil(MOST_PARTS));
    let failed = |error: object_store::Error| refused("write", url, &error);
    let mut running = FuturesUnordered::new();
    loop {
        let mut part = Vec::new();
        let read = (&mut file).take(part_bytes).read_to_end(&mut part);
        read.map_err(|source| Error::io("upload", &url.path(), source))?;
        if part.is_empty() {
            break;
        }
        running.push(upload.put_part(PutPayload::from(part)));
        if running.len() == MOST_TRANSFERS {
            running.try_next().await.map_err(failed)?;
        }
    }
    running.try_collect::<()>().await.map_err(failed)
}

/// A relative path with the slashes of keys.
fn key_of(relative: &Path) -> String {
    let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}
