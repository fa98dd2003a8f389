//! The receiver leaves while the destructor of an unread message takes its time. A sender that waits for the
//! close sees it only when all that was sent is dropped.

use pipes::{Closing, Port, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::{Counted, Tally, watched};
use std::sync::mpsc::channel;
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

/// Sends messages below `most`, until a send is refused, while the port drops the first one.
fn close_is_seen_last<C: Closing>(
    mut chan: C,
    port: Port<Counted>,
    most: u64,
    send: impl Fn(&mut C, Counted) -> bool,
) {
    let (tally, (begins, begun), (end, may_end)) = (Tally::new(), channel(), channel());
    let first = tally.make_that(0, move || {
        begins.send(()).expect("that is waited for");
        // An error means that the test has failed.
        let _ = may_end.recv();
    });
    let second = tally.make(1);
    assert!(send(&mut chan, first) && send(&mut chan, second));
    thread::scope(|scope| {
        scope.spawn(|| drop(port));
        begun.recv().expect("the port has come to the first message");
        (2..most).all(|number| send(&mut chan, tally.make(number)));
        let in_a_task = chan.poll_closed(&mut Context::from_waker(Waker::noop())).is_ready();
        let in_a_thread = chan.wait_closed_timeout(Duration::ZERO);
        let (gone, made) = (tally.gone(), tally.made());
        end.send(()).expect("it is waited for");
        assert!(!(in_a_task || in_a_thread) || gone == made, "closed, but {gone} of {made} are gone");
    });
    chan.wait_closed();
    tally.assert_all_gone();
}

#[test]
fn the_close_is_seen_last() {
    watched(|| {
        // A stream whose send was refused may report the close earlier, so this one sends no more.
        let (chan, port) = stream();
        close_is_seen_last(chan, port, 3, |chan, message| chan.send(message).is_ok());
        let (chan, port) = sync_stream(4);
        close_is_seen_last(chan, port, 1000, |chan, message| chan.try_send(message).is_ok());
        let (chan, port) = shared_stream();
        close_is_seen_last(chan, port, 1000, |chan, message| chan.send(message).is_ok());
        let (chan, port) = shared_sync_stream(4);
        close_is_seen_last(chan, port, 1000, |chan, message| chan.try_send(message).is_ok());
    });
}
