//! The index as a whole, looked at when it is asked for, by one thread at a time.

use lookalike::ask::{Survey, survey};
use lookalike::index::Index;
use lookalike::{Resources, Silent};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A survey of a changed index is made anew if the last is older than this.
const MAX_AGE: Duration = Duration::from_secs(60);
/// Memory of a survey; what exceeds it goes to temporary files.
const MEMORY_BYTES: u64 = 1 << 30;

/// The survey of an index, and when it was made.
#[derive(Debug, Default)]
pub(crate) struct Surveys {
    state: Mutex<SurveysState>,
}

#[derive(Debug, Default)]
struct SurveysState {
    last: Option<LastSurvey>,
    is_running: bool,
}

#[derive(Debug, Clone)]
struct LastSurvey {
    at: Instant,
    /// Size of the index: documents, removed ones, bytes.
    of: [u64; 3],
    /// `None` if it could not be made.
    survey: Option<Arc<Survey>>,
}

/// State of the survey of the index.
#[derive(Debug, Clone)]
pub(crate) enum SurveyState {
    /// The survey is running.
    Running,
    /// A survey of some seconds ago.
    Made { survey: Arc<Survey>, age: Duration },
    /// The survey has failed.
    Failed,
}

impl Surveys {
    fn lock(&self) -> MutexGuard<'_, SurveysState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last survey; starts one where there is none, or where the last one is old and the index has changed.
    pub(crate) fn get(self: &Arc<Self>, index: &Index) -> SurveyState {
        let info = index.info();
        let of = [info.documents, info.gone, info.bytes];
        let mut state = self.lock();
        let is_old = |made: &LastSurvey| made.at.elapsed() > MAX_AGE && (made.of != of || made.survey.is_none());
        let is_wanted = state.last.as_ref().is_none_or(is_old);
        if is_wanted && !state.is_running {
            state.is_running = true;
            let all = Arc::clone(self);
            let index = index.clone();
            let started = thread::Builder::new().name("survey".to_owned()).spawn(move || all.make(&index, of));
            if started.is_err() {
                state.is_running = false;
                return SurveyState::Failed;
            }
        }
        match &state.last {
            None => SurveyState::Running,
            Some(LastSurvey { survey: None, .. }) => SurveyState::Failed,
            Some(LastSurvey { survey: Some(survey), at, .. }) => {
                SurveyState::Made { survey: Arc::clone(survey), age: at.elapsed() }
            }
        }
    }

    fn make(&self, index: &Index, of: [u64; 3]) {
        let settings = index.settings();
        // Surveys leave the other processors to questions.
        let resources =
            Resources { threads: NonZeroUsize::new(1), memory_bytes: Some(MEMORY_BYTES), ..Resources::default() };
        let look = || survey(index.path(), settings, settings.measure, &resources, &Silent);
        // One that panics is logged by the hook.
        let made = catch_unwind(AssertUnwindSafe(look)).ok();
        let made = made.and_then(|made| made.inspect_err(|error| tracing::error!(cause = %error, "no survey")).ok());
        let mut state = self.lock();
        *state = SurveysState {
            last: Some(LastSurvey { at: Instant::now(), of, survey: made.map(Arc::new) }),
            is_running: false,
        };
    }
}
