//! Threads that sleep in a `select!`, and the effects of their registrations afterwards.

use crate::acceptance::Sleeper;
use pipes::{PortSet, RecvError, oneshot, select, stream};
use pipes_tests::{Bell, poll, watched};
use std::thread;
use std::time::{Duration, Instant};

/// By a message, by a close, and by a member of a set.
#[test]
fn a_sleeping_thread_is_woken() {
    watched(|| {
        for woken_by in 0..4 {
            let ((mut one, first), (two, second)) = (stream::<u64>(), oneshot::<&str>());
            let mut set = PortSet::new();
            let mut member = set.chan();
            let waiting = Sleeper::spawn(move || {
                let (mut first, mut second, mut set) = (first, second, set);
                select! {
                    number = first => format!("{number:?}"),
                    word = second => format!("{word:?}"),
                    turn = set => format!("{turn:?}"),
                }
            });
            waiting.fall_asleep();
            let mut two = Some(two);
            match woken_by {
                0 => one.send(5).expect("it waits"),
                1 => two.take().map_or((), |two| two.send("five").expect("it waits")),
                2 => two = None,
                _ => member.send(5).expect("it waits"),
            }
            let expected = ["Ok(5)", "Ok(\"five\")", "Err(RecvError)", "Ok((0, Ok(5)))"];
            assert_eq!(waiting.join().expect("it does not panic"), expected[woken_by]);
            drop((one, two, member));
        }
    });
}

/// With a limit that does not pass, and with one that does.
#[test]
fn a_sleeping_thread_with_a_limit() {
    watched(|| {
        let ((one, first), (_two, mut second)) = (oneshot::<u64>(), stream::<u64>());
        let waiting = Sleeper::spawn(move || {
            let mut first = first;
            let begin = Instant::now();
            let late = select! {
                number = second => panic!("nobody sent {number:?}"),
                timeout(Duration::from_millis(5)) => begin.elapsed(),
            };
            let number = select! {
                number = first => number,
                number = second => number,
                timeout(Duration::from_secs(1_000)) => panic!("it is sent"),
            };
            (late, number)
        });
        waiting.fall_asleep();
        one.send(1).expect("it waits");
        let (late, number) = waiting.join().expect("it does not panic");
        assert!(late >= Duration::from_millis(5), "it was not late before its time: {late:?}");
        assert_eq!(number, Ok(1));
    });
}

/// A receiver that was waited for and not chosen can be waited for elsewhere.
#[test]
fn the_others_are_free() {
    watched(|| {
        let ((mut one, mut first), (mut two, second)) = (stream::<u64>(), stream::<u64>());
        let waiting = Sleeper::spawn(move || {
            let mut second = second;
            let got = select! {
                number = first => number,
                number = second => number,
            };
            (got, second)
        });
        waiting.fall_asleep();
        one.send(1).expect("it waits");
        let (got, mut second) = waiting.join().expect("it does not panic");
        assert_eq!(got, Ok(1));

        // In another thread, in a task, and in a set.
        let receiving = thread::spawn(move || (second.recv(), second));
        two.send(2).expect("it is received");
        let (got, mut second) = receiving.join().expect("it does not panic");
        assert_eq!(got, Ok(2));
        let (bell, waker) = Bell::new();
        assert!(poll(&mut second, &waker).is_pending());
        two.send(3).expect("the port is here");
        assert_eq!((bell.rings(), second.recv()), (1, Ok(3)));
        let mut set = PortSet::new();
        let key = set.insert(second);
        two.send(4).expect("the set is here");
        assert_eq!(set.recv(), Ok((key, Ok(4))));
    });
}

/// A port that a thread once waited for in a `select!` may still unpark it. The thread may be parked
/// elsewhere by then, and that wait goes on.
#[test]
fn a_stale_registration_disturbs_nobody() {
    watched(|| {
        let ((mut one, mut first), (mut two, mut second)) = (stream::<u64>(), stream::<u64>());
        let (mut three, mut third) = stream::<u64>();
        let waiting = Sleeper::spawn(move || {
            select! {
                number = first => assert_eq!(number, Ok(1)),
                number = second => panic!("nobody sent {number:?}"),
            }
            // The second port may unpark the thread once, while it waits for the third: it goes back to
            // sleep.
            (third.recv(), second.recv())
        });
        waiting.fall_asleep();
        one.send(1).expect("it waits");
        waiting.fall_asleep();
        two.send(2).expect("the port is there");
        waiting.fall_asleep();
        three.send(3).expect("it waits");
        assert_eq!(waiting.join().expect("it does not panic"), (Ok(3), Ok(2)));
    });
}

/// One thread selects again and again, over ports one of which never has a message.
#[test]
fn many_in_a_row() {
    watched(|| {
        let ((mut one, mut first), (mut two, mut second)) = (stream(), stream());
        let (_silent, mut third) = stream::<u64>();
        let sender = thread::spawn(move || {
            for number in 0..2_000_u64 {
                let chan = if number % 3 == 0 { &mut one } else { &mut two };
                chan.send(number).expect("they are there");
            }
        });
        let (mut sum, mut closes) = (0, 0);
        while closes < 1 {
            select! {
                number = first => match number {
                    Ok(number) => sum += number,
                    Err(RecvError) => closes += 1,
                },
                number = second => match number {
                    Ok(number) => sum += number,
                    Err(RecvError) => closes += 1,
                },
                number = third => panic!("nobody sent {number:?}"),
            }
        }
        sum += first.iter().sum::<u64>() + second.iter().sum::<u64>();
        assert_eq!(sum, 1_999 * 2_000 / 2);
        sender.join().expect("the sender does not panic");
    });
}

/// `default` never waits, with receivers of several kinds.
#[test]
fn default_does_not_wait() {
    watched(|| {
        let ((_one, mut first), (_two, mut second)) = (stream::<u64>(), oneshot::<u64>());
        let mut set = PortSet::new();
        let _member: pipes::Chan<u64> = set.chan();
        for _ in 0..1_000 {
            second = select! {
                number = first => panic!("nobody sent {number:?}"),
                number = second => panic!("nobody sent {number:?}"),
                turn = set => panic!("nobody sent {turn:?}"),
                default => second,
            };
        }
        assert!(!second.is_closed());
    });
}
