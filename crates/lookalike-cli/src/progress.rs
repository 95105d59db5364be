//! Progress on stderr, bad records as lines, Ctrl-C as a wish to end.

use crate::args::When;
use crate::words::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lookalike::io::BadRecord;
use lookalike::{Progress, Stage, Unit};
use std::io::{self, IsTerminal};
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
    in_lines: bool,
}

impl Terminal {
    /// Progress of a job with so many stages.
    pub(crate) fn new(when: When, stages: usize) -> Self {
        let target = match when {
            When::Auto => ProgressDrawTarget::stderr(),
            // Without a terminal to draw on, a line a stage has to do.
            When::Always => ProgressDrawTarget::stderr(),
            When::Never => ProgressDrawTarget::hidden(),
        };
        let in_lines = when == When::Always && !io::stderr().is_terminal();
        Self { bar: ProgressBar::with_draw_target(None, target), stages, stage: AtomicUsize::new(0), in_lines }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Terminal {
    fn begin(&self, stage: Stage) {
        let number = self.stage.fetch_add(1, Ordering::Relaxed) + 1;
        if self.in_lines {
            say(format_args!("{number}/{} {}", self.stages, stage.name));
        }
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
        self.bar.suspend(|| say(format_args!("lookalike: left out {record}")));
    }

    fn is_cancelled(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
}
