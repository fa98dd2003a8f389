//! Calls from places where not much is left: a runtime that has ended, a thread that ends.

use futures::executor::block_on;
use pipes::ChanOne;
use pipes_remote::engine::Tcp;
use pipes_remote::{Via, memory, tcp, tcp_free_port};
use pipes_remote_tests::engines::{add, serve_all};
use pipes_remote_tests::numbers;
use pipes_tests::{test_in, watched};
use std::cell::RefCell;
use std::thread;
use tokio::runtime::Builder;

/// An address at which the background runtime serves.
fn served() -> String {
    let here = tcp_free_port().expect("a port is free");
    serve_all(numbers::listen(&here).expect("it is free"));
    here.address()
}

/// Async calls cannot start tasks there, which is an error and no panic. Blocking ones do not need to.
#[test_in(watched)]
fn in_the_context_of_a_runtime_that_has_ended() {
    let there = tcp(served());
    for mut builder in [Builder::new_current_thread(), Builder::new_multi_thread()] {
        let runtime = builder.enable_all().build().expect("threads can be had");
        let handle = runtime.handle().clone();
        drop(runtime);
        let _context = handle.enter();
        assert!(block_on(numbers::connect_async(&there)).is_err());
        assert!(block_on(numbers::listen_async(&memory())).is_err());
        assert!(block_on(numbers::listen_async(&tcp_free_port().expect("a port is free"))).is_err());
        add(numbers::connect(&there).expect("it listens"), 7, 0);
    }
}

/// What a thread keeps until its end.
struct Kept {
    client: Option<numbers::Client<numbers::Open>>,
    there: Via<Tcp>,
    added: Option<ChanOne<()>>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        let kept = self.client.take().expect("it is dropped once");
        let blocking = numbers::connect(&self.there).expect("it listens");
        let from_async = block_on(numbers::connect_async(&self.there)).expect("it listens");
        for client in [kept, blocking, from_async] {
            add(client, 7, 0);
        }
        self.added.take().expect("it is dropped once").send(()).expect("it waits");
    }
}

thread_local!(static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) });

#[test_in(watched)]
fn in_the_destructor_of_a_thread_local() {
    let there = tcp(served());
    let (added, adds) = pipes::oneshot();
    let ending = thread::spawn(move || {
        let client = numbers::connect(&there).expect("it listens");
        KEPT.set(Some(Kept { client: Some(client), there, added: Some(added) }));
        // The context of tokio is a thread-local, too, which goes first.
        Builder::new_current_thread().build().expect("it can be had").block_on(async {});
    });
    adds.recv().expect("the destructor runs");
    ending.join().expect("it does not panic");
}
