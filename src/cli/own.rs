//! This program, started again for work that may end a process.

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
    own.arg(command);
    // A process group of its own: Ctrl-C in the terminal is meant for the program that starts it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut own, 0);
    Ok(own)
}

/// On Linux the file that this process runs, even when another has been installed in its place meanwhile.
fn path() -> io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() { Ok(running.to_owned()) } else { env::current_exe() }
}
