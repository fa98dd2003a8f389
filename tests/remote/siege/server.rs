//! The process of the bank. It says its addresses, answers what it is asked on its standard input, and ends
//! when that does.

use crate::bank::{Accounts, bank};
use crate::places::{self, limited};
use crate::{MEMORY, SAYS};
use pipes::{Link, Listener};
use pipes_remote::security::Security;
use pipes_remote::{quic_free_port, tcp_free_port, tls_free_port, unix};
use std::io::{BufRead, stdin};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

type Bank = Listener<bank::Protocol, (bank::Server<bank::Login>, Link)>;

/// What the bank counts.
#[derive(Debug, Default)]
struct Counts {
    sessions: AtomicU64,
    begun: AtomicU64,
}

pub fn run(folder: &Path) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("threads can be had");
    let _inside = runtime.enter();
    let own = places::identity(folder, "bank");
    let open = Security::new().identity(&own);
    let guarded = open.clone().clients(places::trusted(folder));
    let free = "there is a free port";
    let at_unix = limited(unix(folder.join("bank.socket")));
    let at_tcp = limited(tcp_free_port().expect(free));
    let [tls, known_tls] = [&open, &guarded].map(|it| limited(tls_free_port(it.clone()).expect(free)));
    let [quic, known_quic] = [&open, &guarded].map(|it| limited(quic_free_port(it.clone()).expect(free)));
    let (accounts, counts) = (Accounts::default(), Arc::new(Counts::default()));
    let may_enter =
        ["honest", "insider", "crowd"].map(|name| places::identity(folder, name).fingerprint().to_string());
    let (mut serving, mut addresses) = (Vec::new(), Vec::new());
    let (stop, stopped) = tokio::sync::watch::channel(());
    macro_rules! open_at {
        ($via:expr, $guests:expr) => {
            let listener = runtime.block_on(bank::listen_with_links_async(&$via)).expect("it is free");
            addresses.push($via.address());
            let guests: Option<[String; 3]> = $guests;
            let clerk = clerk(listener, guests, accounts.clone(), counts.clone(), stopped.clone());
            serving.push(runtime.spawn(clerk));
        };
    }
    open_at!(at_unix, None);
    open_at!(at_tcp, None);
    open_at!(tls, None);
    open_at!(quic, None);
    open_at!(known_tls, Some(may_enter.clone()));
    open_at!(known_quic, Some(may_enter.clone()));
    println!("{SAYS}{}", addresses.join(" "));
    for line in stdin().lock().lines() {
        match line.expect("it can be read").as_str() {
            "state" => println!("{SAYS}{}", state(runtime.handle(), &counts)),
            "drain" => break,
            other => panic!("an unknown command: {other}"),
        }
    }
    stop.send(()).expect("the clerks are there");
    drained(&runtime, serving);
    println!("{SAYS}drained");
}

/// Tasks, bytes, sessions that are open, and sessions in all.
fn state(runtime: &Handle, counts: &Counts) -> String {
    let tasks = runtime.metrics().num_alive_tasks();
    let [sessions, begun] = [&counts.sessions, &counts.begun].map(|count| count.load(Ordering::Relaxed));
    format!("{tasks} {} {sessions} {begun}", MEMORY.current_usage())
}

/// Accepts clients at one place, until the bank closes. Returns the listener.
async fn clerk(
    mut listener: Bank,
    guests: Option<[String; 3]>,
    accounts: Accounts,
    counts: Arc<Counts>,
    mut stopped: tokio::sync::watch::Receiver<()>,
) -> Bank {
    loop {
        let (server, link) = tokio::select! {
            client = listener.recv_async() => client.expect("the place stands"),
            _ = stopped.changed() => return listener,
        };
        if let Some(guests) = &guests
            && !guests.iter().any(|guest| link.peer().contains(guest.as_str()))
        {
            eprintln!("an intruder: {}", link.peer());
        }
        counts.begun.fetch_add(1, Ordering::Relaxed);
        counts.sessions.fetch_add(1, Ordering::Relaxed);
        let (accounts, counts) = (accounts.clone(), counts.clone());
        tokio::spawn(async move {
            // A client that has gone is nothing unusual here.
            let _ = accounts.serve(server).await;
            counts.sessions.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// All places close, and their sessions come to an end.
fn drained(runtime: &tokio::runtime::Runtime, serving: Vec<JoinHandle<Bank>>) {
    runtime.block_on(async {
        for clerk in serving {
            let listener = clerk.await.expect("it does not panic");
            let draining = tokio::time::timeout(Duration::from_secs(30), listener.drain_async());
            draining.await.expect("no session is left");
        }
    });
}
