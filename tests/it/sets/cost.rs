//! How often members are polled: as often as they have a message, however many members there are.

use futures::executor::block_on;
use pipes::__private::{Sealed, Token};
use pipes::{Chan, Closed, Member, Port, PortSet, Readiness, stream};
use pipes_tests::watched;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// A port that counts the calls of its methods.
struct Counting(Port<u64>, Arc<AtomicUsize>);

impl Counting {
    fn asked(&self) -> &Port<u64> {
        self.1.fetch_add(1, Ordering::Relaxed);
        &self.0
    }

    fn asked_mut(&mut self) -> &mut Port<u64> {
        self.1.fetch_add(1, Ordering::Relaxed);
        &mut self.0
    }
}

impl Readiness for Counting {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.asked_mut().poll_ready(cx)
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.asked_mut().wait(deadline)
    }

    fn is_ready(&self) -> bool {
        self.asked().is_ready()
    }

    fn is_closed(&self) -> bool {
        self.asked().is_closed()
    }
}

impl Sealed for Counting {}

impl Member for Counting {
    type Message = u64;

    fn turn(place: &mut Option<Self>) -> Option<Result<u64, Closed>> {
        let port = place.as_mut()?.asked_mut();
        match port.try_recv() {
            Ok(number) => Some(Ok(number)),
            Err(error) if error.is_closed() => {
                *place = None;
                Some(Err(Closed))
            }
            Err(_) => None,
        }
    }

    fn register_token(&mut self, token: Token) -> Result<(), Token> {
        Member::register_token(self.asked_mut(), token)
    }

    fn unregister_token(&mut self) -> Option<Token> {
        Member::unregister_token(self.asked_mut())
    }
}

/// A set of many members, two of which send.
struct Crowd {
    set: PortSet<Counting>,
    busy: [Chan<u64>; 2],
    _silent: Vec<Chan<u64>>,
    asked: Arc<AtomicUsize>,
}

impl Crowd {
    fn new(idle: usize) -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let mut set = PortSet::new();
        let mut member = || {
            let (chan, port) = stream();
            set.insert(Counting(port, asked.clone()));
            chan
        };
        let busy = [member(), member()];
        let silent = (0..idle).map(|_| member()).collect();
        Crowd { set, busy, _silent: silent, asked }
    }

    /// How often members are called during the action.
    fn asked_by(mut self, action: impl FnOnce(&mut Self)) -> usize {
        let before = self.asked.load(Ordering::Relaxed);
        action(&mut self);
        self.asked.load(Ordering::Relaxed) - before
    }
}

/// A way to receive.
type Verb = fn(&mut PortSet<Counting>) -> Option<u64>;

/// As many as a thread receives in tasks before one of them gives way.
const MESSAGES: u64 = 128;

/// How often members are called while some messages come, in turn from two of many.
fn asked_by(idle: usize, receive: Verb) -> usize {
    Crowd::new(idle).asked_by(|crowd| {
        for number in 0..MESSAGES {
            crowd.busy[number as usize % 2].send(number).expect("the set is here");
            assert_eq!(receive(&mut crowd.set), Some(number));
        }
    })
}

#[test]
fn idle_members_are_not_looked_at() {
    watched(|| {
        let receives: [Verb; 6] = [
            |set| set.recv().ok()?.1.ok(),
            |set| set.try_recv().ok()?.1.ok(),
            |set| set.recv_timeout(Duration::MAX).ok()?.1.ok(),
            |set| block_on(set.recv_async()).ok()?.1.ok(),
            |set| {
                block_on(set.ready());
                set.recv().ok()?.1.ok()
            },
            |set| set.messages().next(),
        ];
        for receive in receives {
            // From the second time on, a receive in a task gives way once each time.
            asked_by(0, receive);
            let few = asked_by(0, receive);
            assert!(few <= 4 * MESSAGES as usize, "{few} questions for {MESSAGES} messages");
            assert_eq!(few, asked_by(10_000, receive));
        }
    });
}

/// Finding that no member is ready calls no member.
#[test]
fn a_look_at_an_idle_set_asks_nobody() {
    let asked = Crowd::new(1_000).asked_by(|Crowd { set, .. }| {
        for _ in 0..100 {
            assert!(set.try_recv().is_err_and(|error| !error.is_closed()));
            assert!(!set.is_ready());
            assert!(set.poll_ready(&mut Context::from_waker(Waker::noop())).is_pending());
        }
    });
    assert_eq!(asked, 0);
}

/// Inserting and removing members calls no other member.
#[test]
fn comings_and_goings_ask_nobody_else() {
    let asked_by = |idle: usize| {
        Crowd::new(idle).asked_by(|crowd| {
            for number in 0..100 {
                let (mut chan, port) = stream();
                chan.send(number).expect("the port is here");
                let port = Counting(port, crowd.asked.clone());
                assert!(crowd.set.insert_at(usize::MAX, port).is_none());
                drop(crowd.set.remove(&usize::MAX).expect("it is a member"));
            }
        })
    };
    assert_eq!(asked_by(0), asked_by(1_000));
}
