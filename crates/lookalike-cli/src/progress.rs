//! Progress on stderr: a line that moves on a terminal, now and then a line in a log. Bad records as lines, Ctrl-C as a
//! wish to end.

use crate::args::When;
use crate::hints::hint_for_record;
use crate::words::{say, thousands};
use bytesize::ByteSize;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lookalike::{BadRecord, MemoryLimit, Progress, Stage, StageNumber, Unit, resident_bytes, shown};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

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

/// From one line in a log to the next.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// From one look at the memory to the next, on a terminal.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// A line that moves.
    Drawn,
    /// A line now and then, and one a stage if they were asked for.
    Lines { each_stage: bool },
    /// Not at all.
    Hidden,
}

/// Shows the stages of a job.
#[derive(Debug)]
pub(crate) struct Terminal {
    bar: ProgressBar,
    manner: Manner,
    current: Arc<Mutex<Current>>,
    /// Dropped to end the thread.
    ticker: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

/// The stage that is running.
#[derive(Debug)]
struct Current {
    /// As "2/5 sketching".
    name: String,
    unit: Unit,
    begun: Instant,
}

impl Terminal {
    /// Progress that is shown as the user wants it.
    pub(crate) fn new(when: When) -> Self {
        let manner = match when {
            When::Never => Manner::Hidden,
            _ if io::stderr().is_terminal() => Manner::Drawn,
            When::Auto => Manner::Lines { each_stage: false },
            When::Always => Manner::Lines { each_stage: true },
        };
        let target = match manner {
            Manner::Drawn => ProgressDrawTarget::stderr(),
            Manner::Lines { .. } | Manner::Hidden => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let current = Current { name: String::new(), unit: Unit::Bytes, begun: Instant::now() };
        let current = Arc::new(Mutex::new(current));
        let ticker = Mutex::new(start_ticker(manner, &bar, &current));
        Self { bar, manner, current, ticker }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
        let ticker = self.ticker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((stop, thread)) = ticker {
            drop(stop);
            // It only draws: that it ended otherwise is no matter.
            let _ = thread.join();
        }
    }
}

/// Starts the thread that does what must happen without progress too: lines in a log, and the memory on a terminal.
fn start_ticker(
    manner: Manner,
    bar: &ProgressBar,
    current: &Arc<Mutex<Current>>,
) -> Option<(Sender<()>, JoinHandle<()>)> {
    let between = match manner {
        Manner::Hidden => return None,
        Manner::Drawn => BETWEEN_LOOKS,
        Manner::Lines { .. } => BETWEEN_LINES,
    };
    let (bar, current) = (bar.clone(), Arc::clone(current));
    let (sender, receiver) = channel::<()>();
    let tick = move || {
        while receiver.recv_timeout(between) == Err(RecvTimeoutError::Timeout) {
            let memory = resident_bytes().map(|bytes| ByteSize(bytes).display().si().to_string()).unwrap_or_default();
            if manner == Manner::Drawn {
                bar.set_message(memory);
            } else {
                let current = current.lock().unwrap_or_else(PoisonError::into_inner);
                say(line(&current, bar.position(), bar.length().unwrap_or_default(), &memory));
            }
        }
    };
    // A job goes on without, where the system has no thread to spare.
    Some((sender, std::thread::Builder::new().spawn(tick).ok()?))
}

/// As "2/5 sketching 1,200,000 of 2,000,000 documents, 60,000/s, 310 MB, ETA 0:42".
fn line(current: &Current, done: u64, total: u64, memory: &str) -> String {
    let seconds = current.begun.elapsed().as_secs_f64();
    let rate = done as f64 / seconds;
    let amounts = match current.unit {
        Unit::Bytes => {
            let [done, total, rate] = [done, total, rate as u64].map(|bytes| ByteSize(bytes).display().si());
            format!("{done:.1} of {total:.1}, {rate:.1}/s")
        }
        Unit::Documents => {
            format!("{} of {} documents, {}/s", thousands(done), thousands(total), thousands(rate as u64))
        }
    };
    let left = if done == 0 { "?".to_owned() } else { minutes(total.saturating_sub(done) as f64 / rate) };
    format!("{} {amounts}, {memory}, ETA {left}", current.name)
}

/// As "1:02:03" or "2:03".
fn minutes(seconds: f64) -> String {
    let seconds = seconds as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

impl Progress for Terminal {
    fn begin(&self, stage: Stage, StageNumber { number, stages }: StageNumber) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let name = format!("{number}/{stages} {}", stage.name);
        if self.manner == (Manner::Lines { each_stage: true }) {
            say(&name);
        }
        let amounts = match stage.unit {
            Unit::Bytes => "{decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec}",
            Unit::Documents => "{human_pos}/{human_len} documents {per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(&format!("{name} {amounts} {{msg}} ETA {{eta}}")) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_length(stage.total);
        *current = Current { name, unit: stage.unit, begun: Instant::now() };
    }

    fn extend(&self, amount: u64) {
        self.bar.inc_length(amount);
    }

    fn advance(&self, amount: u64) {
        self.bar.inc(amount);
    }

    fn bad_record(&self, record: &BadRecord) {
        self.bar.suspend(|| say(format_args!("lookalike: left out {record}{}", hint_for_record(record))));
    }

    fn bytes_as_text(&self, path: &Path, column: &str) {
        let (path, column) = (path.display(), shown(column));
        self.bar
            .suspend(|| say(format_args!("note: column `{column}` of {path} holds bytes, which are taken as UTF-8")));
    }

    fn refused_by_texts(&self, a: &str, b: &str) {
        let (a, b) = (shown(a), shown(b));
        self.bar.suspend(|| say(format_args!("lookalike: the texts of {a} and {b} are not as alike as their hashes")));
    }

    fn less_memory(&self, limit: MemoryLimit, budget_bytes: u64) {
        let mebibytes = budget_bytes >> 20;
        say(format_args!("lookalike: takes {mebibytes} MiB in place of the size of --memory: {limit}"));
    }

    fn is_cancelled(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_stage_amounts_memory_and_what_is_left() {
        let begun = Instant::now().checked_sub(Duration::from_secs(100)).unwrap();
        let current = Current { name: "2/5 sketching".to_owned(), unit: Unit::Documents, begun };
        let text = line(&current, 1_000_000, 2_500_000, "310 MB");
        assert!(text.starts_with("2/5 sketching 1,000,000 of 2,500,000 documents, "), "{text}");
        assert!(text.ends_with("/s, 310 MB, ETA 2:30"), "{text}");
        let text = line(&Current { unit: Unit::Bytes, ..current }, 0, 3_000_000_000, "1 GB");
        assert!(text.ends_with(" of 3.0 GB, 0 B/s, 1 GB, ETA ?"), "{text}");
        assert_eq!(minutes(3723.9), "1:02:03");
    }
}
