//! The successor of the 2012 pipes: `std::rt::comm` and `std::select`, May to August 2013.

use pipes::{ChanOne, PortOne, RecvError, oneshot, select};
use pipes_tests::{test_in, watched};

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

#[test_in(watched)]
fn select_one_two_and_a_lot_in_all_patterns() {
    for (count, close) in [1, 2, 7].into_iter().flat_map(|count| [(count, false), (count, true)]) {
        for pattern in 1..1_usize << count {
            let ready: Vec<_> = (0..count).filter(|bit| pattern >> bit & 1 == 1).collect();
            chosen(count, &ready, close);
        }
    }
}
