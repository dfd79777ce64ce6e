//! How long the stages take.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// Milliseconds of the stages, all boards of a picture together. Where boards or views of one picture are read in parallel,
/// the time of a stage is summed over all threads, so it can exceed the wall-clock time `total`. Where several pictures are
/// read on one pool, a thread that waits for a part of one picture may work on another one; that time counts for both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Timings {
    /// Reading and decoding the bytes; 0 when the caller brought a decoded picture.
    pub read: f64,
    /// Locating boards.
    pub locate: f64,
    /// Rectifying them.
    pub rectify: f64,
    /// Running the square classifier.
    pub classify: f64,
    /// Reading coordinates.
    pub orient: f64,
    /// Placing the pieces, finding cues and completing the FEN.
    pub place: f64,
    /// Wall-clock time from the first stage to the last.
    pub total: f64,
}

impl Timings {
    /// Adds the time of getting a decoded picture.
    pub fn add_read(&mut self, read: Duration) {
        self.read += milliseconds(read);
        self.total += milliseconds(read);
    }
}

/// The stages that the recognizer times.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Timed {
    Locate,
    Rectify,
    Classify,
    Orient,
    Place,
}

/// Sums up the time of the stages of one picture over all threads.
pub(crate) struct StageClock {
    start: Instant,
    nanoseconds: [AtomicU64; 5],
}

impl StageClock {
    pub(crate) fn start() -> StageClock {
        StageClock { start: Instant::now(), nanoseconds: Default::default() }
    }

    /// Does some work of a stage and adds the time it takes.
    pub(crate) fn time<T>(&self, stage: Timed, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds[stage as usize].fetch_add(nanoseconds, Ordering::Relaxed);
        result
    }

    /// The times so far.
    pub(crate) fn timings(&self) -> Timings {
        let of = |stage: Timed| self.nanoseconds[stage as usize].load(Ordering::Relaxed) as f64 / 1e6;
        Timings {
            read: 0.0,
            locate: of(Timed::Locate),
            rectify: of(Timed::Rectify),
            classify: of(Timed::Classify),
            orient: of(Timed::Orient),
            place: of(Timed::Place),
            total: milliseconds(self.start.elapsed()),
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_add_up() {
        let clock = StageClock::start();
        for stage in [Timed::Classify, Timed::Classify, Timed::Place] {
            clock.time(stage, || std::thread::sleep(Duration::from_millis(2)));
        }
        let mut timings = clock.timings();
        assert!(timings.classify >= 4.0 && timings.place >= 2.0 && timings.total >= 6.0, "{timings:?}");
        assert_eq!((timings.locate, timings.read), (0.0, 0.0));
        let before = timings.total;
        timings.add_read(Duration::from_millis(5));
        assert_eq!((timings.read, timings.total), (5.0, before + 5.0));
    }
}
