//! What sessions allocate. All of it is in one thread, with its runtime.

use allocation_counter::{AllocationInfo, measure};
use pipes::{Cause, Fault};
use pipes_remote_tests::raw::{self, MESSAGE, frame};
use pipes_remote_tests::{Net, loads, numbers, talk, within};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

const SECOND: Duration = Duration::from_secs(1);

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().start_paused(true).build().expect("a runtime")
}

/// What the future allocates in this thread.
fn counting<T>(runtime: &Runtime, future: impl Future<Output = T>) -> (T, AllocationInfo) {
    let mut given = None;
    let info = measure(|| given = Some(runtime.block_on(future)));
    (given.expect("it was run"), info)
}

/// A gibibyte is announced, and allowed. What comes of it is kept, and no more.
#[test]
fn an_announced_length_reserves_nothing() {
    let runtime = runtime();
    let net = Net::new();
    let via = net.via().limit(1 << 30);
    let (mut wire, server, link, _listener) = runtime.block_on(async {
        let mut listener = loads::listen_with_links_async(&via).await.expect("it is free");
        let mut wire = net.dial().expect("it listens");
        raw::handshake::<loads::Protocol>(&mut wire).await;
        let (server, link) = within(listener.recv_async()).await.expect("a client comes");
        (wire, server, link, listener)
    });
    let (closed, info) = counting(&runtime, async {
        let bomb = [&(1u32 << 30).to_be_bytes()[..], &[9, 0xff, 0xff, 0xff, 0xff, 3], &[7; 100]].concat();
        wire.write_all(&bomb).await.expect("the link stands");
        sleep(SECOND).await;
        assert!(matches!(link.cause(), Cause::Open), "there could be more");
        drop(wire);
        within(server.recv_async()).await.is_err()
    });
    assert!(closed && matches!(link.cause(), Cause::Broken(_)), "{link:?}");
    assert!(info.bytes_max < 64 << 10, "{info:?}");
}

/// The payload itself says that it is long: what a codec reserves for that is bounded.
#[test]
fn a_payload_that_lies_about_its_length_reserves_little() {
    let runtime = runtime();
    let net = Net::new();
    let (mut wire, server, link, _listener) = runtime.block_on(async {
        let mut listener = loads::listen_with_links_async(&net.via()).await.expect("it is free");
        let mut wire = net.dial().expect("it listens");
        raw::handshake::<loads::Protocol>(&mut wire).await;
        let (server, link) = within(listener.recv_async()).await.expect("a client comes");
        (wire, server, link, listener)
    });
    let (closed, info) = counting(&runtime, async {
        let lie = postcard::to_stdvec(&(1u64 << 40)).expect("a number");
        wire.write_all(&frame(MESSAGE + 1, &lie)).await.expect("the link stands");
        within(server.recv_async()).await.is_err()
    });
    assert!(closed && matches!(link.cause(), Cause::Fault(Fault::Undecodable(_))), "{link:?}");
    assert!(info.bytes_max < 2 << 20, "{info:?}");
}

/// Idle sessions cost little, and nothing that grows with time; and what they cost comes back.
#[test]
fn idle_sessions() {
    const COUNT: i64 = 1000;
    let runtime = runtime();
    let via = pipes_remote::memory().backlog(COUNT as usize);
    let (mut listener, info) = counting(&runtime, async {
        let listener = talk::listen_with_links_async(&via).await.expect("it is free");
        drop(talk::connect_async(&via).await.expect("it listens"));
        sleep(20 * SECOND).await;
        listener
    });
    drop(runtime.block_on(listener.recv_async()).expect("a client came"));
    assert!(info.bytes_current < 64 << 10, "{info:?}");
    let (mut sessions, info) = counting(&runtime, async {
        let mut sessions = Vec::new();
        for _ in 0..COUNT {
            let client = talk::connect_with_link_async(&via).await.expect("it listens");
            let server = within(listener.recv_async()).await.expect("a client comes");
            sessions.push((client, server));
        }
        sleep(20 * SECOND).await;
        sessions
    });
    let each = info.bytes_current / COUNT;
    assert!(each <= 8 << 10, "{each} bytes a session, both sides together");
    // They have said something, and rest again.
    let (sessions, info) = counting(&runtime, async {
        for ((client, link), (server, its_link)) in std::mem::take(&mut sessions) {
            let asking = client.question(1).expect("the link stands");
            let Ok(talk::Ask::Question(_, answer)) = within(server).await else { panic!("it asks") };
            let server = answer.reply(1).expect("the link stands");
            let Ok(talk::Answer::Reply(_, client)) = within(asking).await else { panic!("it answers") };
            sessions.push(((client, link), (server, its_link)));
        }
        sleep(60 * SECOND).await;
        std::mem::take(&mut sessions)
    });
    let more = info.bytes_current / COUNT;
    assert!(more <= 4 << 10, "{more} bytes a session more");
    let ((), info) = counting(&runtime, async {
        drop(sessions);
        sleep(20 * SECOND).await;
    });
    let back = -info.bytes_current / COUNT;
    // The runtime keeps a little for its next tasks.
    assert!(back >= each * 9 / 10, "{back} bytes a session of {each} and {more}");
}

/// A sender that is far ahead of its receiver, whose side does not grow.
#[test]
fn a_receiver_that_does_not_receive() {
    let runtime = runtime();
    let net = Net::new();
    let via = net.via().window(100, 100_000);
    let (mut wire, server, _link, _listener) = runtime.block_on(async {
        let mut listener = numbers::listen_with_links_async(&via).await.expect("it is free");
        let mut wire = net.dial().expect("it listens");
        raw::handshake::<numbers::Protocol>(&mut wire).await;
        let (server, link) = within(listener.recv_async()).await.expect("a client comes");
        (wire, server, link, listener)
    });
    let bytes = frame(MESSAGE, &[1]).repeat(1_000_000);
    let (_, info) = counting(&runtime, async {
        // By hand, so that nothing else of this thread grows: it gets stuck when the connection is full.
        let _ = tokio::time::timeout(SECOND, wire.write_all(&bytes)).await;
    });
    // 64 KiB under way and 16 KiB in the pump's buffer, with room to grow; what the test keeps of that.
    assert!(info.bytes_max < 512 << 10, "{info:?}");
    drop((server, wire));
}
