//! The memory of many sessions that do nothing, and of a receiver that is slow.
//!
//! `PIPES_IDLE` sets the number of sessions, `PIPES_FLOOD` that of the messages.

mod flood;

use peak_alloc::PeakAlloc;
use pipes_remote::Via;
use pipes_remote::engine::{Engine, Quic};
use pipes_remote_tests::engines::{Sides, secured_sides};
use pipes_remote_tests::{loads, size, virtually};
use pipes_tests::{test_in, watched};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Builder;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Runs a test by itself: the memory is that of all threads.
fn alone(test: impl FnOnce() + Send + 'static) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    watched(test);
}

/// The most bytes of a session, both sides together.
const MOST: usize = 8 << 10;

/// A number of sessions over QUIC that have had a message, then nothing. They share a connection.
async fn over_quic(sessions: u64) {
    let Sides { here, there } = secured_sides::<Quic>();
    // What the connection takes is not counted: two sockets with their buffers.
    let mut listener = loads::listen_async(&here).await.expect("it is free");
    let first = loads::connect_async(&there).await.expect("it listens");
    drop((listener.recv_async().await.expect("a client comes"), first, listener));
    idle("QUIC", &here, &there, sessions, 1).await;
}

/// The bytes that are taken now, after time for several heartbeats.
async fn settled() -> usize {
    tokio::time::sleep(Duration::from_secs(20)).await;
    MEMORY.current_usage()
}

/// A message of this length, then nothing. A pipe that was long once keeps the room for that.
async fn idle<E: Engine>(name: &str, here: &Via<E>, there: &Via<E>, sessions: u64, length: usize) {
    let mut listener = loads::listen_async(here).await.expect("it is free");
    let mut idle = Vec::with_capacity(sessions as usize);
    let empty = MEMORY.current_usage();
    for _ in 0..sessions {
        let client = loads::connect_async(there).await.expect("it listens");
        let server = listener.recv_async().await.expect("a client comes");
        let client = client.bytes(vec![7; length]).expect("the link stands");
        let Ok(loads::Open::Bytes(_, server)) = server.await else { panic!("it was sent") };
        idle.push((client, server));
    }
    check(name, sessions, empty).await;
    for (client, server) in idle {
        client.done().expect("the link stands");
        assert!(matches!(server.await, Ok(loads::Open::Done)));
    }
}

/// Asserts that the sessions that there are take little, once they have come to rest.
async fn check(name: &str, sessions: u64, before: usize) {
    let each = || MEMORY.current_usage().saturating_sub(before) / sessions as usize;
    let at_once = each();
    // A session that is heard of gives up its buffers at a heartbeat. If they never do, the test is ended
    // from outside.
    while each() > MOST {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!(
        "{sessions} idle sessions over {name}: {} bytes each, {at_once} before the first heartbeat",
        each()
    );
}

#[test_in(alone)]
fn idle_sessions_take_little() {
    let sessions = size("PIPES_IDLE", 300);
    let runtime = virtually();
    let left = [0, 1].map(|_| {
        let via = pipes_remote::memory();
        runtime.block_on(idle("memory", &via, &via, sessions, 1500));
        runtime.block_on(settled())
    });
    // The runtime may keep something for the next time, but not more each time.
    println!("{left:?} bytes are left");
    assert!(left[1] <= left[0] + (64 << 10), "{left:?} bytes are left");
    // In real time, because there is a socket.
    let runtime = Builder::new_current_thread().enable_all().build().expect("it can be had");
    runtime.block_on(over_quic(sessions));
}
