//! The thread that changes the index.
//!
//! ```text
//! edits, insertions --a queue--> all that wait, at most GROUP --> one commit, one sync --> a reply each
//! ```
//!
//! So one sync serves all that came while the last one ran, and two equal texts that are inserted at the same moment
//! are decided one after the other. A reply means that the change is durable. Each request is checked before it joins a
//! group: what is wrong with it is the answer to it, and to no other one.

use crate::memory::Permit;
use crate::problem::{HttpProblem, Result};
use async_channel::{Receiver, Sender, TrySendError};
use lookalike::Measure;
use lookalike::index::{Change, IndexDocument, IndexWriter, Inserted};
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// Changes that are committed together at most.
const GROUP: usize = 512;

/// A document that comes, in place of one with the same id, or goes.
#[derive(Debug, PartialEq)]
pub(crate) enum Edit {
    Put(IndexDocument),
    Delete(String),
}

impl Edit {
    /// The document that comes.
    fn put(&self) -> Option<&IndexDocument> {
        match self {
            Self::Put(document) => Some(document),
            Self::Delete(_) => None,
        }
    }
}

/// A document that comes unless another is near.
#[derive(Debug)]
pub(crate) struct QueuedInsertion {
    pub(crate) document: IndexDocument,
    /// The measure of the index, or one with a higher threshold.
    pub(crate) measure: Measure,
    /// The memory of the document.
    pub(crate) held: Option<Permit>,
}

type Bulk = Box<dyn FnOnce(&mut IndexWriter) + Send>;

/// True for each edit whose id was there before.
type Edited = Vec<bool>;

/// Edits of a request. Whoever waits for them may go; their memory is counted until they are made.
#[derive(Debug)]
pub(crate) struct Edits {
    pub(crate) edits: Vec<Edit>,
    /// The memory of the documents.
    pub(crate) held: Option<Permit>,
}

enum Request {
    /// Edits that are made all or not at all.
    Edits(Edits, oneshot::Sender<Result<Edited>>),
    Insert(Box<QueuedInsertion>, oneshot::Sender<Result<Inserted>>),
    Bulk(Bulk),
}

/// The thread that changes the index, and the queue before it.
#[derive(Debug)]
pub(crate) struct WriterThread {
    queue: Sender<Request>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// True if nothing is changed until the index is opened again: after an error of the disk, or a panic.
    is_broken: Arc<AtomicBool>,
}

impl WriterThread {
    /// Starts the thread.
    pub(crate) fn start(writer: IndexWriter, queued: usize) -> std::io::Result<Self> {
        let (queue, requests) = async_channel::bounded(queued);
        let is_broken = Arc::<AtomicBool>::default();
        let of_thread = Arc::clone(&is_broken);
        let work = move || write(&requests, writer, &of_thread);
        let thread = thread::Builder::new().name("changes".to_owned()).spawn(work)?;
        Ok(Self { queue, thread: Mutex::new(Some(thread)), is_broken })
    }

    /// Changes that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// True if nothing is changed any more until the server is started again.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// Makes edits, all or none.
    pub(crate) async fn edit(&self, edits: Edits) -> Result<Edited> {
        let (reply, answer) = oneshot::channel();
        self.send(Request::Edits(edits, reply))?;
        answered(answer).await
    }

    /// Adds a document unless another is near.
    pub(crate) async fn insert(&self, insertion: QueuedInsertion) -> Result<Inserted> {
        let (reply, answer) = oneshot::channel();
        self.send(Request::Insert(Box::new(insertion), reply))?;
        answered(answer).await
    }

    /// Does work with the writer itself.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut IndexWriter) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        let work: Bulk = Box::new(move |writer| {
            // Whoever waited may have gone; the change is made.
            let _ = reply.send(work(writer));
        });
        self.send(Request::Bulk(work))?;
        answered(answer).await
    }

    fn send(&self, request: Request) -> Result<()> {
        self.queue.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => HttpProblem::full(),
            TrySendError::Closed(_) if self.is_broken() => HttpProblem::broken(),
            TrySendError::Closed(_) => HttpProblem::stopping(),
        })
    }

    /// Makes the changes that wait, and ends the thread.
    pub(crate) fn finish(&self) {
        self.queue.close();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A panic was logged when it happened.
        let _ = thread.map(JoinHandle::join);
    }
}

async fn answered<T>(answer: oneshot::Receiver<Result<T>>) -> Result<T> {
    answer.await.map_err(|_| HttpProblem::fault(&"a change ended in a panic"))?
}

fn write(requests: &Receiver<Request>, writer: IndexWriter, is_broken: &AtomicBool) {
    let mut writer = ManuallyDrop::new(writer);
    while let Ok(first) = requests.recv_blocking() {
        let mut group = vec![first];
        while group.len() < GROUP
            && let Ok(next) = requests.try_recv()
        {
            group.push(next);
        }
        let is_whole = catch_unwind(AssertUnwindSafe(|| make(group, &mut writer))).is_ok();
        if !is_whole {
            // What the writer holds may not be what the files say: nothing is built on it, not even by dropping it.
            is_broken.store(true, Ordering::Relaxed);
            requests.close();
            while requests.try_recv().is_ok() {}
            return;
        }
        is_broken.store(writer.is_closed(), Ordering::Relaxed);
    }
    drop(ManuallyDrop::into_inner(writer));
}

/// Makes the changes of a group: consecutive ones of a kind together.
fn make(group: Vec<Request>, writer: &mut IndexWriter) {
    let mut edits = Vec::new();
    let mut insertions = Vec::new();
    for request in group {
        match request {
            Request::Edits(some, reply) => {
                insert_all(&mut insertions, writer);
                edits.push((some, reply));
            }
            Request::Insert(insertion, reply) => {
                edit_all(&mut edits, writer);
                let measure = insertion.measure;
                if insertions.first().is_some_and(|(first, _): &(QueuedInsertion, _)| first.measure != measure) {
                    insert_all(&mut insertions, writer);
                }
                insertions.push((*insertion, reply));
            }
            Request::Bulk(work) => {
                edit_all(&mut edits, writer);
                insert_all(&mut insertions, writer);
                work(writer);
            }
        }
    }
    edit_all(&mut edits, writer);
    insert_all(&mut insertions, writer);
}

type Pending<T, A> = Vec<(T, oneshot::Sender<Result<A>>)>;

fn edit_all(pending: &mut Pending<Edits, Edited>, writer: &mut IndexWriter) {
    let pending = std::mem::take(pending);
    if pending.is_empty() {
        return;
    }
    let view = writer.index().view();
    let mut check = match writer.group_check() {
        Ok(check) => check,
        Err(error) => {
            let problem = HttpProblem::from(error);
            return pending.into_iter().for_each(|(_, reply)| answer(reply, Err(problem.clone())));
        }
    };
    // What became of ids in this group.
    let mut known: HashMap<String, bool> = HashMap::new();
    let mut changes = Vec::new();
    let mut replies = Vec::new();
    let mut all_held = Vec::new();
    for (Edits { edits, held }, reply) in pending {
        if let Err(error) = check.add(edits.iter().filter_map(Edit::put)) {
            answer(reply, Err(error.into()));
            continue;
        }
        let mut edited = Vec::with_capacity(edits.len());
        for edit in edits {
            let (change, is_there) = match edit {
                Edit::Put(document) => (Change::Put(document), true),
                Edit::Delete(id) => (Change::Delete(id), false),
            };
            let id = change.id().to_owned();
            let was_there = known.insert(id, is_there).unwrap_or_else(|| view.find(change.id()).is_some());
            edited.push(was_there);
            // There is nothing to delete of what is not there.
            if is_there || was_there {
                changes.push(change);
            }
        }
        replies.push((edited, reply));
        all_held.push(held);
    }
    let made = if changes.is_empty() { Ok(()) } else { writer.commit(changes) };
    drop(all_held);
    let failed = made.err().map(HttpProblem::from);
    for (edited, reply) in replies {
        answer(reply, failed.clone().map_or(Ok(edited), Err));
    }
}

/// Answers a request; whoever waited may have gone.
fn answer<T>(reply: oneshot::Sender<Result<T>>, answer: Result<T>) {
    let _ = reply.send(answer);
}

fn insert_all(pending: &mut Pending<QueuedInsertion, Inserted>, writer: &mut IndexWriter) {
    let Some(measure) = pending.first().map(|(insertion, _)| insertion.measure) else { return };
    let mut check = writer.group_check().map_err(HttpProblem::from);
    let mut documents = Vec::new();
    let mut replies = Vec::new();
    let mut all_held = Vec::new();
    for (QueuedInsertion { document, held, .. }, reply) in std::mem::take(pending) {
        let checked = check.as_mut().map_err(|problem| problem.clone());
        match checked.and_then(|check| check.add([&document]).map_err(HttpProblem::from)) {
            Ok(()) => {
                documents.push(document);
                replies.push(reply);
                all_held.push(held);
            }
            Err(problem) => answer(reply, Err(problem)),
        }
    }
    if documents.is_empty() {
        return;
    }
    let added = writer.add_unless_near(documents, measure);
    drop(all_held);
    match added {
        Ok(inserted) => {
            replies.into_iter().zip(inserted).for_each(|(reply, inserted)| answer(reply, Ok(inserted)));
        }
        Err(error) => {
            let problem = HttpProblem::from(error);
            replies.into_iter().for_each(|reply| answer(reply, Err(problem.clone())));
        }
    }
}
