//! More threads than may claim by addition, and threads that live for one send: the counts that a shared
//! stream keeps in a few bits must not overflow.

use pipes::{SharedChan, shared_stream};
use pipes_tests::{Counted, Tally, watched};
use std::sync::Barrier;
use std::thread;

/// More than the 1024 threads that may claim by addition at the same time.
const CROWD: usize = if cfg!(miri) { 6 } else { 1100 };

/// All threads send at once, across blocks; then they end, and others come.
#[test]
fn a_crowd_that_sends_at_once() {
    watched(|| {
        let tally = Tally::new();
        let (chan, mut port) = shared_stream::<Counted>();
        for _ in 0..2 {
            let start = Barrier::new(CROWD);
            thread::scope(|scope| {
                for sender in 0..CROWD as u64 {
                    let (chan, start, tally) = (chan.clone(), &start, &tally);
                    thread::Builder::new()
                        .stack_size(64 << 10)
                        .spawn_scoped(scope, move || {
                            start.wait();
                            for index in 0..3 {
                                assert!(chan.send(tally.make(3 * sender + index)).is_ok());
                            }
                        })
                        .expect("a thread can be had");
                }
                let mut next = vec![0; CROWD];
                for _ in 0..3 * CROWD {
                    let message = port.recv().expect("there are senders");
                    let sender = (message.number / 3) as usize;
                    assert_eq!(message.number % 3, next[sender], "a sender's messages come in order");
                    next[sender] += 1;
                }
                assert!(next.into_iter().all(|count| count == 3));
            });
            assert!(port.try_recv().is_err());
        }
        tally.assert_all_gone();
    });
}

/// Each thread acquires the right to claim by addition, uses it once near the end of a block, and gives it
/// back.
#[test]
fn threads_of_one_send_each() {
    watched(|| {
        let tally = Tally::new();
        let (chan, mut port) = shared_stream::<Counted>();
        let threads = if cfg!(miri) { 8 } else { 1500 };
        let mut came = 0;
        for begin in (0..threads).step_by(4) {
            thread::scope(|scope| {
                for number in begin..begin + 4 {
                    let (chan, tally) = (&chan, &tally);
                    scope.spawn(move || assert!(chan.send(tally.make(number)).is_ok()));
                }
            });
            if begin % 64 == 0 {
                came += port.try_iter().count();
            }
        }
        came += port.try_iter().count();
        assert_eq!(came as u64, threads);
        tally.assert_all_gone();
    });
}

/// The receiver leaves in the middle: each message must be received, come back, or be dropped with the port.
#[test]
fn a_crowd_whose_receiver_leaves() {
    fn send(chan: &SharedChan<Counted>, tally: &Tally) -> usize {
        (0..4).filter(|&number| chan.send(tally.make(number)).is_err()).count()
    }
    watched(|| {
        let tally = Tally::new();
        let (chan, mut port) = shared_stream::<Counted>();
        let start = Barrier::new(CROWD + 1);
        let (received, refused) = thread::scope(|scope| {
            let senders: Vec<_> = (0..CROWD)
                .map(|_| {
                    let (chan, start, tally) = (chan.clone(), &start, &tally);
                    thread::Builder::new()
                        .stack_size(64 << 10)
                        .spawn_scoped(scope, move || {
                            start.wait();
                            send(&chan, tally)
                        })
                        .expect("a thread can be had")
                })
                .collect();
            start.wait();
            let received = port.iter().take(CROWD).count();
            drop(port);
            let refused: usize = senders.into_iter().map(|it| it.join().expect("it does not panic")).sum();
            (received, refused)
        });
        assert_eq!(received, CROWD);
        assert!(refused <= 3 * CROWD);
        assert!(chan.send(tally.make(0)).is_err());
        assert_eq!(tally.made(), 4 * CROWD + 1);
        tally.assert_all_gone();
    });
}
