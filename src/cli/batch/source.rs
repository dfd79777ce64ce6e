//! The pages to read, one at a time: a document is opened when its turn comes, and its pages are drawn by the threads
//! that read them.

use std::{
    fs::File,
    io::Read,
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use fenlens::{
    Error, Limits, Picture, Record, Result,
    error::DecodeError,
    image::{self, Damage, TiffFile},
};

use super::{args::FileLimits, pdf::Document, shard::Shard};
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
    Pdf(Document),
    Tiff(TiffFile),
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
                Paged::Pdf(document) => document.draw(page, limits).map(|drawn| Opened {
                    picture: drawn.picture.with_damage(drawn.incomplete.then_some(Damage::Missing)),
                    dpi: Some(drawn.dpi),
                    incomplete: drawn.incomplete,
                }),
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
}

impl<'a> Source<'a> {
    /// The pages of the files, or of a part of them, that come after a key.
    pub fn new(
        files: &'a [PathBuf],
        limits: FileLimits,
        shard: Option<Shard>,
        after: Option<Key>,
        signals: &'a Signals,
    ) -> Source<'a> {
        let next = after.map_or(0, |key| key.input as usize - 1).min(files.len());
        let source = Source { files, next, open: None, limits, shard, after, signals };
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
    fn look_into(&self, path: &Path) -> Result<Option<Paged>> {
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
            let limits = Limits::new(self.limits.document, self.limits.pictures.pixels);
            return Document::open(image::read_file(path, &limits)?).map(|document| Some(Paged::Pdf(document)));
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
        let opened = guarded(|| self.look_into(path))
            .unwrap_or_else(|panic| Err(Error::Decode { error: DecodeError::Broken, source: Some(panic.into()) }));
        let content = match opened {
            Ok(Some(paged)) => {
                let pages = match &paged {
                    Paged::Pdf(document) => document.pages(),
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
