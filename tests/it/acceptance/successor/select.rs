//! Which of several receivers is ready.
//!
//! The tests of `std::select`, 2013: `select_doesnt_get_trolled` (nothing to choose from), `select_one`,
//! `select_two`, `select_a_lot`, `select_stream`, `select_simple`, `select_blocking`, `select_racing_senders`
//! and `select_killed`. Its `select_unkillable` has no counterpart, because threads cannot be killed from
//! outside. An empty list gives an error where the original failed; among several ready receivers, chance
//! decides.

use crate::acceptance::{Sleeper, die, died};
use pipes::{ChanOne, Port, PortOne, RecvError, oneshot, select, stream};
use pipes_tests::watched;
use std::sync::{Arc, Barrier};

#[test]
fn nothing_to_choose_from() {
    watched(|| {
        let (index, message, rest) = select(Vec::<PortOne<u64>>::new());
        assert_eq!((index, message, rest.len()), (0, Err(RecvError), 0));
        let (index, message, rest) = select(Vec::<&mut Port<u64>>::new());
        assert_eq!((index, message, rest.len()), (0, Err(RecvError), 0));
    });
}

/// Selects among `ports` ports, of which those in `ready` have a message or are closed.
fn chosen(ports: usize, ready: &[usize], close: bool) {
    let (chans, ports): (Vec<ChanOne<usize>>, Vec<PortOne<usize>>) = (0..ports).map(|_| oneshot()).unzip();
    let mut silent = Vec::new();
    for (index, chan) in chans.into_iter().enumerate() {
        match (ready.contains(&index), close) {
            (false, _) => silent.push((index, chan)),
            (true, false) => chan.send(index).expect("the port is here"),
            (true, true) => drop(chan),
        }
    }
    let count = ports.len();
    let (index, message, rest) = select(ports);
    assert!(ready.contains(&index), "{index} is none of {ready:?}");
    assert_eq!(message, if close { Err(RecvError) } else { Ok(index) });
    assert_eq!(rest.len(), count - 1);

    // The others are unchanged, and in their order.
    let mut indices = (0..count).filter(|it| *it != index);
    for (index, chan) in silent {
        chan.send(index).expect("its port came back");
    }
    for port in rest {
        let index = indices.next().expect("there are so many");
        let expected = if close && ready.contains(&index) { Err(RecvError) } else { Ok(index) };
        assert_eq!(port.recv(), expected);
    }
}

#[test]
fn one_and_two_in_all_patterns() {
    watched(|| {
        for close in [false, true] {
            chosen(1, &[0], close);
            chosen(2, &[0], close);
            chosen(2, &[1], close);
            chosen(2, &[0, 1], close);
        }
    });
}

#[test]
fn many_in_all_patterns() {
    watched(|| {
        for close in [false, true] {
            for pattern in 1..1_usize << 7 {
                let ready: Vec<_> = (0..7).filter(|bit| pattern >> bit & 1 == 1).collect();
                chosen(7, &ready, close);
            }
            chosen(12, &[7, 8, 9], close);
            chosen(12, &(0..12).collect::<Vec<_>>(), close);
        }
    });
}

/// Ports of streams, which can be selected over again and again.
#[test]
fn streams_repeatedly() {
    watched(|| {
        for ready in 0..4 {
            let (mut chans, mut ports): (Vec<_>, Vec<Port<usize>>) = (0..4).map(|_| stream()).unzip();
            for number in 0..20 {
                chans[ready].send(number).expect("the port is here");
            }
            for number in 0..20 {
                let (index, message, rest) = select(ports.iter_mut().collect());
                assert_eq!((index, message, rest.len()), (ready, Ok(number), 3));
            }
        }
    });
}

#[test]
fn blocking() {
    watched(|| {
        for ready in 0..3 {
            let (chans, ports): (Vec<_>, Vec<_>) = (0..3).map(|_| oneshot()).unzip();
            let waiting = Sleeper::spawn(move || {
                let (index, message, rest) = select(ports);
                (index, message, rest.len())
            });
            waiting.fall_asleep();
            let mut chans: Vec<ChanOne<&str>> = chans;
            chans.remove(ready).send("woken").expect("it waits");
            assert_eq!(waiting.join().expect("it does not panic"), (ready, Ok("woken"), 2));
        }
    });
}

/// All send at once, and one is chosen; the messages of the others stay in their pipes.
#[test]
fn racing_senders() {
    watched(|| {
        for _ in 0..50 {
            let (chans, ports): (Vec<_>, Vec<_>) = (0..4).map(|_| oneshot()).unzip();
            let start = Arc::new(Barrier::new(5));
            let senders: Vec<_> = (chans.into_iter().enumerate())
                .map(|(index, chan)| {
                    let start = start.clone();
                    Sleeper::spawn(move || {
                        start.wait();
                        chan.send(index).expect("somebody has the port");
                    })
                })
                .collect();
            start.wait();
            let (index, message, rest) = select(ports);
            assert_eq!(message, Ok(index));
            let mut others: Vec<_> = rest.into_iter().map(|port| port.recv().expect("it is sent")).collect();
            others.push(index);
            others.sort_unstable();
            assert_eq!(others, [0, 1, 2, 3]);
            senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
        }
    });
}

/// A thread that panics because one of its receivers closed closes the others.
#[test]
fn killed_while_selecting() {
    watched(|| {
        let ((one, first), (link, linked)) = (oneshot::<()>(), oneshot::<()>());
        let waiting = Sleeper::spawn(move || match select(vec![first, linked]) {
            (1, Err(RecvError), _rest) => die(),
            (index, message, _) => (index, message),
        });
        waiting.fall_asleep();
        drop(link);
        assert!(died(waiting.join()));
        assert!(one.send(()).is_err());
    });
}
