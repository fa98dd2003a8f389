//! Calls in a thread that ends. Not on Windows, where no thread begins while the destructor of a thread-local
//! runs, so the server could start none.

use crate::late_calls::served;
use futures::executor::block_on;
use pipes::ChanOne;
use pipes_remote::engine::Tcp;
use pipes_remote::{Via, tcp};
use pipes_remote_tests::engines::add;
use pipes_remote_tests::numbers;
use pipes_tests::{test_in, watched};
use std::cell::RefCell;
use std::thread;
use tokio::runtime::Builder;

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
