//! The wait queues of `std::sync` of Rust 0.5, which were built on pipes.

use super::{Sleeper, die, died};
use pipes::{Chan, ChanOne, Port, PortOne, oneshot, stream};
use pipes_tests::watched;

/// A stream of oneshots, one for each waiting thread. To wake a thread is to send to the next oneshot; a send
/// that fails says that this thread no longer waits.
struct WaitQueue {
    waiters: Chan<ChanOne<()>>,
    waiting: Port<ChanOne<()>>,
}

impl WaitQueue {
    fn new() -> Self {
        let (waiters, waiting) = stream();
        WaitQueue { waiters, waiting }
    }

    fn join(&mut self) -> PortOne<()> {
        let (wake, woken) = oneshot();
        self.waiters.send(wake).expect("the queue has both ends");
        woken
    }

    /// Wakes the next thread that still waits. Returns `false` if there is none.
    fn wake_one(&mut self) -> bool {
        self.waiting.try_iter().any(|waiter| waiter.send(()).is_ok())
    }
}

#[test]
fn who_died_in_a_wait_queue_is_passed_over() {
    watched(|| {
        let mut queue = WaitQueue::new();
        let (dead, gone, first, second) = (queue.join(), queue.join(), queue.join(), queue.join());
        let dying = Sleeper::spawn(move || {
            let _dead = dead;
            die()
        });
        assert!(died::<()>(dying.join()));
        drop(gone);
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
