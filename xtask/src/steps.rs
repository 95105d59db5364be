//! The steps of a long task: what each took is printed at its end.

use anyhow::Result;
use std::fmt::{Display, Formatter};
use std::time::{Duration, Instant};

/// The steps that are over, a line for each in their order, and what they took together.
#[derive(Default)]
pub(crate) struct Steps {
    lines: Vec<String>,
    total: Duration,
}

impl Steps {
    /// Runs a step and notes how long it took, also if it fails.
    pub(crate) fn run<T>(&mut self, name: &'static str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let result = step();
        let time = start.elapsed();
        self.total += time;
        self.lines.push(format!("{}  {name}{}", minutes(time), if result.is_ok() { "" } else { "  FAILED" }));
        result
    }

    /// Runs a step unless something is missing.
    pub(crate) fn run_if(
        &mut self,
        missing: Option<&'static str>,
        name: &'static str,
        step: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let Some(reason) = missing else { return self.run(name, step) };
        println!("SKIPPED: {name}: {reason}");
        self.lines.push(format!("SKIPPED  {name}: {reason}"));
        Ok(())
    }
}

impl Display for Steps {
    fn fmt(&self, text: &mut Formatter) -> std::fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(text, "{line}"))?;
        write!(text, "{}  in all", minutes(self.total))
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
        steps.run_if(Some("no machine"), "second", || bail!("this is not run")).unwrap();
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
