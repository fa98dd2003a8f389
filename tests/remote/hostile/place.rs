//! A place inside of this program, at which strangers are served, and neighbours.

use pipes::remote::Link;
use pipes_remote_tests::stranger::{host, parley};
use pipes_remote_tests::{Net, Plan, Wire, talk};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;

/// The most bytes that one stream may take for a while: the buffers of both ends, and of the stream between
/// them. A stranger says at most a few kilobytes, and may say that a mebibyte comes.
pub const MOST: usize = 256 << 10;

/// The neighbours at each place.
const NEIGHBOURS: usize = 10;

pub struct Place {
    net: Net,
    /// The strangers' sessions that are over.
    pub sessions: UnboundedReceiver<Link>,
    answering: JoinHandle<()>,
    neighbours: Vec<(talk::Client<talk::Ask>, Link)>,
}

impl Place {
    /// Every other stranger's session is left early here, if `leaves`.
    pub async fn new(leaves: bool) -> Self {
        let net = Net::of(Plan { keeps_history: false, ..Plan::default() });
        let here = net.via();
        let sessions = host(parley::listen_with_links_async(&here).await.expect("it is free"), leaves);
        let mut listener = talk::listen_async(&here).await.expect("it is free");
        let answering = tokio::spawn(async move {
            let mut served = Vec::new();
            for _ in 0..NEIGHBOURS {
                served.push(tokio::spawn(answer(listener.recv_async().await.expect("a neighbour comes"))));
            }
            for served in served {
                served.await.expect("it does not panic");
            }
        });
        let mut neighbours = Vec::new();
        for _ in 0..NEIGHBOURS {
            neighbours.push(talk::connect_with_link_async(&here).await.expect("it listens"));
        }
        Place { net, sessions, answering, neighbours }
    }

    /// A stream without a session.
    pub fn stream(&self) -> Wire {
        self.net.dial().expect("it listens")
    }

    /// One of the neighbours asks something, and has the answer.
    pub async fn ask(&mut self, number: u64) {
        let at = number as usize % self.neighbours.len();
        let (client, link) = self.neighbours.swap_remove(at);
        let asked = client.question(number).expect("the link stands");
        match asked.await {
            Ok(talk::Answer::Reply(reply, client)) if reply == !number => {
                self.neighbours.push((client, link))
            }
            other => panic!("{other:?}, {link:?}"),
        }
    }

    /// All sessions of neighbours come to their ends.
    pub async fn end(self) {
        for (client, link) in self.neighbours {
            client.stop().expect("the link stands");
            link.delivered_async().await.expect("it has arrived");
        }
        self.answering.await.expect("it does not panic");
    }
}

async fn answer(mut server: talk::Server<talk::Ask>) {
    loop {
        match server.await {
            Ok(talk::Ask::Question(number, answer)) => {
                server = answer.reply(!number).expect("the link stands")
            }
            Ok(talk::Ask::Stop) => return,
            Err(error) => panic!("{error}"),
        }
    }
}
