//! Endpoints as payloads: of the protocol whose messages carry them, and even of the state that sends them.

use pipes::TryRecvError;
use pipes_tests::{DropCounter, test_in, watched};
use std::thread;

pipes::proto! {
    /// A calculator that may be handed other clients.
    calculator {
        ready: send {
            add(i64) -> ready,
            total -> result,
            hand_over(calculator::server::Ready) -> ready,
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

/// Serves a client, and all those that it hands over, one after the other.
fn calculate(server: calculator::server::Ready) {
    let mut callers = vec![server];
    while let Some(mut server) = callers.pop() {
        let mut sum = 0;
        while let Ok(asked) = server.recv() {
            server = match asked {
                calculator::Ready::Add(number, next) => {
                    sum += number;
                    next
                }
                calculator::Ready::Total(answering) => answering.result(sum).expect("the caller waits"),
                calculator::Ready::HandOver(caller, next) => {
                    callers.push(caller);
                    next
                }
            };
        }
    }
}

/// A session that runs changes hands in the middle, with unread messages.
#[test_in(watched)]
fn a_session_that_changes_hands() {
    let ((first, server), (second, handed_over)) = (calculator::pipe(), calculator::pipe());
    let second = second.add(3).expect("the server's end is here").add(4).expect("and here");
    let first = first.hand_over(handed_over).expect("the server is there");
    let serving = thread::spawn(|| calculate(server));
    drop(first);
    let Ok(calculator::Result::Result(7, second)) = second.total().expect("it was handed over").recv() else {
        panic!("the server adds")
    };
    drop(second);
    serving.join().expect("the server does not panic");
}

/// Deeply nested boxes close with the outermost.
#[test]
fn boxes_in_boxes() {
    let drops = DropCounter::new();
    let (inner, mut server) = nest::pipe();
    for _ in 0..100 {
        let (outer, around) = nest::pipe();
        outer.put(drops.make(1)).expect("the box is here").inside(server).expect("the box is here");
        server = around;
    }
    let inner = inner.put(drops.make(1)).expect("it lies in a hundred boxes");
    for _ in 0..50 {
        let Ok(nest::Open::Put(_, next)) = server.recv() else { panic!("it was put there") };
        let Ok(nest::Open::Inside(inside)) = next.recv() else { panic!("it was put there") };
        server = inside;
    }
    assert_eq!((drops.made(), drops.dropped()), (101, 50));
    drop(server);
    drops.assert_all_dropped();
    assert!(inner.put(drops.make(1)).is_err());
}

/// A pipe whose client's end lies in one of its own messages: nothing can be sent any more, and the pipe is
/// freed when its server leaves.
#[test]
fn an_end_in_its_own_pipe() {
    let drops = DropCounter::new();
    let (client, server) = nest::pipe();
    let (inner, inside) = nest::pipe();
    let client = client.put(drops.make(1)).expect("the server is here");
    let inner = inner.both(Some(client), Box::new(server)).expect("the server is here");
    assert_eq!(drops.dropped(), 0);
    drop(inside);
    drops.assert_all_dropped();
    assert!(inner.put(drops.make(2)).is_err());

    let (client, server) = nest::pipe::<u8>();
    let (other, closed) = nest::pipe::<u8>();
    drop(closed);
    let refused = other.both(Some(client), Box::new(server)).expect_err("nobody receives it");
    let (client, server) = refused.into_payload();
    assert!(matches!(server.try_recv(), Err(TryRecvError::Empty(_))));
    drop(client);
}
