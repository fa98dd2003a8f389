//! Sets within sets: `bench/shootout-pfib.rs`.

use super::Sleeper;
use pipes::{Chan, PortSet, stream};
use pipes_tests::watched;
use std::thread;

/// Fibonacci numbers, with a thread for each call, whose children report through a set.
fn pfib(chan: &mut Chan<u64>, n: u64) {
    let sum = match n {
        0 => 0,
        1 | 2 => 1,
        _ => {
            let mut set = PortSet::new();
            for n in [n - 1, n - 2] {
                let mut chan = set.chan();
                thread::spawn(move || pfib(&mut chan, n));
            }
            set.messages().sum()
        }
    };
    chan.send(sum).expect("the caller waits");
}

fn fib(n: u64) -> u64 {
    let (mut chan, mut port) = stream();
    Sleeper::spawn(move || pfib(&mut chan, n)).join().expect("no call panics");
    port.recv().expect("the first call answers")
}

#[test]
fn sets_within_sets() {
    watched(|| {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 8].map(fib), [0, 1, 1, 2, 3, 5, 8, 13, 21]);
        let threads = [(); 2].map(|()| Sleeper::spawn(|| [fib(11), fib(11), fib(11)]));
        for thread in threads {
            assert_eq!(thread.join().expect("no call panics"), [89; 3]);
        }
    });
}
