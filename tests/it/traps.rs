//! Bugs that happened to others in the same place, where no scenario of the table shows them.

use futures::StreamExt;
use pipes::{
    Port, PortSet, Receive, RecvError, RecvTimeoutError, SetEmpty, TryRecvError, select, select_async,
    shared_stream, stream, sync_stream,
};
use pipes_tests::{DropCounter, begun, poll_future, spawn, test_in, watched};
use std::mem::forget;
use std::task::{Poll, Waker};
use std::time::Duration;

#[test]
#[allow(clippy::forget_non_drop, reason = "the trap is what was chosen and is never taken")]
fn leaked_selection_loses_or_invents_a_message() {
    let drops = DropCounter::new();
    let ((mut one, mut first), (_two, mut second)) = (stream(), stream());
    assert!(one.send(drops.make(1)).is_ok());
    forget(first.ready());
    let mut waiting = Box::pin(async {
        select_async! { it = first => it, it = second => it }
    });
    let polled = poll_future(&mut waiting, Waker::noop());
    assert!(matches!(polled, Poll::Ready(Ok(payload)) if payload.number == 1));
    drop(waiting);
    let waiting = begun(
        Box::pin(async {
            select_async! { it = first => it, it = second => it }
        }),
        Waker::noop(),
    );
    forget(waiting);
    drops.assert_all_dropped();
}

/// One sender becomes many, one receiver several, and a port a member, while a receiver waits now and then.
#[test_in(watched)]
fn flavour_changes_while_a_receiver_waits() {
    let (mut chan, mut port) = shared_stream();
    let sending = spawn(move || {
        for number in 0..1_500 {
            chan.send(number).expect("the port is there");
            if number % 10 == 0 {
                chan = chan.clone();
            }
        }
    });
    let mut received = Vec::new();
    while received.len() < 500 {
        match port.recv_timeout(Duration::from_micros(5)) {
            Ok(number) => received.push(number),
            Err(error) => assert!(!error.is_closed(), "there is more"),
        }
    }
    let mut set = PortSet::new();
    let key = set.insert(port);
    received.extend(set.messages().take(500));
    let mut port = set.remove(&key).expect("it is a member").into_shared();
    while let Ok(number) = port.recv_timeout(Duration::from_secs(1_000)) {
        received.push(number);
        port = port.clone();
    }
    assert!(received.into_iter().eq(0..1_500));
    sending.join().expect("it does not panic");
}

#[test]
fn unpolled_send_future_leaks_its_item() {
    let drops = DropCounter::new();
    for (mut chan, _port) in [stream(), sync_stream(0), sync_stream(1)] {
        drop(chan.send_async(drops.make(1)));
        drops.assert_all_dropped();
        assert_eq!(chan.send_async(drops.make(2)).into_inner().map(|payload| payload.number), Some(2));
    }
}

/// With nothing to wait for, every form returns at once.
#[test_in(watched)]
fn empty_selection_panics_or_hangs() {
    let (index, message, rest) = pipes::select(Vec::<&mut Port<u64>>::new());
    assert_eq!((index, message, rest.len()), (0, Err(RecvError), 0));
    let mut set = PortSet::<Port<u64>>::new();
    assert_eq!(set.recv(), Err(SetEmpty));
    assert_eq!(set.try_recv(), Err(TryRecvError::Closed));
    assert_eq!(set.recv_timeout(Duration::MAX), Err(RecvTimeoutError::Closed));
    assert_eq!(futures::executor::block_on(set.recv_async()), Err(SetEmpty));
    assert_eq!(futures::executor::block_on(StreamExt::next(&mut set)), None);
    assert_eq!(Receive::recv(&mut set), Err(RecvError));
    let (_chan, mut idle) = stream::<u64>();
    select! {
        turn = set => assert_eq!(turn, Err(SetEmpty)),
        number = idle => panic!("nobody sent {number:?}"),
    }
    assert!(pipes::select2(&mut set, &mut idle).is_left());
}
