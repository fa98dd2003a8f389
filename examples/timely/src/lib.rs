//! A pipeline that feeds a dataflow of [timely](https://docs.rs/timely).
//!
//! A farm gives an item to any replica. When all items with the same key must meet, wherever they were made,
//! as in joins, groupings and iterations, that is work for a dataflow system: timely moves records between
//! its workers by their key, and its workers may be threads or processes on several machines. What comes
//! before, such as reading, parsing and asking others, stays in a pipeline, with its windows and failures.
//!
//! ```text
//! texts ──► split, in a farm ──► sync_stream ══╦══► worker 0 ──┐ exchange ┌──► counts of some words
//!                                              ╚══► worker 1 ──┘ by word  └──► counts of the others
//! ```

use pipes::{RecvTimeoutError, SharedPort};
use pipes_skeleton::from_iter;
use std::collections::BTreeMap;
use std::collections::hash_map::{DefaultHasher, HashMap};
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::time::Duration;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Inspect, Operator};
use timely::worker::Worker;

/// The lists of words between the pipeline and the workers. When it is full, the pipeline waits.
const ROOM: usize = 64;

/// How long a worker waits for words before it sees to the words of other workers.
const BREAK: Duration = Duration::from_millis(1);

/// Counts the words of the texts, with this many workers of timely in this process.
///
/// # Errors
///
/// The pipeline fails, or timely cannot start.
pub fn counted(
    texts: impl Iterator<Item = String> + Send + 'static,
    workers: usize,
) -> Result<BTreeMap<String, u64>, Box<dyn Error>> {
    let (mut chan, port) = pipes::sync_stream(ROOM);
    let (port, (say, mut counts)) = (port.into_shared(), pipes::shared_stream());
    // The workers begin, and wait for words. Each has a handle of its own to the same stream.
    let config = timely::Config::process(workers);
    let timely = timely::execute(config, move |worker| count_on(worker, port.clone(), say.clone()))?;
    let fed = from_iter(texts)
        .parallel(2, |text| split(&text))
        .named("split")
        .try_sequential(move |words| chan.send(words))
        .named("feed")
        .for_each(drop);
    // The end of the stream is the end of the dataflow's input, and so the workers end.
    let all = counts.iter().collect();
    for worker in timely.join() {
        worker?;
    }
    fed?;
    Ok(all)
}

/// The words of a text, without punctuation.
fn split(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// One worker: feeds what it gets into the dataflow, and says the counts of its words in the end.
fn count_on(worker: &mut Worker, port: SharedPort<Vec<String>>, say: pipes::SharedChan<(String, u64)>) {
    let mut input = InputHandle::new();
    worker.dataflow::<u64, _, _>(|scope| {
        let by_word = Exchange::new(|word: &String| {
            let mut hasher = DefaultHasher::new();
            word.hash(&mut hasher);
            hasher.finish()
        });
        input
            .to_stream(scope)
            .unary_frontier(by_word, "count", |capability, _| {
                let (mut counts, mut end) = (HashMap::new(), Some(capability));
                move |(words, frontier), output| {
                    words.for_each(|_, batch| {
                        for word in batch.drain(..) {
                            *counts.entry(word).or_insert(0) += 1;
                        }
                    });
                    // No worker has any more words.
                    if frontier.is_empty()
                        && let Some(end) = end.take()
                    {
                        output.session(&end).give_iterator(counts.drain());
                    }
                }
            })
            .container::<Vec<_>>()
            .inspect(move |count: &(String, u64)| say.send(count.clone()).unwrap_or_default());
    });
    loop {
        match port.recv_timeout(BREAK) {
            Ok(words) => words.into_iter().for_each(|word| input.send(word)),
            Err(RecvTimeoutError::Timeout(_)) => {}
            Err(RecvTimeoutError::Closed) => break,
        }
        worker.step();
    }
    input.close();
    // `execute` steps the worker until its dataflow is complete.
}
