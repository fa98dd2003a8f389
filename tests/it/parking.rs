//! User code that parks the thread between a wait's registration and its own park. It uses up the thread's
//! wake-up, and the wait must end all the same. Here are selections and pipelines; the table has the others.

use pipes::{oneshot, select, stream};
use pipes_skeleton::{Gather, Processed, from_fn};
use pipes_tests::{WakeCounter, elsewhere, poll, test_in, watched};
use std::cell::Cell;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

/// The receiver that is polled first is random. In many of the rounds it is the one whose message comes while
/// the other is polled.
#[test_in(watched)]
fn a_selection() {
    for round in 0..32 {
        let (chan, mut first) = oneshot();
        let (_silent, mut second) = stream::<u32>();
        let waker = WakeCounter::on_drop_elsewhere(move || chan.send(round).expect("it is waited for"));
        assert!(poll(&mut second, &waker).is_pending());
        drop(waker);
        let chosen = select! {
            message = first => message,
            _ = second => panic!("nothing was sent there"),
        };
        assert_eq!(chosen, Ok(round));
    }
}

/// A stage that lets its source go on in the middle of the stage's own wait, once.
struct Late(Cell<Option<(std::sync::mpsc::Sender<u32>, Receiver<()>)>>);

impl Gather<u32> for Late {
    type Out = u32;

    fn take(&mut self, item: u32, emit: &mut impl FnMut(u32) -> Processed) -> Processed {
        emit(item)
    }

    fn deadline(&self) -> Option<Instant> {
        let (give, asked) = self.0.take()?;
        elsewhere(move || {
            asked.recv().expect("the source begins");
            give.send(7).expect("the source waits");
            asked.recv().expect("the source goes on");
        });
        None
    }
}

#[test_in(watched)]
fn a_stage_whose_deadline_is_the_users() {
    let ((give, gift), (ask, asked)) = (channel(), channel());
    let source = from_fn(move || {
        // The source is asked for the next item, so the one before was handed on.
        ask.send(()).expect("the stage goes on");
        gift.recv().ok()
    });
    let items = source.gather(Late(Cell::new(Some((give, asked))))).collect();
    assert_eq!(items.expect("no stage fails"), [7]);
}
