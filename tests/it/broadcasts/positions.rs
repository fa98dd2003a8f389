//! Which messages a receiver gets: clones, subscriptions, receivers that come and go.

use pipes::{BroadcastPort, TryRecvError, TrySendError, broadcast};

/// All that is there.
pub fn rest(port: &mut BroadcastPort<u64>) -> Vec<u64> {
    std::iter::from_fn(|| port.try_recv().ok()).collect()
}

/// A clone gets what its original has not received, wherever it stands in the ring; a subscriber gets what is
/// sent later.
#[test]
fn a_clone_is_at_the_same_position_and_a_subscriber_at_the_next() {
    for (capacity, before, unread) in
        (1..=4).flat_map(|n| (0..=5).flat_map(move |b| (0..=n).map(move |u| (n, b, u))))
    {
        let (chan, mut port) = broadcast(capacity);
        for number in 0..before {
            chan.send(number).expect("it has a receiver");
            assert_eq!(port.recv(), Ok(number));
        }
        (0..unread as u64).for_each(|it| chan.try_send(before + it).expect("there is room"));
        let (mut clone, mut later, mut of_chan) = (port.clone(), port.subscribe(), chan.subscribe());
        let expected: Vec<_> = (before..before + unread as u64).collect();
        assert_eq!(rest(&mut port), expected);
        assert_eq!(later.try_recv(), Err(TryRecvError::Empty(())));
        if unread == capacity {
            assert_eq!(chan.try_send(99), Err(TrySendError::Full(99)), "the clone has not received");
        }
        assert_eq!(rest(&mut clone), expected);
        chan.try_send(77).expect("all have received");
        for port in [&mut port, &mut clone, &mut later, &mut of_chan] {
            assert_eq!(rest(port), [77]);
        }
    }
}

#[test]
fn senders_wait_for_the_slowest_receiver() {
    let (chan, mut fast) = broadcast(2);
    let mut slow = fast.clone();
    (0..2).for_each(|number| chan.try_send(number).expect("there is room"));
    assert_eq!(rest(&mut fast), [0, 1]);
    assert_eq!(chan.try_send(2), Err(TrySendError::Full(2)));
    assert_eq!(slow.recv(), Ok(0));
    assert_eq!(chan.try_send(2), Ok(()));
    assert_eq!(chan.try_send(3), Err(TrySendError::Full(3)));
    assert_eq!((rest(&mut fast), rest(&mut slow)), (vec![2], vec![1, 2]));
}

#[test]
fn a_slow_receiver_that_is_dropped_frees_its_place() {
    let (chan, mut fast) = broadcast(2);
    let slow = fast.clone();
    (0..2).for_each(|number| chan.try_send(number).expect("there is room"));
    assert_eq!(rest(&mut fast), [0, 1]);
    assert_eq!(chan.try_send(2), Err(TrySendError::Full(2)));
    drop(slow);
    assert_eq!(chan.try_send(2), Ok(()));
    assert_eq!(chan.try_send(3), Ok(()));
    assert_eq!(rest(&mut fast), [2, 3]);
}

/// Without receivers each send fails, and what was unread is gone. A new receiver begins with what is sent
/// then.
#[test]
fn receivers_come_back() {
    let (chan, port) = broadcast(2);
    (0..2).for_each(|number| chan.try_send(number).expect("there is room"));
    drop(port);
    assert!(chan.is_closed());
    assert_eq!(chan.send(7).unwrap_err().into_payload(), 7);
    assert_eq!(chan.try_send(8), Err(TrySendError::Closed(8)));
    let mut port = chan.subscribe();
    assert!(!chan.is_closed());
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    (3..5).for_each(|number| chan.try_send(number).expect("there is room"));
    assert_eq!(rest(&mut port), [3, 4]);
}

#[test]
fn every_receiver_gets_what_was_sent_before_the_close() {
    let (chan, mut one) = broadcast(3);
    let (other, mut two) = (chan.clone(), one.clone());
    chan.send(1).expect("it has receivers");
    drop(chan);
    other.send(2).expect("it has receivers");
    assert!(!one.is_closed());
    drop(other);
    for port in [&mut one, &mut two] {
        assert!(port.is_ready() && !port.is_closed());
        assert!(port.iter().eq([1, 2]));
        assert!(port.is_closed());
        assert_eq!(port.try_recv(), Err(TryRecvError::Closed));
    }
}

#[test]
fn it_knows_its_capacity() {
    let (chan, port) = broadcast::<u64>(3);
    assert_eq!((chan.capacity(), port.capacity()), (3, 3));
}
