//! Work on many pictures at once, handed on in the order given. Used by every command that reads more than one.
//!
//! The threads are those of one rayon pool, so parallel work within one picture runs on the same threads. Rayon may put an
//! item on the stack of a thread that waits for a part of another item. Therefore nothing in the pool ever waits for an
//! item to be finished or taken. Two threads outside the pool do: the feeder, which draws items when there is room for
//! their results, and the caller, which takes the results.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
        mpsc::{Receiver, Sender, SyncSender},
    },
    thread,
};

use fenlens::{Error, Result};
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

use super::{guard, output};

/// How many results for each thread may wait for an earlier one. This bounds memory when one picture takes long.
const AHEAD: usize = 4;

/// The stack of a thread. An item may be put on top of another, and memory that is never touched costs nothing.
const STACK: usize = 16 << 20;

/// The most threads for each core. More threads only cost memory: each holds a picture and a session of every network.
const MOST_A_CORE: usize = 4;

/// As many threads may be asked for on any machine, however few cores it has.
const ALWAYS_ALLOWED: usize = 16;

/// Threads that work on items, a few at a time.
pub struct Pool {
    threads: ThreadPool,
}

impl Pool {
    /// A pool of as many threads as were asked for, or one a core. `items` is how many there will be, where that is known:
    /// threads beyond the number of items and of cores would have nothing to do. A number that is too large is lowered, and
    /// a note says so.
    ///
    /// # Errors
    /// In words, when not even one thread can be had.
    pub fn new(asked: Option<u16>, items: Option<usize>) -> Result<Pool, String> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let most = most(cores);
        if let Some(asked) = asked.map(usize::from).filter(|&asked| asked > most) {
            output::note(format_args!("note: --jobs {asked} is more than this machine can use; {most} are used"));
        }
        Pool::of(threads(asked, items, cores))
    }

    fn of(threads: usize) -> Result<Pool, String> {
        guard::quiet();
        let build = |threads| {
            let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
            builder.start_handler(|_| guard::mark_thread()).build()
        };
        // If the system refuses so many threads, fewer do the same work.
        let mut threads = threads;
        loop {
            match build(threads) {
                Ok(threads) => return Ok(Pool { threads }),
                Err(_) if threads > 1 => threads /= 2,
                Err(error) => return Err(format!("no thread can be started: {error}")),
            }
        }
    }

    /// Does `work` on every item and hands the results to `take`, on the calling thread, in the order of the items, each as
    /// soon as those before it are taken. Items are drawn one at a time, when a thread is free and no more than `AHEAD`
    /// results a thread wait, so that neither items nor results pile up. When `take` breaks, no more items are drawn, items
    /// that are being worked on are finished and dropped, and the value is returned.
    ///
    /// When `work` panics, the result is [`Error::Panic`]; what work shares with other items must stay usable then.
    pub fn in_order<I, T, B>(
        &self,
        items: impl Iterator<Item = I> + Send,
        work: impl Fn(&mut I) -> T + Sync,
        take: impl FnMut(I, Result<T>) -> ControlFlow<B>,
    ) -> Option<B>
    where
        I: Send,
        T: Send,
    {
        let guarded_work = |item: &mut I| guard::guarded(|| work(item)).map_err(|message| Error::Panic { message });
        let jobs = self.threads.current_num_threads();
        self.threads.in_place_scope(|scope| run(scope, jobs, items, &guarded_work, take))
    }
}

/// The most threads that are ever used.
fn most(cores: usize) -> usize {
    (cores * MOST_A_CORE).max(ALWAYS_ALLOWED)
}

/// How many threads there are to be.
fn threads(asked: Option<u16>, items: Option<usize>, cores: usize) -> usize {
    let useful = items.map_or(usize::MAX, |items| items.max(cores));
    asked.map_or(cores, usize::from).min(most(cores)).min(useful).max(1)
}

/// An item that was worked on, and its index.
struct Done<I, T> {
    index: usize,
    item: I,
    result: Result<T>,
}

/// A channel that holds `count` permits to go on: a permit is received, and sent back when it is no longer needed. The
/// receiver ends when all senders are dropped.
fn permits(count: usize) -> (SyncSender<()>, Receiver<()>) {
    let (give, permits) = mpsc::sync_channel(count);
    for _ in 0..count {
        give.send(()).expect("the channel holds them all");
    }
    (give, permits)
}

/// Starts the feeder, and takes the results on this thread.
fn run<'scope, I, T, B>(
    scope: &Scope<'scope>,
    jobs: usize,
    items: impl Iterator<Item = I> + Send,
    work: &'scope (impl Fn(&mut I) -> Result<T> + Sync),
    take: impl FnMut(I, Result<T>) -> ControlFlow<B>,
) -> Option<B>
where
    I: Send + 'scope,
    T: Send + 'scope,
{
    let closed = AtomicBool::new(false);
    let closed = &closed;
    thread::scope(|outside| {
        // Both channels end when this closure does, even by a panic in `take`, and the feeder with them.
        let (room_back, room) = permits(jobs * AHEAD);
        let (sender, results) = mpsc::channel();
        let feed = move || feed(scope, jobs, items, work, &room, &sender, closed);
        let feeder = thread::Builder::new().name("feeder".into()).stack_size(STACK).spawn_scoped(outside, feed);
        feeder.expect("the system can have one more thread");
        collect(&results, take, &room_back, closed)
    })
}

/// Draws items, each when there is room for its result and a thread to work on it, and hands them to the pool.
fn feed<'scope, I, T>(
    scope: &Scope<'scope>,
    jobs: usize,
    items: impl Iterator<Item = I>,
    work: &'scope (impl Fn(&mut I) -> Result<T> + Sync),
    room: &Receiver<()>,
    sender: &Sender<Done<I, T>>,
    closed: &AtomicBool,
) where
    I: Send + 'scope,
    T: Send + 'scope,
{
    let (thread_back, thread) = permits(jobs);
    let mut items = items.enumerate();
    while room.recv().is_ok() && thread.recv().is_ok() && !closed.load(Ordering::Relaxed) {
        let Some((index, mut item)) = items.next() else { break };
        let (sender, thread_back) = (sender.clone(), thread_back.clone());
        scope.spawn(move |_| {
            let result = work(&mut item);
            // Nobody takes the last results, or permits, of a run that ends early.
            let _ = sender.send(Done { index, item, result });
            let _ = thread_back.try_send(());
        });
    }
}

/// Takes the results in order. Returns the value with which `take` broke off, if it did.
fn collect<I, T, B>(
    results: &Receiver<Done<I, T>>,
    mut take: impl FnMut(I, Result<T>) -> ControlFlow<B>,
    room_back: &SyncSender<()>,
    closed: &AtomicBool,
) -> Option<B> {
    let mut waiting = BTreeMap::new();
    let mut due = 0;
    let mut broken = None;
    for Done { index, item, result } in results {
        waiting.insert(index, (item, result));
        while let Some((item, result)) = waiting.remove(&due) {
            due += 1;
            if broken.is_none()
                && let ControlFlow::Break(value) = take(item, result)
            {
                broken = Some(value);
                closed.store(true, Ordering::Relaxed);
            }
            // Nobody waits for room when all items are drawn.
            let _ = room_back.try_send(());
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use std::{
        panic,
        sync::{Arc, atomic::AtomicUsize},
        time::Duration,
    };

    use super::*;

    /// Does some work on another thread; a hang is a failure.
    fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(work()));
        receiver.recv_timeout(Duration::from_secs(60)).expect("it hangs, or has panicked")
    }

    /// The items with their results, errors as their messages.
    fn all<T: Send>(
        jobs: usize,
        items: usize,
        work: impl Fn(usize) -> T + Sync,
    ) -> Vec<(usize, std::result::Result<T, String>)> {
        let mut taken = Vec::new();
        let broken = Pool::of(jobs).unwrap().in_order(
            0..items,
            |item| work(*item),
            |item, result| {
                taken.push((item, result.map_err(|error| error.chain())));
                ControlFlow::<()>::Continue(())
            },
        );
        assert_eq!(broken, None);
        taken
    }

    #[test]
    fn a_panic_is_the_result_of_its_item() {
        for jobs in [1, 2, 4] {
            for items in [1, 5, 8, 40] {
                let taken = in_time(move || {
                    all(jobs, items, |item| if item % 3 == 0 { panic!("item {item}") } else { item * 10 })
                });
                let expected = (0..items).map(|item| match item % 3 {
                    0 => (item, Err(format!("internal error: item {item}"))),
                    _ => (item, Ok(item * 10)),
                });
                assert_eq!(taken, expected.collect::<Vec<_>>(), "{jobs} jobs");
            }
        }
    }

    #[test]
    fn results_come_in_order_and_items_are_drawn_late() {
        for jobs in [1, 2, 4] {
            in_time(move || {
                let drawn = Arc::new(AtomicUsize::new(0));
                let mut due = 0;
                let items = (0..100).inspect(|_| {
                    drawn.fetch_add(1, Ordering::SeqCst);
                });
                // Every eleventh item takes so long that all others wait for it.
                let slow = |item: &mut usize| {
                    thread::sleep(Duration::from_micros(if item.is_multiple_of(11) { 3000 } else { 10 }));
                };
                Pool::of(jobs).unwrap().in_order(items, slow, |item, _| {
                    assert_eq!(item, due);
                    assert!(drawn.load(Ordering::SeqCst) <= due + jobs * AHEAD, "too many are drawn before {due}");
                    due += 1;
                    ControlFlow::<()>::Continue(())
                });
                assert_eq!(due, 100);
            });
        }
    }

    #[test]
    fn a_break_ends_the_drawing() {
        for jobs in [1, 2, 4] {
            let (broken, drawn) = in_time(move || {
                let drawn = AtomicUsize::new(0);
                let items = (0..).inspect(|_| {
                    drawn.fetch_add(1, Ordering::SeqCst);
                });
                let stop = |item, _| if item == 20 { ControlFlow::Break(item) } else { ControlFlow::Continue(()) };
                let broken = Pool::of(jobs).unwrap().in_order(items, |_| (), stop);
                (broken, drawn.into_inner())
            });
            assert!(broken == Some(20) && drawn <= 21 + jobs * AHEAD, "{jobs} jobs: {drawn} drawn");
        }
    }

    #[test]
    fn a_panic_of_the_taker_ends_the_run() {
        let ended = in_time(|| {
            panic::catch_unwind(|| {
                let pool = Pool::of(2).unwrap();
                pool.in_order(
                    0..,
                    |_| (),
                    |item, _| {
                        assert!(item < 30, "enough");
                        ControlFlow::<()>::Continue(())
                    },
                )
            })
        });
        assert!(ended.is_err());
    }

    /// Work that divides itself runs on the same threads. Rayon may put any part on the stack of any other.
    #[test]
    fn work_within_work_does_not_hang() {
        fn sum(from: usize, to: usize) -> usize {
            if to - from == 1 {
                thread::sleep(Duration::from_micros(20));
                return from;
            }
            let middle = from.midpoint(to);
            let (low, high) = rayon::join(|| sum(from, middle), || sum(middle, to));
            low + high
        }
        for jobs in [1, 2, 4] {
            let taken = in_time(move || {
                all(jobs, 60, move |item| {
                    assert!(rayon::current_num_threads() == jobs);
                    assert!(sum(0, 64) == 2016 && item % 9 != 4, "item {item}");
                })
            });
            let expected = |item| if item % 9 == 4 { Err(format!("internal error: item {item}")) } else { Ok(()) };
            assert_eq!(taken, (0..60).map(|item| (item, expected(item))).collect::<Vec<_>>());
        }
    }

    #[test]
    fn threads_are_bounded_by_what_is_useful() {
        assert_eq!([threads(None, None, 8), threads(None, Some(1), 8), threads(Some(1), None, 8)], [8, 8, 1]);
        assert_eq!([threads(Some(65535), None, 8), threads(Some(65535), None, 2)], [32, 16]);
        assert_eq!([threads(Some(12), Some(10), 8), threads(Some(12), Some(2), 8)], [10, 8]);
        assert_eq!(threads(None, Some(0), 1), 1);
    }
}
