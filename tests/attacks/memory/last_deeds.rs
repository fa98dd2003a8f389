//! Skeletons, eventuals, shared ports and selections in the destructors of a thread's local values, before
//! and after those of the library's own thread-locals are run. Threads are spawned and joined there. Each
//! value must be received once and dropped once.

use super::teardown;
use pipes::{Either, Eventual, PortSet, select, select2, shared_stream, stream, sync_stream};
use pipes_skeleton::{Divided, divide_and_conquer, from_iter, map, map_in_place, map_reduce, posted, reduce};
use pipes_tests::{Counted, Tally};
use std::thread;
use std::time::Duration;

fn at_the_end(deed: fn(&Tally)) {
    teardown::at_the_end(move |tally| {
        let tally = tally.clone();
        Box::new(move || deed(&tally))
    });
}

#[test]
fn pipelines() {
    at_the_end(|tally| {
        let tally = tally.clone();
        let out = from_iter((0..20).map(move |number| tally.make(number)))
            .parallel(2, |item: Counted| item)
            .in_order()
            .farm(2, |part| part.stage(|item: Counted| item))
            .concurrent(2, |item: Counted| async move { item })
            .collect()
            .expect("no stage fails");
        assert_eq!(out.len(), 20);
    });
}

#[test]
fn handles_of_pipelines() {
    at_the_end(|tally| {
        let handle = posted(|items| items.parallel(2, |item: Counted| item)).expect("it can be run");
        (0..5).for_each(|number| handle.post(tally.make(number)).expect("no stage has failed"));
        assert_eq!(handle.collect().expect("no stage fails").len(), 5);
        let of_source = tally.clone();
        let (mut port, running) = from_iter((0..9).map(move |number| of_source.make(number))).into_port();
        drop(port.recv());
        drop(port);
        drop(running);
        // The source has made an unknown number of values. Rounding up to the next hundred makes the total of
        // three runs a multiple of three.
        while tally.made() % 100 != 0 {
            drop(tally.make(0));
        }
    });
}

#[test]
fn data_in_memory() {
    at_the_end(|tally| {
        let mut items: Vec<_> = (0..50).map(|number| tally.make(number)).collect();
        assert_eq!(map(&items, 3, |item| item.number).expect("it does not fail").len(), 50);
        map_in_place(&mut items, 3, |item| item.number += 1).expect("it does not fail");
        let sum = reduce(&items, 3, || 0, |sum, item| sum + item.number, |a, b| a + b);
        assert_eq!(sum.expect("it does not fail"), 1275);
        let by_end = map_reduce(&items, 3, |item| [(item.number % 10, 1)], |a, b| a + b);
        assert_eq!(by_end.expect("it does not fail").len(), 10);
        let sum = divide_and_conquer(
            items,
            3,
            |mut items| match items.len() {
                0 => Divided::Solved(0),
                1 => Divided::Solved(items.remove(0).number),
                many => {
                    let rest = items.split_off(many / 2);
                    Divided::Into(vec![items, rest])
                }
            },
            |sums| sums.into_iter().sum(),
        );
        assert_eq!(sum.expect("it does not fail"), 1275);
    });
}

#[test]
fn eventuals_and_shared_ports() {
    at_the_end(|tally| {
        let made = tally.clone();
        let mut eventual = Eventual::spawn(move || made.make(1));
        assert_eq!(eventual.get().expect("it comes").number, 1);
        let (mut chan, port) = sync_stream(1);
        let mut shared = port.into_shared();
        let mut other = shared.clone();
        let receiver = thread::spawn(move || other.iter().count());
        (0..10).for_each(|number| chan.send(tally.make(number)).expect("they are there"));
        drop(chan);
        assert_eq!(shared.iter().count() + receiver.join().expect("it receives"), 10);
    });
}

#[test]
fn selections_and_sets() {
    at_the_end(|tally| {
        let (mut chan, mut a) = stream();
        let (many, mut b) = shared_stream();
        let one = tally.make(1);
        let sender = thread::spawn(move || {
            thread::yield_now();
            chan.send(one).expect("it is there");
            chan
        });
        let number = select! {
            message = a => message.expect("it is sent").number,
            _ = b => unreachable!(),
        };
        assert_eq!(number, 1);
        let chan = sender.join().expect("it sends");
        let Either::Right((_, Ok(two))) = ({
            many.send(tally.make(2)).expect("it is there");
            select2(&mut a, &mut b)
        }) else {
            unreachable!()
        };
        drop(two);
        let mut set = PortSet::new();
        set.insert(a);
        set.insert(b);
        assert!(set.recv_timeout(Duration::from_millis(1)).is_err());
        drop(many);
        drop(chan);
        assert_eq!(set.messages().count(), 0);
    });
}
