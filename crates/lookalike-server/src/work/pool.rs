//! Threads that answer questions.

use crate::problem::{Problem, Result};
use async_channel::{Receiver, Sender, TrySendError};
use lookalike::index::Index;
use lookalike::live::Asker;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

type Work = Box<dyn FnOnce(&mut Asker) + Send>;

/// Threads that answer questions, and the queue before them.
#[derive(Debug)]
pub(crate) struct Pool {
    queue: Sender<Work>,
    threads: Vec<JoinHandle<()>>,
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
        let threads = (0..threads.get()).map(start).collect::<std::io::Result<_>>()?;
        Ok(Self { queue, threads })
    }

    /// Questions that wait for a thread.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Does work on one of the threads, unless whoever waits for it has gone meanwhile.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        admission: Admission,
        work: impl FnOnce(&mut Asker) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        let work: Work = Box::new(move |asker| {
            if !reply.is_closed() {
                // Whoever waited may have gone since.
                let _ = reply.send(work(asker));
            }
        });
        match admission {
            Admission::Refused => self.queue.try_send(work).map_err(|error| match error {
                TrySendError::Full(_) => Problem::full(),
                TrySendError::Closed(_) => Problem::stopping(),
            })?,
            Admission::Waits => self.queue.send(work).await.map_err(|_| Problem::stopping())?,
        }
        answer.await.map_err(|_| Problem::fault(&"a question ended in a panic"))?
    }

    /// Answers what waits, and ends the threads.
    pub(crate) fn finish(self) {
        self.queue.close();
        for thread in self.threads {
            // A panic was told when it happened.
            let _ = thread.join();
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
