//! The futures that [`midway`](super::midway) polls and drops.

use futures::future::{Either, select};
use futures::{SinkExt, StreamExt, TryStreamExt};
use pipes::{Eventual, PortSet, SharedChan, duplex_stream, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{Counted, Random, Tally};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

pipes::proto! {
    exchange<T: Send> {
        asking: send { ask(T) -> answering, more([T; 2]) -> asking, last(T) -> ! }
        answering: recv { answer(T) -> asking, none -> ! }
    }
}

pub(super) type Job = Pin<Box<dyn Future<Output = usize> + Send>>;
pub(super) type OtherSide = Box<dyn FnOnce(Random) + Send>;

const KINDS: u64 = 10;
const MOMENT: Duration = Duration::from_micros(20);

/// Makes a future, and the function that uses its other ends.
pub(super) fn job(tally: &Tally, lot: &mut Random) -> (Job, OtherSide) {
    let (kind, room, tally, own) = (lot.below(KINDS), lot.below(3) as usize, tally.clone(), tally.clone());
    let few = lot.below(4);
    match kind {
        0 => {
            let (mut chan, mut port) = stream();
            let future = async move {
                let mut count = 0;
                while port.recv_async().await.is_ok() {
                    count += 1;
                }
                count
            };
            (Box::pin(future), Box::new(move |_| (0..few).for_each(|n| drop(chan.send(tally.make(n))))))
        }
        1 => {
            let (mut chan, mut port) = sync_stream(room);
            let future = async move {
                let mut count = 0;
                while chan.send_async(own.make(7)).await.is_ok() {
                    count += 1;
                }
                count
            };
            let other = move |mut lot: Random| {
                for _ in 0..few {
                    drop(if lot.below(2) == 0 {
                        port.recv_timeout(MOMENT).ok()
                    } else {
                        port.try_recv().ok()
                    });
                }
            };
            (Box::pin(future), Box::new(other))
        }
        2 => {
            let (chan, port) = shared_stream();
            let mut port = port.into_shared();
            let mut other_port = port.clone();
            let future = async move {
                let mut count = 0;
                while port.recv_async().await.is_ok() {
                    count += 1;
                }
                while port.next().await.is_some() {}
                count
            };
            let other = move |mut lot: Random| {
                for number in 0..few {
                    drop(chan.send(tally.make(number)));
                    lot.dawdle(200);
                    drop(other_port.recv_timeout(MOMENT));
                }
            };
            (Box::pin(future), Box::new(other))
        }
        3 => {
            let (chans, ports): (Vec<SharedChan<Counted>>, Vec<_>) = (0..3).map(|_| shared_stream()).unzip();
            let mut set: PortSet<_> = ports.into_iter().collect();
            let future = async move {
                let mut count = 0;
                while set.recv_async().await.is_ok() {
                    count += 1;
                }
                count
            };
            let other = move |mut lot: Random| {
                for number in 0..few {
                    drop(chans[lot.below(3) as usize].send(tally.make(number)));
                }
            };
            (Box::pin(future), Box::new(other))
        }
        4 => {
            let (chan, port) = oneshot();
            let future = async move { usize::from(Eventual::from(port).await.is_ok()) };
            (Box::pin(future), Box::new(move |_| drop((few > 0).then(|| chan.send(tally.make(1))))))
        }
        5 => {
            let (mut client, server) = exchange::pipe();
            let future = async move {
                let mut count = 0;
                loop {
                    let Ok(next) = client.more([own.make(1), own.make(2)]) else { return count };
                    let Ok(asked) = next.ask(own.make(3)) else { return count };
                    let Ok(exchange::Answering::Answer(_, next)) = asked.recv_async().await else {
                        return count;
                    };
                    client = next;
                    count += 1;
                }
            };
            let other = move |mut lot: Random| {
                let mut server = server;
                while let Ok(message) = server.recv() {
                    server = match message {
                        exchange::Asking::Ask(value, next) if lot.below(3) > 0 => match next.answer(value) {
                            Ok(next) => next,
                            Err(_) => return,
                        },
                        exchange::Asking::Ask(_, next) => {
                            let _ = next.none();
                            return;
                        }
                        exchange::Asking::More(_, next) => next,
                        exchange::Asking::Last(_) => return,
                    };
                    if lot.below(6) == 0 {
                        return;
                    }
                }
            };
            (Box::pin(future), Box::new(other))
        }
        6 => {
            let (mut here, mut there) = duplex_stream();
            let future = async move {
                let mut count = 0;
                while here.send(own.make(count as u64)).is_ok() && here.recv_async().await.is_ok() {
                    count += 1;
                }
                count
            };
            let other = move |_| {
                for _ in 0..few {
                    if there.recv().and_then(|value| there.send(value).map_err(|_| pipes::RecvError)).is_err()
                    {
                        return;
                    }
                }
            };
            (Box::pin(future), Box::new(other))
        }
        7 => {
            let (mut chan, mut port) = sync_stream(room);
            let future = async move {
                drop(chan.try_send(own.make(1)));
                chan.closed().await;
                usize::from(chan.send_async(own.make(2)).await.is_err())
            };
            (Box::pin(future), Box::new(move |_| drop(port.recv_timeout(MOMENT))))
        }
        8 => {
            let ((mut chan, mut port), (mut give, mut take)) = (stream(), sync_stream(room));
            let future = async move {
                let mut count = 0;
                loop {
                    let ended = match select(port.ready(), give.send_async(own.make(9))).await {
                        Either::Left((_, sending)) => {
                            drop(sending.into_inner());
                            port.try_recv().is_err()
                        }
                        Either::Right((sent, _)) => sent.is_err(),
                    };
                    if ended {
                        return count;
                    }
                    count += 1;
                }
            };
            let other = move |mut lot: Random| {
                for number in 0..2 * few {
                    if lot.below(2) == 0 {
                        drop(chan.send(tally.make(number)));
                    } else {
                        drop(take.recv_timeout(MOMENT));
                    }
                }
            };
            (Box::pin(future), Box::new(other))
        }
        _ => {
            let ((chan, port), (sink, mut end)) = (shared_stream(), sync_stream(room));
            let future = async move {
                let forwarded = port.map(Ok).try_for_each_concurrent(None, |value: Counted| async move {
                    drop(value);
                    Ok::<_, ()>(())
                });
                let mut sink = sink;
                let fed = sink.feed(own.make(5)).await.is_ok();
                drop(sink.close().await);
                forwarded.await.is_ok() as usize + usize::from(fed)
            };
            let other = move |_| {
                for number in 0..few {
                    drop(chan.send(tally.make(number)));
                    drop(end.recv_timeout(MOMENT));
                }
            };
            (Box::pin(future), Box::new(other))
        }
    }
}
