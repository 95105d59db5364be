//! Progress on stderr: a line that moves on a terminal, now and then a line in a log. Bad records as lines, Ctrl-C as a
//! wish to end.

mod estimate;

use crate::args::{ResourceArgs, When};
use crate::messages::{Voice, counted, hint_for_record, note, say, say_error, thousands};
use crate::table::AnswerTable;
use anyhow::Result;
use bytesize::ByteSize;
use estimate::Course;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lookalike::index::interrupted_write_note;
use lookalike::jobs::Report;
use lookalike::{
    Progress, Resources,
    details::{MemoryLimit, TextOrder},
    doors::{printed_path, resident_bytes, shown},
    inputs::{BadRecord, Place},
    outputs::LeftOutReport,
    progress::{Stage, StageNumber, Unit},
    rows::AnswerRow,
};
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C end the job cleanly; a second one ends it at once.
fn watch_interrupts() {
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Runs a job with the resources and the progress that flags mean; Ctrl-C asks the job to end.
pub(crate) fn run_job(
    resources: &ResourceArgs,
    voice: Voice,
    job: impl FnOnce(&Resources, &Terminal) -> lookalike::Result<Report>,
) -> Result<Report> {
    let progress = resources.progress;
    let resources = resources.resources()?;
    Terminal::new(progress, voice).run(|progress| job(&resources, progress))
}

/// Time between two lines in a log.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// Time between two looks at the memory, on a terminal.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// Form of the progress.
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
    voice: Voice,
    current: Arc<Mutex<Current>>,
    answers: Mutex<AnswerTable>,
    /// Dropped to end the thread.
    ticker: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

/// The stage that is running.
#[derive(Debug)]
struct Current {
    /// Number and name, as "2/5 sketching".
    name: String,
    unit: Unit,
    begun: Instant,
    /// The whole job.
    course: Course,
}

impl Terminal {
    /// Progress that is shown as the user wants it; none if nothing is to be said.
    pub(crate) fn new(when: When, voice: Voice) -> Self {
        let manner = match when {
            When::Never => Manner::Hidden,
            _ if voice == Voice::Quiet => Manner::Hidden,
            _ if io::stderr().is_terminal() => Manner::Drawn,
            When::Auto => Manner::Lines { each_stage: false },
            When::Always => Manner::Lines { each_stage: true },
        };
        let target = match manner {
            Manner::Drawn => ProgressDrawTarget::stderr(),
            Manner::Lines { .. } | Manner::Hidden => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let begun = Instant::now();
        let current = Current { name: String::new(), unit: Unit::Bytes, begun, course: Course::new(begun) };
        let current = Arc::new(Mutex::new(current));
        let ticker = Mutex::new(start_ticker(manner, &bar, &current));
        Self { bar, manner, voice, current, answers: Mutex::default(), ticker }
    }

    /// Runs a job with this progress; Ctrl-C asks the job to end.
    pub(crate) fn run(self, job: impl FnOnce(&Self) -> lookalike::Result<Report>) -> Result<Report> {
        watch_interrupts();
        let report = job(&self);
        self.finish();
        Ok(report?)
    }

    /// Progress that shows answers to queries in this way.
    pub(crate) fn showing(self, answers: AnswerTable) -> Self {
        Self { answers: Mutex::new(answers), ..self }
    }

    /// Says a line beside the progress, unless nothing is to be said.
    fn say(&self, line: impl Display) {
        self.bar.suspend(|| self.voice.say(line));
    }

    /// Takes the line away.
    fn finish(&self) {
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
    let bar = bar.clone();
    let current = Arc::clone(current);
    let (sender, receiver) = channel::<()>();
    let tick = move || {
        while receiver.recv_timeout(between) == Err(RecvTimeoutError::Timeout) {
            let current = current.lock().unwrap_or_else(PoisonError::into_inner);
            let done = bar.position();
            let total = bar.length().unwrap_or_default();
            let state = [rate(&current, done), memory(), left(&current, done, total)].concat();
            if manner == Manner::Drawn {
                bar.set_message(state);
            } else {
                say(format_args!("{} {}{state}", current.name, amounts(&current, done, total)));
            }
        }
    };
    // A job goes on without, where the system has no thread to spare.
    Some((sender, std::thread::Builder::new().spawn(tick).ok()?))
}

/// Amounts as "1,200,000 of 2,000,000 documents".
fn amounts(current: &Current, done: u64, total: u64) -> String {
    match current.unit {
        Unit::Bytes => {
            let [done, total] = [done, total].map(|bytes| ByteSize(bytes).display().si());
            format!("{done:.1} of {total:.1}")
        }
        Unit::Documents => format!("{} of {}", thousands(done), counted(total, "document")),
    }
}

/// Pace as ", 60,000/s"; empty where nothing is done yet.
fn rate(current: &Current, done: u64) -> String {
    if done == 0 {
        return String::new();
    }
    let rate = (done as f64 / current.begun.elapsed().as_secs_f64()) as u64;
    match current.unit {
        Unit::Bytes => format!(", {:.1}/s", ByteSize(rate).display().si()),
        Unit::Documents => format!(", {}/s", thousands(rate)),
    }
}

/// Memory as ", 310 MB"; empty where the system does not tell.
fn memory() -> String {
    let bytes = resident_bytes().map(|bytes| ByteSize(bytes).display().si());
    bytes.map(|bytes| format!(", {bytes:.0}")).unwrap_or_default()
}

/// Remaining time of the job as ", ETA 1:10"; empty where it is not known.
fn left(current: &Current, done: u64, total: u64) -> String {
    if done == 0 {
        return String::new();
    }
    let total = total.max(done) as f64;
    let done = done as f64;
    let now = Instant::now();
    let stage_left = now.duration_since(current.begun).mul_f64((total - done) / done);
    let job = current.course.left(done / total, stage_left, now);
    job.map(|left| format!(", ETA {}", minutes(left))).unwrap_or_default()
}

/// A time as "1:02:03" or "2:03".
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
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
            Unit::Bytes => "{decimal_bytes} of {decimal_total_bytes}",
            Unit::Documents if stage.total == 1 => "{human_pos} of {human_len} document",
            Unit::Documents => "{human_pos} of {human_len} documents",
        };
        if let Ok(style) = ProgressStyle::with_template(&format!("{name} {amounts}{{wide_msg}}")) {
            self.bar.set_style(style);
        }
        // In one step: the amount of the last stage must not be drawn in the unit of this one.
        self.bar.update(|state| {
            state.set_pos(0);
            state.set_len(stage.total);
        });
        self.bar.set_message("");
        current.course.begin(stage.name, stages);
        current.name = name;
        current.unit = stage.unit;
        current.begun = Instant::now();
    }

    fn extend(&self, amount: u64) {
        self.bar.inc_length(amount);
    }

    fn advance(&self, amount: u64) {
        self.bar.inc(amount);
    }

    fn resumed(&self, done: usize, stages: usize) {
        let what = match done {
            0 => "resumed: reading goes on where it was interrupted".to_owned(),
            _ => format!("resumed: {done} of {} done before", counted(stages as u64, "stage")),
        };
        self.current.lock().unwrap_or_else(PoisonError::into_inner).course.resume(Instant::now());
        self.say(what);
    }

    fn bad_record(&self, record: &BadRecord) {
        self.bar.suspend(|| say_error(format_args!("left out {record}{}", hint_for_record(record))));
    }

    fn whole_page(&self, place: &Place) {
        if self.voice >= Voice::Verbose {
            self.bar.suspend(|| say(format_args!("no article, compared as a whole: {place}")));
        }
    }

    fn bytes_as_text(&self, path: &Path, column: &str) {
        let path = path.display();
        let column = shown(column);
        self.bar
            .suspend(|| say(format_args!("note: column `{column}` of {path} holds bytes, which are taken as UTF-8")));
    }

    fn interrupted_write(&self, index: &Path, bytes: u64) {
        self.say(format!("note: {}", interrupted_write_note(index, bytes)));
    }

    fn read_once(&self, first: &Path, files: u64) {
        let first = printed_path(first);
        let words = match files {
            1 => format!("note: {first} is named twice, and read once"),
            _ => format!("note: {} are named twice, as {first}, and read once", counted(files, "file")),
        };
        self.say(words);
    }

    fn left_out(&self, files: &LeftOutReport) {
        self.say(note(files));
    }

    fn ordered_as_text(&self, order: &TextOrder) {
        self.say(note(order));
    }

    fn refused_by_texts(&self, a: &str, b: &str) {
        let a = shown(a);
        let b = shown(b);
        self.bar.suspend(|| say_error(format_args!("the texts of {a} and {b} are not as alike as their hashes")));
    }

    fn less_memory(&self, limit: MemoryLimit, budget_bytes: u64) {
        let mebibytes = budget_bytes >> 20;
        self.voice.say(format_args!("lookalike: takes {mebibytes} MiB in place of the size of --memory: {limit}"));
    }

    fn many_pairs(&self, pairs: u64, are_all: bool) {
        let at_least = if are_all { "" } else { "at least " };
        let pairs = counted(pairs, "pair");
        let words =
            format!("note: the answer has {at_least}{pairs}; --max-pairs refuses too many before they are written");
        self.say(words);
    }

    fn answered(&self, rows: &[AnswerRow<'_>]) {
        self.finish();
        // A terminal that is gone reads no answers.
        let _ = self.answers.lock().unwrap_or_else(PoisonError::into_inner).print(rows);
    }

    fn publishing(&self) {
        self.finish();
    }

    fn is_cancelled(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;

    #[test]
    fn lines_say_amounts_what_is_left_of_the_stage_and_of_the_job() {
        let begun = Instant::now().checked_sub(Duration::from_secs(100)).unwrap();
        let mut course = Course::new(begun);
        course.begin("reading", 5);
        let current = Current { name: "1/5 reading".to_owned(), unit: Unit::Documents, begun, course };
        let text = amounts(&current, 1_000_000, 2_500_000);
        assert_eq!(text, "1,000,000 of 2,500,000 documents");
        assert!(rate(&current, 1_000_000).ends_with("/s"));
        // 100 s for two fifths of 0.6 of the job: 150 for the rest of the stage, 167 for the other stages.
        assert_eq!(left(&current, 1_000_000, 2_500_000), ", ETA 5:16");
        let current = Current { unit: Unit::Bytes, ..current };
        assert_eq!(amounts(&current, 0, 3_000_000_000), "0 B of 3.0 GB");
        assert_eq!([rate(&current, 0), left(&current, 0, 3_000_000_000)], ["", ""]);
        assert_eq!(minutes(Duration::from_secs(3723)), "1:02:03");
        assert!(memory().is_empty() || memory().starts_with(", "));
    }
    /// A terminal that keeps all that was ever drawn.
    #[derive(Debug, Clone, Default)]
    struct Recorder(Arc<Mutex<String>>);

    impl TermLike for Recorder {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stage_never_shows_the_amount_of_the_last_one() {
        let drawn = Recorder::default();
        let terminal = Terminal::new(When::Never, Voice::Normal);
        terminal.bar.set_draw_target(ProgressDrawTarget::term_like_with_hz(Box::new(drawn.clone()), 255));
        let number = |number| StageNumber { number, stages: 5 };
        let reading = Stage { name: "reading", total: 3_000_000, unit: Unit::Bytes };
        terminal.begin(reading, number(1));
        terminal.advance(3_000_000);
        std::thread::sleep(Duration::from_millis(20));
        terminal.begin(Stage { name: "grouping", total: 17, unit: Unit::Documents }, number(2));
        let drawn = drawn.0.lock().unwrap();
        assert!(drawn.contains("reading 0 B of 3.00 MB") && drawn.contains("grouping 0 of 17 documents"), "{drawn}");
        assert!(!drawn.contains("of 0 B") && !drawn.contains("of 3,000,000"), "{drawn}");
    }
}
