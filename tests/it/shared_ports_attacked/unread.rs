//! What no receiver has got yet: with limited room, when the last receivers leave, in any shape.

use super::streams;
use pipes::{Closing, SharedPort, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::{Counted, Random, Tally, watched};
use std::sync::Arc;
use std::thread;

/// The stream is filled after each step. So as many messages were sent as were received, and as have room.
#[test]
fn room_is_what_is_not_unread() {
    let mut random = Random::new(0x700);
    for _ in 0..300 {
        let capacity = 1 + random.below(40) as usize;
        let (tally, (chan, port)) = (Tally::new(), shared_sync_stream(capacity));
        let mut ports = vec![port.into_shared()];
        let (mut sent, mut received) = (0, 0);
        for _ in 0..200 {
            let any = random.below(ports.len() as u64) as usize;
            match random.below(4) {
                0 => ports.push(ports[any].clone()),
                1 if ports.len() > 1 => drop(ports.swap_remove(any)),
                _ => {
                    let most = random.below(50) as usize;
                    received += std::iter::from_fn(|| ports[any].try_recv().ok()).take(most).count();
                }
            }
            while chan.try_send(tally.make(0)).is_ok() {
                sent += 1;
            }
            assert_eq!(sent, received + capacity);
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

/// When a sender sees that the receivers have left, all messages are dropped: those in the stream, and those
/// in the tray.
#[test]
fn everything_is_dropped_before_the_close_is_seen() {
    fn check(mut chan: impl Closing + Send, port: pipes::Port<Counted>, tally: &Tally) {
        let mut first = port.into_shared();
        let second = first.clone();
        // This fills the tray.
        drop(first.recv());
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

/// Messages of no size that are aligned to a page, and large ones: two receivers in turn get each of them
/// whole.
#[test]
fn messages_of_unusual_shapes() {
    #[repr(align(4096))]
    struct Aligned;

    fn check<T: Send + 'static>(make: fn(u8) -> T, is_whole: fn(&T) -> bool) {
        for (mut send, port) in streams() {
            let sender = thread::spawn(move || (0..100).for_each(|number| send(make(number))));
            let first = port.into_shared();
            let mut ports = [first.clone(), first];
            for number in 0..100 {
                let heard = ports[number % 2].recv();
                assert!(is_whole(&heard.expect("it is sent")));
            }
            sender.join().expect("no panic");
            assert!(ports[0].recv().is_err(), "the sender has left");
        }
    }
    watched(|| {
        check(|_| Aligned, |message| std::ptr::from_ref(message).addr() % 4096 == 0);
        check(|number| Box::new([number; 4]), |message| message[0] == message[3]);
        check(|number| [number; 1 << 13], |message| message.iter().all(|byte| *byte == message[0]));
    });
}

/// Each message contains a receiver of its own stream, and that one receives the next message.
#[test]
fn a_message_contains_a_receiver() {
    struct Own(SharedPort<Own>, #[expect(dead_code, reason = "it is counted")] Arc<()>);
    let alive = Arc::new(());
    let (mut chan, port) = stream();
    let mut port = port.into_shared();
    for _ in 0..40 {
        assert!(chan.send(Own(port.clone(), alive.clone())).is_ok());
    }
    for _ in 0..20 {
        let Ok(Own(inside, _)) = port.try_recv() else { panic!("forty were sent") };
        port = inside;
    }
    let rest: Vec<_> = std::iter::from_fn(|| port.try_recv().ok()).collect();
    assert_eq!(rest.len(), 20);
    assert_eq!(Arc::strong_count(&alive), 21, "those that are here");
    drop((rest, port));
    assert!(chan.is_closed());
    assert_eq!(Arc::strong_count(&alive), 1);
}
