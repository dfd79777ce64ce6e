//! This program, started again for work that may end a process, and what such a process is denied.

use std::{
    env, io,
    path::{Path, PathBuf},
    process::Command,
};

/// This program with one of its hidden commands, yet to be started.
///
/// # Errors
/// The error of the system, when it does not know where the program is.
pub fn own_program(command: &str) -> io::Result<Command> {
    let mut own = Command::new(path()?);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // A process group of its own: Ctrl-C in the terminal is meant for the program that starts it.
        own.arg0(env!("CARGO_PKG_NAME")).process_group(0);
    }
    own.arg(command);
    Ok(own)
}

/// On Linux the file that this process runs, even when another has been installed in its place meanwhile.
fn path() -> io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() { Ok(running.to_owned()) } else { env::current_exe() }
}

/// Limits the memory of this process, in bytes of address space. It can be changed again.
///
/// Apple's systems do not keep to such a limit, and OpenBSD and Windows have none: nothing is limited there.
pub fn limit_memory(bytes: u64) {
    #[cfg(all(unix, not(any(target_vendor = "apple", target_os = "openbsd"))))]
    limit(rustix::process::Resource::As, bytes);
    #[cfg(not(all(unix, not(any(target_vendor = "apple", target_os = "openbsd")))))]
    let _ = bytes;
}

/// Keeps this process from leaving a file of its memory behind when it crashes.
pub fn leave_no_core() {
    #[cfg(unix)]
    limit(rustix::process::Resource::Core, 0);
}

#[cfg(unix)]
fn limit(resource: rustix::process::Resource, value: u64) {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    // What the system or the user has set as the maximum stays.
    let maximum = getrlimit(resource).maximum;
    let current = Some(maximum.map_or(value, |maximum| value.min(maximum)));
    // Without the limit the work goes on: it is a safeguard, not a condition.
    let _ = setrlimit(resource, Rlimit { current, maximum });
}
