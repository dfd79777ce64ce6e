//! Guards work on untrusted bytes: a panic in it becomes an error, and the program goes on.

use std::{any::Any, cell::Cell, env, panic, panic::AssertUnwindSafe, sync::Once};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// From now on, panics in guarded work are not printed, unless `RUST_BACKTRACE` asks for them. Calling it again changes
/// nothing.
pub fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let printed = panic::take_hook();
        let wanted = env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
        panic::set_hook(Box::new(move |info| {
            if wanted || !GUARDED.get() {
                printed(info);
            }
        }));
    });
}

/// Marks this thread as one whose work is all guarded, so that a panic in a part of guarded work that is done on another
/// thread is not printed either.
pub fn mark_thread() {
    GUARDED.set(true);
}

/// Does the work and gives the message of a panic in it as an error. The work must not leave behind anything half changed
/// that is used afterwards.
///
/// # Errors
/// The message of the panic.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    result.map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown error").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_errors() {
        quiet();
        assert_eq!(guarded(|| 1), Ok(1));
        assert_eq!(guarded(|| panic!("page {}", 3)), Err::<(), _>("page 3".into()));
    }
}
