//! The user's code in a skeleton sends parts of borrowed data on, through streams of all kinds, to the
//! caller's thread, to other threads that borrow, and to nested skeletons, some of which panic. No part may
//! be with two threads at once, each value must be dropped once, and all parts must be whole afterwards.

use pipes::{Port, PortSet, SharedChan, duplex_stream, oneshot, shared_stream, stream, sync_stream};
use pipes_skeleton::{Divided, divide_and_conquer, map, map_in_place, map_reduce, reduce};
use pipes_tests::{Counted, Random, Tally, caught, effort, watched};
use std::sync::Mutex;
use std::thread;

const ITEMS: u64 = if cfg!(miri) { 6 } else { 40 };

/// A part, over-aligned, and changed by each thread that has it.
#[repr(align(64))]
struct Part(Counted, u64);

fn parts(tally: &Tally) -> Vec<Part> {
    (0..ITEMS).map(|number| Part(tally.make(number), 0)).collect()
}

/// `&mut` parts go to another thread while the call goes on, and to a third one, which changes them once
/// more.
fn sent_on(random: &mut Random, tally: &Tally) {
    let (mut all, fuse, workers) = (parts(tally), random.below(2 * ITEMS), 1 + random.below(3) as usize);
    let (chan, port) = shared_stream::<&mut Part>();
    let (back, from_there) = if random.below(2) == 0 { sync_stream(1) } else { stream() };
    let result = thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let (mut back, mut port) = (back, port);
            let mut kept = Vec::new();
            while let Ok(part) = port.recv() {
                part.1 += 1;
                if part.0.number % 3 == 0 {
                    kept.push(part);
                } else if let Err(refused) = back.send(part) {
                    refused.into_payload().1 += 100;
                }
            }
            kept.len()
        });
        let taker = scope.spawn(move || {
            let mut from_there: Port<&mut Part> = from_there;
            let mut count = 0;
            while let Ok(part) = from_there.recv() {
                part.1 += 1;
                count += 1;
                if count == fuse / 2 {
                    // It leaves with some parts unread.
                    return;
                }
            }
        });
        let result = map_in_place(&mut all, workers, |part| {
            assert!(part.0.number != fuse, "the fuse");
            if let Err(refused) = chan.send(part) {
                refused.into_payload().1 += 100;
            }
        });
        drop(chan);
        drop((worker.join(), taker.join()));
        result
    });
    assert_eq!(result.is_err(), fuse < ITEMS);
    for part in &all {
        assert!(part.1 <= 2 || part.1 == 101, "{}", part.1);
    }
    assert!(all.iter().map(|part| part.0.number).eq(0..ITEMS), "all parts are in their places");
}

/// A skeleton in a skeleton in a skeleton, each of which lends what it borrowed to the next.
fn nested(random: &mut Random, tally: &Tally) {
    let (mut all, fuse, workers) = (parts(tally), random.below(3 * ITEMS), 1 + random.below(3) as usize);
    let maker = tally.clone();
    let mut halves: Vec<&mut [Part]> = all.chunks_mut(3).collect();
    let outer = map_in_place(&mut halves, workers, |half| {
        let made = map(half, 2, |part| {
            assert!(part.0.number != fuse, "the fuse");
            (part, maker.make(part.0.number))
        });
        let made = made.expect("inside");
        let sum =
            reduce(&made, 2, || 0, |sum, (part, value)| sum + part.0.number + value.number, |a, b| a + b);
        let sum = sum.expect("inside");
        drop(made);
        let divided = divide_and_conquer(
            &mut **half,
            2,
            |parts| {
                if let [part] = parts {
                    part.1 += 1;
                    assert!(part.0.number + 1 != fuse, "the fuse");
                    return Divided::Solved(maker.make(2 * part.0.number));
                }
                let (left, right) = parts.split_at_mut(parts.len() / 2);
                Divided::Into(vec![left, right])
            },
            |sums| maker.make(sums.iter().map(|sum| sum.number).sum()),
        );
        assert_eq!(divided.expect("inside").number, sum);
    });
    drop(halves);
    assert!(all.iter().all(|part| part.1 <= 1));
    assert!(outer.is_err() || all.iter().all(|part| part.1 == 1));
}

/// `reduce` and `map_reduce` combine ends of streams with borrowed values in them; the caller has the other
/// ends.
fn ends_as_results(random: &mut Random, tally: &Tally) {
    let (all, fuse, workers) = (parts(tally), random.below(3 * ITEMS), 1 + random.below(3) as usize);
    let others = Mutex::new(Vec::new());
    let (maker, fresh) = (tally.clone(), || PortSet::<Port<(&Part, Counted)>>::new());
    let sets = reduce(
        &all,
        workers,
        fresh,
        |mut set, part| {
            assert!(part.0.number != fuse, "the fuse");
            let (mut chan, port) = if part.0.number % 2 == 0 { stream() } else { sync_stream(2) };
            set.insert(port);
            assert!(chan.send((part, maker.make(1))).is_ok(), "it is there");
            others.lock().expect("nothing panics behind it").push(chan);
            set
        },
        |mut left, mut right| {
            assert!(left.len() as u64 != fuse, "the fuse");
            let keys: Vec<_> = right.keys().copied().collect();
            left.extend(keys.iter().filter_map(|key| right.remove(key)));
            left
        },
    );
    // The ports are dropped before the values that they borrow.
    let mut chans = others.into_inner().expect("nothing panics behind it");
    match sets {
        Ok(mut set) => {
            assert_eq!(set.len() as u64, ITEMS);
            chans.drain(..).for_each(|mut chan| drop(chan.try_send((&all[0], tally.make(2)))));
            assert_eq!(set.messages().count() as u64, 2 * ITEMS);
        }
        Err(_) => assert!(chans.iter().all(pipes::Chan::is_closed)),
    }
    drop(chans);
    let by_key = map_reduce(
        &all,
        workers,
        |part| {
            assert!(part.0.number != fuse, "the fuse");
            let (mut left, right) = duplex_stream::<(&Part, Counted), (&Part, Counted)>();
            drop(left.send((part, maker.make(3))));
            [(part.0.number % 3, vec![(left, right)])]
        },
        |mut left, right| {
            left.extend(right);
            // Crossed, so that each is paired with another one.
            if let [first, .., last] = &mut *left {
                std::mem::swap(&mut first.1, &mut last.1);
            }
            left
        },
    );
    assert_eq!(by_key.is_err(), fuse < ITEMS);
    for (mut left, mut right) in by_key.into_iter().flatten().flat_map(|(_, pairs)| pairs) {
        let got: (&Part, Counted) = right.recv().expect("one was sent before");
        let _ = left.send(got);
    }
}

/// The thread that divides a problem sends its parts to other threads, which solve them.
fn solved_elsewhere(random: &mut Random, tally: &Tally) {
    let (mut all, fuse, workers) = (parts(tally), random.below(2 * ITEMS), 1 + random.below(3) as usize);
    let (chan, port) = shared_stream();
    let port = port.into_shared();
    thread::scope(|scope| {
        for _ in 0..2 {
            let mut port = port.clone();
            scope.spawn(move || {
                while let Ok((part, answer)) = port.recv() {
                    let part: &mut Part = part;
                    part.1 += 1;
                    let answer: pipes::ChanOne<&mut Part> = answer;
                    let _ = answer.send(part).map_err(|refused| refused.into_payload().1 += 1);
                }
            });
        }
        drop(port);
        let chan: SharedChan<_> = chan;
        let solved = divide_and_conquer(
            all.iter_mut().collect::<Vec<_>>(),
            workers,
            |mut part| {
                if part.len() > 1 {
                    let rest = part.split_off(part.len() / 2);
                    return Divided::Into(vec![part, rest]);
                }
                let Some(one) = part.pop() else { return Divided::Solved(Vec::new()) };
                let number = one.0.number;
                let (answer, answered) = oneshot();
                assert!(chan.send((one, answer)).is_ok(), "they are there");
                assert!(number != fuse, "the fuse");
                Divided::Solved(vec![answered.recv().expect("it is solved")])
            },
            |all| all.into_iter().flatten().collect(),
        );
        drop(chan);
        assert_eq!(solved.is_err(), fuse < ITEMS);
        if let Ok(solved) = solved {
            assert!(solved.iter().map(|part| part.0.number).eq(0..ITEMS));
        }
    });
    assert!(all.iter().all(|part| part.1 <= 2));
}

#[test]
fn parts_that_are_sent_on() {
    watched(|| {
        let first = std::env::var("PIPES_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
        for seed in first..first + effort(if cfg!(miri) { 30 } else { 100 }) as u64 {
            let mut random = Random::new(seed);
            for run in [sent_on, nested, ends_as_results, solved_elsewhere] {
                let tally = Tally::new();
                let bang = caught(|| run(&mut random, &tally));
                assert!(bang.is_none(), "seed {seed}");
                tally.assert_all_gone();
            }
        }
    });
}
