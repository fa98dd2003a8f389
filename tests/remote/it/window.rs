//! Receivers that do not receive, or slowly: what waits for them, and where. Loads are decoded only where
//! they arrive.

use pipes::remote::Cause;
use pipes_remote_tests::{Counted, Counts, Net, Plan, UP, Unchecked, at_rest, loads, session, tasks, within};
use std::time::Duration;
use tokio::time::sleep;

/// The bytes that a pump reads before it looks at them.
const READ: usize = 16 << 10;
const SECOND: Duration = Duration::from_secs(1);

/// Receives a load with this number.
async fn load(server: loads::Server<loads::Open>, expected: u64) -> loads::Server<loads::Open> {
    match within(server).await {
        Ok(loads::Open::Load(load, next)) => {
            assert_eq!(load.0, expected);
            next
        }
        other => panic!("{other:?} instead of {expected}"),
    }
}

#[tokio::test(start_paused = true)]
async fn the_window_is_used_and_never_exceeded() {
    for window in [1, 2, 3, 16, 1000] {
        let net = Net::new();
        let (_listener, (mut client, link), (mut server, its_link)) =
            session!(loads, &net.via().window(window, 1 << 30).codec(Unchecked));
        let before = Counts::now().decoded;
        for number in 0..5000 {
            client = client.load(Counted::new(number)).expect("the link stands");
        }
        client.done().expect("the link stands");
        for number in 0..5000 {
            let is_rest = number % 97 == 0;
            if is_rest {
                sleep(SECOND).await;
            }
            let unread = Counts::now().decoded - before - number as usize;
            assert!(unread <= window, "{unread} of {window}");
            if is_rest && number < 3900 {
                // The pump continues when half of the window is received.
                assert!(unread > window / 2, "{unread} of {window}");
            }
            server = load(server, number).await;
        }
        assert!(matches!(within(server).await, Ok(loads::Open::Done)));
        within(link.delivered_async()).await.expect("it is confirmed");
        assert!(matches!((link.cause(), its_link.cause()), (Cause::Ended, Cause::Ended)));
    }
}

#[tokio::test(start_paused = true)]
async fn bytes_are_counted_too() {
    for (window, length) in [(10_000, 1000), (10_000, 9_999), (30_000, 30), (1, 5_000), (10, 200_000)] {
        let net = Net::new();
        let (_listener, (mut client, link), (mut server, _)) =
            session!(loads, &net.via().window(1 << 30, window).codec(Unchecked));
        let count = 1_000_000 / length;
        for number in 0..count {
            client = client.bytes(vec![number as u8; length]).expect("the link stands");
        }
        client.done().expect("the link stands");
        for number in 0..count {
            if number % 100 == 0 {
                sleep(SECOND).await;
            }
            // A frame has a length, which does not count, a code, and the payload with its own length.
            let counted = 1 + postcard::to_stdvec(&length).expect("a number").len() + length;
            let unread = net.cable(0).read(UP).saturating_sub(200 + number * (counted + 4));
            let most = (window / counted + 1) * (counted + 4) + READ.max(2 * counted);
            assert!(unread <= most, "{unread} of {most} bytes, {number} of {length} in {window}");
            let Ok(loads::Open::Bytes(bytes, next)) = within(server).await else { panic!("{link:?}") };
            assert!(bytes.len() == length && bytes.iter().all(|byte| *byte == number as u8));
            server = next;
        }
        assert!(matches!(within(server).await, Ok(loads::Open::Done)));
        within(link.delivered_async()).await.expect("it is confirmed");
    }
}

/// The receiver takes longer for what waits in its window than the closing handshake may last.
#[tokio::test(start_paused = true)]
async fn a_slow_receiver_gets_everything_and_the_end() {
    let base = tasks();
    for (leaves, pause) in [(false, 7), (true, 7), (false, 100), (true, 100)] {
        for plan in [Plan::default(), Plan { room: 10, ..Plan::default() }] {
            let net = Net::of(plan);
            let (listener, (mut client, link), (mut server, its_link)) =
                session!(loads, &net.via().window(4, 1 << 20).codec(Unchecked));
            for number in 0..20 {
                client = client.load(Counted::new(number)).expect("the link stands");
            }
            if leaves {
                drop(client);
            } else {
                client.done().expect("the link stands");
            }
            for number in 0..20 {
                sleep(pause * SECOND).await;
                server = load(server, number).await;
            }
            sleep(pause * SECOND).await;
            let end = within(server).await;
            let (cause, its_cause) = (link.cause(), its_link.cause());
            if leaves {
                assert!(end.is_err());
                assert!(
                    matches!((&cause, &its_cause), (Cause::LeftHere, Cause::Left)),
                    "{link:?} {its_link:?}"
                );
            } else {
                assert!(matches!(end, Ok(loads::Open::Done)), "{end:?} {its_link:?}");
                assert!(
                    matches!((&cause, &its_cause), (Cause::Ended, Cause::Ended)),
                    "{link:?} {its_link:?}"
                );
            }
            within(link.delivered_async()).await.expect("it is confirmed");
            drop(listener);
            at_rest(base).await;
        }
    }
}

/// A fault of the sender is behind what it has sent, and waits there for as long as a message.
#[tokio::test(start_paused = true)]
async fn a_slow_receiver_gets_everything_before_a_fault() {
    let base = tasks();
    let net = Net::of(Plan { room: 1 << 10, ..Plan::default() });
    let via = net.via().window(4, 1 << 20).limit(2_000).codec(Unchecked);
    let (listener, (mut client, link), (mut server, its_link)) = session!(loads, &via);
    for _ in 0..100 {
        client = client.bytes(vec![7; 1_000]).expect("the link stands");
    }
    let _client = client.bytes(vec![7; 3_000]).expect("the link stands");
    sleep(3600 * SECOND).await;
    for received in 0..100 {
        server = match within(server).await {
            Ok(loads::Open::Bytes(_, next)) => next,
            other => panic!("{other:?} after {received}: {its_link:?}"),
        };
        sleep(SECOND).await;
    }
    assert!(within(server).await.is_err());
    for link in [link, its_link] {
        assert!(matches!(link.cause(), Cause::Fault(_)), "{link:?}");
    }
    drop(listener);
    at_rest(base).await;
}
