//! A consumer that is slower than its producer: wait for it, drop the newest, keep the newest only, or let it
//! lag.
//!
//!     cargo run --example slow_consumers
//!
//! An unbounded `stream` is none of the four: it hides a slow consumer until the memory is full. So decide
//! what is to happen. Ask first whether the producer can wait, and then what may be lost.
//!
//! In each part a thermometer has six readings, and there is room for two. Except in the first part, the
//! consumer is so slow that it begins after the last reading.

use pipes::{Lagged, TrySendError, broadcast_lagging, sync_stream, watch};
use std::error::Error;
use std::ops::RangeInclusive;
use std::thread;

type Failed = Box<dyn Error + Send + Sync>;

const READINGS: RangeInclusive<u32> = 1..=6;
const ROOM: usize = 2;

fn main() -> Result<(), Failed> {
    wait()?;
    drop_the_newest()?;
    keep_the_newest_only()?;
    let_it_lag()
}

/// The producer waits.
///
/// For work of which nothing may be lost, and a producer that can be slowed down: lines of a file, items of a
/// pipeline, jobs. Each stage that waits slows down the one before it, up to the source.
///
/// A blocked producer does nothing else, so it must not be the thread that receives from the consumer. Tasks
/// wait with `send_async`, and `send_timeout` waits for a limited time.
fn wait() -> Result<(), Failed> {
    let (mut chan, port) = sync_stream(ROOM);
    let producer = thread::spawn(move || -> Result<(), Failed> {
        for reading in READINGS {
            // Blocks while two readings are unread.
            chan.send(reading)?;
        }
        Ok(())
    });
    let all: Vec<u32> = port.into_iter().collect();
    producer.join().expect("the producer does not panic")?;
    println!("wait: all of {all:?}");
    Ok(())
}

/// What finds no room is dropped, and counted.
///
/// For a producer that must not wait, where old messages are worth more than new ones or as much: requests to
/// a server with too much work, which are better refused at once than answered too late; lines of a log.
/// `try_send` returns the message in its error, so a request can be answered with a refusal. Count what is
/// dropped and show the number, so that the loss is noticed.
fn drop_the_newest() -> Result<(), Failed> {
    let (mut chan, port) = sync_stream(ROOM);
    let mut dropped = Vec::new();
    for reading in READINGS {
        match chan.try_send(reading) {
            Ok(()) => {}
            Err(TrySendError::Full(reading)) => dropped.push(reading),
            Err(closed @ TrySendError::Closed(_)) => return Err(closed.into()),
        }
    }
    drop(chan);
    let received: Vec<u32> = port.into_iter().collect();
    println!("drop the newest: {received:?}, and {} dropped: {dropped:?}", dropped.len());
    Ok(())
}

/// Each value replaces the one before it.
///
/// For a state, where the latest value says everything: a temperature, a position, a configuration, progress.
/// The producer never waits, and a consumer never works on what is out of date. Not for events: two orders
/// are not one order.
fn keep_the_newest_only() -> Result<(), Failed> {
    let (chan, mut port) = watch(0);
    for reading in READINGS {
        chan.send(reading)?;
    }
    drop(chan);
    let mut seen = Vec::new();
    // The last value is seen in any case, also if the producer has left.
    while port.changed().is_ok() {
        // Copied out, because a borrow that is held blocks the producer.
        let latest = *port.borrow_and_update();
        seen.push(latest);
    }
    println!("keep the newest only: {seen:?}");
    Ok(())
}

/// The oldest messages are overwritten, and the consumer learns how many it has missed.
///
/// For several consumers that each get everything, where a slow one must not hold up the others: a chart, a
/// screen that follows a log, caches that are told what has changed. After a `Lagged` the consumer repairs
/// what it can: it shows a gap, or reads the whole state again. With one consumer this is how to drop the
/// oldest. Where no consumer may miss anything, `broadcast` waits for the slowest one.
fn let_it_lag() -> Result<(), Failed> {
    let (chan, mut fast) = broadcast_lagging(ROOM);
    let mut slow = fast.clone();
    let mut all = Vec::new();
    for reading in READINGS {
        chan.send(reading)?;
        all.push(fast.recv()??);
    }
    drop(chan);
    let (mut received, mut missed) = (Vec::new(), 0);
    for reading in slow.iter() {
        match reading {
            Ok(reading) => received.push(reading),
            Err(Lagged(count)) => missed += count,
        }
    }
    println!("lag: the fast one gets {all:?}; the slow one misses {missed}, and gets {received:?}");
    Ok(())
}
