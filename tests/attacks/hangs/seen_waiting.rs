//! At capacity 0 one side only looks, and the other side waits. A receiver that waits must be seen waiting,
//! also on a single core that other threads keep busy, and also by a sender with a time limit of zero. The
//! tests with threads run in their own process on one core.
#![cfg(all(target_os = "linux", not(miri)))]

use pipes::{Chan, Port, PortSet, SendTimeoutError, TrySendError, sync_stream};
use pipes_tests::{Bell, apart_in, poll, watched};
use std::hint::spin_loop;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

const MESSAGES: u64 = 30;

/// Runs the test in its own process, on one core.
fn on_one_core(test: impl FnOnce() + Send + 'static) {
    let taskset = |program: &Path| {
        // Without this command the test is skipped.
        Command::new("taskset").arg("--version").output().ok()?;
        let mut command = Command::new("taskset");
        command.args(["-c", "0"]).arg(program);
        Some(command)
    };
    apart_in(taskset, || watched(test));
}

/// Runs this while two threads keep the core busy.
fn among_others(run: impl FnOnce()) {
    let over = Arc::new(AtomicBool::new(false));
    let others: Vec<_> = (0..2)
        .map(|_| {
            let over = over.clone();
            thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    spin_loop();
                }
            })
        })
        .collect();
    run();
    over.store(true, Ordering::Relaxed);
    others.into_iter().for_each(|other| other.join().expect("it does not panic"));
}

/// Sends [`MESSAGES`], each as soon as a receiver is seen waiting.
fn looks_for_a_receiver(mut chan: Chan<u64>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        for number in 0..MESSAGES {
            while let Err(refused) = chan.try_send(number) {
                assert!(matches!(refused, TrySendError::Full(_)), "the receiver is there");
                thread::yield_now();
            }
        }
    })
}

/// The receiver waits again and again, a while each time, and must be seen.
fn is_seen(receive: impl FnOnce(Port<u64>) -> Box<dyn FnMut() -> Option<u64>> + Send + 'static) {
    on_one_core(move || {
        among_others(|| {
            let (chan, port) = sync_stream(0);
            let (sender, mut receive) = (looks_for_a_receiver(chan), receive(port));
            let mut next = 0;
            while next < MESSAGES {
                if let Some(number) = receive() {
                    assert_eq!(number, next);
                    next += 1;
                }
            }
            sender.join().expect("it does not panic");
        });
    });
}

const A_WHILE: Duration = Duration::from_micros(500);

#[test]
fn a_port_that_waits_a_while_again_and_again() {
    is_seen(|mut port| Box::new(move || port.recv_timeout(A_WHILE).ok()));
}

#[test]
fn a_set_that_waits_a_while_again_and_again() {
    is_seen(|port| {
        let mut set = PortSet::from_iter([port]);
        Box::new(move || set.recv_timeout(A_WHILE).ok().and_then(|(_, number)| number.ok()))
    });
}

#[test]
fn a_shared_port_that_waits_a_while_again_and_again() {
    is_seen(|port| {
        let mut port = port.into_shared();
        Box::new(move || port.recv_timeout(A_WHILE).ok())
    });
}

/// A send with a time limit of zero must hand its message to a receiver that waits, as `try_send` does.
/// Otherwise it could try forever, because each try wakes the receiver for nothing.
#[test]
fn by_a_sender_that_has_no_time() {
    type Send = fn(&mut Chan<u64>) -> Result<(), SendTimeoutError<u64>>;
    let sends: [Send; 2] =
        [|chan| chan.send_timeout(1, Duration::ZERO), |chan| chan.send_deadline(1, Instant::now())];
    for send in sends {
        let (mut chan, mut port) = sync_stream(0);
        let (_bell, waker) = Bell::new();
        assert!(poll(&mut port, &waker).is_pending());
        assert!(matches!(chan.try_send(0), Ok(())), "it waits");
        assert_eq!(port.try_recv(), Ok(0));
        assert!(poll(&mut port, &waker).is_pending());
        assert!(send(&mut chan).is_ok(), "it waits as before");
        assert_eq!(poll(&mut port, &waker), Poll::Ready(()));
        assert_eq!(port.try_recv(), Ok(1));
    }
}

/// Two threads, one of which waits in `recv`.
#[test]
fn by_a_thread_that_has_no_time() {
    on_one_core(|| {
        let (mut chan, port) = sync_stream(0);
        let receiver = thread::spawn(move || port.into_iter().count());
        for number in 0..300 {
            while chan.send_timeout(number, Duration::ZERO).is_err() {
                thread::yield_now();
            }
        }
        drop(chan);
        assert_eq!(receiver.join().expect("it does not panic"), 300);
    });
}
