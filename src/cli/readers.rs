//! Reading pictures, one at a time or many at once: what `read`, `check` and `batch` share.

use std::{fs, fs::File, io, ops::ControlFlow, path::Path, time::Instant};

use fenlens::{Limits, Options, Picture, Recognition, Recognizer, Result, image, net::runtime::Backend};

use super::{
    args::{JobsArgs, RuntimeArgs},
    models,
    pool::Pool,
};

/// A recognizer and the threads that share it.
pub struct Readers {
    pool: Pool,
    recognizer: Recognizer,
    backend: Backend,
}

impl Readers {
    /// As many as the flags say, with the models and the runtime that they name. `items` is how many pictures there are,
    /// where that is known.
    ///
    /// # Errors
    /// In words.
    pub fn new(
        jobs: JobsArgs,
        runtime: &RuntimeArgs,
        items: Option<usize>,
        options: Options,
    ) -> Result<Readers, String> {
        let (models, runtime) = models::load(runtime).map_err(|error| error.chain())?;
        let recognizer = Recognizer::new(&models, &runtime, options).map_err(|error| error.chain())?;
        let pool = Pool::new(jobs.jobs, items)?;
        Ok(Readers { pool, recognizer, backend: runtime.backend().clone() })
    }

    /// The names of the models, as records have them.
    pub fn version(&self) -> &str {
        self.recognizer.version()
    }

    /// What runs the models.
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Does `work` on every item and hands the results to `take`, as [`Pool::in_order`] does.
    pub fn in_order<I: Send, T: Send, B>(
        &self,
        items: impl Iterator<Item = I> + Send,
        work: impl Fn(&Recognizer, &mut I) -> T + Sync,
        take: impl FnMut(I, Result<T>) -> ControlFlow<B>,
    ) -> Option<B> {
        self.pool.in_order(items, |item| work(&self.recognizer, item), take)
    }
}

/// Reads, decodes and recognizes one picture; `-` is standard input.
///
/// # Errors
/// Those of every stage.
pub fn open_and_recognize(path: &Path, recognizer: &Recognizer) -> Result<(Picture, Recognition)> {
    let limits = recognizer.options().limits;
    recognize(recognizer, || Picture::decode(&bytes(path, &limits)?, &limits))
}

/// The bytes of a picture; `-` is standard input. What was opened for this program, such as `/dev/stdin` or the `<(...)` of a
/// shell, may be a pipe.
///
/// # Errors
/// [`Error::Read`](fenlens::Error::Read), [`Error::TooLarge`](fenlens::Error::TooLarge).
pub fn bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    if path == Path::new("-") {
        return image::read_stream(io::stdin().lock(), limits);
    }
    if path == Path::new("/dev/stdin") || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder)) {
        return image::read_stream(File::open(path)?, limits);
    }
    image::read_file(path, limits)
}

/// Makes sure that what is opened next is no pipe and no device, where opening or reading could wait for ever.
///
/// # Errors
/// The error of the system, or one that says what it is.
pub fn expect_file(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() || kind.is_dir() { Ok(()) } else { Err(io::Error::other("a pipe or a device, not a file")) }
}

/// Gets a picture and recognizes it; getting it counts as reading.
///
/// # Errors
/// Those of `get` and of every stage after it.
pub fn recognize(recognizer: &Recognizer, get: impl FnOnce() -> Result<Picture>) -> Result<(Picture, Recognition)> {
    let start = Instant::now();
    let picture = get()?;
    let read = start.elapsed().as_secs_f64() * 1e3;
    let mut found = recognizer.recognize(&picture)?;
    found.timings.read = read;
    found.timings.total += read;
    Ok((picture, found))
}
