//! One task waits for a set, and another task changes the set, both under a lock. The task that waits must be
//! woken as soon as a receive would not block.

use pipes::{PortSet, stream};
use pipes_tests::Bell;
use std::sync::Mutex;
use std::task::Context;

#[test]
fn a_member_that_is_ready_when_it_is_inserted() {
    let set = Mutex::new(PortSet::new());
    let _idle = set.lock().expect("no thread panics with it").chan();
    let (bell, waker) = Bell::new();
    let mut cx = Context::from_waker(&waker);
    assert!(set.lock().expect("no thread panics with it").poll_ready(&mut cx).is_pending());
    let (mut chan, port) = stream();
    chan.send(1).expect("it is here");
    set.lock().expect("no thread panics with it").insert(port);
    assert!(set.lock().expect("no thread panics with it").is_ready());
    assert_eq!(bell.rings(), 1, "it waits for a member that is ready");
}

#[test]
fn the_last_member_that_is_taken_out() {
    let set = Mutex::new(PortSet::<pipes::Port<u32>>::new());
    let (_chan, port) = stream();
    let key = set.lock().expect("no thread panics with it").insert(port);
    let (bell, waker) = Bell::new();
    let mut cx = Context::from_waker(&waker);
    assert!(set.lock().expect("no thread panics with it").poll_ready(&mut cx).is_pending());
    let _port = set.lock().expect("no thread panics with it").remove(&key);
    assert_eq!(bell.rings(), 1, "a receive would not block: there is no member");
}
