//! Stages that wait: several futures at a time, in one thread.

use super::crew::{Crew, Ended, Halted};
use super::envelope::{Envelope, Group};
use super::failure::BuildError;
use super::front::Inlet;
use super::lane::{Demand, Lane};
use super::origin::Origin;
use super::pipeline::Pipeline;
use super::probe::{Probe, Spent};
use crate::sync::{Lock, WakeArc, current};
use std::future::Future;
use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll, Wake, Waker};

/// What becomes of an item, and of those that it has become.
type Pending<U> = Pin<Box<dyn Future<Output = Group<U>> + Send>>;

impl<T: Send + 'static> Pipeline<T> {
    /// An async stage: the futures of so many items at a time, in one thread. Results come as they are done, until the order is restored.
    ///
    /// The futures are polled by the stage's thread; those that need a runtime's timers or sockets are made within one
    /// (`runtime.enter()`), or spawned on it. When the pipeline ends early they are dropped.
    ///
    /// ```
    /// let answers = pipes::skeleton::from_iter(1..=100_u64)
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
        // A share's items are waited for together with others'; one that also waits for futures has its own.
        let alone = if self.origin.is_share() { self.stage(|item| item) } else { self.order_here() };
        let Pipeline { origin, mut plan } = alone;
        let station = plan.station(None);
        plan.check(at_a_time > 0, BuildError::NoReplicas);
        let start = move |crew: &Crew, mut lane: Lane<A::Output>, places| {
            let inlet =
                origin.inlets(crew, crew.queue(&station), Demand { replicas: 1, deal: None }, places).pop();
            let mut inlet = inlet.expect("one was asked for");
            let mut probe = crew.probe(&station);
            // It is the stage's own, so that it is dropped after a failure was said, and guarded.
            let mut waiting = None;
            crew.spawn(station.name(), move |crew| {
                let mut begin = |items: Group<T>| pending(items, &mut f);
                let waiting = waiting.get_or_insert_with(|| Waiting::new(at_a_time));
                waiting.run(crew, &mut inlet, &mut begin, &mut lane, &mut probe)
            });
        };
        Pipeline { origin: Origin::region(1, start), plan }
    }
}

/// The future of a group: of one item, nearly always.
fn pending<T, A>(items: Group<T>, f: &mut impl FnMut(T) -> A) -> Pending<A::Output>
where
    A: Future<Output: Send> + Send + 'static,
{
    let mut futures = Vec::new();
    let _ = items.try_for_each(|item| {
        futures.push(f(item));
        Ok::<_, ()>(())
    });
    Box::pin(async move {
        let mut done = Group::None;
        for future in futures {
            done.push(future.await);
        }
        done
    })
}

/// The futures of a stage.
struct Waiting<U> {
    /// How many there may be.
    limit: usize,
    /// Each with the number of its item, if there is one.
    futures: Vec<Option<(usize, Pending<U>)>>,
    wakers: Vec<Waker>,
    woken: WakeArc<Woken>,
    free: Vec<usize>,
}

/// Which futures are to be polled.
struct Woken {
    which: Lock<Calls>,
    stage: Waker,
}

/// Each future calls once, until it is polled.
#[derive(Default)]
struct Calls {
    which: Vec<usize>,
    has_called: Vec<bool>,
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
    woken: WakeArc<Woken>,
}

impl Wake for Bell {
    fn wake(self: WakeArc<Self>) {
        self.woken.which.lock().call(self.index);
        self.woken.stage.wake_by_ref();
    }
}

impl<U> Waiting<U> {
    fn new(at_a_time: usize) -> Self {
        let woken = WakeArc::new(Woken { which: Lock::new(Calls::default()), stage: current() });
        Waiting { limit: at_a_time, futures: Vec::new(), wakers: Vec::new(), free: Vec::new(), woken }
    }

    /// A place for one more future, if there may be one more.
    fn place(&mut self) -> Option<usize> {
        if self.free.is_empty() && self.futures.len() < self.limit {
            let index = self.futures.len();
            self.futures.push(None);
            self.wakers.push(Waker::from(WakeArc::new(Bell { index, woken: self.woken.clone() })));
            self.free.push(index);
        }
        self.free.last().copied()
    }

    fn run<T>(
        &mut self,
        crew: &Crew,
        inlet: &mut Inlet<T>,
        begin: &mut impl FnMut(Group<T>) -> Pending<U>,
        lane: &mut Lane<U>,
        probe: &mut Probe,
    ) -> Result<(), Halted> {
        let mut ended = false;
        loop {
            crew.go_on()?;
            let woken = self.woken.which.lock().take();
            for index in woken {
                self.poll(index, lane, probe)?;
            }
            let mut took = false;
            if !ended && let Some(index) = self.place() {
                match inlet.try_next() {
                    Poll::Ready(Some(envelope)) => {
                        self.free.pop();
                        probe.took();
                        self.futures[index] = Some((envelope.tag, begin(envelope.items)));
                        self.poll(index, lane, probe)?;
                        took = true;
                    }
                    Poll::Ready(None) => ended = true,
                    Poll::Pending => {}
                }
            }
            if ended && self.free.len() == self.futures.len() {
                return Ok(());
            }
            if !took {
                self.wait(crew, inlet, ended)?;
            }
        }
    }

    /// Waits until there is something to do.
    fn wait<T>(&self, crew: &Crew, inlet: &mut Inlet<T>, ended: bool) -> Result<(), Halted> {
        let takes_more = !ended && (!self.free.is_empty() || self.futures.len() < self.limit);
        let waited = crew.until(
            || None,
            || !self.woken.which.lock().which.is_empty(),
            |cx| {
                let is_woken = !self.woken.which.lock().which.is_empty();
                if is_woken || takes_more && inlet.poll_ready(cx).is_ready() {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            },
        );
        waited.map_err(|_: Ended| Halted)
    }

    fn poll(&mut self, index: usize, lane: &mut Lane<U>, probe: &mut Probe) -> Result<(), Halted> {
        // It may have been woken more than once, and be done.
        let Some((tag, future)) = &mut self.futures[index] else { return Ok(()) };
        probe.lap(Spent::WaitingForItems);
        let polled = future.as_mut().poll(&mut Context::from_waker(&self.wakers[index]));
        probe.lap(Spent::Working);
        let Poll::Ready(items) = polled else { return Ok(()) };
        probe.done();
        let tag = *tag;
        self.futures[index] = None;
        self.free.push(index);
        lane.send(Envelope { tag, items }).map_err(|_| Halted)
    }
}
