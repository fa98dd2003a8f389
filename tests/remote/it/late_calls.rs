//! Calls from places where not much is left: a runtime that has ended, a thread that ends.

use futures::executor::block_on;
use pipes::ChanOne;
use pipes_remote::engine::{Engine, Tcp};
use pipes_remote::{Via, memory, tcp, tcp_free_port};
use pipes_remote_tests::numbers;
use pipes_tests::watched;
use std::cell::RefCell;
use std::thread;
use tokio::runtime::Builder;

type Numbers = numbers::Client<numbers::Open>;

/// An address at which the background runtime serves.
fn served() -> String {
    let here = tcp_free_port().expect("a port is free");
    let address = here.address();
    let mut listener = numbers::listen(&here).expect("it is free");
    thread::spawn(move || {
        while let Ok(mut server) = listener.accept() {
            thread::spawn(move || {
                let mut sum = 0;
                while let Ok(message) = server.recv() {
                    match message {
                        numbers::Open::Number(number, next) => (sum, server) = (sum + number, next),
                        numbers::Open::Done(last) => return last.sum(sum).expect("the link stands"),
                    }
                }
            });
        }
    });
    address
}

fn sum_of_seven(client: Numbers) -> u64 {
    let client = client.number(7).expect("the link stands").done().expect("the link stands");
    let numbers::Sum::Sum(sum) = client.recv().expect("it answers");
    sum
}

/// Async calls cannot start tasks there, which is an error and no panic. Blocking ones do not need to.
#[test]
fn in_the_context_of_a_runtime_that_has_ended() {
    fn listening<E: Engine>(here: &Via<E>) -> bool {
        block_on(numbers::listen_async(here)).is_ok()
    }
    watched(|| {
        let there = tcp(served());
        for mut builder in [Builder::new_current_thread(), Builder::new_multi_thread()] {
            let runtime = builder.enable_all().build().expect("threads can be had");
            let handle = runtime.handle().clone();
            drop(runtime);
            let _context = handle.enter();
            assert!(block_on(numbers::connect_async(&there)).is_err());
            assert!(!listening(&memory()) && !listening(&tcp_free_port().expect("a port is free")));
            assert_eq!(sum_of_seven(numbers::connect(&there).expect("it listens")), 7);
        }
    });
}

/// What a thread keeps until its end.
struct Kept {
    client: Option<Numbers>,
    there: Via<Tcp>,
    sums: Option<ChanOne<[u64; 3]>>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        let kept = self.client.take().expect("it is dropped once");
        let blocking = numbers::connect(&self.there).expect("it listens");
        let from_async = block_on(numbers::connect_async(&self.there)).expect("it listens");
        let sums = self.sums.take().expect("it is dropped once");
        sums.send([kept, blocking, from_async].map(sum_of_seven)).expect("it waits");
    }
}

thread_local!(static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) });

#[test]
fn in_the_destructor_of_a_thread_local() {
    watched(|| {
        let there = tcp(served());
        let (sums, summed) = pipes::oneshot();
        let ending = thread::spawn(move || {
            let client = numbers::connect(&there).expect("it listens");
            KEPT.set(Some(Kept { client: Some(client), there, sums: Some(sums) }));
            // The context of tokio is a thread-local, too, which goes first.
            Builder::new_current_thread().build().expect("it can be had").block_on(async {});
        });
        assert_eq!(summed.recv().expect("the destructor runs"), [7; 3]);
        ending.join().expect("it does not panic");
    });
}
