//! The progress of a run, on standard error: a bar on a terminal, a line now and then elsewhere. And its totals.

use std::{
    fmt,
    fmt::Display,
    io,
    io::IsTerminal,
    time::{Duration, Instant},
};

use fenlens::{Record, Verdict, output::record::Status};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::cli::output;

/// The least time between two lines, where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// The totals of the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pages, or files without pages.
    pub pages: u64,
    /// Boards.
    pub boards: u64,
    /// Boards accepted.
    pub accepted: u64,
    /// Boards that a person should check.
    pub to_check: u64,
    /// Boards refused.
    pub refused: u64,
    /// Pages without a board.
    pub empty: u64,
    /// Pages that could not be read.
    pub failed: u64,
}

impl Tally {
    /// Counts a record.
    pub fn add(&mut self, record: &Record) {
        self.pages += 1;
        match record.status {
            Status::Ok => {}
            Status::NoBoard => self.empty += 1,
            Status::Error => self.failed += 1,
        }
        for board in &record.boards {
            self.boards += 1;
            match board.verdict {
                Verdict::Accept => self.accepted += 1,
                Verdict::Check => self.to_check += 1,
                Verdict::Refuse => self.refused += 1,
            }
        }
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { pages, boards, accepted, to_check, refused, empty, failed } = self;
        write!(f, "{}, {}: {accepted} accepted, ", count(*pages, "page"), count(*boards, "board"))?;
        write!(f, "{to_check} to check, {refused} refused; {} without a board, {failed} failed", count(*empty, "page"))
    }
}

/// A number of things, in words.
pub fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// A time in words of two units at most.
pub fn words(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Progress of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    begun: Instant,
    last_line: Instant,
    done: u64,
}

impl Progress {
    /// Begins to count. `before` pages were read by earlier runs, and `expected` are to come, as far as is known.
    pub fn begin(before: u64, expected: u64) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos} of {len} pages, {rate} a second, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
                    // A failure to show the text cannot be reported anywhere.
                    let _ = write!(out, "{:.1}", state.per_sec());
                });
            let bar = ProgressBar::new(before + expected).with_style(style);
            bar.set_position(before);
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { bar, begun: Instant::now(), last_line: Instant::now(), done: 0 }
    }

    /// Counts a page. `expected` are to be read by this run in all, as far as is known; `before` were read by earlier runs.
    pub fn step(&mut self, before: u64, expected: u64) {
        self.done += 1;
        let expected = expected.max(self.done);
        if let Some(bar) = &self.bar {
            bar.set_length(before + expected);
            bar.set_position(before + self.done);
        } else if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            let rate = self.rate();
            let left = Duration::try_from_secs_f64((expected - self.done) as f64 / rate).unwrap_or_default();
            let (done, all) = (before + self.done, before + expected);
            output::note(format_args!("{done} of {all} pages, {rate:.1} a second, {} left", words(left)));
        }
    }

    /// Prints a note above the bar.
    pub fn note(&self, note: impl Display) {
        match &self.bar {
            Some(bar) => bar.suspend(|| output::note(note)),
            None => output::note(note),
        }
    }

    /// Removes the bar; returns the time the run took, and its pages a second.
    pub fn end(self) -> (Duration, f64) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        (self.begun.elapsed(), self.rate())
    }

    fn rate(&self) -> f64 {
        self.done as f64 / self.begun.elapsed().as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_in_words() {
        let said = [4.25, 61.0, 3600.0 * 30.0 + 60.0 * 5.0].map(|seconds| words(Duration::from_secs_f64(seconds)));
        assert_eq!(said, ["4.2 s", "1 min 1 s", "30 h 5 min"]);
        assert_eq!([count(0, "page"), count(1, "page"), count(2, "page")], ["0 pages", "1 page", "2 pages"]);
    }
}
