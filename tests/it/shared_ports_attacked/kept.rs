//! What receivers keep: at the end of a stream, with limited room, when the last receivers leave, at any
//! size.

use crate::shared_ports_kept::streams;
use pipes::{
    Closing, PortSet, Readiness, SharedPort, TryRecvError, shared_stream, shared_sync_stream, stream,
    sync_stream,
};
use pipes_tests::{Bell, Counted, Random, Tally, poll, poll_future, spin_while, watched};
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::thread;

/// While the last message is kept, those that wait for the end in any way are not woken. Then all are, once.
#[test]
fn the_end_is_kept_away() {
    for is_given_back in [false, true] {
        let (mut chan, port) = stream();
        let mut keeper = port.into_shared();
        let [mut one, mut two, mut three, other] = [(); 4].map(|()| keeper.clone());
        let mut set: PortSet<_> = [other.clone(), other].into_iter().collect();
        chan.send(1).expect("the ports are here");
        assert!(poll(&mut keeper, Waker::noop()).is_ready());
        drop(chan);
        let bells = [(); 4].map(|()| Bell::new());
        let mut receive = one.recv_async();
        let mut select = Box::pin(async {
            pipes::select_async! { heard = two => heard }
        });
        for _ in 0..5 {
            assert!(poll_future(&mut receive, &bells[0].1).is_pending());
            assert!(poll_future(&mut select, &bells[1].1).is_pending());
            assert!(poll(&mut three, &bells[2].1).is_pending());
            assert!(poll(&mut set, &bells[3].1).is_pending());
            assert!(!keeper.is_closed());
        }
        assert!(bells.iter().all(|(bell, _)| bell.rings() == 0), "nothing has changed");
        if is_given_back {
            drop(keeper);
            assert!(bells[0].0.rings() > 0, "it is the first in the line");
            assert_eq!(poll_future(&mut receive, &bells[0].1), Poll::Ready(Ok(1)));
        } else {
            assert_eq!(keeper.try_recv(), Ok(1));
            assert_eq!(poll_future(&mut receive, &bells[0].1), Poll::Ready(Err(pipes::RecvError)));
        }
        assert!(bells.iter().all(|(bell, _)| bell.rings() == 1));
        assert_eq!(poll_future(&mut select, &bells[1].1), Poll::Ready(Err(pipes::RecvError)));
        assert!(poll(&mut three, &bells[2].1).is_ready());
        assert_eq!(three.try_recv(), Err(TryRecvError::Closed));
        assert!((0..2).all(|_| set.try_recv().is_ok_and(|(_, heard)| heard.is_err())));
    }
}

/// The stream is filled after each step. So the number of messages that are kept, or were given back, is that
/// of all that were sent and not received, less the capacity. Only a look that keeps one makes it larger, and
/// only a receive makes it smaller.
#[test]
fn room_is_what_is_not_unread() {
    let mut random = Random::new(0x700);
    for _ in 0..300 {
        let capacity = 1 + random.below(40) as usize;
        let (tally, (chan, port)) = (Tally::new(), shared_sync_stream(capacity));
        let mut ports = vec![port.into_shared()];
        let (mut sent, mut received, mut apart) = (0, 0, 0);
        for _ in 0..200 {
            let any = random.below(ports.len() as u64) as usize;
            let (mut looks, mut receives) = (0, 0);
            match random.below(6) {
                0 => ports.push(ports[any].clone()),
                1 if ports.len() > 1 => drop(ports.swap_remove(any)),
                2 => looks = usize::from(poll(&mut ports[any], Waker::noop()).is_ready()),
                3 => looks = usize::from(ports[any].is_certain()),
                _ => {
                    let most = random.below(50) as usize;
                    let heard = std::iter::from_fn(|| ports[any].try_recv().ok()).take(most);
                    receives = heard.count();
                }
            }
            received += receives;
            while chan.try_send(tally.make(0)).is_ok() {
                sent += 1;
            }
            assert!(sent >= received + capacity, "all room is used");
            let now = sent - received - capacity;
            assert!(now <= apart + looks && now + receives >= apart, "{now}, {apart}, {looks}, {receives}");
            apart = now;
        }
        while ports.len() > 1 {
            drop(ports.pop());
        }
        let rest = std::iter::from_fn(|| ports[0].try_recv().ok()).count();
        assert_eq!(rest + received, sent);
        drop(ports);
        tally.assert_all_gone();
    }
}

/// When a sender sees that the receivers have left, all messages are dropped: those in the stream, in the
/// tray, and those that were kept.
#[test]
fn everything_is_dropped_before_the_close_is_seen() {
    fn check(mut chan: impl Closing + Send, port: pipes::Port<Counted>, tally: &Tally) {
        let mut first = port.into_shared();
        let mut second = first.clone();
        assert!(poll(&mut first, Waker::noop()).is_ready());
        drop(second.recv());
        assert!(poll(&mut second, Waker::noop()).is_ready());
        thread::scope(|scope| {
            scope.spawn(|| {
                chan.wait_closed();
                tally.assert_all_gone();
            });
            scope.spawn(move || drop(first));
            scope.spawn(move || drop(second));
        });
    }
    watched(|| {
        for _ in 0..if cfg!(miri) { 2 } else { 100 } {
            let tally = Tally::new();
            let made = || (0..40).map(|number| tally.make(number)).collect::<Vec<_>>();
            let (mut chan, port) = stream();
            chan.send_all(&mut made()).expect("the port is here");
            check(chan, port, &tally);
            let (mut chan, port) = sync_stream(40);
            chan.send_all(&mut made()).expect("the port is here");
            check(chan, port, &tally);
            let (chan, port) = shared_stream();
            chan.send_all(&mut made()).expect("the port is here");
            check(chan, port, &tally);
            let (chan, port) = shared_sync_stream(40);
            chan.send_all(&mut made()).expect("the port is here");
            check(chan, port, &tally);
        }
    });
}

/// A message of no size that is aligned to a page, and a large one: they are kept, given back, and received.
#[test]
fn messages_of_unusual_shapes() {
    #[derive(Debug, Default, PartialEq)]
    #[repr(align(4096))]
    struct Aligned;

    fn check<T: Send + 'static>(make: fn(u8) -> T, is_whole: fn(&T) -> bool) {
        for (mut send, port) in streams() {
            let sender = thread::spawn(move || (0..100).for_each(|number| send(make(number))));
            let mut port = port.into_shared();
            // (What is given back may come behind later ones.)
            for number in 0..100 {
                let mut keeper = port.clone();
                spin_while(|| poll(&mut keeper, Waker::noop()).is_pending());
                let heard = if number % 2 == 0 {
                    keeper.try_recv()
                } else {
                    drop(keeper);
                    port.try_recv()
                };
                assert!(is_whole(&heard.expect("it is kept, or was given back")));
            }
            sender.join().expect("no panic");
        }
    }
    watched(|| {
        check(|_| Aligned, |message| std::ptr::from_ref(message).addr() % 4096 == 0);
        check(|number| Box::new([number; 4]), |message| message[0] == message[3]);
        check(|number| [number; 1 << 13], |message| message.iter().all(|byte| *byte == message[0]));
    });
}

/// A message contains a receiver of its own stream. It is kept, given back, and received by that receiver.
#[test]
fn a_message_contains_a_receiver() {
    struct Own(SharedPort<Own>, #[expect(dead_code, reason = "it is counted")] Arc<()>);
    let alive = Arc::new(());
    let (mut chan, port) = stream();
    let mut first = port.into_shared();
    let mut second = first.clone();
    for _ in 0..40 {
        assert!(chan.send(Own(first.clone(), alive.clone())).is_ok());
    }
    for _ in 0..20 {
        assert!(poll(&mut first, Waker::noop()).is_ready());
        drop(std::mem::replace(&mut first, second.clone()));
        let Ok(Own(mut inside, _)) = second.try_recv() else { panic!("it was given back") };
        assert!(poll(&mut inside, Waker::noop()).is_ready(), "it keeps one, and gives it back when it goes");
        second = inside;
    }
    let mut rest = VecDeque::new();
    while let Ok(own) = first.try_recv() {
        rest.push_back(own);
    }
    drop(second);
    while let Ok(own) = first.try_recv() {
        rest.push_back(own);
    }
    assert_eq!(rest.len(), 20);
    drop((rest, first));
    assert!(chan.is_closed());
    assert_eq!(Arc::strong_count(&alive), 1);
}
