//! Each payload that was made is dropped, wherever its session breaks.

use pipes_remote_tests::{Counted, Counts, Cut, DOWN, Net, Plan, UP, loads, rest, tasks, within};
use std::time::Duration;
use tokio::time::sleep;

/// What the receiver does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receiver {
    TakesAll,
    /// Takes a few, and drops its endpoint.
    Leaves,
    /// Takes a few, and then nothing until all is over.
    Waits,
}

/// A session of twelve loads. Returns the bytes of its lines.
async fn session(receiver: Receiver, plan: Plan) -> [u64; 2] {
    let (before, base) = (Counts::now().alive(), tasks());
    let net = Net::of(plan);
    let via = net.via().window(5, 1 << 20);
    let mut listener = loads::listen_async(&via).await.expect("it is free");
    let sending = async {
        let mut client = loads::connect_async(&via).await.ok()?;
        for number in 0..12 {
            client = client.load(Counted::new(number)).ok()?;
            if number % 4 == 3 {
                sleep(Duration::from_secs(1)).await;
            }
        }
        client.done().ok()
    };
    let receiving = async {
        let accepted = tokio::time::timeout(Duration::from_secs(60), listener.recv_async()).await;
        let mut server = accepted.ok()?.ok()?;
        for number in 0.. {
            if number == 3 && receiver == Receiver::Leaves {
                return None;
            }
            if number == 3 && receiver == Receiver::Waits {
                rest().await;
                return Some(server);
            }
            let Ok(loads::Open::Load(load, next)) = server.await else { return None };
            assert_eq!(load.0, number);
            server = next;
        }
        None
    };
    let ends = within(async { tokio::join!(sending, receiving) }).await;
    drop((ends, listener));
    rest().await;
    assert_eq!(Counts::now().alive(), before, "{receiver:?} {plan:?}");
    assert_eq!(tasks(), base, "{receiver:?} {plan:?}");
    [UP, DOWN].map(|line| net.cable(0).passed(line))
}

#[tokio::test(start_paused = true)]
async fn they_run_in_sessions_that_are_cut() {
    for receiver in [Receiver::TakesAll, Receiver::Leaves, Receiver::Waits] {
        let plan = Plan { piece: 7, ..Plan::default() };
        let whole = session(receiver, plan).await;
        for line in [UP, DOWN] {
            for at in 0..=whole[line] {
                for how in Cut::ALL {
                    session(receiver, Plan { cut: Some((line, at, how)), ..plan }).await;
                }
            }
        }
    }
    assert!(Counts::now().decoded > 3_000);
}

/// In a runtime that ends, with messages at every place on the way.
#[test]
fn they_run_when_the_runtime_ends() {
    for room in [1, 40, 64 << 10] {
        let before = Counts::now().alive();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let net = Net::of(Plan { room, ..Plan::default() });
        let (client, server, listener) = runtime.block_on(async {
            let via = net.via().window(5, 1 << 20);
            let mut listener = loads::listen_async(&via).await.expect("it is free");
            let mut client = loads::connect_async(&via).await.expect("it listens");
            let mut server = listener.recv_async().await.expect("a client comes");
            for number in 0..10_000 {
                client = client.load(Counted::new(number)).expect("the link stands");
                if number % 1000 == 7 {
                    let Ok(loads::Open::Load(_, next)) = server.await else { panic!("a load comes") };
                    server = next;
                }
            }
            (client, server, listener)
        });
        drop(runtime);
        assert!(client.load(Counted::new(0)).is_err());
        drop((server, listener));
        assert_eq!(Counts::now().alive(), before);
    }
}
