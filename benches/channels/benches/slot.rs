//! The cost of a slot alone: every message is sent and received in one thread, so nothing ever waits.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pipes_channels::protocol::pingpong::{Ping, Pong, pipe};

/// A fresh oneshot for each message.
fn oneshot(criterion: &mut Criterion) {
    criterion.bench_function("oneshot/create, send, receive", |bencher| {
        bencher.iter(|| {
            let (chan, port) = pipes::oneshot();
            chan.send(black_box(1_u64)).expect("the port is here");
            port.recv().expect("the message was sent")
        });
    });
}

/// A round trip over one pipe, which is used again and again.
fn pingpong(criterion: &mut Criterion) {
    criterion.bench_function("pingpong/round trip", |bencher| {
        let mut pair = Some(pipe());
        bencher.iter(|| {
            let (client, server) = pair.take().expect("the last round left a pair");
            let waiting = client.ping().expect("the server is here");
            let Ping::Ping(answer) = server.recv().expect("the ping was sent");
            let serving = answer.pong().expect("the client is here");
            let Pong::Pong(pinging) = waiting.recv().expect("the pong was sent");
            pair = Some((pinging, serving));
        });
    });
}

/// Messages through one stream, received one by one, or after several of them have been sent.
fn stream(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stream/send, receive");
    for run in [1_u64, 31, 1000] {
        group.throughput(Throughput::Elements(run));
        group.bench_function(BenchmarkId::new("run", run), |bencher| {
            let (mut chan, mut port) = pipes::stream();
            bencher.iter(|| {
                for value in 0..run {
                    chan.send(black_box(value)).expect("the port is here");
                }
                for _ in 0..run {
                    black_box(port.recv().expect("as many were sent"));
                }
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = slot;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    targets = oneshot, pingpong, stream
}
criterion_main!(slot);
