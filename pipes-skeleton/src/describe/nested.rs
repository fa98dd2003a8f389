//! Farms of pipelines, and loops.

use super::pipeline::Pipeline;
use super::place::{Part, Place};
use super::plan::{MOST_REPLICAS, PartId, Plan};
use crate::envelope::{Envelope, Group};
use crate::failure::BuildError;
use crate::run::edge::{CustomSender, Distribution, Sender, shared_edge};
use crate::run::threads::Threads;
use crate::run::upstream::{Upstream, Window};
use crate::sync::{Arc, Lock};
use pipes::SharedChan;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

impl<T: Send + 'static, P: Place> Pipeline<T, P> {
    /// Adds a farm of pipelines. Each replica is a pipeline that the function makes from the replica's share
    /// of the items. A free replica takes the next item.
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
    /// Inside the farm, a stage sees only its share of the items. So a [`Part`] of a pipeline has no order,
    /// and no stages that combine items: add those after the farm. A replica counts as free when its first
    /// stage is free. If that stage is cheap, waits for futures, or is a loop, it takes items in advance, and
    /// other replicas can no longer take these.
    pub fn farm<U: Send + 'static>(
        self,
        replicas: usize,
        mut replica: impl FnMut(Pipeline<T, Part>) -> Pipeline<U, Part>,
    ) -> Pipeline<U, P> {
        let Pipeline { upstream, mut plan, .. } = self.order_here();
        plan.check_call("farm", replicas > 0, BuildError::NoReplicas);
        plan.check_call("farm", replicas <= MOST_REPLICAS, BuildError::TooManyReplicas);
        let replicas = replicas.min(MOST_REPLICAS);
        let (mut senders, mut parts, mut plans) = (0, Vec::new(), Vec::<(PartId, Plan)>::new());
        for _ in 0..replicas {
            let share = Arc::new(Lock::new(None));
            let which = PartId::default();
            let outline = plan.of_part(&which, plans.first().map(|(_, plan)| plan));
            let part = replica(Pipeline::new(Upstream::Share(share.clone()), outline));
            // A replica needs at least one stage.
            let part = if part.upstream.is_share() { part.stage(|item| item) } else { part };
            senders += part.upstream.senders();
            plans.push((which, part.plan));
            parts.push((share, part.upstream));
        }
        plans.into_iter().for_each(|(which, part)| plan.adopt("farm", &which, part));
        let start = move |threads: &Threads, sender: Sender<U>, window: Option<Window>| {
            let receivers =
                upstream.receivers(threads, None, Distribution { replicas, router: None }, window);
            let senders = sender.split(replicas);
            for (((share, part), receiver), sender) in parts.into_iter().zip(receivers).zip(senders) {
                *share.lock() = Some(receiver);
                part.start(threads, sender, None);
            }
        };
        Pipeline::new(Upstream::region(senders, start), plan)
    }

    /// Adds a loop. For each item, its stages return [`ControlFlow::Break`] with a result for the next stage,
    /// or [`ControlFlow::Continue`] with an item that goes back to the first stage of the loop.
    ///
    /// ```
    /// use std::ops::ControlFlow::{Break, Continue};
    ///
    /// // The number of steps to reach 1 (Collatz).
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
    /// [`in_flight`](Pipeline::in_flight) limits the number of items of the source that are in the loop. If
    /// an item becomes several in the loop, all of them are in memory at once, and their results leave the
    /// loop together, in the order in which they are complete. So do the parts that
    /// [`flat_map`](Pipeline::flat_map) makes of one item behind replicas: `in_order` orders items of the
    /// source, and not the parts of one.
    pub fn feedback<U: Send + 'static>(
        self,
        body: impl FnOnce(Pipeline<T, Part>) -> Pipeline<ControlFlow<U, T>, Part>,
    ) -> Pipeline<U, P> {
        // The first stage of the loop needs a stage before it.
        let before = if self.upstream.is_share() { self.stage(|item| item) } else { self.order_here() };
        let Pipeline { upstream, mut plan, .. } = before;
        let share = Arc::new(Lock::new(None));
        let which = PartId::default();
        let part = body(Pipeline::new(Upstream::Share(share.clone()), plan.of_part(&which, None)));
        let Pipeline { upstream: part, plan: part_plan, .. } = part;
        plan.adopt("feedback", &which, part_plan);
        let senders = part.senders();
        let start = move |threads: &Threads, sender: Sender<U>, window: Option<Window>| {
            let (chan, receiver) = shared_edge();
            *share.lock() = Some(receiver);
            let state = Arc::new(Lock::new(LoopState {
                entries: 1,
                next: 0,
                items: BTreeMap::new(),
                back: Some(chan.clone()),
            }));
            part.start(threads, Sender::Custom(Box::new(LoopExit { state: state.clone(), sender })), None);
            upstream.start(threads, Sender::Custom(Box::new(LoopEntry { state, chan })), window);
        };
        Pipeline::new(Upstream::region(senders, start), plan)
    }
}

/// The state of a loop.
struct LoopState<T, U> {
    /// The number of senders before the loop that may still send items into it.
    entries: usize,
    /// The tag in the loop of the next item. Items are numbered again there, because in a loop inside a loop
    /// several of them may come from one item of the source.
    next: usize,
    /// The items that have entered the loop and not left it, by their tag in the loop.
    items: BTreeMap<usize, LoopItem<U>>,
    /// The channel to the first stage of the loop. It is closed when no more items will be sent back, so that
    /// the stages of the loop end.
    back: Option<SharedChan<Envelope<T>>>,
}

/// An item that has entered a loop, and its results.
struct LoopItem<U> {
    /// The item's tag before the loop.
    tag: usize,
    /// The number of items that it has become and that are still in the loop.
    left: usize,
    /// Its results so far. They leave the loop together.
    results: Group<U>,
}

impl<T, U> LoopState<T, U> {
    /// Closes the channel back if no item is in the loop and none will enter it. Returns the channel, which
    /// the caller drops after it has released the lock.
    fn close(&mut self) -> Option<SharedChan<Envelope<T>>> {
        if self.entries == 0 && self.items.is_empty() { self.back.take() } else { None }
    }
}

/// A sender that sends items into a loop.
struct LoopEntry<T, U> {
    state: Arc<Lock<LoopState<T, U>>>,
    chan: SharedChan<Envelope<T>>,
}

impl<T: Send + 'static, U: Send + 'static> CustomSender<T> for LoopEntry<T, U> {
    fn send(&mut self, envelope: Envelope<T>) -> Result<(), Envelope<T>> {
        let Envelope { tag, items } = envelope;
        let mut state = self.state.lock();
        let tag_in_loop = state.next;
        state.next = tag_in_loop.wrapping_add(1);
        state.items.insert(tag_in_loop, LoopItem { tag, left: 1, results: Group::None });
        drop(state);
        // An envelope without items also counts, and goes through the loop.
        self.chan
            .send(Envelope { tag: tag_in_loop, items })
            .map_err(|closed| Envelope { tag, ..closed.into_payload() })
    }

    fn duplicate(&self) -> Box<dyn CustomSender<T>> {
        self.state.lock().entries += 1;
        Box::new(LoopEntry { state: self.state.clone(), chan: self.chan.clone() })
    }
}

impl<T, U> Drop for LoopEntry<T, U> {
    fn drop(&mut self) {
        let mut state = self.state.lock();
        state.entries -= 1;
        let closed = state.close();
        drop(state);
        drop(closed);
    }
}

/// The sender of the last stage of a loop: items go back to the first stage, or on to the stage after the
/// loop.
struct LoopExit<T, U> {
    state: Arc<Lock<LoopState<T, U>>>,
    sender: Sender<U>,
}

impl<T: Send + 'static, U: Send + 'static> CustomSender<ControlFlow<U, T>> for LoopExit<T, U> {
    fn send(&mut self, envelope: Envelope<ControlFlow<U, T>>) -> Result<(), Envelope<ControlFlow<U, T>>> {
        let tag = envelope.tag;
        let mut again = Vec::new();
        let mut state = self.state.lock();
        let Some(entered) = state.items.get_mut(&tag) else {
            unreachable!("each item was noted when it entered the loop, and only its last part removes it")
        };
        envelope.items.for_each(|item| match item {
            ControlFlow::Break(item) => entered.results.push(item),
            ControlFlow::Continue(item) => again.push(item),
        });
        entered.left = entered.left + again.len() - 1;
        let done = if entered.left == 0 { state.items.remove(&tag) } else { None };
        let back = if again.is_empty() { None } else { state.back.clone() };
        let closed = state.close();
        drop(state);
        drop(closed);
        for item in again {
            // If the receivers are gone, the whole pipeline is about to end.
            let _ = back.as_ref().map(|back| back.send(Envelope { tag, items: Group::One(item) }));
        }
        if let Some(done) = done {
            let sent = self.sender.send(Envelope { tag: done.tag, items: done.results });
            return sent.map_err(|_| Envelope { tag, items: Group::None });
        }
        Ok(())
    }

    fn duplicate(&self) -> Box<dyn CustomSender<ControlFlow<U, T>>> {
        Box::new(LoopExit { state: self.state.clone(), sender: self.sender.duplicate() })
    }
}
