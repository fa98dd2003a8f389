//! Extreme time limits. A limit that a clock cannot count must wait forever and not return at once; a limit
//! of zero or in the past must not wait.

use pipes::{
    PortSet, RecvTimeoutError, SendTimeoutError, oneshot, select, shared_stream, stream, sync_stream,
};
use pipes_skeleton::{Batching, Pace, PostError, from_port, posted};
use pipes_tests::watched;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// Durations so long that a clock can barely count them, or cannot.
const LONG: [Duration; 4] = [
    Duration::MAX,
    Duration::from_secs(u64::MAX),
    Duration::from_secs(1 << 62),
    Duration::from_secs(1 << 40),
];
const NONE: Duration = Duration::ZERO;

/// Runs `does` when the other side is about to wait. It may run a moment too early, which must not matter.
fn beside<T>(does: impl FnOnce() + Send, waits: impl FnOnce() -> T) -> T {
    let both = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            both.wait();
            (0..100).for_each(|_| thread::yield_now());
            does();
        });
        both.wait();
        waits()
    })
}

#[test]
fn receives_that_wait_for_ever() {
    watched(|| {
        for long in LONG {
            let (chan, port) = oneshot();
            let got = beside(|| chan.send(1).expect("it waits"), || port.recv_timeout(long));
            assert!(matches!(got, Ok(1)));
            let (mut chan, mut port) = sync_stream(0);
            assert_eq!(beside(|| chan.send(1).expect("it waits"), || port.recv_timeout(long)), Ok(1));
            assert_eq!(beside(|| assert_eq!(port.recv(), Ok(2)), || chan.send_timeout(2, long)), Ok(()));
            let mut port = port.into_shared();
            assert_eq!(beside(|| chan.send(3).expect("it waits"), || port.recv_timeout(long)), Ok(3));
            let (mut chan, port) = shared_stream::<u32>();
            assert!(beside(|| drop(port), || chan.wait_closed_timeout(long)));
            let mut set = PortSet::new();
            let mut chan = set.chan();
            assert_eq!(beside(|| chan.send(4).expect("it waits"), || set.recv_timeout(long)), Ok((0, Ok(4))));
            let (chan, mut port) = oneshot();
            let got = beside(
                || chan.send(5).expect("it waits"),
                || {
                    select! {
                        message = port => message,
                        timeout(long) => panic!("so much time has not passed"),
                    }
                },
            );
            assert_eq!(got, Ok(5));
        }
    });
}

#[test]
fn moments_that_have_passed() {
    watched(|| {
        let now = Instant::now();
        let long_ago = now.checked_sub(Duration::from_millis(1)).unwrap_or(now);
        let (mut chan, mut port) = sync_stream::<u32>(0);
        for past in [now, long_ago] {
            assert_eq!(port.recv_deadline(past), Err(RecvTimeoutError::Timeout(())));
        }
        assert_eq!(port.recv_timeout(NONE), Err(RecvTimeoutError::Timeout(())));
        assert_eq!(chan.send_timeout(1, NONE), Err(SendTimeoutError::Timeout(1)));
        assert_eq!(port.try_recv().ok(), None, "the offer was taken back");
        assert!(!chan.wait_closed_timeout(NONE));
        let mut shared = port.into_shared();
        assert_eq!(shared.recv_deadline(long_ago), Err(RecvTimeoutError::Timeout(())));
        let mut set = PortSet::new();
        let _member = set.chan();
        assert_eq!(
            set.recv_deadline(long_ago),
            Err::<(usize, Result<u32, _>), _>(RecvTimeoutError::Timeout(()))
        );
        let (_silent, mut port) = stream::<u32>();
        let chosen = select! {
            _ = port => panic!("nothing was sent"),
            timeout(NONE) => 7,
        };
        assert_eq!(chosen, 7);
    });
}

/// Batches with an age that no clock counts, and a pace of one item in thousands of years or never: the
/// pipeline must see a change and the end all the same.
#[test]
fn pipelines_that_would_wait_for_ever() {
    watched(|| {
        for long in LONG {
            let (mut chan, port) = stream();
            let batching = Batching::every(long);
            let (mut batches, running) = from_port(port).batched(&batching).into_port();
            chan.send(1).expect("it runs");
            assert_eq!(batches.recv_timeout(Duration::from_millis(1)).ok(), None);
            batching.set_size(1).expect("it is no 0");
            assert_eq!(batches.recv(), Ok(vec![1]), "who waits for ever hears of a change");
            drop(chan);
            assert!(batches.recv().is_err());
            running.join().expect("no stage fails");
        }
        for rate in [0.0, f64::MIN_POSITIVE, f64::from_bits(1)] {
            let (mut chan, port) = stream();
            let pace = Pace::new(rate).expect("it can be kept");
            let (mut paced, running) = from_port(port).paced(&pace).into_port();
            (0..3).for_each(|number| chan.send(number).expect("it runs"));
            let first = paced.recv_timeout(Duration::from_millis(1)).ok();
            assert!(matches!(first, None | Some(0)));
            pace.set(f64::MAX).expect("it can be kept");
            drop(chan);
            assert_eq!(paced.iter().last(), Some(2), "who waits for ever hears of a change");
            running.join().expect("no stage fails");
        }
    });
}

#[test]
fn posts_without_room() {
    watched(|| {
        let (mut go, gone) = sync_stream::<()>(0);
        let mut gone = gone;
        let running = posted(|items| {
            items.window(1).hand_over(1).sequential(move |number: u32| {
                gone.recv().expect("it may go on");
                number
            })
        });
        let running = running.expect("it can be run");
        let mut posted = 0;
        while running.post_timeout(posted, NONE).is_ok() {
            posted += 1;
        }
        assert!(matches!(running.try_post(9), Err(PostError::Full(9))));
        let all = posted + 1;
        let opens = thread::spawn(move || (0..all).for_each(|_| go.send(()).expect("it waits")));
        running.post_timeout(posted, Duration::MAX).unwrap_or_else(|_| panic!("there will be room"));
        assert_eq!(running.collect().expect("no stage fails"), (0..all).collect::<Vec<_>>());
        opens.join().expect("it does not panic");
    });
}
