//! Runtimes: more than one thread, none at all, and runtimes that end in the middle.

use pipes::{Cause, Closing, Link};
use pipes_remote::{Via, memory};
use pipes_remote_tests::{Net, numbers, talk};
use pipes_tests::{Random, watched};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Longer than anything takes.
const LONG: Duration = Duration::from_secs(50);

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads can be had")
}

/// The last listener goes, and the acceptor with it, while the next one comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listeners_come_and_go_while_the_acceptor_ends() {
    let net = Net::new();
    let via = net.via();
    let mut random = Random::new(1);
    for _ in 0..3000 {
        let listener = talk::listen_async(&via).await.expect("the place is free");
        drop(listener);
        random.dawdle(200);
        let mut listener = talk::listen_async(&via).await.expect("the place is free");
        let client = talk::connect_async(&via).await.expect("it listens");
        let accepted = tokio::time::timeout(LONG, listener.recv_async()).await;
        let server = accepted.expect("it does not hang").expect("a client comes");
        client.stop().expect("the link stands");
        assert!(matches!(server.await, Ok(talk::Ask::Stop)));
    }
}

/// A place in memory can be taken again, whenever its last listener has gone.
#[tokio::test(start_paused = true)]
async fn memory_is_taken_again() {
    let via = memory();
    for round in 0..50 {
        let mut listener = talk::listen_async(&via).await.expect("the place is free");
        let client = talk::connect_async(&via).await.expect("it listens");
        client.stop().expect("the link stands");
        let server = listener.recv_async().await.expect("a client comes");
        assert!(matches!(server.await, Ok(talk::Ask::Stop)));
        drop(listener);
        for _ in 0..round {
            tokio::task::yield_now().await;
        }
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
        assert!(link.drained(LONG).is_err() || speaks);
    }
    assert!(waiting.join().expect("it does not panic"), "the listener has ended");
}

#[test]
fn a_runtime_that_ends_ends_sessions_and_listeners() {
    watched(|| {
        let net = Net::new();
        let via = net.via();
        for round in 0..20 {
            ends_with(runtime(), &via, round % 2 == 0);
        }
        assert!(!net.is_bound());
    });
}

/// Only one side's runtime ends: the other side hears of it.
#[test]
fn a_runtime_that_ends_at_one_side() {
    watched(|| {
        for client_ends in [true, false] {
            let net = Net::new();
            let (ours, theirs) = (runtime(), runtime());
            let mut listener =
                theirs.block_on(numbers::listen_with_links_async(&net.via())).expect("the place is free");
            let (client, link) =
                ours.block_on(numbers::connect_with_link_async(&net.via())).expect("it listens");
            let (server, its_link) = listener.accept().expect("a client comes");
            let mut client = client.number(1).expect("the link stands");
            let Ok(numbers::Open::Number(1, server)) = server.recv() else { panic!("a number comes") };
            if client_ends {
                drop(ours);
                assert!(server.recv().is_err());
                theirs.block_on(client.closed());
            } else {
                drop(theirs);
                ours.block_on(client.closed());
                assert!(server.recv().is_err());
                assert!(listener.accept().is_err());
            }
            for link in [link, its_link] {
                assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
            }
        }
    });
}

/// Many sessions in full swing, in a runtime that ends.
#[test]
fn a_runtime_that_ends_in_full_swing() {
    watched(|| {
        for round in 0..20 {
            let net = Net::new();
            let running = runtime();
            let via = net.via().window(16, 1 << 20);
            let mut listener = running.block_on(numbers::listen_with_links_async(&via)).expect("it is free");
            let (mut threads, (under_way, when)) = (Vec::new(), mpsc::channel());
            for _ in 0..4 {
                let under_way = under_way.clone();
                let (mut client, link) =
                    running.block_on(numbers::connect_with_link_async(&via)).expect("it listens");
                let (mut server, its_link) = listener.accept().expect("a client comes");
                threads.push(thread::spawn(move || {
                    for number in 0.. {
                        match client.number(number) {
                            Ok(next) => client = next,
                            Err(_) => break,
                        }
                        if number % 64 == 0 {
                            thread::yield_now();
                        }
                    }
                    link
                }));
                threads.push(thread::spawn(move || {
                    let mut expected = 0;
                    while let Ok(numbers::Open::Number(number, next)) = server.recv() {
                        assert_eq!(number, expected);
                        (server, expected) = (next, expected + 1);
                        if number == 300 * round {
                            // Only the first one is waited for.
                            let _ = under_way.send(());
                        }
                    }
                    its_link
                }));
            }
            when.recv().expect("numbers come");
            drop(running);
            for thread in threads {
                let link = thread.join().expect("it does not panic");
                assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
            }
            assert!(listener.accept().is_err());
        }
    });
}

/// A session by blocking calls, with its link.
fn by_blocking(via: &Via<Net>) -> Link {
    let (client, link) = talk::connect_with_link(via).expect("it listens");
    let Ok(talk::Answer::Reply(2, client)) = client.question(1).expect("it stands").recv() else {
        panic!("an answer comes")
    };
    client.stop().expect("the link stands");
    link.drained(LONG).expect("it is confirmed");
    link
}

/// What a thread that finds its end closed learns of that at once.
#[test]
fn threads_know_the_cause_when_their_end_closes() {
    watched(|| {
        let via = memory();
        let mut listener = talk::listen_with_links(&via).expect("the place is free");
        let serving = thread::spawn(move || {
            for round in 0..2000 {
                let (mut server, link) = listener.accept().expect("a client comes");
                let mut random = Random::new(round);
                let answers = random.below(4);
                for _ in 0..answers {
                    match server.recv() {
                        Ok(talk::Ask::Question(number, answer)) => match answer.reply(number) {
                            Ok(next) => server = next,
                            Err(_) => return assert!(!matches!(link.cause(), Cause::Open)),
                        },
                        Ok(talk::Ask::Stop) => return assert!(matches!(link.cause(), Cause::Ended)),
                        Err(_) => return assert!(matches!(link.cause(), Cause::Left), "{link:?}"),
                    }
                }
                random.dawdle(5000);
            }
        });
        for round in 0..2000 {
            let (mut client, link) = talk::connect_with_link(&via).expect("it listens");
            let mut random = Random::new(round);
            let answers = random.below(4);
            random.dawdle(5000);
            // One question more than there are answers: by then, the server has left.
            for asked in 0..=answers {
                let Ok(asking) = client.question(asked) else {
                    assert!(asked == answers && matches!(link.cause(), Cause::Left), "{link:?}");
                    break;
                };
                match asking.recv() {
                    Ok(talk::Answer::Reply(reply, next)) => {
                        assert_eq!(reply, asked);
                        client = next;
                    }
                    Ok(talk::Answer::Enough) => panic!("it is not enough"),
                    Err(_) => {
                        assert!(asked == answers && matches!(link.cause(), Cause::Left), "{link:?}");
                        break;
                    }
                }
            }
        }
        serving.join().expect("it does not panic");
    });
}

/// A thread that drains its listener waits for those sessions that end in time.
#[test]
fn a_thread_drains_its_listener() {
    watched(|| {
        let via = memory();
        let mut listener = talk::listen(&via).expect("the place is free");
        let clients: Vec<_> = (0..4).map(|_| talk::connect(&via).expect("it listens")).collect();
        let servers: Vec<_> = (0..4).map(|_| listener.accept().expect("a client comes")).collect();
        let (closed, drained) = mpsc::channel();
        thread::spawn(move || closed.send(listener.drain(LONG)));
        for (client, server) in clients.into_iter().zip(servers) {
            assert!(drained.try_recv().is_err(), "a session is under way");
            client.stop().expect("the link stands");
            assert!(matches!(server.recv(), Ok(talk::Ask::Stop)));
        }
        assert_eq!(drained.recv(), Ok(0));
    });
}

/// Blocking calls work in threads, and inside of runtimes of either kind, because the pumps are elsewhere.
#[test]
fn blocking_calls_inside_and_outside_of_runtimes() {
    watched(|| {
        let net = Net::new();
        let via = net.via();
        let listener = talk::listen(&via).expect("the place is free");
        let serving = thread::spawn(move || {
            for mut server in listener {
                while let Ok(talk::Ask::Question(number, answer)) = server.recv() {
                    server = answer.reply(number + 1).expect("the link stands");
                }
            }
        });
        by_blocking(&via);
        let one = Builder::new_current_thread().enable_all().build().expect("a runtime");
        one.block_on(async { by_blocking(&via) });
        one.block_on(async {
            let more = talk::listen(&Net::new().via()).expect("the place is free");
            drop(more);
        });
        let many = runtime();
        many.block_on(async { by_blocking(&via) });
        many.block_on(async {
            let via = via.clone();
            tokio::spawn(async move { by_blocking(&via) }).await.expect("it does not panic");
        });
        // A runtime that has gone does not take the sessions of another one with it.
        let (client, link) = one.block_on(async { talk::connect_with_link(&via) }).expect("it listens");
        drop((one, many));
        assert!(matches!(client.question(4).expect("it stands").recv(), Ok(talk::Answer::Reply(5, _))));
        assert!(matches!(link.cause(), Cause::Open | Cause::LeftHere), "{link:?}");
        drop(serving);
    });
}

/// An executor that is none of tokio's: the pumps are in the background.
#[test]
fn tasks_of_another_executor() {
    watched(|| {
        let net = Net::new();
        let via = net.via();
        let mut listener = poll_to_end(talk::listen_async(&via)).expect("the place is free");
        let client = poll_to_end(talk::connect_async(&via)).expect("it listens");
        let server = poll_to_end(listener.recv_async()).expect("a client comes");
        client.stop().expect("the link stands");
        assert!(matches!(poll_to_end(server.recv_async()), Ok(talk::Ask::Stop)));
    });
}

/// A little executor.
fn poll_to_end<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = std::sync::Arc::new(Unpark(thread::current())).into();
    let mut cx = std::task::Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut cx) {
            std::task::Poll::Ready(result) => return result,
            std::task::Poll::Pending => thread::park(),
        }
    }
}
