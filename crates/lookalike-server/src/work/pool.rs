//! Threads that answer questions, and the queue before them.

use super::turns::{Cost, Turns};
use crate::access::Client;
use crate::problem::{HttpProblem, Result};
use lookalike::Progress;
use lookalike::ask::Asker;
use lookalike::index::Index;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};

type PoolTask = Box<dyn FnOnce(&mut Asker) + Send>;

/// Threads that answer questions, and the queue before them. One more than is asked for answers quick ones only.
pub(crate) struct WorkerPool {
    queue: Arc<Turns<PoolTask>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Parts of batches that may wait at a time: one for each thread, so that there is room for single questions.
    batches: Semaphore,
}

/// Somebody who waits for an answer, or does not any more: then the work is cancelled.
struct Requester<'a, T>(&'a oneshot::Sender<Result<T>>);

impl<T: Send> Progress for Requester<'_, T> {
    fn is_cancelled(&self) -> bool {
        self.0.is_closed()
    }
}

/// Place of a work item in its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// The first of a request, which is refused if the queue is full.
    First(Cost),
    /// One of a request of which a part was answered: it waits.
    Next,
}

impl WorkerPool {
    /// Starts the threads.
    pub(crate) fn start(index: &Index, threads: NonZeroUsize, queued: NonZeroUsize) -> std::io::Result<Self> {
        let queue = Arc::new(Turns::new(queued.get()));
        let start = |number: usize| {
            let queue = Arc::clone(&queue);
            let index = index.clone();
            let next = if number == 0 { Turns::next_quick } else { Turns::next_of_any };
            let work = move || answer(&index, || next(&queue));
            thread::Builder::new().name(format!("question-{number}")).spawn(work)
        };
        let batches = Semaphore::new(threads.get());
        let threads = Mutex::new((0..=threads.get()).map(start).collect::<std::io::Result<_>>()?);
        Ok(Self { queue, threads, batches })
    }

    /// Questions that wait for a thread.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Does work on one of the threads, which is cancelled when nobody waits for it any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Client,
        admission: Admission,
        work: impl FnOnce(&mut Asker, &dyn Progress) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        let is_costly = admission != Admission::First(Cost::Quick);
        let work: PoolTask = Box::new(move |asker| {
            if !reply.is_closed() {
                let result = work(asker, &Requester(&reply));
                if is_costly {
                    // The buffers have the size of the largest text that they held.
                    *asker = Asker::new(&asker.index().clone());
                }
                // Whoever waited may have gone since.
                let _ = reply.send(result);
            }
        });
        let mut turn = None;
        match admission {
            Admission::First(cost) => self.queue.push(client, cost, work)?,
            Admission::Next => {
                turn = Some(self.batches.acquire().await.map_err(|_| HttpProblem::stopping())?);
                self.queue.push_next_part(client, work)?;
            }
        }
        let answered = answer.await.map_err(|_| HttpProblem::fault(&"a question ended in a panic"))?;
        drop(turn);
        answered
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

impl std::fmt::Debug for WorkerPool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pool").field("waiting", &self.waiting()).finish_non_exhaustive()
    }
}

fn answer(index: &Index, next: impl Fn() -> Option<PoolTask>) {
    let mut asker = Asker::new(index);
    while let Some(work) = next() {
        if catch_unwind(AssertUnwindSafe(|| work(&mut asker))).is_err() {
            // Its buffers may be in any state.
            asker = Asker::new(index);
        }
    }
}
