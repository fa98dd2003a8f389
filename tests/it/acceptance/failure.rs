//! Threads that die while they wait, and those that learn of it.
//!
//! `run-pass/issue-3168.rs`, `issue-3176.rs`, `unwind-resource.rs`, `task-killjoin-rsrc.rs`,
//! `run-fail/linked-failure.rs` with `-2` to `-4`, and `task-comm-recv-block.rs`. There a failing task killed
//! the tasks that it was linked with, in the middle of a receive. Here a thread cannot be killed from
//! outside: a receive is unwound if something else on its thread panics, and a thread that learns of
//! another's death may choose to panic.

use super::{Sleeper, die, died};
use futures::executor::block_on;
use futures::join;
use pipes::{ChanOne, PortOne, oneshot, select, select_async, stream};
use pipes_tests::{DropCounter, test_in, watched};

pipes::proto! {
    words {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// The child gives the parent the sending end, and panics while it waits at the receiving end.
#[test_in(watched)]
fn a_receive_is_unwound() {
    let drops = DropCounter::new();
    let owned = drops.make(1);
    let (handing, handed) = oneshot();
    let child = Sleeper::spawn(move || {
        let _owned = owned;
        let (client, server) = words::pipe::<&str>();
        handing.send(client).expect("the parent listens");
        block_on(async { join!(server.recv_async(), async { die() }) })
    });
    let client = handed.recv().expect("the child sends it");
    assert!(died(child.join()));
    assert_eq!(client.send("hello").map(drop).map_err(|error| error.into_payload()), Err("hello"));
    assert_eq!((drops.dropped(), drops.made()), (1, 1));
}

/// All that was waited for is closed.
#[test_in(watched)]
fn a_selection_is_unwound() {
    let (handing, handed) = oneshot();
    let child = Sleeper::spawn(move || {
        let (one, mut first) = words::pipe::<i32>();
        let (two, mut second) = words::pipe::<String>();
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
}

/// Blocks on a port whose chan it holds, and panics when the link closes.
fn parent(mut link: PortOne<()>) {
    let (_chan, mut port) = stream::<u64>();
    select! {
        message = port => panic!("nobody sends {message:?}"),
        end = link => end.unwrap_or_else(|_| die()),
    }
}

/// Spawns `generations` threads, one from the other, that pass the link on; the last one holds it and dies.
fn descendant(link: ChanOne<()>, generations: usize) {
    if generations == 0 {
        let _link = link;
        die()
    }
    Sleeper::spawn(move || descendant(link, generations - 1));
}

/// A thread that wants to be linked waits for its link, too, which closes with the thread that holds it.
#[test_in(watched)]
fn a_child_or_grandchild_dies() {
    for generations in 0..4 {
        let (link, linked) = oneshot();
        let waiting = Sleeper::spawn(move || parent(linked));
        waiting.fall_asleep();
        let first = Sleeper::spawn(move || descendant(link, generations));
        assert_eq!(died(first.join()), generations == 0);
        assert!(died(waiting.join()), "the receive did not return, and the parent died of the link");
    }
}

/// Reports in its destructor whether its thread panics.
struct Notify(Option<ChanOne<bool>>);

impl Drop for Notify {
    fn drop(&mut self) {
        let chan = self.0.take().expect("it is dropped once");
        chan.send(std::thread::panicking()).expect("the parent listens");
    }
}

#[test_in(watched)]
fn a_destructor_reports_success_and_failure() {
    for dies in [false, true] {
        let (chan, port) = oneshot();
        let child = Sleeper::spawn(move || {
            let _notify = Notify(Some(chan));
            if dies {
                die();
            }
        });
        assert_eq!(port.recv(), Ok(dies));
        assert_eq!(died(child.join()), dies);
    }
}
