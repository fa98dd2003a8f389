//! A sender and a receiver in one task, each using futures in its own way (given up, watching the close,
//! moved between sets, in nested selections), over streams of capacity 0 and 1. For each pair of ways all
//! messages must come.

use futures::executor::block_on;
use futures::future::{Either, FutureExt, LocalBoxFuture, join, poll_fn, select};
use futures::{SinkExt, StreamExt, poll, stream};
use pipes::{Chan, Port, PortSet, TryRecvError, oneshot, select_async, sync_stream};
use pipes_skeleton::from_port;
use pipes_tests::watched;
use std::task::Poll;

const MESSAGES: u64 = if cfg!(miri) { 5 } else { 60 };

type Sends = fn(Chan<u64>) -> LocalBoxFuture<'static, ()>;
/// Returns how many messages came.
type Receives = fn(Port<u64>) -> LocalBoxFuture<'static, u64>;

/// Yields to the other side once.
async fn give_way() {
    let mut given = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut given, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Polls a send a few times, then gives it up, and sends once more if it took the message back.
async fn send_hesitantly(chan: &mut Chan<u64>, number: u64) {
    let mut sending = chan.send_async(number);
    for _ in 0..2 {
        let turns = Box::pin(async {
            give_way().await;
            give_way().await;
        });
        if let Either::Left((sent, _)) = select(&mut sending, turns).await {
            return sent.expect("the receiver is there");
        }
    }
    if let Some(number) = sending.into_inner() {
        chan.send_async(number).await.expect("the receiver is there");
    }
}

fn senders() -> Vec<(&'static str, Sends)> {
    vec![
        ("sends", |mut chan| {
            async move {
                for number in 0..MESSAGES {
                    chan.send_async(number).await.expect("the receiver is there");
                }
            }
            .boxed_local()
        }),
        ("a sink", |mut chan| {
            async move {
                for number in 0..MESSAGES {
                    SinkExt::send(&mut chan, number).await.expect("the receiver is there");
                }
            }
            .boxed_local()
        }),
        ("a sink that is fed, and closed", |mut chan| {
            async move {
                for number in 0..MESSAGES {
                    chan.feed(number).await.expect("the receiver is there");
                }
                chan.close().await.expect("the receiver is there");
                give_way().await;
            }
            .boxed_local()
        }),
        ("a stream that is forwarded", |chan| {
            async move { stream::iter((0..MESSAGES).map(Ok)).forward(chan).await.expect("the receiver is there") }
                .boxed_local()
        }),
        ("tries", |mut chan| {
            async move {
                for number in 0..MESSAGES {
                    while chan.try_send(number).is_err() {
                        give_way().await;
                    }
                }
            }
            .boxed_local()
        }),
        ("sends that are given up", |mut chan| {
            async move {
                for number in 0..MESSAGES {
                    send_hesitantly(&mut chan, number).await;
                }
            }
            .boxed_local()
        }),
        ("sends, and watches between them", |mut chan| {
            async move {
                for number in 0..MESSAGES {
                    assert!(poll!(&mut chan.closed()).is_pending());
                    chan.send_async(number).await.expect("the receiver is there");
                    assert!(poll!(&mut chan.closed()).is_pending());
                    give_way().await;
                }
            }
            .boxed_local()
        }),
    ]
}

async fn readies(mut port: Port<u64>) -> u64 {
    let mut came = 0;
    loop {
        port.ready().await;
        give_way().await;
        match port.try_recv() {
            Ok(_) => came += 1,
            Err(TryRecvError::Closed) => return came,
            Err(TryRecvError::Empty(())) => panic!("it was promised"),
        }
    }
}

async fn given_up(mut port: Port<u64>) -> u64 {
    let mut came = 0;
    loop {
        match poll!(&mut port.recv_async()) {
            Poll::Ready(Ok(_)) => came += 1,
            Poll::Ready(Err(_)) => return came,
            Poll::Pending => give_way().await,
        }
    }
}

async fn selects(mut port: Port<u64>) -> u64 {
    let mut came = 0;
    loop {
        let (_silent, mut other) = sync_stream::<u64>(0);
        let (chan, mut signal) = oneshot();
        chan.send(()).expect("it is here");
        let number = select_async! {
            _ = signal => select_async! {
                number = port => number,
                _ = other => panic!("nothing is sent there"),
            },
            number = port => number,
        };
        match number {
            Ok(_) => came += 1,
            Err(_) => return came,
        }
    }
}

/// The port becomes ready in one set, and its message is received from the other set.
async fn between_sets(port: Port<u64>) -> u64 {
    let (mut one, mut two, mut came) = (PortSet::from_iter([(0, port)]), PortSet::new(), 0);
    loop {
        one.ready().await;
        two.insert_at(0, one.remove(&0).expect("it is there"));
        let Ok((_, Ok(_))) = two.recv_async().await else { return came };
        came += 1;
        one.insert_at(0, two.remove(&0).expect("it stays there"));
    }
}

async fn shares(port: Port<u64>) -> u64 {
    let mut one = port.into_shared();
    let two = one.clone();
    let first = async move {
        let mut came = 0;
        while one.recv_async().await.is_ok() {
            came += 1;
            give_way().await;
        }
        came
    };
    let (first, second): (u64, usize) = join(first, two.count()).await;
    first + second as u64
}

/// Two receives of one port are polled, the second one first, and both are given up at once.
async fn shares_that_are_given_up(port: Port<u64>) -> u64 {
    let mut one = port.into_shared();
    let (mut two, mut came) = (one.clone(), 0);
    loop {
        let (mut first, mut second) = (one.recv_async(), two.recv_async());
        for polled in [poll!(&mut second), poll!(&mut first)] {
            match polled {
                Poll::Ready(Ok(_)) => came += 1,
                Poll::Ready(Err(_)) => return came,
                Poll::Pending => {}
            }
        }
        drop((second, first));
        give_way().await;
    }
}

async fn a_pipeline(port: Port<u64>) -> u64 {
    let items = from_port(port).window(1).hand_over(1).parallel(2, |number| number).in_order();
    let (port, running) = items.into_port();
    let came = port.count().await as u64;
    running.join().expect("no stage fails");
    came
}

fn receivers() -> Vec<(&'static str, Receives)> {
    vec![
        ("a stream", |port| async move { port.count().await as u64 }.boxed_local()),
        ("waits, and takes later", |port| readies(port).boxed_local()),
        ("receives that are given up", |port| given_up(port).boxed_local()),
        ("selections in selections", |port| selects(port).boxed_local()),
        ("two sets", |port| between_sets(port).boxed_local()),
        ("two that share", |port| shares(port).boxed_local()),
        ("shares that are given up", |port| shares_that_are_given_up(port).boxed_local()),
        ("a pipeline", |port| a_pipeline(port).boxed_local()),
    ]
}

#[test]
fn every_pair() {
    for room in 0..2 {
        for (from, sends) in senders() {
            for (to, receives) in receivers() {
                let came = watched(move || {
                    let (chan, port) = sync_stream(room);
                    block_on(join(sends(chan), receives(port))).1
                });
                assert_eq!(came, MESSAGES, "{from}, {to}, room for {room}");
            }
        }
    }
}
