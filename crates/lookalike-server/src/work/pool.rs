//! Threads that answer questions.

use crate::problem::{Problem, Result};
use async_channel::{Receiver, Sender, TrySendError};
use lookalike::Progress;
use lookalike::index::Index;
use lookalike::live::Asker;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};

type Work = Box<dyn FnOnce(&mut Asker) + Send>;

/// Threads that answer questions, and the queue before them.
#[derive(Debug)]
pub(crate) struct Pool {
    queue: Sender<Work>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Parts of batches that may wait at a time: one for each thread, so that there is room for single questions.
    batches: Semaphore,
}

/// Somebody who waits for an answer, or does not any more: then the work is cancelled.
struct Waiting<'a, T>(&'a oneshot::Sender<Result<T>>);

impl<T: Send> Progress for Waiting<'_, T> {
    fn is_cancelled(&self) -> bool {
        self.0.is_closed()
    }
}

/// What becomes of a question if the queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is refused.
    Refused,
    /// It waits: it belongs to a request of which a part was answered.
    Waits,
}

impl Pool {
    /// Starts the threads.
    pub(crate) fn start(index: &Index, threads: NonZeroUsize, queued: NonZeroUsize) -> std::io::Result<Self> {
        let (queue, work) = async_channel::bounded::<Work>(queued.get());
        let start = |number| {
            let (work, index) = (work.clone(), index.clone());
            thread::Builder::new().name(format!("question-{number}")).spawn(move || answer(&work, &index))
        };
        let batches = Semaphore::new(threads.get());
        let threads = Mutex::new((0..threads.get()).map(start).collect::<std::io::Result<_>>()?);
        Ok(Self { queue, threads, batches })
    }

    /// Questions that wait for a thread.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Does work on one of the threads, which is cancelled when nobody waits for it any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        admission: Admission,
        work: impl FnOnce(&mut Asker, &dyn Progress) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        let work: Work = Box::new(move |asker| {
            if !reply.is_closed() {
                let told = work(asker, &Waiting(&reply));
                // Whoever waited may have gone since.
                let _ = reply.send(told);
            }
        });
        let _turn = match admission {
            Admission::Refused => None,
            Admission::Waits => Some(self.batches.acquire().await.map_err(|_| Problem::stopping())?),
        };
        match admission {
            Admission::Refused => self.queue.try_send(work).map_err(|error| match error {
                TrySendError::Full(_) => Problem::full(),
                TrySendError::Closed(_) => Problem::stopping(),
            })?,
            Admission::Waits => self.queue.send(work).await.map_err(|_| Problem::stopping())?,
        }
        answer.await.map_err(|_| Problem::fault(&"a question ended in a panic"))?
    }

    /// Ends the threads, and waits for them as long as `time`: what they answer nobody waits for.
    pub(crate) fn finish(&self, time: Duration) {
        self.queue.close();
        let end = Instant::now() + time;
        for thread in self.threads.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            while !thread.is_finished() && Instant::now() < end {
                thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

fn answer(work: &Receiver<Work>, index: &Index) {
    let mut asker = Asker::new(index);
    while let Ok(work) = work.recv_blocking() {
        if catch_unwind(AssertUnwindSafe(|| work(&mut asker))).is_err() {
            // Its buffers may be in any state.
            asker = Asker::new(index);
        }
    }
}
