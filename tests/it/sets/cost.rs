//! How often members are called: as often as they have a message, however many members there are.

use futures::executor::block_on;
use pipes::__private::{Sealed, Token};
use pipes::{Chan, Closed, Member, Port, PortSet, Readiness, stream};
use pipes_tests::{poll, test_in, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// A port that counts the calls of its methods.
struct Counting(Port<u64>, Arc<AtomicUsize>);

impl Counting {
    fn called(&self) -> &Port<u64> {
        self.1.fetch_add(1, Ordering::Relaxed);
        &self.0
    }

    fn called_mut(&mut self) -> &mut Port<u64> {
        self.1.fetch_add(1, Ordering::Relaxed);
        &mut self.0
    }
}

impl Readiness for Counting {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.called_mut().poll_ready(cx)
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.called_mut().wait(deadline)
    }

    fn is_ready(&self) -> bool {
        self.called().is_ready()
    }

    fn is_closed(&self) -> bool {
        self.called().is_closed()
    }
}

impl Sealed for Counting {}

impl Member for Counting {
    type Message = u64;

    fn turn(place: &mut Option<Self>) -> Option<Result<u64, Closed>> {
        let port = place.as_mut()?.called_mut();
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
        Member::register_token(self.called_mut(), token)
    }

    fn unregister_token(&mut self) -> Option<Token> {
        Member::unregister_token(self.called_mut())
    }
}

/// A set of this many idle members and two that send.
struct Crowd {
    set: PortSet<Counting>,
    busy: [Chan<u64>; 2],
    _idle: Vec<Chan<u64>>,
    calls: Arc<AtomicUsize>,
}

/// How often members are called during the action.
fn calls(idle: usize, action: impl FnOnce(&mut Crowd)) -> usize {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut set = PortSet::new();
    let mut member = || {
        let (chan, port) = stream();
        set.insert(Counting(port, calls.clone()));
        chan
    };
    let busy = [member(), member()];
    let idle = (0..idle).map(|_| member()).collect();
    let before = calls.load(Ordering::Relaxed);
    let mut crowd = Crowd { set, busy, _idle: idle, calls };
    action(&mut crowd);
    crowd.calls.load(Ordering::Relaxed) - before
}

/// A way to receive.
type Way = fn(&mut PortSet<Counting>) -> Option<u64>;

/// As many as a thread receives in tasks before one of them gives way.
const MESSAGES: u64 = 128;

/// Members without messages are not called, in whatever way the set receives.
#[test_in(watched)]
fn idle_members_are_not_looked_at() {
    const WAYS: [Way; 6] = [
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
    for receive in WAYS {
        let messages = |crowd: &mut Crowd| {
            for number in 0..MESSAGES {
                crowd.busy[number as usize % 2].send(number).expect("the set is here");
                assert_eq!(receive(&mut crowd.set), Some(number));
            }
        };
        // From the second time on, a receive in a task gives way once each time.
        calls(0, messages);
        let few = calls(0, messages);
        assert!(few <= 4 * MESSAGES as usize, "{few} calls for {MESSAGES} messages");
        assert_eq!(few, calls(10_000, messages));
    }
}

/// Finding that no member is ready calls no member, and neither does inserting or removing another one.
#[test]
fn looks_insertions_and_removals_call_nobody_else() {
    let calls = |idle: usize| {
        calls(idle, |crowd| {
            for number in 0..100 {
                assert!(crowd.set.try_recv().is_err() && !crowd.set.is_ready());
                assert!(poll(&mut crowd.set, Waker::noop()).is_pending());
                let (mut chan, port) = stream();
                chan.send(number).expect("the port is here");
                let port = Counting(port, crowd.calls.clone());
                assert!(crowd.set.insert_at(usize::MAX, port).is_none());
                drop(crowd.set.remove(&usize::MAX).expect("it is a member"));
            }
        })
    };
    assert_eq!(calls(0), calls(1_000));
}
