//! The producers and the consumers over any library's queue.

use std::io;
use std::iter::repeat_n;

use super::consumer::Consumer;
use super::{Setting, Workqueue};
use crate::senders::{send_all, send_all_async};
use pipes_benches::executor::{Tasks, Threads};
use pipes_benches::links::{BlockingChan, BlockingPort, TaskChan, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("links.rs");

/// Runs each producer and each consumer in a thread.
pub fn on_threads<C, P>(
    queue: &Workqueue,
    setting: &Setting,
    (chan, port): (C, P),
) -> io::Result<Vec<Consumer>>
where
    C: BlockingChan<u64> + Clone,
    P: BlockingPort<u64> + Clone,
{
    let mut consumers = Threads::with_capacity(queue.consumers as usize);
    for mut port in repeat_n(port, queue.consumers as usize) {
        let (producers, work) = (queue.producers, setting.work);
        consumers.start(move || {
            let mut consumer = Consumer::new(producers);
            while let Ok(message) = port.recv() {
                consumer.take(message, work);
            }
            consumer
        })?;
    }
    let mut producers = Threads::with_capacity(queue.producers as usize);
    for (producer, chan) in (0..).zip(repeat_n(chan, queue.producers as usize)) {
        let share = queue.share(producer);
        producers.start(move || send_all(producer, share, chan))?;
    }
    // If a send fails, the verification finds what is missing.
    producers.join().for_each(drop);
    Ok(consumers.join().collect())
}

/// Runs each producer and each consumer as a task.
pub fn on_tasks<C, P>(queue: &Workqueue, setting: &Setting, (chan, port): (C, P)) -> io::Result<Vec<Consumer>>
where
    C: TaskChan<u64> + Clone,
    P: TaskPort<u64> + Clone,
{
    let (producers, work) = (queue.producers, setting.work);
    let ports = repeat_n(port, queue.consumers as usize);
    let consumers = ports.map(move |mut port| async move {
        let mut consumer = Consumer::new(producers);
        while let Ok(message) = port.recv().await {
            consumer.take(message, work);
        }
        consumer
    });
    let shares: Vec<_> = (0..producers).map(|producer| queue.share(producer)).collect();
    let producers = (0..).zip(shares).zip(repeat_n(chan, producers as usize));
    let producers = producers.map(|((producer, share), chan)| send_all_async(producer, share, chan));
    let consumers = async { Tasks::start(consumers).join().await };
    // If a send fails, the verification finds what is missing.
    let (consumers, _) = setting.at.both(consumers, async { Tasks::start(producers).join().await });
    Ok(consumers)
}
