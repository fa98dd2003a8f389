//! The process of the service. It says its addresses, answers what it is asked on its standard input, and
//! ends when that does.

use crate::MEMORY;
use crate::places::{identity, limited, trusted};
use pipes::Listener;
use pipes_remote::{quic_free_port, tcp_free_port, tls_free_port, unix};
use pipes_remote_tests::children::say;
use pipes_remote_tests::stranger::{parley, serve};
use pipes_remote_tests::{engines, numbers};
use std::io::stdin;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The sessions of strangers.
static SESSIONS: AtomicU64 = AtomicU64::new(0);

/// Strangers may do what they want.
async fn strangers(mut listener: Listener<parley::Protocol>) {
    while let Ok(server) = listener.recv_async().await {
        SESSIONS.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(async move {
            serve(server, false).await;
            SESSIONS.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// A sum that is not asked for to its end is a panic, and so a complaint.
async fn honest(mut listener: Listener<numbers::Protocol>, stop: tokio::sync::watch::Receiver<()>) {
    let mut stopped = stop.clone();
    loop {
        tokio::select! {
            server = listener.recv_async() => {
                tokio::spawn(engines::serve(server.expect("the place stands")));
            }
            _ = stopped.changed() => break,
        }
    }
    let draining = tokio::time::timeout(Duration::from_secs(30), listener.drain_async());
    draining.await.expect("no session is left");
}

pub fn run(folder: &Path) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("threads can be had");
    let _inside = runtime.enter();
    let guarded = engines::showing(&identity(folder, "service")).clients(trusted(folder));
    let (stop, stopped) = tokio::sync::watch::channel(());
    let (mut serving, mut addresses) = (Vec::new(), Vec::new());
    macro_rules! open_at {
        ($via:expr) => {
            let via = limited($via);
            addresses.push(via.address());
            let listener = runtime.block_on(parley::listen_async(&via)).expect("it is free");
            runtime.spawn(strangers(listener));
            let listener = runtime.block_on(numbers::listen_async(&via)).expect("it is free");
            serving.push(runtime.spawn(honest(listener, stopped.clone())));
        };
    }
    open_at!(unix(folder.join("socket")));
    open_at!(tcp_free_port().expect("there is a free port"));
    open_at!(tls_free_port(guarded.clone()).expect("there is a free port"));
    open_at!(quic_free_port(guarded).expect("there is a free port"));
    say(format!("{} {}", folder.display(), addresses.join(" ")));
    for line in stdin().lines() {
        match line.expect("it can be read").as_str() {
            "state" => {
                let tasks = runtime.metrics().num_alive_tasks();
                say(format!("{tasks} {} {}", MEMORY.current_usage(), SESSIONS.load(Ordering::Relaxed)));
            }
            _ => break,
        }
    }
    stop.send(()).expect("they listen");
    for serving in serving {
        runtime.block_on(serving).expect("it does not panic");
    }
    say("drained");
}
