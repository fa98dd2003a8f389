//! Farms of pipelines, and loops.

use super::pipeline::Pipeline;
use super::plan::{MOST_REPLICAS, PartId, Plan};
use crate::envelope::{Envelope, Group};
use crate::failure::BuildError;
use crate::run::crew::Crew;
use crate::run::lane::{Demand, Lane, Passage, shared_lane};
use crate::run::origin::{Origin, Room};
use crate::sync::{Arc, Lock};
use pipes::SharedChan;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

impl<T: Send + 'static> Pipeline<T> {
    /// Adds a farm of pipelines: each replica is a pipeline, made by the function from its share of the
    /// items. A free replica takes the next item.
    ///
    /// ```
    /// let words = ["to", "be", "or", "not"].map(String::from);
    /// let lengths = pipes_skeleton::from_iter(words)
    ///     .farm(2, |share| {
    ///         share
    ///             .sequential(|word: String| word + "!")
    ///             .sequential(|word: String| word.len())
    ///     })
    ///     .in_order()
    ///     .collect()
    ///     .expect("no stage fails");
    /// assert_eq!(lengths, [3, 3, 3, 4]);
    /// ```
    ///
    /// Order is restored behind the farm, not inside of it, where a stage sees only its share. A replica
    /// counts as free when its first stage is free. If that is a cheap stage, one that waits for futures, or
    /// a loop, it takes items in advance, and other replicas can no longer take these.
    pub fn farm<U: Send + 'static>(
        self,
        replicas: usize,
        mut replica: impl FnMut(Pipeline<T>) -> Pipeline<U>,
    ) -> Pipeline<U> {
        let Pipeline { origin, mut plan } = self.order_here();
        plan.check_call("farm", replicas > 0, BuildError::NoReplicas);
        plan.check_call("farm", replicas <= MOST_REPLICAS, BuildError::TooManyReplicas);
        let replicas = replicas.min(MOST_REPLICAS);
        let (mut senders, mut parts, mut said) = (0, Vec::new(), Vec::<(PartId, Plan)>::new());
        for _ in 0..replicas {
            let share = Arc::new(Lock::new(None));
            let which = PartId::default();
            let outline = plan.of_part(&which, said.first().map(|(_, said)| said));
            let part = replica(Pipeline { origin: Origin::Share(share.clone()), plan: outline });
            // A replica needs at least one stage.
            let part = if part.origin.is_share() { part.stage(|item| item) } else { part };
            senders += part.origin.senders();
            said.push((which, part.plan));
            parts.push((share, part.origin));
        }
        said.into_iter().for_each(|(which, part)| plan.adopt("farm", &which, part));
        let start = move |crew: &Crew, lane: Lane<U>, room: Option<Room>| {
            let inlets = origin.inlets(crew, None, Demand { replicas, deal: None }, room);
            let lanes = lane.split(replicas);
            for (((share, part), inlet), lane) in parts.into_iter().zip(inlets).zip(lanes) {
                *share.lock() = Some(inlet);
                part.start(crew, lane, None);
            }
        };
        Pipeline { origin: Origin::region(senders, start), plan }
    }

    /// Adds a loop. Its stages return, for each item, [`ControlFlow::Break`] with what goes on to the next
    /// stage, or [`ControlFlow::Continue`] with what goes back to the first stage of the loop.
    ///
    /// ```
    /// use std::ops::ControlFlow::{Break, Continue};
    ///
    /// // How many steps it takes to come to 1 (Collatz).
    /// let steps = pipes_skeleton::from_iter(1..=6_u64)
    ///     .sequential(|number| (number, 0))
    ///     .feedback(|again| {
    ///         again.parallel(2, |(number, steps): (u64, u32)| match number {
    ///             1 => Break(steps),
    ///             even if even % 2 == 0 => Continue((even / 2, steps + 1)),
    ///             odd => Continue((3 * odd + 1, steps + 1)),
    ///         })
    ///     })
    ///     .in_order()
    ///     .collect()
    ///     .expect("no stage fails");
    /// assert_eq!(steps, [0, 1, 7, 2, 5, 8]);
    /// ```
    ///
    /// The window limits how many items of the source are on their way; if one becomes several in the loop,
    /// all of them are in memory at once, and go on together when the last of them does.
    pub fn feedback<U: Send + 'static>(
        self,
        round: impl FnOnce(Pipeline<T>) -> Pipeline<ControlFlow<U, T>>,
    ) -> Pipeline<U> {
        // The first stage of the loop needs a stage before it that hands over the items.
        let begun = if self.origin.is_share() { self.stage(|item| item) } else { self.order_here() };
        let Pipeline { origin, mut plan } = begun;
        let share = Arc::new(Lock::new(None));
        let which = PartId::default();
        let part = round(Pipeline { origin: Origin::Share(share.clone()), plan: plan.of_part(&which, None) });
        let Pipeline { origin: part, plan: said } = part;
        plan.adopt("feedback", &which, said);
        let senders = part.senders();
        let start = move |crew: &Crew, lane: Lane<U>, room: Option<Room>| {
            let (chan, inlet) = shared_lane();
            *share.lock() = Some(inlet);
            let round = Arc::new(Lock::new(Round {
                sources: 1,
                next: 0,
                tags: BTreeMap::new(),
                back: Some(chan.clone()),
            }));
            part.start(crew, Lane::Through(Box::new(Turn { round: round.clone(), lane })), None);
            origin.start(crew, Lane::Through(Box::new(Gate { round, chan })), room);
        };
        Pipeline { origin: Origin::region(senders, start), plan }
    }
}

/// The state of a loop.
struct Round<T, U> {
    /// The number of stages before the loop that may still bring items.
    sources: usize,
    /// The next item's number in the loop. Items have their own numbers there, because in a loop inside a
    /// loop several of them may come from one item of the source.
    next: usize,
    /// The items that came in and have not gone on, by their number in the loop.
    tags: BTreeMap<usize, Going<U>>,
    /// The way back; `None` when no more items will go back, so that the stages of the loop end.
    back: Option<SharedChan<Envelope<T>>>,
}

/// An item that has entered a loop, and its results.
struct Going<U> {
    /// The item's number before the loop.
    tag: usize,
    /// The number of items that it has become and that are still in the loop.
    left: usize,
    /// Its results so far. They leave the loop together.
    going_on: Group<U>,
}

impl<T, U> Round<T, U> {
    /// Closes the way back if no item is in the loop and none will come. Returns the channel, which the
    /// caller drops without the lock.
    fn close(&mut self) -> Option<SharedChan<Envelope<T>>> {
        if self.sources == 0 && self.tags.is_empty() { self.back.take() } else { None }
    }
}

/// The way into a loop.
struct Gate<T, U> {
    round: Arc<Lock<Round<T, U>>>,
    chan: SharedChan<Envelope<T>>,
}

impl<T: Send + 'static, U: Send + 'static> Passage<T> for Gate<T, U> {
    fn send(&mut self, envelope: Envelope<T>) -> Result<(), Envelope<T>> {
        let Envelope { tag, items } = envelope;
        let mut round = self.round.lock();
        let own = round.next;
        round.next = own.wrapping_add(1);
        round.tags.insert(own, Going { tag, left: 1, going_on: Group::None });
        drop(round);
        // Also an envelope without items is counted and goes through the loop.
        self.chan
            .send(Envelope { tag: own, items })
            .map_err(|closed| Envelope { tag, ..closed.into_payload() })
    }

    fn another(&self) -> Box<dyn Passage<T>> {
        self.round.lock().sources += 1;
        Box::new(Gate { round: self.round.clone(), chan: self.chan.clone() })
    }
}

impl<T, U> Drop for Gate<T, U> {
    fn drop(&mut self) {
        let mut round = self.round.lock();
        round.sources -= 1;
        let closed = round.close();
        drop(round);
        drop(closed);
    }
}

/// The end of a loop, where items go back or go on.
struct Turn<T, U> {
    round: Arc<Lock<Round<T, U>>>,
    lane: Lane<U>,
}

impl<T: Send + 'static, U: Send + 'static> Passage<ControlFlow<U, T>> for Turn<T, U> {
    fn send(&mut self, envelope: Envelope<ControlFlow<U, T>>) -> Result<(), Envelope<ControlFlow<U, T>>> {
        let tag = envelope.tag;
        let mut again = Vec::new();
        let mut round = self.round.lock();
        let Some(going) = round.tags.get_mut(&tag) else {
            unreachable!("the gate has entered each item of a loop, and only the last part of one removes it")
        };
        envelope.items.for_each(|item| match item {
            ControlFlow::Break(item) => going.going_on.push(item),
            ControlFlow::Continue(item) => again.push(item),
        });
        going.left = going.left + again.len() - 1;
        let done = if going.left == 0 { round.tags.remove(&tag) } else { None };
        let back = if again.is_empty() { None } else { round.back.clone() };
        let closed = round.close();
        drop(round);
        drop(closed);
        for item in again {
            // If the receivers have left, the whole pipeline is about to end.
            let _ = back.as_ref().map(|back| back.send(Envelope { tag, items: Group::One(item) }));
        }
        if let Some(done) = done {
            let gone = self.lane.send(Envelope { tag: done.tag, items: done.going_on });
            return gone.map_err(|_| Envelope { tag, items: Group::None });
        }
        Ok(())
    }

    fn another(&self) -> Box<dyn Passage<ControlFlow<U, T>>> {
        Box::new(Turn { round: self.round.clone(), lane: self.lane.another() })
    }
}
