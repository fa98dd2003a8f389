//! Calls in the context of a runtime that has ended.

use futures::executor::block_on;
use pipes_remote::{memory, tcp, tcp_free_port};
use pipes_remote_tests::engines::{add, serve_all};
use pipes_remote_tests::numbers;
use pipes_tests::{test_in, watched};
use tokio::runtime::Builder;

/// An address at which the background runtime serves.
pub fn served() -> String {
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
