//! Copies of objects, folders and patterns as local files.
//!
//! ```text
//! folder/0/2025/news/a.jsonl     copy of s3://bucket/2025/news/a.jsonl: store 0, key below it
//! ```
//!
//! Keys become paths below one folder per store, so that folders of objects are local folders, and the text files of
//! one folder become one source.

use super::address::{KeyPattern, RemoteUrl, StoreKind};
use super::object::{CopiedObject, Fetched, FetchedAll};
use super::stores::{OpenStores, Transfers, location, open, refused};
use crate::base::details::{Action, UrlFault};
use crate::base::{Error, FileSelection, Result, SkippedCounts};
use futures_util::{StreamExt, TryStreamExt, stream};
use lookalike_core::counted;
use lookalike_core::hash::hash_token;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Number of concurrent requests.
const MAX_TRANSFERS: usize = 4;

/// Copies the objects that the URLs name and the selection takes to `folder`, as long as `goes_on` returns true.
///
/// # Errors
/// [`Error::Cancelled`]; [`Error::Store`] if an object is missing or the store refuses; [`Error::Io`] if a copy cannot
/// be written.
pub(crate) fn fetch(
    urls: &[RemoteUrl],
    folder: &Path,
    selection: &FileSelection,
    goes_on: &dyn Fn() -> bool,
) -> Result<FetchedAll> {
    let mut all = FetchedAll::default();
    if urls.is_empty() {
        return Ok(all);
    }
    let transfers = Transfers::new()?;
    let stores = OpenStores::new();
    let copies = BTreeMap::new();
    let skipped_counts = SkippedCounts::default();
    let mut plan = FetchPlan { folder, selection, stores, copies, skipped_counts };
    transfers.wait(async {
        for url in urls {
            all.fetched.push(plan.resolve(url).await?);
        }
        all.skipped_counts = plan.skipped_counts;
        let copies = stream::iter(plan.copies).map(|(file, copy)| copy.run(file, goes_on));
        all.objects = copies.buffered(MAX_TRANSFERS).try_collect().await?;
        Ok(all)
    })
}

/// The objects to be copied.
struct FetchPlan<'a> {
    folder: &'a Path,
    selection: &'a FileSelection,
    stores: OpenStores,
    /// Copies by local file, so that an object that several URLs name is copied once.
    copies: BTreeMap<PathBuf, ObjectCopy>,
    skipped_counts: SkippedCounts,
}

impl FetchPlan<'_> {
    /// Finds the objects that a URL names and adds them to the plan.
    async fn resolve(&mut self, url: &RemoteUrl) -> Result<Vec<Fetched>> {
        if url.kind == StoreKind::Http {
            let is_several = url.is_folder() || url.key.contains('*');
            let fault = UrlFault::Unlisted;
            return if is_several { Err(Error::Url { url: url.text(), fault }) } else { Ok(vec![self.object(url)?]) };
        }
        if let Some(folder) = url.whole_folder() {
            let keys = self.list(&folder).await?;
            if keys.is_empty() {
                return Err(Error::NoMatch { path: url.path() });
            }
            let found = self.add_folder(&folder, keys)?;
            return Ok(vec![Fetched { output_name: PathBuf::new(), ..found }]);
        }
        if let Some((folder, pattern)) = url.pattern() {
            let folder = url.with_key(folder);
            let mut fitting = Vec::new();
            let excluded = self.skipped_counts.excluded;
            for key in self.list(&folder).await?.into_iter().filter(|key| pattern.matches(key)) {
                let relative = key.strip_prefix(&folder.key).unwrap_or(&key).trim_start_matches('/');
                if self.takes(&folder, relative, &pattern) {
                    fitting.push(Fetched { output_name: relative.into(), ..self.object(&url.with_key(&key))? });
                }
            }
            let is_nothing = fitting.is_empty() && self.skipped_counts.excluded == excluded;
            return if is_nothing { Err(Error::NoMatch { path: url.path() }) } else { Ok(fitting) };
        }
        let missing = if url.is_folder() { None } else { self.missing(url).await? };
        match missing {
            None if !url.is_folder() => Ok(vec![self.object(url)?]),
            missing => {
                let keys = self.list(url).await?;
                match missing {
                    Some(error) if keys.is_empty() => Err(error),
                    _ => Ok(vec![self.add_folder(url, keys)?]),
                }
            }
        }
    }

    fn store(&mut self, url: &RemoteUrl) -> Result<(usize, Arc<dyn ObjectStore>)> {
        if let Some(known) = self.stores.get(&url.base) {
            return Ok(known.clone());
        }
        let new = (self.stores.len(), open(url)?);
        self.stores.insert(url.base.clone(), new.clone());
        Ok(new)
    }

    /// The error for a missing object; `None` if it exists.
    async fn missing(&mut self, url: &RemoteUrl) -> Result<Option<Error>> {
        let (_, store) = self.store(url)?;
        match store.head(&location(url)?).await {
            Ok(_) => Ok(None),
            Err(error @ object_store::Error::NotFound { .. }) => Ok(Some(refused(Action::Read, url, &error))),
            Err(error) => Err(refused(Action::Read, url, &error)),
        }
    }

    /// The keys below a folder, sorted, without the empty objects that mark folders.
    async fn list(&mut self, url: &RemoteUrl) -> Result<Vec<String>> {
        let (_, store) = self.store(url)?;
        let found: std::result::Result<Vec<ObjectMeta>, _> = store.list(Some(&location(url)?)).try_collect().await;
        let mut found = found.map_err(|error| refused(Action::List, url, &error))?;
        found.sort_by(|left, right| left.location.cmp(&right.location));
        let is_marker = |object: &ObjectMeta| {
            let below = format!("{}/", object.location);
            object.size == 0 && found.iter().any(|other| other.location.as_ref().starts_with(&below))
        };
        Ok(found.iter().filter(|object| !is_marker(object)).map(|object| object.location.to_string()).collect())
    }

    /// A single object.
    fn object(&mut self, url: &RemoteUrl) -> Result<Fetched> {
        let file = self.add(url)?;
        Ok(Fetched { url: url.path(), file, output_name: PathBuf::from(url.name()), is_folder: false })
    }

    /// Returns whether the object with the key `relative` below a folder is read; counts it otherwise. A pattern may
    /// name hidden ones.
    fn takes(&mut self, folder: &RemoteUrl, relative: &str, pattern: &KeyPattern) -> bool {
        let is_excluded = self.selection.excludes_member(&folder.path(), Path::new(relative));
        let is_hidden = !is_excluded && relative.split('/').any(|part| part.starts_with('.') && !pattern.names(part));
        self.skipped_counts.excluded += u64::from(is_excluded);
        self.skipped_counts.hidden += u64::from(is_hidden);
        !is_excluded && !is_hidden
    }

    /// A folder with all its objects but the hidden ones.
    fn add_folder(&mut self, url: &RemoteUrl, keys: Vec<String>) -> Result<Fetched> {
        for key in keys {
            let relative = key.strip_prefix(url.folder()).unwrap_or(&key).trim_start_matches('/');
            if self.takes(url, relative, &KeyPattern::default()) {
                self.add(&url.with_key(&key))?;
            }
        }
        let file = self.local(url)?;
        fs::create_dir_all(&file).map_err(|source| Error::io(Action::Copy, &url.path(), source))?;
        Ok(Fetched { url: url.path(), file, output_name: PathBuf::from(url.name()), is_folder: true })
    }

    /// Adds an object to the plan; returns the path of its copy.
    fn add(&mut self, url: &RemoteUrl) -> Result<PathBuf> {
        let (_, store) = self.store(url)?;
        let file = self.local(url)?;
        self.copies.insert(file.clone(), ObjectCopy { url: url.clone(), store });
        Ok(file)
    }

    /// The path of the copy of a key. A key with `..` or the like is refused, because it could lead out of the folder.
    fn local(&mut self, url: &RemoteUrl) -> Result<PathBuf> {
        let (number, _) = self.store(url)?;
        let key = Path::new(url.folder());
        if !key.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(Error::Url { url: url.text(), fault: UrlFault::NoPath });
        }
        Ok(self.folder.join(number.to_string()).join(key))
    }
}

/// An object to be copied.
struct ObjectCopy {
    url: RemoteUrl,
    store: Arc<dyn ObjectStore>,
}

impl ObjectCopy {
    async fn run(self, file: PathBuf, goes_on: &dyn Fn() -> bool) -> Result<CopiedObject> {
        let Self { url, store } = self;
        let io = |source| Error::io(Action::Copy, &url.path(), source);
        let failed = |error: object_store::Error| refused(Action::Read, &url, &error);
        let found = store.get(&location(&url)?).await.map_err(failed)?;
        let ObjectMeta { size, e_tag, last_modified, .. } = found.meta.clone();
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(io)?;
        }
        // `create_new`, because on file systems that ignore case one copy could replace another.
        let mut copy = OpenOptions::new().write(true).create_new(true).open(&file).map_err(io)?;
        let mut stream = found.into_stream();
        let mut bytes = 0;
        while let Some(received) = stream.next().await {
            let received = received.map_err(failed)?;
            copy.write_all(&received).map_err(io)?;
            bytes += received.len() as u64;
            if !goes_on() {
                return Err(Error::Cancelled);
            }
        }
        if bytes != size {
            let message = format!("{} came of {size}", counted(bytes, "byte"));
            return Err(Error::Store { action: Action::Read, url: url.text(), message });
        }
        copy.set_modified(time_of_version(last_modified.timestamp(), e_tag.as_deref())).map_err(io)?;
        Ok(CopiedObject { url: url.text(), bytes, e_tag, modified: last_modified.timestamp() })
    }
}

/// A modification time that identifies a version of an object: copies of one version by different runs have the same
/// state, copies of different versions differ. The seconds are the store's time of the last change, the nanoseconds a
/// hash of its tag.
fn time_of_version(modified_seconds: i64, e_tag: Option<&str>) -> SystemTime {
    let seconds = u64::try_from(modified_seconds).unwrap_or(0);
    let tag = e_tag.map_or(0, |tag| hash_token(tag.as_bytes()));
    SystemTime::UNIX_EPOCH + Duration::new(seconds, (tag % 1_000_000_000) as u32)
}
