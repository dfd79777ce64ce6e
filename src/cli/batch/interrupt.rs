//! Ctrl-C, and the signal by which a scheduler ends a program. The run ends within a second, whatever it is doing.

use std::{
    io,
    io::IsTerminal,
    process,
    sync::{Arc, TryLockError, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use super::source::Signals;
use crate::cli::{exit::Exit, output, output::count};

/// How long the pages in hand may take after an interrupt. Those that take longer are read again when the run is resumed.
const IN_HAND: Duration = Duration::from_millis(500);

/// How long a record that is being written may take.
const WRITING: Duration = Duration::from_millis(200);

/// From now on the first interrupt lets the program finish the pages in hand, for [`IN_HAND`], and the second ends it at
/// once. `name`: the journal, as it is shown.
///
/// # Errors
/// In words.
pub fn listen(signals: Arc<Signals>, name: String) -> Result<(), String> {
    let handler = move || {
        if signals.stop.swap(true, Ordering::Relaxed) {
            process::exit(Exit::Interrupted as i32);
        }
        // On a terminal the progress bar is on the current line.
        let line = if io::stderr().is_terminal() { "\n" } else { "" };
        output::note(format_args!("{line}interrupted: finishing the pages in hand; once more to stop at once"));
        // The handler must return, or it would not be there for the second interrupt.
        let (timed, shown) = (signals.clone(), name.clone());
        let timer = thread::Builder::new().spawn(move || {
            thread::sleep(IN_HAND);
            end(&timed, &shown);
        });
        if timer.is_err() {
            end(&signals, &name);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| format!("interrupts cannot be caught: {error}"))
}

/// Ends the program, if it is not about to end by itself.
fn end(signals: &Signals, name: &str) {
    let begun = Instant::now();
    // No record is written while this is held.
    let kept = loop {
        match signals.kept.try_lock() {
            Ok(kept) => break Some(kept),
            Err(TryLockError::Poisoned(poisoned)) => break Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if begun.elapsed() > WRITING => break None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
        }
    };
    if signals.done.swap(true, Ordering::SeqCst) {
        return;
    }
    if let Some(kept) = &kept {
        output::note(format_args!("interrupted; {}", kept_in(**kept, name)));
    }
    // The children end when their standard input does.
    process::exit(Exit::Interrupted as i32);
}

/// How many pages are in the journal, in words.
pub fn kept_in(pages: u64, name: &str) -> String {
    format!("{} kept in {name}: --resume goes on after them", count(pages, "page"))
}
