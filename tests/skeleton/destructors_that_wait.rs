//! Destructors of items, stages and sources that wait for something else in the pipeline. Each end is said
//! before anything is dropped, so none of them waits for ever.

use pipes::{Port, oneshot};
use pipes_skeleton::{Cancel, Gather, Pipeline, Processed, Running, Stage, from_fn, from_iter};
use pipes_tests::{Counted, DropCounter, apart, effort, test_in, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Its destructor waits until the sender is dropped.
struct Waits(Receiver<()>);

impl Drop for Waits {
    fn drop(&mut self) {
        assert!(self.0.recv().is_err(), "nothing is sent");
    }
}

/// An async stage that lets the first item go after the second one. Where the order is restored, the second
/// item is therefore there as soon as the first one is.
pub(super) fn second_first<T: Send + 'static>(items: Pipeline<T>) -> Pipeline<T> {
    let (go, goes) = oneshot();
    let (mut go, mut goes) = (Some(go), Some(goes));
    let mut count = 0;
    items.concurrent(8, move |item| {
        count += 1;
        let waits_for = if count == 1 { goes.take() } else { None };
        // The second item has gone when the third one is begun.
        if count == 3 {
            go.take().expect("it is kept until now").send(()).expect("the first one waits");
        }
        async move {
            if let Some(goes) = waits_for {
                goes.await.expect("the third one comes");
            }
            item
        }
    })
}

/// An endless source, and a value whose destructor waits until the source is dropped.
fn endless() -> (Pipeline<u64>, Waits) {
    let (here, gone) = channel();
    let mut number = 0;
    let source = from_fn(move || {
        let _here = &here;
        number += 1;
        Some(number)
    });
    (source, Waits(gone))
}

/// Emits `None` and then its value. Panics after that, or drops further items.
struct EmitsTwo(Option<Waits>, bool);

impl Stage<u64> for EmitsTwo {
    type Out = Option<Waits>;

    fn process(&mut self, _: u64, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        let Some(waits) = self.0.take() else { return Ok(()) };
        emit(None)?;
        emit(Some(waits))?;
        assert!(!self.1, "enough");
        Ok(())
    }
}

/// A sink, a replica and a stage behind it fail, with a value that waits for the source.
#[test_in(watched)]
fn a_value_that_waits_for_the_source() {
    let (source, waits) = endless();
    let failure = source.for_each(move |_| {
        let _here = &waits;
        panic!("enough")
    });
    assert_eq!(failure.expect_err("it has no other end").panic_message(), Some("enough"));

    let (source, waits) = endless();
    let mut stages = vec![EmitsTwo(Some(waits), true)];
    let farm = source.parallel_with(1, move |_| stages.pop().expect("one is asked for"));
    let failure = farm.for_each(drop).expect_err("it has no other end");
    assert_eq!(failure.panic_message(), Some("enough"));

    let (source, waits) = endless();
    let mut stages = vec![EmitsTwo(Some(waits), false)];
    let farm = source
        .parallel_with(1, move |_| stages.pop().expect("one is asked for"))
        .try_parallel(1, |item: Option<Waits>| item.ok_or("enough"));
    let failure = farm.for_each(drop).expect_err("it has no other end");
    assert_eq!(failure.to_string(), "stage 2 failed: enough");
}

/// The room of the port, and of the region before it.
const ROOM: usize = 4;

/// Makes a pipeline whose port is full, and whose sink holds the next item. The destructor of that item waits
/// until the sender of `waits` is dropped. The source owns `goes`.
fn held(waits: Receiver<()>, goes: Sender<()>, cancel: &Cancel) -> (Port<Option<Waits>>, Running) {
    let (pull, pulls) = channel();
    let mut waits = Some(Waits(waits));
    let mut number = 0;
    let source = from_fn(move || {
        let _goes = &goes;
        // The test may have stopped listening.
        let _ = pull.send(number);
        number += 1;
        Some(if number == ROOM + 1 { waits.take() } else { None })
    });
    let region = second_first(source).in_order().in_flight(2 * ROOM);
    let held = region.cancelled_by(cancel).into_port();
    // When the sink finds no room for an item, it gives back the places of those before it.
    while pulls.recv().expect("the source is there") < 2 * ROOM - 1 {}
    held
}

/// A sink holds an item for which there is no room. The pipeline is cancelled, and the item waits for the
/// reader; or the port is dropped, and the item waits for the source, which waits for room.
#[test_in(watched)]
fn an_item_without_room_that_waits() {
    let cancel = Cancel::new();
    let (reading, read) = channel();
    let (port, running) = held(read, channel().0, &cancel);
    cancel.cancel();
    // If the sink notices the cancel late, the reader gets the second item, too.
    let items: Vec<_> = port.into_iter().collect();
    assert!((ROOM..=ROOM + 1).contains(&items.len()));
    drop(reading);
    drop(items);
    assert!(running.join().is_err(), "it was cancelled");

    let (goes, gone) = channel();
    let (port, running) = held(gone, goes, &Cancel::new());
    drop(port);
    running.join().expect("that is no failure");
}

/// Passes items on.
struct Through(#[expect(dead_code, reason = "it is there to be dropped")] Waits);

impl Stage<u64> for Through {
    type Out = u64;

    fn process(&mut self, item: u64, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
        emit(item)
    }
}

/// Passes items on, and drops its sender when they end.
struct AtEnd(Option<Sender<()>>);

impl Gather<u64> for AtEnd {
    type Out = u64;

    fn take(&mut self, item: u64, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
        emit(item)
    }

    fn finish(&mut self, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.0 = None;
        Ok(())
    }
}

/// A source, a stage and a replica wait in their destructors for the end behind them.
#[test_in(watched)]
fn stages_that_wait_for_the_end_behind_them() {
    type Make = fn(Waits) -> Pipeline<u64>;
    let makes: [Make; 3] = [
        |waits| {
            let mut items = 0..3;
            from_fn(move || {
                let _here = &waits;
                items.next()
            })
        },
        |waits| from_iter(0..3).stage(Through(waits)),
        |waits| {
            let mut stages = vec![Through(waits)];
            from_iter(0..3).parallel_with(1, move |_| stages.pop().expect("one is asked for"))
        },
    ];
    for make in makes {
        let (end, ended) = channel();
        let items = make(Waits(ended)).gather(AtEnd(Some(end))).collect();
        assert_eq!(items.expect("no stage fails"), [0, 1, 2]);
    }
}

/// Looks long for its deadline, and notes that the items have ended.
struct Slow(Arc<AtomicBool>);

impl Gather<u64> for Slow {
    type Out = u64;

    fn take(&mut self, _: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        Ok(())
    }

    fn deadline(&self) -> Option<std::time::Instant> {
        (0..3).for_each(|_| std::thread::yield_now());
        None
    }

    fn finish(&mut self, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.0.store(true, Ordering::SeqCst);
        Ok(())
    }
}

/// A stage that gathers items took the failure of the stage before it for the end of the items.
#[test_in(watched)]
fn a_failure_is_not_the_end_of_the_items() {
    for _ in 0..effort(200) {
        let has_finished = Arc::new(AtomicBool::new(false));
        let fails = |n| if n < 2 { Ok(n) } else { Err("enough") };
        let farm = from_iter(0..3_u64).try_parallel(1, fails);
        let failure = farm.gather(Slow(has_finished.clone())).collect().expect_err("the third item fails");
        assert_eq!(failure.to_string(), "stage 1 failed: enough");
        assert!(!has_finished.load(Ordering::SeqCst));
    }
}

/// The destructors of its items panic.
struct EmitsAndPanics;

impl Stage<u64> for EmitsAndPanics {
    type Out = Counted;

    fn process(&mut self, item: u64, emit: &mut impl FnMut(Counted) -> Processed) -> Processed {
        emit(DropCounter::new().make_panicking(item))?;
        panic!("the stage fails")
    }
}

/// A stage panics after it has emitted an item whose destructor panics, too. That is a failure, and not the
/// end of the process.
#[test_in(apart, watched)]
#[cfg(not(miri))]
fn a_second_panic_is_no_abort() {
    let stage = from_iter(0..1).stage(EmitsAndPanics);
    assert!(stage.for_each(std::mem::forget).is_err());
    let farm = from_iter(0..1).parallel_with(2, |_| EmitsAndPanics);
    assert!(farm.for_each(std::mem::forget).is_err());
}
