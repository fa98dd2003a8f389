//! Messages that a receiver of a shared port has taken out of the stream ahead, for whichever receiver is
//! next.

use crate::unread::streams;
use pipes::{SharedPort, TryRecvError, shared_sync_stream, stream};
use pipes_tests::{DropCounter, Rng, test_in, watched};
use std::sync::{Arc, Barrier};
use std::thread;

/// Two receivers in turn get all messages whole and in order, and then the close.
fn in_turn<T: PartialEq + std::fmt::Debug>(make: impl Fn(u8) -> T) {
    for (mut chan, port) in streams(256) {
        let first = port.into_shared();
        let mut receivers = [first.clone(), first];
        (0..=u8::MAX).for_each(|number| chan.send(make(number)).expect("they are here"));
        for number in 0..=100 {
            assert_eq!(receivers[usize::from(number) % 2].try_recv(), Ok(make(number)));
        }
        drop(chan);
        for number in 101..=u8::MAX {
            assert_eq!(receivers[usize::from(number) % 2].recv(), Ok(make(number)));
        }
        assert!(receivers.iter_mut().all(|it| it.try_recv() == Err(TryRecvError::Closed)));
    }
}

/// The number of messages that are taken ahead depends on their size.
#[test]
fn messages_of_any_size() {
    #[derive(PartialEq, Debug)]
    #[repr(align(4096))]
    struct Aligned(u8);

    in_turn(|_| ());
    in_turn(|number| number);
    in_turn(|number| [u64::from(number); 7]);
    in_turn(|number| [number; 200]);
    in_turn(|number| [number; 600]);
    in_turn(|number| [number; 5000]);
    in_turn(|number| vec![number]);
    in_turn(Aligned);
}

/// A message that was taken ahead counts as unread until a receiver gets it. The stream is filled after each
/// step, so as many messages were sent as were received, and as have room.
#[test]
fn they_take_up_room() {
    let mut random = Rng::with_seed(0x700);
    for _ in 0..pipes_tests::effort(300) {
        let capacity = 1 + random.usize(..40);
        let (drops, (chan, port)) = (DropCounter::new(), shared_sync_stream(capacity));
        let mut receivers = vec![port.into_shared()];
        let (mut sent, mut received) = (0, 0);
        for _ in 0..200 {
            let any = random.usize(..receivers.len());
            match random.u64(..4) {
                0 => receivers.push(receivers[any].clone()),
                1 if receivers.len() > 1 => drop(receivers.swap_remove(any)),
                _ => {
                    let most = random.usize(..50);
                    received += std::iter::from_fn(|| receivers[any].try_recv().ok()).take(most).count();
                }
            }
            while chan.try_send(drops.make(0)).is_ok() {
                sent += 1;
            }
            assert_eq!(sent, received + capacity);
        }
        drop(receivers);
        drops.assert_all_dropped();
    }
}

/// Threads that begin at the same moment receive what was sent before, each message once.
#[test_in(watched)]
fn threads_that_take_what_is_there() {
    let count = if cfg!(miri) { 100 } else { 1000 };
    for (mut chan, port) in streams(count as usize) {
        (0..count).for_each(|number| chan.send(number).expect("the port is here"));
        let (port, begin) = (port.into_shared(), Barrier::new(4));
        let received = thread::scope(|scope| {
            let take = || {
                let port = port.clone();
                begin.wait();
                std::iter::from_fn(|| port.try_recv().ok()).collect::<Vec<_>>()
            };
            let takers: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
            takers.into_iter().map(|taker| taker.join().expect("it does not panic")).collect::<Vec<_>>()
        });
        assert!(received.iter().all(|received| received.is_sorted()), "what one gets is in order");
        let mut all = received.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..count));
    }
}

/// Each message contains a receiver of its own stream, and that one receives the next message.
#[test]
fn messages_that_contain_their_receiver() {
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
    drop((rest, port));
    assert!(chan.is_closed());
    assert_eq!(Arc::strong_count(&alive), 1);
}
