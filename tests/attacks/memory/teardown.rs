//! Thread-local destructors use the library when its own thread-locals may be gone: each kind of end sends,
//! waits, is waited for, and is dropped. All must work as anywhere else.

use pipes::{PortSet, SharedChan, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{Counted, Tally, watched};
use std::cell::RefCell;
use std::thread;

pub(super) type Action = Box<dyn FnOnce()>;

/// Runs its actions when its thread ends.
struct AtEnd(Vec<Action>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.drain(..).for_each(|action| action());
    }
}

thread_local! {
    static EARLY: RefCell<AtEnd> = const { RefCell::new(AtEnd(Vec::new())) };
    static LATE: RefCell<AtEnd> = const { RefCell::new(AtEnd(Vec::new())) };
}

/// Runs a thread with actions at its end, before and after the destructors of the library's own
/// thread-locals.
pub(super) fn at_the_end(make: impl Fn(&Tally) -> Action + Send + 'static) {
    watched(move || {
        let tally = Tally::new();
        let of_thread = tally.clone();
        thread::spawn(move || {
            // Destructors run in an order that depends on the first uses: one value is used before the
            // library's thread-locals, and one after.
            EARLY.with(|it| it.borrow_mut().0.push(make(&of_thread)));
            make(&of_thread)();
            LATE.with(|it| it.borrow_mut().0.push(make(&of_thread)));
        })
        .join()
        .expect("the destructors do not panic");
        assert_eq!(tally.made() % 3, 0, "each of the three has run to its end");
        assert!(tally.made() > 0);
        tally.assert_all_gone();
    });
}

#[test]
fn streams_with_many_senders() {
    at_the_end(|tally| {
        let (chan, mut port) = shared_stream();
        let tally = tally.clone();
        Box::new(move || {
            for number in 0..600 {
                assert!(chan.send(tally.make(number)).is_ok());
            }
            assert_eq!(port.try_iter().take(300).count(), 300);
        })
    });
}

#[test]
fn threads_that_wait_for_each_other() {
    at_the_end(|tally| {
        let tally = tally.clone();
        Box::new(move || {
            let (mut chan, mut port) = stream();
            let (there, mut from_there) = shared_stream();
            let (mut meet, mut met) = sync_stream(0);
            let (one, port_one) = oneshot();
            let peer = thread::spawn(move || {
                for message in port.iter() {
                    assert!(there.send(message).is_ok());
                }
                assert!(meet.send(from(&there)).is_ok());
                assert!(one.send(()).is_ok());
            });
            for number in 0..3 {
                assert!(chan.send(tally.make(number)).is_ok());
                assert_eq!(from_there.recv().map(|message| message.number), Ok(number));
            }
            drop(chan);
            let again = met.recv().expect("it is offered");
            assert!(again.send(tally.make(3)).is_ok());
            assert_eq!(from_there.recv().map(|message| message.number), Ok(3));
            assert_eq!(port_one.recv(), Ok(()));
            // The peer has its own thread-locals. It is not joined here.
            drop(peer);
            let _ = tally.make(4);
            let _ = tally.make(5);
        })
    });
}

fn from(chan: &SharedChan<Counted>) -> SharedChan<Counted> {
    chan.clone()
}

#[test]
fn sets_and_selections() {
    at_the_end(|tally| {
        let mut set = PortSet::new();
        let mut chans: Vec<_> = (0..3).map(|_| set.chan()).collect();
        let (mut other, mut port) = stream();
        let tally = tally.clone();
        Box::new(move || {
            for (number, chan) in chans.iter_mut().enumerate() {
                assert!(chan.send(tally.make(number as u64)).is_ok());
            }
            assert!(other.send(tally.make(9)).is_ok());
            let mut came = 0;
            while came < 4 {
                pipes::select! {
                    turn = set => came += usize::from(turn.is_ok_and(|(_, message)| message.is_ok())),
                    message = port => came += usize::from(message.is_ok()),
                }
            }
            assert!(set.recv_timeout(std::time::Duration::from_millis(1)).is_err());
            chans.clear();
            while set.recv().is_ok() {}
        })
    });
}

/// A thread-local owns an end whose other side waits. It must close when the thread ends.
#[test]
fn ends_in_thread_locals() {
    thread_local! {
        static END: RefCell<Option<SharedChan<Counted>>> = const { RefCell::new(None) };
    }
    watched(|| {
        let tally = Tally::new();
        let (chan, mut port) = shared_stream();
        let threads: Vec<_> = (0..4)
            .map(|number| {
                let (chan, tally) = (chan.clone(), tally.clone());
                thread::spawn(move || {
                    assert!(chan.send(tally.make(number)).is_ok());
                    END.set(Some(chan));
                })
            })
            .collect();
        drop(chan);
        assert_eq!(port.iter().count(), 4, "it ends when the last thread-local has gone");
        threads.into_iter().for_each(|it| it.join().expect("it does not panic"));
        tally.assert_all_gone();
    });
}
