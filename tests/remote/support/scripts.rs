//! Sessions whose users write down what they sent and heard.

use crate::{Counted, loads, talk};
use pipes::remote::{Cause, Link};
use std::time::Duration;
use tokio::time::sleep;

/// How a session goes, without trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Questions and answers; the client says that it is enough.
    TalkClientEnds,
    /// The server says that it is enough.
    TalkServerEnds,
    /// The client drops its endpoint where it speaks.
    TalkClientLeaves,
    /// The client drops its endpoint where it listens.
    TalkClientLeavesAsking,
    /// The server drops its endpoint instead of an answer.
    TalkServerLeaves,
    /// Loads from the client, and its last message.
    Loads,
    /// The client drops its endpoint after its loads.
    LoadsClientLeaves,
    /// The server drops its endpoint after a few loads.
    LoadsServerLeaves,
    /// The server takes a few loads, then nothing until all is over, and drops its endpoint.
    LoadsServerWaits,
}

/// How a session has ended for its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It has sent the last message.
    SentLast,
    /// It has heard the last message.
    HeardLast,
    /// It has dropped its endpoint.
    Left,
    /// It has found its endpoint closed.
    Closed,
}

/// What a user has seen.
#[derive(Debug)]
pub struct Report {
    /// What it sent, as far as `send` said `Ok`.
    pub sent: Vec<u64>,
    /// What it received.
    pub heard: Vec<u64>,
    /// How it ended.
    pub finish: Finish,
    /// What the link said at that moment.
    pub cause: Cause,
    /// It.
    pub link: Link,
}

/// Stands for a last message in what was sent and heard.
pub const LAST: u64 = 1_000_000;

#[derive(Default)]
struct Log {
    sent: Vec<u64>,
    heard: Vec<u64>,
    pace: Duration,
}

/// The user goes: what is left of a `Result` whose error says so.
macro_rules! or_closed {
    ($result:expr) => {
        match $result {
            Ok(it) => it,
            Err(_) => return Finish::Closed,
        }
    };
}

impl Log {
    /// Makes sure that it is sent after what was heard a while ago.
    async fn pause(&self) {
        if !self.pace.is_zero() {
            sleep(self.pace).await;
        }
    }

    fn report(self, finish: Finish, link: Link) -> Report {
        let Log { sent, heard, .. } = self;
        Report { sent, heard, finish, cause: link.cause(), link }
    }

    async fn talk_client(&mut self, mut client: talk::Client<talk::Ask>, script: Script, n: u64) -> Finish {
        for number in 0..n {
            self.pause().await;
            let asking = or_closed!(client.question(number));
            self.sent.push(number);
            if script == Script::TalkClientLeavesAsking && number + 1 == n {
                return Finish::Left;
            }
            match or_closed!(asking.await) {
                talk::Answer::Reply(reply, next) => {
                    self.heard.push(reply);
                    client = next;
                }
                talk::Answer::Enough => {
                    self.heard.push(LAST);
                    return Finish::HeardLast;
                }
            }
        }
        self.pause().await;
        if script == Script::TalkClientLeaves {
            return Finish::Left;
        }
        or_closed!(client.stop());
        self.sent.push(LAST);
        Finish::SentLast
    }

    async fn talk_server(&mut self, mut server: talk::Server<talk::Ask>, script: Script, n: u64) -> Finish {
        loop {
            let (number, answer) = match or_closed!(server.await) {
                talk::Ask::Question(number, answer) => (number, answer),
                talk::Ask::Stop => {
                    self.heard.push(LAST);
                    return Finish::HeardLast;
                }
            };
            self.heard.push(number);
            self.pause().await;
            let is_last = number + 1 == n;
            match script {
                Script::TalkServerEnds if is_last => {
                    or_closed!(answer.enough());
                    self.sent.push(LAST);
                    return Finish::SentLast;
                }
                Script::TalkServerLeaves if is_last => return Finish::Left,
                _ => server = or_closed!(answer.reply(number + 100)),
            }
            self.sent.push(number + 100);
        }
    }

    async fn loads_client(&mut self, client: loads::Client<loads::Open>, script: Script, n: u64) -> Finish {
        let mut client = client;
        for number in 0..n {
            client = or_closed!(client.load(Counted::new(number)));
            self.sent.push(number);
            self.pause().await;
        }
        if script == Script::LoadsClientLeaves {
            return Finish::Left;
        }
        or_closed!(client.done());
        self.sent.push(LAST);
        Finish::SentLast
    }

    async fn loads_server(&mut self, server: loads::Server<loads::Open>, script: Script, n: u64) -> Finish {
        let mut server = server;
        while let loads::Open::Load(load, next) = or_closed!(server.await) {
            self.heard.push(load.0);
            server = next;
            if load.0 == n / 2 && script == Script::LoadsServerLeaves {
                return Finish::Left;
            }
            if load.0 == n / 2 && script == Script::LoadsServerWaits {
                crate::rest().await;
                return Finish::Left;
            }
        }
        self.heard.push(LAST);
        Finish::HeardLast
    }
}

/// A session over the engine, by its script.
macro_rules! session {
    ($protocol:ident, $client:ident, $server:ident, $net:expr, $script:expr, $n:expr, $pace:expr) => {{
        let (script, n, pace) = ($script, $n, $pace);
        // Of loads, half do not fit into the window.
        let via = $net.via().window(8, 1 << 20);
        let mut listener = $protocol::listen_with_links_async(&via).await.expect("the place is free");
        let client = async {
            let (client, link) = $protocol::connect_with_link_async(&via).await.ok()?;
            let mut log = Log { pace, ..Log::default() };
            let finish = log.$client(client, script, n).await;
            Some(log.report(finish, link))
        };
        let server = async {
            let accepted = tokio::time::timeout(Duration::from_secs(60), listener.recv_async()).await;
            let (server, link) = accepted.ok()?.ok()?;
            let mut log = Log { pace, ..Log::default() };
            let finish = log.$server(server, script, n).await;
            Some(log.report(finish, link))
        };
        tokio::join!(client, server)
    }};
}

impl Script {
    /// All of them.
    pub const ALL: [Script; 9] = [
        Script::TalkClientEnds,
        Script::TalkServerEnds,
        Script::TalkClientLeaves,
        Script::TalkClientLeavesAsking,
        Script::TalkServerLeaves,
        Script::Loads,
        Script::LoadsClientLeaves,
        Script::LoadsServerLeaves,
        Script::LoadsServerWaits,
    ];

    /// Plays the script with this many steps, and this time between them: what the client has seen, and the
    /// server, if there was a session for them.
    pub async fn play(self, net: &crate::Net, n: u64, pace: Duration) -> (Option<Report>, Option<Report>) {
        use Script::*;
        match self {
            TalkClientEnds
            | TalkServerEnds
            | TalkClientLeaves
            | TalkClientLeavesAsking
            | TalkServerLeaves => {
                session!(talk, talk_client, talk_server, net, self, n, pace)
            }
            Loads | LoadsClientLeaves | LoadsServerLeaves | LoadsServerWaits => {
                session!(loads, loads_client, loads_server, net, self, n, pace)
            }
        }
    }
}
