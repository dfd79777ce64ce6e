//! Documents are opened, and their pages drawn, in processes of their own: `docs/decisions/011-pages-in-a-child.md`.
//!
//! A document can be made to take all memory, to overflow the stack or never to end, and none of these can be caught in
//! the process where it happens. So this program starts itself again, with limits, and asks that process for pages. When
//! the process dies or is too slow, that is the error of the page, and the next page gets a new process.

pub mod serve;
mod wire;

use std::{
    io,
    io::Read,
    path::Path,
    process::{Child, ChildStdin, ExitStatus, Stdio},
    sync::{
        Mutex, MutexGuard, PoisonError, mpsc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use fenlens::{Error, Result, error::DrawError};

use self::{
    serve::ServeArgs,
    wire::{Reply, Request},
};
use super::pdf::Drawn;
use crate::cli::own::own_program;

/// The name of the hidden command.
pub const COMMAND: &str = "draw-pages";

/// What drawing a page may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLimits {
    /// Bytes of memory, besides the document.
    pub memory: u64,
    /// Time, for opening a document and for each of its pages.
    pub time: Duration,
}

/// A document among the files of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    /// Its number, which no other file has.
    pub input: u32,
    /// Where it is.
    pub path: &'a Path,
}

/// The processes. Each is used by one thread at a time, and a thread uses one at a time, so there are never more than
/// threads. They are started when they are needed.
#[derive(Debug)]
pub struct Children {
    args: ServeArgs,
    time: Duration,
    /// Those that no thread is using.
    free: Mutex<Vec<Process>>,
}

impl Children {
    /// No process yet. `document`: the most bytes of a document; `pixels`: the most pixels of a picture in it.
    pub fn new(limits: PageLimits, document: u64, pixels: u64) -> Children {
        let args = ServeArgs { memory: limits.memory, document, pixels };
        Children { args, time: limits.time, free: Mutex::new(Vec::new()) }
    }

    /// Opens a document and counts its pages.
    ///
    /// # Errors
    /// Those of reading and decoding, and [`Error::Draw`].
    pub fn count_pages(&self, name: Name<'_>) -> Result<u32> {
        self.in_any(name, |process| process.open(name, self.time))
    }

    /// Draws a page, counted from 0.
    ///
    /// # Errors
    /// Those of reading and decoding, and [`Error::Draw`].
    pub fn draw(&self, name: Name<'_>, page: u32) -> Result<Drawn> {
        self.in_any(name, |process| {
            if process.open != Some(name.input)
                && let Err(error) = process.open(name, self.time)?
            {
                return Ok(Err(error));
            }
            process.draw(page, self.time)
        })
    }

    /// Lets go of a document that is not needed any more.
    pub fn close(&self, input: u32) {
        self.lock().retain_mut(|process| process.open != Some(input) || process.close().is_ok());
    }

    /// Does some work in a process that is free, or in a new one. What kills a process that has drawn other pages before is
    /// tried again in a new one, so that a page has the same result whatever came before it.
    fn in_any<T>(&self, name: Name<'_>, work: impl Fn(&mut Process) -> Result<Result<T>, Death>) -> Result<T> {
        /// Somebody who ends processes by their name ends this one as well, and cannot go on for ever.
        const MOST_SIGNALS: usize = 3;
        let mut taken = self.take(name.input);
        let mut signals = 0;
        loop {
            let mut process = match taken.take() {
                Some(process) => process,
                None => Process::start(&self.args)?,
            };
            let is_new = process.is_new_for(name.input);
            match work(&mut process) {
                Ok(result) => {
                    self.lock().push(process);
                    return result;
                }
                Err(Death::TooLong) => return Err(Error::Draw { error: DrawError::TooLong { limit: self.time } }),
                Err(Death::Ended) => {
                    let end = process.end()?;
                    signals += usize::from(end.by_request());
                    if is_new && !(end.by_request() && signals < MOST_SIGNALS) {
                        return Err(Error::Draw { error: end.explain(self.args.memory) });
                    }
                }
            }
        }
    }

    /// A free process, best one that has this document open.
    fn take(&self, input: u32) -> Option<Process> {
        let mut free = self.lock();
        match free.iter().position(|process| process.open == Some(input)) {
            Some(index) => Some(free.swap_remove(index)),
            None => free.pop(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Process>> {
        // Nothing that holds the lock leaves the list half changed.
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a process is of no use any more.
enum Death {
    /// It has ended, or says what cannot be understood.
    Ended,
    /// It did not reply in time.
    TooLong,
}

/// A running process. It is killed when this is dropped.
#[derive(Debug)]
struct Process {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<io::Result<Reply>>,
    /// The number of the document that it has open.
    open: Option<u32>,
    /// Whether it has opened another document or drawn a page.
    used: bool,
}

impl Process {
    fn start(args: &ServeArgs) -> Result<Process> {
        let failed = |error| Error::Read { source: io::Error::other(format!("no process to draw pages in: {error}")) };
        let mut command = own_program(COMMAND).map_err(failed)?;
        command.args([args.memory, args.document, args.pixels].map(|number| number.to_string()));
        let mut child = command
            // A backtrace would only fill the pipe.
            .env_remove("RUST_BACKTRACE")
            .env_remove("RUST_LIB_BACKTRACE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What it says when it crashes is not for the user, but tells why.
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(requests), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        // A thread of its own, since reading from a pipe has no time limit. It ends when the process does.
        let (sender, replies) = mpsc::sync_channel(1);
        let listen = move || {
            loop {
                let reply = Reply::read(&mut output);
                let ended = reply.is_err();
                if sender.send(reply).is_err() || ended {
                    return;
                }
            }
        };
        let listener = thread::Builder::new().name("pages".into()).spawn(listen);
        let process = Process { child, requests, replies, open: None, used: false };
        listener.map_err(failed)?;
        Ok(process)
    }

    /// Whether it has done nothing but open this document.
    fn is_new_for(&self, input: u32) -> bool {
        !self.used && self.open.is_none_or(|open| open == input)
    }

    fn open(&mut self, name: Name<'_>, time: Duration) -> Result<Result<u32>, Death> {
        self.used |= self.open.take().is_some();
        match self.ask(&Request::Open(name.path.to_owned()), time)? {
            Reply::Pages(pages) => {
                self.open = Some(name.input);
                Ok(Ok(pages))
            }
            Reply::Failed(error) => Ok(Err(error)),
            Reply::Drawn(_) => Err(Death::Ended),
        }
    }

    fn close(&mut self) -> io::Result<()> {
        self.used |= self.open.take().is_some();
        Request::Close.write(&mut self.requests)
    }

    fn draw(&mut self, page: u32, time: Duration) -> Result<Result<Drawn>, Death> {
        let reply = self.ask(&Request::Draw(page), time)?;
        self.used = true;
        match reply {
            Reply::Drawn(drawn) => Ok(Ok(drawn)),
            Reply::Failed(error) => Ok(Err(error)),
            Reply::Pages(_) => Err(Death::Ended),
        }
    }

    /// Asks for something and waits for the reply.
    fn ask(&mut self, request: &Request, time: Duration) -> Result<Reply, Death> {
        /// The time is counted in steps of this length, not by the clock, so that a program that was stopped for a while
        /// (Ctrl-Z) does not give up a page when it goes on.
        const STEP: Duration = Duration::from_millis(100);
        request.write(&mut self.requests).map_err(|_| Death::Ended)?;
        let mut left = time;
        while !left.is_zero() {
            let step = STEP.min(left);
            match self.replies.recv_timeout(step) {
                Ok(reply) => return reply.map_err(|_| Death::Ended),
                Err(RecvTimeoutError::Disconnected) => return Err(Death::Ended),
                Err(RecvTimeoutError::Timeout) => left -= step,
            }
        }
        Err(Death::TooLong)
    }

    /// How it has ended; a process that does not is killed.
    fn end(mut self) -> Result<End> {
        /// One that is ending needs no longer.
        const PATIENCE: Duration = Duration::from_secs(1);
        const STEP: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        let mut ended = self.child.try_wait()?;
        while ended.is_none() && waited < PATIENCE {
            thread::sleep(STEP);
            waited += STEP;
            ended = self.child.try_wait()?;
        }
        let _ = self.child.kill();
        let status = self.child.wait()?;
        // It wrote only when it crashed, so this is short.
        let mut said = Vec::new();
        if let Some(stderr) = self.child.stderr.take() {
            let _ = stderr.take(1 << 16).read_to_end(&mut said);
        }
        Ok(End { status, was_killed: ended.is_none(), said: String::from_utf8_lossy(&said).into_owned() })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail for a process that was waited for before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How a process ended.
#[derive(Debug)]
struct End {
    status: ExitStatus,
    /// Whether it was killed here, since it said what cannot be understood.
    was_killed: bool,
    /// What it wrote to standard error.
    said: String,
}

impl End {
    /// Whether somebody asked it to end, which says nothing about the page.
    fn by_request(&self) -> bool {
        // Hang-up, interrupt, termination. Their numbers are the same on every Unix.
        self.signal().is_some_and(|signal| [1, 2, 15].contains(&signal))
    }

    #[cfg(unix)]
    fn signal(&self) -> Option<i32> {
        std::os::unix::process::ExitStatusExt::signal(&self.status)
    }

    #[cfg(not(unix))]
    fn signal(&self) -> Option<i32> {
        // Windows ends with this code what Ctrl-C ends.
        const CONTROL_C: u32 = 0xC000_013A;
        (self.status.code() == Some(CONTROL_C as i32)).then_some(2)
    }

    /// Why, as far as it can be told. `memory`: the limit in bytes.
    fn explain(&self, memory: u64) -> DrawError {
        // The words of Rust's runtime when it aborts.
        if self.said.contains("memory allocation of") {
            return DrawError::OutOfMemory { limit: memory };
        }
        let how = if self.said.contains("overflowed its stack") {
            "stack overflow".to_owned()
        } else if self.was_killed {
            "its replies make no sense".to_owned()
        } else if self.signal() == Some(9) {
            "killed, perhaps because the system has no memory left".to_owned()
        } else {
            self.status.to_string()
        };
        DrawError::Crashed { how }
    }
}
