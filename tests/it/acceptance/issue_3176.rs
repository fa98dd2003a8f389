//! A receiver that dies while it waits for one of two.
//!
//! `run-pass/issue-3176.rs`, Rust 0.5. See `issue_3168` for how a wait can be unwound today.

use super::{Sleeper, die, died};
use futures::executor::block_on;
use futures::join;
use pipes::{RecvError, select, select_async};
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
            let waiting = async {
                select_async! {
                    number = first => drop(number),
                    word = second => drop(word),
                }
            };
            block_on(async { join!(waiting, async { die() }) })
        });
        let (one, two) = handed.recv().expect("the child sends them");
        assert!(died(child.join()), "in the wait, and in nothing that it left behind");
        assert_eq!(one.send(1).map(drop).map_err(|error| error.into_payload()), Err(1));
        assert!(two.send("one".to_owned()).is_err());
    });
}

/// The child blocks until its sibling dies, and panics in the arm that receives the close.
#[test]
fn a_thread_dies_in_its_select() {
    watched(|| {
        let (handing, handed) = pipes::oneshot();
        let (link, mut linked) = stream::pipe::<()>();
        let child = Sleeper::spawn(move || {
            let (one, mut first) = stream::pipe::<i32>();
            let (two, mut second) = stream::pipe::<String>();
            handing.send((one, two)).expect("the parent listens");
            select! {
                number = first => drop(number),
                word = second => drop(word),
                death = linked => match death {
                    Ok(stream::Open::Send((), _)) => {}
                    Err(RecvError) => die(),
                },
            }
        });
        let (one, two) = handed.recv().expect("the child sends them");
        child.fall_asleep();
        let sibling = Sleeper::spawn(move || {
            let _link = link;
            die()
        });
        assert!(died::<()>(sibling.join()));
        assert!(died(child.join()));
        assert!(one.send(1).is_err() && two.send("one".to_owned()).is_err());
    });
}
