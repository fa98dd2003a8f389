//! Many sessions that do nothing: what each of them takes.
//!
//! `PIPES_IDLE` sets the number of sessions.

use peak_alloc::PeakAlloc;
use pipes_remote::Via;
use pipes_remote::engine::{Engine, Quic};
use pipes_remote_tests::engines::{Sides, secured_sides};
use pipes_remote_tests::{bank, numbers, size};
use pipes_tests::watched;
use std::time::Duration;
use tokio::runtime::Builder;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most bytes of a session, both sides together.
const MOST: usize = 8 << 10;

/// Both ends of a session.
type Pair<C, S> = (C, S);

/// A number of sessions over QUIC that have had a message, then nothing. They share a connection.
async fn over_quic(sessions: u64) {
    let Sides { here, there } = secured_sides::<Quic>();
    // What the connection takes is not counted: two sockets with their buffers.
    let mut listener = numbers::listen_async(&here).await.expect("it is free");
    let first = numbers::connect_async(&there).await.expect("it listens");
    drop((listener.recv_async().await.expect("a client comes"), first, listener));
    streams("numbers over QUIC", &here, &there, sessions).await;
}

/// The bytes that are taken now, after time for several heartbeats.
async fn settled() -> usize {
    tokio::time::sleep(Duration::from_secs(20)).await;
    MEMORY.current_usage()
}

/// A bounded protocol: a message each way, then nothing.
async fn banks(sessions: u64) {
    let via = pipes_remote::memory();
    let mut listener = bank::listen_async(&via).await.expect("it is free");
    let mut idle: Vec<Pair<bank::Client<bank::Connected>, bank::Server<bank::Connected>>> = Vec::new();
    idle.reserve_exact(sessions as usize);
    let empty = MEMORY.current_usage();
    for _ in 0..sessions {
        let client = bank::connect_async(&via).await.expect("it listens");
        let server = listener.recv_async().await.expect("a client comes");
        let client = client.login("ada".repeat(500), "secret".into()).expect("the link stands");
        let Ok(bank::Login::Login(_, _, server)) = server.await else { panic!("it was sent") };
        let server = server.ok().expect("the link stands");
        let Ok(bank::LoginResponse::Ok(client)) = client.await else { panic!("it was sent") };
        idle.push((client, server));
    }
    check("bank", sessions, empty).await;
    for (client, server) in idle {
        client.leave().expect("the link stands");
        assert!(matches!(server.await, Ok(bank::Connected::Leave)));
    }
}

/// An unbounded protocol: a message, then nothing. A pipe that was long once keeps the room for that, as
/// every pipe does.
async fn streams<E: Engine>(name: &str, here: &Via<E>, there: &Via<E>, sessions: u64) {
    let mut listener = numbers::listen_async(here).await.expect("it is free");
    let mut idle: Vec<Pair<numbers::Client<numbers::Open>, numbers::Server<numbers::Open>>> = Vec::new();
    idle.reserve_exact(sessions as usize);
    let empty = MEMORY.current_usage();
    for session in 0..sessions {
        let client = numbers::connect_async(there).await.expect("it listens");
        let server = listener.recv_async().await.expect("a client comes");
        let client = client.number(session).expect("the link stands");
        let Ok(numbers::Open::Number(number, server)) = server.await else { panic!("it was sent") };
        assert_eq!(number, session);
        idle.push((client, server));
    }
    check(name, sessions, empty).await;
    for (client, server) in idle {
        let client = client.done().expect("the link stands");
        let Ok(numbers::Open::Done(server)) = server.await else { panic!("it was sent") };
        server.sum(1).expect("the link stands");
        assert!(matches!(client.await, Ok(numbers::Sum::Sum(1))));
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
        "{sessions} idle sessions of {name}: {} bytes each, {at_once} before the first heartbeat",
        each()
    );
}

#[test]
fn idle_sessions_take_little() {
    let sessions = size("PIPES_IDLE", 300);
    watched(move || {
        let runtime = Builder::new_current_thread().enable_all().start_paused(true).build();
        let runtime = runtime.expect("it can be had");
        let left = [0, 1].map(|_| {
            runtime.block_on(banks(sessions));
            let via = pipes_remote::memory();
            runtime.block_on(streams("numbers", &via, &via, sessions));
            runtime.block_on(settled())
        });
        // The runtime may keep something for the next time, but not more each time.
        println!("{left:?} bytes are left");
        assert!(left[1] <= left[0] + (64 << 10), "{left:?} bytes are left");
        // In real time, because there is a socket.
        let runtime = Builder::new_current_thread().enable_all().build().expect("it can be had");
        runtime.block_on(over_quic(sessions));
    });
}
