//! Endpoints that travel, and waiting for either of two.
//!
//! `run-pass/pipe-select.rs`, Rust 0.5. Its `select` and `select2` are not here, because this library does not have them yet: a
//! task that waits until one of two endpoints is ready, and then receives there, does what they did.

use super::serve;
use futures::executor::block_on;
use futures::future::{Either, select};
use pipes::Readiness;
use pipes_tests::{Bell, poll_future, watched};
use std::task::Poll;
use stream::Open;

pipes::proto! {
    oneshot { waiting: send { signal -> ! } }

    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// Two ends to wait for, as one payload.
type Pair = (oneshot::server::Waiting, oneshot::server::Waiting);

/// Which of the two is ready, 0 or 1. Both are still there.
async fn either(left: &mut impl Readiness, right: &mut impl Readiness) -> usize {
    match select(left.ready(), right.ready()).await {
        Either::Left(_) => 0,
        Either::Right(_) => 1,
    }
}

/// Receives pairs and waits for one end of each: which it was, and whether there was a message.
async fn service(mut server: stream::server::Open<Pair>) -> Vec<(usize, bool)> {
    let mut found = Vec::new();
    while let Ok(Open::Send((mut left, mut right), next)) = server.await {
        let index = either(&mut left, &mut right).await;
        let chosen = if index == 0 { left } else { right };
        found.push((index, chosen.try_recv().is_ok()));
        server = next;
    }
    found
}

/// First the left one of a pair is signalled, then the right one of another; the other senders live on.
#[test]
fn a_service_that_is_sent_pairs_of_endpoints() {
    watched(|| {
        let (client, service) = serve::<stream::Protocol<Pair>, _>(|server| block_on(service(server)));
        let ((left, one), (_right, two)) = (oneshot::pipe(), oneshot::pipe());
        let client = client.send((one, two)).expect("the service is there");
        service.fall_asleep();
        left.signal().expect("the service has it");
        let ((_left, one), (right, two)) = (oneshot::pipe(), oneshot::pipe());
        drop(client.send((one, two)).expect("the service is there"));
        service.fall_asleep();
        right.signal().expect("the service has it");
        assert_eq!(service.join().expect("the service ends"), [(0, true), (1, true)]);
    });
}

/// The same without a second thread: the task is woken for the pair and for the signal, and for nothing else.
#[test]
fn on_a_single_thread() {
    let (bell, waker) = Bell::new();
    let (client, server) = stream::pipe();
    let mut service = Box::pin(service(server));
    assert!(poll_future(&mut service, &waker).is_pending());
    let ((_left, one), (right, two)) = (oneshot::pipe(), oneshot::pipe());
    let client = client.send((one, two)).expect("the service is there");
    assert!(poll_future(&mut service, &waker).is_pending());
    assert_eq!(bell.rings(), 1);
    right.signal().expect("the service has it");
    assert_eq!(bell.rings(), 2);
    drop(client);
    assert_eq!(poll_future(&mut service, &waker), Poll::Ready(vec![(1, true)]));
}

/// `test_select2`: of two endpoints with messages of different types, whichever is not chosen is as it was.
#[test]
fn either_of_two_types() {
    watched(|| {
        let ((numbers, mut number), (words, mut word)) = (stream::pipe::<i32>(), stream::pipe::<String>());
        let _numbers = numbers.send(22).expect("the port is there");
        assert_eq!(block_on(either(&mut number, &mut word)), 0);
        assert!(matches!(number.try_recv(), Ok(Open::Send(22, _))));
        drop(words.send("abc".to_owned()).expect("the port is there"));
        assert!(matches!(word.try_recv(), Ok(Open::Send(abc, _)) if abc == "abc"));

        let ((numbers, mut number), (words, mut word)) = (stream::pipe::<i32>(), stream::pipe::<String>());
        let _words = words.send("abc".to_owned()).expect("the port is there");
        assert_eq!(block_on(either(&mut number, &mut word)), 1);
        assert!(matches!(word.try_recv(), Ok(Open::Send(abc, _)) if abc == "abc"));
        drop(numbers.send(22).expect("the port is there"));
        assert!(matches!(number.try_recv(), Ok(Open::Send(22, _))));
    });
}
