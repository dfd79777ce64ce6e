//! The pages to read, one at a time: a document is opened when its turn comes, and its pages are drawn when they are read.

use std::{
    fs::File,
    io::Read,
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use fenlens::{
    Error, Limits, Picture, Record, Result,
    error::DecodeError,
    image::{self, Damage, TiffFile},
};

use super::{
    args::FileLimits,
    child::{Children, Name},
    pdf::Document,
    shard::Shard,
};
use crate::cli::{files::is_single_picture, guard::guarded};

/// The position of a page in the order of a batch. Files without pages are page 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The number of the file, from 1.
    pub input: u32,
    /// The number of the page, from 1.
    pub page: u32,
}

impl Key {
    /// The key of a record of a batch.
    pub fn of(record: &Record) -> Option<Key> {
        Some(Key { input: record.input?, page: record.page.unwrap_or(0) })
    }

    /// Whether it is that of one of so many files.
    pub fn is_of(self, files: usize) -> bool {
        (1..=files).contains(&(self.input as usize))
    }
}

/// One page to read.
pub struct Task {
    /// Its position in the order.
    pub key: Key,
    /// The file.
    pub path: Arc<Path>,
    content: Content,
}

enum Content {
    /// A file of one picture, not yet opened.
    File,
    /// A page of an open document.
    Page(Arc<Paged>, usize),
    /// A document that cannot be opened.
    Failed(Error),
}

enum Paged {
    Pdf(Pdf),
    Tiff(TiffFile),
}

/// A document that others have open. They let go of it when this is dropped.
struct Pdf {
    input: u32,
    pages: u32,
    children: Arc<Children>,
}

impl Drop for Pdf {
    fn drop(&mut self) {
        self.children.close(self.input);
    }
}

/// The picture of a task.
pub struct Opened {
    /// Its pixels.
    pub picture: Picture,
    /// How many make an inch, where that is known.
    pub dpi: Option<f64>,
    /// Whether something on the page could not be drawn.
    pub incomplete: bool,
}

impl Task {
    /// Reads and decodes the file, or draws the page. Lets go of the document, so it can be done once.
    ///
    /// # Errors
    /// Those of [`Picture::open`].
    pub fn open(&mut self, limits: &Limits) -> Result<Opened> {
        let whole = |picture| Opened { picture, dpi: None, incomplete: false };
        match mem::replace(&mut self.content, Content::File) {
            Content::Failed(error) => Err(error),
            Content::File => Picture::open(&*self.path, limits).map(whole),
            Content::Page(document, page) => match &*document {
                Paged::Tiff(file) => file.decode(page, limits).map(whole),
                Paged::Pdf(pdf) => {
                    let name = Name { input: pdf.input, path: &self.path };
                    pdf.children.draw(name, page as u32).map(|drawn| Opened {
                        picture: drawn.picture.with_damage(drawn.incomplete.then_some(Damage::Missing)),
                        dpi: Some(drawn.dpi),
                        incomplete: drawn.incomplete,
                    })
                }
            },
        }
    }
}

/// The pages of all files, in order.
pub struct Source<'a> {
    files: &'a [PathBuf],
    /// The index of the next file to open.
    next: usize,
    open: Option<(Arc<Paged>, Range<usize>)>,
    limits: FileLimits,
    children: Arc<Children>,
    shard: Option<Shard>,
    after: Option<Key>,
    signals: &'a Signals,
}

/// What the source and the rest of the program tell each other during a run.
#[derive(Debug, Default)]
pub struct Signals {
    /// Set to end the source early.
    pub stop: AtomicBool,
    /// Set by the source when it has ended early.
    pub stopped: AtomicBool,
    /// How many pages the source will give in all: an estimate while there are documents that were not opened.
    pub expected: AtomicU64,
    /// How many pages are in the journal. Held while a record is written to it.
    pub kept: Mutex<u64>,
    /// Set when there is nothing more to do but to end.
    pub done: AtomicBool,
}

impl<'a> Source<'a> {
    /// The pages of the files, or of a part of them, that come after a key. `children` open and draw documents.
    pub fn new(
        files: &'a [PathBuf],
        limits: FileLimits,
        children: Arc<Children>,
        shard: Option<Shard>,
        after: Option<Key>,
        signals: &'a Signals,
    ) -> Source<'a> {
        let next = after.map_or(0, |key| key.input as usize - 1).min(files.len());
        let source = Source { files, next, open: None, limits, children, shard, after, signals };
        let expected = (next..files.len()).filter(|&index| {
            let path = &files[index];
            !is_single_picture(path) || source.is_due(Key { input: index as u32 + 1, page: 0 }, path)
        });
        signals.expected.store(expected.count() as u64, Ordering::Relaxed);
        source
    }

    /// Whether a page is to be read by this run.
    fn is_due(&self, key: Key, path: &Path) -> bool {
        self.after.is_none_or(|after| key > after)
            && self.shard.is_none_or(|shard| shard.has(&path.to_string_lossy(), key.page))
    }

    /// The pages of a file; `None` for a file that is read as a single picture, also where it cannot be read.
    fn look_into(&self, input: u32, path: &Path) -> Result<Option<Paged>> {
        if is_single_picture(path) || !path.is_file() {
            return Ok(None);
        }
        let mut head = Vec::new();
        // The error is reported when the file is read as a picture.
        let Ok(file) = File::open(path) else { return Ok(None) };
        if file.take(1024).read_to_end(&mut head).is_err() {
            return Ok(None);
        }
        if Document::is_one(&head) {
            let pages = self.children.count_pages(Name { input, path })?;
            return Ok(Some(Paged::Pdf(Pdf { input, pages, children: self.children.clone() })));
        }
        if head.starts_with(b"II") || head.starts_with(b"MM") {
            let bytes = image::read_file(path, &self.limits.pictures)?;
            return Ok(TiffFile::open(bytes).ok().filter(|file| file.pages() > 1).map(Paged::Tiff));
        }
        Ok(None)
    }

    fn task(&self, key: Key, content: Content) -> Task {
        Task { key, path: self.files[key.input as usize - 1].as_path().into(), content }
    }

    /// Opens the next file; returns a task if the file is a single picture or cannot be opened.
    fn begin(&mut self) -> Option<Task> {
        let path = &self.files[self.next];
        self.next += 1;
        let input = self.next as u32;
        let key = Key { input, page: 0 };
        let opened = guarded(|| self.look_into(input, path))
            .unwrap_or_else(|panic| Err(Error::Decode { error: DecodeError::Broken, source: Some(panic.into()) }));
        let content = match opened {
            Ok(Some(paged)) => {
                let pages = match &paged {
                    Paged::Pdf(pdf) => pdf.pages as usize,
                    Paged::Tiff(file) => file.pages(),
                };
                let due = (1..=pages as u32).filter(|&page| self.is_due(Key { input, page }, path)).count();
                // The document itself was counted as one.
                self.signals.expected.fetch_add(due as u64, Ordering::Relaxed);
                self.signals.expected.fetch_sub(1, Ordering::Relaxed);
                self.open = Some((Arc::new(paged), 0..pages));
                return None;
            }
            Ok(None) => Content::File,
            Err(error) => Content::Failed(error),
        };
        if self.is_due(key, path) {
            return Some(self.task(key, content));
        }
        if !is_single_picture(path) {
            self.signals.expected.fetch_sub(1, Ordering::Relaxed);
        }
        None
    }
}

impl Iterator for Source<'_> {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        loop {
            if self.open.is_none() && self.next >= self.files.len() {
                return None;
            }
            if self.signals.stop.load(Ordering::Relaxed) {
                self.signals.stopped.store(true, Ordering::Relaxed);
                return None;
            }
            let Some((document, pages)) = &mut self.open else {
                match self.begin() {
                    Some(task) => return Some(task),
                    None => continue,
                }
            };
            let Some(page) = pages.next() else {
                self.open = None;
                continue;
            };
            let document = document.clone();
            let key = Key { input: self.next as u32, page: page as u32 + 1 };
            if self.is_due(key, &self.files[self.next - 1]) {
                return Some(self.task(key, Content::Page(document, page)));
            }
        }
    }
}
