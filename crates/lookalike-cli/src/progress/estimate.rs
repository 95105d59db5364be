//! The remaining time of a whole job, from the usual shares of its stages.
//!
//! A stage knows its amount of work and its pace; of the later stages nothing is known yet but that they usually take
//! some share of a job. It is an estimate for a user who wonders whether to wait, and no more.

use std::time::{Duration, Instant};

/// Shares of the stages of a search in its whole time: rounded means of runs over 11,337 to 99,246 documents (manual
/// pages, laws, reference pages) at thresholds 0.8 and 0.5 and with minhash. Other stages are short, or rare.
const SHARES: [(&str, f64); 5] =
    [("reading", 0.6), ("grouping", 0.0), ("sketching", 0.2), ("comparing", 0.05), ("writing", 0.15)];
/// A search has as many stages, or more.
const MIN_STAGES: usize = SHARES.len();
/// Share of a job that has to be done before its pace says anything.
const MIN_DONE: f64 = 0.01;

/// The course of a job, as far as this run has done it.
#[derive(Debug)]
pub(crate) struct Course {
    begun: Instant,
    /// Share of the job that the finished stages were.
    finished: f64,
    stage: &'static str,
    /// True if the shares are known.
    is_search: bool,
}

impl Course {
    pub(crate) fn new(now: Instant) -> Self {
        Self { begun: now, finished: 0.0, stage: "", is_search: false }
    }

    /// Notes the beginning of `stage`, one of the `stages` of the job.
    pub(crate) fn begin(&mut self, stage: &'static str, stages: usize) {
        self.finished += share_of(self.stage);
        self.stage = stage;
        self.is_search = stages >= MIN_STAGES;
    }

    /// Restarts the clock: stages that are finished now were done by another run.
    pub(crate) fn resume(&mut self, now: Instant) {
        self.begun = now;
        self.finished = 0.0;
    }

    /// The time that the job will still take, if the stage is done to `done` (0 to 1) and will take `stage_left`.
    pub(crate) fn left(&self, done: f64, stage_left: Duration, now: Instant) -> Option<Duration> {
        let behind = self.finished + share_of(self.stage) * done;
        // A stage that is not listed stands before the writing.
        let next = SHARES.iter().position(|&(name, _)| name == self.stage).map_or(SHARES.len() - 1, |at| at + 1);
        let ahead: f64 = SHARES[next..].iter().map(|&(_, share)| share).sum();
        (self.is_search && behind >= MIN_DONE)
            .then(|| stage_left + now.duration_since(self.begun).mul_f64(ahead / behind))
    }
}

fn share_of(stage: &str) -> f64 {
    SHARES.iter().find(|&&(name, _)| name == stage).map_or(0.0, |&(_, share)| share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_stages_take_their_usual_shares() {
        let begun = Instant::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        let mut course = Course::new(begun);
        course.begin("reading", 5);
        assert_eq!(course.left(0.0, Duration::ZERO, after(1)), None, "nothing is done yet");
        // 30 seconds for half of the reading, 0.3 of the job: 30 for its rest, 40 for all that follows.
        let left = course.left(0.5, Duration::from_secs(30), after(30)).unwrap();
        assert!((left.as_secs_f64() - 70.0).abs() < 1e-6, "{left:?}");
        course.begin("grouping", 5);
        course.begin("sketching", 5);
        course.begin("writing", 5);
        let left = course.left(0.5, Duration::from_secs(7), after(90)).unwrap();
        assert!((left.as_secs_f64() - 7.0).abs() < 1e-6, "{left:?}");
    }

    #[test]
    fn stages_of_an_earlier_run_do_not_count() {
        let begun = Instant::now();
        let mut course = Course::new(begun);
        course.begin("reading", 5);
        course.begin("sketching", 5);
        course.resume(begun);
        // A fifth of the job in 20 seconds: 5 for comparing, 15 for writing.
        let left = course.left(1.0, Duration::ZERO, begun + Duration::from_secs(20)).unwrap();
        assert!((left.as_secs_f64() - 20.0).abs() < 1e-6, "{left:?}");
    }

    #[test]
    fn nothing_is_said_of_jobs_with_other_stages() {
        let begun = Instant::now();
        let mut course = Course::new(begun);
        course.begin("reading", 2);
        assert_eq!(course.left(0.5, Duration::from_secs(1), begun + Duration::from_secs(1)), None);
    }
}
