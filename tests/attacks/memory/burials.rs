//! Tokens are dropped while others are pushed onto the same ready list. A push compares addresses, so the
//! memory of a dropped token must not become another node of the list before the list is gone.

use pipes::__private::{Sealed, Token};
use pipes::{Closed, Member, PortOne, PortSet, Readiness, oneshot};
use pipes_tests::{Random, Tally, effort, watched};
use std::sync::mpsc::{Sender, channel};
use std::task::{Context, Poll};
use std::thread;
use std::time::Instant;

/// A member that is never ready, and hands out its tokens. A turn gives nothing, after which the set
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

/// Two threads get the tokens: each drops some, and has others pushed by a send. All the while the owner
/// takes the list, hands the tokens out again, and adds members with new tokens, which would get the memory
/// of the dropped ones if that were freed.
#[test]
fn tokens_are_dropped_while_others_are_pushed() {
    watched(|| {
        for round in 0..effort(60) as u64 {
            let tally = Tally::new();
            let mut set = PortSet::new();
            let ends: Vec<_> = (0..2)
                .map(|side| {
                    let (sender, tokens) = channel();
                    let tally = tally.clone();
                    let carrier = thread::spawn(move || {
                        let mut random = Random::new(2 * round + side);
                        let mut carried: usize = 0;
                        for token in tokens {
                            random.dawdle(50);
                            carried += 1;
                            if random.below(4) == 0 {
                                drop(token);
                                continue;
                            }
                            let (chan, mut port): (_, PortOne<_>) = oneshot();
                            assert!(Member::register_token(&mut port, token).is_ok(), "nothing was sent yet");
                            assert!(chan.send(tally.make(side)).is_ok());
                        }
                        carried
                    });
                    (sender, carrier)
                })
                .collect();
            let most = if cfg!(miri) { 12 } else { 200 };
            for number in 0..most {
                set.insert(Source(ends[number % 2].0.clone()));
                assert!(set.try_recv().is_err(), "no turn gives anything");
            }
            let carriers: Vec<_> =
                ends.into_iter().map(|(sender, carrier)| (drop(sender), carrier).1).collect();
            // The last senders are dropped with the set.
            drop(set);
            let carried: usize = carriers.into_iter().map(|it| it.join().expect("it does not panic")).sum();
            assert!(carried >= most, "each member's token was handed out");
            tally.assert_all_gone();
        }
    });
}
