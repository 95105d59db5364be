//! The steps of a long task: what each took is printed at its end.

use anyhow::Result;
use std::fmt::{Display, Formatter};
use std::time::{Duration, Instant};

/// The steps that are over, in their order.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<(&'static str, Outcome)>,
}

enum Outcome {
    Passed(Duration),
    Failed(Duration),
    Skipped(String),
}

impl Steps {
    /// Runs a step and notes how long it took, also if it fails.
    pub(crate) fn run<T>(&mut self, name: &'static str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let result = step();
        let outcome = if result.is_ok() { Outcome::Passed } else { Outcome::Failed };
        self.done.push((name, outcome(start.elapsed())));
        result
    }

    /// Notes why a step is not run.
    pub(crate) fn skip(&mut self, name: &'static str, reason: impl Into<String>) {
        let reason = reason.into();
        println!("SKIPPED: {name}: {reason}");
        self.done.push((name, Outcome::Skipped(reason)));
    }
}

impl Display for Steps {
    fn fmt(&self, text: &mut Formatter) -> std::fmt::Result {
        let mut total = Duration::ZERO;
        for (name, outcome) in &self.done {
            match outcome {
                Outcome::Passed(time) | Outcome::Failed(time) => {
                    total += *time;
                    let failed = if matches!(outcome, Outcome::Failed(_)) { "  FAILED" } else { "" };
                    writeln!(text, "{}  {name}{failed}", minutes(*time))?;
                }
                Outcome::Skipped(reason) => writeln!(text, "SKIPPED  {name}: {reason}")?,
            }
        }
        write!(text, "{}  in all", minutes(total))
    }
}

/// Minutes and seconds, as wide as the word for a step that is skipped.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs_f64().round();
    format!("{:>4}:{:02}", (seconds / 60.0).floor(), seconds % 60.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn every_step_has_a_line_also_those_that_fail_or_are_left_out() {
        let mut steps = Steps::default();
        assert_eq!(steps.run("first", || Ok(3)).unwrap(), 3);
        steps.skip("second", "no machine");
        assert!(steps.run("third", || -> Result<()> { bail!("no") }).is_err());
        let expected = "   0:00  first\nSKIPPED  second: no machine\n   0:00  third  FAILED\n   0:00  in all";
        assert_eq!(steps.to_string(), expected);
    }

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(minutes(Duration::from_millis(119_700)), "   2:00");
        assert_eq!(minutes(Duration::from_secs(725)), "  12:05");
    }
}
