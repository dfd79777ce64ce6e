//! Work on bytes of strangers by code of strangers: a panic in it is one more fault of the bytes.

use std::{any::Any, cell::Cell, panic, panic::AssertUnwindSafe};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// From now on, panics in [`guarded`] work are not printed.
pub fn quiet() {
    let printed = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !GUARDED.get() {
            printed(info);
        }
    }));
}

/// Does the work, and gives the words of a panic in it as an error. What the work changes must be of no use afterwards,
/// or be whole after every step.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    result.map_err(|panic| words(&*panic))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown fault").to_owned()
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
