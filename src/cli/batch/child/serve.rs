//! The process that opens documents and draws their pages: a hidden command of the program.

use std::{
    fs, io,
    path::Path,
    process,
    sync::{mpsc, mpsc::Receiver},
    thread,
};

use fenlens::{Error, Limits, Result, error::DecodeError, image};

use super::{
    super::pdf::Document,
    wire::{Reply, Request},
};
use crate::cli::{
    exit::Exit,
    guard,
    own::{leave_no_core, limit_memory},
};

/// The stack of the thread that draws. Documents may be nested deeply, and memory that is never touched costs nothing.
const STACK: usize = 16 << 20;

/// What a document may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct ServeArgs {
    /// Bytes of memory, besides the document.
    pub memory: u64,
    /// Bytes of a document.
    pub document: u64,
    /// Pixels of a picture in it.
    pub pixels: u64,
}

/// Runs the command: does what standard input asks for, and replies on standard output. The process ends when its
/// standard input does, also while it draws: then the program that started it has ended.
pub fn serve(args: &ServeArgs) -> Exit {
    limit_memory(args.memory);
    leave_no_core();
    guard::quiet();
    let (sender, requests) = mpsc::channel();
    let limits = *args;
    let drawing = thread::Builder::new().name("drawing".into()).stack_size(STACK).spawn(move || {
        answer(&requests, &limits);
        process::exit(Exit::Success as i32);
    });
    if drawing.is_err() {
        return Exit::Failure;
    }
    let mut input = io::stdin().lock();
    while let Ok(request) = Request::read(&mut input) {
        if sender.send(request).is_err() {
            break;
        }
    }
    // The drawing thread may be in the middle of something.
    process::exit(Exit::Success as i32)
}

/// Answers until nobody asks or nobody listens.
fn answer(requests: &Receiver<Request>, limits: &ServeArgs) {
    let mut open = None;
    for request in requests {
        let reply = match request {
            Request::Close => {
                open = None;
                continue;
            }
            Request::Open(path) => {
                // First, so that two documents are never held.
                open = None;
                guarded(|| opened(&path, limits)).map(|document| {
                    let pages = document.pages();
                    open = Some(document);
                    Reply::Pages(pages as u32)
                })
            }
            Request::Draw(page) => match &open {
                Some(document) => {
                    let limits = Limits::new(limits.document, limits.pixels);
                    guarded(|| document.draw(page as usize, &limits)).map(Reply::Drawn)
                }
                None => Err(Error::Panic { message: "no document is open".into() }),
            },
        };
        if reply.unwrap_or_else(Reply::Failed).write(&mut io::stdout().lock()).is_err() {
            return;
        }
    }
}

fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    guard::guarded(work).unwrap_or_else(|panic| {
        Err(Error::Decode { error: DecodeError::Broken, source: Some(format!("it cannot be drawn: {panic}").into()) })
    })
}

/// Reads and opens a document. Its own bytes do not count for the limit of memory.
fn opened(path: &Path, limits: &ServeArgs) -> Result<Document> {
    let size = fs::metadata(path)?.len().min(limits.document);
    // While it is read, its buffer may be twice as long.
    limit_memory(limits.memory.saturating_add(size.saturating_mul(2)));
    let mut bytes = image::read_file(path, &Limits::new(limits.document, limits.pixels))?;
    bytes.shrink_to_fit();
    limit_memory(limits.memory.saturating_add(bytes.len() as u64));
    Document::open(bytes)
}
