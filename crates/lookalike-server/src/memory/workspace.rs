//! The memory for the work on large requests: parsing a body, and what is made of it until the answer is there.
//!
//! A request takes a permit for all that it may need before its work begins, so one that has begun never waits for
//! memory. Permits are given in order, to each client in turn; the first in line waits only for those that have begun,
//! and nobody overtakes it. So bodies that have come whole are parsed one after the other, however many there are:
//! had they grown in the memory for bodies, all could wait for each other.
//!
//! ```text
//! in line   a: 192 MiB, 192 MiB   b: 12 MiB      given a, b, a
//! ```

use crate::access::{Client, FairQueue};
use crate::config::ServerLimits;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Bytes of memory for a byte of JSON while it is parsed, at most: `"a",` becomes a string of 24 bytes and what it
/// points to.
pub(crate) const EXPANSION: usize = 12;

/// The memory for the work on large requests: what the largest body may need.
#[derive(Debug)]
pub(crate) struct Workspace {
    max_bytes: usize,
    state: Mutex<WorkspaceState>,
}

#[derive(Debug, Default)]
struct WorkspaceState {
    used: usize,
    line: FairQueue<WaitingRequest>,
}

/// A request in line.
#[derive(Debug)]
struct WaitingRequest {
    bytes: usize,
    given: oneshot::Sender<Permit>,
}

/// A part of the workspace, which comes back when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    workspace: Arc<Workspace>,
    bytes: usize,
}

impl WorkspaceState {
    /// Takes the next request out of the line, if there is memory for it. Those of whom nobody waits are left out.
    fn next(&mut self, max_bytes: usize) -> Option<WaitingRequest> {
        while self.line.front()?.given.is_closed() {
            self.line.discard_front();
        }
        let bytes = self.line.front()?.bytes;
        if self.used.saturating_add(bytes) > max_bytes {
            return None;
        }
        self.used += bytes;
        self.line.pop()
    }
}

impl Workspace {
    /// Enough for the largest body.
    pub(crate) fn new(limits: &ServerLimits) -> Arc<Self> {
        let max_bytes = limits.body_bytes.saturating_mul(EXPANSION);
        Arc::new(Self { max_bytes, state: Mutex::default() })
    }

    /// Waits in line for a permit of so many bytes, or of all that there are if that is less; `None` after the time.
    pub(crate) async fn permit(self: &Arc<Self>, client: Client, bytes: usize, time: Duration) -> Option<Permit> {
        // Declared first and so dropped last: the request has left the line by then.
        let _leaving = Leaving(self);
        let (given, permit) = oneshot::channel();
        self.lock().line.push(client, WaitingRequest { bytes: bytes.min(self.max_bytes), given });
        self.give();
        timeout(time, permit).await.ok()?.ok()
    }

    /// Gives permits to those first in line, as long as there is memory.
    fn give(self: &Arc<Self>) {
        loop {
            let Some(WaitingRequest { bytes, given }) = self.lock().next(self.max_bytes) else { return };
            // Whoever waited may have gone at this moment: then the permit comes back at once.
            let _ = given.send(Permit { workspace: Arc::clone(self), bytes });
        }
    }

    /// Bytes of all permits.
    pub(crate) fn used_bytes(&self) -> usize {
        self.lock().used
    }

    fn lock(&self) -> MutexGuard<'_, WorkspaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a wait in line, by a permit, by time or because the client has gone: smaller requests that stood behind
/// this one may have memory now.
struct Leaving<'a>(&'a Arc<Workspace>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.give();
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.workspace.lock().used -= self.bytes;
        self.workspace.give();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(10);

    fn workspace() -> Arc<Workspace> {
        Workspace::new(&ServerLimits { body_bytes: 100, ..ServerLimits::default() })
    }

    fn client(number: u8) -> Client {
        Client::Unknown(Some([127, 0, 0, number].into()))
    }

    #[tokio::test]
    async fn more_than_there_is_is_all_of_it() {
        let workspace = workspace();
        let permit = workspace.permit(client(1), usize::MAX, LONG).await.unwrap();
        assert_eq!(workspace.used_bytes(), 1200);
        assert!(workspace.permit(client(2), 1, SHORT).await.is_none());
        drop(permit);
        assert_eq!(workspace.used_bytes(), 0);
    }

    #[tokio::test]
    async fn many_that_need_all_are_served_one_by_one() {
        let workspace = workspace();
        let one = |number: u8| {
            let workspace = Arc::clone(&workspace);
            tokio::spawn(async move { workspace.permit(client(number % 3), 1200, LONG).await.is_some() })
        };
        let all: Vec<_> = (0..32).map(one).collect();
        for one in all {
            assert!(one.await.unwrap());
        }
        assert_eq!(workspace.used_bytes(), 0);
    }

    #[tokio::test]
    async fn clients_have_turns_and_nobody_overtakes() {
        let workspace = workspace();
        let first = workspace.permit(client(1), 1000, LONG).await.unwrap();
        let mut in_line = 0;
        let (sender, mut order) = tokio::sync::mpsc::unbounded_channel();
        for (number, bytes, name) in [(1, 1200, "a1"), (1, 100, "a2"), (2, 100, "b1"), (3, 100, "c1")] {
            let of_task = Arc::clone(&workspace);
            let sender = sender.clone();
            tokio::spawn(async move {
                let permit = of_task.permit(client(number), bytes, LONG).await;
                sender.send(name).unwrap();
                drop(permit);
            });
            // Each is in line before the next one comes.
            in_line += 1;
            while workspace.lock().line.len() < in_line {
                tokio::task::yield_now().await;
            }
        }
        assert!(order.try_recv().is_err(), "one of 100 bytes would fit, and is not the first");
        drop(first);
        let mut given = Vec::new();
        for _ in 0..4 {
            given.push(order.recv().await.unwrap());
        }
        assert_eq!(given[0], "a1");
        assert_eq!(workspace.used_bytes(), 0);
    }

    #[tokio::test]
    async fn a_smaller_request_has_its_turn_when_the_one_before_it_gives_up() {
        let workspace = workspace();
        let first = workspace.permit(client(1), 1000, LONG).await.unwrap();
        let of_large = Arc::clone(&workspace);
        let large = tokio::spawn(async move { of_large.permit(client(2), 1200, SHORT).await.is_some() });
        while workspace.lock().line.len() < 1 {
            tokio::task::yield_now().await;
        }
        let small = workspace.permit(client(3), 200, LONG).await;
        assert!(small.is_some(), "200 bytes were free all the time");
        assert!(!large.await.unwrap());
        drop((first, small));
        assert_eq!(workspace.used_bytes(), 0);
    }

    #[tokio::test]
    async fn who_has_gone_is_left_out() {
        let workspace = workspace();
        let first = workspace.permit(client(1), 1200, LONG).await.unwrap();
        assert!(workspace.permit(client(2), 1200, SHORT).await.is_none());
        drop(first);
        let next = workspace.permit(client(3), 1200, LONG).await;
        assert!(next.is_some());
        drop(next);
        assert_eq!(workspace.used_bytes(), 0);
        assert!(workspace.permit(client(2), 1, LONG).await.is_some());
    }
}
