//! How many times a payload lies on the stack on its way through a send or a receive.
//!
//! Without optimisation each function that a payload passes through by value has room for it. The counts here
//! are hardly larger than what the ways take; `std::sync::mpsc` takes 16 to send, 18 if it is bounded, and 9
//! to receive. Each way runs in a thread whose stack has room for its count; if it does not suffice, the
//! process says which thread has overflowed its stack, and aborts. So each table has a process of its own.

#![allow(unused_mut, reason = "some ends send by `&self`, others by `&mut self`")]

use futures::executor::block_on;
use futures::future::pending;
use futures::{SinkExt, StreamExt};
use pipes::{Chan, DuplexStream, Eventual, Port, PortSet, SharedChan};
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::spin_while;
use pipes_tests::stack::{AMPLE, Large, large, with_ample_stack, with_small_stacks};
use pipes_tests::table::flavors::shared as divided;
use std::hint::black_box;
use std::mem::forget;
use std::thread::Builder;
use std::time::Duration;

/// A limit that is not reached.
const LONG: Duration = Duration::from_secs(600);

/// What runs with a small stack.
type Run = Box<dyn FnOnce() + Send>;

/// A name, the number of payloads that the stack has room for, and what to run, made with a large stack.
type Way = (&'static str, usize, fn() -> Run);

fn check(ways: Vec<Way>) {
    with_small_stacks(ways, |name, make, stack| {
        let small = Builder::new().name(name.to_owned()).stack_size(stack);
        let run = small.spawn(with_ample_stack(make)).expect("there is a thread");
        run.join().expect("nothing panics");
    });
}

/// Looks at a result without moving it.
macro_rules! good {
    ($result:expr) => {
        match $result {
            Ok(ref value) => drop(black_box(std::ptr::from_ref(value))),
            Err(_) => panic!("it neither fails nor ends"),
        }
    };
}

/// A way: `setup => what runs`.
macro_rules! way {
    ($name:expr, $payloads:expr, $($setup:stmt),* => $run:expr) => {{
        let make: fn() -> Run = || {
            $($setup)*
            Box::new(move || {
                $run;
            })
        };
        ($name, $payloads, make)
    }};
}

/// The ways to send into a stream.
macro_rules! sends {
    (@$name:literal, $way:literal, $payloads:literal, $ends:expr, $chan:ident, $it:ident => $run:expr) => {
        way!(concat!($name, ": ", $way), $payloads, let mut $chan = chan_of($ends), let $it = large() => $run)
    };
    ($name:literal, $ends:expr) => {
        [
            sends!(@$name, "send", 18, $ends, chan, it => good!(chan.send(*it))),
            sends!(@$name, "try_send", 18, $ends, chan, it => good!(chan.try_send(*it))),
            sends!(@$name, "send_timeout", 18, $ends, chan, it => good!(chan.send_timeout(*it, LONG))),
            sends!(@$name, "send_async", 24, $ends, chan, it => good!(block_on(chan.send_async(*it)))),
            sends!(@$name, "send_all", 16, $ends, chan, it => good!(chan.send_all(&mut vec![*it]))),
            sends!(@$name, "select!", 18, $ends, chan, it => {
                let (_silent, mut other) = pipes::stream::<u8>();
                pipes::select! { sent = chan.send(*it) => good!(sent), _ = other => panic!() }
            }),
            way!(concat!($name, ": send to none"), 18, let (mut chan, _) = $ends, let it = large() => {
                assert!(chan.send(*it).is_err())
            }),
        ]
    };
}

/// The ways to receive from a port of any kind, alone or shared.
macro_rules! receives {
    (@$name:literal, $way:literal, $payloads:literal, $ends:expr, $port:ident => $run:expr) => {
        way!(concat!($name, ": ", $way), $payloads, let (_chan, mut $port) = $ends => $run)
    };
    ($name:literal, $ends:expr) => {
        [
            receives!(@$name, "recv", 9, $ends, port => good!(port.recv())),
            receives!(@$name, "try_recv", 9, $ends, port => good!(port.try_recv())),
            receives!(@$name, "recv_timeout", 12, $ends, port => good!(port.recv_timeout(LONG))),
            receives!(@$name, "recv_async", 18, $ends, port => good!(block_on(port.recv_async()))),
            receives!(@$name, "next", 17, $ends, port => assert!(block_on(port.next()).is_some())),
            receives!(@$name, "drop", 7, $ends, port => drop(port)),
            way!(concat!($name, ": recv after a wait"), 15, let (mut chan, mut port) = $ends => {
                good!(port.recv());
                let late = Builder::new().stack_size(AMPLE).spawn(move || drop(chan.send(*large())));
                good!(port.recv());
                late.expect("there is a thread").join().expect("it does not panic")
            }),
        ]
    };
}

/// The ways that first wait for one of several, which a shared port does not have.
macro_rules! waits {
    ($name:literal, $ends:expr) => {
        [
            receives!(@$name, "recv_or", 26, $ends, port => good!(block_on(port.recv_or(pending::<()>())))),
            receives!(@$name, "select!", 9, $ends, port => {
                let (_silent, mut other) = pipes::stream::<u8>();
                pipes::select! { received = port => good!(received), _ = other => panic!() }
            }),
            way!(
                concat!($name, ": a set"), 22, let (_chan, port) = $ends,
                let mut set = PortSet::from_iter([port]) => good!(set.recv())
            ),
        ]
    };
}

/// A chan whose port is never dropped.
fn chan_of<C, P>((chan, port): (C, P)) -> C {
    forget(port);
    chan
}

/// The ends of a stream in which a payload lies.
fn single((mut chan, port): (Chan<Large>, Port<Large>)) -> (Chan<Large>, Port<Large>) {
    good!(chan.send(*large()));
    (chan, port)
}

fn shared((chan, port): (SharedChan<Large>, Port<Large>)) -> (SharedChan<Large>, Port<Large>) {
    good!(chan.send(*large()));
    (chan, port)
}

fn duplex() -> (DuplexStream<Large, Large>, DuplexStream<Large, Large>) {
    let (mut near, far) = pipes::duplex_stream();
    good!(near.send(*large()));
    (near, far)
}

fn once() -> pipes::PortOne<Large> {
    let (chan, port) = pipes::oneshot();
    good!(chan.send(*large()));
    port
}

/// The server of a session whose client has sent.
fn session() -> pingpong::Server<Ping<Large>> {
    let (client, server) = pingpong::pipe();
    forget(client.ping(*large()));
    server
}

/// A port at capacity 0 whose sender waits.
fn offered() -> Port<Large> {
    let (mut chan, port) = pipes::sync_stream(0);
    let sender = Builder::new().stack_size(AMPLE).spawn(move || drop(chan.send(*large())));
    drop(sender.expect("there is a thread"));
    spin_while(|| !port.is_ready());
    port
}

#[test]
fn senders() {
    let mut ways = Vec::from(sends!("one sender", pipes::stream()));
    ways.extend(sends!("one sender, bounded", pipes::sync_stream(1)));
    ways.extend(sends!("many senders", pipes::shared_stream()));
    ways.extend(sends!("many senders, bounded", pipes::shared_sync_stream(1)));
    check(ways);
}

#[test]
fn at_capacity_0() {
    check(vec![
        way!("send", 24, let (mut chan, mut port) = pipes::sync_stream(0), let it = large() => {
            let other = Builder::new().stack_size(AMPLE).spawn(move || good!(port.recv()));
            good!(chan.send(*it));
            other.expect("there is a thread").join().expect("it does not panic")
        }),
        way!("recv", 9, let mut port = offered() => good!(port.recv())),
        way!("recv_timeout", 12, let mut port = offered() => good!(port.recv_timeout(LONG))),
    ]);
}

#[test]
fn other_senders() {
    check(vec![
        way!("a permit", 15, let chan = chan_of(pipes::shared_sync_stream(1)), let it = large() => {
            good!(chan.reserve().expect("there is room").send(*it))
        }),
        way!("a duplex stream", 18, let mut near = chan_of(duplex()), let it = large() => {
            good!(near.send(*it))
        }),
        way!("a batch sink", 15, let chan = chan_of(pipes::stream()), let it = large() => {
            let mut sink = chan.into_batch_sink(2);
            good!(block_on(sink.send(*it)))
        }),
        way!("a oneshot", 12, let chan = chan_of(pipes::oneshot()), let it = large() => {
            good!(chan.send(*it))
        }),
        way!("a session", 15, let client = chan_of(pingpong::pipe()), let it = large() => {
            forget(client.ping(*it))
        }),
    ]);
}

#[test]
fn receivers() {
    let mut ways = Vec::from(receives!("one sender", single(pipes::stream())));
    ways.extend(receives!("one sender, bounded", single(pipes::sync_stream(1))));
    ways.extend(receives!("many senders", shared(pipes::shared_stream())));
    ways.extend(receives!("many senders, bounded", shared(pipes::shared_sync_stream(1))));
    ways.extend(receives!("a duplex stream", duplex()));
    check(ways);
}

#[test]
fn receivers_that_wait_for_one_of_several() {
    let mut ways = Vec::from(waits!("one sender", single(pipes::stream())));
    ways.extend(waits!("one sender, bounded", single(pipes::sync_stream(1))));
    ways.extend(waits!("many senders", shared(pipes::shared_stream())));
    ways.extend(waits!("many senders, bounded", shared(pipes::shared_sync_stream(1))));
    ways.extend(waits!("a duplex stream", duplex()));
    check(ways);
}

#[test]
fn receivers_of_a_shared_port() {
    let mut ways = Vec::from(receives!("shared, one sender", divided(single(pipes::stream()))));
    ways.extend(receives!("shared, one sender, bounded", divided(single(pipes::sync_stream(1)))));
    ways.extend(receives!("shared, many senders", divided(shared(pipes::shared_stream()))));
    ways.extend(receives!("shared, many senders, bounded", divided(shared(pipes::shared_sync_stream(1)))));
    check(ways);
}

#[test]
fn other_receivers() {
    check(vec![
        way!("the room of a ring", 5, let capacity = 9 => drop(pipes::sync_stream::<Large>(capacity))),
        way!("sharing a port", 4, let (_chan, port) = single(pipes::stream()) => drop(port.into_shared())),
        way!("a run", 6, let (_chan, mut port) = single(pipes::sync_stream(1)) => {
            good!(port.recv_many(&mut Vec::new(), 9))
        }),
        way!("a oneshot: recv", 8, let port = once() => good!(port.recv())),
        way!("a oneshot: recv_timeout", 8, let port = once() => good!(port.recv_timeout(LONG))),
        way!("a oneshot: await", 13, let port = once() => good!(block_on(port.recv_async()))),
        way!("a oneshot: a set", 20, let mut set = PortSet::from_iter([once()]) => good!(set.recv())),
        way!("a oneshot: select", 10, let ports = vec![once()] => good!(pipes::select(ports).1)),
        way!("an eventual", 15, let mut value = Box::new(Eventual::from_port(once())) => good!(value.get())),
        way!("a session: recv", 8, let server = session() => good!(server.recv())),
        way!("a session: recv_timeout", 8, let server = session() => good!(server.recv_timeout(LONG))),
        way!("a session: await", 14, let server = session() => good!(block_on(server.recv_async()))),
        way!("a session: a set", 20, let mut set = PortSet::from_iter([session()]) => good!(set.recv())),
    ]);
}
