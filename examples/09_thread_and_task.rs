//! 09 — The same endpoint from a thread and from an async task.
//!
//! You will see: a thread and a task at the two ends of one stream, then one port used by both in turn.
//! New here: `.await`, `recv_async`, `ready` under a timeout. Before: 08_stream. Next: 10_bank_with_tasks.
//!
//!     cargo run --example 09_thread_and_task

use futures::executor::block_on;
use futures::future::{Either, select};
use std::pin::pin;
use std::thread;

fn main() {
    // A thread sends, a task receives. Any executor works; this is a very small one.
    let (mut chan, mut port) = pipes::stream();
    let sender = thread::spawn(move || {
        for word in ["threads", "and", "tasks"] {
            chan.send(word).expect("the task listens");
        }
    });
    block_on(async {
        while let Ok(word) = port.recv_async().await {
            println!("the task got {word:?}");
        }
    });
    sender.join().expect("the sender does not panic");

    // `ready` only borrows the port, so nothing is lost when a `select` drops it.
    let (chan, mut port) = pipes::oneshot();
    block_on(async {
        let ready = pin!(port.ready());
        let something_else = pin!(async { "something else" });
        match select(ready, something_else).await {
            Either::Left(_) => unreachable!("nothing was sent"),
            Either::Right((other, _)) => println!("the task did {other} meanwhile"),
        }
    });

    // The task has stopped waiting. The port is still valid, and a thread receives from it.
    let receiver = thread::spawn(move || port.recv());
    chan.send("late but not lost").expect("the port is with the thread");
    println!("the thread got {:?}", receiver.join().expect("the receiver does not panic"));

    // Awaiting an endpoint consumes it, as a blocking receive does.
    let (chan, port) = pipes::oneshot();
    let sender = thread::spawn(move || chan.send(42));
    println!("the task got {:?}", block_on(async { port.await }));
    assert!(sender.join().expect("the sender does not panic").is_ok());
}
