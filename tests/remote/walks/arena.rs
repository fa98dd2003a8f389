//! A place where sessions of one protocol take place, one after the other.

use crate::carried::{Alive, Carrier};
use crate::case::{ListenerOf, Spoken};
use crate::causes::{Told, assert_told};
use crate::endings::{Record, Records, assert_fit};
use crate::player::Player;
use crate::support::{Random, Tally};
use pipes::remote::{Dial, Serve};
use pipes::{Cause, Link};
use pipes_remote::Via;
use pipes_remote::engine::Engine;
use std::panic::resume_unwind;
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
    tally: Tally,
    alive: Alive,
    /// How many codecs there are without a session.
    at_rest: usize,
}

/// What a side brings back.
struct Played {
    records: Records,
    link: Link,
    at_once: Cause,
    drained: Option<bool>,
}

impl<W: Spoken, E: Engine> Arena<W, E> {
    /// A place over this connection.
    pub fn new(via: Via<E>, window: usize) -> Self {
        let (tally, alive) = (Tally::new(), Alive::new());
        let carrier = Carrier { tally: tally.clone(), alive: alive.clone() };
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
        let at_rest = alive.count();
        Arena { via, listener, runtime, tally, alive, at_rest }
    }

    /// Runs one session. Returns what both sides did.
    pub fn run(&mut self, number: u64) -> [Record; 2] {
        let mut random = Random::new(number + 1);
        let (id, seed) = (number + 1, 2 * number);
        let budget = BUDGETS[random.below(4) as usize];
        let asks = [random.below(2) == 0, random.below(2) == 0];
        let players = [seed, seed + 1].map(|seed| Player::new(seed, &self.tally));
        let [client_player, server_player] = players;
        let mut listener = self.listener.take().expect("it comes back");

        let by_task = random.below(2) == 0;
        let serving: Box<dyn FnOnce() -> (ListenerOf<W>, Played)> = if by_task {
            let serving = self.runtime.spawn(async move {
                let (server, link) = listener.recv_async().await.expect("a client comes");
                let walk = W::server_task(server);
                let records = server_player.play_in_task(id, budget, walk).await;
                (listener, Played::in_task(records, link, asks[1]).await)
            });
            let runtime = self.runtime.handle().clone();
            Box::new(move || match runtime.block_on(serving) {
                Ok(served) => served,
                Err(error) => resume_unwind(error.into_panic()),
            })
        } else {
            let serving = thread::spawn(move || {
                let (server, link) = listener.accept().expect("a client comes");
                let records = server_player.play(id, budget, W::server(server));
                (listener, Played::in_thread(records, link, asks[1]))
            });
            Box::new(move || serving.join().unwrap_or_else(|panic| resume_unwind(panic)))
        };
        let via = self.via.clone();
        // Half of the clients do not wait for the answer.
        let via = if id % 2 == 0 { via } else { via.eager() };
        let client = if random.below(2) == 0 {
            let playing = self.runtime.spawn(async move {
                let (client, link) = Dial::<W::Protocol>::dial_async(&via).await.expect("a server listens");
                let walk = W::client_task(client);
                let records = client_player.play_in_task(id, budget, walk).await;
                Played::in_task(records, link, asks[0]).await
            });
            self.runtime.block_on(playing).unwrap_or_else(|error| resume_unwind(error.into_panic()))
        } else {
            let (client, link) = Dial::<W::Protocol>::dial(&via).expect("a server listens");
            drop(via);
            let records = client_player.play(id, budget, W::client(client));
            Played::in_thread(records, link, asks[0])
        };
        let (listener, server) = serving();
        self.listener = Some(listener);
        self.alive.wait_for(self.at_rest);
        self.tally.assert_all_gone();
        assert_fit(&client.records, &server.records);
        let [client, server] = [client, server].map(Played::told);
        assert_told(&client, &server);
        [client.record, server.record]
    }
}

impl Played {
    fn in_thread(records: Records, link: Link, asks: bool) -> Self {
        let at_once = link.cause();
        let drained = asks.then(|| link.drained(LONG).is_ok());
        Played { records, link, at_once, drained }
    }

    async fn in_task(records: Records, link: Link, asks: bool) -> Self {
        let at_once = link.cause();
        let drained = if asks { Some(link.drained_async().await.is_ok()) } else { None };
        Played { records, link, at_once, drained }
    }

    fn told(self) -> Told {
        let mut records = self.records.into_values();
        let (Some(record), None) = (records.next(), records.next()) else { panic!("it has one session") };
        Told { record, at_once: self.at_once, cause: self.link.cause(), drained: self.drained }
    }
}
