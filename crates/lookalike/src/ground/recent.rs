//! Facts of the system that change seldom and are slow to look up: a job of one small question asks for as many of them
//! as one of a million documents, and would spend most of its time on files of the system.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A fact, as it was looked up last.
pub(super) struct Recent<T> {
    found: Mutex<Option<(Instant, T)>>,
    /// From which age on it is looked up again.
    max_age: Duration,
}

impl<T: Clone> Recent<T> {
    /// A fact that was never looked up.
    pub(super) const fn new(max_age: Duration) -> Self {
        Self { found: Mutex::new(None), max_age }
    }

    /// The fact, looked up if it is older than its maximum age.
    pub(super) fn get(&self, look_up: impl FnOnce() -> T) -> T {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        match &*found {
            Some((at, fact)) if at.elapsed() <= self.max_age => fact.clone(),
            _ => found.insert((Instant::now(), look_up())).1.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_looked_up_again_once_it_is_old() {
        let young = Recent::new(Duration::from_secs(3600));
        let old = Recent::new(Duration::ZERO);
        assert_eq!((young.get(|| 1), young.get(|| 2)), (1, 1));
        assert_eq!(old.get(|| 1), 1);
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(old.get(|| 2), 2);
    }
}
