//! More threads send on one stream than may claim by addition, some of them while they end; and many threads
//! wait for one close, or for room. All must go on.

use pipes::{PortSet, shared_stream, sync_stream};
use pipes_tests::watched;
use std::cell::RefCell;
use std::sync::{Arc, Barrier};
use std::thread::{self, Builder};

/// More than the 1024 threads that may claim by addition at the same time.
const THREADS: u64 = if cfg!(miri) { 12 } else { 1100 };
const EACH: u64 = if cfg!(miri) { 3 } else { 8 };

fn crowd(run: impl Fn(u64) + Send + Sync + 'static) -> Vec<thread::JoinHandle<()>> {
    let run = Arc::new(run);
    let small = || Builder::new().stack_size(128 * 1024);
    let spawn = |number| {
        let run = run.clone();
        small().spawn(move || run(number)).expect("the system has this many threads")
    };
    (0..THREADS).map(spawn).collect()
}

/// All threads live at the same time, and each sends once more when its thread-locals are dropped.
#[test]
fn more_senders_than_may_add() {
    struct Farewell(pipes::SharedChan<u64>);
    impl Drop for Farewell {
        fn drop(&mut self) {
            self.0.send(1).expect("it is received");
        }
    }
    thread_local! {
        static FAREWELL: RefCell<Option<Farewell>> = const { RefCell::new(None) };
    }
    watched(|| {
        let (chan, port) = shared_stream::<u64>();
        let all = Arc::new(Barrier::new(THREADS as usize));
        let senders = crowd(move |_| {
            let chan = chan.clone();
            FAREWELL.with_borrow_mut(|farewell| *farewell = Some(Farewell(chan.clone())));
            chan.send(1).expect("it is received");
            all.wait();
            (0..EACH).for_each(|_| chan.send(1).expect("it is received"));
            all.wait();
        });
        assert_eq!(port.into_iter().sum::<u64>(), THREADS * (EACH + 2));
        senders.into_iter().for_each(|sender| sender.join().expect("it does not panic"));
    });
}

/// The port leaves while all threads send. All that wait for the close must be woken.
#[test]
fn a_port_that_leaves_a_crowd() {
    watched(|| {
        let (chan, mut port) = shared_stream::<u64>();
        let senders = crowd(move |number| {
            let mut chan = chan.clone();
            if number % 2 == 0 {
                chan.wait_closed();
            }
            while chan.send(number).is_ok() {
                thread::yield_now();
            }
            chan.wait_closed();
        });
        assert!((0..THREADS).all(|_| port.recv().is_ok()));
        drop(port);
        senders.into_iter().for_each(|sender| sender.join().expect("it does not panic"));
    });
}

/// Each thread waits for room in a stream of its own. One set receives from all streams, or leaves before the
/// end.
#[test]
fn a_set_with_a_crowd() {
    watched(|| {
        for leaves in [false, true] {
            let (mut set, shared) = (PortSet::new(), shared_stream());
            let (hand_in, handed_in) = shared;
            let senders = crowd(move |number| {
                let (mut chan, port) = sync_stream(1);
                hand_in.send(port).unwrap_or_else(|_| panic!("it is received"));
                let sent = (0..EACH).take_while(|_| chan.send(number).is_ok()).count() as u64;
                assert!(leaves || sent == EACH);
            });
            set.extend(handed_in.into_iter().take(THREADS as usize));
            let wanted = if leaves { THREADS } else { THREADS * EACH };
            assert_eq!(set.messages().take(wanted as usize).count() as u64, wanted);
            drop(set);
            senders.into_iter().for_each(|sender| sender.join().expect("it does not panic"));
        }
    });
}
