//! The list of a set's ready members, which is read while more tokens are pushed onto it.

use pipes::__private::{Sealed, Token};
use pipes::{Closed, Member, Port, PortOne, PortSet, Readiness, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{DropCounter, Rng, effort, spin, test_in, watched};
use std::sync::mpsc::{Sender, channel};
use std::task::{Context, Poll};
use std::thread;
use std::time::Instant;

/// A member that is never ready, and gives its tokens away. Its turn gives nothing, after which the set
/// registers the token again.
struct Source(Sender<Token>);

impl Readiness for Source {
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }

    fn is_ready(&self) -> bool {
        false
    }

    fn is_closed(&self) -> bool {
        false
    }
}

impl Sealed for Source {}

impl Member for Source {
    type Message = ();

    fn turn(_: &mut Option<Self>) -> Option<Result<(), Closed>> {
        None
    }

    fn register_token(&mut self, token: Token) -> Result<(), Token> {
        self.0.send(token).map_err(|error| error.0)
    }

    fn unregister_token(&mut self) -> Option<Token> {
        None
    }
}

/// Two threads get the tokens: each drops some, and has others pushed by a send. A push compares addresses,
/// so the memory of a dropped token must not become another node before the list is gone. All the while the
/// owner takes the list, and adds members whose new tokens would get that memory.
#[test_in(watched)]
fn tokens_are_dropped_while_others_are_pushed() {
    for round in 0..effort(60) as u64 {
        let (drops, mut set) = (DropCounter::new(), PortSet::new());
        let threads = [0, 1].map(|side| {
            let (sender, tokens) = channel();
            let drops = drops.clone();
            let pushing = thread::spawn(move || {
                let (mut random, mut count) = (Rng::with_seed(2 * round + side), 0);
                for token in tokens {
                    spin(random.u64(..50));
                    count += 1;
                    if random.u64(..4) > 0 {
                        let (chan, mut port): (_, PortOne<_>) = oneshot();
                        assert!(Member::register_token(&mut port, token).is_ok(), "nothing was sent yet");
                        assert!(chan.send(drops.make(side)).is_ok());
                    }
                }
                count
            });
            (sender, pushing)
        });
        let members = if cfg!(miri) { 12 } else { 200 };
        for number in 0..members {
            set.insert(Source(threads[number % 2].0.clone()));
            assert!(set.try_recv().is_err(), "no turn gives anything");
        }
        let pushing = threads.map(|(_, pushing)| pushing);
        // The last senders are dropped with the set.
        drop(set);
        let count: usize = pushing.into_iter().map(|it| it.join().expect("it does not panic")).sum();
        assert!(count >= members, "each member's token was given away");
        drops.assert_all_dropped();
    }
}

/// Threads ask through a shared reference whether a set is ready, which walks along the list. A message that
/// they have seen is received without a wait.
#[test_in(watched)]
fn threads_ask_while_tokens_are_pushed() {
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        let (drops, mut set) = (DropCounter::new(), PortSet::<Port<_>>::new());
        thread::scope(|scope| {
            for capacity in 0..4 {
                let ((mut chan, one), (mut bounded, two)) = (stream(), sync_stream(capacity));
                let ((shared, three), (mut brief, four)) = (shared_stream(), stream());
                set.extend([one, two, three]);
                // Its token may be on its way when it is removed.
                let removed = set.insert(four);
                let drops = &drops;
                scope.spawn(move || {
                    for number in 0..if cfg!(miri) { 2 } else { 20 } {
                        drop(brief.send(drops.make(number)));
                        drop(chan.send(drops.make(number)));
                        drop(shared.send(drops.make(number)));
                        drop(bounded.try_send(drops.make(number)));
                    }
                });
                drop(set.remove(&removed));
            }
            let seen = thread::scope(|scope| {
                let asking = [(); 2].map(|()| scope.spawn(|| (0..5).any(|_| set.is_ready())));
                asking.into_iter().fold(false, |seen, it| seen | it.join().expect("it only asks"))
            });
            if seen {
                drop(set.try_recv().expect("it was ready"));
            }
            while let Ok(turn) = set.recv() {
                drop(turn);
                if set.is_ready() {
                    drop(set.try_recv().expect("it was ready"));
                }
            }
        });
        drops.assert_all_dropped();
    }
}
