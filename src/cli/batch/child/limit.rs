//! What the system lets a process have.

/// Limits the memory of this process, in bytes of address space, and keeps it from leaving a dump of its memory when it
/// crashes. It is a limit that can be changed again.
///
/// Linux, Android, FreeBSD and NetBSD keep to it. macOS takes it and does not keep to it, and elsewhere there is none: there a page
/// may take what memory there is, until its time is over.
pub fn memory(bytes: u64) {
    set(bytes);
}

#[cfg(all(unix, not(target_os = "openbsd")))]
fn set(bytes: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // A limit that the user has set is never raised.
    let lower = |resource, bytes: u64| {
        let maximum = getrlimit(resource).maximum;
        let current = Some(maximum.map_or(bytes, |maximum| bytes.min(maximum)));
        // Without the limit the work goes on: it is a safeguard, not a condition.
        let _ = setrlimit(resource, Rlimit { current, maximum });
    };
    lower(Resource::As, bytes);
    lower(Resource::Core, 0);
}

#[cfg(not(all(unix, not(target_os = "openbsd"))))]
fn set(_: u64) {}
