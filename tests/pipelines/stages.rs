//! The stages of the pipelines, each written as an application would.

use crate::case::{Case, Visit};
use crate::item::Item;
use crate::plan::{Fault, Work, goes_back, is_fresh};
use pipes_skeleton::{
    Batching, Gather, Pipeline, Place, Processed, fallible, filter, filter_map, flat_map, inspect,
};
use std::future::{Future, pending, poll_fn};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::Poll;
use std::time::Duration;
use std::vec;

type Items = Pipeline<Item>;

/// A step's function, whose clones know their replica's number. The original only makes the clones.
pub struct Worker {
    case: Arc<Case>,
    step: usize,
    number: usize,
    clones: Arc<AtomicUsize>,
}

impl Clone for Worker {
    fn clone(&self) -> Self {
        let number = self.clones.fetch_add(1, SeqCst);
        Worker { case: self.case.clone(), step: self.step, number, clones: self.clones.clone() }
    }
}

impl Worker {
    pub fn new(case: &Arc<Case>, step: usize) -> Self {
        Worker { case: case.clone(), step, number: 0, clones: Arc::default() }
    }

    pub fn name(&self) -> String {
        format!("s{}", self.step)
    }

    /// Another original, to be cloned and not used.
    pub fn pattern(&self) -> Self {
        Worker { case: self.case.clone(), step: self.step, number: 0, clones: self.clones.clone() }
    }

    fn map(&self, item: Item) -> Item {
        self.case.map(self.step, self.number, item)
    }

    fn try_map(&self, item: Item) -> Result<Item, String> {
        self.case.try_map(self.step, self.number, item)
    }

    fn look(&self, item: &Item) {
        self.case.begin(self.step, self.number, item).emits(item.value);
    }

    fn holds(&self, item: &Item) -> bool {
        let visit = self.case.begin(self.step, self.number, item);
        let holds = !Work::Filter.results(self.step, item.value).is_empty();
        if holds {
            visit.emits(item.value);
        }
        holds
    }

    fn filter_map(&self, item: Item) -> Option<Item> {
        if Work::FilterMap.results(self.step, item.value).is_empty() {
            self.drop_here(item);
            return None;
        }
        Some(self.map(item))
    }

    fn drop_here(&self, mut item: Item) -> Visit {
        let visit = self.case.begin(self.step, self.number, &item);
        self.case.arm(self.step, &mut item);
        drop(item);
        visit
    }

    fn flat_map(&self, item: Item) -> impl Iterator<Item = Item> + use<> {
        let values = self.case.model.steps[self.step].work.results(self.step, item.value);
        let visit = self.drop_here(item);
        Announced { visit, last: None, items: values.into_iter().map(Item::new) }
    }

    fn turn(&self, item: Item) -> ControlFlow<Item, Item> {
        turn(self.map(item))
    }

    fn take_apart(&self, batch: Vec<Item>, size: usize) -> impl Iterator<Item = Item> + use<> {
        if batch.is_empty() || batch.len() > size {
            crate::item::complain(format!("a batch of {}, not {size}", batch.len()));
        }
        Apart { worker: self.clone(), last: None, items: batch.into_iter() }
    }
}

fn turn(item: Item) -> ControlFlow<Item, Item> {
    if goes_back(item.value) { Continue(item) } else { Break(item) }
}

/// Several results of an item. Each is recorded as emitted when the next one is asked for: before, it may
/// have no place.
struct Announced<I> {
    visit: Visit,
    last: Option<u64>,
    items: I,
}

impl<I: Iterator<Item = Item>> Iterator for Announced<I> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if let Some(last) = self.last.take() {
            self.visit.emits(last);
        }
        let item = self.items.next()?;
        self.last = Some(item.value);
        Some(item)
    }
}

/// A batch that is taken apart. Its items are recorded in the same way as those of `Announced`.
struct Apart {
    worker: Worker,
    last: Option<Visit>,
    items: vec::IntoIter<Item>,
}

impl Iterator for Apart {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if let Some(visit) = self.last.take() {
            visit.emits(visit.value());
        }
        let mut item = self.items.next()?;
        let Worker { case, step, .. } = &self.worker;
        let visit = case.begin(*step, 0, &item);
        case.arm(*step, &mut item);
        self.last = Some(visit);
        Some(item)
    }
}

/// A sequential stage.
pub fn ordered(items: Items, worker: Worker) -> Items {
    items.ordered(move |item| worker.map(item))
}

pub fn serial<P: Place>(items: Pipeline<Item, P>, work: Work, worker: Worker) -> Pipeline<Item, P> {
    match work {
        Work::Map => items.sequential(move |item| worker.map(item)),
        Work::Try => items.try_sequential(move |item| worker.try_map(item)),
        Work::Inspect => items.inspect(move |item| worker.look(item)),
        Work::Filter => items.filter(move |item| worker.holds(item)),
        Work::FilterMap => items.filter_map(move |item| worker.filter_map(item)),
        Work::FlatMap => items.flat_map(move |item| worker.flat_map(item)),
    }
}

pub fn farm<P: Place>(
    items: Pipeline<Item, P>,
    work: Work,
    replicas: usize,
    worker: Worker,
) -> Pipeline<Item, P> {
    let each = |_| worker.clone();
    match work {
        Work::Map => items.parallel(replicas, move |item| worker.map(item)),
        Work::Try if replicas == 3 => items.parallel_with(replicas, |number| {
            let worker = each(number);
            fallible(move |item| worker.try_map(item))
        }),
        Work::Try => items.try_parallel(replicas, move |item| worker.try_map(item)),
        Work::Inspect => items.parallel_with(replicas, |number| {
            let worker = each(number);
            inspect(move |item: &Item| worker.look(item))
        }),
        Work::Filter => items.parallel_with(replicas, |number| {
            let worker = each(number);
            filter(move |item: &Item| worker.holds(item))
        }),
        Work::FilterMap => items.parallel_with(replicas, |number| {
            let worker = each(number);
            filter_map(move |item| worker.filter_map(item))
        }),
        Work::FlatMap => items.parallel_with(replicas, |number| {
            let worker = each(number);
            flat_map(move |item| worker.flat_map(item))
        }),
    }
}

pub fn keyed(items: Items, replicas: usize, keys: u64, worker: Worker) -> Items {
    let (case, step) = (worker.case.clone(), worker.step);
    let key = move |item: &Item| {
        case.schedule(step, item);
        item.value % keys
    };
    items.keyed(replicas, key, move |item| worker.map(item))
}

pub fn round_robin(items: Items, replicas: usize, worker: Worker) -> Items {
    items.round_robin(replicas, move |item| worker.map(item))
}

pub fn scheduled(items: Items, replicas: usize, worker: Worker) -> Items {
    let (case, step) = (worker.case.clone(), worker.step);
    let schedule = move |item: &Item, _| {
        case.schedule(step, item);
        crate::plan::scheduled(item.value)
    };
    items.scheduled_with(replicas, schedule, |number| {
        let worker = Worker { number, ..worker.clone() };
        move |item| worker.map(item)
    })
}

pub fn feedback(items: Items, replicas: usize, work: Work, worker: Worker) -> Items {
    let name = worker.name();
    items.feedback(|again| {
        let round = match work {
            Work::FlatMap => again.parallel_with(replicas, |_| {
                let worker = worker.clone();
                flat_map(move |item| worker.flat_map(item).map(turn))
            }),
            _ if replicas == 1 => again.sequential(move |item| worker.turn(item)),
            _ => again.parallel(replicas, move |item| worker.turn(item)),
        };
        round.named(name)
    })
}

pub fn concurrent(items: Items, at_a_time: usize, worker: Worker) -> Items {
    items.concurrent(at_a_time, move |item| result(worker.case.clone(), worker.step, item))
}

/// A future that is ready after some polls.
fn result(case: Arc<Case>, step: usize, mut item: Item) -> impl Future<Output = Item> + Send {
    let visit = case.begin(step, 0, &item);
    case.arm(step, &mut item);
    async move {
        let value = item.value;
        if let Some(Fault::Pending { step: at, value: this }) = case.plan.fault
            && (at, this) == (step, value)
        {
            case.tell();
            pending::<()>().await;
        }
        let mut turns = crate::plan::mix(value, case.salt) % 4;
        poll_fn(|cx| {
            if turns == 0 {
                return Poll::Ready(());
            }
            turns -= 1;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        let item = item.turn_into(Work::Map.results(step, value)[0], is_fresh(step, value));
        drop(visit);
        item
    }
}

pub fn batch(items: Items, size: usize, aged: bool, worker: Worker) -> Items {
    let batching = Batching::of(size);
    let batching = if aged { batching.within(Duration::from_millis(1)) } else { batching };
    let batches = items.batched(&batching).named(worker.name() + " before");
    batches.flat_map(move |batch| worker.take_apart(batch, size))
}

/// Keeps some items back.
pub struct Holder {
    pub worker: Worker,
    pub size: usize,
    pub kept: Vec<(Item, usize)>,
}

impl Holder {
    fn emit_all(&mut self, emit: &mut impl FnMut(Item) -> Processed) -> Processed {
        for (item, segment) in self.kept.drain(..) {
            let value = item.value;
            emit(item)?;
            self.worker.case.enter(segment, value);
        }
        Ok(())
    }
}

impl Gather<Item> for Holder {
    type Out = Item;

    fn take(&mut self, mut item: Item, emit: &mut impl FnMut(Item) -> Processed) -> Processed {
        let Worker { case, step, .. } = &self.worker;
        let visit = case.begin(*step, 0, &item);
        case.arm(*step, &mut item);
        let segment = visit.begins().expect("a place where items come one after the other");
        self.kept.push((item, segment));
        if self.kept.len() >= self.size { self.emit_all(emit) } else { Ok(()) }
    }

    fn finish(&mut self, emit: &mut impl FnMut(Item) -> Processed) -> Processed {
        self.emit_all(emit)
    }
}
