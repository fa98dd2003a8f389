//! Unread messages whose port leaves.

use pipes::{Closing, Port, PortSet, duplex_stream, oneshot, stream, sync_stream};
use pipes_skeleton::from_port;
use pipes_tests::{Counted, DropCounter, Rng, caught, effort, spawn, test_in, watched};

/// Drops the port where it is: in a set, in a message, in a pipeline and so on.
fn leave(port: Port<Counted>, place: u64) {
    match place {
        0 => drop(port),
        1 => drop(vec![port.into_shared(); 2]),
        2 => drop(PortSet::from_iter([port])),
        3 => drop(port.into_iter()),
        4 => {
            let (mut duplex, _other) = duplex_stream::<(), Counted>();
            *duplex.parts_mut().1 = port;
        }
        5 => {
            let (chan, _port) = oneshot();
            assert!(chan.send(port).is_ok());
        }
        _ => drop(from_port(port)),
    }
}

/// Wherever the port leaves, who has waited for the close finds all unread messages dropped.
#[test_in(watched)]
fn a_close_comes_after_the_destructors() {
    for seed in 0..effort(500) as u64 {
        let (drops, mut random) = (DropCounter::new(), Rng::with_seed(seed));
        let (mut chan, port) = if seed % 2 == 0 { stream() } else { sync_stream(200) };
        let count = 1 + random.u64(..200);
        let bomb = random.u64(..2 * count);
        for number in 0..count {
            let message = if number == bomb { drops.make_panicking(number) } else { drops.make(number) };
            assert!(chan.send(message).is_ok());
        }
        let leaving = spawn(move || drop(caught(|| leave(port, seed % 7))));
        Closing::wait_closed(&mut chan);
        assert_eq!(drops.dropped(), drops.made(), "place {}", seed % 7);
        leaving.join().expect("it catches");
    }
}
