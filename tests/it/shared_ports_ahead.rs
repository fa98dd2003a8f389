//! Values that a receiver of a shared port has taken out of the stream ahead, for whichever receiver is next.

use pipes::{Port, SharedPort, TryRecvError, TrySendError, shared_stream, shared_sync_stream, stream};
use pipes_tests::{Counted, Tally, caught, watched};
use std::sync::Barrier;
use std::thread;

/// The stream's port, and a sender.
type Ends<T> = (Box<dyn FnMut(T)>, Port<T>);

/// One stream of each kind from which values are taken ahead.
fn streams<T: 'static>() -> [Ends<T>; 3] {
    let (mut single, single_port) = stream();
    let (shared, shared_port) = shared_stream();
    let (limited, limited_port) = shared_sync_stream(1000);
    [
        (Box::new(move |value| assert!(single.send(value).is_ok())), single_port),
        (Box::new(move |value| assert!(shared.send(value).is_ok())), shared_port),
        (Box::new(move |value| assert!(limited.try_send(value).is_ok())), limited_port),
    ]
}

/// Two receivers of a port.
fn two<T>(port: Port<T>) -> [SharedPort<T>; 2] {
    let first = port.into_shared();
    [first.clone(), first]
}

/// Two receivers in turn get all values, in order.
fn in_order<T: PartialEq + std::fmt::Debug + 'static>(make: impl Fn(u8) -> T) {
    for (mut send, port) in streams::<T>() {
        let mut ports = two(port);
        (0..=u8::MAX).for_each(|number| send(make(number)));
        for number in 0..=u8::MAX {
            assert_eq!(ports[usize::from(number) % 2].try_recv(), Ok(make(number)));
        }
        assert_eq!(ports[0].try_recv(), Err(TryRecvError::Empty(())));
    }
}

/// The number of values that fit depends on their size.
#[test]
fn values_of_any_size_come_in_order() {
    in_order(|_| ());
    in_order(|number| number);
    in_order(|number| [u64::from(number); 7]);
    in_order(|number| [number; 200]);
    in_order(|number| [number; 600]);
    in_order(|number| [number; 5000]);
    in_order(|number| vec![number]);
}

/// A value that was taken ahead counts as unread until a receiver gets it.
#[test]
fn there_is_room_when_a_receiver_gets_a_value() {
    let (chan, port) = shared_sync_stream(4);
    let mut ports = two(port);
    (0..4).for_each(|number| chan.try_send(number).expect("there is room"));
    for number in 4..100 {
        assert!(matches!(chan.try_send(number), Err(TrySendError::Full(_))), "four are unread");
        assert_eq!(ports[number % 2].try_recv(), Ok(number - 4));
        chan.try_send(number).expect("one was received");
    }
}

/// All that was sent before the close is received before it.
#[test]
fn the_close_comes_last() {
    for (mut send, port) in streams() {
        let mut ports = two(port);
        (0..10).for_each(&mut send);
        assert_eq!(ports[0].recv(), Ok(0));
        drop(send);
        assert!((1..10).all(|number| ports[number % 2].recv() == Ok(number)));
        assert!(ports.iter_mut().all(|port| port.recv().is_err()));
    }
}

/// The last receiver drops what was taken ahead, once.
#[test]
fn the_last_receiver_drops_them() {
    for (mut send, port) in streams() {
        let tally = Tally::new();
        let [mut first, second] = two(port);
        (0..100).for_each(|number| send(tally.make(number)));
        drop(first.recv());
        drop(first);
        assert_eq!(tally.gone(), 1);
        drop(second);
        tally.assert_all_gone();
    }
}

/// A value whose destructor panics if it has this number.
struct Fragile(Counted);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert_ne!(self.0.number, 7, "planned");
    }
}

/// A destructor that panics does not stop the others, in the tray or behind it.
#[test]
fn a_destructor_panics() {
    for (mut send, port) in streams() {
        let tally = Tally::new();
        let mut port = port.into_shared();
        (0..100).for_each(|number| send(Fragile(tally.make(number))));
        drop(port.recv());
        assert!(caught(|| drop(port)).is_some());
        tally.assert_all_gone();
    }
}

/// Threads that begin at the same moment receive what was sent before, each value once.
#[test]
fn many_take_what_is_there() {
    let values = if cfg!(miri) { 100 } else { 1000 };
    watched(move || {
        for (mut send, port) in streams() {
            (0..values).for_each(&mut send);
            let (port, begin) = (port.into_shared(), Barrier::new(4));
            let received = thread::scope(|scope| {
                let take = || {
                    let mut port = port.clone();
                    begin.wait();
                    std::iter::from_fn(|| port.try_recv().ok()).collect::<Vec<_>>()
                };
                let takers: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
                takers.into_iter().map(|taker| taker.join().expect("it does not panic")).collect::<Vec<_>>()
            });
            assert!(received.iter().all(|received| received.is_sorted()), "what one gets is in order");
            let mut all = received.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..values));
        }
    });
}
