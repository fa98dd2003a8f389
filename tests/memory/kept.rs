//! What "one allocation" means: the first pipe of its size in a thread is one, and the next one lies where
//! the last one was.

use crate::{counting, fill, without_allocating};
use allocation_counter::AllocationInfo;
use pipes::{oneshot, stream, sync_stream};
use pipes_tests::pingpong;
use pipes_tests::{KEEPS, greeting};
use std::thread;

/// What the action allocates when a fresh thread runs it for the first and for the second time.
fn in_a_fresh_thread(action: fn()) -> [AllocationInfo; 2] {
    let both = move || [(); 2].map(|()| allocation_counter::measure(action));
    thread::spawn(both).join().expect("the action does not panic")
}

fn a_value() {
    let (chan, port) = oneshot();
    chan.send(7_u64).expect("the port is here");
    assert_eq!(port.recv(), Ok(7));
}

fn a_failure() {
    let (chan, port) = oneshot::<u64>();
    drop(port);
    assert!(chan.send(7).is_err());
}

fn a_stream() {
    let (mut chan, mut port) = stream();
    chan.send(7_u64).expect("the port is here");
    assert_eq!(port.recv(), Ok(7));
}

#[test]
fn the_first_pipe_is_an_allocation_and_the_second_lies_there() {
    let pipes: [fn(); 5] =
        [a_value, a_failure, a_stream, || drop(pingpong::pipe::<u64>()), || drop(greeting::pipe::<u64>())];
    for (number, pipe) in pipes.into_iter().enumerate() {
        let [first, second] = in_a_fresh_thread(pipe);
        assert_eq!((first.count_total, first.count_current), (1, i64::from(KEEPS)), "{number} {first:?}");
        assert!(first.bytes_max <= 256, "{number} {first:?}");
        assert_eq!((second.count_total, second.count_current), (u64::from(!KEEPS), 0), "{number} {second:?}");
    }
}

#[test]
fn a_large_pipe_is_always_an_allocation() {
    let pipes: [fn(); 3] = [
        || drop(oneshot::<[u64; 32]>()),
        || drop(pingpong::pipe::<[u64; 32]>()),
        // Its size is not known when the program is compiled.
        || drop(sync_stream::<u64>(1)),
    ];
    for (number, pipe) in pipes.into_iter().enumerate() {
        for info in in_a_fresh_thread(pipe) {
            assert_ne!(info.count_total, 0, "{number}");
            assert_eq!(info.bytes_current, 0, "{number} {info:?}");
        }
    }
}

/// A thread keeps sixteen pipes of a size: with more of them at once, the allocator is asked again.
#[test]
fn sixteen_of_a_size_are_kept() {
    if !KEEPS {
        return;
    }
    fill();
    without_allocating(|| drop([(); 16].map(|()| oneshot::<u64>())));
    let ((), info) = counting(|| drop([(); 17].map(|()| oneshot::<u64>())));
    assert_eq!((info.count_total, info.count_current), (1, 0), "{info:?}");
}
