//! A set reports that it is ready while its list holds the token of a removed member, and the token of the
//! ready member is still on its way to the list. The report must stay true: a receive must find the message,
//! and inserting another member must change nothing.

use pipes::{Chan, Closed, Port, PortSet, TryRecvError, stream};
use pipes_tests::{effort, spin_while, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const ROUNDS: usize = effort(1_500);

/// Makes sets, each with a stale token and one member to which a thread sends at this moment, and calls
/// `is_as_said` when the set reports that it is ready. Returns how many of these reports were false.
fn not_as_said(is_as_said: fn(&mut PortSet<Port<usize>>) -> bool) -> usize {
    let (mut chans, mut given) = stream::<Chan<usize>>();
    let round = Arc::new(AtomicUsize::new(0));
    let begun = round.clone();
    let sender = thread::spawn(move || {
        for (number, mut chan) in (1..).zip(given.iter()) {
            spin_while(|| begun.load(Ordering::Acquire) < number);
            chan.send(number).expect("its port is in the set, or was received from");
        }
    });
    let mut lies = 0;
    for number in 1..=ROUNDS {
        let mut set = PortSet::new();
        let (mut stale, port) = stream();
        let key = set.insert(port);
        chans.send(set.chan()).expect("the thread is there");
        // The token is in the list when the member is removed.
        stale.send(0).expect("it is in the set");
        let _removed = set.remove(&key).expect("it is in the set");
        round.store(number, Ordering::Release);
        spin_while(|| !set.is_ready());
        lies += usize::from(!is_as_said(&mut set));
        // The set must not be dropped before the thread has sent.
        spin_while(|| matches!(set.try_recv(), Err(TryRecvError::Empty(()))));
    }
    drop(chans);
    sender.join().expect("all could be sent");
    lies
}

#[test]
fn a_receive() {
    watched(|| {
        let lies = not_as_said(|set| match set.try_recv() {
            Ok((_, Ok(_))) => {
                // There is something to receive for the caller of this function.
                let mut again = set.chan();
                again.send(0).is_ok()
            }
            Ok((_, Err(Closed))) | Err(TryRecvError::Closed) => {
                panic!("a message comes before its chan's end")
            }
            Err(TryRecvError::Empty(())) => false,
        });
        assert_eq!(lies, 0, "of {ROUNDS} sets said that they are ready, and had nothing to receive");
    });
}

#[test]
fn another_member() {
    watched(|| {
        let lies = not_as_said(|set| {
            let (_silent, port) = stream();
            let key = set.insert(port);
            let is_ready = set.is_ready();
            set.remove(&key);
            is_ready
        });
        assert_eq!(lies, 0, "of {ROUNDS} sets said that they are ready, and then that they are not");
    });
}
