//! Sets of ports.
//!
//! `run-pass/task-comm-3.rs`, `-6`, `-7`, `-9`, `-14`, and `bench/shootout-pfib.rs`.

use super::Sleeper;
use pipes::{Chan, Closed, PortSet, SetEmpty, TryRecvError, stream};
use pipes_tests::watched;
use std::thread;

/// Nothing is lost and nothing doubled, and each sender is heard in its order.
#[test]
fn many_senders_into_one_set() {
    watched(|| {
        for (count, each) in [(16, 4), (4, 10), (1, 10)] {
            let mut set = PortSet::new();
            let send = |sender: usize| {
                let mut chan = set.chan();
                let numbers = (sender * each..).take(each);
                Sleeper::spawn(move || {
                    numbers.for_each(|number| chan.send(number).expect("the set is there"))
                })
            };
            let mut senders = (0..count).map(send).collect::<Vec<_>>().into_iter();
            // Half of them have ended before the first receive.
            senders.by_ref().take(count / 2).for_each(|sender| sender.join().expect("no sender panics"));
            let mut heard = vec![Vec::new(); count];
            set.messages().for_each(|number| heard[number / each].push(number));
            assert_eq!(heard.concat(), (0..count * each).collect::<Vec<_>>());
            assert_eq!(set.recv(), Err(SetEmpty));
            senders.for_each(|sender| sender.join().expect("no sender panics"));
        }
    });
}

#[test]
fn four_thousand_messages_before_the_first_receive() {
    watched(|| {
        let mut set = PortSet::new();
        let mut chans: [Chan<u64>; 4] = [(); 4].map(|()| set.chan());
        for number in 0..1_000 {
            chans.iter_mut().for_each(|chan| chan.send(number).expect("the set is here"));
        }
        let messages = (0..4_000).map(|_| set.recv().expect("there are members").1.expect("none has closed"));
        assert_eq!(messages.sum::<u64>(), 1_998_000);
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
        assert_eq!(set.len(), 4, "they stay as long as their chans are there");
        drop(chans);
        assert_eq!(set.messages().next(), None);
        assert_eq!(set.recv(), Err(SetEmpty));
    });
}

/// A port with messages delivers them, and a closed one is passed over; `recv` reports each close once.
#[test]
fn ports_that_are_added() {
    let mut set = PortSet::new();
    let (mut chan, port) = stream();
    (0..3).for_each(|number| chan.send(number).expect("the port is here"));
    set.insert(port);
    let closed = set.insert(stream().1);
    assert_eq!(set.messages().take(3).collect::<Vec<_>>(), [0, 1, 2]);
    chan.send(3).expect("the set is here");
    assert_eq!(set.messages().next(), Some(3));
    assert!(!set.contains_key(&closed) && set.len() == 1);
    let closed = set.insert(stream().1);
    assert_eq!(set.recv(), Ok((closed, Err(Closed))));
    assert_eq!(set.len(), 1);
}

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
