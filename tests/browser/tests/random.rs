//! Random crowds of tasks over random channels: nothing is lost, doubled or out of order.
#![cfg(target_family = "wasm")]

use fastrand::Rng;
use gloo_timers::future::sleep;
use pipes::{Port, PortSet, SharedChan};
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::wasm_bindgen_test;

/// A message: its sender, and its number there.
type Message = (usize, u32);

/// Lets others run, now and then.
async fn perhaps_pause(random: &mut Rng) {
    match random.u32(..8) {
        0 => sleep(Duration::from_millis(1)).await,
        1 => sleep(Duration::ZERO).await,
        _ => {}
    }
}

/// A channel with many senders, of a random kind.
fn channel(random: &mut Rng) -> (SharedChan<Message>, Port<Message>) {
    match random.usize(..6) {
        0 => pipes::shared_stream(),
        bound => pipes::shared_sync_stream(bound - 1),
    }
}

/// Forwards until the port is closed.
async fn forward(mut port: Port<Message>, to: SharedChan<Message>, mut random: Rng) {
    while let Ok(message) = port.recv_async().await {
        perhaps_pause(&mut random).await;
        to.send_async(message).await.expect("it receives");
    }
}

#[wasm_bindgen_test]
async fn random_crowds() {
    for seed in 0..60 {
        let random = &mut Rng::with_seed(seed);
        let (senders, lanes) = (random.usize(1..8), random.usize(1..5));
        let most = random.u32(1..60);
        // Each sender has a lane, which forwards to the members of a set.
        let mut set = PortSet::new();
        let mut entries = Vec::new();
        for lane in 0..lanes {
            let ((entry, middle), (exit, port)) = (channel(random), channel(random));
            spawn_local(forward(middle, exit, random.fork()));
            set.insert_at(lane, port);
            entries.push(entry);
        }
        for sender in 0..senders {
            let (entry, mut random) = (entries[sender % lanes].clone(), random.fork());
            spawn_local(async move {
                for number in 0..most {
                    perhaps_pause(&mut random).await;
                    entry.send_async((sender, number)).await.expect("it receives");
                }
            });
        }
        drop(entries);
        let mut seen = vec![0; senders];
        while !set.is_empty() {
            if let (lane, Ok((sender, number))) = set.recv_async().await.expect("it has members") {
                assert_eq!((sender % lanes, number), (lane, seen[sender]), "seed {seed}");
                seen[sender] += 1;
                perhaps_pause(random).await;
            }
        }
        assert!(seen.iter().all(|&seen| seen == most), "seed {seed}: {seen:?} of {most}");
    }
}
