//! Twelve receivers of twelve types, of every kind.

use crate::acceptance::Sleeper;
use pipes::{PortOne, PortSet, oneshot, select, stream, sync_stream};
use pipes_tests::bank::{self, Account};
use pipes_tests::courier::{self, Offer};
use pipes_tests::greeting::{self, Hello};
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::{test_in, watched};

/// Sends to the receiver of this number, and returns the ends that must stay open.
type Send = Box<dyn FnOnce(usize) -> Box<dyn std::any::Any + std::marker::Send> + std::marker::Send>;

fn sending<T: std::marker::Send + 'static>(
    send: impl FnOnce(usize) -> T + std::marker::Send + 'static,
) -> Send {
    Box::new(move |number| Box::new(send(number)))
}

/// Waits for one of twelve; returns which it was and what it gave.
fn one_of_twelve(setup: impl FnOnce(Vec<Send>)) -> (usize, usize) {
    let (mut c0, mut p0) = stream::<usize>();
    let (mut c1, mut p1) = sync_stream::<u16>(1);
    let (c2, mut p2) = pipes::listen::<courier::Protocol<usize>>();
    let (c3, mut p3) = oneshot::<u8>();
    let (c4, mut p4) = pingpong::pipe::<usize>();
    let (c5, mut p5) = pingpong::pipe::<String>();
    let (c6, mut p6) = bank::pipe::<[usize; 2]>();
    let (mut p7, c7) = greeting::pipe::<usize>();
    let (c8, mut p8) = courier::pipe::<PortOne<usize>>();
    let mut p9 = PortSet::new();
    let mut c9 = p9.chan();
    let (c10, mut p10) = pipes::shared_stream::<(usize, ())>();
    let (mut c11, mut p11) = pipes::duplex_stream::<usize, ()>();
    setup(vec![
        sending(move |number| (c0.send(number).expect("it is here"), c0).1),
        sending(move |number| (c1.send(number as u16).expect("it is here"), c1).1),
        sending(move |number| c2.connect().expect("it is here").last(number).expect("it is here")),
        sending(move |number| c3.send(number as u8).expect("it is here")),
        sending(move |number| c4.ping(number).expect("it is here")),
        sending(move |number| c5.ping(number.to_string()).expect("it is here")),
        sending(move |number| c6.deposit([number; 2]).expect("it is here")),
        sending(move |number| c7.hello(number).expect("it is here")),
        sending(move |number| {
            let (chan, port) = oneshot();
            chan.send(number).expect("it is here");
            c8.last(port).expect("it is here");
        }),
        sending(move |number| (c9.send(number).expect("it is here"), c9).1),
        sending(move |number| (c10.send((number, ())).expect("it is here"), c10).1),
        sending(move |number| (c11.send(number).expect("it is here"), c11).1),
    ]);
    select! {
        got = p0 => (0, got.expect("it was sent")),
        got = p1 => (1, usize::from(got.expect("it was sent"))),
        got = p2 => match got.map(|server| server.recv()) {
            Ok(Ok(Offer::Last(number))) => (2, number),
            _ => panic!("it was sent"),
        },
        got = p3 => (3, usize::from(got.expect("it was sent"))),
        got = p4 => match got {
            Ok(Ping::Ping(number, _)) => (4, number),
            Err(_) => panic!("it was sent"),
        },
        got = p5 => match got {
            Ok(Ping::Ping(number, _)) => (5, number.parse().expect("it is a number")),
            Err(_) => panic!("it was sent"),
        },
        got = p6 => match got {
            Ok(Account::Deposit([number, _], _)) => (6, number),
            _ => panic!("it was sent"),
        },
        got = p7 => match got {
            Ok(Hello::Hello(number, _)) => (7, number),
            Err(_) => panic!("it was sent"),
        },
        got = p8 => match got {
            Ok(Offer::Last(port)) => (8, port.recv().expect("it was sent")),
            _ => panic!("it was sent"),
        },
        got = p9 => match got {
            Ok((0, Ok(number))) => (9, number),
            _ => panic!("it was sent"),
        },
        got = p10 => (10, got.expect("it was sent").0),
        got = p11 => (11, got.expect("it was sent")),
    }
}

/// Each of them is ready before the wait, or becomes ready while a thread sleeps in it.
#[test_in(watched)]
fn each_of_twelve() {
    for (ready, before) in (0..24).map(|case| (case / 2, case % 2 == 0)) {
        let (handing, handed) = oneshot();
        let (told, tell) = oneshot();
        let waiting = Sleeper::spawn(|| {
            one_of_twelve(|sends| {
                assert!(handing.send(sends).is_ok(), "they are asked for");
                let _: Result<(), _> = tell.recv();
            })
        });
        let mut sends = handed.recv().unwrap_or_else(|_| panic!("they are given"));
        let send = sends.swap_remove(ready);
        let kept = if before {
            let kept = send(ready + 100);
            told.send(()).expect("it waits");
            kept
        } else {
            told.send(()).expect("it waits");
            waiting.fall_asleep();
            send(ready + 100)
        };
        assert_eq!(waiting.join().expect("it does not panic"), (ready, ready + 100));
        drop((kept, sends));
    }
}
