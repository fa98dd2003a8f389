//! A child of `fork` has the memory of its parent, but not the threads.

use fork::{Fork, fork, waitpid};
use pipes_remote::engine::Tcp;
use pipes_remote::{Via, background, memory, tcp, tcp_free_port};
use pipes_remote_tests::children::Another;
use pipes_remote_tests::engines::{add, serve_all};
use pipes_remote_tests::numbers;
use pipes_tests::{caught, watched};
use std::process::exit;
use std::thread;

#[test]
fn a_child_of_fork_connects_and_listens() {
    watched(|| Another::start("as_another_process", "forks").ends_well());
}

/// Another process. Beside other tests, a lock of the standard library could be held at the moment of the
/// fork.
pub fn forks() {
    watched(|| {
        forks_beside_sleepers();
        // Forks that come while the first threads start the background runtime.
        for _ in 0..50 {
            let starting = [(); 2].map(|()| thread::spawn(background));
            in_child(listens);
            for starting in starting {
                starting.join().expect("it does not panic").expect("it starts");
            }
        }
        let here = tcp_free_port().expect("there is a free port");
        let there = tcp(here.address());
        let serving = serve_all(numbers::listen(&here).expect("the port is free"));
        let open = numbers::connect(&there).expect("it listens").number(1).expect("the link stands");
        in_child({
            let there = there.clone();
            move || {
                connects(&there);
                listens();
                // A child of the child.
                in_child(move || {
                    connects(&there);
                    listens();
                });
                listens();
            }
        });
        // The parent's session, listener and runtime are as before.
        add(open, 2, 1);
        connects(&there);
        assert!(!serving.is_finished());
    });
}

/// Threads sleep while their process forks. The child has no such threads, and their stacks get others.
fn forks_beside_sleepers() {
    let (chan, _port) = pipes::broadcast::<()>(1);
    let count = || pipes::inspect::snapshot().sleepers.iter().filter(|it| it.time_left.is_none()).count();
    let sleeper = |mut port: pipes::BroadcastPort<()>| thread::spawn(move || port.recv());
    let sleepers: Vec<_> = (0..8).map(|_| sleeper(chan.subscribe())).collect();
    while count() < sleepers.len() {
        thread::yield_now();
    }
    in_child(move || {
        for _ in 0..12 {
            assert_eq!(count(), 0);
            thread::spawn(|| std::hint::black_box([7_usize; 1 << 14])).join().expect("it does not panic");
        }
    });
}

/// Runs this in a child of `fork`, and waits for it.
fn in_child(run: impl FnOnce() + Send + 'static) {
    match fork().expect("there is room for a process") {
        // The test harness has no thread in the child.
        Fork::Child => exit(i32::from(caught(|| watched(run)).is_some())),
        Fork::Parent(child) => assert_eq!(waitpid(child).expect("it is a child"), 0, "the child has failed"),
    }
}

fn connects(there: &Via<Tcp>) {
    let (client, link) = numbers::connect_with_link(there).expect("it listens");
    add(client, 1, 0);
    link.delivered(std::time::Duration::from_secs(50)).expect("it is confirmed");
}

fn listens() {
    let here = memory();
    serve_all(numbers::listen(&here).expect("the place is free"));
    add(numbers::connect(&here).expect("it listens"), 1, 0);
}
