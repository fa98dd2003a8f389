//! Endpoints as payloads: of the protocol whose messages carry them, and even of the state that sends them.

use pipes::{Bound, TryRecvError};
use pipes_tests::{Tally, watched};
use std::thread;

pipes::proto! {
    /// A calculator that may be handed other clients.
    calculator {
        ready: send {
            add(i64) -> ready,
            total -> result,
            hand_over(calculator::server::Ready) -> ready,
            take_result(calculator::client::Result) -> ready,
        }
        result: recv {
            result(i64) -> ready,
        }
    }

    /// A box in a box.
    nest<T> {
        open: send {
            put(T) -> open,
            inside(nest::server::Open<T>) -> !,
            both(Option<nest::client::Open<T>>, Box<nest::server::Open<T>>) -> open,
        }
    }
}

/// Serves a client, and all those that it hands over, one after the other; returns the results that the
/// calculator was asked to fetch.
fn calculate(server: calculator::server::Ready) -> Vec<i64> {
    let (mut callers, mut fetched) = (vec![server], Vec::new());
    while let Some(mut server) = callers.pop() {
        let mut sum = 0;
        loop {
            server = match server.recv() {
                Ok(calculator::Ready::Add(number, next)) => {
                    sum += number;
                    next
                }
                Ok(calculator::Ready::Total(answering)) => answering.result(sum).expect("the caller waits"),
                Ok(calculator::Ready::HandOver(caller, next)) => {
                    callers.push(caller);
                    next
                }
                Ok(calculator::Ready::TakeResult(client, next)) => {
                    let Ok(calculator::Result::Result(result, _)) = client.recv() else {
                        panic!("it was asked for")
                    };
                    fetched.push(result);
                    next
                }
                Err(_) => break,
            };
        }
    }
    fetched
}

/// A session that runs changes hands in the middle, with unread messages.
#[test]
fn a_session_that_changes_hands() {
    watched(|| {
        let (first, server) = calculator::pipe();
        let (second, handed_over) = calculator::pipe();
        let second = second.add(3).expect("the server's end is here").add(4).expect("and here");
        let first = first.hand_over(handed_over).expect("the server is there");
        let serving = thread::spawn(|| calculate(server));
        drop(first);
        let Ok(calculator::Result::Result(7, second)) = second.total().expect("it was handed over").recv()
        else {
            panic!("the server adds")
        };
        drop(second);
        assert_eq!(serving.join().expect("the server does not panic"), []);
    });
}

/// A client's end travels as well, and the answer that it waits for reaches its new owner.
#[test]
fn an_answer_that_another_one_fetches() {
    watched(|| {
        let ((one, first), (two, second)) = (calculator::pipe(), calculator::pipe());
        let calculating = thread::spawn(|| calculate(first));
        let fetching = thread::spawn(|| calculate(second));
        let asked =
            one.add(40).expect("the server is there").add(2).expect("and there").total().expect("and there");
        drop(two.take_result(asked).expect("the other server is there"));
        assert_eq!(fetching.join().expect("the server does not panic"), [42]);
        assert_eq!(calculating.join().expect("the server does not panic"), []);
    });
}

/// Deeply nested boxes close with the outermost.
#[test]
fn boxes_in_boxes() {
    let tally = Tally::new();
    let (inner, mut server) = nest::pipe();
    for _ in 0..100 {
        let (outer, around) = nest::pipe();
        outer.put(tally.make(1)).expect("the box is here").inside(server).expect("the box is here");
        server = around;
    }
    let inner = inner.put(tally.make(1)).expect("it lies in a hundred boxes");
    for _ in 0..50 {
        let Ok(nest::Open::Put(_, next)) = server.recv() else { panic!("it was put there") };
        let Ok(nest::Open::Inside(inside)) = next.recv() else { panic!("it was put there") };
        server = inside;
    }
    assert_eq!((tally.made(), tally.gone()), (101, 50));
    drop(server);
    tally.assert_all_gone();
    assert!(inner.put(tally.make(1)).is_err());
}

/// Both ends of a pipe in a message of another pipe: they still work.
#[test]
fn both_ends_of_a_pipe() {
    let (client, server) = nest::pipe();
    let (inner, inside) = nest::pipe();
    let _client = client.both(Some(inner), Box::new(inside)).expect("the server is here");
    let Ok(nest::Open::Both(Some(inner), inside, _server)) = server.recv() else { panic!("it was sent") };
    let _inner = inner.put(5).expect("the other end is here");
    assert!(matches!(inside.recv(), Ok(nest::Open::Put(5, _))));
}

/// A pipe whose client's end lies in one of its own messages: nothing can be sent any more, and the pipe is
/// freed when its server leaves.
#[test]
fn an_end_in_its_own_pipe() {
    let tally = Tally::new();
    let (client, server) = nest::pipe();
    let (inner, inside) = nest::pipe();
    let client = client.put(tally.make(1)).expect("the server is here");
    let inner = inner.both(Some(client), Box::new(server)).expect("the server is here");
    assert_eq!(tally.gone(), 0);
    drop(inside);
    tally.assert_all_gone();
    assert!(inner.put(tally.make(2)).is_err());

    let (client, server) = nest::pipe::<u8>();
    let (other, closed) = nest::pipe::<u8>();
    drop(closed);
    let refused = other.both(Some(client), Box::new(server)).expect_err("nobody receives it");
    let (client, server) = refused.into_payload();
    assert!(matches!(server.try_recv(), Err(TryRecvError::Empty(_))));
    drop(client);
}

#[test]
fn bounds() {
    assert_eq!(calculator::BOUND, Bound::Unbounded { cycle: &["ready"] });
    assert_eq!(nest::BOUND, Bound::Unbounded { cycle: &["open"] });
}
