//! An item that comes out of a pipeline, for which the port has no room, when the pipeline is ended: its destructor waits for the end of
//! what is behind it, or before it.

use super::waits::{Waits, second_first};
use pipes::Port;
use pipes::skeleton::{Cancel, Running, from_fn};
use pipes_tests::watched;
use std::sync::mpsc::{Receiver, Sender, channel};

const WINDOW: u64 = 8;

/// Something that comes out.
struct Item {
    _waits: Option<Waits>,
}

/// A pipeline whose port is full with the first item, while its sink holds the second one, which waits for the first of these senders
/// when it is dropped. The source goes with the second sender.
fn held(waits: Receiver<()>, goes: Sender<()>, cancel: &Cancel) -> (Port<Item>, Running) {
    let (pull, pulls) = channel();
    let mut waits = Some(Waits(waits));
    let mut number = 0;
    let source = from_fn(move || {
        let _goes = &goes;
        // The test has seen enough, sooner or later.
        let _ = pull.send(number);
        number += 1;
        Some(Item { _waits: if number == 2 { waits.take() } else { None } })
    });
    let region = second_first(source.window(WINDOW as usize)).in_order().hand_over(1);
    let (port, running) = region.cancelled_by(cancel).into_port();
    // The sink has the second item as soon as the first one. It gives the place of the first one back when it finds no room.
    while pulls.recv().expect("the source is there") < WINDOW {}
    (port, running)
}

/// The pipeline is cancelled. The item waits for the reader, which waits for the end of what comes out.
#[test]
fn an_item_that_waits_for_the_reader() {
    watched(|| {
        let cancel = Cancel::new();
        let (reading, read) = channel();
        let (goes, _gone) = channel();
        let (port, running) = held(read, goes, &cancel);
        cancel.cancel();
        // If the sink is slow to see that, what is read first makes room for the second one; then it is dropped here, at the end.
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
