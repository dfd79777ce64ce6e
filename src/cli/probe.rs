//! Tries a native ONNX Runtime library in a process of its own before this one loads it. A library is foreign code: it may
//! crash, wait for ever, or end the process that loads it without a word.

use std::{
    env, io,
    io::{Read, Write},
    path::{Path, PathBuf},
    process,
    process::{Child, ExitStatus, Stdio},
    sync::{mpsc, mpsc::Receiver},
    thread,
    time::Duration,
};

use fenlens::{Runtime, net::runtime::Backend};

use super::{
    exit::Exit,
    own::{leave_no_core, own_program},
};

/// The name of the hidden command.
pub const COMMAND: &str = "probe-runtime";

/// How long loading a library may take. It takes a tenth of a second; from a slow disk it takes some.
const PATIENCE: Duration = Duration::from_secs(15);

/// What the command prints, after whatever the library prints, when the library can be used, and before the reason when it
/// cannot.
const GOOD: &str = "fenlens-probe: usable";
const BAD: &str = "fenlens-probe: ";

/// Flags of the hidden command.
#[derive(Debug, clap::Args)]
pub struct ProbeArgs {
    /// The library.
    library: PathBuf,
}

/// The native library that the flags or the environment name.
pub fn named(flag: Option<&Path>) -> Option<PathBuf> {
    flag.map(Path::to_owned).or_else(|| {
        let value = env::var_os(Runtime::VARIABLE)?;
        (!value.is_empty()).then(|| value.into())
    })
}

/// Whether a library can be loaded, and its runtime started.
///
/// # Errors
/// Why not, in words, without its path.
pub fn probe(library: &Path) -> Result<(), String> {
    let mut child = own_program(COMMAND)
        .and_then(|mut command| {
            // A path that begins with a dash is no flag.
            command.arg("--").arg(library);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
        })
        .map_err(|error| format!("it cannot be tried in a process of its own: {error}"))?;
    // The process ends when this does, and with it the pipe.
    let _alive = child.stdin.take();
    let said = listen(&mut child);
    let status = wait(&mut child, PATIENCE).map_err(|error| error.to_string())?;
    let Some(status) = status else {
        return Err(format!("it did not load within {} s", PATIENCE.as_secs()));
    };
    // All that it wrote is in the pipe. A process that it has started may keep the pipe open, so the wait has an end.
    let said = said.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
    judge(&said, status)
}

/// Reads what a process prints, at most a little, on a thread of its own.
fn listen(child: &mut Child) -> Receiver<String> {
    let (sender, said) = mpsc::sync_channel(1);
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = output.take(1 << 16).read_to_end(&mut bytes);
            sender.send(String::from_utf8_lossy(&bytes).into_owned())
        });
    }
    said
}

/// How a process ends; `None` when it does not and was killed.
fn wait(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    const STEP: Duration = Duration::from_millis(2);
    let mut left = patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if left.is_zero() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(STEP);
        left = left.saturating_sub(STEP);
    }
}

/// What the last words of a probe and its end say of the library.
fn judge(said: &str, status: ExitStatus) -> Result<(), String> {
    let last = said.lines().last().unwrap_or_default();
    if last == GOOD && status.success() {
        return Ok(());
    }
    Err(match last.strip_prefix(BAD) {
        Some(reason) if last != GOOD => reason.to_owned(),
        _ => format!("it ends the program that loads it ({status})"),
    })
}

/// From now on this process ends when its standard input does, which the program that started it holds.
fn end_with_parent() {
    let (ready, started) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        let _ = ready.send(());
        let _ = io::copy(&mut input, &mut io::sink());
        // A plain exit would run what the library has registered, and could wait for its initializer.
        process::abort();
    });
    // What a thread registers when it starts waits for a lock that is held while a library is loaded.
    let _ = started.recv();
}

/// Runs the hidden command.
pub fn run(args: &ProbeArgs) -> Exit {
    leave_no_core();
    end_with_parent();
    let answer = match Runtime::open(Some(&args.library)) {
        Ok(runtime) => match runtime.backend() {
            Backend::Native(_) => GOOD.to_owned(),
            Backend::PureRust => format!("{BAD}{}", runtime.fallback().unwrap_or_default()),
        },
        Err(error) => format!("{BAD}{}", error.chain()),
    };
    // A library may have printed half a line.
    match io::stdout().lock().write_all(format!("\n{answer}\n").as_bytes()) {
        Ok(()) => Exit::Success,
        Err(_) => Exit::Failure,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn what_does_not_end_is_killed() {
        let mut child = process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(wait(&mut child, Duration::from_millis(20)).unwrap().is_none());
        assert!(child.try_wait().unwrap().is_some());
        let mut child = process::Command::new("true").spawn().unwrap();
        assert!(wait(&mut child, Duration::from_secs(20)).unwrap().unwrap().success());
    }

    #[test]
    fn last_words_are_judged() {
        let judged = |said: &str, code: i32| judge(said, ExitStatus::from_raw(code << 8));
        assert_eq!(judged("\nfenlens-probe: usable\n", 0), Ok(()));
        assert_eq!(judged("\nfenlens-probe: too old\n", 0), Err("too old".into()));
        for (said, code) in
            [("", 0), ("hello", 0), ("\nfenlens-probe: usable\n", 1), ("\nfenlens-probe: usable\nbye", 0)]
        {
            let reason = judged(said, code).unwrap_err();
            assert!(reason.starts_with("it ends the program that loads it (exit status: "), "{reason}");
        }
    }
}
