//! A stage that sleeps because there is no room behind it must have given back all places of the region
//! before it.

use pipes::stream;
use pipes_skeleton::from_iter;
use pipes_tests::watched;

/// The sink waits until the source is a whole window ahead. Meanwhile the stage at the end of the region,
/// which stands before the sink, waits for room.
#[test]
fn the_whole_window_is_there_while_its_end_waits_for_room() {
    watched(|| {
        for window in [1, 7, 8, 16_u64] {
            let (mut pulled, mut pulls) = stream();
            let source =
                from_iter((0..200_u64).inspect(move |number| pulled.send(*number).expect("it is here")));
            let region = source.window(window as usize).parallel(2, |number| number).in_order();
            let mut seen = 0;
            let done = region.sequential(|number| number).hand_over(1).for_each(|number| {
                while seen < (number + window).min(199) {
                    seen = pulls.recv().expect("the source is there");
                }
            });
            done.expect("no stage fails");
        }
    });
}
