//! Channels without room, where a message is offered to a receiver that waits.

use super::flavor::{Limited, LimitedSender, Missing, Receiver, TaskReceiver, Unsent};
use crate::{DropCounter, WakeCounter, apart_in, begun, effort, poll_future, spawn, spin_while};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Long enough to fall asleep.
const A_WHILE: Duration = Duration::from_micros(300);

/// A sender offers again and again, and takes its offer back at once. A receive with a timeout returns, and
/// each message that was sent arrives once.
pub fn withdrawn_again_and_again<F: Limited>() {
    let drops = DropCounter::new();
    let source = drops.clone();
    let (mut sender, mut receiver) = F::channel();
    let over = Arc::new(AtomicBool::new(false));
    let ends = over.clone();
    let sending = spawn(move || {
        let mut sent = 0;
        while !ends.load(Ordering::Relaxed) {
            match sender.send_timeout(source.make(sent), Duration::ZERO) {
                Ok(()) => sent += 1,
                Err(Unsent::Full(message)) => assert_eq!(message.number, sent),
                Err(Unsent::Closed(_)) => panic!("the receiver is there"),
            }
        }
        sent
    });
    let mut next = 0;
    for _ in 0..effort(200) {
        if let Ok(message) = receiver.recv_timeout(A_WHILE) {
            assert_eq!(message.number, next);
            next += 1;
        }
    }
    over.store(true, Ordering::Relaxed);
    while let Some(message) = receiver.recv() {
        assert_eq!(message.number, next);
        next += 1;
    }
    assert_eq!(sending.join().expect("it ends"), next);
    drops.assert_all_dropped();
}

/// A send that does not wait hands its message to a task that waits.
pub fn seen_by_a_sender_without_time<F: Limited<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = F::channel();
    for number in 0..4 {
        let (wakes, waker) = WakeCounter::new();
        let mut receiving = begun(receiver.recv_async(), &waker);
        let sent = match number % 2 {
            0 => sender.try_send(drops.make(number)),
            _ => sender.send_timeout(drops.make(number), Duration::ZERO),
        };
        assert!(sent.is_ok(), "it waits");
        assert_eq!(wakes.count(), 1);
        let std::task::Poll::Ready(Some(message)) = poll_future(&mut receiving, &waker) else {
            panic!("it was sent")
        };
        assert_eq!(message.number, number);
    }
    drops.assert_all_dropped();
}

/// A receiver waits for a while, again and again. A sender that only looks for a receiver finds it, also on
/// one core that other threads keep busy.
pub fn seen_on_a_busy_core<F: Limited>() {
    let on_one_core = |program: Command| {
        // Without this command the test is skipped.
        Command::new("taskset").arg("--version").output().ok()?;
        let mut command = Command::new("taskset");
        command.args(["-c", "0"]).arg(program.get_program()).args(program.get_args());
        Some(command)
    };
    apart_in(on_one_core, || {
        const MESSAGES: u64 = 10;
        let over = Arc::new(AtomicBool::new(false));
        let busy: Vec<_> = (0..2)
            .map(|_| {
                let over = over.clone();
                spawn(move || spin_while(|| !over.load(Ordering::Relaxed)))
            })
            .collect();
        let drops = DropCounter::new();
        let (mut sender, mut receiver) = F::channel();
        let source = drops.clone();
        let sending = spawn(move || {
            for number in 0..MESSAGES {
                let mut message = source.make(number);
                while let Err(unsent) = sender.try_send(message) {
                    message = unsent.into_message();
                    std::thread::yield_now();
                }
            }
        });
        let mut next = 0;
        while next < MESSAGES {
            match receiver.recv_timeout(A_WHILE) {
                Ok(message) => {
                    assert_eq!(message.number, next);
                    next += 1;
                }
                Err(missing) => assert_eq!(missing, Missing::Empty),
            }
        }
        sending.join().expect("all messages are sent");
        over.store(true, Ordering::Relaxed);
        busy.into_iter().for_each(|busy| busy.join().expect("it ends"));
    });
}
