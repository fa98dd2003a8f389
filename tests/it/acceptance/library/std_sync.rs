//! Wait queues.
//!
//! The wait queues of `std::sync`, Rust 0.5: a stream of oneshots, one for each waiting thread. To wake a
//! thread is to send to the next oneshot; a send that fails says that this thread no longer waits.

use crate::acceptance::{Sleeper, die, died};
use pipes::{Chan, ChanOne, Port, PortOne, oneshot, stream};
use pipes_tests::watched;

struct WaitQueue {
    waiters: Chan<ChanOne<()>>,
    waiting: Port<ChanOne<()>>,
}

impl WaitQueue {
    fn new() -> Self {
        let (waiters, waiting) = stream();
        WaitQueue { waiters, waiting }
    }

    /// Joins the queue.
    fn stand(&mut self) -> PortOne<()> {
        let (wake, woken) = oneshot();
        self.waiters.send(wake).expect("the queue has both ends");
        woken
    }

    /// Wakes the next thread that still waits. Returns `false` if there is none.
    fn wake_one(&mut self) -> bool {
        self.waiting.try_iter().any(|waiter| waiter.send(()).is_ok())
    }

    /// Wakes all threads that wait; returns how many there were.
    fn wake_all(&mut self) -> usize {
        self.waiting.try_iter().filter_map(|waiter| waiter.send(()).ok()).count()
    }
}

#[test]
fn the_one_who_waits_longest_is_woken() {
    watched(|| {
        let mut queue = WaitQueue::new();
        assert!(!queue.wake_one());
        let (first, second) = (queue.stand(), queue.stand());
        let waiting = Sleeper::spawn(move || first.recv());
        waiting.fall_asleep();
        assert!(queue.wake_one());
        assert_eq!(waiting.join().expect("it does not panic"), Ok(()));
        assert!(!second.is_ready());
        assert!(queue.wake_one());
        assert_eq!(second.recv(), Ok(()));
        assert!(!queue.wake_one());
    });
}

#[test]
fn one_who_died_in_the_queue_is_passed_over() {
    watched(|| {
        let mut queue = WaitQueue::new();
        let (dead, gone, alive) = (queue.stand(), queue.stand(), queue.stand());
        let dying = Sleeper::spawn(move || {
            let _dead = dead;
            die()
        });
        assert!(died::<()>(dying.join()));
        drop(gone);
        let waiting = Sleeper::spawn(move || alive.recv());
        waiting.fall_asleep();
        assert!(queue.wake_one());
        assert_eq!(waiting.join().expect("it does not panic"), Ok(()));
        assert!(!queue.wake_one());
    });
}

#[test]
fn everybody_is_woken() {
    watched(|| {
        let mut queue = WaitQueue::new();
        let waiting: Vec<_> = (0..10).map(|_| queue.stand()).collect();
        let waiting: Vec<_> = waiting.into_iter().map(|place| Sleeper::spawn(move || place.recv())).collect();
        drop(queue.stand());
        waiting.iter().for_each(Sleeper::fall_asleep);
        assert_eq!(queue.wake_all(), 10);
        for waiter in waiting {
            assert_eq!(waiter.join().expect("it does not panic"), Ok(()));
        }
    });
}

/// A semaphore of one: two threads that hand it to each other.
#[test]
fn a_handshake() {
    watched(|| {
        let ((mut there, go), (mut back, mut answer)) = (stream(), stream());
        let other = Sleeper::spawn(move || go.into_iter().all(|()| back.send(()).is_ok()));
        for _ in 0..100 {
            there.send(()).expect("the other one waits");
            assert_eq!(answer.recv(), Ok(()));
        }
        drop(there);
        assert!(other.join().expect("it does not panic"));
    });
}
