//! A stage that sleeps until an item is due must have given back all places of the region before it.

use super::waits::second_first;
use pipes::stream;
use pipes_skeleton::{Pace, from_iter};
use pipes_tests::watched;

const ITEMS: u64 = 64;

/// At the first pace the first item comes at once, and the second one days later. The sink sets a faster pace
/// when the source is a whole window ahead, which is possible because the first item has left the region.
fn whole_window(window: u64) {
    let (mut pulled, mut pulls) = stream();
    let source = from_iter((0..ITEMS).inspect(move |number| pulled.send(*number).expect("it is here")));
    let pace = Pace::new(1e-6).expect("it can be kept");
    let region = second_first(source.window(window as usize)).in_order();
    let mut count = 0;
    let done = region.paced(&pace).for_each(|number| {
        assert_eq!(number, count);
        if count == 0 {
            while pulls.recv().expect("the source is there") < window {}
            pace.set(1e5).expect("it can be kept");
        }
        count += 1;
    });
    done.expect("no stage fails");
    assert_eq!(count, ITEMS);
}

/// In a window of 4 each place is given back by itself.
#[test]
fn a_narrow_window_is_there_while_its_end_waits_for_the_clock() {
    watched(|| whole_window(4));
}

/// In a window of 8 the places are given back in groups.
#[test]
fn the_whole_window_is_there_while_its_end_waits_for_the_clock() {
    watched(|| whole_window(8));
}
