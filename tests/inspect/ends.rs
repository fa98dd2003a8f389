//! Each kind of end, in each method that sleeps: what it waits for, and at which line.

use super::{Mark, Order, asleep, start, till};
use futures::future::pending;
use pipes::{
    Closing, PortSet, Select, SendRequest, broadcast, broadcast_lagging, duplex_stream, listen,
    listen_with_backlog, oneshot, select, shared_stream, shared_sync_stream, stream, sync_stream, watch,
};
use pipes_tests::watched;
use std::any::Any;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// A sleeper, what must stay for it to sleep, and what is said of it.
struct Case {
    run: Box<dyn FnOnce(&Mark) + Send>,
    kept: Box<dyn Any>,
    says: Vec<&'static str>,
}

fn case<R>(
    kept: impl Any,
    says: impl Into<Vec<&'static str>>,
    run: impl FnOnce(&Mark) -> R + Send + 'static,
) -> Case {
    Case { run: Box::new(|mark| drop(run(mark))), kept: Box::new(kept), says: says.into() }
}

/// Runs the sleepers, each under a name of its own.
fn check(group: &str, cases: Vec<Case>) {
    for (index, Case { run, kept, says }) in cases.into_iter().enumerate() {
        let name = format!("{group} {index}");
        let mark = Mark::default();
        let marked = mark.clone();
        let thread = start(&name, move || run(&marked));
        let seen = asleep(&name);
        let sentences: Vec<_> = seen.waits_for.iter().map(ToString::to_string).collect();
        assert_eq!(sentences, says, "{name}");
        let at = (seen.location.file(), seen.location.line());
        assert_eq!(at, (file!(), mark.line()), "{name}");
        assert_eq!(seen.waits_for_other.is_some(), says.is_empty(), "{name}");
        drop(kept);
        thread.join().unwrap_or_else(|_| panic!("{name} does not panic"));
    }
}

const MESSAGE: &str = "a message at Port<Order>";
const FOREVER: Duration = Duration::MAX;

#[test]
fn ports() {
    watched(|| {
        let unbounded = || {
            let (chan, port) = stream::<Order>();
            (chan, port)
        };
        let (c1, mut p1) = unbounded();
        let (c2, p2) = unbounded();
        let (c3, mut p3) = unbounded();
        let (c4, mut p4) = unbounded();
        let (c5, mut p5) = sync_stream::<Order>(3);
        let (c6, mut p6) = shared_stream::<Order>();
        let (c7, mut p7) = shared_sync_stream::<Order>(3);
        let (c8, mut p8) = sync_stream::<Order>(0);
        let (c9, p9) = oneshot::<Order>();
        let (c10, p10) = unbounded();
        let (p10, other) = (p10.into_shared(), 0);
        let (c11, mut p11) = duplex_stream::<Order, Vec<Order>>();
        check(
            "port",
            vec![
                case(c1, [MESSAGE], move |mark| (mark.here(), p1.recv())),
                case(c2, [MESSAGE], move |mark| (mark.here(), p2.into_iter().count())),
                case(c3, [MESSAGE], move |mark| (mark.here(), p3.iter().map(|_| other).sum::<u32>())),
                case(c4, [MESSAGE], move |mark| (mark.here(), p4.recv_timeout(FOREVER))),
                case(c5, [MESSAGE], move |mark| (mark.here(), p5.recv_many(&mut Vec::new(), 2))),
                case(c6, [MESSAGE], move |mark| (mark.here(), p6.recv())),
                case(c7, [MESSAGE], move |mark| (mark.here(), p7.recv())),
                case(c8, [MESSAGE], move |mark| (mark.here(), p8.recv())),
                case(c9, ["a message at PortOne<Order>"], move |mark| (mark.here(), p9.recv())),
                case(c10, ["a message at SharedPort<Order>"], move |mark| (mark.here(), p10.recv())),
                case(c11, [MESSAGE], move |mark| (mark.here(), p11.recv())),
            ],
        );
    });
}

#[test]
fn loops_over_a_port() {
    watched(|| {
        let (chan, port) = stream::<Order>();
        let looped = move |mark: &Mark| {
            let mut orders = 0;
            for _order in (mark.here(), port).1 {
                orders += 1;
            }
            orders
        };
        check("loop", vec![case(chan, [MESSAGE], looped)]);
    });
}

/// The line is that of the loop, or of the call that makes the iterator.
#[test]
fn loops() {
    watched(|| {
        let (connector, listener) = listen::<till::Protocol>();
        let (connector_2, mut listener_2) = listen::<till::Protocol>();
        let (c1, p1) = stream::<Order>();
        let p1 = p1.into_shared();
        let (c2, mut p2) = duplex_stream::<Order, Order>();
        let (c3, p3) = stream::<Order>();
        let mut set = PortSet::from_iter([p3]);
        check(
            "loops",
            vec![
                case(connector, ["a message at Port<till::Server<Login>>"], move |mark| {
                    (mark.here(), listener.into_iter().for_each(drop))
                }),
                case(connector_2, ["a message at Port<till::Server<Login>>"], move |mark| {
                    (mark.here(), (&mut listener_2).into_iter().for_each(drop))
                }),
                case(c1, ["a message at SharedPort<Order>"], move |mark| {
                    (mark.here(), (&p1).into_iter().count())
                }),
                case(c2, [MESSAGE], move |mark| (mark.here(), (&mut p2).into_iter().count())),
                case(c3, [MESSAGE], move |mark| (mark.here(), set.messages().count())),
            ],
        );
    });
}

#[test]
fn senders() {
    watched(|| {
        const ROOM: &str = "room in Chan<Order>";
        const SHARED: &str = "room in SharedChan<Order>";
        let (mut c1, p1) = sync_stream::<Order>(1);
        let (mut c2, p2) = sync_stream::<Order>(1);
        let (mut c3, p3) = sync_stream::<Order>(1);
        let (mut c4, p4) = sync_stream::<Order>(0);
        c1.send(Order).and(c2.send(Order)).and(c3.send(Order)).expect("there is room");
        let full = || {
            let (chan, port) = shared_sync_stream::<Order>(1);
            chan.send(Order).expect("there is room");
            (chan, port)
        };
        let (c5, p5) = full();
        let (c6, p6) = full();
        let (c7, p7) = full();
        let (c8, p8) = full();
        let (c9, p9) = shared_sync_stream::<Order>(0);
        let (c10, p10) = broadcast::<Order>(1);
        c10.send(Order).expect("there is room");
        check(
            "sender",
            vec![
                case(p1, [ROOM], move |mark| (mark.here(), c1.send(Order))),
                case(p2, [ROOM], move |mark| (mark.here(), c2.send_all(&mut vec![Order]))),
                case(p3, [ROOM], move |mark| (mark.here(), c3.reserve().map(drop))),
                case(p4, [ROOM], move |mark| (mark.here(), c4.send(Order))),
                case(p5, [SHARED], move |mark| (mark.here(), c5.send(Order))),
                case(p6, [SHARED], move |mark| (mark.here(), c6.send_timeout(Order, FOREVER))),
                case(p7, [SHARED], move |mark| (mark.here(), c7.reserve().map(drop))),
                case(p8, [SHARED], move |mark| (mark.here(), c8.send_all(&mut vec![Order]))),
                case(p9, [SHARED], move |mark| (mark.here(), c9.send(Order))),
                case(p10, ["room in BroadcastChan<Order>"], move |mark| (mark.here(), c10.send(Order))),
            ],
        );
    });
}

#[test]
fn senders_that_wait_for_the_other_side_to_leave() {
    watched(|| {
        const CHAN: &str = "the other side of Chan<Order> to leave";
        let (mut c1, p1) = stream::<Order>();
        let (mut c2, p2) = sync_stream::<Order>(1);
        let (mut c3, p3) = shared_stream::<Order>();
        let (mut c4, p4) = oneshot::<Order>();
        let (mut client, server) = till::pipe();
        check(
            "closing",
            vec![
                case(p1, [CHAN], move |mark| (mark.here(), c1.wait_closed())),
                case(p2, [CHAN], move |mark| (mark.here(), c2.wait_closed_timeout(FOREVER))),
                case(p3, ["the other side of SharedChan<Order> to leave"], move |mark| {
                    (mark.here(), c3.wait_closed())
                }),
                case(p4, ["the other side of ChanOne<Order> to leave"], move |mark| {
                    (mark.here(), c4.wait_closed())
                }),
                case(server, ["the other side of till::Client<Login> to leave"], move |mark| {
                    (mark.here(), client.wait_closed())
                }),
            ],
        );
    });
}

#[test]
fn broadcasts_and_watches() {
    watched(|| {
        let (c1, mut p1) = broadcast::<Order>(1);
        let (c2, mut p2) = broadcast::<Order>(1);
        let (c3, mut p3) = broadcast_lagging::<Order>(1);
        let (c4, mut p4) = watch(Order);
        check(
            "broadcast",
            vec![
                case(c1, ["a message at BroadcastPort<Order>"], move |mark| (mark.here(), p1.recv())),
                case(c2, ["a message at BroadcastPort<Order>"], move |mark| (mark.here(), p2.iter().count())),
                case(c3, ["a message at LaggingPort<Order>"], move |mark| (mark.here(), p3.recv())),
                case(c4, ["a message at WatchPort<Order>"], move |mark| (mark.here(), p4.changed())),
            ],
        );
    });
}

#[test]
fn sessions() {
    watched(|| {
        const ANSWER: &str = "a message at till::Client<Answer>: the server sends `ok` or `refused`";
        const LOGIN: &str = "a message at till::Server<Login>: the client sends `login`";
        let asked = || {
            let (client, server) = till::pipe();
            (client.login("Ada".to_owned()).expect("the server is there"), server)
        };
        let (client, s1) = asked();
        let (any, s2) = asked();
        let any = till::AnyClient::from(any);
        let (c3, server) = till::pipe();
        check(
            "session",
            vec![
                case(s1, [ANSWER], move |mark| (mark.here(), client.recv().map(drop))),
                case(s2, [ANSWER], move |mark| (mark.here(), any.recv().map(drop))),
                case(c3, [LOGIN], move |mark| (mark.here(), server.recv_timeout(FOREVER).map(drop))),
            ],
        );
    });
}

#[test]
fn services() {
    watched(|| {
        let (connector, mut listener) = listen::<till::Protocol>();
        let (crowded, entrance) = listen_with_backlog::<till::Protocol>(1);
        let _first = crowded.connect().expect("there is room");
        check(
            "service",
            vec![
                case(connector, ["a message at Listener<till::Server<Login>>"], move |mark| {
                    (mark.here(), listener.accept().map(drop))
                }),
                case(entrance, ["room in SharedChan<till::Server<Login>>"], move |mark| {
                    (mark.here(), crowded.connect().map(drop))
                }),
            ],
        );
    });
}

#[test]
fn selections() {
    watched(|| {
        let (c1, mut p1) = stream::<Order>();
        let (client, mut server) = till::pipe();
        let (mut c2, p2) = sync_stream::<u8>(1);
        c2.send(1).expect("there is room");
        let selecting = move |mark: &Mark| {
            let chosen = (mark.here(), select! { _ = p1 => 1, _ = server => 2, _ = c2.send(2) => 3 });
            chosen.1
        };
        let says =
            [MESSAGE, "a message at till::Server<Login>: the client sends `login`", "room in Chan<u8>"];
        let (a, b) = (stream::<Order>(), stream::<Order>());
        let kept = (a.0, b.0);
        let (mut at_run_time, mut request) = (stream::<Order>(), sync_stream::<u8>(1));
        check(
            "selection",
            vec![
                case((c1, client, p2), says, selecting),
                case(at_run_time.0, [MESSAGE], move |mark| {
                    let mut select = Select::new();
                    select.add(&mut at_run_time.1);
                    (mark.here(), select.wait())
                }),
                case(request.1, ["room in Chan<u8>"], move |mark| {
                    request.0.send(1).expect("there is room");
                    (mark.here(), request.0.request_room().send(2))
                }),
                case(kept, [MESSAGE, MESSAGE], move |mark| {
                    let mut ports = (a.1, b.1);
                    (mark.here(), pipes::select2(&mut ports.0, &mut ports.1).is_left())
                }),
            ],
        );
    });
}

#[test]
fn sets() {
    watched(|| {
        let ((c1, p1), (c2, p2)) = (stream::<Order>(), sync_stream::<Order>(1));
        let mut set = PortSet::new();
        set.insert(p1);
        set.insert(p2);
        let (client, server) = till::pipe();
        let mut sessions = PortSet::from_iter([server]);
        check(
            "set",
            vec![
                case((c1, c2), [MESSAGE, MESSAGE], move |mark| (mark.here(), set.recv().map(drop))),
                case(client, ["a message at till::Server<Login>: the client sends `login`"], move |mark| {
                    (mark.here(), sessions.recv().map(drop))
                }),
            ],
        );
    });
}

/// Nothing is known of what a future or a function waits for. The line is.
#[test]
fn futures_are_unknown() {
    watched(|| {
        let (chan, port) = oneshot::<Order>();
        let (stop, mut stopped) = oneshot::<()>();
        check(
            "future",
            vec![
                case(chan, [], move |mark| (mark.here(), pipes::block_on(async { port.await.map(drop) }))),
                case(stop, [], move |mark| {
                    let mut stopped = pin!(stopped.ready());
                    let mut never = pin!(pending::<()>());
                    let poll = |cx: &mut std::task::Context<'_>| match never.as_mut().poll(cx) {
                        Poll::Pending => stopped.as_mut().poll(cx),
                        ready => ready,
                    };
                    (mark.here(), pipes::block_until(|| None, poll))
                }),
            ],
        );
    });
}
