//! Receivers that are too slow for a sender that does not wait.

use pipes::{Lagged, LaggingPort, TryRecvError, broadcast_lagging};
use pipes_tests::{spawn, test_in, watched};

fn rest(port: &mut LaggingPort<u64>) -> Vec<Result<u64, Lagged>> {
    std::iter::from_fn(|| port.try_recv().ok()).collect()
}

/// The number of missed messages is exact, wherever in the ring the receiver stands, and it goes on at the
/// oldest message that is there.
#[test]
fn the_count_is_exact() {
    for (capacity, before, sent) in
        (1..=4_u64).flat_map(|n| (0..=5).flat_map(move |b| (0..=3 * n).map(move |s| (n, b, s))))
    {
        let (chan, mut port) = broadcast_lagging(capacity as usize);
        for number in 0..before {
            chan.send(number).expect("it has a receiver");
            assert_eq!(port.recv(), Ok(Ok(number)));
        }
        (0..sent).for_each(|it| chan.send(before + it).expect("it has a receiver"));
        let missed = sent.saturating_sub(capacity);
        let mut expected = Vec::new();
        expected.extend((missed > 0).then_some(Err(Lagged(missed))));
        expected.extend((before + missed..before + sent).map(Ok));
        let mut clone = port.clone();
        assert_eq!(rest(&mut port), expected);
        assert_eq!(rest(&mut clone), expected);
        assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    }
}

#[test]
fn a_receiver_may_lag_again_and_again() {
    let (chan, mut port) = broadcast_lagging(2);
    for round in 0..10 {
        (0..5).for_each(|it| chan.send(round * 5 + it).expect("it has a receiver"));
        assert_eq!(port.recv(), Ok(Err(Lagged(3 + u64::from(round > 0)))));
        assert_eq!(port.recv(), Ok(Ok(round * 5 + 3)), "and one message is left");
    }
}

#[test]
fn without_receivers_the_value_comes_back() {
    let (chan, port) = broadcast_lagging(1);
    drop(port);
    assert_eq!(chan.send(1).unwrap_err().into_payload(), 1);
    let mut port = chan.subscribe();
    chan.send(2).expect("it has a receiver again");
    assert_eq!(port.recv(), Ok(Ok(2)));
}

/// Each receiver accounts for every message, received or missed, in order, while senders overrun it.
#[test_in(watched)]
fn nothing_is_missing_from_the_account() {
    const EACH: u64 = 2000;
    for capacity in [1, 2, 7, 64] {
        let (chan, port) = broadcast_lagging(capacity);
        let receivers = [(); 3].map(|()| {
            let mut port = port.clone();
            spawn(move || {
                let (mut next, mut last) = (0, [None; 2]);
                for received in port.iter() {
                    match received {
                        Ok((sender, number)) => {
                            let last: &mut Option<u64> = &mut last[sender as usize];
                            assert!(last.replace(number).is_none_or(|last| last < number), "in order");
                            next += 1;
                        }
                        Err(Lagged(missed)) => next += missed,
                    }
                }
                next
            })
        });
        drop(port);
        let senders = [0_u8, 1].map(|sender| {
            let chan = chan.clone();
            spawn(move || (0..EACH).try_for_each(|number| chan.send((sender, number))).is_ok())
        });
        drop(chan);
        assert!(senders.map(|it| it.join().expect("it does not panic")).iter().all(|sent| *sent));
        for receiver in receivers {
            assert_eq!(receiver.join().expect("it does not panic"), 2 * EACH);
        }
    }
}
