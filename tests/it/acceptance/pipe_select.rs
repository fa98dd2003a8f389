//! Endpoints as payloads, and a wait for either of two.
//!
//! `run-pass/pipe-select.rs`, Rust 0.5: a service that selects over the pairs that it receives, and
//! `test_select2`.

use super::serve;
use futures::executor::block_on;
use pipes::{select, select_async, select2};
use pipes_tests::{Bell, poll_future, watched};
use std::task::Poll;
use stream::Open;

pipes::proto! {
    oneshot { waiting: send { signal -> ! } }

    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// Two endpoints to wait for, as one payload.
type Pair = (oneshot::server::Waiting, oneshot::server::Waiting);

/// Receives pairs and selects over each; returns which end it was, whether there was a message, and how many
/// ends were left.
fn service(mut server: stream::server::Open<Pair>) -> Vec<(usize, bool, usize)> {
    let mut found = Vec::new();
    while let Ok(Open::Send((left, right), next)) = server.recv() {
        let (index, message, rest) = select(vec![left, right]);
        found.push((index, message.is_ok(), rest.len()));
        server = next;
    }
    found
}

/// First the left end of one pair is signalled, then the right end of another; the other senders stay.
#[test]
fn a_service_that_is_sent_pairs_of_endpoints() {
    watched(|| {
        let (client, service) = serve::<stream::Protocol<Pair>, _>(service);
        let ((left, one), (_right, two)) = (oneshot::pipe(), oneshot::pipe());
        let client = client.send((one, two)).expect("the service is there");
        service.fall_asleep();
        left.signal().expect("the service has it");
        let ((_left, one), (right, two)) = (oneshot::pipe(), oneshot::pipe());
        drop(client.send((one, two)).expect("the service is there"));
        service.fall_asleep();
        right.signal().expect("the service has it");
        assert_eq!(service.join().expect("the service ends"), [(0, true, 1), (1, true, 1)]);
    });
}

/// On one thread, the task is woken once for the pair and once for the signal, and not again.
#[test]
fn on_a_single_thread() {
    let (bell, waker) = Bell::new();
    let (client, server) = stream::pipe::<Pair>();
    let mut service = Box::pin(async {
        let Ok(Open::Send((mut left, mut right), _)) = server.await else { panic!("a pair is sent") };
        select_async! {
            signal = left => (0, signal.is_ok()),
            signal = right => (1, signal.is_ok()),
        }
    });
    assert!(poll_future(&mut service, &waker).is_pending());
    let ((_left, one), (right, two)) = (oneshot::pipe(), oneshot::pipe());
    let _client = client.send((one, two)).expect("the service is there");
    assert!(poll_future(&mut service, &waker).is_pending());
    assert_eq!(bell.rings(), 1);
    right.signal().expect("the service has it");
    assert_eq!(bell.rings(), 2);
    assert_eq!(poll_future(&mut service, &waker), Poll::Ready((1, true)));
}

/// Two endpoints with messages of different types: the one that is not chosen is returned unchanged.
#[test]
fn either_of_two_types() {
    watched(|| {
        let ((numbers, number), (words, word)) = (stream::pipe::<i32>(), stream::pipe::<String>());
        let _numbers = numbers.send(22).expect("the port is there");
        let Some((Ok(Open::Send(22, _)), word)) = select2(number, word).left() else { panic!("it was sent") };
        drop(words.send("abc".to_owned()).expect("the port is there"));
        assert!(matches!(block_on(word.recv_async()), Ok(Open::Send(abc, _)) if abc == "abc"));

        let ((numbers, number), (words, word)) = (stream::pipe::<i32>(), stream::pipe::<String>());
        let _words = words.send("abc".to_owned()).expect("the port is there");
        let Some((number, Ok(Open::Send(abc, _)))) = select2(number, word).right() else {
            panic!("it was sent")
        };
        assert_eq!(abc, "abc");
        drop(numbers.send(22).expect("the port is there"));
        assert!(matches!(number.recv(), Ok(Open::Send(22, _))));
    });
}
