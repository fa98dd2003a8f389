//! A receiver that dies while it waits.
//!
//! `run-pass/issue-3168.rs`, Rust 0.5. There a failing task killed the tasks that it was linked with, in the
//! middle of a receive. Here a thread cannot be killed from outside: a receive is unwound if something else
//! on its thread panics, and a thread that learns of another's death may choose to panic.

use super::{Sleeper, die, died};
use futures::executor::block_on;
use futures::join;
use pipes_tests::{Tally, watched};

pipes::proto! {
    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// The child gives the parent the sending end and waits at the receiving end.
#[test]
fn a_task_is_unwound_while_it_waits() {
    watched(|| {
        let tally = Tally::new();
        let owned = tally.make(1);
        let (handing, handed) = pipes::oneshot();
        let child = Sleeper::spawn(move || {
            let _owned = owned;
            let (client, server) = stream::pipe::<&str>();
            handing.send(client).expect("the parent listens");
            block_on(async { join!(server.recv_async(), async { die() }) })
        });
        let client = handed.recv().expect("the child sends it");
        assert!(died(child.join()));
        assert_eq!(client.send("hello").map(drop).map_err(|error| error.into_payload()), Err("hello"));
        assert_eq!((tally.gone(), tally.made()), (1, 1));
    });
}

/// The child blocks until its sibling dies, and panics because of that.
#[test]
fn a_thread_dies_of_its_siblings_death() {
    watched(|| {
        let tally = Tally::new();
        let (owned, siblings) = (tally.make(1), tally.make(2));
        let (handing, handed) = pipes::oneshot();
        let (link, linked) = stream::pipe::<()>();
        let child = Sleeper::spawn(move || {
            let _owned = owned;
            let (client, _server) = stream::pipe::<&str>();
            handing.send(client).expect("the parent listens");
            linked.recv().map(drop).unwrap_or_else(|_| die());
        });
        let client = handed.recv().expect("the child sends it");
        child.fall_asleep();
        let sibling = Sleeper::spawn(move || {
            let _owned = (siblings, link);
            die()
        });
        assert!(died::<()>(sibling.join()));
        assert!(died(child.join()));
        assert_eq!(client.send("hello").map(drop).map_err(|error| error.into_payload()), Err("hello"));
        assert_eq!((tally.gone(), tally.made()), (2, 2));
    });
}
