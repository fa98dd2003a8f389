//! The line of a shared port's receivers, checked against its rule: while there is a message, at least one
//! receiver that waits and will be polled again has been woken.

use futures::StreamExt;
use pipes::{Port, RecvError, SharedPort, TryRecvError, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Random, effort, poll_future};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

/// A receive that owns its receiver.
type Receive = Pin<Box<dyn Future<Output = (SharedPort<u32>, Result<u32, RecvError>)>>>;

async fn receive(mut port: SharedPort<u32>) -> (SharedPort<u32>, Result<u32, RecvError>) {
    let received = port.recv_async().await;
    (port, received)
}

/// A receiver and its state.
enum Receiver {
    Idle(SharedPort<u32>),
    /// Polled as a stream, and polled again when it is woken.
    Streams(SharedPort<u32>, Arc<Bell>),
    /// Polled as a stream, and from then on used for something else, or not at all.
    HasStreamed(SharedPort<u32>),
    Receives(Receive, Arc<Bell>),
}

impl Receiver {
    /// Polls it as a stream. Returns what has come.
    fn stream(mut port: SharedPort<u32>, goes_on: bool) -> (Receiver, Option<u32>) {
        let (bell, waker) = Bell::new();
        match poll_future(&mut port.next(), &waker) {
            Poll::Ready(message) => (Receiver::Idle(port), message),
            Poll::Pending if goes_on => (Receiver::Streams(port, bell), None),
            Poll::Pending => (Receiver::HasStreamed(port), None),
        }
    }

    /// Polls a receive.
    fn receive(mut receive: Receive) -> (Receiver, Option<u32>) {
        let (bell, waker) = Bell::new();
        match poll_future(&mut receive, &waker) {
            Poll::Ready((port, received)) => (Receiver::Idle(port), received.ok()),
            Poll::Pending => (Receiver::Receives(receive, bell), None),
        }
    }

    /// Takes a random step, perhaps with another receiver in its place. Returns what has come.
    fn step(self, another: impl FnOnce() -> SharedPort<u32>, random: &mut Random) -> (Receiver, Option<u32>) {
        let choice = random.below(4);
        match (self, choice) {
            (Receiver::Idle(port) | Receiver::HasStreamed(port), 0) => {
                Receiver::receive(Box::pin(receive(port)))
            }
            (Receiver::Idle(port), _) => Receiver::stream(port, choice == 1),
            (Receiver::HasStreamed(port), 1) => Receiver::stream(port, true),
            (Receiver::HasStreamed(mut port), 2) => {
                let received = port.try_recv();
                assert_ne!(received, Err(TryRecvError::Closed));
                (Receiver::Idle(port), received.ok())
            }
            // Receivers that wait leave, or are polled, whether they were woken or not.
            (Receiver::Streams(..) | Receiver::HasStreamed(_) | Receiver::Receives(..), 3) => {
                (Receiver::Idle(another()), None)
            }
            (Receiver::Streams(port, _), _) => Receiver::stream(port, true),
            (Receiver::Receives(receive, _), _) => Receiver::receive(receive),
            (idle, _) => (idle, None),
        }
    }

    /// `None` if it does not wait for a message; otherwise whether it was woken.
    fn waits(&self) -> Option<bool> {
        match self {
            Receiver::Idle(_) | Receiver::HasStreamed(_) => None,
            Receiver::Streams(_, bell) | Receiver::Receives(_, bell) => Some(bell.rings() > 0),
        }
    }
}

/// Takes random steps with a stream in which at most `most` messages may be unread.
fn play(seed: u64, port: Port<u32>, most: u32, mut send: impl FnMut(u32)) {
    let mut random = Random::new(seed);
    let base = port.into_shared();
    let mut receivers: Vec<_> = (0..5).map(|_| Receiver::Idle(base.clone())).collect();
    let (mut sent, mut received) = (0, 0);
    for step in 0..400 {
        if random.below(3) == 0 && sent - received < most {
            send(sent);
            sent += 1;
        } else {
            let index = random.below(receivers.len() as u64) as usize;
            let receiver = receivers.swap_remove(index);
            let (receiver, message) = receiver.step(|| base.clone(), &mut random);
            receivers.push(receiver);
            if let Some(message) = message {
                assert_eq!(message, received, "seed {seed}, step {step}");
                received += 1;
            }
        }
        let mut waiting = receivers.iter().filter_map(Receiver::waits).peekable();
        let is_called = sent == received || waiting.peek().is_none() || waiting.any(|is_woken| is_woken);
        assert!(is_called, "seed {seed}, step {step}: there is a message, and all who will look sleep");
    }
}

#[test]
fn one_of_those_who_will_look_is_woken() {
    for seed in 0..effort(600) as u64 {
        let (mut chan, port) = stream();
        play(seed, port, 4, |number| chan.send(number).expect("it is here"));
        let (mut chan, port) = sync_stream(3);
        play(seed, port, 3, |number| chan.try_send(number).expect("there is room"));
        let (chan, port) = shared_stream();
        play(seed, port, 4, |number| chan.send(number).expect("it is here"));
    }
}
