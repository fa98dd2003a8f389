//! 13 — An endpoint in a struct, in any state.
//!
//! You will see: a visitor and a turnstile on one thread; neither ever blocks.
//! New here: `AnyServer`, `ServerMessage`, `NotReceiving`. Before: 12_delegation. Next: 14_auction.
//!
//!     cargo run --example 13_any_state

use pipes::TryRecvError;
use turnstile::{AnyServer, Locked, ServerMessage, Unlocked, Verdict};

pipes::proto! {
    turnstile {
        locked: send { coin(u32) -> verdict }
        verdict: recv { enough -> unlocked, more(u32) -> locked }
        unlocked: send { push -> locked }
    }
}

const PRICE: u32 = 3;

/// The data of an event loop for one connection. Its type does not tell the state of the session.
struct Turnstile {
    visitor: Option<AnyServer>,
    paid: u32,
}

impl Turnstile {
    /// Takes steps until none is possible. An event loop calls it when a message may have come. Never blocks.
    fn run(&mut self) {
        while let Some(done) = self.step() {
            println!("  the turnstile {done}");
        }
    }

    fn step(&mut self) -> Option<&'static str> {
        // A step consumes the endpoint, so it is taken out of the field. The next endpoint is put there.
        let (done, next) = match self.visitor.take()?.try_recv() {
            Ok(ServerMessage::Locked(Locked::Coin(value, next))) => {
                self.paid += value;
                ("takes a coin", Some(next.into()))
            }
            Ok(ServerMessage::Unlocked(Unlocked::Push(next))) => ("lets the visitor pass", Some(next.into())),
            // In this state the turnstile sends. If the visitor has just left, there is no next endpoint.
            Ok(ServerMessage::NotReceiving(AnyServer::Verdict(verdict))) if self.paid < PRICE => {
                ("wants more", verdict.more(PRICE - self.paid).ok().map(AnyServer::from))
            }
            Ok(ServerMessage::NotReceiving(AnyServer::Verdict(verdict))) => {
                self.paid -= PRICE;
                ("unlocks", verdict.enough().ok().map(AnyServer::from))
            }
            Ok(ServerMessage::NotReceiving(same)) | Err(TryRecvError::Empty(same)) => {
                self.visitor = Some(same);
                return None;
            }
            Err(TryRecvError::Closed) => ("sees the visitor leave", None),
        };
        self.visitor = next;
        Some(done)
    }
}

fn main() {
    const WORKS: &str = "the turnstile works as long as it is here";
    let (visitor, server) = turnstile::pipe();
    let mut gate = Turnstile { visitor: Some(server.into()), paid: 0 };

    println!("the visitor pays 1");
    let waiting = visitor.coin(1).expect(WORKS);
    gate.run();
    let Verdict::More(rest, visitor) = waiting.recv().expect(WORKS) else { unreachable!("1 is not enough") };

    println!("the visitor pays {rest} more");
    let waiting = visitor.coin(rest).expect(WORKS);
    gate.run();
    let Verdict::Enough(visitor) = waiting.recv().expect(WORKS) else { unreachable!("nothing is missing") };

    println!("the visitor goes through, and away");
    drop(visitor.push().expect(WORKS));
    gate.run();
}
