//! Pipelines that end while code of the user does not return. A wait for the end returns after a second of
//! grace, and names the stages that are stuck.

use pipes::stream;
use pipes_skeleton::{
    Cancel, Failure, FailureKind, Gather, Pipeline, Processed, from_fn, from_iter, from_port,
};
use pipes_tests::{test_in, watched};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// Blocks its caller until the sender of `open` is dropped. It tells when it begins.
#[derive(Clone)]
struct Gate {
    begin: Sender<()>,
    open: Arc<Mutex<Receiver<()>>>,
}

impl Gate {
    fn block(&self) {
        // The test may have stopped listening.
        let _ = self.begin.send(());
        let _ = self.open.lock().expect("not poisoned").recv();
    }
}

/// Blocks in its destructor.
struct BlocksAtDrop(Gate);

impl Drop for BlocksAtDrop {
    fn drop(&mut self) {
        self.0.block();
    }
}

/// Blocks when it takes an item, or when it is asked for its deadline.
struct Blocks(Gate, bool);

impl Gather<u64> for Blocks {
    type Out = u64;

    fn take(&mut self, _: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        if self.1 {
            self.0.block();
        }
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        if !self.1 {
            self.0.block();
        }
        None
    }
}

fn endless() -> Pipeline<u64> {
    from_iter(0..).in_flight(3)
}

fn blocks(gate: Gate) -> impl FnMut(u64) -> u64 + Clone + Send + 'static {
    move |number| (gate.block(), number).1
}

/// The name of the stage that is stuck, and a function that makes the pipeline.
type Place = (&'static str, fn(Gate) -> Pipeline<u64>);

const PLACES: [Place; 9] = [
    ("source", |gate| from_fn(move || (gate.block(), Some(1)).1)),
    ("it", |gate| endless().sequential(blocks(gate)).named("it")),
    ("it", |gate| endless().parallel(2, blocks(gate)).named("it")),
    ("it", |gate| endless().farm(2, |share| share.sequential(blocks(gate.clone())).named("it"))),
    ("it", |gate| {
        let blocked = endless().concurrent(2, move |number| {
            let gate = gate.clone();
            async move { (gate.block(), number).1 }
        });
        blocked.named("it")
    }),
    ("it", |gate| endless().gather(Blocks(gate, true)).named("it")),
    // It is asked for its deadline when there is nothing to take.
    ("it", |gate| {
        let (chan, silent) = stream();
        let open = move |number| (&chan, number).1;
        from_port(silent).gather(Blocks(gate, false)).named("it").sequential(open)
    }),
    // A key is computed by the stage before.
    ("source", |gate| endless().keyed_with(2, move |n: &u64| (gate.block(), *n).1, |_| |n| n).named("it")),
    ("it", |gate| {
        let own = BlocksAtDrop(gate);
        endless().sequential(move |number| (&own, number).1).named("it")
    }),
];

/// The caller waits in each of several ways.
fn wait(pipeline: Pipeline<u64>, way: usize) -> Option<Failure> {
    match way {
        0 => pipeline.for_each(drop).err(),
        1 => {
            let (port, running) = pipeline.into_port();
            port.into_iter().for_each(drop);
            running.join().err()
        }
        _ => pipeline.into_iter().find_map(Result::err),
    }
}

#[test]
fn a_cancel_while_a_stage_is_stuck() {
    let check = |place: usize, way: usize| {
        let (name, make) = PLACES[place];
        let ((begin, begun), (open, opens)) = (channel(), channel::<()>());
        let cancel = Cancel::new();
        let gate = Gate { begin, open: Arc::new(Mutex::new(opens)) };
        let pipeline = make(gate).cancelled_by(&cancel);
        let cancelling = thread::spawn(move || {
            // The last one blocks only when it ends.
            if place + 1 < PLACES.len() {
                begun.recv().expect("it comes there");
            }
            cancel.cancel();
        });
        let failure = wait(pipeline, way).expect("it is cancelled");
        cancelling.join().expect("it does not panic");
        assert!(matches!(failure.kind(), FailureKind::Cancelled), "{place}: {failure}");
        let stuck = failure.stuck();
        assert!(!stuck.is_empty() && stuck.iter().all(|stuck| stuck == name), "{place}: {stuck:?}");
        // It comes back.
        drop(open);
    };
    let threads: Vec<_> = (0..PLACES.len())
        .flat_map(|place| [(place, place % 3), (place, (place + 1) % 3)])
        .map(|(place, way)| thread::spawn(move || watched(move || check(place, way))))
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("each wait ends"));
}

/// A stage panics while the source is stuck. Stages that are not stuck have ended when the caller is told.
#[test_in(watched)]
fn a_panic_while_the_source_is_stuck() {
    let ((keep, opens), (gone, is_gone)) = (channel::<()>(), channel::<()>());
    let ((begin, begun), mut is_first) = (channel(), true);
    let source = from_fn(move || {
        if std::mem::take(&mut is_first) {
            return Some(0);
        }
        begin.send(()).expect("it is waited for");
        let _ = opens.recv();
        None::<u64>
    });
    let failure = source.sequential(move |_| {
        let _here = &gone;
        begun.recv().expect("it comes there");
        panic!("on purpose")
    });
    let failure: Failure = failure.for_each(drop::<u64>).expect_err("it panics");
    assert_eq!((failure.panic_message(), failure.stuck()), (Some("on purpose"), &["source".to_owned()][..]));
    assert!(is_gone.recv().is_err());
    drop(keep);
}
