//! Iterators over a port, and the traits of `futures`.

use futures::executor::block_on;
use futures::{SinkExt, StreamExt};
use pipes::{SendError, TryRecvError, stream};
use pipes_tests::{WakeCounter, poll_future};

#[test]
fn iterators() {
    let (mut chan, mut port) = stream();
    assert_eq!(port.try_iter().count(), 0, "it ends where it would wait");
    (0..100).for_each(|number| chan.send(number).unwrap());
    assert!(port.iter().take(10).eq(0..10));
    assert!(port.try_iter().take(10).eq(10..20));
    assert!((&mut port).into_iter().take(10).eq(20..30));
    assert!(port.try_iter().eq(30..100));
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    chan.send(100).unwrap();
    drop(chan);
    let mut iter = port.iter();
    assert_eq!([iter.next(), iter.next(), iter.next()], [Some(100), None, None]);
    let mut iter = port.into_iter();
    assert_eq!([iter.next(), iter.next()], [None, None], "it stays at its end");

    let (mut chan, port) = stream();
    (0..3).for_each(|number| chan.send(number).unwrap());
    assert_eq!(port.into_iter().next(), Some(0));
    assert!(chan.is_closed(), "it owned the port");
}

#[test]
fn a_sink_sends_all_and_closes() {
    let (wakes, waker) = WakeCounter::new();
    let (mut chan, mut port) = stream();
    block_on(async {
        SinkExt::send_all(&mut chan, &mut futures::stream::iter((0..11).map(Ok))).await.unwrap();
        chan.feed(11).await.unwrap();
        SinkExt::flush(&mut chan).await.unwrap();
        assert!(port.try_iter().eq(0..12));
        assert!(poll_future(&mut port.next(), &waker).is_pending());
        SinkExt::close(&mut chan).await.unwrap();
        SinkExt::close(&mut chan).await.unwrap();
        assert_eq!(wakes.count(), 1);
        assert_eq!(SinkExt::send(&mut chan, 12).await.unwrap_err(), SendError(None));
    });
    assert_eq!(port.iter().next(), None);
    assert_eq!(chan.send(13).unwrap_err().into_payload(), 13);
}
