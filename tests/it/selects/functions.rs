//! `select`, of a list.

use pipes::{PortOne, RecvError, oneshot, select};
use pipes_tests::watched;

/// Whichever is chosen, the others come back in their order.
#[test]
fn the_rest_is_in_order() {
    watched(|| {
        for (count, ready) in (1..8).flat_map(|count| (0..count).map(move |ready| (count, ready))) {
            let (mut chans, ports): (Vec<_>, Vec<PortOne<usize>>) = (0..count).map(|_| oneshot()).unzip();
            chans.remove(ready).send(100).expect("the port is here");
            let (index, message, rest) = select(ports);
            assert_eq!((index, message), (ready, Ok(100)));
            for (number, chan) in chans.into_iter().enumerate() {
                chan.send(number).expect("its port came back");
            }
            let rest = rest.into_iter().map(PortOne::recv);
            assert_eq!(rest.collect::<Vec<_>>(), (0..count - 1).map(Ok).collect::<Vec<_>>());
        }
    });
}

/// A list that shrinks until nobody is left, and the result for an empty one.
#[test]
fn until_nobody_is_left() {
    watched(|| {
        let (chans, mut ports): (Vec<_>, Vec<_>) = (0..10).map(|_| oneshot()).unzip();
        for (number, chan) in chans.into_iter().enumerate().filter(|(number, _)| number % 3 > 0) {
            chan.send(number).expect("the port is here");
        }
        let mut received = Vec::new();
        while !ports.is_empty() {
            let message;
            (_, message, ports) = select(ports);
            received.push(message.unwrap_or(0));
        }
        received.sort_unstable();
        assert_eq!(received, [0, 0, 0, 0, 1, 2, 4, 5, 7, 8]);
        let (index, message, rest) = select(ports);
        assert_eq!((index, message, rest.len()), (0, Err(RecvError), 0));
    });
}
