//! Progress on stderr, bad records as lines, Ctrl-C as a wish to end.

use crate::args::When;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lookalike::io::BadRecord;
use lookalike::{Progress, Stage, Unit};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C end the job cleanly; a second one ends it at once.
pub(crate) fn watch_interrupts() {
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Draws the stages of a job.
#[derive(Debug)]
pub(crate) struct Terminal {
    bar: ProgressBar,
    stages: usize,
    stage: AtomicUsize,
}

impl Terminal {
    /// Progress of a job with so many stages.
    pub(crate) fn new(when: When, stages: usize) -> Self {
        let target = match when {
            When::Auto => ProgressDrawTarget::stderr(),
            When::Always => ProgressDrawTarget::stderr_with_hz(5),
            When::Never => ProgressDrawTarget::hidden(),
        };
        Self { bar: ProgressBar::with_draw_target(None, target), stages, stage: AtomicUsize::new(0) }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Terminal {
    fn begin(&self, stage: Stage) {
        let number = self.stage.fetch_add(1, Ordering::Relaxed) + 1;
        let amounts = match stage.unit {
            Unit::Bytes => "{decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec}",
            Unit::Documents => "{human_pos}/{human_len} documents {per_sec}",
        };
        let template = format!("{number}/{} {} {amounts} ETA {{eta}}", self.stages, stage.name);
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_length(stage.total);
    }

    fn advance(&self, amount: u64) {
        self.bar.inc(amount);
    }

    fn bad_record(&self, record: &BadRecord) {
        self.bar.suspend(|| eprintln!("lookalike: left out {record}"));
    }

    fn is_cancelled(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
}
