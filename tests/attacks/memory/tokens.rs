//! Members of a set, written by hand in safe code, misuse their tokens: they keep them, swap them, give back
//! those of others, or register them elsewhere. A set may then miss a turn or panic, but its memory must stay
//! valid.

use pipes::__private::Token;
use pipes::{Closed, Member, Port, PortOne, PortSet, Readiness, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Tally, caught, poll, watched};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::Instant;

/// Shared by hand-written members: the tokens that they keep, and whether they give tokens back from there.
#[derive(Clone, Default)]
struct Pool(Arc<Mutex<Vec<Token>>>, Arc<AtomicBool>);

impl Pool {
    fn put(&self, token: Token) {
        self.0.lock().expect("nothing panics behind the lock").push(token);
    }

    fn take(&self) -> Option<Token> {
        self.0.lock().expect("nothing panics behind the lock").pop()
    }

    fn len(&self) -> usize {
        self.0.lock().expect("nothing panics behind the lock").len()
    }
}

/// What a member does with a token that it is to register.
#[derive(Clone, Copy)]
enum Leaves {
    /// Keeps it in the pool.
    Kept,
    /// Reports that it is ready, with the pool's last token if there is one.
    Swapped,
}

/// A member that never wakes its set.
struct ByHand {
    pool: Pool,
    leaves: Leaves,
    /// Its messages; after them it closes.
    messages: Vec<Counted>,
}

impl Readiness for ByHand {
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        true
    }

    fn is_ready(&self) -> bool {
        !self.messages.is_empty()
    }

    fn is_closed(&self) -> bool {
        self.messages.is_empty()
    }
}

impl Member for ByHand {
    type Message = Counted;

    fn turn(place: &mut Option<Self>) -> Option<Result<Counted, Closed>> {
        match place.as_mut()?.messages.pop() {
            Some(message) => Some(Ok(message)),
            None => {
                *place = None;
                Some(Err(Closed))
            }
        }
    }

    fn register_token(&mut self, token: Token) -> Result<(), Token> {
        match self.leaves {
            Leaves::Kept => {
                self.pool.put(token);
                Ok(())
            }
            Leaves::Swapped => {
                let other = self.pool.take();
                match other {
                    Some(other) => {
                        self.pool.put(token);
                        Err(other)
                    }
                    None => Err(token),
                }
            }
        }
    }

    /// Gives back any token of the pool, once the pool gives back.
    fn unregister_token(&mut self) -> Option<Token> {
        if self.pool.1.load(Ordering::SeqCst) { self.pool.take() } else { None }
    }
}

fn member(pool: &Pool, leaves: Leaves, messages: Vec<Counted>) -> ByHand {
    ByHand { pool: pool.clone(), leaves, messages }
}

/// Makes `count` tokens, and the set that they belong to.
fn kept(count: usize) -> (Pool, PortSet<ByHand>) {
    let (pool, mut set) = (Pool::default(), PortSet::new());
    for _ in 0..count {
        set.insert(member(&pool, Leaves::Kept, Vec::new()));
    }
    assert_eq!(pool.len(), count, "one token an entry");
    (pool, set)
}

/// The tokens are dropped after their set, before it, or on another thread while it is dropped.
#[test]
fn tokens_that_are_kept() {
    let (pool, set) = kept(3);
    drop(pool.take());
    drop(set);
    drop(pool.take());
    assert_eq!(pool.len(), 1);

    for _ in 0..pipes_tests::effort(500) {
        let (pool, set) = kept(4);
        thread::scope(|scope| {
            scope.spawn(|| while pool.take().is_some() {});
            drop(set);
        });
        assert_eq!(pool.len(), 0);
    }
}

/// Each kind of stream has a seat for a waiter, and so for a token of a set that does not own the port.
#[test]
fn tokens_in_foreign_streams() {
    watched(|| {
        let tally = Tally::new();
        let (pool, mut set) = kept(6);
        let token = || pool.take().expect("one for each");

        let (mut chan, mut port) = stream();
        assert!(Member::register_token(&mut port, token()).is_ok());
        let (one, mut port_one) = oneshot();
        assert!(Member::register_token(&mut port_one, token()).is_ok());
        let (mut bounded, mut bounded_port) = sync_stream(1);
        assert!(Member::register_token(&mut bounded_port, token()).is_ok());
        let (mut meeting, mut meeting_port) = sync_stream(0);
        assert!(Member::register_token(&mut meeting_port, token()).is_ok());
        let (shared, mut shared_port) = shared_stream();
        assert!(Member::register_token(&mut shared_port, token()).is_ok());

        // A poll replaces a token.
        let (bell, waker) = Bell::new();
        assert!(poll(&mut port, &waker).is_pending());
        assert!(chan.send(tally.make(0)).is_ok());
        assert_eq!(bell.rings(), 1);

        // The other tokens are pushed onto the list of a set that does not own these ports.
        assert!(one.send(tally.make(1)).is_ok());
        assert!(bounded.try_send(tally.make(2)).is_ok());
        assert!(meeting.try_send(tally.make(3)).is_ok(), "the token counts as a receiver that waits");
        assert!(shared.send(tally.make(4)).is_ok());
        while !set.is_empty() {
            // Four members close, because their tokens came; the tokens of the other two did not.
            match set.try_recv() {
                Ok((_, message)) => assert!(message.is_err()),
                Err(_) => break,
            }
        }
        assert_eq!(set.len(), 2);

        let numbers =
            [port.try_recv(), bounded_port.try_recv(), meeting_port.try_recv(), shared_port.try_recv()]
                .map(|message| message.map(|message| message.number).unwrap_or(u64::MAX));
        assert_eq!(numbers, [0, 2, 3, 4]);
        assert_eq!(port_one.recv().map(|message| message.number), Ok(1));

        // One more token, which a close wakes after its set is gone.
        assert!(Member::register_token(&mut port, token()).is_ok());
        drop(set);
        drop(chan);
        tally.assert_all_gone();
    });
}

/// Two sets get each other's tokens for ready members. The index in such a token may be none of the set's
/// entries.
#[test]
fn tokens_of_another_set() {
    watched(|| {
        let tally = Tally::new();
        let pool = Pool::default();
        let mut large = PortSet::new();
        for _ in 0..5 {
            large.insert(member(&pool, Leaves::Kept, vec![tally.make(0)]));
        }
        let mut small = PortSet::new();
        for number in 0..2 {
            small.insert(member(&pool, Leaves::Swapped, vec![tally.make(number), tally.make(number)]));
        }
        let (mut came, mut panics) = (0, 0);
        for _ in 0..20 {
            let mut turn = None;
            match caught(|| turn = small.try_recv().ok()) {
                Some(_) => panics += 1,
                None => came += usize::from(turn.is_some_and(|(_, message)| message.is_ok())),
            }
        }
        assert!(came <= 4 && panics <= 20);
        drop(large);
        let _ = caught(|| small.try_recv().map(drop));
        drop(small);
        while pool.take().is_some() {}
        tally.assert_all_gone();
    });
}

/// A set drops, inserts and removes members that give back the tokens of others.
#[test]
fn tokens_that_come_back_from_others() {
    let tally = Tally::new();
    let (pool, mut first) = kept(4);
    let (other_pool, mut second) = kept(4);
    pool.1.store(true, Ordering::SeqCst);
    other_pool.1.store(true, Ordering::SeqCst);
    // Entries of both sets come back with the tokens of the other set.
    while let (Some(a), Some(b)) = (pool.take(), other_pool.take()) {
        assert!(first.len() + second.len() > 0);
        other_pool.put(a);
        pool.put(b);
        assert!(first.remove(&(first.len() - 1)).is_some());
        assert!(second.remove(&(second.len() - 1)).is_some());
        if first.is_empty() {
            break;
        }
    }
    for number in 0..6 {
        let _ = caught(|| first.insert(member(&pool, Leaves::Kept, vec![tally.make(number)])));
        let _ = caught(|| second.insert(member(&other_pool, Leaves::Swapped, vec![tally.make(number)])));
        let _ = caught(|| first.try_recv().map(drop));
        let _ = caught(|| second.try_recv().map(drop));
    }
    drop(second);
    while pool.take().is_some() || other_pool.take().is_some() {}
    drop(first);
    tally.assert_all_gone();
}

/// A token is registered at a port, which becomes a shared one, or is sent to another thread and receives
/// there.
#[test]
fn tokens_in_ports_that_move_on() {
    watched(|| {
        let tally = Tally::new();
        let (pool, set) = kept(3);
        let (mut chan, mut port) = stream::<Counted>();
        assert!(Member::register_token(&mut port, pool.take().expect("there are three")).is_ok());
        let mut shared = port.into_shared();
        assert!(chan.send(tally.make(1)).is_ok());
        assert_eq!(shared.try_recv().map(|message| message.number), Ok(1));

        let (chan, mut port): (_, Port<Counted>) = shared_stream();
        assert!(Member::register_token(&mut port, pool.take().expect("there are two")).is_ok());
        let waiting = thread::spawn(move || port.recv().map(|message| message.number));
        assert!(chan.send(tally.make(2)).is_ok());
        assert_eq!(waiting.join().expect("it does not panic"), Ok(2));

        let (one, mut port): (_, PortOne<Counted>) = oneshot();
        assert!(Member::register_token(&mut port, pool.take().expect("there is one")).is_ok());
        // A second registration is refused, or replaces the first one.
        let (other_pool, other) = kept(1);
        assert!(Member::register_token(&mut port, other_pool.take().expect("there is one")).is_ok());
        drop((set, other));
        assert!(one.send(tally.make(3)).is_ok());
        drop(port);
        tally.assert_all_gone();
    });
}
