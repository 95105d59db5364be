//! Complete files on their way to their keys.
//!
//! An object appears whole or not at all: stores guarantee this for a PUT and for the completion of a multipart upload,
//! but not for several objects. So all parts of large objects are uploaded before the first object appears, and only
//! short requests remain that may fail after it.

use super::address::{RemoteUrl, StoreKind};
use super::stores::{Transfers, location, open, refused};
use crate::base::details::{Action, UrlFault};
use crate::base::{EntryAdmission, Error, FileSelection, Located, Result, Walk, WalkDepth};
use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt, TryStreamExt, stream};
use lookalike_core::{counted, printed_path};
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::{NamedTempFile, TempDir};

/// Minimum size of the parts of an upload; smaller objects are uploaded by one PUT.
const PART_BYTES: u64 = 8 << 20;
const MAX_PARTS: u64 = 9000;
/// Number of concurrent requests.
const MAX_TRANSFERS: usize = 4;

/// The destination of a file or folder.
#[derive(Debug)]
pub(crate) struct UploadTarget {
    url: RemoteUrl,
    store: Arc<dyn ObjectStore>,
    transfers: Transfers,
}

impl UploadTarget {
    /// The destination of one object. A request checks that the store can be reached before any work is done.
    ///
    /// # Errors
    /// [`Error::OutputIsFolder`], [`Error::Store`].
    pub(crate) fn file(url: RemoteUrl) -> Result<Self> {
        if url.is_folder() {
            return Err(Error::OutputIsFolder { path: url.path() });
        }
        let target = Self::open(url)?;
        match target.transfers.wait(target.store.head(&location(&target.url)?)) {
            // Credentials may allow writing and forbid reading.
            Ok(_) | Err(object_store::Error::NotFound { .. } | object_store::Error::PermissionDenied { .. }) => {
                Ok(target)
            }
            Err(error) => Err(refused(Action::Write, &target.url, &error)),
        }
    }

    /// The destination of a folder of objects, which must be empty.
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
            Some(Err(error)) => Err(refused(Action::List, &target.url, &error)),
        }
    }

    fn open(url: RemoteUrl) -> Result<Self> {
        if url.kind == StoreKind::Http {
            return Err(Error::Url { url: url.text(), fault: UrlFault::ReadOnly });
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

/// Complete local files before they are published. Dropping it removes them and uploaded parts.
#[derive(Debug)]
pub(crate) struct Upload {
    target: UploadTarget,
    local: Local,
    /// Objects in the order of their keys; filled by [`Self::stage`].
    objects: Vec<Object>,
}

#[derive(Debug)]
struct Object {
    url: RemoteUrl,
    file: PathBuf,
    /// A multipart upload with all parts uploaded, to be completed.
    parts: Option<Box<dyn MultipartUpload>>,
}

impl Upload {
    /// Uploads the parts of large files.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Io`].
    pub(crate) fn stage(&mut self) -> Result<()> {
        self.objects = self.files()?;
        let UploadTarget { store, transfers, .. } = &self.target;
        transfers.wait(async {
            for object in &mut self.objects {
                let io = |source| Error::io(Action::Upload, &object.url.path(), source);
                let file = File::open(&object.file).map_err(io)?;
                let bytes = file.metadata().map_err(io)?.len();
                if bytes > PART_BYTES {
                    let begun = store.put_multipart(&location(&object.url)?).await;
                    let upload =
                        object.parts.insert(begun.map_err(|error| refused(Action::Write, &object.url, &error))?);
                    upload_parts(upload.as_mut(), file, bytes, &object.url).await?;
                }
            }
            Ok(())
        })
    }

    /// Makes all objects appear.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Io`]; the message says how many objects of a folder have appeared.
    pub(crate) fn publish(mut self) -> Result<()> {
        let mut written = 0;
        let all = self.objects.len();
        let UploadTarget { store, transfers, .. } = &self.target;
        let objects = self.objects.iter_mut();
        let published = transfers.wait(async {
            let mut running = stream::iter(objects).map(|object| object.publish(store)).buffered(MAX_TRANSFERS);
            while let Some(outcome) = running.next().await {
                outcome?;
                written += 1;
            }
            Ok(())
        });
        match published {
            Err(Error::Store { action, url, message }) if written > 0 => {
                let message = format!(
                    "{message}; written already: {written} of {} of this output",
                    counted(all as u64, "object")
                );
                Err(Error::Store { action, url, message })
            }
            other => other,
        }
    }

    /// The files with their destinations.
    fn files(&self) -> Result<Vec<Object>> {
        let url = &self.target.url;
        let folder = match &self.local {
            Local::File(file) => {
                return Ok(vec![Object { url: url.clone(), file: file.path().to_owned(), parts: None }]);
            }
            Local::Folder(folder) => folder.path(),
        };
        let mut objects = Vec::new();
        for entry in
            Walk::new(Located::in_place(folder), WalkDepth::All, &FileSelection::default(), |_| EntryAdmission::Taken)
        {
            let entry = entry?;
            if entry.is_file {
                objects.push(Object { url: url.below(&key_of(&entry.relative)), file: entry.path, parts: None });
            }
        }
        Ok(objects)
    }
}

impl Drop for Upload {
    /// Aborts multipart uploads: stores charge for their parts until they are removed.
    fn drop(&mut self) {
        for upload in self.objects.iter_mut().filter_map(|object| object.parts.as_mut()) {
            let _ = self.target.transfers.wait(upload.abort());
        }
    }
}

impl Object {
    async fn publish(&mut self, store: &Arc<dyn ObjectStore>) -> Result<()> {
        let Self { url, file, parts } = self;
        let failed = |error: object_store::Error| refused(Action::Write, url, &error);
        if let Some(upload) = parts {
            upload.complete().await.map_err(failed)?;
            *parts = None;
        } else {
            let bytes = fs::read(file).map_err(|source| Error::io(Action::Upload, &url.path(), source))?;
            store.put(&location(url)?, PutPayload::from(bytes)).await.map_err(failed)?;
        }
        Ok(())
    }
}

/// Uploads a file in parts, [`MAX_TRANSFERS`] at a time.
async fn upload_parts(upload: &mut dyn MultipartUpload, mut file: File, bytes: u64, url: &RemoteUrl) -> Result<()> {
    let part_bytes = PART_BYTES.max(bytes.div_ceil(MAX_PARTS));
    let failed = |error: object_store::Error| refused(Action::Write, url, &error);
    let mut running = FuturesUnordered::new();
    loop {
        let mut part = Vec::new();
        let read = (&mut file).take(part_bytes).read_to_end(&mut part);
        read.map_err(|source| Error::io(Action::Upload, &url.path(), source))?;
        if part.is_empty() {
            break;
        }
        running.push(upload.put_part(PutPayload::from(part)));
        if running.len() == MAX_TRANSFERS {
            running.try_next().await.map_err(failed)?;
        }
    }
    running.try_collect::<()>().await.map_err(failed)
}

/// A relative path as a key, with `/` on every system.
fn key_of(relative: &Path) -> String {
    let parts: Vec<_> = relative.iter().map(|part| printed_path(Path::new(part))).collect();
    parts.join("/")
}
