//! A receiver that dies while it waits for one of two.
//!
//! `run-pass/issue-3176.rs`, Rust 0.5. Its `select` is not here, because this library does not have one yet; a task that waits
//! until one of two endpoints is ready does its work. How a wait can be unwound today, the case before this one says.

use super::{Sleeper, die, died};
use futures::executor::block_on;
use futures::future::select;
use futures::join;
use pipes_tests::watched;

pipes::proto! {
    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

#[test]
fn all_that_was_waited_for_is_closed() {
    watched(|| {
        let (handing, handed) = pipes::oneshot();
        let child = Sleeper::spawn(move || {
            let (one, mut first) = stream::pipe::<i32>();
            let (two, mut second) = stream::pipe::<String>();
            handing.send((one, two)).expect("the parent listens");
            let waiting = async { select(first.ready(), second.ready()).await.factor_first().0 };
            block_on(async { join!(waiting, async { die() }) })
        });
        let (one, two) = handed.recv().expect("the child sends them");
        assert!(died(child.join()), "in the wait, and in nothing that it left behind");
        assert_eq!(one.send(1).map(drop).map_err(|error| error.into_payload()), Err(1));
        assert!(two.send("one".to_owned()).is_err());
    });
}
