//! One side of random sessions.

use crate::endings::{Ending, Record, Records};
use crate::payload::Payload;
use crate::support::{Counted, DropCounter, Rng, spin};
use pipes::SendError;
use std::mem;
use std::ops::ControlFlow::{self, Break, Continue};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

/// One side of a session, to be run later or on another thread.
pub type Walk = Box<dyn FnOnce(&mut Player) -> Ending + Send>;

/// A walk from a function that takes one step.
pub fn walk<A: Send + 'static>(start: A, step: fn(A, &mut Player) -> ControlFlow<Ending, A>) -> Walk {
    Box::new(move |player| {
        let mut at = start;
        loop {
            match step(at, player) {
                Continue(next) => at = next,
                Break(ending) => return ending,
            }
        }
    })
}

/// The payload of a panic that is not a failure.
struct Planned;

/// Panics without a message on standard error.
fn panics() -> ! {
    resume_unwind(Box::new(Planned))
}

/// One side of a session and of the sessions that come of it. It chooses at random what to do, and knows what
/// it should see.
pub struct Player {
    /// The choices of this side alone.
    pub random: Rng,
    drops: DropCounter,
    session: Session,
    /// Walks for the endpoints of the current message: those that were sent along and came here, or the other
    /// ends that stayed here.
    kept: Vec<(u64, Walk)>,
    records: Records,
}

/// The place of one side in a session.
pub struct Session {
    id: u64,
    /// How many messages were sent and received.
    sent: u64,
    received: u64,
    /// After this many more messages this side leaves.
    budget: u64,
    /// In one of `unrest` steps this side leaves earlier; never if 0.
    unrest: u64,
    /// The current state and message.
    place: (u64, u64),
    /// The numbers that both sides draw alike.
    numbers: Rng,
    /// Sessions that are put off until this one ends.
    put_off: Vec<(u64, Walk)>,
}

impl Session {
    fn new(id: u64, budget: u64, random: &mut Rng) -> Self {
        let unrest = [0, 0, 30, 8][random.usize(..4)];
        let (numbers, put_off) = (Rng::with_seed(id), Vec::new());
        Session { id, sent: 0, received: 0, budget, unrest, place: (0, 0), numbers, put_off }
    }

    /// Restarts the numbers of the current message.
    fn rewind(&mut self) {
        let (state, message) = self.place;
        let place = (self.sent + self.received) << 16 | state << 4 | message;
        self.numbers = Rng::with_seed(self.id.wrapping_add(Rng::with_seed(place + 1).u64(..)));
    }
}

impl Player {
    /// A player that counts its payloads here.
    pub fn new(seed: u64, drops: &DropCounter) -> Self {
        let mut random = Rng::with_seed(seed);
        let session = Session::new(0, 0, &mut random);
        Player { random, drops: drops.clone(), session, kept: Vec::new(), records: Records::new() }
    }

    /// Plays a session of at most `budget` messages, and those that come of it; returns the records of all.
    pub fn play(mut self, id: u64, budget: u64, walk: Walk) -> Records {
        self.session(id, budget, walk);
        self.into_records()
    }

    /// The records of all sessions.
    pub fn into_records(self) -> Records {
        self.records
    }

    fn session(&mut self, id: u64, budget: u64, walk: Walk) {
        let outer = self.begin(id, budget);
        let ending = catch_unwind(AssertUnwindSafe(|| walk(self)));
        self.end(outer, ending);
    }

    /// Begins a session of at most `budget` messages. Returns the one that it interrupts.
    pub fn begin(&mut self, id: u64, budget: u64) -> Session {
        let session = Session::new(id, budget, &mut self.random);
        mem::replace(&mut self.session, session)
    }

    /// Ends the session, and plays those that came of it; then the outer one goes on.
    pub fn end(&mut self, outer: Session, ending: thread::Result<Ending>) {
        let ending = ending.unwrap_or_else(|panic| {
            if !panic.is::<Planned>() {
                resume_unwind(panic);
            }
            Ending::Left
        });
        // Walks of a message that was being made when the panic came.
        self.kept.clear();
        let ended = mem::replace(&mut self.session, outer);
        let record = Record { sent: ended.sent, received: ended.received, ending };
        assert!(self.records.insert(ended.id, record).is_none(), "one side plays a session once");
        self.play_all(ended.put_off, ended.budget / 4);
    }

    /// Plays the sessions one after the other; none if they would have no messages, which the other side
    /// finds as well.
    fn play_all(&mut self, walks: Vec<(u64, Walk)>, budget: u64) {
        for (id, walk) in walks {
            if budget > 0 {
                self.session(id, budget, walk);
            }
        }
    }

    /// Goes on, or leaves in a random way.
    pub fn stays(&mut self) -> ControlFlow<Ending> {
        spin(self.random.u64(..100));
        if self.messages() >= self.session.budget {
            return Break(Ending::Left);
        }
        match self.session.unrest {
            0 => Continue(()),
            unrest => match self.random.u64(..2 * unrest) {
                0 => panics(),
                1 => Break(Ending::Left),
                _ => Continue(()),
            },
        }
    }

    /// Which of `messages` messages to send, if any.
    pub fn choose(&mut self, messages: u64) -> ControlFlow<Ending, u64> {
        self.stays()?;
        Continue(self.random.u64(..messages))
    }

    /// Begins this message of this state.
    pub fn step(&mut self, state: u64, message: u64) {
        self.session.place = (state, message);
        self.session.rewind();
    }

    /// The next number of the current message; the other side draws the same.
    pub fn number(&mut self) -> u64 {
        self.session.numbers.u64(..)
    }

    /// How many messages were sent and received in this session.
    pub fn messages(&self) -> u64 {
        self.session.sent + self.session.received
    }

    /// Makes the next payload, unless a planned panic comes first.
    pub fn make<P: Payload>(&mut self) -> P {
        if self.session.unrest != 0 && self.random.u64(..8 * self.session.unrest) == 0 {
            panics();
        }
        P::make(self)
    }

    /// A payload whose destructor is counted.
    pub fn counted(&mut self) -> Counted {
        let number = self.number();
        self.drops.make(number)
    }

    /// Keeps this side's walk of the session whose other endpoint is in the current message.
    pub fn keep(&mut self, walk: Walk) {
        let id = self.number();
        self.kept.push((id, walk));
    }

    /// Handles the result of a send.
    pub fn sent<A, P: Payload>(&mut self, sent: Result<A, SendError<P>>) -> ControlFlow<Ending, A> {
        match sent {
            Ok(next) => {
                self.session.sent += 1;
                self.follow();
                Continue(next)
            }
            Err(error) => {
                self.came_back(error.into_payload());
                Break(Ending::Deserted)
            }
        }
    }

    /// Handles a received payload.
    pub fn took<P: Payload>(&mut self, payload: P) {
        payload.seen(self);
        self.session.received += 1;
        self.follow();
    }

    /// Sessions with the endpoints of a message are played when the message was sent and received, or after
    /// the session that it belongs to. Both sides do the same: all sessions have one order, so the two sides
    /// cannot wait for each other.
    fn follow(&mut self) {
        let kept = mem::take(&mut self.kept);
        if self.number().is_multiple_of(2) {
            self.play_all(kept, self.session.budget / 4);
        } else {
            self.session.put_off.extend(kept);
        }
    }

    /// Checks that a payload that came back is the one that was made.
    fn came_back<P: Payload>(&mut self, payload: P) {
        let kept = mem::take(&mut self.kept);
        self.session.rewind();
        payload.seen(self);
        self.has_both_ends(kept);
    }

    /// This side has both ends of the endpoints in a payload that came back. One of the two leaves.
    fn has_both_ends(&mut self, kept: Vec<(u64, Walk)>) {
        let returned = mem::take(&mut self.kept);
        let (leaves, stays) = if self.random.bool() { (kept, returned) } else { (returned, kept) };
        drop(leaves);
        self.play_all(stays, self.session.budget / 4);
    }
}
