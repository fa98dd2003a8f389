//! A pipeline is ended while its sink holds an item for which the port has no room. The item's destructor
//! waits for the reader behind the pipeline, or for the source. Neither may hang.

use super::waits::{Waits, second_first};
use pipes::Port;
use pipes_skeleton::{Cancel, Running, from_fn};
use pipes_tests::watched;
use std::sync::mpsc::{Receiver, Sender, channel};

const WINDOW: u64 = 8;

/// A result, which may wait in its destructor.
struct Item {
    _waits: Option<Waits>,
}

/// Makes a pipeline whose port is full with the first item, and whose sink holds the second one. The
/// destructor of that item waits until the sender of `waits` is dropped. The source owns `goes`.
fn held(waits: Receiver<()>, goes: Sender<()>, cancel: &Cancel) -> (Port<Item>, Running) {
    let (pull, pulls) = channel();
    let mut waits = Some(Waits(waits));
    let mut number = 0;
    let source = from_fn(move || {
        let _goes = &goes;
        // The test may have stopped listening.
        let _ = pull.send(number);
        number += 1;
        Some(Item { _waits: if number == 2 { waits.take() } else { None } })
    });
    let region = second_first(source.window(WINDOW as usize)).in_order().hand_over(1);
    let (port, running) = region.cancelled_by(cancel).into_port();
    // The sink gets the second item together with the first one. When it finds no room for the second one, it
    // gives back the place of the first.
    while pulls.recv().expect("the source is there") < WINDOW {}
    (port, running)
}

/// The pipeline is cancelled. The item waits for the reader, which waits for the end of the results.
#[test]
fn an_item_that_waits_for_the_reader() {
    watched(|| {
        let cancel = Cancel::new();
        let (reading, read) = channel();
        let (goes, _gone) = channel();
        let (port, running) = held(read, goes, &cancel);
        cancel.cancel();
        // If the sink notices the cancel late, the reader makes room for the second item by taking the first.
        // Then the second item is dropped here, at the end.
        let items: Vec<_> = port.into_iter().collect();
        assert!((1..=2).contains(&items.len()));
        drop(reading);
        assert!(running.join().is_err(), "it was cancelled");
    });
}

/// The port is dropped. The item waits for the source, which waits for room.
#[test]
fn an_item_that_waits_for_the_source() {
    watched(|| {
        let (goes, gone) = channel();
        let (port, running) = held(gone, goes, &Cancel::new());
        drop(port);
        assert!(running.join().is_ok(), "what comes out is not wanted any more, which is no failure");
    });
}
