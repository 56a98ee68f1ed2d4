use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cancel::Cancel;

/// At most this many results are held back before the first batch is reported, and twice as many before each that
/// follows: the first rows come at once, and all batches together cost the receiver little more than the last one.
const BATCH: usize = 64;
/// At most this long is waited for a batch to fill; at the beginning less.
const PATIENCE: Duration = Duration::from_millis(160);

/// Runs `work` over `items` from the first on, on as many threads as there are cores, each with a state of its own, and
/// hands the results to this thread in batches. The threads are its own: what else is read in parallel meanwhile need
/// not wait for their end.
pub(super) fn in_parallel<T: Sync, W, R: Send>(
    items: &[T],
    cancel: &Cancel,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &T) -> R + Sync,
    receive: &mut dyn FnMut(Vec<R>),
) {
    let next = AtomicUsize::new(0);
    let (sender, results) = crossbeam_channel::bounded(2 * BATCH);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores.min(items.len()) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                let mut state = worker();
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    cancel.give_way();
                    if cancel.is_cancelled() || sender.send(work(&mut state, item)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut size, mut patience) = (BATCH, PATIENCE / 40);
        while let Ok(first) = results.recv() {
            let mut batch = vec![first];
            let deadline = Instant::now() + patience;
            while batch.len() < size
                && let Ok(result) = results.recv_deadline(deadline)
            {
                batch.push(result);
            }
            receive(batch);
            (size, patience) = (2 * size, PATIENCE.min(2 * patience));
        }
    });
}
