//! A chat over QUIC: a server, people who talk, and screens that only show what is said.
//!
//! Start it in three terminals:
//!
//! ```text
//! cargo run -p session-pipes-remote --features quic --example chat -- serve 127.0.0.1:7000 chat.pem
//! cargo run -p session-pipes-remote --features quic --example chat -- talk 127.0.0.1:7000 FINGERPRINT Ada
//! cargo run -p session-pipes-remote --features quic --example chat -- watch 127.0.0.1:7000 FINGERPRINT
//! ```
//!
//! The server prints its fingerprint, which the others name: they connect to no other server. It keeps its
//! key in the file, so the fingerprint does not change. In a session one side speaks at a time, so who talks
//! and hears has two sessions, of two protocols; both share one connection.
//!
//! A send does not wait: the server keeps the lines that a screen has not read, without a limit. The recipe
//! `slow_consumers` in `examples/cookbook` shows what to do about slow readers.
//!
//! `talk` uses threads, and `watch` a task. Neither can tell which the server uses.

use pipes::Listener;
use pipes_remote::engine::Quic;
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote::{Via, quic};
use std::env;
use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tokio::runtime::Builder;

pipes::proto! {
    /// Someone talks.
    #[remote]
    pub talking {
        enter: send { name(String) -> talk }
        talk: send { say(String) -> talk, leave -> ! }
    }

    /// Someone hears what is said.
    #[remote]
    pub hearing {
        hear: recv { said(String, String) -> hear }
    }
}

const USAGE: &str = "usage: chat serve ADDRESS KEYFILE
       chat talk ADDRESS FINGERPRINT NAME
       chat watch ADDRESS FINGERPRINT";

type Failed = Box<dyn Error + Send + Sync>;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ended = match words[..] {
        ["serve", address, key] => in_a_runtime(serve(address, key)),
        ["talk", address, fingerprint, name] => talk(address, fingerprint, name),
        ["watch", address, fingerprint] => in_a_runtime(watch(address, fingerprint)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chat: {error}");
            ExitCode::FAILURE
        }
    }
}

fn in_a_runtime(work: impl Future<Output = Result<(), Failed>>) -> Result<(), Failed> {
    Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Those who hear. Each is the server's end of a session.
#[derive(Clone, Default)]
struct Room(Arc<Mutex<Vec<hearing::Server<hearing::Hear>>>>);

impl Room {
    fn enter(&self, hearer: hearing::Server<hearing::Hear>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(hearer);
    }

    /// Tells all of them. A send does not wait, and one that fails means that this one has left.
    fn tell(&self, name: &str, words: &str) {
        let mut hearers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *hearers = hearers.drain(..).filter_map(|it| it.said(name.into(), words.into()).ok()).collect();
    }
}

/// The server: a task for each who talks.
async fn serve(address: &str, key: &str) -> Result<(), Failed> {
    let identity = Identity::kept_in(key)?;
    // At most eight sessions a machine, and no line above 4 KiB.
    let here = quic(address, Security::new().identity(&identity)).sessions(8).limit(4096);
    let mut talkers: Listener<talking::Protocol> = talking::listen_async(&here).await?;
    let mut hearers: Listener<hearing::Protocol> = hearing::listen_async(&here).await?;
    println!("{}", identity.fingerprint());
    let room = Room::default();
    loop {
        tokio::select! {
            talker = talkers.recv_async() => {
                tokio::spawn(listen_to(talker?, room.clone()));
            }
            hearer = hearers.recv_async() => room.enter(hearer?),
        }
    }
}

/// Passes on what one of them says, until it leaves, or its connection breaks.
async fn listen_to(talker: talking::Server<talking::Enter>, room: Room) {
    let Ok(talking::Enter::Name(name, mut talker)) = talker.await else { return };
    room.tell(&name, "is here");
    while let Ok(talking::Talk::Say(words, next)) = talker.await {
        room.tell(&name, &words);
        talker = next;
    }
    room.tell(&name, "has left");
}

/// Where a client finds the server.
fn there(address: &str, fingerprint: &str) -> Result<Via<Quic>, Failed> {
    Ok(quic(address, Security::new().servers(Trust::fingerprint(fingerprint.parse()?))))
}

/// A client with two threads: one reads lines and sends them, the other prints what is said.
fn talk(address: &str, fingerprint: &str, name: &str) -> Result<(), Failed> {
    let there = there(address, fingerprint)?;
    let mut hearer = hearing::connect(&there)?;
    thread::spawn(move || {
        while let Ok(hearing::Hear::Said(name, words, next)) = hearer.recv() {
            println!("{name}: {words}");
            hearer = next;
        }
    });
    let (talker, link) = talking::connect_with_link(&there)?;
    let mut talker = talker.name(name.into())?;
    for line in io::stdin().lines() {
        talker = talker.say(line?)?;
    }
    talker.leave()?;
    // Before the program ends, waits until the server has everything.
    Ok(link.delivered(std::time::Duration::from_secs(5))?)
}

/// A client in a task, which prints what is said.
async fn watch(address: &str, fingerprint: &str) -> Result<(), Failed> {
    let mut hearer = hearing::connect_async(&there(address, fingerprint)?).await?;
    println!("watching");
    while let Ok(hearing::Hear::Said(name, words, next)) = hearer.await {
        println!("{name}: {words}");
        hearer = next;
    }
    Ok(())
}
