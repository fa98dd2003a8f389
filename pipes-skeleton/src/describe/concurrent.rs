//! Async stages: several futures at a time, in one thread.

use super::pipeline::Pipeline;
use crate::envelope::{Envelope, Group};
use crate::failure::{BoxError, BuildError};
use crate::measure::probe::{Probe, Spent};
use crate::run::crew::{Crew, Ended, Halted};
use crate::run::front::Inlet;
use crate::run::lane::{Demand, Lane};
use crate::run::origin::Origin;
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

impl<T: Send + 'static> Pipeline<T> {
    /// Adds an async stage: the futures of up to `at_a_time` items run concurrently in one thread. Results
    /// come in the order of completion, until the order is restored.
    ///
    /// The futures are polled by the stage's thread. Futures that need a runtime's timers or sockets must be
    /// created inside that runtime (`runtime.enter()`), or spawned on it. All futures are dropped when the
    /// pipeline ends early.
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
    pub fn concurrent<F, A>(self, at_a_time: usize, mut f: F) -> Pipeline<A::Output>
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
    pub fn try_concurrent<F, A, U, E>(self, at_a_time: usize, mut f: F) -> Pipeline<U>
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

    fn futures<U, F>(self, at_a_time: usize, begin: F) -> Pipeline<U>
    where
        U: Send + 'static,
        F: FnMut(T) -> Pending<U> + Send + 'static,
    {
        // The replicas of a farm wait for items together. This stage also waits for futures, so it needs its
        // own items.
        let alone = if self.origin.is_share() { self.stage(|item| item) } else { self.order_here() };
        let Pipeline { origin, mut plan } = alone;
        let station = plan.station(None);
        // It is boxed, as stages are.
        let mut begin = Box::new(begin);
        plan.check(at_a_time > 0, BuildError::NoReplicas);
        let start = move |crew: &Crew, lane: Lane<U>, room| {
            let inlet =
                origin.inlets(crew, crew.queue(&station), Demand { replicas: 1, deal: None }, room).pop();
            let mut inlet = inlet.expect("a demand for one replica gives one inlet");
            let mut probe = crew.probe(&station);
            // The stage owns it, so that it is dropped after a failure was reported, and guarded.
            let mut futures = None;
            let name = station.name();
            crew.spawn(station.name(), lane, move |crew, lane| {
                let futures = futures.get_or_insert_with(|| Futures::new(at_a_time));
                let run = futures.run(crew, &mut inlet, &mut begin, lane, &mut probe);
                run.or_else(|error| failed(crew, &name, error))
            });
        };
        Pipeline { origin: Origin::region(1, start), plan }
    }
}

/// The futures of a stage.
struct Futures<T, U> {
    /// The largest number of futures at a time.
    limit: usize,
    /// Each future in its place, with the ticket of its result.
    futures: Vec<Option<(Ticket, Pending<U>)>>,
    wakers: Vec<Waker>,
    calls: Arc<Lock<Calls>>,
    free: Vec<usize>,
    /// The items of a group that have no future yet, with the envelope's tag and the group's number; and the
    /// results so far, by that number. The tag is not enough, because in a loop several groups may have the
    /// same tag.
    begun: Option<(usize, usize, Enumerate<vec::IntoIter<T>>)>,
    groups: BTreeMap<usize, Results<U>>,
    next_group: usize,
}

/// The number of results of a group that are missing, and those that are there.
type Results<U> = (usize, Vec<Option<U>>);

/// The tag of an item's envelope, and its part of a group, if it belongs to one.
#[derive(Clone, Copy)]
struct Ticket {
    tag: usize,
    part: Option<GroupPart>,
}

/// The number of a group, and a place in it.
#[derive(Clone, Copy)]
struct GroupPart {
    group: usize,
    place: usize,
}

/// The futures that are to be polled. Each is in the list at most once.
#[derive(Default)]
struct Calls {
    which: Vec<usize>,
    has_called: Vec<bool>,
    /// The waker of the stage, if it has waited.
    stage: Option<Waker>,
}

impl Calls {
    fn call(&mut self, index: usize) {
        if self.has_called.len() <= index {
            self.has_called.resize(index + 1, false);
        }
        if !std::mem::replace(&mut self.has_called[index], true) {
            self.which.push(index);
        }
    }

    fn take(&mut self) -> Vec<usize> {
        let which = take(&mut self.which);
        which.iter().for_each(|index| self.has_called[*index] = false);
        which
    }
}

/// The waker of one future.
struct Bell {
    index: usize,
    calls: Arc<Lock<Calls>>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        let mut calls = self.calls.lock();
        calls.call(self.index);
        let stage = calls.stage.clone();
        drop(calls);
        stage.into_iter().for_each(Waker::wake);
    }
}

impl<T, U> Futures<T, U> {
    fn new(at_a_time: usize) -> Self {
        Futures {
            limit: at_a_time,
            futures: Vec::new(),
            wakers: Vec::new(),
            calls: Arc::new(Lock::new(Calls::default())),
            free: Vec::new(),
            begun: None,
            groups: BTreeMap::new(),
            next_group: 0,
        }
    }

    /// Returns `true` if there is a place for one more future.
    fn has_place(&self) -> bool {
        !self.free.is_empty() || self.futures.len() < self.limit
    }

    /// Takes a free place.
    fn place(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            let index = self.futures.len();
            self.futures.push(None);
            self.wakers.push(Waker::from(Arc::new(Bell { index, calls: self.calls.clone() })));
            index
        })
    }

    fn run(
        &mut self,
        crew: &Crew,
        inlet: &mut Inlet<T>,
        begin: &mut impl FnMut(T) -> Pending<U>,
        lane: &mut Lane<U>,
        probe: &mut Probe,
    ) -> Result<(), BoxError> {
        let mut ended = false;
        loop {
            crew.go_on()?;
            let woken = self.calls.lock().take();
            for index in woken {
                self.poll(index, lane, probe)?;
            }
            if self.has_place()
                && let Some((ticket, item)) = self.next_of_group()
            {
                self.begin(ticket, begin(item), lane, probe)?;
                continue;
            }
            if !ended && self.has_place() {
                match inlet.try_next() {
                    Poll::Ready(Some(envelope)) => {
                        self.take(envelope, begin, lane, probe)?;
                        continue;
                    }
                    Poll::Ready(None) => ended = true,
                    Poll::Pending => {}
                }
            }
            if ended && self.free.len() == self.futures.len() {
                return Ok(());
            }
            self.wait(crew, inlet, ended)?;
        }
    }

    /// Begins the future of an item that came alone. The items of a group wait for their turn.
    fn take(
        &mut self,
        envelope: Envelope<T>,
        begin: &mut impl FnMut(T) -> Pending<U>,
        lane: &mut Lane<U>,
        probe: &mut Probe,
    ) -> Result<(), BoxError> {
        probe.took_group(&envelope.items);
        let tag = envelope.tag;
        match envelope.items {
            Group::One(item) => self.begin(Ticket { tag, part: None }, begin(item), lane, probe)?,
            Group::None => send(lane, tag, Group::None)?,
            Group::Many(items) => {
                let results = items.iter().map(|_| None).collect();
                let group = self.next_group;
                self.next_group = group.wrapping_add(1);
                self.groups.insert(group, (items.len(), results));
                self.begun = Some((tag, group, items.into_iter().enumerate()));
            }
        }
        Ok(())
    }

    /// Takes the next item of a group.
    fn next_of_group(&mut self) -> Option<(Ticket, T)> {
        let (tag, group, items) = self.begun.as_mut()?;
        let (tag, group, next) = (*tag, *group, items.next());
        if next.is_none() {
            self.begun = None;
        }
        next.map(|(place, item)| (Ticket { tag, part: Some(GroupPart { group, place }) }, item))
    }

    fn begin(
        &mut self,
        ticket: Ticket,
        future: Pending<U>,
        lane: &mut Lane<U>,
        probe: &mut Probe,
    ) -> Result<(), BoxError> {
        let index = self.place();
        self.futures[index] = Some((ticket, future));
        self.poll(index, lane, probe)
    }

    /// Waits until there is something to do.
    fn wait(&self, crew: &Crew, inlet: &mut Inlet<T>, ended: bool) -> Result<(), Halted> {
        let takes_more = !ended && self.has_place();
        let waited = crew.until(
            || None,
            || !self.calls.lock().which.is_empty(),
            |cx| {
                let mut calls = self.calls.lock();
                if !calls.stage.as_ref().is_some_and(|stage| stage.will_wake(cx.waker())) {
                    calls.stage = Some(cx.waker().clone());
                }
                let is_woken = !calls.which.is_empty();
                drop(calls);
                if is_woken || takes_more && inlet.poll_ready(cx).is_ready() {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            },
        );
        waited.map_err(|_: Ended| Halted)
    }

    fn poll(&mut self, index: usize, lane: &mut Lane<U>, probe: &mut Probe) -> Result<(), BoxError> {
        // The future may have been woken more than once, and be done.
        let Some((ticket, future)) = &mut self.futures[index] else { return Ok(()) };
        probe.lap(Spent::WaitingForItems);
        let polled = future.as_mut().poll(&mut Context::from_waker(&self.wakers[index]));
        probe.lap(Spent::Working);
        let Poll::Ready(result) = polled else { return Ok(()) };
        probe.done();
        let ticket = *ticket;
        self.futures[index] = None;
        self.free.push(index);
        Ok(self.hand_on(ticket, result?, lane)?)
    }

    /// Hands a result over; those of a group when all of them are there.
    fn hand_on(&mut self, Ticket { tag, part }: Ticket, item: U, lane: &mut Lane<U>) -> Result<(), Halted> {
        let Some(GroupPart { group, place }) = part else { return send(lane, tag, Group::One(item)) };
        let Entry::Occupied(mut group) = self.groups.entry(group) else {
            unreachable!("a group is removed with its last result, and this one is missing")
        };
        let (missing, results) = group.get_mut();
        results[place] = Some(item);
        *missing -= 1;
        if *missing > 0 {
            return Ok(());
        }
        let (_, results) = group.remove();
        send(lane, tag, Group::Many(Box::new(results.into_iter().flatten().collect())))
    }
}

fn send<U>(lane: &mut Lane<U>, tag: usize, items: Group<U>) -> Result<(), Halted> {
    lane.send(Envelope { tag, items }).map_err(|_| Halted)
}
