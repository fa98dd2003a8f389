//! The two sides over our protocol `pingpong`, one pipe for both directions.

/// The two sides of a contender, over the protocol whose names are in scope where the macro is invoked:
/// generated and handwritten protocols share the same loops.
macro_rules! sides {
    () => {
        /// Runs both sides on threads.
        pub fn on_threads(game: &Pingpong, stopwatch: impl Stopwatch) -> io::Result<Received> {
            super::on_threads(pipe(), |end| client(game.rounds, end, stopwatch), server)
        }

        fn client<W: Stopwatch>(rounds: u64, mut client: Client<Ping>, mut stopwatch: W) -> (u64, W) {
            for round in 0..rounds {
                let begun = stopwatch.begin();
                let Ok(waiting) = client.ping() else { return (round, stopwatch) };
                let Ok(Pong::Pong(next)) = waiting.recv() else { return (round, stopwatch) };
                stopwatch.end(begun);
                client = next;
            }
            (rounds, stopwatch)
        }

        fn server(mut server: Server<Ping>) -> u64 {
            let mut pings = 0;
            while let Ok(Ping::Ping(answer)) = server.recv() {
                pings += 1;
                let Ok(next) = answer.pong() else { break };
                server = next;
            }
            pings
        }

        /// Runs both sides in tasks.
        pub fn on_tasks(
            game: &Pingpong,
            executor: &Executor,
            stopwatch: impl Stopwatch,
        ) -> io::Result<Received> {
            let (client, server) = pipe();
            super::on_tasks(executor, client_task(game.rounds, client, stopwatch), server_task(server))
        }

        async fn client_task<W: Stopwatch>(
            rounds: u64,
            mut client: Client<Ping>,
            mut stopwatch: W,
        ) -> (u64, W) {
            for round in 0..rounds {
                let begun = stopwatch.begin();
                let Ok(waiting) = client.ping() else { return (round, stopwatch) };
                let Ok(Pong::Pong(next)) = waiting.recv_async().await else { return (round, stopwatch) };
                stopwatch.end(begun);
                client = next;
            }
            (rounds, stopwatch)
        }

        async fn server_task(mut server: Server<Ping>) -> u64 {
            let mut pings = 0;
            while let Ok(Ping::Ping(answer)) = server.recv_async().await {
                pings += 1;
                let Ok(next) = answer.pong() else { break };
                server = next;
            }
            pings
        }

        /// Runs both sides in this thread, taking turns.
        pub fn in_one_thread(game: &Pingpong) -> io::Result<Received> {
            let (mut client, mut server) = pipe();
            let mut received = Received::default();
            while received.pongs < game.rounds {
                let Ok(waiting) = client.ping() else { break };
                let Ok(Ping::Ping(answer)) = server.recv() else { break };
                received.pings += 1;
                let Ok(serving) = answer.pong() else { break };
                let Ok(Pong::Pong(pinging)) = waiting.recv() else { break };
                received.pongs += 1;
                (client, server) = (pinging, serving);
            }
            Ok(received)
        }
    };
}

pub(super) use sides;
