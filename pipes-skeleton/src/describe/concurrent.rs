//! Async stages: several futures at a time, in one thread.

use super::pipeline::Pipeline;
use super::place::Place;
use crate::envelope::{Envelope, Group};
use crate::failure::{BoxError, BuildError};
use crate::measure::probe::{Probe, Spent};
use crate::run::edge::{Distribution, Sender};
use crate::run::receiver::Receiver;
use crate::run::stage_info::Runs;
use crate::run::threads::{Stopped, Threads, WaitError};
use crate::run::upstream::Upstream;
use crate::run::work::failed;
use crate::sync::{Arc, Lock};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::future::Future;
use std::iter::Enumerate;
use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll, Wake, Waker};
use std::vec;

/// The future of an item.
type Pending<U> = Pin<Box<dyn Future<Output = Result<U, BoxError>> + Send>>;

impl<T: Send + 'static, P: Place> Pipeline<T, P> {
    /// Adds an async stage, which runs the futures of up to `at_a_time` items concurrently in one thread.
    /// Results come in the order of completion until the order is restored.
    ///
    /// The stage's thread polls the futures. Futures that need the timers or sockets of a runtime must be
    /// created inside that runtime, with `runtime.enter()`, or be spawned on it. If the pipeline ends early,
    /// all futures are dropped.
    ///
    /// ```
    /// let answers = pipes_skeleton::from_iter(1..=100_u64)
    ///     .concurrent(10, |number| {
    ///         let (chan, port) = pipes::oneshot();
    ///         std::thread::spawn(move || chan.send(2 * number));
    ///         async move { port.await.unwrap_or_default() }
    ///     })
    ///     .in_order()
    ///     .collect()
    ///     .expect("no stage fails");
    /// assert_eq!(answers[41], 84);
    /// ```
    pub fn concurrent<F, A>(self, at_a_time: usize, mut f: F) -> Pipeline<A::Output, P>
    where
        F: FnMut(T) -> A + Send + 'static,
        A: Future<Output: Send + 'static> + Send + 'static,
    {
        self.futures(at_a_time, move |item| {
            let future = f(item);
            Box::pin(async { Ok(future.await) })
        })
    }

    /// Adds an async stage whose futures may fail, which ends the pipeline; see
    /// [`concurrent`](Pipeline::concurrent).
    ///
    /// ```
    /// let answers = pipes_skeleton::from_iter(["1", "2", "x"])
    ///     .try_concurrent(2, |word| async move { word.parse::<u32>() })
    ///     .named("ask");
    /// let failure = answers.collect().expect_err("x is no number");
    /// assert_eq!(failure.stage(), "ask");
    /// ```
    pub fn try_concurrent<F, A, U, E>(self, at_a_time: usize, mut f: F) -> Pipeline<U, P>
    where
        U: Send + 'static,
        E: Into<BoxError>,
        F: FnMut(T) -> A + Send + 'static,
        A: Future<Output = Result<U, E>> + Send + 'static,
    {
        self.futures(at_a_time, move |item| {
            let future = f(item);
            Box::pin(async { future.await.map_err(Into::into) })
        })
    }

    fn futures<U, F>(self, at_a_time: usize, begin: F) -> Pipeline<U, P>
    where
        U: Send + 'static,
        F: FnMut(T) -> Pending<U> + Send + 'static,
    {
        // The replicas of a farm share an input. This stage also waits for futures, so it needs an input of
        // its own.
        let alone = if self.upstream.is_share() { self.stage(|item| item) } else { self.order_here() };
        let Pipeline { upstream, mut plan, .. } = alone;
        let info = plan.add_stage(None, Runs::Futures(at_a_time));
        // Boxed, like stages are.
        let mut begin = Box::new(begin);
        plan.check(at_a_time > 0, BuildError::NoReplicas);
        let start = move |threads: &Threads, sender: Sender<U>, window| {
            let receiver = upstream
                .receivers(threads, threads.queue(&info), Distribution { replicas: 1, router: None }, window)
                .pop();
            let mut receiver = receiver.expect("one replica gets one receiver");
            let mut probe = threads.probe(&info);
            // The stage owns the futures, so that they are dropped after a failure is reported, and a panic
            // is caught.
            let mut futures = None;
            let name = info.name();
            threads.spawn(info.name(), sender, move |threads, sender| {
                let futures = futures.get_or_insert_with(|| Futures::new(at_a_time));
                let run = futures.run(threads, &mut receiver, &mut begin, sender, &mut probe);
                run.or_else(|error| failed(threads, &name, error))
            });
        };
        Pipeline::new(Upstream::region(1, start), plan)
    }
}

/// The futures of a stage.
struct Futures<T, U> {
    /// The maximum number of futures at a time.
    limit: usize,
    /// The futures, by index, each with the id of its item.
    futures: Vec<Option<(ItemId, Pending<U>)>>,
    wakers: Vec<Waker>,
    woken: Arc<Lock<Woken>>,
    /// The indices that have no future.
    free: Vec<usize>,
    /// The items of the current group that have no future yet, with the tag of the envelope and the number of
    /// the group.
    current_group: Option<(usize, usize, Enumerate<vec::IntoIter<T>>)>,
    /// The results of each group so far, by the number of the group. In a loop, several groups may have the
    /// same tag.
    groups: BTreeMap<usize, Results<U>>,
    next_group: usize,
}

/// The number of missing results of a group, and the results so far.
type Results<U> = (usize, Vec<Option<U>>);

/// The tag of an item's envelope, and the item's place in a group if it did not come alone.
#[derive(Clone, Copy)]
struct ItemId {
    tag: usize,
    part: Option<GroupPart>,
}

/// The number of a group, and the index of an item in it.
#[derive(Clone, Copy)]
struct GroupPart {
    group: usize,
    index: usize,
}

/// The futures that were woken and have to be polled.
#[derive(Default)]
struct Woken {
    /// The indices of these futures, each at most once.
    indices: Vec<usize>,
    /// For each future, whether it is in that list.
    is_queued: Vec<bool>,
    /// The waker of the stage, once it has waited.
    stage: Option<Waker>,
}

impl Woken {
    fn add(&mut self, index: usize) {
        if self.is_queued.len() <= index {
            self.is_queued.resize(index + 1, false);
        }
        if !std::mem::replace(&mut self.is_queued[index], true) {
            self.indices.push(index);
        }
    }

    fn take(&mut self) -> Vec<usize> {
        let indices = take(&mut self.indices);
        indices.iter().for_each(|index| self.is_queued[*index] = false);
        indices
    }
}

/// The waker of a future.
struct FutureWaker {
    index: usize,
    woken: Arc<Lock<Woken>>,
}

impl Wake for FutureWaker {
    fn wake(self: Arc<Self>) {
        let mut woken = self.woken.lock();
        woken.add(self.index);
        let stage = woken.stage.clone();
        drop(woken);
        stage.into_iter().for_each(Waker::wake);
    }
}

impl<T, U> Futures<T, U> {
    fn new(at_a_time: usize) -> Self {
        Futures {
            limit: at_a_time,
            futures: Vec::new(),
            wakers: Vec::new(),
            woken: Arc::new(Lock::new(Woken::default())),
            free: Vec::new(),
            current_group: None,
            groups: BTreeMap::new(),
            next_group: 0,
        }
    }

    /// Returns `true` if another future may begin.
    fn has_capacity(&self) -> bool {
        !self.free.is_empty() || self.futures.len() < self.limit
    }

    /// Returns an index that has no future.
    fn free_index(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            let index = self.futures.len();
            self.futures.push(None);
            self.wakers.push(Waker::from(Arc::new(FutureWaker { index, woken: self.woken.clone() })));
            index
        })
    }

    fn run(
        &mut self,
        threads: &Threads,
        receiver: &mut Receiver<T>,
        begin: &mut impl FnMut(T) -> Pending<U>,
        sender: &mut Sender<U>,
        probe: &mut Probe,
    ) -> Result<(), BoxError> {
        let mut ended = false;
        loop {
            threads.check_stopped()?;
            let woken = self.woken.lock().take();
            for index in woken {
                self.poll(index, sender, probe)?;
            }
            if self.has_capacity()
                && let Some((id, item)) = self.next_of_group()
            {
                self.begin(id, begin(item), sender, probe)?;
                continue;
            }
            if !ended && self.has_capacity() {
                match receiver.try_next() {
                    Poll::Ready(Some(envelope)) => {
                        self.take(envelope, begin, sender, probe)?;
                        continue;
                    }
                    Poll::Ready(None) => ended = true,
                    Poll::Pending => {}
                }
            }
            if ended && self.free.len() == self.futures.len() {
                return Ok(());
            }
            self.wait(threads, receiver, ended)?;
        }
    }

    /// Begins the future of an item that came alone. The items of a group wait until there is capacity.
    fn take(
        &mut self,
        envelope: Envelope<T>,
        begin: &mut impl FnMut(T) -> Pending<U>,
        sender: &mut Sender<U>,
        probe: &mut Probe,
    ) -> Result<(), BoxError> {
        probe.took_group(&envelope.items);
        let tag = envelope.tag;
        match envelope.items {
            Group::One(item) => self.begin(ItemId { tag, part: None }, begin(item), sender, probe)?,
            Group::None => send(sender, tag, Group::None)?,
            Group::Many(items) => {
                let results = items.iter().map(|_| None).collect();
                let group = self.next_group;
                self.next_group = group.wrapping_add(1);
                self.groups.insert(group, (items.len(), results));
                self.current_group = Some((tag, group, items.into_iter().enumerate()));
            }
        }
        Ok(())
    }

    /// Takes the next item of the current group.
    fn next_of_group(&mut self) -> Option<(ItemId, T)> {
        let (tag, group, items) = self.current_group.as_mut()?;
        let (tag, group, next) = (*tag, *group, items.next());
        if next.is_none() {
            self.current_group = None;
        }
        next.map(|(index, item)| (ItemId { tag, part: Some(GroupPart { group, index }) }, item))
    }

    fn begin(
        &mut self,
        id: ItemId,
        future: Pending<U>,
        sender: &mut Sender<U>,
        probe: &mut Probe,
    ) -> Result<(), BoxError> {
        let index = self.free_index();
        self.futures[index] = Some((id, future));
        self.poll(index, sender, probe)
    }

    /// Waits until there is something to do.
    fn wait(&self, threads: &Threads, receiver: &mut Receiver<T>, ended: bool) -> Result<(), Stopped> {
        let takes_more = !ended && self.has_capacity();
        let waited = threads.wait(
            "an item of a pipeline, or a future",
            || None,
            || !self.woken.lock().indices.is_empty(),
            |cx| {
                let mut woken = self.woken.lock();
                if !woken.stage.as_ref().is_some_and(|stage| stage.will_wake(cx.waker())) {
                    woken.stage = Some(cx.waker().clone());
                }
                let is_woken = !woken.indices.is_empty();
                drop(woken);
                if is_woken || takes_more && receiver.poll_ready(cx).is_ready() {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            },
        );
        waited.map_err(|_: WaitError| Stopped)
    }

    fn poll(&mut self, index: usize, sender: &mut Sender<U>, probe: &mut Probe) -> Result<(), BoxError> {
        // A future that was woken more than once may be done.
        let Some((id, future)) = &mut self.futures[index] else { return Ok(()) };
        probe.lap(Spent::WaitingForItems);
        let polled = future.as_mut().poll(&mut Context::from_waker(&self.wakers[index]));
        probe.lap(Spent::Working);
        let Poll::Ready(result) = polled else { return Ok(()) };
        probe.done();
        let id = *id;
        self.futures[index] = None;
        self.free.push(index);
        Ok(self.forward(id, result?, sender)?)
    }

    /// Sends a result. The results of a group are sent together, when none is missing.
    fn forward(
        &mut self,
        ItemId { tag, part }: ItemId,
        item: U,
        sender: &mut Sender<U>,
    ) -> Result<(), Stopped> {
        let Some(GroupPart { group, index }) = part else {
            return send(sender, tag, Group::One(item));
        };
        let Entry::Occupied(mut group) = self.groups.entry(group) else {
            unreachable!("a group is removed with its last result, which was missing until now")
        };
        let (missing, results) = group.get_mut();
        results[index] = Some(item);
        *missing -= 1;
        if *missing > 0 {
            return Ok(());
        }
        let (_, results) = group.remove();
        send(sender, tag, Group::Many(Box::new(results.into_iter().flatten().collect())))
    }
}

fn send<U>(sender: &mut Sender<U>, tag: usize, items: Group<U>) -> Result<(), Stopped> {
    sender.send(Envelope { tag, items }).map_err(|_| Stopped)
}
