//! The successor of the 2012 pipes: `std::rt::comm` and `std::select`, May to August 2013.

use pipes::{ChanOne, PortOne, RecvError, oneshot, select, shared_stream};
use pipes_tests::{lend, watched};

/// Many senders and many receivers of one stream.
#[test]
fn megapipe_stress() {
    const MESSAGES: u64 = 300;
    watched(|| {
        for (senders, receivers) in [(1, 10), (10, 1), (10, 10), (3, 30)] {
            let (chan, port) = shared_stream();
            let port = port.into_shared();
            for sender in 0..senders {
                let chan = chan.clone();
                lend(move || {
                    (0..MESSAGES).for_each(|number| chan.send((sender, number)).expect("somebody receives"));
                });
            }
            let receive = |_| {
                let port = port.clone();
                lend(move || port.iter().collect::<Vec<_>>())
            };
            let receiving: Vec<_> = (0..receivers).map(receive).collect();
            drop((chan, port));
            let mut all = Vec::new();
            for receiver in receiving {
                let received = receiver.join().expect("no receiver panics");
                for sender in 0..senders {
                    let numbers = received.iter().filter(|message| message.0 == sender);
                    assert!(numbers.is_sorted(), "what one receiver gets of one sender is in order");
                }
                all.extend(received);
            }
            all.sort_unstable();
            let sent = (0..senders).flat_map(|sender| (0..MESSAGES).map(move |number| (sender, number)));
            assert_eq!(all, sent.collect::<Vec<_>>());
        }
    });
}

/// Selects among `ports` ports, of which those in `ready` have a message or are closed. Chance decides.
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
    for (index, chan) in silent {
        chan.send(index).expect("its port came back");
    }
    for (index, port) in (0..count).filter(|it| *it != index).zip(rest) {
        let expected = if close && ready.contains(&index) { Err(RecvError) } else { Ok(index) };
        assert_eq!(port.recv(), expected);
    }
}

#[test]
fn select_one_two_and_a_lot_in_all_patterns() {
    watched(|| {
        for (count, close) in [1, 2, 7].into_iter().flat_map(|count| [(count, false), (count, true)]) {
            for pattern in 1..1_usize << count {
                let ready: Vec<_> = (0..count).filter(|bit| pattern >> bit & 1 == 1).collect();
                chosen(count, &ready, close);
            }
        }
    });
}
