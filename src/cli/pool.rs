//! Work on many pictures at once, handed on in the order given. Used by every command that reads more than one.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use fenlens::{Models, Options, Recognizer, Runtime};

/// What it takes to make a recognizer; each thread has one of its own.
pub struct Pool<'a> {
    /// The networks.
    pub models: &'a Models,
    /// What runs them.
    pub runtime: &'a Runtime,
    /// The options of every recognizer.
    pub options: Options,
    /// How many threads; at least one works.
    pub jobs: usize,
}

/// How many results a thread may be ahead of the one that is due: what bounds memory when one picture takes long.
const AHEAD: usize = 4;

/// The stack of a thread. Documents may be nested deeply, and memory that is never touched costs nothing.
const STACK: usize = 16 << 20;

impl Pool<'_> {
    /// Does `work` on every item, on several threads, and hands the results to `take` in the order of the items, each as
    /// soon as those before it are through. Items are drawn one at a time, when a thread is free and not more than
    /// `AHEAD` results a thread wait, so that neither items nor results pile up. When `take` breaks, no more items are
    /// drawn, what is in hand is finished and dropped, and the value is returned.
    ///
    /// `first` is the recognizer of the first thread: the caller has made one in any case, to say early what is wrong.
    pub fn in_order<I, T, B>(
        &self,
        first: Recognizer,
        items: impl Iterator<Item = I> + Send,
        work: impl Fn(&mut Recognizer, usize, I) -> T + Sync,
        mut take: impl FnMut(T) -> ControlFlow<B>,
    ) -> Option<B>
    where
        I: Send,
        T: Send,
    {
        let source = Mutex::new(items.enumerate());
        let closed = AtomicBool::new(false);
        // A ticket is a place in the queue of results; it comes back when its result is taken.
        let (tickets_back, tickets) = mpsc::sync_channel(self.jobs.max(1) * AHEAD);
        for _ in 0..self.jobs.max(1) * AHEAD {
            tickets_back.send(()).expect("the channel holds them all");
        }
        let tickets = Mutex::new(tickets);
        let (sender, results) = mpsc::channel();
        let run = |mut recognizer: Recognizer, sender: mpsc::Sender<(usize, T)>| {
            loop {
                if tickets.lock().expect("no holder panics").recv().is_err() || closed.load(Ordering::Relaxed) {
                    break;
                }
                let Some((index, item)) = source.lock().expect("no holder panics").next() else { break };
                if sender.send((index, work(&mut recognizer, index, item))).is_err() {
                    break;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs {
                let sender = sender.clone();
                let worker = || {
                    // The first recognizer came to be of the same models, so this one does too; if memory is short, the
                    // other threads do the work.
                    if let Ok(recognizer) = Recognizer::new(self.models, self.runtime, self.options) {
                        run(recognizer, sender);
                    }
                };
                // So it is with a thread that cannot be had.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
            }
            let main = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || run(first, sender));
            main.expect("the system can have one more thread");
            let mut waiting = BTreeMap::new();
            let mut due = 0;
            let mut broken = None;
            for (index, result) in results {
                waiting.insert(index, result);
                while let Some(result) = waiting.remove(&due) {
                    due += 1;
                    if broken.is_none()
                        && let ControlFlow::Break(value) = take(result)
                    {
                        broken = Some(value);
                        closed.store(true, Ordering::Relaxed);
                    }
                    // Nobody waits for a ticket when all threads are done.
                    let _ = tickets_back.try_send(());
                }
            }
            broken
        })
    }
}
