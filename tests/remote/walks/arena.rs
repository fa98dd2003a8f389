//! A place where sessions of one protocol take place, one after the other.

use crate::carried::Carrier;
use crate::case::{ListenerOf, Spoken};
use crate::causes::{Told, assert_told};
use crate::endings::{Record, Records, assert_fit};
use crate::player::Player;
use crate::support::{DropCounter, Rng};
use pipes::remote::{Cause, Link};
use pipes::remote::{Dial, Serve};
use pipes_remote::Via;
use pipes_remote::engine::Engine;
use pipes_tests::spin_while;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The most messages of a session; some sessions may be longer.
const BUDGETS: [u64; 4] = [40, 40, 40, 400];

/// The sizes of windows, in messages.
pub const WINDOWS: [usize; 4] = [1, 2, 16, 1024];

/// Longer than a test may take.
const LONG: Duration = Duration::from_secs(3600);

/// A connection, with a listener for the protocol.
pub struct Arena<W: Spoken, E: Engine> {
    via: Via<E, Carrier>,
    listener: Option<ListenerOf<W>>,
    runtime: Runtime,
    drops: DropCounter,
    alive: Arc<()>,
    /// How many codecs there are without a session.
    at_rest: usize,
}

/// What a side brings back.
struct Played {
    records: Records,
    link: Link,
    at_once: Cause,
    delivered: Option<bool>,
}

impl<W: Spoken, E: Engine> Arena<W, E> {
    /// A place over this connection.
    pub fn new(via: Via<E>, window: usize) -> Self {
        let (drops, alive) = (DropCounter::new(), Arc::new(()));
        let carrier = Carrier { drops: drops.clone(), alive: alive.clone() };
        let via = via.codec(carrier).window(window, 1 << 20);
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("threads can be had");
        // The servers' pumps run in the background, or in this runtime.
        let both = |server, link| (server, link);
        let listener: Result<ListenerOf<W>, _> = match window {
            1 | 16 => via.serve(both),
            _ => runtime.block_on(via.serve_async(both)),
        };
        let listener = Some(listener.expect("nobody else listens there"));
        let at_rest = Arc::strong_count(&alive);
        Arena { via, listener, runtime, drops, alive, at_rest }
    }

    /// Runs one session. Returns what both sides did.
    pub fn run(&mut self, number: u64) -> [Record; 2] {
        let mut random = Rng::with_seed(number + 1);
        let (id, seed) = (number + 1, 2 * number);
        let budget = BUDGETS[random.usize(..4)];
        let asks = [random.bool(), random.bool()];
        let players = [seed, seed + 1].map(|seed| Player::new(seed, &self.drops));
        let [client_player, server_player] = players;
        let mut listener = self.listener.take().expect("it comes back");

        let serving = thread::spawn(move || {
            let (server, link) = listener.accept().expect("a client comes");
            let records = server_player.play(id, budget, W::server(server));
            (listener, Played::new(records, link, asks[1]))
        });
        // Half of the clients do not wait for the answer, and half have their pumps in the background.
        let via = if id % 2 == 0 { self.via.clone() } else { self.via.clone().eager() };
        let dialled = match random.u64(..2) {
            0 => self.runtime.block_on(Dial::<W::Protocol>::dial_async(&via)),
            _ => Dial::<W::Protocol>::dial(&via),
        };
        let (client, link) = dialled.expect("a server listens");
        drop(via);
        let records = client_player.play(id, budget, W::client(client));
        let client = Played::new(records, link, asks[0]);
        let (listener, server) = serving.join().unwrap_or_else(|panic| resume_unwind(panic));
        self.listener = Some(listener);
        spin_while(|| Arc::strong_count(&self.alive) > self.at_rest);
        self.drops.assert_all_dropped();
        assert_fit(&client.records, &server.records);
        let [client, server] = [client, server].map(Played::told);
        assert_told(&client, &server);
        [client.record, server.record]
    }
}

impl Played {
    fn new(records: Records, link: Link, asks: bool) -> Self {
        let at_once = link.cause();
        let delivered = asks.then(|| link.delivered(LONG).is_ok());
        Played { records, link, at_once, delivered }
    }

    fn told(self) -> Told {
        let mut records = self.records.into_values();
        let (Some(record), None) = (records.next(), records.next()) else { panic!("it has one session") };
        Told { record, at_once: self.at_once, cause: self.link.cause(), delivered: self.delivered }
    }
}
