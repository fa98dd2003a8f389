//! Senders of a shared stream that may not claim by addition, because their thread is about to end: they
//! visit the tail for each message. A block has room for two of their messages, so every second message comes
//! with a new block, and blocks are freed all the time, while other threads claim by addition, and the port
//! receives, looks, or leaves. Each message must be received once, in its sender's order, or be dropped once.

use pipes::{Port, SharedChan, shared_stream};
use pipes_tests::{Counted, Random, Tally, effort, watched};
use std::cell::RefCell;
use std::thread;

/// A block has room for two of these.
type Large = ([u64; 200], Counted);

type Last = Box<dyn FnOnce()>;

/// Runs functions when its thread ends.
struct AtEnd(RefCell<Vec<Last>>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.get_mut().drain(..).for_each(|last| last());
    }
}

thread_local! {
    static AT_END: AtEnd = const { AtEnd(RefCell::new(Vec::new())) };
}

const EACH: u64 = if cfg!(miri) { 14 } else { 60 };

/// Sends some values, each with the sender's number. A value that comes back is dropped.
fn send(chan: &SharedChan<Large>, sender: u64, tally: &Tally, from: u64) {
    for number in from..from + EACH {
        let made = tally.make(sender << 32 | number);
        let _ = chan.send(([number; 200], made));
    }
}

/// Spawns a thread that sends before its end and, if `is_late`, at its end.
fn sender(chan: SharedChan<Large>, number: u64, tally: Tally, is_late: bool) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut from = 0;
        let in_the_middle = chan.clone();
        if is_late {
            let tally = tally.clone();
            // Thread-locals are mostly dropped in the order of their first use. For even senders this one is
            // first used after the library's own.
            if number.is_multiple_of(2) {
                send(&in_the_middle, number, &tally, 0);
                from = EACH;
            }
            AT_END.with(|it| {
                it.0.borrow_mut().push(Box::new(move || {
                    send(&chan, number, &tally, from);
                    send(&chan, number, &tally, from + EACH);
                }));
            });
        } else {
            send(&in_the_middle, number, &tally, 0);
            drop(chan);
        }
    })
}

/// Receives and checks the order. Leaves after about `most` messages.
fn receive(mut port: Port<Large>, most: usize, lot: &mut Random) -> usize {
    let (mut last, mut count) = ([None; 8], 0);
    while count < most {
        let received = match lot.below(4) {
            0 => port.try_recv().ok(),
            1 => {
                port.try_iter().take(9).for_each(|(numbers, counted)| {
                    check(&mut last, &numbers, &counted);
                    count += 1;
                });
                None
            }
            _ => match port.recv() {
                Ok(message) => Some(message),
                Err(_) => break,
            },
        };
        if let Some((numbers, counted)) = received {
            check(&mut last, &numbers, &counted);
            count += 1;
        }
    }
    count
}

fn check(last: &mut [Option<u64>; 8], numbers: &[u64; 200], counted: &Counted) {
    let (sender, number) = ((counted.number >> 32) as usize, counted.number % (1 << 32));
    assert!(numbers.iter().all(|&it| it == number), "it came whole");
    assert!(last[sender].is_none_or(|before| before < number), "in its sender's order");
    last[sender] = Some(number);
}

fn round(seed: u64) {
    let (tally, mut lot) = (Tally::new(), Random::new(seed));
    let (chan, port) = shared_stream();
    let senders: Vec<_> =
        (0..4).map(|number| sender(chan.clone(), number, tally.clone(), lot.below(4) > 0)).collect();
    drop(chan);
    let most = if lot.below(2) == 0 { usize::MAX } else { lot.below(6 * EACH) as usize };
    let count = receive(port, most, &mut lot);
    senders.into_iter().for_each(|sender| sender.join().expect("it only sends"));
    assert!(most < usize::MAX || count == tally.made(), "all have come");
    tally.assert_all_gone();
}

#[test]
fn at_the_end_of_their_threads() {
    watched(|| (0..effort(1000) as u64).for_each(round));
}
