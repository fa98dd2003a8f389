//! How many times an item lies on the stack on its way through a pipeline: not many times more than in the
//! standard library's channels, where a thread that receives items and sends them on needs 21 without
//! optimisation. If a stack does not suffice, the process aborts, so each table has a process of its own.

use pipes_skeleton::{
    Batching, FailureKind, Gather, Pipeline, Place, Processed, filter, flat_map, from_iter, from_port, merge,
};
use pipes_tests::stack::{AMPLE, Large, large, with_ample_stack, with_small_stacks};
use pipes_tests::{apart, test_in, watched};
use std::hint::black_box;
use std::thread::Builder;

/// A name, the number of items that the stack has room for, and what runs with stacks of this size.
type Way = (&'static str, usize, fn(usize));

fn check(ways: Vec<Way>) {
    with_small_stacks(ways, |name, run, stack| {
        eprintln!("{name}");
        with_ample_stack(move || run(stack));
    });
}

fn boxes() -> Vec<Box<Large>> {
    (0..6).map(|_| large()).collect()
}

/// Items that come out of a stage.
fn items() -> Pipeline<Large> {
    from_iter(boxes()).sequential(|item| *item)
}

/// Runs the pipeline with stacks of this size.
fn run(stack: usize, items: Pipeline<Large>) {
    let small = items.sequential(|item| item.0[1]).stack_size(stack);
    assert!(small.collect().expect("no stage fails").len() >= 6);
}

struct Pass;

impl Gather<Large> for Pass {
    type Out = Large;

    fn take(&mut self, item: Large, emit: &mut impl FnMut(Large) -> Processed) -> Processed {
        emit(item)
    }
}

#[test]
fn stages() {
    check(vec![
        ("a source", 24, |stack| run(stack, from_iter(boxes().into_iter().map(|item| *item)))),
        ("a port", 24, |stack| {
            let (mut chan, port) = pipes::stream();
            boxes().into_iter().for_each(|item| assert!(chan.send(*item).is_ok()));
            drop(chan);
            run(stack, from_port(port));
        }),
        ("a sequential stage", 29, |stack| run(stack, items().sequential(|item| item))),
        ("a filter", 29, |stack| run(stack, items().stage(filter(|item: &Large| item.0[0] == 1)))),
        ("a stage that emits some", 33, |stack| {
            run(stack, items().stage(flat_map(|item: Large| Some(item))))
        }),
        ("a gather", 26, |stack| run(stack, items().gather(Pass))),
        ("batches", 24, |stack| {
            let batches = items().batched(&Batching::of(2)).sequential(|batch| batch.len());
            assert_eq!(batches.stack_size(stack).collect().expect("no stage fails"), [2, 2, 2]);
        }),
        ("replicas", 33, |stack| run(stack, items().parallel(2, |item| item))),
        ("replicas, in order", 33, |stack| run(stack, items().parallel(2, |item| item).in_order())),
        ("replicas in turn", 36, |stack| run(stack, items().round_robin(2, |item| item))),
        ("replicas by key", 36, |stack| run(stack, items().keyed(2, |item| item.0[0], |item| item))),
        ("a farm", 33, |stack| run(stack, items().farm(2, |items| items.sequential(|item| item)))),
        ("a merge", 29, |stack| run(stack, merge([items(), items()]))),
    ]);
}

#[test]
fn sinks() {
    fn sink(stack: usize, sink: fn(Pipeline<Large>)) {
        let thread = Builder::new().stack_size(stack).spawn(move || sink(items().stack_size(AMPLE)));
        thread.expect("there is a thread").join().expect("nothing panics");
    }
    check(vec![
        ("for_each", 16, |stack| {
            sink(stack, |items| items.for_each(|item| assert_eq!(item.0[1], 1)).expect("no stage fails"))
        }),
        ("fold", 16, |stack| {
            sink(stack, |items| {
                assert_eq!(items.fold(0, |sum, item| sum + item.0[1]).expect("no stage fails"), 6)
            })
        }),
        ("collect", 16, |stack| {
            sink(stack, |items| assert_eq!(items.collect().expect("no stage fails").len(), 6))
        }),
        ("in order", 31, |stack| {
            sink(stack, |items| {
                let items = items.parallel(2, |item| item).in_order();
                items.for_each(|item| assert_eq!(item.0[1], 1)).expect("no stage fails");
            })
        }),
        ("an iterator", 21, |stack| sink(stack, |items| assert_eq!(items.into_iter().count(), 6))),
        ("a port", 36, |stack| {
            let (port, running) = items().in_flight(1).stack_size(stack).into_port();
            assert_eq!(port.into_iter().count(), 6);
            running.join().expect("no stage fails");
        }),
    ]);
}

/// A stage whose locals fit no usual stack.
#[test_in(apart, watched)]
fn stages_have_the_stack_that_was_set() {
    fn deep<P: Place>(pipeline: Pipeline<u64, P>) -> Pipeline<u64, P> {
        pipeline.sequential(|index| black_box([1_u8; 4 << 20])[index as usize].into())
    }
    let set = || from_iter(0..3).stack_size(32 << 20);
    assert_eq!(deep(set()).collect().expect("no stage fails"), [1; 3]);
    let behind = deep(from_iter(0..3)).stack_size(32 << 20);
    assert_eq!(behind.collect().expect("no stage fails"), [1; 3]);
    let merged = merge([deep(from_iter(0..3)), deep(set())]).stack_size(16 << 20);
    assert_eq!(merged.collect().expect("no stage fails"), [1; 6]);
    let nested = set().farm(2, deep);
    assert_eq!(nested.collect().expect("no stage fails"), [1; 3]);
}

#[test_in(watched)]
fn a_stack_for_which_there_is_no_room_is_a_failure() {
    let failure =
        from_iter(0..3_u64).stack_size(usize::MAX / 8 * 7).collect().expect_err("no machine has that");
    assert!(matches!(failure.kind(), FailureKind::NoThread), "{failure}");
    // It is not too small for the system.
    assert_eq!(from_iter(0..3_u64).stack_size(0).collect().expect("no stage fails"), [0, 1, 2]);
}
