//! Runtimes: more than one thread, none at all, and runtimes that end in the middle.

use pipes::{Closing, remote::Cause};
use pipes_remote::Via;
use pipes_remote_tests::engines::{add, serve_all};
use pipes_remote_tests::{Counted, Counts, Net, Plan, loads, numbers, runtime, talk};
use pipes_tests::{Rng, spin, test_in, watched};
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Longer than anything takes.
const LONG: Duration = Duration::from_secs(50);

/// The last listener goes, and the acceptor with it, while the next one comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listeners_come_and_go_while_the_acceptor_ends() {
    let net = Net::new();
    let via = net.via();
    let mut random = Rng::with_seed(1);
    for _ in 0..1000 {
        let listener = talk::listen_async(&via).await.expect("the place is free");
        drop(listener);
        spin(random.u64(..200));
        let mut listener = talk::listen_async(&via).await.expect("the place is free");
        let client = talk::connect_async(&via).await.expect("it listens");
        let accepted = tokio::time::timeout(LONG, listener.recv_async()).await;
        let server = accepted.expect("it does not hang").expect("a client comes");
        client.stop().expect("the link stands");
        assert!(matches!(server.await, Ok(talk::Ask::Stop)));
    }
}

/// What both users see of a session whose pumps are in this runtime when that ends.
fn ends_with(at: Runtime, via: &Via<Net>, speaks: bool) {
    let (mut listener, client, link, server, its_link) = at.block_on(async {
        let mut listener = talk::listen_with_links_async(via).await.expect("the place is free");
        let (client, link) = talk::connect_with_link_async(via).await.expect("it listens");
        let (server, its_link) = listener.recv_async().await.expect("a client comes");
        (listener, client, link, server, its_link)
    });
    let waiting = thread::spawn(move || listener.accept().is_err());
    if speaks {
        drop(at);
        assert!(client.is_closed());
        assert!(client.question(1).is_err());
        assert!(server.recv().is_err());
    } else {
        let asking = client.question(1).expect("the link stands");
        let Ok(talk::Ask::Question(1, answer)) = server.recv() else { panic!("a question comes") };
        let asks = thread::spawn(move || asking.recv().is_err());
        drop(at);
        assert!(asks.join().expect("it does not panic"));
        assert!(answer.reply(1).is_err());
    }
    for link in [link, its_link] {
        assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
        assert!(link.delivered(LONG).is_err() || speaks);
    }
    assert!(waiting.join().expect("it does not panic"), "the listener has ended");
}

#[test_in(watched)]
fn a_runtime_that_ends_ends_sessions_and_listeners() {
    let net = Net::new();
    let via = net.via();
    for round in 0..20 {
        ends_with(runtime(2), &via, round % 2 == 0);
    }
    assert!(!net.is_bound());
}

/// A session by blocking calls.
fn by_blocking(via: &Via<Net>) {
    let (client, link) = numbers::connect_with_link(via).expect("it listens");
    add(client, 1, 0);
    link.delivered(LONG).expect("it is confirmed");
}

/// Blocking calls work in threads, and inside of runtimes of either kind, because the pumps are elsewhere.
#[test_in(watched)]
fn blocking_calls_inside_and_outside_of_runtimes() {
    let net = Net::new();
    let via = net.via();
    serve_all(numbers::listen(&via).expect("the place is free"));
    by_blocking(&via);
    let one = Builder::new_current_thread().enable_all().build().expect("a runtime");
    one.block_on(async { by_blocking(&via) });
    one.block_on(async { drop(talk::listen(&Net::new().via()).expect("the place is free")) });
    let many = runtime(2);
    many.block_on(async { by_blocking(&via) });
    many.block_on(async {
        let via = via.clone();
        tokio::spawn(async move { by_blocking(&via) }).await.expect("it does not panic");
    });
    // A runtime that has gone does not take the sessions of another one with it.
    let client = one.block_on(async { numbers::connect(&via) }).expect("it listens");
    drop((one, many));
    add(client, 4, 0);
}

/// With messages at every place on the way.
#[test]
fn payloads_are_dropped_when_the_runtime_ends() {
    for room in [1, 40, 64 << 10] {
        let before = Counts::now().alive;
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
        assert_eq!(Counts::now().alive, before);
    }
}
